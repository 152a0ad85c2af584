/* energy.h - the energy of a run from its counters: GPUJoule's equation (paper 002, equation 6.4).
 *
 * A table (energy/NAME.conf, or a file of the user's) has the energy of an instruction of each kind, of a transaction at each level
 * of the memory, of a stall, and the constant power. energy_terms.def says which counters each number is multiplied with. The
 * result's JSON is all that is read: an old result gets its energy by another table without being run again.
 *
 * Law: energy is additive. A kernel's total is the sum of its components; a component of the totals is the sum over the kernels. */
#ifndef WARPLINE_ENERGY_ENERGY_H
#define WARPLINE_ENERGY_ENERGY_H
#include <jansson.h>

#include "front/work.h"
#include "param/param.h"

enum energy_component {
    ENERGY_INSTRUCTIONS,
    ENERGY_SHARED,
    ENERGY_L1,
    ENERGY_L2,
    ENERGY_DRAM,
    ENERGY_LINK,
    ENERGY_STALL,
    ENERGY_CONSTANT,
    ENERGY_POLICIES,
    ENERGY_COMPONENTS
};
extern const char *const energy_component_names[ENERGY_COMPONENTS];

struct energy_table {
    double thread[WORK_COUNT]; /* nJ per thread instruction */
#define TERM(field, key, component, counters, joules, unit, help) double field;
#include "energy/energy_terms.def"
#undef TERM
    double constant_power, amortisation; /* W per module; share of a further module's that is saved */
    double structure_use;                /* pJ, of one entry of one bit; see energy_structure_pj */
    double structure_leakage;            /* nW per bit */
};
extern const struct param energy_table_params[];

/* The tables that are built in, and their names alone (a list of choices, which ends with NULL). */
extern const struct param_builtin energy_builtins[];
extern const char *const energy_table_names[];

/* Reads a table by the name of a built-in one or by a path. A table must have every number. */
bool energy_table_load(struct energy_table *table, const char *name_or_path, const char *where, struct error *err);

/* Changes one number: "link.board=40". */
bool energy_table_change(struct energy_table *table, const char *assignment, const char *where, struct error *err);

/* The energy of one use of a structure, by its size, in pJ. The powers are those that best fit CACTI's structures at 28, 40 and
 * 45 nm, all taken together. */
double energy_structure_pj(const struct energy_table *table, double entries, double bits);

/* Sets "energy" in each kernel and in the totals of a result:
 *   {"table": name, "seconds", "total_j", "mean_w", "edp_js", "ed2p_js2", "components": {name: joules...}}
 * What policies add is in the result's "structures":
 *   [{"policy", "structure", "uses": counters, "entries", "bits", "copies", "use_pj", "leakage_mw"}...]
 * where a 0 of the last two means: by its size. A result without counters (a functional run) is left as it is. False: the result
 * was made before there were these counters. */
bool energy_set(json_t *result, const struct energy_table *table, const char *name, struct error *err);
/* The same with the table that the result's configuration names, if it names one. A result that is just being made has what it
 * takes. */
void energy_set_own(json_t *result);

/* The terms of the sum one by one, instructions first. `joules`: what a table's number of 1 makes of a kernel's counters. */
uint32_t energy_term_count(void);
const char *energy_term_key(uint32_t term);
double energy_term_joules(uint32_t term, const json_t *measures);
double energy_term_number(const struct energy_table *table, uint32_t term);
void energy_term_set(struct energy_table *table, uint32_t term, double number);

/* The energy of each term, for lists: [{"key", "component", "count", "value", "unit", "joules"}...] over the totals. */
json_t *energy_terms(const json_t *result, const struct energy_table *table);
#endif
