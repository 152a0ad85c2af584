/* energy_metrics.c - metrics of scaling: parallel efficiency, EDP scaling efficiency and its powers. */
#include "energy/energy_metrics.h"

#include <math.h>

double energy_edp(struct energy_point p, unsigned i)
{
    return p.joules * pow(p.seconds, i);
}

double energy_parallel_efficiency(struct energy_point one, struct energy_point many, double n)
{
    return 100 * one.seconds / (n * many.seconds);
}

double energy_edpse(struct energy_point one, struct energy_point many, double n, unsigned i)
{
    return 100 * energy_edp(one, i) / (pow(n, i) * energy_edp(many, i));
}
