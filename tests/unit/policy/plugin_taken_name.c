/* A plug-in whose policy has the name of a built-in one. */
#include "policy/policy.h"
static const struct policy my_lru = { .name = "lru", .summary = "for tests", .source = "here" };
POLICY_PLUGIN(&my_lru);
