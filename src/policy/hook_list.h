/* hook_list.h - every hook of struct policy as a row, for lists and docs. */
#ifndef WARPLINE_POLICY_HOOK_LIST_H
#define WARPLINE_POLICY_HOOK_LIST_H
#include <stdbool.h>
#include <stddef.h>

struct policy;
struct policy_hook_row {
    const char *name, *says; /* name: as in struct policy, "cache.before_lookup" */
    size_t offset;
};
/* Ends with a NULL name. */
const struct policy_hook_row *policy_hook_rows(void);
bool policy_fills(const struct policy *policy, const struct policy_hook_row *row);
#endif
