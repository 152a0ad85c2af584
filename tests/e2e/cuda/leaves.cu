// leaves.cu - a program that goes away in ways that nobody expects: in the middle of a kernel, or by starting itself again.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

__global__ void add(int *p)
{
    p[threadIdx.x] += 1;
}

__global__ void endless(int *p)
{
    for (;;)
        atomicAdd(p, 1);
}

int main(int count, char **word)
{
    const char *how = count > 1 ? word[1] : "";
    int *p;
    cudaMalloc(&p, 4096);
    add<<<1, 32>>>(p);
    if (!strcmp(how, "again")) {
        fflush(stdout);
        execl(word[0], word[0], (char *)nullptr);
    }
    if (!strcmp(how, "exit") || !strcmp(how, "crash")) {
        std::thread other([how] {
            usleep(300000);
            if (!strcmp(how, "crash"))
                abort();
            exit(0);
        });
        endless<<<1, 32>>>(p);
        cudaDeviceSynchronize();
        other.join();
    }
    return 0;
}
