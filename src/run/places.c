/* places.c - where this installation keeps its libcudart and its CUDA headers. */
#include "run/places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "install_places.h"

static bool directory_of_binary(char *out, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length <= 0)
        return false;
    out[length] = 0;
    char *slash = strrchr(out, '/');
    if (!slash)
        return false;
    *slash = 0;
    return true;
}

/* True when base/relative/file can be read; `out` is then base/relative. */
static bool holds(const char *base, const char *relative, const char *file, char out[PATH_MAX])
{
    char path[2 * PATH_MAX];
    if (snprintf(out, PATH_MAX, "%s%s", base, relative) >= PATH_MAX)
        return false;
    (void)snprintf(path, sizeof path, "%s/%s", out, file);
    return access(path, R_OK) == 0;
}

bool cuda_places_find(struct cuda_places *places, struct error *err)
{
    char base[PATH_MAX / 2];
    if (!directory_of_binary(base, sizeof base))
        return error_set_code(err, CODE_INTERNAL, "cannot tell where the warpline binary lies: /proc is not there");
    /* A test binary lies deeper in the build directory than warpline does. */
    static const char *const libraries[] = { WARPLINE_LIBRARIES, "", "/..", "/../..", "/../../..", NULL };
    bool found = false;
    for (size_t i = 0; libraries[i] && !found; i++)
        found = holds(base, libraries[i], "libcudart.so.13", places->library_dir);
    if (!found)
        return error_set(err, "libcudart.so.13 of warpline is not beside %s: build or install warpline again", base);
    if (!holds(base, "/../share/warpline/include", "cuda_runtime_prelude.h", places->include_dir) &&
        !holds("", WARPLINE_CUDA_INCLUDE, "cuda_runtime_prelude.h", places->include_dir))
        return error_set(err,
                         "warpline's CUDA headers are neither in %s/../share/warpline/include nor in " WARPLINE_CUDA_INCLUDE
                         ": install warpline again",
                         base);
    return true;
}
