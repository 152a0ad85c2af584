/* cuFFT's extended interface: plans of sizes in 64 bits, for the types that cufft.h has. Several GPUs and callbacks are not part of warpline. */
#ifndef WARPLINE_CUFFTXT_H
#define WARPLINE_CUFFTXT_H
#include <cufft.h>
#include <library_types.h>
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
#endif
