/* min and max for every mix of arithmetic types, in the global namespace, on both sides, as CUDA has them. */
#ifndef WARPLINE_DEVICE_MINMAX_H
#define WARPLINE_DEVICE_MINMAX_H

/* Clang's own headers give the device version for int. */
#define WARPLINE_MINMAX(target, type)                                                                  \
    static inline target type min(type a, type b) { return b < a ? b : a; }                            \
    static inline target type max(type a, type b) { return a < b ? b : a; }
WARPLINE_MINMAX(__host__, int)
WARPLINE_MINMAX(__host__ __device__, unsigned int)
WARPLINE_MINMAX(__host__ __device__, long)
WARPLINE_MINMAX(__host__ __device__, unsigned long)
WARPLINE_MINMAX(__host__ __device__, long long)
WARPLINE_MINMAX(__host__ __device__, unsigned long long)
#undef WARPLINE_MINMAX
static inline __host__ __device__ float min(float a, float b) { return fminf(a, b); }
static inline __host__ __device__ float max(float a, float b) { return fmaxf(a, b); }
static inline __host__ __device__ double min(double a, double b) { return fmin(a, b); }
static inline __host__ __device__ double max(double a, double b) { return fmax(a, b); }

#define WARPLINE_MIXED(a_type, b_type, result)                                                                                    \
    static inline __host__ __device__ result min(a_type a, b_type b) { return (result)b < (result)a ? (result)b : (result)a; }    \
    static inline __host__ __device__ result max(a_type a, b_type b) { return (result)a < (result)b ? (result)b : (result)a; }
#define WARPLINE_MIXED2(a_type, b_type, result) WARPLINE_MIXED(a_type, b_type, result) WARPLINE_MIXED(b_type, a_type, result)
WARPLINE_MIXED2(int, unsigned int, unsigned int)
WARPLINE_MIXED2(long, unsigned long, unsigned long)
WARPLINE_MIXED2(long long, unsigned long long, unsigned long long)
WARPLINE_MIXED2(float, double, double)
#undef WARPLINE_MIXED
#undef WARPLINE_MIXED2
#endif
