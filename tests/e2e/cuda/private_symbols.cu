// Variables that C++ keeps private to the file and that the host writes all the same: of unnamed types, in an unnamed namespace, static.
#include "check.h"

__constant__ struct {
    int a;
    float b[4];
} unnamed;
static __constant__ int fixed_scale;
namespace {
struct Pair {
    int first, second;
};
__constant__ Pair hidden;
__device__ Pair counted = {1, 2};
}
__device__ enum { RED, GREEN } colour;

__global__ void read_all(float *out)
{
    out[0] = unnamed.a;
    out[1] = unnamed.b[2];
    out[2] = fixed_scale;
    out[3] = hidden.second;
    out[4] = counted.first;
    out[5] = colour == GREEN;
    counted.second += counted.first;
}

int main()
{
    const struct {
        int a;
        float b[4];
    } values = {3, {1, 2, 3.5f, 4}};
    const Pair pair = {5, 9};
    const int scale = 8, green = GREEN;
    CALL(cudaMemcpyToSymbol(unnamed, &values, sizeof values));
    CALL(cudaMemcpyToSymbol(fixed_scale, &scale, sizeof scale));
    CALL(cudaMemcpyToSymbol(hidden, &pair, sizeof pair));
    CALL(cudaMemcpyToSymbol(counted, &scale, sizeof scale));
    CALL(cudaMemcpyToSymbol(colour, &green, sizeof green));
    float *out = on_device<float>(nullptr, 6), host[6];
    read_all<<<1, 1>>>(out);
    LAUNCHED();
    to_host(host, out, 6);
    const float wanted[6] = {3, 3.5f, 8, 9, 8, 1};
    for (int i = 0; i < 6; i++)
        CHECK(host[i] == wanted[i]);
    Pair after;
    CALL(cudaMemcpyFromSymbol(&after, counted, sizeof after));
    CHECK(after.first == 8 && after.second == 10);
    return done();
}
