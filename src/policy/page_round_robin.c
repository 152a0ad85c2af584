/* page-round-robin - pages go to the modules in turn, by their number (paper 002, section 5.3.7, which tried it for two GPUs). */
#include "policy/policy.h"

static uint32_t owner(struct policy_self *self, uint64_t page, uint32_t module)
{
    (void)module;
    return (uint32_t)(page % self->geometry->modules);
}

const struct policy policy_page_round_robin = {
    .name = "page-round-robin",
    .summary = "pages go to the modules in turn, by their addresses",
    .source = "paper 002, section 5.3.7",
    .page.owner = owner,
};
