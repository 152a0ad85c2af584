/* swl - static warp limiting: each scheduler runs only its oldest `limit` warps, and the one that issued last until another does
 * (Rogers et al., MICRO 2012; "SWT" in Khairy et al., 2015). `warpline tune swl TARGET` searches the best limit, which is Best-SWL.
 * The warp beside the oldest is GPGPU-Sim's, whose limit comes after its greed; the papers do not have it. */
#include <stdio.h>

#include "policy/warp_limit.h"
#include "policy/warp_order.h"

static const struct param params[] = {
    PARAM_U32(struct swl_config, limit, "limit", 2, 1, 64, "warps", "active warps per scheduler"), PARAM_END
};

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const uint32_t limit = ((const struct swl_config *)config)->limit, most = warps_per_scheduler(g);
    if (limit <= most)
        return true;
    (void)snprintf(text, size, "policy.swl.limit = %u, but a scheduler has only %u warps", limit, most);
    return false;
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const uint64_t before = gate->run;
    warp_limit_apply(self, v, ((const struct swl_config *)self->config)->limit, &gate->run);
    for (uint32_t s = 0; s < self->geometry->schedulers_per_sm; s++)
        gate->run |= before & 1ull << warp_order_last(policy_scheduler_state(self, v->sm, s), v, s);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    (void)inst, (void)active;
    const uint32_t s = v->scheduler_of[slot];
    struct last_issued *last = policy_scheduler_state(self, v->sm, s);
    const bool another = warp_order_last(last, v, s) != slot;
    *last = (struct last_issued){ slot, true };
    if (another && self->machine->regate)
        self->machine->regate(self->machine->gpu, v->sm);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)config;
    rows[0] = (struct policy_hardware){ "limit register", PER_SM, 1, 5 + (warps_per_scheduler(g) > 31) };
    return 1;
}

const struct policy policy_swl = {
    .name = "swl",
    .summary = "run only the oldest few warps of each scheduler",
    .source = "Rogers et al., MICRO 2012",
    .params = params,
    .config_size = sizeof(struct swl_config),
    .tuned = "limit",
    .per_kernel = "limit",
    .check = check,
    .sizes = sizes,
    .hardware = hardware,
    .sm = { .warp_gate = warp_gate, .issued = issued },
};
