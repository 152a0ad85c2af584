/* gpu_memory.c - the memory side of a module in a tick: its bays (L2 slices and the channels behind them), which may run side by
 * side, then all that they share: replies to the SMs, gateways, the networks. */
#include "gpu/gpu_state.h"

/* ---- bays ------------------------------------------------------------------------------------------------------------------ */

/* Of the module's reply network: an SM, or the gateway of slice `s` to an SM elsewhere or to the L1.5. */
static uint32_t reply_destination(const struct module *m, const struct request *r, uint32_t s)
{
    const uint32_t here = r->sm - m->first_sm;
    return here < m->sm_count && m->gpu->config.l15.keeps != L15_ALL ? gpu_port_of(m, here) : m->first_reply_gate + s;
}

/* Where other bays send into the same network or take from it, it hears of it from memory_tick(). */
static void send_reply(struct bay *b, uint32_t s, uint32_t to, struct request *r, uint64_t net_now)
{
    struct module *m = b->module;
    if (m->bay_count == 1) {
        network_push(m->replies, s, to, r, net_now);
        return;
    }
    b->sent.flits += network_put(m->replies, s, to, r, net_now);
    b->sent.packets++;
    b->sent.sources[s / 64] |= UINT64_C(1) << s % 64;
}

static void reply_to_network(struct bay *b, uint32_t s, uint64_t net_now)
{
    struct module *m = b->module;
    const struct request *r = l2_slice_peek_reply(m->slice[s]);
    if (!network_has_room(m->replies, s, request_packet_bytes(r))) {
        l2_slice_count_network_busy(m->slice[s]);
        return;
    }
    const uint32_t to = reply_destination(m, r, s);
    if (r->kind == REQUEST_ATOMIC && to < m->sm_count) /* late atomics are of a machine of one module */
        sm_finish_atomic(m->sm[r->sm - m->first_sm], r->warp, r->lanes);
    send_reply(b, s, to, l2_slice_pop_reply(m->slice[s]), net_now);
}

static void replies_to_network(struct bay *b, uint64_t net_now)
{
    for (uint32_t w = 0; w < b->slices.words; w++)
        for (uint64_t bits = b->replies[w]; bits; bits &= bits - 1)
            reply_to_network(b, b->first_slice + w * 64 + (uint32_t)__builtin_ctzll(bits), net_now);
}

static void dram_tick(struct bay *b, uint64_t now)
{
    struct dram_channel **channel = b->module->channel + b->first_channel;
    struct sleepers *channels = &b->channels;
    sleepers_rouse(channels, now);
    for (uint32_t w = 0; w < channels->words; w++) {
        const uint64_t awake = channels->awake[w];
        channels->awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1) {
            const uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(bits);
            dram_channel_tick(channel[c], now);
            sleepers_visited(channels, c, now, dram_channel_next_event(channel[c], now));
        }
    }
}

static struct request *take_request(struct bay *b, uint32_t s, uint64_t net_now)
{
    struct module *m = b->module;
    return m->bay_count == 1 ? network_pop(m->requests, s, net_now) : network_take(m->requests, s, net_now, &b->taken);
}

/* Bits of a bay's slices among those of word `w` of the module's. */
static uint64_t own_slices(const struct bay *b, uint32_t w)
{
    const uint32_t end = b->first_slice + b->slices.count, from = b->first_slice > 64 * w ? b->first_slice - 64 * w : 0;
    const uint64_t below = end < 64 * (w + 1) ? (UINT64_C(1) << end % 64) - 1 : UINT64_MAX;
    return below & UINT64_MAX << from;
}

static void requests_to_slices(struct bay *b, uint64_t now, uint64_t net_now)
{
    const struct module *m = b->module;
    for (uint32_t w = b->first_slice / 64; 64 * w < b->first_slice + b->slices.count; w++)
        for (uint64_t bits = network_arrivals(m->requests, w) & own_slices(b, w); bits; bits &= bits - 1) {
            const uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (l2_slice_accepts(m->slice[s]))
                l2_slice_push(m->slice[s], take_request(b, s, net_now), now);
        }
}

static void l2_tick(struct bay *b, uint64_t now)
{
    struct l2_slice **slice = b->module->slice + b->first_slice;
    struct sleepers *slices = &b->slices;
    sleepers_rouse(slices, now);
    for (uint32_t w = 0; w < slices->words; w++) {
        const uint64_t awake = slices->awake[w];
        slices->awake[w] = 0;
        for (uint64_t bits = awake; bits; bits &= bits - 1) {
            const uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);
            l2_slice_cycle(slice[s], now);
            sleepers_visited(slices, s, now, l2_slice_next_event(slice[s], now));
        }
    }
}

void bay_tick(struct bay *b, uint32_t mask)
{
    const struct gpu *gpu = b->module->gpu;
    const uint64_t net = gpu_now(gpu, CLOCK_NET);
    if (mask >> gpu->reply_clock & 1)
        replies_to_network(b, net);
    if (mask >> CLOCK_DRAM & 1)
        dram_tick(b, gpu_now(gpu, CLOCK_DRAM));
    if (mask >> CLOCK_L2 & 1) {
        requests_to_slices(b, gpu_now(gpu, CLOCK_L2), net);
        l2_tick(b, gpu_now(gpu, CLOCK_L2));
    }
}

/* ---- what they share ------------------------------------------------------------------------------------------------------- */

/* `arrived`: the network has a reply at port `i`, which is of one SM or of several. */
static void deliver_replies(struct module *m, uint32_t i, bool arrived, uint64_t now)
{
    struct port *waiting = &m->replies_for[i];
    const struct request *first = port_peek(waiting);
    if (first) {
        const bool fetch = first->kind == REQUEST_INSTRUCTION_READ;
        struct sm *sm = m->sm[seldom(m->sharers > 1) ? first->sm : i];
        require(!sm_is_ahead(sm, gpu_now(m->gpu, CLOCK_CORE) + !(m->gpu->tick_mask >> CLOCK_CORE & 1)));
        if (fetch || !sm_reply_full(sm)) {
            if (fetch)
                sm_take_fetch(sm, port_pop(waiting), gpu_now(m->gpu, CLOCK_CORE));
            else
                sm_take_reply(sm, port_pop(waiting));
        }
    }
    if (arrived && !port_full(waiting)) {
        struct request *reply = network_pop(m->replies, i, now);
        __builtin_prefetch(reply); /* looked at in the next tick */
        port_push(waiting, reply);
    }
}

bool memory_replies_wait(const struct module *m)
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

/* What goes to the slices. */
static void requests_tick(struct module *m, uint32_t mask)
{
    const uint64_t net = gpu_now(m->gpu, CLOCK_NET);
    for (uint32_t i = 0; m->bay_count > 1 && i < m->bay_count; i++)
        if (m->bay[i].taken.packets)
            network_announce_taken(m->requests, &m->bay[i].taken);
    if (!(mask >> CLOCK_NET & 1))
        return;
    if (m->gateway)
        gateways_requests_tick(m, net);
    if (network_packets(m->requests))
        network_tick(m->requests, net);
}

/* What goes to the SMs. */
static void replies_tick(struct module *m, uint32_t mask)
{
    const uint64_t net = gpu_now(m->gpu, CLOCK_NET);
    for (uint32_t i = 0; m->bay_count > 1 && i < m->bay_count; i++)
        if (m->bay[i].sent.packets)
            network_announce(m->replies, &m->bay[i].sent);
    if (!(mask >> CLOCK_NET & 1))
        return;
    if (m->gateway)
        gateways_replies_tick(m, net);
    if (network_packets(m->replies))
        network_tick(m->replies, net);
}

/* All of a module but its SMs, and but its bays where there are several: those have had their turn. What goes to SMs and what
 * leaves the slices do not meet within a tick, so that either may come first. `sides`: of its networks, both or one. `mask`: the
 * clocks that tick. */
void memory_tick(struct module *m, uint32_t sides, uint32_t mask)
{
    const struct gpu *gpu = m->gpu;
    if (sides & SIDE_REPLIES && mask >> gpu->deliver_clock & 1)
        replies_to_sms(m, gpu_now(gpu, CLOCK_NET));
    if (m->bay_count == 1)
        bay_tick(m->bay, mask);
    if (mask >> CLOCK_L2 & 1 && m->banks.count)
        banks_tick(m, gpu_now(gpu, CLOCK_L2));
    if (sides & SIDE_REQUESTS)
        requests_tick(m, mask);
    if (sides & SIDE_REPLIES)
        replies_tick(m, mask);
}
