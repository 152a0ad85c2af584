// What the programs here share: a check that says where it failed, and a call that must succeed.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(condition)                                                                      \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);               \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (0)
#define CALL(expression)                                                                      \
    do {                                                                                      \
        const cudaError_t e_ = (expression);                                                  \
        if (e_ != cudaSuccess) {                                                              \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #expression, cudaGetErrorString(e_)); \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (0)
#define LAUNCHED()                                                                            \
    do {                                                                                      \
        CALL(cudaGetLastError());                                                             \
        CALL(cudaDeviceSynchronize());                                                        \
    } while (0)

template <class T> T *on_device(const T *host, size_t n)
{
    T *p;
    CALL(cudaMalloc(&p, n * sizeof(T)));
    if (host)
        CALL(cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice));
    else
        CALL(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}
template <class T> void to_host(T *host, const T *device, size_t n)
{
    CALL(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}
static inline int done()
{
    std::printf("ok\n");
    return 0;
}
