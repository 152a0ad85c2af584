/* energy_metrics.h - what energy and time say together; equations 6.1 to 6.3 of paper 002. Energies in J, times in s. */
#ifndef WARPLINE_ENERGY_ENERGY_METRICS_H
#define WARPLINE_ENERGY_ENERGY_METRICS_H

struct energy_point {
    double joules, seconds;
};
/* Energy times the i-th power of time: EDP for 1, ED2P for 2. */
double energy_edp(struct energy_point p, unsigned i);
/* In percent, of `n` modules over one. Linear speedup at equal energy is 100 for all of them; more is possible. */
double energy_parallel_efficiency(struct energy_point one, struct energy_point many, double n); /* 6.1 */
double energy_edpse(struct energy_point one, struct energy_point many, double n, unsigned i);   /* 6.2; with i: 6.3, ED^iPSE */
#endif
