// malloc, free, new and delete in kernels; virtual functions and function pointers.
#include "check.h"
struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape() {}
};
struct square : shape {
    float a;
    __device__ square(float side) : a(side) {}
    __device__ float area() const override { return a * a; }
};
struct circle : shape {
    float r;
    __device__ circle(float radius) : r(radius) {}
    __device__ float area() const override { return 3 * r * r; }
};
__global__ void shapes(float *out)
{
    shape *s;
    if (threadIdx.x % 2)
        s = new square((float)threadIdx.x);
    else
        s = new circle((float)threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
}
typedef int (*operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ operation table[2] = { plus, times };
__global__ void pointers(int *out) { out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x, 3); }
__global__ void lists(int *out)
{
    struct node { int value; node *next; } *head = nullptr;
    for (int i = 0; i < 5; i++) {
        node *n = (node *)malloc(sizeof(node));
        if (!n) {
            out[threadIdx.x] = -1;
            return;
        }
        n->value = i * (int)threadIdx.x;
        n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        node *n = head;
        sum += n->value;
        head = n->next;
        free(n);
    }
    out[threadIdx.x] = sum;
}
struct counted {
    int value;
    __device__ counted() : value(7) {}
};
__global__ void arrays(int *out) // nvcc writes before the block that malloc gave
{
    const int n = 3 + (int)threadIdx.x % 4;
    counted *a = new counted[n];
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i].value;
    delete[] a;
    out[threadIdx.x] = sum;
}
__device__ void *kept[1024];
__global__ void fill_heap(int *out)
{
    int n = 0;
    while (n < 1024 && (kept[n] = malloc(1 << 16)))
        *(char *)kept[n++] = 1;
    *out = n;
    while (n--)
        free(kept[n]);
}
int main()
{
    float f[32], *df = on_device<float>(nullptr, 32);
    int h[64], *d = on_device<int>(nullptr, 64);
    shapes<<<1, 32>>>(df);
    LAUNCHED();
    to_host(f, df, 32);
    for (int i = 0; i < 32; i++)
        CHECK(f[i] == (i % 2 ? 1 : 3) * (float)(i * i));
    pointers<<<1, 64>>>(d);
    LAUNCHED();
    to_host(h, d, 64);
    for (int i = 0; i < 64; i++)
        CHECK(h[i] == (i & 1 ? i * 3 : i + 3));
    lists<<<1, 64>>>(d);
    LAUNCHED();
    to_host(h, d, 64);
    for (int i = 0; i < 64; i++)
        CHECK(h[i] == 10 * i);
    arrays<<<1, 64>>>(d);
    LAUNCHED();
    to_host(h, d, 64);
    for (int i = 0; i < 64; i++)
        CHECK(h[i] == 7 * (3 + i % 4));
    fill_heap<<<1, 1>>>(d); // 8 MB unless the program asks for more: 128 blocks, less what keeps account of them
    LAUNCHED();
    to_host(h, d, 1);
    CHECK(h[0] >= 120 && h[0] <= 128);
    return done();
}
