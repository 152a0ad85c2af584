/* structures.c - what the policies of a run add to the machine, as a result keeps it for its energy. */
#include <jansson.h>

#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "run/session.h"

json_t *session_structures(const struct session_setup *setup)
{
    const struct policy_geometry g = machine_policy_geometry(setup->machine);
    json_t *list = json_array();
    for (uint32_t i = 0; i < policy_set_count(setup->policies); i++) {
        const struct policy *p = policy_set_at(setup->policies, i);
        struct policy_structure s[POLICY_STRUCTURES_MAX];
        const uint32_t count = policy_structures(p, policy_set_config(setup->policies, i), &g, s);
        for (uint32_t k = 0; k < count; k++)
            (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:f}", "policy", p->name, "structure",
                                                        s[k].name, "uses", s[k].uses, "entries", (json_int_t)s[k].entries, "bits",
                                                        (json_int_t)s[k].bits, "copies", (json_int_t)s[k].copies, "use_pj",
                                                        s[k].use_pj, "leakage_mw", s[k].leakage_mw));
    }
    return list;
}
