// figure3 - the worked example of Mascar's figure 3: three warps, each of which loads two words and then adds four times. Meant for
// the machine `toy`, where a load takes five cycles and an addition one. The same at every size.
#include "common/workload.h"

__device__ unsigned figure3_words[64] = { 3 }; // not all zero: traces of values are tried with every workload

// The figure's six instructions and nothing else: no address is computed, no parameter read.
__global__ void figure_3()
{
    asm volatile("{\n\t"
                 ".reg .b32 first, second, sum;\n\t"
                 "ld.global.u32 first, [figure3_words];\n\t"
                 "ld.global.u32 second, [figure3_words+128];\n\t"
                 "add.u32 sum, first, second;\n\t"
                 "add.u32 sum, sum, first;\n\t"
                 "add.u32 sum, sum, second;\n\t"
                 "add.u32 sum, sum, first;\n\t"
                 "}");
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "figure3");
    figure_3<<<1, 96>>>();
    workload::finish_kernels("figure_3");
    return workload::verdict(run, true, "nothing to compare");
}
