/* gpu_make.c - makes the machine of its configuration, and takes it apart. */
#include "gpu/gpu_state.h"

#include <stdlib.h>

static void retire_write(void *context, struct request *r)
{
    const struct bay *b = context;
    request_free(b->pool, r);
}

static bool leave_under_way(struct gpu *gpu)
{
    (void)gpu;
    return true;
}

/* What the machine does otherwise than by itself, because its configuration asks for the reference. */
static void follow_reference(struct gpu *gpu)
{
    static const bool fills[] = { [HOST_COPY_IN] = true, [HOST_SET] = true, [HOST_COPY_OUT] = false };
    struct machine_config *c = &gpu->config;
    const struct reference_config *reference = &c->reference;
    gpu->sm_otherwise = reference_sm_ways(reference, &gpu->policies->hooks);
    gpu->l1_otherwise = reference_l1_ways(reference, c->l1.sectored);
    gpu->l2_otherwise = reference_l2_ways(reference);
    c->l1.otherwise = &gpu->l1_otherwise;
    c->l2.otherwise = &gpu->l2_otherwise;
    c->l1.misplaces = reference->misplace_writebacks ? &c->map : NULL;
    if (reference->mask_sets) {
        reference_mask_sets(&c->l1.index, c->l1.sets);
        reference_mask_sets(&c->l1i.index, c->l1i.sets);
        reference_mask_sets(&c->l1c.index, c->l1c.sets);
        reference_mask_sets(&c->l1t.index, c->l1t.sets);
        reference_mask_sets(&c->l2.index, c->l2.sets);
    }
    gpu->place_writeback = reference->misplace_writebacks ? reference_place_writeback : address_map_place;
    gpu->finish = reference->late_writebacks ? leave_under_way : gpu_drain;
    gpu->copy_fills = reference->copies ? reference_copy_fills : fills;
    gpu->reply_clock = reference->rounded_clocks ? CLOCK_NET : CLOCK_L2;
    gpu->deliver_clock = reference->rounded_clocks ? CLOCK_CORE : CLOCK_NET;
}

/* A slice and the ports around it: who pushes or pops wakes the other end. */
static void make_slice(struct bay *b, uint32_t s)
{
    struct module *m = b->module;
    struct gpu *gpu = m->gpu;
    const struct machine_config *c = &gpu->config;
    const uint32_t per_channel = c->map.slices_per_channel, channel = s / per_channel;
    struct port *down = dram_channel_in(m->channel[channel], s % per_channel),
                *up = dram_channel_out(m->channel[channel], s % per_channel);
    down->reader = up->writer = waker_of(b->channels.awake, channel - b->first_channel);
    m->slice[s] = l2_slice_new(&c->l2, m->first_slice + s, &c->map, b->pool, down, up);
    l2_slice_set_hooks(m->slice[s], &gpu->policies->hooks.cache[LEVEL_L2]);
    if (gpu->rounded && rounded_clocks_apart(gpu->rounded))
        l2_slice_delay_by(m->slice[s], rounded_clocks_l2_delay, gpu->rounded);
    l2_slice_replies(m->slice[s])->filled = waker_of(b->replies, s - b->first_slice);
    l2_slice_set_waker(m->slice[s], waker_of(b->slices.awake, s - b->first_slice));
}

static void make_memory(struct module *m)
{
    struct gpu *gpu = m->gpu;
    const struct machine_config *c = &gpu->config;
    const uint32_t per_channel = c->map.slices_per_channel, gateways = gpu->module_count > 1 ? m->slice_count : 0;
    m->first_request_gate = gateways ? 64 * ((m->slice_count + 63) / 64) : m->slice_count;
    m->first_reply_gate = gateways ? 64 * m->sm_words : m->sm_count;
    m->requests = network_new(&c->net, m->sm_count / m->sharers + gateways, m->first_request_gate + gateways);
    m->replies = network_new(&c->net, m->slice_count + gateways, m->first_reply_gate + gateways);
    const struct dram_config dram = machine_dram(c);
    for (uint32_t k = 0; k < m->bay_count; k++) {
        struct bay *b = &m->bay[k];
        for (uint32_t i = b->first_channel; i < b->first_channel + b->channels.count; i++) {
            m->channel[i] = dram_channel_new(&dram, per_channel, c->gpu.core_khz, c->gpu.dram_khz, retire_write, b);
            if (gpu->rounded)
                dram_channel_delay_by(m->channel[i], rounded_clocks_delay, gpu->rounded);
        }
        for (uint32_t s = b->first_slice; s < b->first_slice + b->slices.count; s++)
            make_slice(b, s);
    }
    if (gateways)
        gateways_make(m);
}

/* Without a policy SMs get no hooks: one test instead of one per table. */
static void make_sms(struct module *m)
{
    struct gpu *gpu = m->gpu;
    const struct machine_config *c = &gpu->config;
    m->out = must_calloc_aligned(m->sm_count, sizeof m->out[0]);
    m->replies_for = must_calloc(m->sm_count, sizeof m->replies_for[0]);
    m->reply_sms = must_calloc(m->sm_words, sizeof m->reply_sms[0]);
    struct share *share = m->share;
    for (uint32_t i = 0; i < m->sm_count; i++) {
        share += i == share->first + share->count;
        network_open_outlet(m->requests, gpu_port_of(m, i), &m->out[i]);
        m->out[i].port.filled = waker_of(share->senders, i - share->first);
        m->out[i].touches = gpu->pages ? &share->touches : NULL;
        port_init(&m->replies_for[i], c->gpu.ejection_buffer);
        m->replies_for[i].filled = waker_of(m->reply_sms, i);
        const struct sm_setup setup = { .id = m->first_sm + i,
                                        .sms = gpu->sm_count,
                                        .config = &c->sm,
                                        .timing = gpu->timing,
                                        .l1 = &c->l1,
                                        .l1i = &c->l1i,
                                        .l1c = &c->l1c,
                                        .l1t = &c->l1t,
                                        .pool = gpu->pool[share->worker - gpu->worker],
                                        .out = &m->out[i],
                                        .waker = waker_of(share->sms.awake, i - share->first),
                                        .hooks = gpu->has_policies ? &gpu->policies->hooks : NULL,
                                        .otherwise = &gpu->sm_otherwise,
                                        .fenced = c->l15.fence ? &share->fenced : NULL };
        m->sm[i] = sm_new(&setup);
    }
}

static void make_modules(struct gpu *gpu)
{
    const struct machine_config *c = &gpu->config;
    const uint32_t channels = c->map.channels / gpu->module_count;
    gpu->channel_count = c->map.channels;
    gpu->slice_count = c->map.channels * c->map.slices_per_channel;
    gpu->sms_per_module = gpu->sm_count / gpu->module_count;
    gpu->slices_per_module = gpu->slice_count / gpu->module_count;
    gpu->sm = must_calloc(gpu->sm_count, sizeof gpu->sm[0]);
    gpu->slice = must_calloc(gpu->slice_count, sizeof gpu->slice[0]);
    gpu->channel = must_calloc(gpu->channel_count, sizeof gpu->channel[0]);
    for (uint32_t class = 0; class < TIMING_COUNT; class ++)
        gpu->timing[class] = sm_class_timing(&c->sm, class);
    gpu->module = must_calloc(gpu->module_count, sizeof gpu->module[0]);
    if (gpu->module_count > 1)
        gpu->links = links_new(&c->link, gpu->module_count, c->gpu.net_khz);
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        struct module *m = &gpu->module[i];
        *m = (struct module){ .gpu = gpu,
                              .index = i,
                              .sm_count = gpu->sms_per_module,
                              .slice_count = gpu->slices_per_module,
                              .channel_count = channels,
                              .first_sm = i * gpu->sms_per_module,
                              .sharers = c->gpu.sms_per_port,
                              .first_slice = i * gpu->slices_per_module };
        m->sm = gpu->sm + m->first_sm;
        m->slice = gpu->slice + m->first_slice;
        m->channel = gpu->channel + (size_t)i * channels;
        m->sm_words = (m->sm_count + 63) / 64;
    }
    gpu_make_workers(gpu);
    for (uint32_t i = 0; i < gpu->module_count; i++) {
        make_memory(&gpu->module[i]);
        make_sms(&gpu->module[i]);
    }
}

static void free_module(struct module *m)
{
    for (uint32_t i = 0; i < m->sm_count; i++) {
        sm_free(m->sm[i]);
        port_clear(&m->replies_for[i]);
        port_clear(&m->out[i].port);
    }
    for (uint32_t s = 0; s < m->slice_count; s++)
        l2_slice_free(m->slice[s]);
    for (uint32_t i = 0; i < m->channel_count; i++)
        dram_channel_free(m->channel[i]);
    network_free(m->requests);
    network_free(m->replies);
    gateways_free(m);
    free(m->out);
    free(m->replies_for);
    free(m->reply_sms);
}

struct gpu *gpu_new(const struct machine_config *config, const struct policy_set *policies, struct error *err)
{
    if (!machine_config_check(config, err))
        return NULL;
    struct gpu *gpu = must_calloc(1, sizeof *gpu);
    gpu->config = *config;
    gpu->sm_count = config->gpu.sms;
    gpu->module_count = config->gpu.modules;
    gpu->last_sm = gpu->sm_count - 1;
    const struct policy_geometry geometry = machine_policy_geometry(config);
    const struct policy_machine machine = gpu_policy_machine(gpu);
    gpu->policies = policy_set_bind(policies, &geometry, &machine, err);
    if (!gpu->policies) {
        free(gpu);
        return NULL;
    }
    follow_reference(gpu);
    gpu_ports_new(gpu);
    const char *const storage = gpu->policies->hooks.cache[LEVEL_L1].storage.owner;
    if (storage && !l1_config_takes_pieces(&gpu->config.l1, storage, err)) {
        gpu_free(gpu);
        return NULL;
    }
    const char *const buffer = gpu->policies->hooks.lsu.owner;
    if (buffer && gpu->config.l1.banks > 1) {
        gpu_free(gpu);
        (void)error_set(err, "%s puts a buffer before the L1: set l1.banks = 1", buffer);
        return NULL;
    }
    gpu->config.map.modules = gpu->module_count;
    if (gpu->policies->hooks.page.owner)
        gpu->config.map.pages = gpu->pages = page_table_new(config->gpu.page_bytes, gpu->module_count);
    gpu->settled = must_calloc(1, sizeof(struct dram_counters));
    const uint64_t khz[CLOCK_COUNT] = { config->gpu.core_khz, config->gpu.net_khz, config->gpu.l2_khz, config->gpu.dram_khz };
    clocks_init(&gpu->clocks, khz);
    if (config->reference.rounded_clocks)
        gpu->rounded = rounded_clocks_new(&gpu->clocks, khz, config->dram.latency, config->l2.rop_latency);
    gpu->has_policies = policies && policy_set_count(policies);
    gpu->front_clock.khz = config->gpu.core_khz;
    make_modules(gpu);
    gpu_list_groups(gpu);
    return gpu;
}

void gpu_free(struct gpu *gpu)
{
    if (!gpu)
        return;
    rounded_clocks_free(gpu->rounded);
    for (uint32_t i = 0; gpu->module && i < gpu->module_count; i++)
        free_module(&gpu->module[i]);
    for (uint32_t i = 0; i < gpu->group_count; i++)
        free(gpu->before[i]);
    links_free(gpu->links);
    free(gpu->traffic_before);
    free(gpu->ports);
    page_table_free(gpu->pages);
    stat_series_clear(&gpu->series);
    free(gpu->module);
    free(gpu->sm);
    free(gpu->slice);
    free(gpu->channel);
    policy_instance_free(gpu->policies);
    gpu_free_workers(gpu);
    free(gpu->waiting_ctas);
    free(gpu->settled);
    free(gpu);
}
