/* cuFFT's transforms of one to three dimensions, complex and real, in float and double, by simple kernels of our own: powers of two in
 * log2(n) passes over memory (Stockham's order), other lengths by their definition. The results are right to rounding; the kernels, and so
 * the time, are not NVIDIA's. Files of other compilers call those of libcufft.a, which `warpline cc --toolkit` makes. */
#ifndef WARPLINE_CUFFT_H
#define WARPLINE_CUFFT_H
#include "bits/names_hidden.h"
#define _CUFFT_H_ /* programs ask for this name */
#include <cuda_runtime.h>
#include <cuComplex.h>
#if defined(__CUDACC__)
#include <vector>
#endif

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3, CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9, CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11, CUFFT_PARSE_ERROR = 12, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14, CUFFT_LICENSE_ERROR = 15, CUFFT_NOT_SUPPORTED = 16, CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18, CUFFT_NVJITLINK_FAILURE = 19, CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#if !defined(__CUDACC__)
#if defined(__cplusplus)
extern "C" {
#endif
#define CALL(name, parameters, arguments) cufftResult cufft##name parameters;
#include "bits/cufft_calls.h"
#undef CALL
#if defined(__cplusplus)
}
#endif
#else

namespace warpline_fft {
/* Where an array of the program's lies: element (i0, i1, i2) of transform b is at b * dist + ((i0 * rows + i1) * columns + i2) * step. */
struct layout { long long dist, rows, columns, step; };
struct plan {
    cufftType type;
    int n[3], batch; /* missing dimensions are 1, in front */
    layout in, out;
    cudaStream_t stream;
    bool live;
};
inline std::vector<plan> &plans() { static std::vector<plan> all; return all; }
inline const plan *live_plan(int handle) /* NULL: none, or one without sizes yet */
{
    const bool there = handle >= 1 && (size_t)handle <= plans().size() && plans()[(size_t)handle - 1].live;
    return there ? &plans()[(size_t)handle - 1] : NULL;
}

template <class C> struct real_of;
template <> struct real_of<float2> { typedef float type; };
template <> struct real_of<double2> { typedef double type; };
__device__ inline void turn(float x, float *s, float *c) { sincospif(x, s, c); }
__device__ inline void turn(double x, double *s, double *c) { sincospi(x, s, c); }

struct shape { int n0, n1, n2, batch; };
__device__ inline long long place(layout l, shape s, long long i, int last)
{
    const long long i2 = i % last, i1 = i / last % s.n1, i0 = i / last / s.n1 % s.n0, b = i / last / s.n1 / s.n0;
    return b * l.dist + ((i0 * l.rows + i1) * l.columns + i2) * l.step;
}
template <class C> __global__ void take_complex(C *to, const C *from, layout l, shape s, long long total)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total)
        to[i] = from[place(l, s, i, s.n2)];
}
template <class C> __global__ void take_real(C *to, const typename real_of<C>::type *from, layout l, shape s, long long total)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) {
        to[i].x = from[place(l, s, i, s.n2)];
        to[i].y = 0;
    }
}
/* Of a real signal's transform only half is given; the rest mirrors it. */
template <class C> __global__ void take_half(C *to, const C *from, layout l, shape s, long long total)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    const int half = s.n2 / 2 + 1;
    int i2 = (int)(i % s.n2), i1 = (int)(i / s.n2 % s.n1), i0 = (int)(i / s.n2 / s.n1 % s.n0);
    const long long b = i / s.n2 / s.n1 / s.n0;
    const bool mirrored = i2 >= half;
    if (mirrored) {
        i2 = s.n2 - i2;
        i1 = i1 ? s.n1 - i1 : 0;
        i0 = i0 ? s.n0 - i0 : 0;
    }
    C v = from[b * l.dist + ((i0 * l.rows + i1) * l.columns + i2) * l.step];
    v.y = mirrored ? -v.y : v.y;
    to[i] = v;
}
template <class C> __global__ void give_complex(C *to, const C *from, layout l, shape s, int last, long long total)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total)
        to[place(l, s, i, last)] = from[i / last * s.n2 + i % last];
}
template <class C> __global__ void give_real(typename real_of<C>::type *to, const C *from, layout l, shape s, long long total)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total)
        to[place(l, s, i, s.n2)] = from[i].x;
}
/* One pass of a power of two: sequences of p have been done, and become sequences of 2 p. `step` is between elements of a line. */
template <class C> __global__ void pass(C *to, const C *from, int n, int p, long long step, int direction, long long total)
{
    typedef typename real_of<C>::type R;
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= total)
        return;
    const long long in_line = t / step % (n / 2), base = t / (step * (n / 2)) * step * n + t % step;
    const int i = (int)in_line, k = i & (p - 1), at = 2 * i - k;
    const C a = from[base + i * step], b = from[base + (i + n / 2) * step];
    R s, c;
    turn((R)direction * (R)k / (R)p, &s, &c);
    C u, v;
    u.x = b.x * c - b.y * s;
    u.y = b.x * s + b.y * c;
    v.x = a.x - u.x;
    v.y = a.y - u.y;
    u.x += a.x;
    u.y += a.y;
    to[base + at * step] = u;
    to[base + (at + p) * step] = v;
}
template <class C> __global__ void by_definition(C *to, const C *from, int n, long long step, int direction, long long total)
{
    typedef typename real_of<C>::type R;
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= total)
        return;
    const long long k = t / step % n, base = t / (step * n) * step * n + t % step;
    C sum;
    sum.x = sum.y = 0;
    for (long long j = 0; j < n; j++) {
        R s, c;
        turn((R)direction * (R)2 * (R)(j * k % n) / (R)n, &s, &c);
        const C v = from[base + j * step];
        sum.x += v.x * c - v.y * s;
        sum.y += v.x * s + v.y * c;
    }
    to[t] = sum;
}
inline unsigned blocks(long long n) { return (unsigned)((n + 127) / 128); }
/* Along one dimension; the result is in `a` again. */
template <class C> inline void along(C *&a, C *&b, int n, long long step, int direction, long long total, cudaStream_t stream)
{
    if (n & (n - 1)) {
        by_definition<C><<<blocks(total), 128, 0, stream>>>(b, a, n, step, direction, total);
        C *const t = a;
        a = b;
        b = t;
        return;
    }
    for (int p = 1; p < n; p *= 2) {
        pass<C><<<blocks(total / 2), 128, 0, stream>>>(b, a, n, p, step, direction, total / 2);
        C *const t = a;
        a = b;
        b = t;
    }
}
/* Which parts of a transform are real. */
enum kind { COMPLEX, FROM_REAL, TO_REAL };
template <class C> inline cufftResult run(cufftHandle handle, const void *in, void *out, int direction, kind k)
{
    typedef typename real_of<C>::type R;
    const plan *const known = live_plan(handle);
    if (!known)
        return CUFFT_INVALID_PLAN;
    const plan p = *known;
    const shape s = {p.n[0], p.n[1], p.n[2], p.batch};
    const long long total = (long long)s.n0 * s.n1 * s.n2 * s.batch;
    C *a, *b;
    if (cudaMalloc((void **)&a, (size_t)total * sizeof(C)) != cudaSuccess || cudaMalloc((void **)&b, (size_t)total * sizeof(C)) != cudaSuccess)
        return CUFFT_ALLOC_FAILED;
    if (k == FROM_REAL)
        take_real<C><<<blocks(total), 128, 0, p.stream>>>(a, (const R *)in, p.in, s, total);
    else if (k == TO_REAL)
        take_half<C><<<blocks(total), 128, 0, p.stream>>>(a, (const C *)in, p.in, s, total);
    else
        take_complex<C><<<blocks(total), 128, 0, p.stream>>>(a, (const C *)in, p.in, s, total);
    along(a, b, s.n2, 1, direction, total, p.stream);
    along(a, b, s.n1, s.n2, direction, total, p.stream);
    along(a, b, s.n0, (long long)s.n1 * s.n2, direction, total, p.stream);
    const int last = k == FROM_REAL ? s.n2 / 2 + 1 : s.n2;
    if (k == TO_REAL)
        give_real<C><<<blocks(total), 128, 0, p.stream>>>((R *)out, a, p.out, s, total);
    else
        give_complex<C><<<blocks(total / s.n2 * last), 128, 0, p.stream>>>((C *)out, a, p.out, s, last, total / s.n2 * last);
    const bool ok = cudaGetLastError() == cudaSuccess;
    cudaFree(a);
    cudaFree(b);
    return ok ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
}

static inline cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist,
                                        cufftType type, int batch)
{
    using namespace warpline_fft;
    if (rank < 1 || rank > 3 || batch < 1)
        return CUFFT_INVALID_VALUE;
    plan p = {type, {1, 1, 1}, batch, {}, {}, 0, true};
    for (int i = 0; i < rank; i++)
        if ((p.n[3 - rank + i] = n[i]) < 1)
            return CUFFT_INVALID_SIZE;
    const bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z, to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    const long long half = p.n[2] / 2 + 1, in_row = to_real ? half : p.n[2], out_row = from_real ? half : p.n[2], planes = (long long)p.n[0] * p.n[1];
    p.in = inembed ? layout{idist, rank > 1 ? inembed[rank - 2] : 1, inembed[rank - 1], istride} : layout{planes * in_row, p.n[1], in_row, 1};
    p.out = onembed ? layout{odist, rank > 1 ? onembed[rank - 2] : 1, onembed[rank - 1], ostride} : layout{planes * out_row, p.n[1], out_row, 1};
    plans().push_back(p);
    *handle = (int)plans().size();
    return CUFFT_SUCCESS;
}
static inline cufftResult cufftPlan1d(cufftHandle *handle, int n, cufftType type, int batch) { return cufftPlanMany(handle, 1, &n, 0, 1, 0, 0, 1, 0, type, batch); }
static inline cufftResult cufftPlan2d(cufftHandle *handle, int n0, int n1, cufftType type)
{ int n[2] = {n0, n1}; return cufftPlanMany(handle, 2, n, 0, 1, 0, 0, 1, 0, type, 1); }
static inline cufftResult cufftPlan3d(cufftHandle *handle, int n0, int n1, int n2, cufftType type)
{ int n[3] = {n0, n1, n2}; return cufftPlanMany(handle, 3, n, 0, 1, 0, 0, 1, 0, type, 1); }
/* In two steps: a handle first, what it transforms later. */
static inline cufftResult cufftCreate(cufftHandle *handle)
{
    warpline_fft::plans().push_back(warpline_fft::plan());
    return *handle = (int)warpline_fft::plans().size(), CUFFT_SUCCESS;
}
static inline cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist,
                                            cufftType type, int batch, size_t *work)
{
    cufftHandle made;
    if (handle < 1 || (size_t)handle > warpline_fft::plans().size())
        return CUFFT_INVALID_PLAN;
    const cudaStream_t stream = warpline_fft::plans()[(size_t)handle - 1].stream;
    const cufftResult r = cufftPlanMany(&made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
    if (r != CUFFT_SUCCESS)
        return r;
    warpline_fft::plans()[(size_t)handle - 1] = warpline_fft::plans().back();
    warpline_fft::plans()[(size_t)handle - 1].stream = stream;
    warpline_fft::plans().pop_back();
    if (work)
        *work = 0;
    return CUFFT_SUCCESS;
}
static inline cufftResult cufftMakePlan1d(cufftHandle handle, int n, cufftType type, int batch, size_t *work)
{ return cufftMakePlanMany(handle, 1, &n, 0, 1, 0, 0, 1, 0, type, batch, work); }
static inline cufftResult cufftMakePlan2d(cufftHandle handle, int n0, int n1, cufftType type, size_t *work)
{ int n[2] = {n0, n1}; return cufftMakePlanMany(handle, 2, n, 0, 1, 0, 0, 1, 0, type, 1, work); }
static inline cufftResult cufftMakePlan3d(cufftHandle handle, int n0, int n1, int n2, cufftType type, size_t *work)
{ int n[3] = {n0, n1, n2}; return cufftMakePlanMany(handle, 3, n, 0, 1, 0, 0, 1, 0, type, 1, work); }
static inline cufftResult cufftDestroy(cufftHandle handle)
{
    if (handle < 1 || (size_t)handle > warpline_fft::plans().size())
        return CUFFT_INVALID_PLAN;
    warpline_fft::plans()[(size_t)handle - 1].live = false;
    return CUFFT_SUCCESS;
}
static inline cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    if (handle < 1 || (size_t)handle > warpline_fft::plans().size())
        return CUFFT_INVALID_PLAN;
    warpline_fft::plans()[(size_t)handle - 1].stream = stream;
    return CUFFT_SUCCESS;
}
static inline cufftResult cufftGetVersion(int *version) { return *version = 11000, CUFFT_SUCCESS; }
static inline cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int direction)
{ return warpline_fft::run<cufftComplex>(h, in, out, direction, warpline_fft::COMPLEX); }
static inline cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{ return warpline_fft::run<cufftDoubleComplex>(h, in, out, direction, warpline_fft::COMPLEX); }
static inline cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out)
{ return warpline_fft::run<cufftComplex>(h, in, out, CUFFT_FORWARD, warpline_fft::FROM_REAL); }
static inline cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out)
{ return warpline_fft::run<cufftComplex>(h, in, out, CUFFT_INVERSE, warpline_fft::TO_REAL); }
static inline cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out)
{ return warpline_fft::run<cufftDoubleComplex>(h, in, out, CUFFT_FORWARD, warpline_fft::FROM_REAL); }
static inline cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out)
{ return warpline_fft::run<cufftDoubleComplex>(h, in, out, CUFFT_INVERSE, warpline_fft::TO_REAL); }
#endif
#include "bits/names_shown.h"
#endif
