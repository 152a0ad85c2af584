// CUDA's words in a file that only the host's compiler sees.
#include <cuda_runtime.h>
#ifdef __CUDACC__
#error "a .cpp file is not CUDA"
#endif
struct settings {
    __host__ __device__ int twice() const { return 2 * n; }
    int n;
};
static __inline__ __host__ int one() { return 1; }
int host_part()
{
    const settings s = { 2 };
    return s.twice() + one();
}
