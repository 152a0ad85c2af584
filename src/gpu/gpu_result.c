/* gpu_result.c - counters of the whole machine: each group summed over its units. */
#include "gpu/gpu_state.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_SM, GROUP_L1, GROUP_L1I, GROUP_L1C, GROUP_L1T, GROUP_NET, GROUP_L2, GROUP_DRAM, GROUP_LINK, GROUP_L15, GROUP_POLICY };

void gpu_list_groups(struct gpu *gpu)
{
    const struct stat_group *const fixed[] = {
        &sm_stat_group,  &l1_stat_group, &l1i_stat_group,  &l1c_stat_group,  &l1t_stat_group,
        &net_stat_group, &l2_stat_group, &dram_stat_group, &link_stat_group, &l15_stat_group
    };
    for (uint32_t i = 0; i < GROUP_POLICY; i++)
        gpu->groups[gpu->group_count++] = fixed[i];
    for (uint32_t i = 0; i < gpu->policies->count; i++)
        if (gpu->policies->self[i].policy->counters)
            gpu->groups[gpu->group_count++] = gpu->policies->self[i].policy->counters;
    for (uint32_t i = 0; i < gpu->group_count; i++)
        gpu->before[i] = must_calloc(1, gpu->groups[i]->size);
}

static void collect_policy(struct gpu *gpu, uint32_t which, void *out)
{
    for (uint32_t i = 0; i < gpu->policies->count; i++)
        if (gpu->policies->self[i].policy->counters && which-- == 0)
            policy_instance_counters(gpu->policies, i, out);
}

static void collect_links(const struct gpu *gpu, struct link_counters *out)
{
    *out = *links_counters(gpu->links);
    for (uint32_t i = 0; i < gpu->share_count; i++) {
        out->local_requests += gpu->share[i].local_requests;
        out->remote_requests += gpu->share[i].remote_requests;
    }
}

void gpu_collect(struct gpu *gpu, uint32_t group, void *out)
{
    const struct stat_group *g = gpu->groups[group];
    memset(out, 0, g->size);
    if (group >= GROUP_POLICY) {
        collect_policy(gpu, group - GROUP_POLICY, out);
        return;
    }
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        switch (group) {
        case GROUP_SM: stat_add(g, out, sm_counters(gpu->sm[i])); break;
        case GROUP_L1: stat_add(g, out, sm_l1_counters(gpu->sm[i])); break;
        case GROUP_L1I: stat_add(g, out, sm_l1i_counters(gpu->sm[i])); break;
        case GROUP_L1C: stat_add(g, out, sm_l1c_counters(gpu->sm[i])); break;
        case GROUP_L1T: stat_add(g, out, sm_l1t_counters(gpu->sm[i])); break;
        default: break;
        }
    }
    for (uint32_t i = 0; group == GROUP_NET && i < gpu->module_count; i++) {
        stat_add(g, out, network_counters(gpu->module[i].requests));
        stat_add(g, out, network_counters(gpu->module[i].replies));
    }
    if (group == GROUP_LINK && gpu->links)
        collect_links(gpu, out);
    for (uint32_t s = 0; group == GROUP_L15 && gpu->config.l15.keeps != L15_NOTHING && s < gpu->slice_count; s++)
        stat_add(g, out, l2_slice_counters(gpu->module[s / gpu->slices_per_module].gateway[s % gpu->slices_per_module].bank));
    for (uint32_t s = 0; group == GROUP_L2 && s < gpu->slice_count; s++)
        stat_add(g, out, l2_slice_counters(gpu->slice[s]));
    for (uint32_t c = 0; group == GROUP_DRAM && c < gpu->channel_count; c++)
        stat_add(g, out, dram_channel_counters(gpu->channel[c], gpu_now(gpu, CLOCK_DRAM)));
}

const struct stat_group *const *gpu_stat_groups(const struct gpu *gpu, uint32_t *count)
{
    *count = gpu->group_count;
    return gpu->groups;
}

void gpu_note_traffic(struct gpu *gpu)
{
    const uint32_t count = gpu->links ? links_count(gpu->links) : 0;
    if (count && !gpu->traffic_before)
        gpu->traffic_before = must_calloc(count, sizeof gpu->traffic_before[0]);
    for (uint32_t i = 0; i < count; i++)
        gpu->traffic_before[i] = links_traffic(gpu->links, i);
}

void gpu_take_traffic(const struct gpu *gpu, struct kernel_result *out)
{
    out->link_count = gpu->links ? links_count(gpu->links) : 0;
    if (out->link_count)
        out->links = must_calloc(out->link_count, sizeof out->links[0]);
    for (uint32_t i = 0; i < out->link_count; i++) {
        const struct link_traffic t = links_traffic(gpu->links, i), *before = &gpu->traffic_before[i];
        out->links[i] = (struct kernel_link){ t.from, t.to, t.packets - before->packets, t.bytes - before->bytes };
    }
}

void kernel_result_clear(struct kernel_result *result)
{
    free(result->name);
    for (uint32_t i = 0; i < result->counter_count; i++)
        free(result->counters[i]);
    free(result->counters);
    free(result->series.values);
    free(result->links);
    *result = (struct kernel_result){ 0 };
}
