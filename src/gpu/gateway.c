/* gateway.c - where a module meets the others: its gateways, the links between them, and pages that find their module.
 *
 * A request for a slice of another module leaves its own module's request network at the gateway of the slice's number, crosses the
 * links, and enters the other module's request network through the gateway of the same number there. Its reply comes back in the
 * same way. An L1.5 has a bank in each gateway, between the networks and the links; one that keeps all lines has the requests for
 * its own module's slices too, and sends what it misses back into the request network. (No road waits for itself: what enters a
 * network at a gateway leaves it at a slice or an SM, never at a gateway.) Gateways are as wide as the slices' own ports: as many
 * flits per cycle as the networks give them. */
#include "gpu/gpu_state.h"

#include <stdlib.h>

static void make_bank(struct module *m, uint32_t k)
{
    struct gateway *g = &m->gateway[k];
    struct gpu *gpu = m->gpu;
    const struct l2_config config = machine_l15(&gpu->config);
    g->bank = l2_slice_new(&config, m->first_slice + k, &gpu->config.map, m->pool, &g->down, &g->up);
    l2_slice_set_hooks(g->bank, &gpu->policies->hooks.cache[LEVEL_L15]);
    l2_slice_replies(g->bank)->filled = waker_of(&m->bank_replies, k);
    l2_slice_set_waker(g->bank, waker_of(m->banks.awake, k));
}

void gateways_make(struct module *m)
{
    if (m->gpu->config.l15.keeps != L15_NOTHING)
        sleepers_init(&m->banks, m->slice_count);
    m->gateway = must_calloc(m->slice_count, sizeof m->gateway[0]);
    for (uint32_t k = 0; k < m->slice_count; k++) {
        struct gateway *g = &m->gateway[k];
        const struct {
            struct port *port;
            uint64_t *bits;
        } ports[] = {
            { &g->down, &m->downs }, { &g->replies_out, &m->replies_out }, { &g->requests_in, &m->requests_in }, { &g->up, &m->ups }
        };
        for (uint32_t i = 0; i < sizeof ports / sizeof *ports; i++) {
            port_init(ports[i].port, GATEWAY_PLACES);
            ports[i].port->filled = waker_of(ports[i].bits, k);
        }
        if (m->gpu->config.l15.keeps != L15_NOTHING)
            make_bank(m, k);
    }
}

void gateways_free(struct module *m)
{
    for (uint32_t k = 0; m->gateway && k < m->slice_count; k++) {
        l2_slice_free(m->gateway[k].bank);
        port_clear(&m->gateway[k].down);
        port_clear(&m->gateway[k].replies_out);
        port_clear(&m->gateway[k].requests_in);
        port_clear(&m->gateway[k].up);
    }
    if (m->banks.count)
        sleepers_clear(&m->banks);
    free(m->gateway);
}

/* ---- between the networks of a module and its ports --------------------------------------------------------------------- */

static void request_leaves(struct module *m, uint32_t k, uint64_t now)
{
    struct gateway *g = &m->gateway[k];
    if (!network_peek(m->requests, m->first_request_gate + k) || !(g->bank ? l2_slice_accepts(g->bank) : !port_full(&g->down)))
        return;
    struct request *r = network_pop(m->requests, m->first_request_gate + k, now);
    if (g->bank)
        l2_slice_push(g->bank, r, gpu_now(m->gpu, CLOCK_L2));
    else
        port_push(&g->down, r);
}

static void reply_leaves(struct module *m, uint32_t k, uint64_t now)
{
    struct gateway *g = &m->gateway[k];
    const struct request *reply = network_peek(m->replies, m->first_reply_gate + k);
    if (!reply)
        return;
    struct port *to = reply->sm - m->first_sm < m->sm_count ? &g->up : &g->replies_out; /* to the L1.5, or to another module */
    if (!port_full(to))
        port_push(to, network_pop(m->replies, m->first_reply_gate + k, now));
}

static void request_enters(struct module *m, uint32_t k, struct port *from, uint64_t now)
{
    const struct request *r = port_peek(from);
    if (r && r->slice - m->first_slice < m->slice_count && network_has_room(m->requests, m->sm_count + k, request_packet_bytes(r)))
        network_push(m->requests, m->sm_count + k, r->slice - m->first_slice, port_pop(from), now);
}

static void reply_enters(struct module *m, uint32_t k, uint64_t now)
{
    struct gateway *g = &m->gateway[k];
    const struct request *r = g->bank ? l2_slice_peek_reply(g->bank) : port_peek(&g->up);
    if (!r)
        return;
    if (network_has_room(m->replies, m->slice_count + k, request_packet_bytes(r)))
        network_push(m->replies, m->slice_count + k, r->sm - m->first_sm, g->bank ? l2_slice_pop_reply(g->bank) : port_pop(&g->up),
                     now);
    else if (g->bank)
        l2_slice_count_network_busy(g->bank);
}

void banks_tick(struct module *m, uint64_t now)
{
    sleepers_rouse(&m->banks, now);
    const uint64_t awake = m->banks.awake[0];
    m->banks.awake[0] = 0;
    for (uint64_t bits = awake; bits; bits &= bits - 1) {
        const uint32_t k = (uint32_t)__builtin_ctzll(bits);
        l2_slice_cycle(m->gateway[k].bank, now);
        sleepers_visited(&m->banks, k, now, l2_slice_next_event(m->gateway[k].bank, now));
    }
}

void module_empty_l15(struct module *m, uint64_t now)
{
    for (uint32_t k = 0; k < m->banks.count; k++) {
        l2_slice_invalidate(m->gateway[k].bank, now);
        m->banks.awake[0] |= UINT64_C(1) << k;
    }
}

/* However many SMs of a module have passed a fence: once. */
void gpu_empty_l15(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        struct module *m = &gpu->module[i];
        bool fenced = false;
        for (uint32_t s = 0; s < m->share_count; s++) {
            fenced |= m->share[s].fenced;
            m->share[s].fenced = false;
        }
        if (fenced)
            module_empty_l15(m, gpu_now(gpu, CLOCK_L2));
    }
}

bool banks_have_requests(const struct module *m)
{
    for (uint32_t k = 0; k < m->banks.count; k++)
        if (!l2_slice_idle(m->gateway[k].bank) || l2_slice_requests(m->gateway[k].bank))
            return true;
    return false;
}

/* Without an L1.5 the two do not meet: each has its network and its ports. */
void gateways_requests_tick(struct module *m, uint64_t net_now)
{
    for (uint32_t k = 0; network_packets(m->requests) && k < m->slice_count; k++)
        request_leaves(m, k, net_now);
    for (uint64_t bits = m->requests_in; bits; bits &= bits - 1) {
        const uint32_t k = (uint32_t)__builtin_ctzll(bits);
        request_enters(m, k, &m->gateway[k].requests_in, net_now);
    }
    for (uint64_t bits = m->banks.count ? m->downs : 0; bits; bits &= bits - 1) {
        const uint32_t k = (uint32_t)__builtin_ctzll(bits); /* what an L1.5 of all lines misses in its own module's memory */
        request_enters(m, k, &m->gateway[k].down, net_now);
    }
}

void gateways_replies_tick(struct module *m, uint64_t net_now)
{
    for (uint32_t k = 0; network_packets(m->replies) && k < m->slice_count; k++)
        reply_leaves(m, k, net_now);
    for (uint64_t bits = m->banks.count ? m->bank_replies : m->ups; bits; bits &= bits - 1)
        reply_enters(m, (uint32_t)__builtin_ctzll(bits), net_now);
}

/* ---- between ports and links ------------------------------------------------------------------------------------------ */

static bool deliver(void *context, uint32_t module, enum link_class class, struct request *r)
{
    struct gpu *gpu = context;
    struct gateway *g = &gpu->module[module].gateway[r->slice % gpu->slices_per_module];
    struct port *port = class == LINK_REQUEST ? &g->requests_in : &g->up;
    if (port_full(port))
        return false;
    r->shares_header = false; /* there it is a request of its own again */
    port_push(port, r);
    return true;
}

/* A bank takes what an SM asks for apart and hands on sector by sector. To the links that is one packet of a line with a bit for
 * each sector, as it is without an L1.5: the first has the header, those that follow it ride along. */
static void share_header(struct gateway *g, struct request *r)
{
    const struct last_sent now = { r->address / 128, r->issued, r->slot, r->sm }, *last = &g->last_sent;
    const bool same = now.line == last->line && now.issued == last->issued && now.slot == last->slot && now.sm == last->sm;
    r->shares_header = same && g->sent_sectors && !(g->sent_sectors & r->sectors);
    g->sent_sectors = (uint8_t)(r->sectors | (r->shares_header ? g->sent_sectors : 0));
    g->last_sent = now;
}

/* What waits in a port of a gateway goes to the links while they have room. */
static void send(struct gpu *gpu, struct module *m, struct gateway *g, enum link_class class, uint64_t now)
{
    struct port *port = class == LINK_REQUEST ? &g->down : &g->replies_out;
    for (struct request *r; (r = port_peek(port));) {
        const uint32_t to = class == LINK_REQUEST ? r->slice / gpu->slices_per_module : r->sm / gpu->sms_per_module;
        if (to == m->index || !links_has_room(gpu->links, m->index, to, class))
            return;
        if (class == LINK_REQUEST && g->bank)
            share_header(g, r);
        links_push(gpu->links, m->index, to, class, port_pop(port), now);
    }
}

void gpu_links_tick(struct gpu *gpu, uint64_t net_now)
{
    links_move(gpu->links, net_now, deliver, gpu);
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        struct module *m = &gpu->module[i];
        /* Another gateway begins in each cycle: where the links are the limit, all have the same share. */
        const uint32_t first = (uint32_t)(net_now % m->slice_count);
        for (uint32_t n = 0; n < m->slice_count && (m->downs | m->replies_out); n++) {
            const uint32_t k = first + n < m->slice_count ? first + n : first + n - m->slice_count;
            send(gpu, m, &m->gateway[k], LINK_REQUEST, net_now);
            send(gpu, m, &m->gateway[k], LINK_REPLY, net_now);
        }
    }
    links_send(gpu->links, net_now);
}

bool gateways_wait(const struct gpu *gpu)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        const struct module *m = &gpu->module[i];
        any |= m->downs | m->replies_out | m->requests_in | m->ups;
    }
    return any != 0;
}

uint32_t gateways_requests(const struct module *m)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; m->gateway && k < m->slice_count; k++) {
        const struct gateway *g = &m->gateway[k];
        sum += g->down.ring.count + g->replies_out.ring.count + g->requests_in.ring.count + g->up.ring.count;
    }
    return sum;
}

/* ---- pages ------------------------------------------------------------------------------------------------------------ */

/* In order of modules, and of SMs within a module: the same whatever the number of threads. A policy is asked once for each page,
 * however many touch it in a cycle. */
void gpu_place_pages(struct gpu *gpu)
{
    const struct policy_hooks *h = &gpu->policies->hooks;
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        struct share *s = &gpu->share[i];
        for (uint32_t t = 0; t < s->touches.count; t++) {
            if (page_table_has(gpu->pages, s->touches.page[t]))
                continue;
            const uint32_t owner = h->page.call.owner(h->page.self, s->touches.page[t], s->module->index);
            require(owner < gpu->module_count);
            page_table_add(gpu->pages, s->touches.page[t], owner);
        }
        s->touches.count = 0;
    }
}
