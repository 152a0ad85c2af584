/* energy_fit.h - a table of energies from power readings: equation 6.5 of paper 002.
 *
 * A reading is the power of one microbenchmark in steady state and of the idle board. (active - idle) x time is the energy of
 * what the kernel did, which its counters tell. The paper divides it by the one count that a microbenchmark is made for; a chase
 * through DRAM also moves lines from L2 to L1 and to registers, so that here all readings are solved together: the weighted
 * least squares of sum(number x count) = energy. A number that no microbenchmark measures keeps its value from the table that
 * the fit starts from. */
#ifndef WARPLINE_ENERGY_ENERGY_FIT_H
#define WARPLINE_ENERGY_ENERGY_FIT_H
#include "energy/energy.h"

struct energy_reading {
    char kernel[64];            /* its name in the source: joule_fp_add is for thread.fp_add, joule_l2 for transaction.l2 */
    double active_w, idle_w;    /* power of the board with it, and without work */
    double seconds, launches;   /* of the reading; how often the kernel ran in it */
    double measured_j, model_j; /* filled in by the fit: above idle; by the new table */
    char key[32];               /* what it is for; "": a mix, which helps all */
};
enum { ENERGY_READINGS_MAX = 256 };

/* kernel,active_w,idle_w,seconds[,launches] with these names in the first line. Returns how many, 0 with a sentence. */
size_t energy_readings_parse(const char *text, const char *where, struct energy_reading readings[ENERGY_READINGS_MAX],
                             struct error *err);
/* `counts` is a result of the same program: how much each kernel did. `table` holds the starting values, and afterwards the fit. */
bool energy_fit(struct energy_reading *readings, size_t count, const json_t *counts, struct energy_table *table, struct error *err);
#endif
