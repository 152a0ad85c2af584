/* first-touch - a page lies in the memory of the module that touches it first (paper 002, section 5.3.5, figure 5.10).
 *
 * Together with cta-distributed, which gives a module the same CTAs in every launch, the pages of an iterative program are where
 * they are needed. The machine keeps pages where they were put, from kernel to kernel; within a module a page is spread over all
 * channels, as the text says. The page size is the machine's (gpu.page): the text does not state it.
 *
 * What counts as a touch is the first request for the page that wants to leave an SM. Of several modules that touch a page in one
 * cycle the one with the lowest number has it. */
#include "policy/policy.h"

#define STAT_DEF "policy/first_touch_counters.def"
#define STAT_NAME first_touch
#include "stat/declare.h"
#define STAT_DEF "policy/first_touch_counters.def"
#define STAT_NAME first_touch
#include "stat/define.h"

static uint32_t owner(struct policy_self *self, uint64_t page, uint32_t module)
{
    (void)page;
    struct first_touch_counters *count = policy_gpu_counters(self);
    count->pages++;
    return module;
}

const struct policy policy_first_touch = {
    .name = "first-touch",
    .summary = "a page goes to the module that touches it first",
    .source = "paper 002, section 5.3.5 (MCM-GPU, ISCA 2017)",
    .counters = &first_touch_stat_group,
    .page.owner = owner,
};
