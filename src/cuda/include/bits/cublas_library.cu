/* libcublas.a of the folder that `warpline cc --toolkit` makes: our cuBLAS (cublas_v2.h, cublas.h) as functions under the names of the real
 * library, for host code that another compiler makes and for configure scripts that ask for them. */
#include <cublas.h>

#define CALL(name, suffix, parameters, arguments)                                                                                           \
    extern "C" cublasStatus_t warpline_##name parameters __asm__("cublas" #name suffix);                                                    \
    extern "C" cublasStatus_t warpline_##name parameters { return cublas##name arguments; }
#define COPY(name, parameters, arguments) CALL(name, "", parameters, arguments)
#define OLD(type, name, parameters, arguments)                                                                                              \
    extern "C" type warpline_old_##name parameters __asm__("cublas" #name);                                                                 \
    extern "C" type warpline_old_##name parameters { return cublas##name arguments; }
#include "cublas_calls.h"
