/* A plug-in whose policy forgets to say how long its period is. */
#include "policy/policy.h"
static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)self, (void)cycle;
}
static const struct policy forgetful = {
    .name = "forgetful", .summary = "for tests", .source = "here", .gpu.every_cycles = every_cycles
};
POLICY_PLUGIN(&forgetful);
