// A program whose work depends on everything outside it that can be asked for: test_reuse.py changes one thing at a time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void work(int *out, int n)
{
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += out[i % 32];
    out[threadIdx.x] = sum;
}

static int by_fopen(const char *path)
{
    int n = 0;
    if (FILE *f = fopen(path, "r")) {
        if (fscanf(f, "%d", &n) != 1)
            n = 0;
        fclose(f);
    }
    return n;
}

static int number_of(int fd)
{
    char text[16] = "";
    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
        text[0] = 0;
    if (fd >= 0)
        close(fd);
    return atoi(text);
}

static int by_open(const char *path)
{
    return number_of(open(path, O_RDONLY));
}

static int by_number(const char *path)
{
    return number_of((int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0));
}

static int names_in(const char *path)
{
    int n = 0;
    if (DIR *d = opendir(path)) {
        while (dirent *e = readdir(d))
            n += e->d_name[0] != '.';
        closedir(d);
    }
    return n;
}

int main(int argc, char **argv)
{
    int n = 10, more = 0;
    struct stat info;
    n += by_fopen("by_fopen") + by_open("by_open") + by_number("by_number") + names_in("folder");
    std::ifstream("by_stream") >> more;
    n += more;
    n += getenv("READER_N") ? atoi(getenv("READER_N")) : 0;
    n += stat("flag", &info) == 0 ? 3 : 0;
    n += argc > 1 ? by_fopen(argv[1]) : 0;
    if (access("show_folder", F_OK) == 0) {
        char here[4096];
        n += getcwd(here, sizeof here) ? (int)strlen(here) : 0;
    }
    if (FILE *own = fopen("own", "w")) { // what it wrote itself is no input
        fprintf(own, "%d", (int)getpid());
        fclose(own);
        (void)by_fopen("own");
    }
    int *d;
    cudaMalloc(&d, 32 * sizeof(int));
    cudaMemset(d, 0, 32 * sizeof(int));
    work<<<1, 32>>>(d, n);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
