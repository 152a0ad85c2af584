/* The loop: what happens in a tick of each clock, and in which order.
 *
 * As in the reference: replies move from the network to the SMs, from the L2 to the network; DRAM; requests from the network to the
 * L2, the L2 itself; the networks; the SMs; CTAs are dispatched. Components with nothing to do are not visited, and when no SM
 * and no network has anything to do, the clocks jump to the next event. */
#include "gpu/gpu_state.h"

static uint64_t min64(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void deliver_replies(struct gpu *gpu, uint32_t i, uint64_t now)
{
    struct reply_queue *q = &gpu->replies_for[i];
    const uint32_t capacity = gpu->config.gpu.ejection_buffer;
    const uint64_t core = gpu->clocks.count[CLOCK_CORE] - 1;
    if (q->count) {
        struct request *r = q->request[q->head];
        const bool fetch = r->kind == REQUEST_INSTRUCTION_READ;
        if (fetch || !sm_reply_full(gpu->sm[i])) {
            q->head = (q->head + 1) % capacity;
            q->count--;
            gpu->waiting_replies--;
            if (fetch)
                sm_take_fetch(gpu->sm[i], r, core);
            else
                sm_take_reply(gpu->sm[i], r, core);
        }
    }
    if (q->count < capacity && network_peek(gpu->replies, i)) {
        q->request[(q->head + q->count++) % capacity] = network_pop(gpu->replies, i, now);
        gpu->waiting_replies++;
    }
}

static void replies_to_sms(struct gpu *gpu, uint64_t now)
{
    if (!gpu->waiting_replies && !network_packets(gpu->replies))
        return;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        deliver_replies(gpu, i, now);
}

static void replies_to_network(struct gpu *gpu, uint64_t l2_now, uint64_t net_now)
{
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        if (!gpu->slice_replies[s])
            continue;
        struct request *r = l2_slice_peek_reply(gpu->slice[s]);
        if (!network_has_room(gpu->replies, s, request_packet_bytes(r)))
            continue;
        if (l2_slice_output_full(gpu->slice[s]))
            gpu->slice_wake[s] = l2_now;
        network_push(gpu->replies, s, r->sm, l2_slice_pop_reply(gpu->slice[s]), net_now);
        gpu->slice_replies[s] = l2_slice_peek_reply(gpu->slice[s]) != NULL;
    }
}

static void dram_tick(struct gpu *gpu, uint64_t now)
{
    const uint32_t per_channel = gpu->config.map.slices_per_channel;
    for (uint32_t c = 0; c < gpu->channel_count; c++) {
        if (gpu->channel_wake[c] > now)
            continue;
        dram_channel_tick(gpu->channel[c], now);
        gpu->channel_wake[c] = dram_channel_next_event(gpu->channel[c], now);
        for (uint32_t k = 0; k < per_channel; k++)
            if (dram_channel_peek_return(gpu->channel[c], k))
                gpu->slice_wake[c * per_channel + k] = 0;
    }
}

static void l2_tick(struct gpu *gpu, uint64_t now, uint64_t net_now)
{
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        struct l2_slice *slice = gpu->slice[s];
        bool visit = gpu->slice_wake[s] <= now;
        if (network_arrivals(gpu->requests, s / 64) >> s % 64 & 1 && l2_slice_accepts(slice)) {
            l2_slice_push(slice, network_pop(gpu->requests, s, net_now), now);
            visit = true;
        }
        if (visit) {
            l2_slice_cycle(slice, now);
            gpu->slice_replies[s] = l2_slice_peek_reply(slice) != NULL;
            gpu->slice_wake[s] = l2_slice_next_event(slice, now);
        }
    }
}

/* In order, unless a policy chooses. */
static uint32_t cta_for(struct gpu *gpu, uint32_t sm)
{
    const struct policy_hooks *h = &gpu->policies->hooks;
    if (!h->cta.owner)
        return gpu->next_cta;
    const uint32_t cta = h->cta.call.choose(h->cta.self, sm, gpu->waiting_ctas, gpu->front->launch.cta_count);
    if (cta == NO_CTA)
        return NO_CTA;
    require(cta < gpu->front->launch.cta_count && (gpu->waiting_ctas[cta / 64] >> cta % 64 & 1));
    gpu->waiting_ctas[cta / 64] &= ~(1ull << cta % 64);
    return cta;
}

static void dispatch_ctas(struct gpu *gpu, uint64_t now, bool *failed, struct error *err)
{
    const uint32_t first = gpu->last_sm + 1;
    for (uint32_t i = 0; i < gpu->sm_count && gpu->next_cta < gpu->front->launch.cta_count; i++) {
        const uint32_t s = (first + i) % gpu->sm_count;
        if (!sm_has_room(gpu->sm[s], now))
            continue;
        const uint32_t cta = cta_for(gpu, s);
        if (cta == NO_CTA)
            continue;
        gpu->active_sms += !sm_active(gpu->sm[s]);
        if (!sm_start_cta(gpu->sm[s], cta, now, err)) {
            *failed = true;
            return;
        }
        gpu->last_sm = s;
        gpu->next_cta++;
        gpu->ctas_running++;
    }
}

static bool core_tick(struct gpu *gpu, uint64_t now, struct error *err)
{
    bool ended = false;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        struct sm *sm = gpu->sm[i];
        if (sm_wake(sm) > now)
            continue;
        if (!sm_cycle(sm, now, err))
            return false;
        const uint32_t done = sm_ctas_done(sm);
        gpu->ctas_running -= done;
        if (done && !sm_active(sm)) {
            gpu->active_sms--;
            ended = true;
        }
    }
    bool failed = false;
    if (gpu->next_cta < gpu->front->launch.cta_count)
        dispatch_ctas(gpu, now, &failed, err);
    for (uint32_t i = 0; ended && i < gpu->sm_count; i++)
        if (!sm_active(gpu->sm[i]))
            sm_flush(gpu->sm[i]);
    return !failed;
}

/* When no SM and no network has work now, everything before the next event is skipped. */
static void jump(struct gpu *gpu)
{
    const struct clocks *c = &gpu->clocks;
    if (!gpu->ctas_running && gpu->next_cta < gpu->front->launch.cta_count)
        return; /* a kernel begins: its first CTAs are not an event that an SM could know of */
    if (network_packets(gpu->requests) || network_packets(gpu->replies) || gpu->waiting_replies)
        return;
    uint64_t core = UINT64_MAX, l2 = UINT64_MAX, dram = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        core = min64(core, sm_wake(gpu->sm[i]));
        if (core <= c->count[CLOCK_CORE])
            return;
    }
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        l2 = min64(l2, gpu->slice_wake[s]);
        if (l2 <= c->count[CLOCK_L2] || gpu->slice_replies[s])
            return;
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        dram = min64(dram, gpu->channel_wake[i]);
        for (uint32_t s = 0; s < gpu->config.map.slices_per_channel; s++)
            if (dram_channel_peek_return(gpu->channel[i], s))
                return;
    }
    core = min64(core, min64(gpu->policies->hooks.next_period, gpu->series.next));
    const uint64_t time = min64(clocks_time_of(c, CLOCK_CORE, core),
                                min64(clocks_time_of(c, CLOCK_L2, l2), clocks_time_of(c, CLOCK_DRAM, dram)));
    if (time != UINT64_MAX)
        clocks_jump(&gpu->clocks, time);
}

bool gpu_tick(struct gpu *gpu, struct error *err)
{
    if (!gpu->config.sm.never_sleep)
        jump(gpu);
    const uint32_t mask = clocks_step(&gpu->clocks);
    const uint64_t core = gpu_now(gpu, CLOCK_CORE), net = gpu_now(gpu, CLOCK_NET), l2 = gpu_now(gpu, CLOCK_L2);
    if (mask >> CLOCK_CORE & 1) {
        gpu->front_clock.cycle = core;
        gpu->front_clock.nanoseconds = core * 1000000 / gpu->config.gpu.core_khz;
        if (core >= gpu->policies->hooks.next_period)
            hooks_serial(&gpu->policies->hooks, core);
    }
    if (mask >> CLOCK_NET & 1)
        replies_to_sms(gpu, net);
    if (mask >> CLOCK_L2 & 1)
        replies_to_network(gpu, l2, net);
    if (mask >> CLOCK_DRAM & 1)
        dram_tick(gpu, gpu_now(gpu, CLOCK_DRAM));
    if (mask >> CLOCK_L2 & 1)
        l2_tick(gpu, l2, net);
    if (mask >> CLOCK_NET & 1) {
        if (network_packets(gpu->requests))
            network_tick(gpu->requests, net);
        if (network_packets(gpu->replies))
            network_tick(gpu->replies, net);
    }
    return !(mask >> CLOCK_CORE & 1) || core_tick(gpu, core, err);
}

bool gpu_kernel_running(const struct gpu *gpu)
{
    return gpu->ctas_running || gpu->next_cta < gpu->front->launch.cta_count || network_packets(gpu->requests) ||
           network_packets(gpu->replies);
}

/* Write-backs that the kernel left behind reach DRAM; nobody waits for them, and the kernel's cycles are counted. */
void gpu_drain(struct gpu *gpu)
{
    for (;;) {
        bool busy = gpu->waiting_replies || network_packets(gpu->requests) || network_packets(gpu->replies);
        for (uint32_t s = 0; s < gpu->slice_count && !busy; s++)
            busy = !l2_slice_idle(gpu->slice[s]);
        for (uint32_t c = 0; c < gpu->channel_count && !busy; c++)
            busy = dram_channel_requests(gpu->channel[c]) != 0;
        if (!busy)
            return;
        struct error ignored;
        gpu_tick(gpu, &ignored);
    }
}

uint64_t gpu_instructions(const struct gpu *gpu)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        sum += sm_counters(gpu->sm[i])->warp_instructions;
    return sum;
}
