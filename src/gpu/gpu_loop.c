/* gpu_loop.c - the loop: what happens in a tick of each clock, and in which order.
 *
 * Each module does its part, the memory side (memory_tick) and then its SMs (run_share), side by side where there are threads; then
 * the machine does what is serial: memory's values, links between modules, pages, CTAs. In a module, as in the reference: replies
 * move from the network to the SMs, from the L2 to the network; DRAM; requests from the network to the L2, the L2 itself; the
 * networks; the SMs; CTAs are dispatched. Components with nothing to do are not visited, and when no SM and no network has anything
 * to do, the clocks jump to the next event. */
#include "gpu/gpu_state.h"

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- a module's part of a tick ---------------------------------------------------------------------------------------- */

/* `arrived`: the network has a reply for SM `i`. */
static void deliver_replies(struct module *m, uint32_t i, bool arrived, uint64_t now)
{
    struct port *waiting = &m->replies_for[i];
    const struct request *first = port_peek(waiting);
    if (first) {
        const bool fetch = first->kind == REQUEST_INSTRUCTION_READ;
        if (fetch || !sm_reply_full(m->sm[i])) {
            if (fetch)
                sm_take_fetch(m->sm[i], port_pop(waiting), gpu_now(m->gpu, CLOCK_CORE));
            else
                sm_take_reply(m->sm[i], port_pop(waiting));
        }
    }
    if (arrived && !port_full(waiting)) {
        struct request *reply = network_pop(m->replies, i, now);
        __builtin_prefetch(reply); /* looked at in the next tick */
        port_push(waiting, reply);
    }
}

static bool replies_wait(const struct module *m)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < m->sm_words; w++)
        any |= m->reply_sms[w];
    return any != 0;
}

static void replies_to_sms(struct module *m, uint64_t now)
{
    for (uint32_t w = 0; w < m->sm_words; w++) {
        const uint64_t arrivals = network_arrivals(m->replies, w);
        for (uint64_t bits = m->reply_sms[w] | arrivals; bits; bits &= bits - 1)
            deliver_replies(m, w * 64 + (uint32_t)__builtin_ctzll(bits), arrivals & bits & -bits, now);
    }
}

/* Of the module's reply network: an SM, or the gateway of slice `s` to an SM elsewhere or to the L1.5. */
static uint32_t reply_destination(const struct module *m, const struct request *r, uint32_t s)
{
    const uint32_t here = r->sm - m->first_sm;
    return here < m->sm_count && m->gpu->config.l15.keeps != L15_ALL ? here : m->first_reply_gate + s;
}

static void reply_to_network(struct module *m, uint32_t s, uint64_t net_now)
{
    const struct request *r = l2_slice_peek_reply(m->slice[s]);
    if (!network_has_room(m->replies, s, request_packet_bytes(r))) {
        l2_slice_count_network_busy(m->slice[s]);
        return;
    }
    const uint32_t to = reply_destination(m, r, s);
    if (r->kind == REQUEST_ATOMIC && to < m->sm_count) /* late atomics are of a machine of one module */
        sm_finish_atomic(m->sm[to], r->warp, r->lanes);
    network_push(m->replies, s, to, l2_slice_pop_reply(m->slice[s]), net_now);
}

static void replies_to_network(struct module *m, uint64_t net_now)
{
    for (uint32_t w = 0; w < m->slices.words; w++)
        for (uint64_t bits = m->reply_slices[w]; bits; bits &= bits - 1)
            reply_to_network(m, w * 64 + (uint32_t)__builtin_ctzll(bits), net_now);
}

static void dram_tick(struct module *m, uint64_t now)
{
    struct sleepers *channels = &m->channels;
    sleepers_rouse(channels, now);
    for (uint32_t w = 0; w < channels->words; w++) {
        const uint64_t awake = channels->awake[w];
        channels->awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1) {
            const uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(bits);
            dram_channel_tick(m->channel[c], now);
            sleepers_visited(channels, c, now, dram_channel_next_event(m->channel[c], now));
        }
    }
}

static void requests_to_slices(struct module *m, uint64_t now, uint64_t net_now)
{
    for (uint32_t w = 0; w < m->slices.words; w++)
        for (uint64_t bits = network_arrivals(m->requests, w); bits; bits &= bits - 1) {
            const uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (l2_slice_accepts(m->slice[s]))
                l2_slice_push(m->slice[s], network_pop(m->requests, s, net_now), now);
        }
}

static void l2_tick(struct module *m, uint64_t now)
{
    struct sleepers *slices = &m->slices;
    sleepers_rouse(slices, now);
    for (uint32_t w = 0; w < slices->words; w++) {
        const uint64_t awake = slices->awake[w];
        slices->awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1) {
            const uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);
            l2_slice_cycle(m->slice[s], now);
            sleepers_visited(slices, s, now, l2_slice_next_event(m->slice[s], now));
        }
    }
}

static inline void run_sm(struct share *s, uint32_t i, uint64_t now)
{
    struct worker *worker = s->worker;
    struct sm *sm = s->module->sm[s->first + i];
    if (!sm_cycle(sm, now, worker->failed ? &worker->later_error : &worker->error)) {
        worker->says = worker->failed = true; /* others have their turn in this cycle all the same: with threads they have had it */
        return;
    }
    sleepers_visited(&s->sms, i, now, sm_wake(sm));
    const uint32_t done = sm_ctas_done(sm);
    if (done) {
        worker->says = true;
        worker->ctas_done += done;
        worker->sm_ended |= !sm_active(sm);
    }
}

/* Of the module's request network: a slice, or the gateway to a slice elsewhere or to the L1.5. */
static uint32_t request_destination(struct share *s, const struct request *r)
{
    const struct module *m = s->module;
    const uint32_t slices = m->slice_count, here = r->slice - m->first_slice;
    const bool local = here < slices;
    s->local_requests += local;
    s->remote_requests += !local;
    return local && m->gpu->config.l15.keeps != L15_ALL ? here : m->first_request_gate + r->slice % slices;
}

/* The caches above do not know where the address of what they write back lives. */
static void place_request(const struct gpu *gpu, struct request *r)
{
    if (r->kind == REQUEST_L1_WRITEBACK)
        gpu->place_writeback(&gpu->config.map, r);
    else if (seldom(gpu->pages))
        address_map_place(&gpu->config.map, r); /* its page had no owner, maybe, when it was made */
}

/* Where other shares send into the same network, it hears of it when the cycle ends. */
static void request_to_network(struct share *s, uint32_t i, struct request *r, uint64_t net_now)
{
    struct module *m = s->module;
    place_request(m->gpu, r);
    const uint32_t to = request_destination(s, r);
    if (m->share_count == 1) {
        network_push(m->requests, i, to, r, net_now);
        return;
    }
    s->news.flits += network_put(m->requests, i, to, r, net_now);
    s->news.packets++;
    s->news.sources[i / 64] |= UINT64_C(1) << i % 64;
}

/* Not inline: the loop over the SMs is the host's busiest, and has no registers to spare. */
static __attribute__((noinline)) void requests_to_network(struct share *s)
{
    const uint64_t net_now = gpu_now(s->module->gpu, CLOCK_NET);
    for (uint32_t w = 0; w < s->sms.words; w++)
        for (uint64_t bits = s->senders[w]; bits; bits &= bits - 1) {
            const uint32_t i = s->first + w * 64 + (uint32_t)__builtin_ctzll(bits);
            struct outlet *out = &s->module->out[i];
            for (struct request *r; (r = outlet_pop(out));)
                request_to_network(s, i, r, net_now);
        }
}

/* Each SM in turn, and those after it prepared. */
static void run_many(struct share *s, uint32_t first, uint64_t awake, uint64_t now)
{
    struct sm **sm = s->module->sm + s->first + first;
    uint8_t turn[64];
    uint32_t count = 0;
    for (uint64_t bits = awake; bits; bits &= bits - 1)
        turn[count++] = (uint8_t)__builtin_ctzll(bits);
    for (uint32_t i = 0; i < count + SM_AHEAD; i++) { /* the one that runs is SM_AHEAD behind the first that is prepared */
        for (uint32_t k = SM_AHEAD; k; k--)
            if (i + k >= SM_AHEAD && i + k - SM_AHEAD < count)
                sm_bring_near(sm[turn[i + k - SM_AHEAD]], k, now);
        if (i >= SM_AHEAD)
            run_sm(s, first + turn[i - SM_AHEAD], now);
    }
}

static void run_share(struct share *s, uint64_t now)
{
    const bool many = s->module->gpu->sm_count >= SM_MANY;
    sleepers_rouse(&s->sms, now);
    for (uint32_t w = 0; w < s->sms.words; w++) {
        const uint64_t awake = s->sms.awake[w];
        s->sms.awake[w] = 0;
        if (many) {
            run_many(s, w * 64, awake, now);
            continue;
        }
        for (uint64_t bits = awake; bits; bits &= bits - 1)
            run_sm(s, w * 64 + (uint32_t)__builtin_ctzll(bits), now);
    }
    requests_to_network(s);
}

/* All of a module but its SMs. `mask`: the clocks that tick. */
static void memory_tick(struct module *m, uint32_t mask)
{
    const struct gpu *gpu = m->gpu;
    const uint64_t net = gpu_now(gpu, CLOCK_NET);
    if (mask >> CLOCK_NET & 1)
        replies_to_sms(m, net);
    if (mask >> CLOCK_L2 & 1)
        replies_to_network(m, net);
    if (mask >> CLOCK_DRAM & 1)
        dram_tick(m, gpu_now(gpu, CLOCK_DRAM));
    if (mask >> CLOCK_L2 & 1) {
        requests_to_slices(m, gpu_now(gpu, CLOCK_L2), net);
        l2_tick(m, gpu_now(gpu, CLOCK_L2));
        if (m->banks.count)
            banks_tick(m, gpu_now(gpu, CLOCK_L2));
    }
    if (mask >> CLOCK_NET & 1) {
        if (m->gateway)
            gateways_tick(m, net);
        if (network_packets(m->requests))
            network_tick(m->requests, net);
        if (network_packets(m->replies))
            network_tick(m->replies, net);
    }
}

/* ---- workers -------------------------------------------------------------------------------------------------------------- */

/* Where no module is cut, one round does both parts: what a worker's SMs meet is that worker's own. */
void gpu_team_job(void *context, uint32_t worker)
{
    struct gpu *gpu = context;
    const struct worker *w = &gpu->worker[worker];
    for (uint32_t i = 0; gpu->tick_memory && i < w->module_count; i++)
        memory_tick(&gpu->module[w->first_module + i], gpu->tick_mask);
    for (uint32_t i = 0; gpu->tick_sms && i < w->share_count; i++)
        run_share(&gpu->share[w->first_share + i], gpu_now(gpu, CLOCK_CORE));
}

static void round_of(struct gpu *gpu, bool memory, bool sms, bool alone)
{
    gpu->tick_memory = memory;
    gpu->tick_sms = sms;
    if (!alone) {
        team_do(gpu->team);
        return;
    }
    for (uint32_t w = 0; w < gpu->worker_count; w++)
        gpu_team_job(gpu, w);
}

/* What the shares' SMs have put into networks that they do not own. */
static void announce_requests(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        struct share *s = &gpu->share[i];
        if (!s->news.packets)
            continue;
        network_announce(s->module->requests, &s->news);
        for (uint32_t w = 0; w < s->words; w++)
            s->news.sources[w] = 0;
        s->news.packets = s->news.flits = 0;
    }
}

static uint32_t bits_in(const uint64_t *words, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t w = 0; w < count; w++)
        bits += (uint32_t)__builtin_popcountll(words[w]);
    return bits;
}

/* Waking a team and waiting for it costs as much as a few components: about how many have something to do. */
enum { WORTH_A_ROUND = 4 };
static bool sms_are_worth_it(struct gpu *gpu)
{
    uint32_t awake = 0;
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        sleepers_rouse(&gpu->share[i].sms, gpu_now(gpu, CLOCK_CORE));
        awake += bits_in(gpu->share[i].sms.awake, gpu->share[i].sms.words);
    }
    return awake >= WORTH_A_ROUND;
}

static bool memory_is_worth_it(const struct gpu *gpu, uint32_t mask)
{
    uint32_t busy = 0;
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        const struct module *m = &gpu->module[i];
        busy += mask >> CLOCK_DRAM & 1 ? bits_in(m->channels.awake, m->channels.words) : 0;
        busy += mask >> CLOCK_L2 & 1 ? bits_in(m->slices.awake, m->slices.words) : 0;
        busy += mask >> CLOCK_NET & 1 ? (network_packets(m->requests) + network_packets(m->replies)) / 2 : 0;
    }
    return busy >= WORTH_A_ROUND;
}

/* The parallel part of a tick, and what of it must be put together afterwards. */
static void workers_tick(struct gpu *gpu, uint32_t mask)
{
    const bool core = mask >> CLOCK_CORE & 1, team = gpu->team;
    const bool sms = team && core && sms_are_worth_it(gpu), memory = team && gpu->module_count > 1 && memory_is_worth_it(gpu, mask);
    gpu->tick_mask = mask;
    if (gpu->whole_modules) {
        round_of(gpu, true, core, !sms && !memory);
    } else {
        round_of(gpu, true, false, !memory);
        if (core)
            round_of(gpu, false, true, !sms);
        announce_requests(gpu);
    }
    if (core && gpu->worker[0].view)
        gpu->view[0]->ops->settle(gpu->view, gpu->worker_count);
    if (core && gpu->worker_count > 1)
        request_pools_balance(gpu->pool, gpu->worker_count);
}

/* ---- the serial part -------------------------------------------------------------------------------------------------- */

/* CTAs start in order, unless a policy chooses. */
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
        if (!sm_start_cta(gpu->sm[s], cta, now, err)) {
            *failed = true;
            return;
        }
        gpu->last_sm = s;
        gpu->next_cta++;
        gpu->ctas_running++;
        started = true;
    }
    gpu->room_unknown = started || gpu->policies->hooks.cta_gate.count || gpu->policies->hooks.cta.owner;
}

/* What the workers have to say. False: a program failed; of several SMs in one cycle the first one's error counts. *ended: an SM
 * has run its last CTA. */
static bool hear_workers(struct gpu *gpu, bool *ended, struct error *err)
{
    for (uint32_t i = 0; i < gpu->worker_count; i++) {
        struct worker *w = &gpu->worker[i];
        if (!w->says)
            continue;
        if (w->failed) {
            *err = w->error;
            return false;
        }
        gpu->ctas_running -= w->ctas_done;
        gpu->room_unknown |= w->ctas_done != 0;
        *ended |= w->sm_ended;
        w->ctas_done = 0;
        w->says = w->sm_ended = false;
    }
    return true;
}

/* After the SMs: CTAs that have ended are counted, others begin. An SM that has run its last one and gets none is flushed. */
static bool core_tick(struct gpu *gpu, uint64_t now, struct error *err)
{
    bool ended = false, failed = false;
    if (!hear_workers(gpu, &ended, err))
        return false;
    if (gpu->room_unknown && gpu->next_cta < gpu->front->launch.cta_count)
        dispatch_ctas(gpu, now, &failed, err);
    for (uint32_t i = 0; ended && i < gpu->sm_count; i++)
        if (!sm_active(gpu->sm[i]))
            sm_flush(gpu->sm[i]);
    return !failed;
}

/* True when an SM has work, or a packet or a reply can be handed on in the next tick. (A slice with a reply from DRAM is awake.) */
static bool module_is_awake(const struct module *m)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < m->share_count; i++)
        if (share_is_awake(&m->share[i], m->gpu->clocks.count[CLOCK_CORE]))
            return true;
    for (uint32_t w = 0; w < m->slices.words; w++)
        any |= m->slices.awake[w] | m->reply_slices[w];
    for (uint32_t w = 0; w < m->sm_words; w++)
        any |= m->reply_sms[w];
    if (m->banks.count)
        any |= m->banks.awake[0] | m->bank_replies;
    return any != 0 || network_has_arrivals(m->requests) || network_has_arrivals(m->replies);
}

/* The first tick of the clocks in which this module has something to do. */
static uint64_t module_next(const struct module *m)
{
    const struct clocks *c = &m->gpu->clocks;
    const uint64_t last = gpu_now(m->gpu, CLOCK_NET);
    const uint64_t net = min64(network_next_event(m->requests, last), network_next_event(m->replies, last));
    const uint64_t dram = sleepers_any_awake(&m->channels) ? 0 : m->channels.next;
    uint64_t sms = UINT64_MAX;
    for (uint32_t i = 0; i < m->share_count; i++)
        sms = min64(sms, m->share[i].sms.next);
    const uint64_t above = min64(clocks_time_of(c, CLOCK_CORE, sms), clocks_time_of(c, CLOCK_NET, net));
    const uint64_t below = min64(clocks_time_of(c, CLOCK_L2, m->slices.next), clocks_time_of(c, CLOCK_DRAM, dram));
    const uint64_t bank = m->banks.count ? clocks_time_of(c, CLOCK_L2, m->banks.next) : UINT64_MAX;
    return min64(bank, min64(above, below));
}

/* When nobody has work now, everything before the next event is skipped. */
static void jump(struct gpu *gpu)
{
    const struct clocks *c = &gpu->clocks;
    for (uint32_t i = 0; i < gpu->module_count; i++)
        if (module_is_awake(&gpu->module[i]))
            return;
    if (gpu->links && gateways_wait(gpu))
        return;
    if (!gpu->ctas_running && gpu->next_cta < gpu->front->launch.cta_count)
        return; /* a kernel begins: its first CTAs are not an event that an SM could know of */
    /* The series, and whether to stop, are looked at after the tick that makes the count of cycles theirs. */
    uint64_t look = min64(gpu->series.next, gpu->stop_cycle);
    look -= look != UINT64_MAX;
    uint64_t time = clocks_time_of(c, CLOCK_CORE, min64(gpu->policies->hooks.next_period, look));
    for (uint32_t i = 0; i < gpu->module_count; i++)
        time = min64(time, module_next(&gpu->module[i]));
    if (gpu->links)
        time = min64(time, clocks_time_of(c, CLOCK_NET, links_next_event(gpu->links, gpu_now(gpu, CLOCK_NET))));
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
    for (uint32_t w = 0; gpu->team && w < gpu->worker_count; w++)
        gpu->worker[w].clock = (struct front_clock){ .cycle = core, .nanoseconds = clock->nanoseconds };
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
    const uint64_t core = gpu_now(gpu, CLOCK_CORE);
    if (mask >> CLOCK_CORE & 1) {
        set_front_clock(gpu, core);
        if (core >= gpu->policies->hooks.next_period)
            hooks_serial(&gpu->policies->hooks, core);
    }
    workers_tick(gpu, mask);
    if (gpu->links && mask >> CLOCK_NET & 1)
        gpu_links_tick(gpu, gpu_now(gpu, CLOCK_NET));
    if (gpu->pages)
        gpu_place_pages(gpu);
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
    for (uint32_t i = 0; i < gpu->module_count; i++)
        if (banks_have_requests(&gpu->module[i]))
            return true;
    return false;
}

static bool networks_have_packets(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->module_count; i++)
        if (network_packets(gpu->module[i].requests) || network_packets(gpu->module[i].replies))
            return true;
    return gpu->links && (links_packets(gpu->links) || gateways_wait(gpu));
}

static __attribute__((noinline)) bool memory_is_busy(const struct gpu *gpu)
{
    return networks_have_packets(gpu) || slices_have_requests(gpu);
}

bool gpu_kernel_running(const struct gpu *gpu)
{
    return gpu->ctas_running || gpu->next_cta < gpu->front->launch.cta_count || memory_is_busy(gpu);
}

/* Write-backs that the kernel left behind reach DRAM; nobody waits for them, and the kernel's cycles are counted. False: they never
 * do. */
bool gpu_drain(struct gpu *gpu)
{
    const uint64_t begin = gpu->clocks.count[CLOCK_CORE], patience = gpu->config.gpu.watchdog_cycles;
    while (!patience || gpu->clocks.count[CLOCK_CORE] - begin < patience) {
        bool busy = networks_have_packets(gpu);
        for (uint32_t i = 0; i < gpu->module_count && !busy; i++)
            busy = replies_wait(&gpu->module[i]) || banks_have_requests(&gpu->module[i]);
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
