/* places.h - where this build or installation keeps what CUDA programs need: our headers and our libcudart. */
#ifndef WARPLINE_RUN_PLACES_H
#define WARPLINE_RUN_PLACES_H
#include <limits.h>
#include "base/error.h"

struct cuda_places {
    char include_dir[PATH_MAX]; /* holds cuda_runtime_prelude.h */
    char library_dir[PATH_MAX]; /* holds libcudart.so.13 and its older names */
};

/* Looks beside the running binary: an installation (../share/warpline, ../LIBDIR/warpline), else the build directory with the
 * headers of the source tree it was built from. */
bool cuda_places_find(struct cuda_places *places, struct error *err);
#endif
