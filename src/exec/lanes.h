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

/* The left matrix of a product, where element (i, k) stands at start[i / 8 * block_step + i % 8 * row_step + k / chunk * chunk_step
 * + k % chunk]: registers need not be sorted into rows first. */
struct left_tile {
    const double *start;
    uint32_t block_step, row_step, chunk, chunk_step;
};

/* Texels for all lanes from one view that lies inside one allocation, below 2 GiB. */
struct sample {
    const struct texture_view *view;
    const uint8_t *host; /* of the view's first byte */
    uint32_t mask, dimensions;
    const uint32_t *coordinate[3];
    double scale[3];
    uint8_t mode[3];   /* enum texture_address */
    uint32_t channels; /* that are looked at: the view's, or all four when a border may be read */
    bool float_coordinates, linear, has_border;
    double largest; /* what normalised integers are divided by; 0: they are not */
    uint32_t layer_offset[LANES];
    /* results: channels filtered, as floats, and as they are; the place of the last texel that is inside, in bytes */
    uint32_t result[4][LANES], raw[4][LANES], place[LANES];
};

struct lanes {
    const char *name; /* "portable", "avx2", "avx512" */
    exec_fn execute[LANE_COUNT];
    compare_fn compare[LANE_COUNT]; /* rows of COMPARE only */
    /* Loads and stores of one 32-bit or 64-bit element per lane, in an allocation that the instruction met before, or in shared
     * memory. Whatever they cannot do they pass on to access_load and access_store. */
    exec_fn load_32, load_64, store_32, store_64;
    exec_fn load_shared_32, load_shared_64, store_shared_32, store_shared_64;
    /* The same for generic addresses, and for vectors of such elements, up to 16 bytes in all. */
    exec_fn load_any, store_any;
    bool (*sample)(struct sample *s); /* texture.c; false: a coordinate is too large */
    /* Tiles of matrices (matrix.c), as rows of doubles. c[rows][columns] += a b[depth][columns], in order of k; rows and columns
     * are multiples of eight. */
    void (*multiply)(const struct left_tile *a, const double *b, double *c, uint32_t rows, uint32_t columns, uint32_t depth);
    void (*widen)(uint8_t type, const void *from, double *to, uint32_t count);        /* a multiple of eight */
    void (*widen_turned)(uint8_t type, const void *from, uint32_t along, double *to); /* eight columns into rows of eight */
    void (*narrow)(uint8_t type, bool saturate, const double *from, void *to, uint32_t count);
    void (*turn_words)(const uint32_t *from, uint32_t step, uint32_t rows, uint32_t columns, uint32_t *to); /* of fours */
    void (*join_words)(const uint32_t *even, const uint32_t *odd, uint32_t *to);                            /* of a warp */
    void (*part_words)(const uint32_t *from, uint32_t *even, uint32_t *odd);
};
extern const struct lanes lanes_portable, lanes_avx2, lanes_avx512;
/* The variant of that name, NULL when this host cannot run it; name NULL: the best one. All give the same bits. */
const struct lanes *lanes_choose(const char *name);
#endif
