/* The calls that are not there. A program that makes one learns which, and gets an error it can see; nothing is pretended.
 * They take no arguments here: the callers' are ignored, which the C calling convention allows. */
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
