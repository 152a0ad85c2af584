/* matrix.h - a decoded matrix instruction. */
#ifndef WARPLINE_EXEC_MATRIX_H
#define WARPLINE_EXEC_MATRIX_H
#include "exec/lanes.h"
#include "exec/scalar.h"

/* Which lane holds which element. PTX leaves it open for wmma. Here it is element number lane * per_lane + i, row by row,
 * starting over when registers hold more than the matrix has. For mma PTX defines it (see element_of in matrix.c). */
enum fragment_layout { LAYOUT_OPEN, LAYOUT_A, LAYOUT_B, LAYOUT_SUM };

/* One matrix spread over the warp's registers. */
struct fragment {
    struct operand reg[8];
    uint32_t count; /* registers of 32 bits, of 64 for f64 */
    uint32_t rows, columns;
    uint8_t type;   /* enum ptx_type of an element */
    uint8_t layout; /* enum fragment_layout */
    uint16_t
        *places; /* where the elements stand in the matrix, counted row by row: lane after lane of a register's first, second... */
};
struct matrix_site {
    struct site memory;         /* first: loads and stores resolve addresses through it */
    struct fragment d, a, b, c; /* loads and stores use d alone */
    struct operand stride;      /* elements; width 0: none given */
    bool by_columns;
    const struct lanes *lanes;
};
/* Fills `places`, of LANES times the elements that a lane has. */
void matrix_set_places(struct fragment *f);
uint32_t matrix_elements_per_lane(const struct fragment *f);
void matrix_load_rows(struct warp *w, const struct xop *x, uint32_t mask);  /* ldmatrix */
void matrix_store_rows(struct warp *w, const struct xop *x, uint32_t mask); /* stmatrix */
void matrix_transpose(struct warp *w, const struct xop *x, uint32_t mask);  /* movmatrix */
#endif
