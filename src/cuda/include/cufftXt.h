/* cuFFT's extended interface: plans of sizes in 64 bits, for the types that cufft.h has, and arrays with a description (one GPU alone, in natural
 * order throughout). Callbacks are not part of warpline. */
#ifndef WARPLINE_CUFFTXT_H
#define WARPLINE_CUFFTXT_H
#include <cudalibxt.h>
#include <cufft.h>
#include <library_types.h>
typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT, CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT, CUFFT_FORMAT_UNDEFINED
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED } cufftXtCopyType;
/* The type that three numbers mean together; false: none that is here. */
static inline bool warpline_fft_type(cudaDataType in, cudaDataType out, cudaDataType compute, cufftType *type)
{
    const struct { cudaDataType in, out, compute; cufftType type; } known[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
        {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z}, {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
    for (const auto &k : known)
        if (k.in == in && k.out == out && k.compute == compute)
            return *type = k.type, true;
    return false;
}
static inline cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride, long long idist, cudaDataType in,
                                              long long *onembed, long long ostride, long long odist, cudaDataType out, long long batch, size_t *work,
                                              cudaDataType compute)
{
    cufftType type;
    int sizes[3] = {1, 1, 1}, ins[3] = {1, 1, 1}, outs[3] = {1, 1, 1};
    if (rank < 1 || rank > 3)
        return CUFFT_INVALID_VALUE;
    if (!warpline_fft_type(in, out, compute, &type))
        return CUFFT_NOT_SUPPORTED;
    for (int i = 0; i < rank; i++) {
        sizes[i] = (int)n[i];
        ins[i] = inembed ? (int)inembed[i] : 1;
        outs[i] = onembed ? (int)onembed[i] : 1;
    }
    return cufftMakePlanMany(handle, rank, sizes, inembed ? ins : 0, (int)istride, (int)idist, onembed ? outs : 0, (int)ostride, (int)odist, type, (int)batch, work);
}
#if defined(__CUDACC__)
static inline cufftResult cufftXtSetGPUs(cufftHandle, int count, int *which)
{
    int there = 0;
    (void)cudaGetDeviceCount(&there);
    if (count == 1 && which[0] >= 0 && which[0] < there)
        return CUFFT_SUCCESS;
    (void)fprintf(stderr, "warpline: cufftXtSetGPUs: plans over several GPUs are not part of warpline\n");
    return CUFFT_INVALID_DEVICE;
}
static inline cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **made, cufftXtSubFormat format)
{
    using namespace warpline_fft;
    const plan *const known = live_plan(handle);
    if (!known)
        return CUFFT_INVALID_PLAN;
    const plan &p = *known;
    const bool twice = p.type == CUFFT_Z2Z || p.type == CUFFT_D2Z || p.type == CUFFT_Z2D, whole = p.type == CUFFT_C2C || p.type == CUFFT_Z2Z;
    const size_t elements = (size_t)p.n[0] * (size_t)p.n[1] * (size_t)(whole ? p.n[2] : p.n[2] / 2 + 1) * (size_t)p.batch;
    cudaLibXtDesc *const d = new cudaLibXtDesc();
    d->descriptor = new cudaXtDesc();
    d->subFormat = format;
    d->descriptor->nGPUs = 1;
    d->descriptor->size[0] = elements * (twice ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex));
    *made = d;
    return cudaMalloc(&d->descriptor->data[0], d->descriptor->size[0]) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}
static inline cufftResult cufftXtFree(cudaLibXtDesc *d)
{
    (void)cudaFree(d->descriptor->data[0]);
    delete d->descriptor;
    delete d;
    return CUFFT_SUCCESS;
}
static inline cufftResult cufftXtMemcpy(cufftHandle, void *to, void *from, cufftXtCopyType type)
{
    const cudaXtDesc *const there = ((const cudaLibXtDesc *)(type == CUFFT_COPY_HOST_TO_DEVICE ? to : from))->descriptor;
    void *const target = type == CUFFT_COPY_DEVICE_TO_HOST ? to : ((cudaLibXtDesc *)to)->descriptor->data[0];
    const void *const source = type == CUFFT_COPY_HOST_TO_DEVICE ? from : there->data[0];
    return cudaMemcpy(target, source, there->size[0], cudaMemcpyDefault) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}
#define WARPLINE_FFT_DESCRIBED(name, from, to, parameter, argument)                                                                         \
    static inline cufftResult cufftXtExecDescriptor##name(cufftHandle handle, cudaLibXtDesc *in, cudaLibXtDesc *out parameter)              \
    { return cufftExec##name(handle, (from *)in->descriptor->data[0], (to *)out->descriptor->data[0] argument); }
#define WARPLINE_COMMA ,
WARPLINE_FFT_DESCRIBED(C2C, cufftComplex, cufftComplex, WARPLINE_COMMA int direction, WARPLINE_COMMA direction)
WARPLINE_FFT_DESCRIBED(Z2Z, cufftDoubleComplex, cufftDoubleComplex, WARPLINE_COMMA int direction, WARPLINE_COMMA direction)
WARPLINE_FFT_DESCRIBED(R2C, cufftReal, cufftComplex, , )
WARPLINE_FFT_DESCRIBED(C2R, cufftComplex, cufftReal, , )
WARPLINE_FFT_DESCRIBED(D2Z, cufftDoubleReal, cufftDoubleComplex, , )
WARPLINE_FFT_DESCRIBED(Z2D, cufftDoubleComplex, cufftDoubleReal, , )
/* What the plan's type says; a direction counts only where both are complex. */
static inline cufftResult cufftXtExecDescriptor(cufftHandle handle, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    const warpline_fft::plan *const known = warpline_fft::live_plan(handle);
    if (!known)
        return CUFFT_INVALID_PLAN;
    switch (known->type) {
    case CUFFT_C2C: return cufftXtExecDescriptorC2C(handle, in, out, direction);
    case CUFFT_Z2Z: return cufftXtExecDescriptorZ2Z(handle, in, out, direction);
    case CUFFT_R2C: return cufftXtExecDescriptorR2C(handle, in, out);
    case CUFFT_C2R: return cufftXtExecDescriptorC2R(handle, in, out);
    case CUFFT_D2Z: return cufftXtExecDescriptorD2Z(handle, in, out);
    case CUFFT_Z2D: return cufftXtExecDescriptorZ2D(handle, in, out);
    }
    return CUFFT_INVALID_PLAN;
}
/* The same on plain memory. */
static inline cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    const warpline_fft::plan *const known = warpline_fft::live_plan(handle);
    if (!known)
        return CUFFT_INVALID_PLAN;
    switch (known->type) {
    case CUFFT_C2C: return cufftExecC2C(handle, (cufftComplex *)in, (cufftComplex *)out, direction);
    case CUFFT_Z2Z: return cufftExecZ2Z(handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction);
    case CUFFT_R2C: return cufftExecR2C(handle, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_C2R: return cufftExecC2R(handle, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_D2Z: return cufftExecD2Z(handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    case CUFFT_Z2D: return cufftExecZ2D(handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
    return CUFFT_INVALID_PLAN;
}
#undef WARPLINE_COMMA
#undef WARPLINE_FFT_DESCRIBED
#endif
#endif
