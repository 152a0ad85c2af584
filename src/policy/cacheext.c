/* cacheext - an L1 that is larger by the registers that no CTA has: the ideal of Oh et al., ISCA 2019, section 2.4.
 *
 * When a kernel begins, the statically unused part of the register file is added to the L1 as ways; a hit there costs what a hit in
 * the L1 costs, and no bank is used. Beside `swl` the registers of the warps that its limit holds back are added too (`dynamic`),
 * which is the text's Best-SWL+CacheExt. Whole ways, rounded down (with 48 sets of 128 bytes a way is 6 KB), up to the 64 tags that
 * a set may have. An L1 that grows keeps its lines; one that shrinks is emptied. It is an assumption, not a structure: it adds no
 * hardware. */
#include <stdio.h>

#include "policy/warp_limit.h"

enum { TAGS_MAX = 64 };
struct config {
    bool dynamic;
};

static const struct param params[] = { PARAM_BOOL(struct config, dynamic, "dynamic", true,
                                                  "beside swl: registers of the warps that it holds back are added too"),
                                       PARAM_END };

struct gpu {
    uint32_t ways; /* added */
};

#define STAT_DEF "policy/cacheext_counters.def"
#define STAT_NAME cacheext
#include "stat/declare.h"
#define STAT_DEF "policy/cacheext_counters.def"
#define STAT_NAME cacheext
#include "stat/define.h"

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    (void)config;
    if (g->cache[LEVEL_L1].line_bytes == 128)
        return true;
    (void)snprintf(text, size, "a register holds a line of 128 bytes: l1.line must be 128, not %u", g->cache[LEVEL_L1].line_bytes);
    return false;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct gpu);
}

static uint32_t tags_per_set(struct policy_self *self, uint32_t level)
{
    const struct policy_cache_geometry *g = &self->geometry->cache[level];
    const uint32_t all = g->ways + self->geometry->registers_per_sm / 32 / g->sets;
    return all < TAGS_MAX ? all : TAGS_MAX > g->ways ? TAGS_MAX : g->ways;
}

static uint32_t set_bytes(struct policy_self *self, uint32_t level)
{
    const struct policy_cache_geometry *g = &self->geometry->cache[level];
    const struct gpu *gpu = policy_gpu_state(self);
    return (g->ways + (gpu ? gpu->ways : 0)) * g->line_bytes;
}

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)self, (void)a, (void)way, (void)filled;
    return fetched;
}

/* Registers, as large as lines, that no warp of this kernel needs. */
static uint32_t unused_registers(const struct policy_self *self, const struct policy_kernel *k)
{
    const struct config *c = self->config;
    const uint32_t registers = registers_given(k->registers_per_thread), all = self->geometry->registers_per_sm / 32;
    uint32_t warps = k->max_ctas_per_sm * k->warps_per_cta;
    const struct policy_self *swl = c->dynamic ? policy_peer(self, "swl") : NULL;
    if (swl) {
        const uint32_t limit = ((const struct swl_config *)swl->config)->limit * self->geometry->schedulers_per_sm;
        warps = warps < limit ? warps : limit;
    }
    return warps * registers < all ? all - warps * registers : 0;
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    struct gpu *gpu = policy_gpu_state(self);
    struct cacheext_counters *count = policy_gpu_counters(self);
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L1];
    const uint32_t fit = unused_registers(self, k) / g->sets, room = g->tags - g->ways;
    gpu->ways = fit < room ? fit : room;
    count->kernels++;
    count->ways += gpu->ways;
}

const struct policy policy_cacheext = {
    .name = "cacheext",
    .summary = "an L1 larger by the registers that no warp has (an ideal)",
    .source = "Oh et al., ISCA 2019",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &cacheext_stat_group,
    .check = check,
    .sizes = sizes,
    .gpu = { .kernel_start = kernel_start },
    .cache = { .storage = { .tags_per_set = tags_per_set, .set_bytes = set_bytes, .stored_bytes = stored_bytes } },
};
