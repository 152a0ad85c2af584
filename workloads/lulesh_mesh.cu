// lulesh_mesh - shock hydrodynamics on an unstructured mesh, in the manner of Lulesh's unstructured form: the same as `lulesh`, but nodes and elements are numbered as
// they came, so that the gathers of a warp take many lines.
#include "common/hydro.h"

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lulesh_mesh");
    workload::Rng rng(run.seed);
    workload::Cube cube(rng, workload::pick(run, 4, 16, 40, 64), workload::pick(run, 64, 4096, 4096, 4096));
    return cube.compare(run, workload::pick(run, 1, 2, 3, 4));
}
