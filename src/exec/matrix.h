/* matrix.h - a decoded wmma instruction. */
#ifndef WARPLINE_EXEC_MATRIX_H
#define WARPLINE_EXEC_MATRIX_H
#include "exec/scalar.h"

/* One matrix spread over the warp's registers. Which lane holds which element is the implementation's choice (PTX leaves it
 * open): element number lane * per_lane + i, row by row, starting over where registers hold more than the matrix has. */
struct fragment {
    struct operand reg[8];
    uint32_t count;          /* registers of 32 bits */
    uint32_t rows, columns;
    uint8_t type;            /* enum ptx_type of an element */
};
struct matrix_site {
    struct site memory;      /* first: loads and stores resolve addresses through it */
    struct fragment d, a, b, c; /* loads and stores use d alone */
    struct operand stride;   /* elements; width 0: none given */
    bool by_columns;
};
#endif
