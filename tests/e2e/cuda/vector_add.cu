// Templates over element types, a grid-stride loop, a size that is no multiple of the block.
#include "check.h"
#include <vector>
template <class T> __global__ void add(const T *a, const T *b, T *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}
template <class T> static void run(int n)
{
    std::vector<T> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = (T)(i % 100);
        b[i] = (T)(2 * i % 77);
    }
    T *da = on_device(a.data(), n), *db = on_device(b.data(), n), *dc = on_device<T>(nullptr, n);
    add<T><<<7, 96>>>(da, db, dc, n);
    LAUNCHED();
    to_host(c.data(), dc, n);
    for (int i = 0; i < n; i++)
        CHECK(c[i] == (T)(a[i] + b[i]));
    CALL(cudaFree(da));
    CALL(cudaFree(db));
    CALL(cudaFree(dc));
}
int main()
{
    run<float>(1003);
    run<double>(777);
    run<int>(5);
    run<short>(900);
    run<unsigned char>(333);
    run<long long>(1500);
    return done();
}
