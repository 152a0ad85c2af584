/* gpu_loop.c - the loop: what happens in a tick of each clock, and in which order.
 *
 * Each module does its part, the memory side (gpu_memory.c) and then its SMs (run_share), side by side where there are threads;
 * then the machine does what is serial: memory's values, links between modules, pages, CTAs. In a module, as in the reference:
 * replies move from the network to the SMs, from the L2 to the network; DRAM; requests from the network to the L2, the L2 itself;
 * the networks; the SMs; CTAs are dispatched. Components with nothing to do are not visited, and when no SM and no network has
 * anything to do, the clocks jump to the next event. */
#include "gpu/gpu_state.h"

/* ---- a share's part of a tick ------------------------------------------------------------------------------------------ */

/* The first cycle for which an SM must wait for others. */
static inline uint64_t alone_until(const struct module *m, uint32_t sm, uint64_t now)
{
    const struct gpu *gpu = m->gpu;
    const uint32_t w = sm / 64, bit = sm % 64;
    if (!gpu->runs_on || m->reply_sms[w] >> bit & 1)
        return 0;
    if (gpu->next_cta < gpu->front->launch.cta_count && sm_has_room(m->sm[sm], now))
        return 0;
    if (sm_awaits_nothing(m->sm[sm]))
        return gpu->next_look;
    const bool arrived = network_arrivals(m->replies, w) >> bit & 1;
    return min64(gpu->next_look, now + gpu->cycles_from_network - (arrived && gpu->cycles_from_network > 2));
}

static inline void run_sm(struct share *s, uint32_t i, uint64_t now)
{
    struct worker *worker = s->worker;
    struct sm *sm = s->module->sm[s->first + i];
    const uint64_t until = alone_until(s->module, s->first + i, now);
    if (!sm_cycle(sm, now, until, worker->failed ? &worker->later_error : &worker->error)) {
        worker->says = worker->failed = true; /* others have their turn in this cycle all the same: with threads they have had it */
        return;
    }
    sleepers_visited(&s->sms, i, now, sm_wake(sm));
    const uint32_t done = sm_ctas_done(sm);
    if (done) {
        worker->says = true;
        worker->ctas_done += done;
        worker->sm_ended |= !sm_active(sm);
        if (seldom(s->module->sharers > 1))
            s->module->gpu->ports[gpu_port_of(s->module, s->first + i)].ended = now;
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

/* An SM does not know where addresses live. Most of what it makes hits in its caches and never comes here, and a page may have had
 * no owner when the request was made. */
static void place_request(const struct gpu *gpu, struct request *r)
{
    if (r->kind == REQUEST_L1_WRITEBACK)
        gpu->place_writeback(&gpu->config.map, r);
    else
        address_map_place(&gpu->config.map, r);
}

/* Where other shares send into the same network, it hears of it when the cycle ends. */
static void request_to_network(struct share *s, uint32_t i, struct request *r, uint64_t net_now)
{
    struct module *m = s->module;
    place_request(m->gpu, r);
    const uint32_t to = request_destination(s, r);
    if (m->share_count == 1) {
        network_push(m->requests, gpu_port_of(m, i), to, r, net_now);
        return;
    }
    s->news.flits += network_put(m->requests, i, to, r, net_now);
    s->news.packets++;
    s->news.sources[i / 64] |= UINT64_C(1) << i % 64;
}

static void outlet_to_network(struct share *s, uint32_t i, uint64_t net_now)
{
    for (struct request *r; (r = outlet_pop(&s->module->out[i]));)
        request_to_network(s, i, r, net_now);
}

/* Not inline: the loop over the SMs is the host's busiest, and has no registers to spare. */
static __attribute__((noinline)) void requests_to_network(struct share *s)
{
    const uint64_t net_now = gpu_now(s->module->gpu, CLOCK_NET), now = gpu_now(s->module->gpu, CLOCK_CORE);
    for (uint32_t w = 0; w < s->sms.words; w++)
        for (uint64_t bits = s->senders[w]; bits; bits &= bits - 1) {
            const uint32_t i = s->first + w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (s->module->out[i].hold_until <= now)
                outlet_to_network(s, i, net_now);
        }
}

/* Each SM in turn, and those after it prepared: two of them run between two steps of one, since the cycle of one with little to do
 * is too short for what the step has asked for to come. */
static void run_many(struct share *s, uint64_t now)
{
    enum { STEP = 2, FAR = SM_AHEAD * STEP };
    struct sm **sm = s->module->sm + s->first;
    uint32_t near[FAR] = { 0 }, count = 0; /* those that are prepared and have not run: the last FAR of `count` */
    for (uint32_t w = 0; w < s->sms.words; w++) {
        const uint64_t awake = s->sms.awake[w];
        s->sms.awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1) {
            const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);
            sm_bring_near(sm[i], SM_AHEAD, now);
            for (uint32_t k = 1; k < SM_AHEAD && k * STEP <= count; k++)
                sm_bring_near(sm[near[(count - k * STEP) % FAR]], SM_AHEAD - k, now);
            if (count >= FAR)
                run_sm(s, near[count % FAR], now);
            near[count++ % FAR] = i;
        }
    }
    for (uint32_t k = count < FAR ? count : FAR; k; k--)
        run_sm(s, near[(count - k) % FAR], now);
}

/* Where SMs share ports: those of a port one after the other, beginning with the one whose turn it is. What one sends is in the
 * network's queue before the next has its cycle, so that they share the room there. */
static __attribute__((noinline)) void run_ports(struct share *s, uint64_t now)
{
    const struct module *m = s->module;
    const uint64_t net_now = gpu_now(m->gpu, CLOCK_NET);
    for (uint32_t p = 0; p < m->sm_count / m->sharers; p++) {
        const uint32_t first = gpu_ports_first(m->gpu, p, now);
        for (uint32_t k = 0; k < m->sharers; k++) {
            const uint32_t i = p * m->sharers + (first + k) % m->sharers;
            const uint64_t bit = UINT64_C(1) << i % 64;
            if (!(s->sms.awake[i / 64] & bit))
                continue;
            s->sms.awake[i / 64] &= ~bit;
            run_sm(s, i, now);
            outlet_to_network(s, i, net_now);
        }
    }
}

static void run_share(struct share *s, uint64_t now)
{
    const bool many = s->module->gpu->sm_count >= SM_MANY;
    sleepers_rouse(&s->sms, now);
    if (seldom(s->module->sharers > 1)) {
        run_ports(s, now);
        return;
    }
    if (many)
        run_many(s, now);
    for (uint32_t w = 0; !many && w < s->sms.words; w++) {
        const uint64_t awake = s->sms.awake[w];
        s->sms.awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1)
            run_sm(s, w * 64 + (uint32_t)__builtin_ctzll(bits), now);
    }
    requests_to_network(s);
}

/* ---- workers -------------------------------------------------------------------------------------------------------------- */

/* A bay, the rest of a module's memory side or half of that, or a share. */
void gpu_team_job(void *context, uint32_t part)
{
    struct gpu *gpu = context;
    const uint32_t rest = part - gpu->first_module_part;
    if (part < gpu->first_module_part)
        bay_tick(&gpu->bay[part], gpu->tick_mask);
    else if (part < gpu->first_share_part && gpu->apart)
        memory_tick(&gpu->module[rest / SIDES], 1u << rest % SIDES, gpu->tick_mask);
    else if (part < gpu->first_share_part)
        memory_tick(&gpu->module[rest], SIDE_REQUESTS | SIDE_REPLIES, gpu->tick_mask);
    else
        run_share(&gpu->share[part - gpu->first_share_part], gpu_now(gpu, CLOCK_CORE));
}

/* What the shares' SMs have put into networks that they do not own. */
static void announce_requests(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        struct share *s = &gpu->share[i];
        if (s->news.packets)
            network_announce(s->module->requests, &s->news);
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
        for (uint32_t k = 0; k < m->bay_count; k++) {
            const struct bay *b = &m->bay[k];
            busy += mask >> CLOCK_DRAM & 1 ? bits_in(b->channels.awake, b->channels.words) : 0;
            busy += mask >> CLOCK_L2 & 1 ? bits_in(b->slices.awake, b->slices.words) : 0;
        }
        busy += mask >> CLOCK_NET & 1 ? (network_packets(m->requests) + network_packets(m->replies)) / 2 : 0;
    }
    return busy >= WORTH_A_ROUND;
}

/* The parallel part of a tick, and what of it must be put together afterwards. */
static void workers_tick(struct gpu *gpu, uint32_t mask)
{
    const bool core = mask >> CLOCK_CORE & 1;
    const uint32_t parts = gpu->first_share_part + (core ? gpu->share_count : 0);
    gpu->tick_mask = mask;
    const bool sms = gpu->team && core && sms_are_worth_it(gpu);
    const bool memory = gpu->team && gpu->first_share_part > 1 && memory_is_worth_it(gpu, mask);
    /* Where the memory side is one part, the others would only wait for it. */
    const uint32_t alone = !sms && !memory ? parts : gpu->first_share_part > 1 ? 0 : 1;
    for (uint32_t i = 0; i < alone; i++)
        gpu_team_job(gpu, i);
    if (alone < parts)
        team_do(gpu->team, alone, parts);
    if (gpu->worker_count > 1)
        announce_requests(gpu);
    if (core && gpu->worker[0].view)
        gpu->view[0]->ops->settle(gpu->view, gpu->worker_count);
    if (core && gpu->worker_count > 1)
        request_pools_balance(gpu->pool, gpu->pool_count);
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
    const uint32_t sharers = gpu->config.gpu.sms_per_port;
    uint32_t served = UINT32_MAX;
    for (uint32_t i = 0; i < gpu->sm_count && gpu->next_cta < gpu->front->launch.cta_count; i++) {
        const uint32_t s = sharers > 1 ? gpu_ports_nth(gpu, first, i) : (first + i) % gpu->sm_count;
        if (s / sharers == served || !sm_has_room(gpu->sm[s], now))
            continue;
        const uint32_t cta = cta_for(gpu, s);
        if (cta == NO_CTA)
            continue;
        if (!sm_start_cta(gpu->sm[s], cta, now, err)) {
            *failed = true;
            return;
        }
        gpu->last_sm = s;
        if (sharers > 1) {
            served = s / sharers;
            gpu_ports_got_cta(gpu, s, now);
        }
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
    if (gpu->room_unknown && gpu->next_cta < gpu->front->launch.cta_count && now >= gpu->ctas_from)
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
    for (uint32_t k = 0; k < m->bay_count; k++)
        for (uint32_t w = 0; w < m->bay[k].slices.words; w++)
            any |= m->bay[k].slices.awake[w] | m->bay[k].replies[w];
    for (uint32_t w = 0; w < m->sm_words; w++)
        any |= m->reply_sms[w];
    for (uint32_t i = 0; i < m->share_count; i++)
        for (uint32_t w = 0; w < m->share[i].sms.words; w++)
            any |= m->share[i].senders[w]; /* in a cycle to come, of an SM that has run on */
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
    uint64_t sms = UINT64_MAX, l2 = UINT64_MAX, dram = UINT64_MAX;
    for (uint32_t i = 0; i < m->bay_count; i++) {
        l2 = min64(l2, m->bay[i].slices.next);
        dram = min64(dram, sleepers_any_awake(&m->bay[i].channels) ? 0 : m->bay[i].channels.next);
    }
    for (uint32_t i = 0; i < m->share_count; i++)
        sms = min64(sms, m->share[i].sms.next);
    const uint64_t above = min64(clocks_time_of(c, CLOCK_CORE, sms), clocks_time_of(c, CLOCK_NET, net));
    const uint64_t below = min64(clocks_time_of(c, CLOCK_L2, l2), clocks_time_of(c, CLOCK_DRAM, dram));
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

static void set_front_clock(struct gpu *gpu, uint64_t core)
{
    gpu->front_clock.cycle = core;
    for (uint32_t w = 0; gpu->team && w < gpu->worker_count; w++)
        gpu->worker[w].clock.cycle = core;
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
    if (gpu->config.l15.keeps != L15_NOTHING)
        gpu_empty_l15(gpu);
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
            busy = memory_replies_wait(&gpu->module[i]) || banks_have_requests(&gpu->module[i]);
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
