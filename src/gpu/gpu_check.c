/* gpu_check.c - what must hold between any two ticks. A debug build checks it after every tick, and a test whenever it likes.
 *
 * The check changes nothing: an SM that sleeps is visited and goes on sleeping, or the check fails, and the counters that it
 * settles are those that it would settle later. */
#include "gpu/gpu_state.h"

static bool bit(const uint64_t *words, uint32_t i)
{
    return words[i / 64] >> i % 64 & 1;
}

/* What went into a network has come out or is still inside. */
static const char *broken_network(const struct network *n)
{
    const struct net_counters *c = network_counters(n);
    if (c->packets_in - c->packets_out != network_packets(n))
        return "a network lost a packet or made one";
    if (c->flits_in < c->flits_switched || c->flits_switched < c->flits_out)
        return "a network passed on flits that it never got";
    return NULL;
}

/* A list of who waits agrees with the queues. */
static const char *broken_queues(const struct module *m)
{
    for (uint32_t i = 0; i < m->sm_count; i++) {
        if (bit(m->reply_sms, i) != (m->replies_for[i].ring.count != 0))
            return "the bits of SMs with a reply are not those of their queues";
        if (m->replies_for[i].ring.count > m->gpu->config.gpu.ejection_buffer)
            return "a queue of replies holds more than it has room for";
        if ((m->out[i].port.ring.count || m->out[i].pushed) && m->out[i].hold_until <= gpu_now(m->gpu, CLOCK_CORE))
            return "a request was left in an SM's outlet";
    }
    for (uint32_t k = 0; k < m->bay_count; k++)
        for (uint32_t s = 0; s < m->bay[k].slices.count; s++)
            if (bit(m->bay[k].replies, s) != (l2_slice_peek_reply(m->slice[m->bay[k].first_slice + s]) != NULL))
                return "the bits of slices with a reply are not those of their queues";
    for (uint32_t s = 0; s < m->slice_count; s++)
        if (l2_slice_mshr_in_use(m->slice[s]) > l2_mshr_sectors(&m->gpu->config.l2))
            return "an L2 slice uses more MSHRs than it has";
    for (uint32_t k = 0; m->gateway && k < m->slice_count; k++) {
        const struct gateway *g = &m->gateway[k];
        if (bit(&m->downs, k) != (g->down.ring.count != 0) || bit(&m->replies_out, k) != (g->replies_out.ring.count != 0) ||
            bit(&m->requests_in, k) != (g->requests_in.ring.count != 0) || bit(&m->ups, k) != (g->up.ring.count != 0))
            return "the bits of a module's gateways are not those of their queues";
        if (g->bank && bit(&m->bank_replies, k) != (l2_slice_peek_reply(g->bank) != NULL))
            return "the bits of a module's L1.5 are not those of its queues";
    }
    return NULL;
}

/* Who sleeps has nothing to do before the time that is noted for it. A component that was changed and not woken is found here. */
static bool sleeps_too_long(const struct sleepers *s, uint32_t i, uint64_t next)
{
    return !bit(s->awake, i) && next < s->wake[i];
}

static const char *broken_sleep(const struct module *m)
{
    const uint64_t core = gpu_now(m->gpu, CLOCK_CORE), l2 = gpu_now(m->gpu, CLOCK_L2), dram = gpu_now(m->gpu, CLOCK_DRAM);
    for (uint32_t k = 0; k < m->share_count; k++) {
        const struct share *s = &m->share[k];
        for (uint32_t i = 0; i < s->count; i++)
            if (!bit(s->sms.awake, i) && s->sms.wake[i] > core && sm_oversleeps(m->sm[s->first + i], core))
                return "an SM sleeps and has something to do";
    }
    for (uint32_t k = 0; k < m->bay_count; k++) {
        const struct bay *b = &m->bay[k];
        for (uint32_t s = 0; s < b->slices.count; s++)
            if (sleeps_too_long(&b->slices, s, l2_slice_next_event(m->slice[b->first_slice + s], l2)))
                return "an L2 slice sleeps and has something to do";
        for (uint32_t c = 0; c < b->channels.count; c++)
            if (sleeps_too_long(&b->channels, c, dram_channel_next_event(m->channel[b->first_channel + c], dram)))
                return "a DRAM channel sleeps and has something to do";
    }
    for (uint32_t k = 0; k < m->banks.count; k++)
        if (sleeps_too_long(&m->banks, k, l2_slice_next_event(m->gateway[k].bank, l2)))
            return "a bank of an L1.5 sleeps and has something to do";
    return NULL;
}

/* What one module sent to another has come there or is on the links. */
static const char *broken_links(const struct links *links)
{
    const struct link_counters *c = links_counters(links);
    if (c->packets_in - c->packets_out != links_packets(links))
        return "the links lost a packet or made one";
    uint64_t crossed = 0, bytes = 0;
    for (uint32_t i = 0; i < links_count(links); i++) {
        crossed += links_traffic(links, i).packets;
        bytes += links_traffic(links, i).bytes;
    }
    return crossed != c->packet_hops || bytes != c->package_byte_hops + c->board_byte_hops
               ? "the links' sums are not those of each link"
               : NULL;
}

static const char *broken_module(const struct module *m)
{
    const char *text;
    (void)((text = broken_network(m->requests)) || (text = broken_network(m->replies)) || (text = broken_queues(m)) ||
           (text = broken_sleep(m)));
    return text;
}

/* A CTA that has started and not ended is on exactly one SM. */
static const char *broken_ctas(const struct gpu *gpu)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        running += ((const struct sm_face *)gpu->sm[i])->cta_count;
    if (running != gpu->ctas_running)
        return "the CTAs on the SMs are not those that run";
    return gpu->next_cta > gpu->front->launch.cta_count ? "more CTAs have started than there are" : NULL;
}

/* Requests in the networks, in the queues behind them and in the channels are all different, and they are all of the pool's. */
static const char *broken_requests(struct gpu *gpu)
{
    uint64_t seen = gpu->links ? links_packets(gpu->links) : 0;
    for (uint32_t k = 0; k < gpu->module_count; k++) {
        const struct module *m = &gpu->module[k];
        seen += (uint64_t)network_packets(m->requests) + network_packets(m->replies) + gateways_requests(m);
        for (uint32_t i = 0; i < m->sm_count; i++)
            seen += m->replies_for[i].ring.count;
    }
    for (uint32_t c = 0; c < gpu->channel_count; c++) {
        const struct dram_counters *count = dram_channel_counters(gpu->channel[c], gpu_now(gpu, CLOCK_DRAM));
        seen += dram_channel_requests(gpu->channel[c]);
        if (count->replies + count->retired > count->requests || count->scheduled > count->requests)
            return "a DRAM channel answered what was not asked";
        if (count->row_hits + count->row_misses != count->scheduled)
            return "a DRAM channel counts a request in neither or both of row hits and misses";
    }
    return seen > gpu_live_requests(gpu) ? "more requests are under way than were made" : NULL;
}

static const char *broken_law(const struct stat_group *group, const void *counters)
{
    const struct stat_law *law = stat_check(group, counters);
    return law ? law->text : NULL;
}

/* The laws that hold at any time, for each unit by itself. Those of networks and DRAM hold at a kernel's end only. */
static const char *broken_laws(struct gpu *gpu)
{
    const char *text = NULL;
    for (uint32_t i = 0; i < gpu->sm_count && !text; i++) {
        const struct sm *sm = gpu->sm[i];
        if (sm_failed_early(sm))
            continue; /* half a cycle is counted, and no more will be */
        sm_settle(gpu->sm[i], gpu->clocks.count[CLOCK_CORE]);
        const struct {
            const struct stat_group *group;
            const void *counters;
        } unit[] = { { &sm_stat_group, sm_counters(sm) },
                     { &l1_stat_group, sm_l1_counters(sm) },
                     { &l1i_stat_group, sm_l1i_counters(sm) },
                     { &l1c_stat_group, sm_l1c_counters(sm) },
                     { &l1t_stat_group, sm_l1t_counters(sm) } };
        for (uint32_t u = 0; u < sizeof unit / sizeof *unit && !text; u++)
            text = broken_law(unit[u].group, unit[u].counters);
        text = text ? text : sm_l1_broken(sm);
        text = text ? text : sm_registers_broken(sm);
    }
    for (uint32_t s = 0; s < gpu->slice_count && !text; s++)
        text = broken_law(&l2_stat_group, l2_slice_counters(gpu->slice[s]));
    return text;
}

const char *gpu_broken(struct gpu *gpu)
{
    const char *text = gpu->links ? broken_links(gpu->links) : NULL, *policy;
    for (uint32_t i = 0; i < gpu->module_count && !text; i++)
        text = broken_module(&gpu->module[i]);
    if (text)
        return text;
    (void)((text = broken_ctas(gpu)) || (text = broken_requests(gpu)) || (text = broken_laws(gpu)) ||
           (text = policy_instance_broken(gpu->policies, &policy)));
    return text;
}
