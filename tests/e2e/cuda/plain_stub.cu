// A kernel called through a pointer as a plain function: nothing is launched, the error is told, and the next launch works.
#include "check.h"
__global__ void set(int *p) { *p = 7; }
int main()
{
    int h = 0;
    int *d = on_device<int>(&h, 1);
    void (*volatile called)(int *) = set;
    called(d);
    CHECK(cudaGetLastError() != cudaSuccess);
    to_host(&h, d, 1);
    CHECK(h == 0);
    set<<<1, 1>>>(d);
    LAUNCHED();
    to_host(&h, d, 1);
    CHECK(h == 7);
    return done();
}
