/* A plug-in as another version of warpline would have it. */
#include "policy/policy.h"
static const struct policy from_another_time = { .name = "another", .summary = "for tests", .source = "here" };
static const struct policy *const policies[] = { &from_another_time };
extern const struct policy_plugin warpline_plugin;
const struct policy_plugin warpline_plugin = { POLICY_INTERFACE_VERSION + 1, (uint32_t)sizeof(struct policy), 1, policies };
