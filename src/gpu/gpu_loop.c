/* The loop: what happens in a tick of each clock, and in which order.
 *
 * As in the reference: replies move from the network to the SMs, from the L2 to the network; DRAM; requests from the network to the
 * L2, the L2 itself; the networks; the SMs; CTAs are dispatched. Components with nothing to do are not visited, and when no SM
 * and no network has anything to do, the clocks jump to the next event. */
#include "gpu/gpu_state.h"

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* `arrived`: the network has a reply for SM `i`. */
static void deliver_replies(struct gpu *gpu, uint32_t i, bool arrived, uint64_t now)
{
    struct port *waiting = &gpu->replies_for[i];
    const struct request *first = port_peek(waiting);
    if (first) {
        const bool fetch = first->kind == REQUEST_INSTRUCTION_READ;
        const uint64_t core = gpu->clocks.count[CLOCK_CORE] - 1;
        if (fetch || !sm_reply_full(gpu->sm[i])) {
            if (fetch)
                sm_take_fetch(gpu->sm[i], port_pop(waiting), core);
            else
                sm_take_reply(gpu->sm[i], port_pop(waiting), core);
            gpu_note_sm(gpu, i);
        }
    }
    if (arrived && !port_full(waiting)) {
        struct request *reply = network_pop(gpu->replies, i, now);
        __builtin_prefetch(reply); /* looked at in the next tick */
        port_push(waiting, reply);
    }
}

static bool replies_wait(const struct gpu *gpu)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < gpu->sms.words; w++)
        any |= gpu->reply_sms[w];
    return any != 0;
}

static void replies_to_sms(struct gpu *gpu, uint64_t now)
{
    for (uint32_t w = 0; w < gpu->sms.words; w++) {
        const uint64_t arrivals = network_arrivals(gpu->replies, w);
        for (uint64_t m = gpu->reply_sms[w] | arrivals; m; m &= m - 1)
            deliver_replies(gpu, w * 64 + (uint32_t)__builtin_ctzll(m), arrivals & m & -m, now);
    }
}

static void reply_to_network(struct gpu *gpu, uint32_t s, uint64_t net_now)
{
    const struct request *r = l2_slice_peek_reply(gpu->slice[s]);
    if (!network_has_room(gpu->replies, s, request_packet_bytes(r))) {
        l2_slice_count_network_busy(gpu->slice[s]);
        return;
    }
    if (r->kind == REQUEST_ATOMIC)
        sm_finish_atomic(gpu->sm[r->sm], r->warp, r->lanes);
    network_push(gpu->replies, s, r->sm, l2_slice_pop_reply(gpu->slice[s]), net_now);
}

static void replies_to_network(struct gpu *gpu, uint64_t net_now)
{
    for (uint32_t w = 0; w < gpu->slices.words; w++)
        for (uint64_t m = gpu->reply_slices[w]; m; m &= m - 1)
            reply_to_network(gpu, w * 64 + (uint32_t)__builtin_ctzll(m), net_now);
}

static void dram_tick(struct gpu *gpu, uint64_t now)
{
    struct sleepers *channels = &gpu->channels;
    sleepers_rouse(channels, now);
    for (uint32_t w = 0; w < channels->words; w++) {
        const uint64_t awake = channels->awake[w];
        channels->awake[w] = 0;
        for (uint64_t m = awake; m; m &= m - 1) {
            const uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(m);
            dram_channel_tick(gpu->channel[c], now);
            sleepers_visited(channels, c, now, dram_channel_next_event(gpu->channel[c], now));
        }
    }
}

static void visit_slice(struct gpu *gpu, uint32_t s, uint64_t now)
{
    l2_slice_cycle(gpu->slice[s], now);
    sleepers_visited(&gpu->slices, s, now, l2_slice_next_event(gpu->slice[s], now));
}

static void l2_tick(struct gpu *gpu, uint64_t now, uint64_t net_now)
{
    sleepers_rouse(&gpu->slices, now);
    for (uint32_t w = 0; w < gpu->slices.words; w++) {
        const uint64_t arrivals = network_arrivals(gpu->requests, w);
        uint64_t awake = gpu->slices.awake[w];
        gpu->slices.awake[w] = 0;
        for (uint64_t m = awake | arrivals; m; m &= m - 1) {
            const uint64_t bit = m & -m;
            const uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (arrivals & bit && l2_slice_accepts(gpu->slice[s])) {
                l2_slice_push(gpu->slice[s], network_pop(gpu->requests, s, net_now), now);
                awake |= bit;
            }
            if (awake & bit)
                visit_slice(gpu, s, now);
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
    if (cta >= gpu->front->launch.cta_count || !(gpu->waiting_ctas[cta / 64] >> cta % 64 & 1))
        hooks_wrong_answer(h->cta.self, "choose", "answered CTA %u, which does not wait (of %u CTAs)", cta,
                           gpu->front->launch.cta_count);
    gpu->waiting_ctas[cta / 64] &= ~(1ull << cta % 64);
    return cta;
}

static void dispatch_ctas(struct gpu *gpu, uint64_t now, bool *failed, struct error *err)
{
    const uint32_t first = gpu->last_sm + 1;
    bool started = false;
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
        gpu_note_sm(gpu, s);
        gpu->last_sm = s;
        gpu->next_cta++;
        gpu->ctas_running++;
        started = true;
    }
    gpu->room_unknown = started || gpu->policies->hooks.cta_gate.count || gpu->policies->hooks.cta.owner;
}

/* *ended: an SM has run its last CTA. */
static bool run_sms(struct gpu *gpu, uint64_t now, bool *ended, struct error *err)
{
    gpu->sms.next = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        if (gpu->sms.wake[i] > now) {
            gpu->sms.next = min64(gpu->sms.next, gpu->sms.wake[i]);
            continue;
        }
        struct sm *sm = gpu->sm[i];
        if (!sm_cycle(sm, now, err))
            return false;
        gpu_note_sm(gpu, i);
        const uint32_t done = sm_ctas_done(sm);
        gpu->ctas_running -= done;
        gpu->room_unknown |= done != 0;
        if (done && !sm_active(sm)) {
            gpu->active_sms--;
            *ended = true;
        }
    }
    return true;
}

static bool core_tick(struct gpu *gpu, uint64_t now, struct error *err)
{
    bool ended = false, failed = false;
    if (gpu->sms.next <= now && !run_sms(gpu, now, &ended, err))
        return false;
    if (gpu->room_unknown && gpu->next_cta < gpu->front->launch.cta_count)
        dispatch_ctas(gpu, now, &failed, err);
    for (uint32_t i = 0; ended && i < gpu->sm_count; i++)
        if (!sm_active(gpu->sm[i]))
            sm_flush(gpu->sm[i]);
    return !failed;
}

/* A packet or a reply can be handed on in the next tick. (A slice with a reply from DRAM is awake.) */
static bool something_waits(const struct gpu *gpu)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < gpu->slices.words; w++)
        any |= gpu->slices.awake[w] | gpu->reply_slices[w] | network_arrivals(gpu->requests, w);
    for (uint32_t w = 0; w < gpu->sms.words; w++)
        any |= gpu->reply_sms[w] | network_arrivals(gpu->replies, w);
    return any != 0;
}

/* When nobody has work now, everything before the next event is skipped. */
static void jump(struct gpu *gpu)
{
    const struct clocks *c = &gpu->clocks;
    if (gpu->sms.next <= c->count[CLOCK_CORE] || something_waits(gpu))
        return;
    if (!gpu->ctas_running && gpu->next_cta < gpu->front->launch.cta_count)
        return; /* a kernel begins: its first CTAs are not an event that an SM could know of */
    const uint64_t last = gpu_now(gpu, CLOCK_NET);
    const uint64_t net = min64(network_next_event(gpu->requests, last), network_next_event(gpu->replies, last));
    const uint64_t dram = sleepers_any_awake(&gpu->channels) ? 0 : gpu->channels.next;
    const uint64_t core = min64(gpu->sms.next, min64(gpu->policies->hooks.next_period, gpu->series.next));
    const uint64_t above = min64(clocks_time_of(c, CLOCK_CORE, core), clocks_time_of(c, CLOCK_NET, net));
    const uint64_t below = min64(clocks_time_of(c, CLOCK_L2, gpu->slices.next), clocks_time_of(c, CLOCK_DRAM, dram));
    const uint64_t time = min64(above, below);
    if (time != UINT64_MAX)
        clocks_jump(&gpu->clocks, time);
}

/* core * 10^6 / core_khz, without a division where the last tick was the cycle before. */
static void set_front_clock(struct gpu *gpu, uint64_t core)
{
    enum { NANOSECONDS_KHZ = 1000000 };
    struct front_clock *clock = &gpu->front_clock;
    const uint64_t khz = gpu->config.gpu.core_khz;
    if (core == clock->cycle + 1 && khz >= NANOSECONDS_KHZ / 8) { /* a few steps at most */
        gpu->nanosecond_rest += NANOSECONDS_KHZ;
        for (; gpu->nanosecond_rest >= khz; gpu->nanosecond_rest -= khz)
            clock->nanoseconds++;
    } else {
        clock->nanoseconds = core * NANOSECONDS_KHZ / khz;
        gpu->nanosecond_rest = core * NANOSECONDS_KHZ % khz;
    }
    clock->cycle = core;
}

#ifndef CHECK_EVERY_TICK
#define CHECK_EVERY_TICK 0 /* the build option checks=true makes it 1 */
#endif

static void require_sound(struct gpu *gpu)
{
    const char *broken = gpu_broken(gpu);
    if (broken)
        panic("broken invariant in core cycle %llu: %s", (unsigned long long)gpu_now(gpu, CLOCK_CORE), broken);
}

bool gpu_tick(struct gpu *gpu, struct error *err)
{
    if (!gpu->config.sm.never_sleep)
        jump(gpu);
    const uint32_t mask = clocks_step(&gpu->clocks);
    const uint64_t core = gpu_now(gpu, CLOCK_CORE), net = gpu_now(gpu, CLOCK_NET), l2 = gpu_now(gpu, CLOCK_L2);
    if (mask >> CLOCK_CORE & 1) {
        set_front_clock(gpu, core);
        if (core >= gpu->policies->hooks.next_period)
            hooks_serial(&gpu->policies->hooks, core);
    }
    if (mask >> CLOCK_NET & 1)
        replies_to_sms(gpu, net);
    if (mask >> CLOCK_L2 & 1)
        replies_to_network(gpu, net);
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
    const bool ok = !(mask >> CLOCK_CORE & 1) || core_tick(gpu, core, err);
    if (CHECK_EVERY_TICK && ok)
        require_sound(gpu);
    return ok;
}

/* What SMs have asked for and has not come back. Write-backs of L1s, for which no warp waits, are asked for too. */
static bool slices_have_requests(const struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->slice_count; s++)
        if (l2_slice_requests(gpu->slice[s]))
            return true;
    return false;
}

bool gpu_kernel_running(const struct gpu *gpu)
{
    return gpu->ctas_running || gpu->next_cta < gpu->front->launch.cta_count || network_packets(gpu->requests) ||
           network_packets(gpu->replies) || slices_have_requests(gpu);
}

/* Write-backs that the kernel left behind reach DRAM; nobody waits for them, and the kernel's cycles are counted. False: they never
 * do. */
bool gpu_drain(struct gpu *gpu)
{
    const uint64_t begin = gpu->clocks.count[CLOCK_CORE], patience = gpu->config.gpu.watchdog_cycles;
    while (!patience || gpu->clocks.count[CLOCK_CORE] - begin < patience) {
        bool busy = replies_wait(gpu) || network_packets(gpu->requests) || network_packets(gpu->replies);
        for (uint32_t s = 0; s < gpu->slice_count && !busy; s++)
            busy = !l2_slice_idle(gpu->slice[s]);
        for (uint32_t c = 0; c < gpu->channel_count && !busy; c++)
            busy = dram_channel_requests(gpu->channel[c]) != 0;
        if (!busy)
            return true;
        struct error ignored;
        gpu_tick(gpu, &ignored);
    }
    return false;
}

uint64_t gpu_instructions(const struct gpu *gpu)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        sum += sm_counters(gpu->sm[i])->warp_instructions;
    return sum;
}
