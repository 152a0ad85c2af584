/* gpu_threads.c - who runs what: the machine cut into workers, one for each thread, and the threads of a kernel.
 *
 * Workers are made with the machine and never change, so that nothing depends on which thread does a worker's part: with one thread
 * it is the caller who does all parts, one after the other. */
#include "gpu/gpu_state.h"

#include <stdlib.h>
#include <time.h>

#include "base/log.h"

/* ---- workers --------------------------------------------------------------------------------------------------------------- */

static uint32_t first_sm_of(const struct gpu *gpu, uint32_t worker)
{
    return (uint32_t)((uint64_t)worker * gpu->sm_count / gpu->worker_count);
}

static void make_share(struct gpu *gpu, struct worker *worker, uint32_t first, uint32_t count)
{
    struct module *m = &gpu->module[first / gpu->sms_per_module];
    struct share *s = &gpu->share[gpu->share_count++];
    *s = (struct share){ .module = m, .worker = worker, .first = first - m->first_sm, .count = count };
    sleepers_init(&s->sms, count);
    s->senders = must_calloc_aligned(s->sms.words, sizeof s->senders[0]);
    s->touches.table = gpu->pages;
    s->words = (m->sm_count + (gpu->module_count > 1 ? m->slice_count : 0) + 63) / 64;
    s->news.sources = must_calloc_aligned(s->words, sizeof s->news.sources[0]);
    m->share = m->share ? m->share : s;
    m->share_count++;
    worker->share_count++;
    if (!s->first) { /* the module's memory side is this worker's too */
        worker->first_module = worker->module_count ? worker->first_module : m->index;
        worker->module_count++;
    }
}

void gpu_make_workers(struct gpu *gpu)
{
    gpu->worker_count = gpu->config.gpu.threads < gpu->sm_count ? gpu->config.gpu.threads : gpu->sm_count;
    gpu->worker = must_calloc_aligned(gpu->worker_count, sizeof gpu->worker[0]);
    gpu->share = must_calloc_aligned(gpu->worker_count + gpu->module_count, sizeof gpu->share[0]);
    gpu->pool = must_calloc(gpu->worker_count, sizeof(struct request_pool *));
    gpu->view = must_calloc(gpu->worker_count, sizeof(struct front *));
    for (uint32_t w = 0; w < gpu->worker_count; w++) {
        struct worker *worker = &gpu->worker[w];
        *worker = (struct worker){ .gpu = gpu, .first_share = gpu->share_count };
        gpu->pool[w] = request_pool_new();
        for (uint32_t sm = first_sm_of(gpu, w), end = first_sm_of(gpu, w + 1), next; sm < end; sm = next) {
            next = (sm / gpu->sms_per_module + 1) * gpu->sms_per_module;
            next = next < end ? next : end;
            make_share(gpu, worker, sm, next - sm);
        }
    }
    gpu->whole_modules = gpu->share_count == gpu->module_count;
    for (uint32_t i = 0; i < gpu->module_count; i++)
        gpu->module[i].pool = gpu->pool[gpu->module[i].share->worker - gpu->worker];
}

void gpu_free_workers(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        sleepers_clear(&gpu->share[i].sms);
        free(gpu->share[i].news.sources);
        free(gpu->share[i].touches.page);
        free(gpu->share[i].senders);
    }
    for (uint32_t w = 0; w < gpu->worker_count; w++)
        request_pool_free(gpu->pool[w]);
    free(gpu->worker);
    free(gpu->share);
    free(gpu->pool);
    free(gpu->view);
}

uint64_t gpu_live_requests(const struct gpu *gpu)
{
    return request_pools_live(gpu->pool, gpu->worker_count);
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
    for (uint32_t w = 0; w < gpu->worker_count && !*why; w++)
        gpu->worker[w].view = gpu->view[w] = gpu->front->ops->view(gpu->front, &gpu->worker[w].clock, why);
    return !*why;
}

void gpu_open_views(struct gpu *gpu)
{
    const char *why = NULL;
    gpu->views_opened = cpu_seconds();
    if (gpu->worker_count > 1 && make_views(gpu, &why)) {
        gpu->team = team_new(gpu->worker_count, gpu_team_job, gpu);
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
    const double all = cpu_seconds() - gpu->views_opened, serial = all - t.parts;
    log_note(
        "kernel %s, %u threads: %.3f s: serial %.3f s; %llu rounds of %.3f s, the longest parts %.3f s; side by side %.3f s, %.2f "
        "times as fast",
        gpu->front->launch.kernel, gpu->worker_count, all, serial, (unsigned long long)t.rounds, t.parts, t.longest,
        serial + t.longest, all / (serial + t.longest));
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
