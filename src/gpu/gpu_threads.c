/* gpu_threads.c - who runs what: the machine cut into workers and parts, more of them than threads, and the threads of a kernel.
 *
 * Workers and parts are made with the machine and never change, so that nothing depends on which thread does a part: with one
 * thread it is the caller who does them all, one after the other. */
#include "gpu/gpu_state.h"

#include <stdlib.h>
#include <time.h>

#include "base/log.h"
#include "mem/cache_policy.h"

/* ---- workers --------------------------------------------------------------------------------------------------------------- */

/* Parts for each thread, so that who is ready early finds one to take; and SMs in a part, for a part costs something too: its state
 * moves to another core when somebody else takes it. Who insists on threads has the smallest parts. */
enum { PARTS_EACH = 4, FEWEST_SMS = 8, BAYS_EACH = 2 };

static uint32_t at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

/* Into how many shares a module's SMs are cut. */
static uint32_t shares_per_module(const struct gpu *gpu)
{
    const uint32_t sms = gpu->sms_per_module, modules = gpu->module_count;
    const uint32_t wanted = (PARTS_EACH * gpu->threads + modules - 1) / modules, needed = (gpu->threads + modules - 1) / modules;
    const uint32_t large_enough = at_most(wanted, sms / (gpu->config.gpu.threads_insist ? 1 : FEWEST_SMS));
    return gpu->threads == 1 ? 1 : large_enough > needed ? large_enough : at_most(needed, sms);
}

static void make_share(struct gpu *gpu, struct worker *worker, struct module *m, uint32_t first, uint32_t end)
{
    struct share *s = &gpu->share[gpu->share_count++];
    *s = (struct share){ .module = m, .worker = worker, .first = first, .count = end - first };
    sleepers_init(&s->sms, s->count);
    s->senders = must_calloc_aligned(s->sms.words, sizeof s->senders[0]);
    s->touches.table = gpu->pages;
    s->news.words = m->sm_words;
    s->news.sources = must_calloc_aligned(s->news.words, sizeof s->news.sources[0]);
    m->share = m->share ? m->share : s;
    m->share_count++;
}

/* A bay has whole channels. In a machine of few SMs a tick is too short to be cut so often. Policies of the L2 may keep state for
 * all slices of a module, and what the reference does at the wrong time must happen in its order. */
static uint32_t bays_per_module(const struct gpu *gpu)
{
    const struct reference_config *reference = &gpu->config.reference;
    const uint32_t modules = gpu->module_count, channels = gpu->module[0].channel_count;
    if (gpu->threads == 1 || (gpu->sm_count < SM_MANY && !gpu->config.gpu.threads_insist) ||
        cache_hooks_any(&gpu->policies->hooks.cache[LEVEL_L2]) || reference->rounded_clocks || reference->late_atomics)
        return 1;
    return at_most((BAYS_EACH * gpu->threads + modules - 1) / modules, channels);
}

static void make_bay(struct gpu *gpu, struct module *m, uint32_t first, uint32_t end)
{
    const uint32_t per_channel = gpu->config.map.slices_per_channel;
    struct bay *b = &gpu->bay[m->index * gpu->bays_per_module + m->bay_count];
    *b = (struct bay){ .module = m, .first_channel = first, .first_slice = first * per_channel, .pool = m->pool };
    if (m->bay_count)
        gpu->pool[gpu->pool_count++] = b->pool = request_pool_new();
    sleepers_init(&b->channels, end - first);
    sleepers_init(&b->slices, (end - first) * per_channel);
    b->sent.words = b->taken.words = (m->slice_count + 63) / 64;
    b->replies = must_calloc_aligned(b->slices.words, sizeof b->replies[0]);
    b->sent.sources = must_calloc_aligned(b->sent.words, sizeof b->sent.sources[0]);
    b->taken.emptied = must_calloc_aligned(b->taken.words, sizeof b->taken.emptied[0]);
    m->bay = m->bay ? m->bay : b;
    m->bay_count++;
}

static uint32_t home_of(const struct gpu *gpu, uint32_t i, uint32_t count)
{
    return (uint32_t)((uint64_t)i * gpu->threads / count);
}

/* A part for each bay where a module has several, for the rest of each module's memory side, which waits for its bays, and for each
 * share, which waits for its module's memory side. Neighbours are at home in the same thread. Where there are bays, that rest is
 * two parts, requests and replies, unless they meet in an L1.5. */
static void plan_parts(struct gpu *gpu)
{
    const uint32_t modules = gpu->module_count, bays = gpu->bays_per_module > 1 ? gpu->bays_per_module : 0;
    gpu->apart = bays && gpu->config.l15.keeps == L15_NOTHING;
    const uint32_t sides = gpu->apart ? SIDES : 1;
    gpu->first_module_part = bays * modules;
    gpu->first_share_part = gpu->first_module_part + sides * modules;
    gpu->part = must_calloc(gpu->first_share_part + gpu->share_count, sizeof gpu->part[0]);
    struct team_part *part = gpu->part;
    for (uint32_t i = 0; i < gpu->first_module_part; i++)
        *part++ = (struct team_part){ .home = home_of(gpu, i, gpu->first_module_part) };
    for (uint32_t i = 0; i < sides * modules; i++)
        *part++ = (struct team_part){ .home = home_of(gpu, i, sides * modules), .after = i / sides * bays, .after_count = bays };
    for (uint32_t i = 0; i < gpu->share_count; i++)
        *part++ = (struct team_part){ .home = home_of(gpu, i, gpu->share_count),
                                      .after = gpu->first_module_part + sides * gpu->share[i].module->index,
                                      .after_count = sides };
}

void gpu_make_workers(struct gpu *gpu)
{
    gpu->threads = gpu->config.gpu.sms_per_port > 1 ? 1 : at_most(gpu->config.gpu.threads, gpu->sm_count);
    const uint32_t pieces = shares_per_module(gpu), shares = pieces * gpu->module_count;
    gpu->worker_count = gpu->threads > 1 ? shares : 1;
    gpu->worker = must_calloc_aligned(gpu->worker_count, sizeof gpu->worker[0]);
    gpu->share = must_calloc_aligned(shares, sizeof gpu->share[0]);
    gpu->bays_per_module = bays_per_module(gpu);
    gpu->bay = must_calloc_aligned((size_t)gpu->module_count * gpu->bays_per_module, sizeof gpu->bay[0]);
    gpu->pool_count = gpu->worker_count;
    gpu->pool = must_calloc(gpu->worker_count + (size_t)gpu->module_count * gpu->bays_per_module, sizeof(struct request_pool *));
    gpu->view = must_calloc(gpu->worker_count, sizeof(struct front *));
    for (uint32_t w = 0; w < gpu->worker_count; w++)
        gpu->pool[w] = request_pool_new();
    for (uint32_t i = 0; i < shares; i++) {
        struct module *m = &gpu->module[i / pieces];
        const uint32_t piece = i % pieces, w = gpu->threads > 1 ? i : 0;
        make_share(gpu, &gpu->worker[w], m, piece * m->sm_count / pieces, (piece + 1) * m->sm_count / pieces);
        m->pool = piece ? m->pool : gpu->pool[w];
    }
    for (uint32_t i = 0, bays = gpu->bays_per_module; i < gpu->module_count; i++)
        for (uint32_t k = 0, channels = gpu->module[i].channel_count; k < bays; k++)
            make_bay(gpu, &gpu->module[i], k * channels / bays, (k + 1) * channels / bays);
    plan_parts(gpu);
}

void gpu_free_workers(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        sleepers_clear(&gpu->share[i].sms);
        free(gpu->share[i].news.sources);
        free(gpu->share[i].touches.page);
        free(gpu->share[i].senders);
    }
    for (uint32_t i = 0; gpu->bay && i < gpu->module_count * gpu->bays_per_module; i++) {
        sleepers_clear(&gpu->bay[i].slices);
        sleepers_clear(&gpu->bay[i].channels);
        free(gpu->bay[i].replies);
        free(gpu->bay[i].sent.sources);
        free(gpu->bay[i].taken.emptied);
    }
    for (uint32_t i = 0; i < gpu->pool_count; i++)
        request_pool_free(gpu->pool[i]);
    free(gpu->bay);
    free(gpu->worker);
    free(gpu->part);
    free(gpu->share);
    free(gpu->pool);
    free(gpu->view);
}

uint64_t gpu_live_requests(const struct gpu *gpu)
{
    return request_pools_live(gpu->pool, gpu->pool_count);
}

/* ---- the threads of a kernel ------------------------------------------------------------------------------------------------- */

static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool make_views(struct gpu *gpu, const char **why)
{
    const uint32_t needs = gpu->policies->hooks.needs;
    *why = needs & NEED_VALUES      ? "a policy looks at what lines hold"
           : needs & NEED_TRIALS    ? "a policy tries values in copies of the process"
           : !gpu->front->ops->view ? "it is recorded, or its trace has values"
                                    : NULL;
    for (uint32_t w = 0; w < gpu->worker_count; w++)
        gpu->worker[w].clock.khz = gpu->front_clock.khz;
    for (uint32_t w = 0; w < gpu->worker_count && !*why; w++)
        gpu->worker[w].view = gpu->view[w] = gpu->front->ops->view(gpu->front, &gpu->worker[w].clock, why);
    return !*why;
}

void gpu_open_views(struct gpu *gpu)
{
    const char *why = NULL;
    gpu->views_opened = cpu_seconds();
    if (gpu->worker_count > 1 && make_views(gpu, &why)) {
        gpu->team = team_new(gpu->threads, gpu->part, gpu->first_share_part + gpu->share_count, gpu_team_job, gpu);
        why = gpu->team ? NULL : "the host gives no threads";
        if (gpu->team && gpu->config.gpu.threads_insist)
            team_insist(gpu->team);
        if (gpu->team && gpu->config.gpu.threads_measure)
            team_measure(gpu->team);
    }
    if (why) {
        gpu_close_views(gpu);
        if (why != gpu->why_one_thread)
            log_note("kernel %s runs on one thread: %s", gpu->front->launch.kernel, why);
        gpu->why_one_thread = why;
    }
}

/* What a host with as many cores would have needed, but for the cost of its rounds. */
static void say_times(const struct gpu *gpu)
{
    const struct team_times t = team_times(gpu->team);
    const double all = cpu_seconds() - gpu->views_opened - t.measuring, serial = all - t.parts;
    log_note(
        "kernel %s, %u threads: %.3f s: serial %.3f s; %llu rounds of %.3f s, the longest parts %.3f s; side by side %.3f s, %.2f "
        "times as fast",
        gpu->front->launch.kernel, gpu->threads, all, serial, (unsigned long long)t.rounds, t.parts, t.longest, serial + t.longest,
        all / (serial + t.longest));
}

void gpu_close_views(struct gpu *gpu)
{
    if (gpu->team && gpu->config.gpu.threads_measure)
        say_times(gpu);
    team_free(gpu->team);
    gpu->team = NULL;
    for (uint32_t w = 0; w < gpu->worker_count; w++) {
        if (gpu->view[w])
            gpu->view[w]->ops->destroy(gpu->view[w]);
        gpu->worker[w].view = gpu->view[w] = NULL;
    }
}
