/* hook_list.c - the hooks as rows: what each is for and which policies fill it in. */
#include "policy/hook_list.h"

#include <string.h>

#include "policy/policy.h"

typedef void any_function(void);

static const struct policy_hook_row rows[] = {
#define HOOK(member, says) { #member, says, offsetof(struct policy, member) },
#include "policy/hook_list.def"
#undef HOOK
    { NULL, NULL, 0 }
};

/* The hooks' structs are pointers to functions and nothing else, from `gpu` to the end of the declaration. */
_Static_assert(sizeof rows / sizeof *rows - 1 == (sizeof(struct policy) - offsetof(struct policy, gpu)) / sizeof(any_function *),
               "a hook of policy.h has no line in hook_list.def");

const struct policy_hook_row *policy_hook_rows(void)
{
    return rows;
}

bool policy_fills(const struct policy *policy, const struct policy_hook_row *row)
{
    any_function *hook;
    memcpy(&hook, (const char *)policy + row->offset, sizeof hook);
    return hook != NULL;
}
