/* reference.c - the switches: one per slip, all off by default. configs/gtx480-gpgpusim.conf sets every one. */
#include "reference/reference.h"

#define T struct reference_config
const struct param reference_params[] = {
    PARAM_BOOL(T, never_yield, "reference.never_yield", false,
               "lanes that spin never let other lanes of their warp go on; a lock within a warp then hangs"),
    PARAM_BOOL(
        T, wake_arrived, "reference.wake_arrived", false,
        "a barrier that completes wakes every warp that arrived there, also those of bar.arrive that wait at another one by now"),
    PARAM_BOOL(T, cut_integers, "reference.cut_integers", false,
               "integer constants in PTX keep their low 32 bits alone, extended by their sign"),
    PARAM_END
};
#undef T
