/* refused_calls.c - the calls that we do not have. A program that makes one is told which, and gets an error that it can see;
 * nothing is faked. They take no arguments here: the caller's are ignored, which the C calling convention allows. */
#include <stdio.h>

#define NOT_SUPPORTED 801 /* cudaErrorNotSupported */

static int refuse(const char *name)
{
    (void)fprintf(stderr, "warpline: %s is not part of warpline's CUDA runtime; it returns cudaErrorNotSupported\n", name);
    return NOT_SUPPORTED;
}

#define CUDA_REFUSED(name)                                                                                                         \
    int name(void);                                                                                                                \
    int name(void)                                                                                                                 \
    {                                                                                                                              \
        return refuse(#name);                                                                                                      \
    }
#include "refused.def"
