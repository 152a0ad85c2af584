/* matrix.h - a decoded matrix instruction. */
#ifndef WARPLINE_EXEC_MATRIX_H
#define WARPLINE_EXEC_MATRIX_H
#include "exec/lanes.h"
#include "exec/scalar.h"

/* Which lane holds which element. PTX leaves it open for wmma. Here it is element number lane * per_lane + i, row by row,
 * starting over when registers hold more than the matrix has. For mma PTX defines it (see matrix_element in product.c). */
enum fragment_layout { LAYOUT_OPEN, LAYOUT_A, LAYOUT_B, LAYOUT_SUM, LAYOUT_OCTET_A, LAYOUT_OCTET_B, LAYOUT_OCTET_SUM };

/* One matrix spread over the warp's registers. */
struct fragment {
    struct operand reg[8];
    uint32_t count; /* registers of 32 bits, of 64 for f64 */
    uint32_t rows, columns;
    uint8_t type;    /* enum ptx_type of an element */
    uint8_t layout;  /* enum fragment_layout */
    bool by_columns; /* of LAYOUT_OCTET_A and LAYOUT_OCTET_B */
    uint16_t
        *places; /* where the elements stand in the matrix, counted row by row: lane after lane of a register's first, second... */
};
struct matrix_site {
    struct site memory;         /* first: loads and stores resolve addresses through it */
    struct fragment d, a, b, c; /* loads and stores use d alone */
    struct operand stride;      /* elements; width 0: none given */
    bool by_columns;
    const struct lanes *lanes;
    const struct product *product; /* mma and wmma.mma, but for f64 */
    bool in_octets;                /* four products, each by eight lanes; `product` and `places` are those of octets_plan */
    const struct dealt *dealt;     /* loads by columns; NULL: the tile is not dealt so */
    /* loads and stores: the line (row, or column with by_columns) of a lane's first element, and its place along it */
    uint8_t line[LANES], along[LANES];
};
/* Fills `places`, of LANES times the elements that a lane has. */
void matrix_set_places(struct fragment *f);
uint32_t matrix_elements_per_lane(const struct fragment *f);
uint32_t matrix_elements_per_register(const struct fragment *f);
/* Where the i-th element of a lane stands in the matrix, counted row by row. */
uint32_t matrix_element(const struct fragment *f, uint32_t lane, uint32_t i);
/* How the rows lie along the lanes; places must be set. */
void matrix_set_dealt(const struct fragment *f, struct dealt *to);
bool product_plan(const struct matrix_site *site, bool saturate, struct product *p); /* false: not for this layout */
/* For m8n8k4 of halves. Places become those in the registers of tiles of LAYOUT_OPEN, as which an octet's matrices are multiplied.
 */
bool octets_plan(const struct matrix_site *site, struct product *p);
void product_execute(struct warp *w, const struct xop *x);
void matrix_load_rows(struct warp *w, const struct xop *x, uint32_t mask);  /* ldmatrix */
void matrix_store_rows(struct warp *w, const struct xop *x, uint32_t mask); /* stmatrix */
void matrix_transpose(struct warp *w, const struct xop *x, uint32_t mask);  /* movmatrix */
#endif
