/* energy_table.c - tables of energies: the rows that a file may have, and reading one. */
#include "energy/energy.h"

#include <math.h>

/* The defaults are never used, because a table that leaves a row out is refused. */
#define T struct energy_table
const struct param energy_table_params[] = {
#define WORK(id, name, help) PARAM_REAL(T, thread[WORK_##id], "thread." name, 0, 0, 1000, "nJ", "a thread instruction: " help),
#include "front/work.def"
#undef WORK
#define TERM(field, key, component, counters, joules, unit, help) PARAM_REAL(T, field, key, 0, 0, 100000, unit, help),
#include "energy/energy_terms.def"
#undef TERM
    PARAM_REAL(T, constant_power, "constant.power", 0, 0, 10000, "W", "power that a module draws whatever it does"),
    PARAM_REAL(T, amortisation, "constant.amortisation", 0, 0, 1, "",
               "share of each further module's constant power that is saved"),
    PARAM_REAL(T, structure_use, "structure.use", 0, 0, 1000, "pJ", "a use of a policy's structure of one entry of one bit"),
    PARAM_REAL(T, structure_leakage, "structure.leakage", 0, 0, 1000000, "nW", "leakage of a bit that a policy adds"), PARAM_END
};
#undef T

static const struct param_builtins_of tables = { energy_builtins, "energy", "table of energies", "warpline energy --tables" };

bool energy_table_load(struct energy_table *table, const char *name_or_path, const char *where, struct error *err)
{
    struct param_space *space = param_space_new();
    for (const struct param *row = energy_table_params; row->name; row++)
        *(double *)((char *)table + row->offset) = NAN;
    param_space_add(space, "", energy_table_params, table);
    bool ok = param_load_of(space, &tables, name_or_path, where, err);
    for (const struct param *row = energy_table_params; ok && row->name; row++)
        if (isnan(*(double *)((char *)table + row->offset)))
            ok = error_set(err, "%s: the table '%.200s' has no %s; begin it with 'include = k40', or add the row", where,
                           name_or_path, row->name);
    param_space_free(space);
    return ok;
}

bool energy_table_change(struct energy_table *table, const char *assignment, const char *where, struct error *err)
{
    struct param_space *space = param_space_new();
    param_space_add(space, "", energy_table_params, table);
    const bool ok = param_set_assignment(space, assignment, where, err);
    param_space_free(space);
    return ok;
}
