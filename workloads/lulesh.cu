// lulesh - shock hydrodynamics on a regular mesh of hexahedra, in the manner of Lulesh: nodes are reached through lists, but in order, so that the eight gathers of a warp
// are a few lines each and neighbouring elements share them.
#include "common/hydro.h"

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lulesh");
    workload::Rng rng(run.seed);
    workload::Cube cube(rng, workload::pick(run, 4, 16, 40, 80), 0);
    return cube.compare(run, workload::pick(run, 1, 2, 3, 4));
}
