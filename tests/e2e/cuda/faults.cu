// A kernel that does one thing wrong, and what the program is told of it afterwards: test_faults.py.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void fine(int *p)
{
    p[threadIdx.x] = 1;
}
__global__ void outside(int *p)
{
    p[(1 << 22) + threadIdx.x] = 1;
}
__global__ void misaligned(char *p)
{
    *(int *)(p + 1) = 1;
}
__global__ void asserting(int *p)
{
    assert(p == nullptr);
}
__global__ void trapping()
{
    asm("trap;");
}
__global__ void closed_barrier(int *p)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 96;");
    p[0] = 1;
}

int main(int argc, char **argv)
{
    int *d, next;
    void *more;
    const char *what = argc > 1 ? argv[1] : "outside";
    cudaMalloc(&d, 1024);
    fine<<<1, 32>>>(d);
    if (!strcmp(what, "outside"))
        outside<<<4, 64>>>(d);
    if (!strcmp(what, "misaligned"))
        misaligned<<<4, 64>>>((char *)d);
    if (!strcmp(what, "assert"))
        asserting<<<4, 64>>>(d);
    if (!strcmp(what, "trap"))
        trapping<<<4, 64>>>();
    if (!strcmp(what, "barrier"))
        closed_barrier<<<4, 64>>>(d);
    printf("%d", (int)cudaDeviceSynchronize());
    printf(" %d", (int)cudaGetLastError());
    fine<<<1, 32>>>(d);
    printf(" %d", (int)(next = cudaGetLastError()));
    printf(" %d", (int)cudaMemcpy(d, &next, 4, cudaMemcpyHostToDevice));
    printf(" %d", (int)cudaMalloc(&more, 4));
    cudaDeviceReset();
    printf(" %d", (int)cudaMalloc(&d, 1024));
    fine<<<1, 32>>>(d);
    printf(" %d\n", (int)cudaDeviceSynchronize());
    fprintf(stderr, "the last line of the program\n");
    return 0;
}
