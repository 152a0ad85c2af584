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

/* A matrix whose rows lie along the lanes: in register r, lane first + i * ways + c holds element row + i of `per` columns. The
 * places of row `row` of these, in a matrix that stands column after column, are start[r][c * per], start[r][c * per + 1]... */
struct dealt {
    bool fits; /* false: the matrix is not dealt so */
    uint8_t registers, ways, first, per;
    uint8_t run;  /* rows that a register holds */
    uint8_t pair; /* 0, or: register r + pair holds the next rows of the columns of register r */
    uint16_t start[8][16];
};

/* How column_at goes on; the commonest ways are known to the code as constants. */
enum product_columns {
    COLUMNS_ANY,
    COLUMNS_WMMA /* 0, 1, 32, 33... of 16 columns */,
    COLUMNS_MMA /* 8 apart, bytes 16 */,
    COLUMNS_TF32 /* 4 apart */
};

/* d = a b + c. The right matrix is read one element at a time: element (k, j) stands at column_at[j] + depth_at[k] of its
 * registers' elements, one register behind the other, lane after lane from b_first on. */
struct product {
    uint32_t rows, columns, depth;
    struct dealt a, c, d;
    uint8_t a_type, b_type, c_type, d_type; /* enum ptx_type */
    bool saturate;
    uint8_t b_registers, b_per, b_first; /* elements of a register of a lane; the first lane that counts */
    uint16_t column_at[32], depth_at[32];
    uint8_t columns_at; /* enum product_columns */
    bool is_wmma;       /* m16n16k16 as lanes_wmma.h has it */
    bool c_after_d;     /* a register of d is one of c with a higher number */
};
struct product_registers {
    const void *a[8], *b[8], *c[8];
    void *d[8];
};

/* Texels for all lanes from one view that lies inside one allocation, below 2 GiB. */
struct sample {
    const struct texture_view *view;
    const uint8_t *host; /* of the view's first byte */
    uint32_t bytes;      /* from there to the view's last byte */
    int32_t room;        /* the last byte from which as many as vector code reads at once follow; negative: there are fewer */
    uint32_t mask, dimensions;
    const uint32_t *coordinate[3];
    double scale[3];
    float limit[3];                     /* where coordinates are too far away for vector code */
    float single_from[3], single_to[3]; /* where every step to a linear filter's neighbours and weights is exact in float */
    uint8_t mode[3];                    /* enum texture_address */
    uint32_t channels;                  /* that are looked at: the view's, or all four when a border may be read */
    bool float_coordinates, linear, has_border, has_layer;
    bool raw_only;  /* the channels are asked for as they are, not as numbers */
    double largest; /* what normalised integers are divided by, after they are weighed; 0: they are not */
    double unit;    /* 1 / largest, or 1 */
    uint32_t layer_offset[LANES];
    /* results: where the channels go, as floats or as they are, after all coordinates have been read; the place of the last texel
     * that is inside, in bytes */
    uint32_t *result[4], place[LANES] __attribute__((aligned(64)));
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
    /* Products of matrices (product.c): sums in float, in order of k, each step fused (lanes_product.h). */
    void (*product)(const struct product *p, const struct product_registers *x);
    /* c += a b of doubles, row by row; each step fused, in order of k. */
    void (*product_of_doubles)(const double *a, const double *b, double *c, uint32_t rows, uint32_t columns, uint32_t depth);
    /* Tiles (matrix.c): columns into registers, for words and halves; rows x columns words turned, of fours */
    void (*deal)(const struct dealt *f, const void *cells, void *const *reg);
    void (*turn_words)(const uint32_t *from, uint32_t step, uint32_t rows, uint32_t columns, uint32_t *to);
};
extern const struct lanes lanes_portable, lanes_avx2, lanes_avx512;
/* The variant of that name, NULL when this host cannot run it; name NULL: the best one. All give the same bits. */
const struct lanes *lanes_choose(const char *name);
#endif
