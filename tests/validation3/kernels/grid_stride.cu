#include "cudamin.h"
typedef float v4 __attribute__((ext_vector_type(4)));
extern "C" __global__ void grid_stride(const v4 *in, v4 *out, int n, float c)
{
    for (int i = GLOBAL_ID; i < n; i += blockDim.x * gridDim.x) {
        v4 v = in[i], w = in[n - 1 - i];
        out[i] = v * c + w;
    }
}
