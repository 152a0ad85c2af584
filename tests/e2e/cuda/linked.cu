// Device code of two files: functions, variables and kernels of the other file, pointers to both in initial values, and statics of one name.
// Names that both files define, inline or weakly, mean one thing.
// also: linked_part.cu
// flags: -rdc=true
#include "linked.h"
__device__ unary here[2] = { twice, nullptr };
static __device__ float own = 2;
static __global__ void tell(float *out) { *out = own; }
__global__ void mix(float *out, particle *p)
{
    const int i = (int)threadIdx.x;
    atomicAdd(&counter, 1);
    out[i] = choose(i)((float)i) * scale[i % 4] + here[0](1) + there(3) + *pointer + own;
    p[i] = particle();
    p[i].advance(0.5f);
}
#if defined(__clang__) // to nvcc every function is strong
__device__ __attribute__((weak)) int chosen() { return 1; }
#endif
__global__ void calls_remote(float *out) { remote<<<1, 32>>>(out); }
__global__ void change(int *out)
{
    in_both += 4;
    out[0] = next_number();
    out[1] = chosen();
}
int main()
{
    float *out = on_device<float>(nullptr, 64), host[64];
    particle *p = on_device<particle>(nullptr, 64), particles[64];
    const float factors[4] = { 1, 2, 3, 4 }, changed = 10;
    CALL(cudaMemcpyToSymbol(scale, factors, sizeof factors));
    CALL(cudaMemcpyToSymbol(own, &changed, sizeof changed));
    mix<<<1, 64>>>(out, p);
    LAUNCHED();
    to_host(host, out, 64);
    to_host(particles, p, 64);
    for (int i = 0; i < 64; i++) {
        CHECK(host[i] == (i % 2 ? 0.5f * i : i + 100.f) * factors[i % 4] + 2 + 24 + 7 + 10);
        CHECK(particles[i].x == 1.5f);
    }
    CHECK(count_of_the_other_file() == 64);
    tell<<<1, 1>>>(out);
    LAUNCHED();
    to_host(host, out, 1);
    CHECK(host[0] == 10);
    tell_of_the_other_file(out);
    to_host(host, out, 1);
    CHECK(host[0] == 7);
    remote<<<1, 32>>>(out); // a kernel of the other file
    LAUNCHED();
    to_host(host, out, 32);
    CHECK(host[31] == 38);
    CALL(cudaMemset(out, 0, 32 * sizeof *out));
    calls_remote<<<1, 1>>>(out); // and by a kernel of this one
    LAUNCHED();
    to_host(host, out, 32);
    CHECK(host[30] == 37);
    int *numbers = on_device<int>(nullptr, 4), seen[4], start = 20;
    CALL(cudaMemcpyToSymbol(in_both, &start, sizeof start));
    change<<<1, 1>>>(numbers);
    LAUNCHED();
    see_in_both(numbers + 2);
    to_host(seen, numbers, 4);
    CHECK(seen[0] == 5 && seen[1] == 2 && seen[2] == 24 && seen[3] == 6);
    CALL(cudaMemcpyFromSymbol(&start, in_both, sizeof start));
    CHECK(start == 24);
    return done();
}
