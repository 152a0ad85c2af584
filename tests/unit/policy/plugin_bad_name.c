/* A plug-in whose policy has a name that cannot be typed after --policy, or that means something there already. */
#include "policy/policy.h"
static const struct policy named = { .name = "Wrong,Name", .summary = "for tests", .source = "here" };
POLICY_PLUGIN(&named);
