// Kernel arguments of every layout, by value, by <<< >>> and by pointers; cudaLaunchKernelExC.
#include "check.h"
struct odd { char c; double d; short s; };
struct packed { char a[3]; short b; char c; };
struct large { int v[200]; float3 f; double2 d; };
__global__ void take(char c, double d, short s, packed p, float3 f, odd o, large l, int *out, long long ll, bool b, double2 d2, uchar3 u)
{
    int sum = c + (int)d + s + p.a[0] + p.a[1] + p.a[2] + p.b + p.c + (int)(f.x + f.y + f.z) + o.c + (int)o.d + o.s;
    for (int i = 0; i < 200; i++)
        sum += l.v[i];
    sum += (int)(l.f.y + l.d.y) + (int)(ll >> 32) + b + (int)d2.y + u.x + u.y + u.z;
    *out = sum;
}
int main()
{
    char c = 1;
    double d = 2;
    short s = 3;
    packed p = { { 4, 5, 6 }, 7, 8 };
    float3 f = make_float3(9, 10, 11);
    odd o = { 12, 13, 14 };
    large l;
    int wanted = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14, got = 0;
    for (int i = 0; i < 200; i++)
        wanted += l.v[i] = i;
    l.f = make_float3(0, 15, 0);
    l.d = make_double2(0, 16);
    int *out = on_device<int>(nullptr, 1);
    long long ll = 17ll << 32;
    bool b = true;
    double2 d2 = make_double2(0, 18);
    uchar3 u = make_uchar3(19, 20, 21);
    wanted += 15 + 16 + 17 + 1 + 18 + 60;
    take<<<1, 1>>>(c, d, s, p, f, o, l, out, ll, b, d2, u);
    LAUNCHED();
    to_host(&got, out, 1);
    CHECK(got == wanted);
    CALL(cudaMemset(out, 0, sizeof(int)));
    void *args[] = { &c, &d, &s, &p, &f, &o, &l, &out, &ll, &b, &d2, &u };
    CALL(cudaLaunchKernel((const void *)take, dim3(1), dim3(1), args, 0, 0));
    LAUNCHED();
    to_host(&got, out, 1);
    CHECK(got == wanted);
    CALL(cudaMemset(out, 0, sizeof(int)));
    cudaLaunchConfig_t config;
    memset((void *)&config, 0, sizeof config);
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    CALL(cudaLaunchKernelExC(&config, (const void *)take, args));
    LAUNCHED();
    to_host(&got, out, 1);
    CHECK(got == wanted);
    return done();
}
