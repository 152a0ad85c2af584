/* lanes.h - the vector executors of lanes.def, in the variant that suits this host. */
#ifndef WARPLINE_EXEC_LANES_H
#define WARPLINE_EXEC_LANES_H
#include "exec/engine.h"

enum lane_row {
#define UNARY(name, ...) LANE_##name,
#define BINARY(name, ...) LANE_##name,
#define TERNARY(name, ...) LANE_##name,
#define SELECT(name, ...) LANE_##name,
#define COMPARE(name, ...) LANE_##name,
#include "exec/lanes.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef SELECT
#undef COMPARE
    LANE_COUNT
};

struct lanes {
    const char *name; /* "portable", "avx2", "avx512" */
    exec_fn execute[LANE_COUNT];
    compare_fn compare[LANE_COUNT]; /* rows of COMPARE only */
    /* Loads and stores of one 32-bit or 64-bit element per lane, in an allocation that the site met before or in shared
     * memory; what they cannot do they hand to access_load and access_store. */
    exec_fn load_32, load_64, store_32, store_64;
    exec_fn load_shared_32, load_shared_64, store_shared_32, store_shared_64;
    /* The same for generic addresses, and for vectors of such elements, up to 16 bytes in all. */
    exec_fn load_any, store_any;
    /* Products of tiles, in double (matrix.c), and the halves of a register as doubles. */
    void (*multiply)(const double *a, const double *b, double *c, uint32_t rows, uint32_t columns, uint32_t depth);
    void (*widen_f16)(const uint16_t *from, double *to);
};
extern const struct lanes lanes_portable, lanes_avx2, lanes_avx512;
/* The variant of that name, NULL when this host cannot run it; name NULL: the best one. All give the same bits. */
const struct lanes *lanes_choose(const char *name);
#endif
