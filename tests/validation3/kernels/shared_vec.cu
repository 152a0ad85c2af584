#include "cudamin.h"
struct __attribute__((aligned(16))) f4 {
    float x, y, z, w;
};
extern "C" __global__ void shared_vec(const f4 *in, f4 *out)
{
    __shared__ f4 s[160];
    int t = threadIdx.x, g = GLOBAL_ID;
    s[t] = in[g];
    __syncthreads();
    f4 a = s[(t * 3) % 160], b = s[159 - t], c;
    c.x = a.x + b.w;
    c.y = a.y * b.z;
    c.z = a.z - b.y;
    c.w = a.w + b.x;
    __syncthreads();
    s[(t * 7) % 160] = c;
    __syncthreads();
    out[g] = s[t];
}
