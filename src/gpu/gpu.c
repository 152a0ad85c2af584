/* gpu.c - runs kernels on the machine, one after the other, and what the host does to memory between them. */
#include "gpu/gpu_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void align_clocks(struct gpu *gpu)
{
    gpu->inherited = gpu_live_requests(gpu);
    if (gpu->launches && gpu->config.reference.clocks_go_on)
        return;
    clocks_align(&gpu->clocks);
    if (!gpu->rounded)
        return;
    rounded_clocks_aligned(gpu->rounded);
    for (uint32_t c = 0; c < gpu->channel_count && gpu->inherited; c++) {
        dram_channel_move_delays(gpu->channel[c], rounded_clocks_moved, gpu->rounded);
        sleepers_until(&gpu->bay[0].channels, c, 0); /* a machine of one module and one bay */
    }
}

const struct front_clock *gpu_clock(const struct gpu *gpu)
{
    return &gpu->front_clock;
}

static bool page_is_placed(const struct gpu *gpu, uint64_t address)
{
    uint32_t owner;
    uint64_t inside;
    return page_table_find(gpu->pages, address, &owner, &inside);
}

void gpu_host_copied(struct gpu *gpu, enum host_copy copy, uint64_t address, uint64_t bytes)
{
    if (!gpu->config.l2.enabled || !gpu->config.l2.memcpy_fills || !gpu->copy_fills[copy])
        return;
    const uint64_t line = gpu->config.l2.line_bytes, now = gpu->clocks.count[CLOCK_L2], end = address + bytes;
    for (uint64_t at = address; at < end;) {          /* a line lies in one slice: l2_config_fits */
        if (gpu->pages && !page_is_placed(gpu, at)) { /* who will own it is decided by the kernel that touches it */
            at = (at / gpu->config.gpu.page_bytes + 1) * gpu->config.gpu.page_bytes;
            continue;
        }
        struct l2_slice *slice = gpu->slice[address_map_slice(&gpu->config.map, at)];
        const uint64_t next = at / line * line + line;
        if (at % line == 0 && next <= end && l2_slice_host_wrote_line(slice, at, now)) {
            at = next;
            continue;
        }
        for (; at < end && at < next; at += SECTOR_BYTES)
            l2_slice_host_wrote(slice, at, now);
    }
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

static void list_waiting_ctas(struct gpu *gpu, uint32_t count)
{
    const uint32_t words = (count + 63) / 64;
    if (words > gpu->waiting_words) {
        gpu->waiting_ctas = must_realloc(gpu->waiting_ctas, words * sizeof gpu->waiting_ctas[0]);
        gpu->waiting_words = words;
    }
    for (uint32_t w = 0; w < words; w++)
        gpu->waiting_ctas[w] = w + 1 < words || count % 64 == 0 ? UINT64_MAX : (1ull << count % 64) - 1;
}

/* An SM may run on where it hears from the others by replies alone, and where nobody wants to see it in every cycle. */
static bool may_run_on(const struct gpu *gpu, const struct front *front)
{
    const struct sm_config *sm = &gpu->config.sm;
    return !gpu->has_policies && !gpu->pages && gpu->config.gpu.sms_per_port == 1 && sm->issues_per_warp == 1 && !sm->ideal &&
           !sm->never_sleep && sm_may_run_on(gpu->timing, &front->launch, front->late_atomics);
}

/* How many cycles of an SM a reply takes at least that is still in the network. It goes to the SM's queue in one tick of its clock
 * and to the SM in the next, each before the SM's cycle. What comes out of the network in the tick of a cycle has come before that
 * cycle, but not where these clocks are not ticks of one time. */
static uint32_t cycles_from_network(const struct gpu *gpu)
{
    if (gpu->deliver_clock == CLOCK_CORE)
        return 2;
    return gpu->clocks.period[gpu->deliver_clock] >= gpu->clocks.period[CLOCK_CORE] ? 3 : 1;
}

/* How many of its CTAs an SM gets at a time; 0: the kernel cannot run on this machine. */
static uint32_t ctas_per_sm(const struct gpu *gpu, const struct front_launch *launch, struct error *err)
{
    const char *limit;
    const uint32_t fit = sm_ctas_that_fit(&gpu->config.sm, launch, &limit);
    if (!fit) {
        (void)error_set(err,
                        "kernel %s: a CTA of %u threads, %u registers per thread and %u bytes of shared memory does not fit "
                        "on an SM (too many %s)",
                        launch->kernel, launch->threads_per_cta, launch->registers_per_thread, launch->shared_bytes, limit);
        return 0;
    }
    const uint32_t even = (launch->cta_count + gpu->sm_count - 1) / gpu->sm_count;
    return even && even < fit ? even : fit; /* a small grid is spread over all SMs */
}

/* Counters run on from kernel to kernel: what they are now is taken off at the kernel's end. */
static void note_counters(struct gpu *gpu)
{
    gpu->issued_before = gpu_instructions(gpu);
    gpu_note_traffic(gpu);
    for (uint32_t i = 0; i < gpu->group_count; i++) {
        gpu_collect(gpu, i, gpu->before[i]);
        if (gpu->groups[i] == &dram_stat_group && !gpu->inherited)
            memcpy(gpu->settled, gpu->before[i], sizeof(struct dram_counters));
    }
}

static void tell_policies(struct gpu *gpu, const struct front_launch *launch, uint32_t max_ctas_per_sm)
{
    const struct policy_kernel kernel = { .name = launch->kernel,
                                          .launch = gpu->launches++,
                                          .cycle = gpu->start_cycle,
                                          .cta_count = launch->cta_count,
                                          .warps_per_cta = launch->warps_per_cta,
                                          .threads_per_cta = launch->threads_per_cta,
                                          .registers_per_thread = launch->registers_per_thread,
                                          .shared_bytes = launch->shared_bytes,
                                          .max_ctas_per_sm = max_ctas_per_sm };
    hooks_kernel_start(&gpu->policies->hooks, &kernel);
    if (gpu->policies->hooks.cache[LEVEL_L1].storage.owner)
        for (uint32_t i = 0; i < gpu->sm_count; i++)
            sm_policy_resize_l1(gpu->sm[i]);
}

static bool start_kernel(struct gpu *gpu, struct front *front, struct error *err)
{
    const struct front_launch *launch = &front->launch;
    if ((gpu->policies->hooks.needs & NEED_VALUES) && !front->ops->read_memory)
        return error_set(
            err,
            "kernel %s: a policy of this run looks at what lines hold, and the trace has no values: record it again with "
            "'warpline record --data', or run the program itself",
            launch->kernel);
    if (!policy_instance_kernel(gpu->policies, launch->kernel, err))
        return false;
    const uint32_t max_ctas_per_sm = ctas_per_sm(gpu, launch, err);
    if (!max_ctas_per_sm)
        return false;
    gpu->front = front;
    if (gpu->config.reference.wake_arrived)
        front->barrier_rule = reference_barrier;
    front->late_atomics = gpu->config.reference.late_atomics && !gpu->config.sm.ideal && front->ops->atomic;
    gpu->next_cta = gpu->ctas_running = 0;
    gpu_ports_start_kernel(gpu);
    gpu->room_unknown = true;
    if (gpu->policies->hooks.cta.owner)
        list_waiting_ctas(gpu, launch->cta_count);
    align_clocks(gpu);
    gpu_open_views(gpu);
    for (uint32_t k = 0; k < gpu->share_count; k++) {
        const struct share *s = &gpu->share[k];
        struct worker *w = s->worker;
        for (uint32_t i = s->first; i < s->first + s->count; i++)
            sm_kernel_start(s->module->sm[i], w->view ? w->view : front, w->view ? &w->clock : &gpu->front_clock, max_ctas_per_sm,
                            w->view);
    }
    gpu->runs_on = may_run_on(gpu, front);
    gpu->cycles_from_network = cycles_from_network(gpu);
    gpu->start_cycle = gpu->clocks.count[CLOCK_CORE];
    gpu->ctas_from = gpu->last_issue_cycle =
        gpu->start_cycle + gpu->config.gpu.launch_cycles + (uint64_t)gpu->config.gpu.launch_cta_cycles * launch->cta_count;
    note_counters(gpu);
    tell_policies(gpu, launch, max_ctas_per_sm);
    return true;
}

static bool fail_with_dump(struct gpu *gpu, struct error *err)
{
    fprintf(stderr, "warpline: no instruction issued for %llu cycles; who waits for what, at cycle %llu:\n",
            (unsigned long long)(gpu->clocks.count[CLOCK_CORE] - gpu->last_issue_cycle),
            (unsigned long long)gpu->clocks.count[CLOCK_CORE]);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        sm_dump(gpu->sm[i], stderr);
    fprintf(stderr, "%llu requests live\n", (unsigned long long)gpu_live_requests(gpu));
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        const struct module *m = &gpu->module[i];
        fprintf(stderr, "networks of module %u: %u requests, %u replies; %u in its gateways\n", i, network_packets(m->requests),
                network_packets(m->replies), gateways_requests(m));
        network_dump(m->requests, "request", stderr);
        network_dump(m->replies, "reply", stderr);
    }
    if (gpu->links)
        links_dump(gpu->links, stderr);
    for (uint32_t s = 0; s < gpu->slice_count; s++)
        if (!l2_slice_idle(gpu->slice[s]))
            fprintf(stderr, "L2 slice %u: %u in its input queue, %u MSHRs in use\n", s, l2_slice_input_length(gpu->slice[s]),
                    l2_slice_mshr_in_use(gpu->slice[s]));
    for (uint32_t c = 0; c < gpu->channel_count; c++)
        dram_channel_dump(gpu->channel[c], c, stderr);
    uint32_t cta, line = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        if (sm_has_deadlock(gpu->sm[i], &cta, &line))
            return error_set_fault(
                err, FAULT_OTHER,
                "kernel %s: deadlock: the warps of CTA %u wait at a barrier that no other warp will reach (before "
                "PTX line %u)",
                gpu->front->launch.kernel, cta, line);
    return error_set_code(err, CODE_INTERNAL, "kernel %s hangs: no instruction issued for %llu cycles (gpu.watchdog)",
                          gpu->front->launch.kernel, (unsigned long long)(gpu->clocks.count[CLOCK_CORE] - gpu->last_issue_cycle));
}

static bool limit_is_met(const struct gpu *gpu, const struct gpu_limits *limits, uint64_t cycles, uint64_t instructions)
{
    return (limits->max_instructions && instructions >= limits->max_instructions) ||
           (limits->interrupted && *limits->interrupted) ||
           (limits->progress && !gpu->trial.inside && !limits->progress(limits->progress_context, cycles, instructions));
}

/* Runs until the kernel ends or a limit is met. */
enum { CYCLES_A_LOOK = 1024 };
static bool run_kernel(struct gpu *gpu, const struct gpu_limits *limits, bool *complete, struct error *err)
{
    uint64_t checked = gpu->start_cycle, issued = gpu->issued_before;
    *complete = true;
    gpu->stop_cycle = UINT64_MAX;
    if (limits && limits->max_cycles && limits->max_cycles < UINT64_MAX - gpu->start_cycle)
        gpu->stop_cycle = gpu->start_cycle + limits->max_cycles;
    gpu_series_start(gpu);
    do {
        gpu->next_look = min64(checked + CYCLES_A_LOOK, min64(gpu->series.next, gpu->stop_cycle));
        if (!gpu_tick(gpu, err))
            return false;
        const uint64_t cycle = gpu->clocks.count[CLOCK_CORE];
        if (cycle >= gpu->series.next)
            stat_series_sample(&gpu->series);
        if (cycle >= gpu->stop_cycle) {
            *complete = false;
            return true;
        }
        if (cycle - checked < CYCLES_A_LOOK)
            continue;
        checked = cycle;
        if (gpu_trial_failed(gpu, err))
            return false;
        const uint64_t now = gpu_instructions(gpu);
        if (now != issued) {
            issued = now;
            gpu->last_issue_cycle = cycle;
        } else if (cycle > gpu->last_issue_cycle + gpu->config.gpu.watchdog_cycles) {
            return fail_with_dump(gpu, err);
        }
        if (limits && limit_is_met(gpu, limits, cycle - gpu->start_cycle, now - gpu->issued_before)) {
            *complete = false;
            return true;
        }
    } while (gpu_kernel_running(gpu));
    return !gpu_trial_failed(gpu, err);
}

/* Between the L2 and DRAM. */
static uint64_t write_backs_under_way(const struct gpu *gpu)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < gpu->slice_count; s++)
        sum += l2_slice_misses_queued(gpu->slice[s]);
    for (uint32_t c = 0; c < gpu->channel_count; c++)
        sum += dram_channel_requests(gpu->channel[c]);
    return sum;
}

/* The laws of the DRAM hold between two times at which nothing is under way. That is a kernel, or several of them where one leaves
 * write-backs to the next, which counts their ends. NULL: they hold, or the time has not come. */
static const struct stat_law *broken_dram_law(struct gpu *gpu, uint32_t group, uint64_t left)
{
    struct dram_counters after = { 0 }, since = { 0 };
    if (left)
        return NULL;
    gpu_collect(gpu, group, &after);
    stat_subtract(gpu->groups[group], &since, &after, gpu->settled);
    return stat_check(gpu->groups[group], &since);
}

static bool check_laws(struct gpu *gpu, const struct kernel_result *out, struct error *err)
{
    const uint64_t left = write_backs_under_way(gpu);
    for (uint32_t i = 0; i < gpu->group_count; i++) {
        const struct stat_law *law =
            gpu->groups[i] == &dram_stat_group ? broken_dram_law(gpu, i, left) : stat_check(gpu->groups[i], out->counters[i]);
        if (law)
            return error_set_code(err, CODE_INTERNAL, "kernel %s: the counters of %s break the law %s: %s", out->name,
                                  gpu->groups[i]->name, law->name, law->text);
    }
    if (gpu_live_requests(gpu) != left)
        return error_set_code(err, CODE_INTERNAL, "kernel %s: %llu memory requests were never answered", out->name,
                              (unsigned long long)(gpu_live_requests(gpu) - left));
    return true;
}

static void fill_result(struct gpu *gpu, struct kernel_result *out, uint64_t end_cycle, bool complete)
{
    const struct front_launch *launch = &gpu->front->launch;
    *out = (struct kernel_result){ .name = must_strdup(launch->kernel),
                                   .cycles = end_cycle - gpu->start_cycle,
                                   .start_cycle = gpu->start_cycle,
                                   .threads = gpu->team ? gpu->threads : 1,
                                   .complete = complete,
                                   .counter_count = gpu->group_count };
    for (uint32_t d = 0; d < 3; d++) {
        out->grid[d] = launch->grid[d];
        out->block[d] = launch->block[d];
    }
    const char *limit;
    out->ctas_per_sm = sm_ctas_that_fit(&gpu->config.sm, launch, &limit);
    out->series = stat_series_take(&gpu->series);
    gpu_take_traffic(gpu, out);
    out->counters = must_calloc(gpu->group_count, sizeof out->counters[0]);
    for (uint32_t i = 0; i < gpu->group_count; i++) {
        void *after = must_calloc(1, gpu->groups[i]->size);
        out->counters[i] = must_calloc(1, gpu->groups[i]->size);
        gpu_collect(gpu, i, after);
        stat_subtract(gpu->groups[i], out->counters[i], after, gpu->before[i]);
        free(after);
    }
    const struct sm_counters *sm = out->counters[0];
    out->warp_instructions = sm->warp_instructions + sm->recounts;
    out->thread_instructions = sm->thread_instructions + sm->recounted_lanes;
}

/* A kernel has ended. This is the one event at which all SMs' L1s are emptied, and the modules' caches are emptied too, once
 * each. */
static void empty_l15(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        module_empty_l15(&gpu->module[i], gpu->clocks.count[CLOCK_L2]);
    }
}

static bool run_started(struct gpu *gpu, const struct gpu_limits *limits, struct kernel_result *out, struct error *err)
{
    const struct front *front = gpu->front;
    bool complete;
    const bool ok = run_kernel(gpu, limits, &complete, err);
    if (gpu->trial.inside)
        gpu_trial_end(gpu, ok);
    complete = complete && ok; /* of a kernel that failed there is what was known by then */
    const uint64_t end = gpu->clocks.count[CLOCK_CORE];
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        sm_settle(gpu->sm[i], end);
        if (complete)
            sm_flush(gpu->sm[i]);
    }
    const struct policy_kernel kernel = {
        .name = front->launch.kernel, .launch = gpu->launches - 1, .cycle = end, .cta_count = front->launch.cta_count
    };
    hooks_kernel_end(&gpu->policies->hooks, &kernel);
    if (complete && !gpu->finish(gpu))
        return fail_with_dump(gpu, err);
    for (uint32_t s = 0; s < gpu->slice_count; s++)
        l2_slice_settle(gpu->slice[s], gpu->clocks.count[CLOCK_L2]);
    empty_l15(gpu);
    fill_result(gpu, out, end, complete);
    if (complete && !check_laws(gpu, out, err)) {
        kernel_result_clear(out);
        return false;
    }
    return ok;
}

bool gpu_run(struct gpu *gpu, struct front *front, const struct gpu_limits *limits, struct kernel_result *out, struct error *err)
{
    if (!start_kernel(gpu, front, err))
        return false;
    const bool ok = run_started(gpu, limits, out, err);
    gpu_close_views(gpu);
    return ok;
}
