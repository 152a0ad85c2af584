/* libcufft.a of the folder that `warpline cc --toolkit` makes: our cuFFT (cufft.h) as functions, for host code that another compiler makes. */
#include <cufft.h>

#define CALL(name, parameters, arguments)                                                                                                   \
    extern "C" cufftResult warpline_##name parameters __asm__("cufft" #name);                                                               \
    extern "C" cufftResult warpline_##name parameters { return cufft##name arguments; }
#include "cufft_calls.h"
