/* cta-distributed - a kernel's CTAs are divided equally among the modules, as groups of neighbours (paper 002, section 5.3.4).
 *
 * Module m of n has the CTAs from count * m / n to count * (m + 1) / n. Within a module CTAs go in order to the SMs that have
 * room, as everywhere. A module that has finished its own CTAs takes none of another's: the text divides once and for all, and
 * says what uneven work costs. On a machine of one module this is the usual order. */
#include "policy/policy.h"

struct next {
    uint32_t cta; /* the first of the group that may not have started */
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->module = sizeof(struct next);
}

static uint32_t first_of(const struct policy_self *self, uint32_t module, uint32_t count)
{
    return (uint32_t)((uint64_t)count * module / self->geometry->modules);
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    for (uint32_t m = 0; m < self->geometry->modules; m++)
        ((struct next *)policy_module_state(self, m))->cta = first_of(self, m, k->cta_count);
}

static uint32_t choose(struct policy_self *self, uint32_t sm, const uint64_t *waiting, uint32_t cta_count)
{
    const uint32_t module = sm / (self->geometry->sms / self->geometry->modules), end = first_of(self, module + 1, cta_count);
    struct next *next = policy_module_state(self, module);
    while (next->cta < end && !(waiting[next->cta / 64] >> next->cta % 64 & 1))
        next->cta++;
    return next->cta < end ? next->cta : NO_CTA;
}

const struct policy policy_cta_distributed = {
    .name = "cta-distributed",
    .summary = "each module runs a group of neighbouring CTAs, all groups of the same size",
    .source = "paper 002, section 5.3.4 (MCM-GPU, ISCA 2017)",
    .sizes = sizes,
    .gpu.kernel_start = kernel_start,
    .cta.choose = choose,
};
