/* matrix.c - wmma and mma: tiles in registers, loaded, multiplied and stored by a whole warp.
 *
 * Products are exact in double and summed there in order of k before one rounding to the result's type; the hardware's own
 * order of summation is not documented. */
#include "exec/half_math.h"
#include "exec/matrix.h"

#include <math.h>
#include <string.h>

enum { MAX_ELEMENTS = 32 * 32 };

static uint32_t elements_per_register(const struct fragment *f)
{
    return f->type == T_F64 ? 1 : 4 / ptx_type_bytes(f->type);
}

uint32_t matrix_elements_per_lane(const struct fragment *f)
{
    return f->count * elements_per_register(f);
}

/* Where the i-th element of a lane stands in the matrix, counted row by row. In mma's fragments eight groups of four lanes hold a
 * row (of A and of the sum) or a column (of B) each; a register has neighbours along k, the next ones the row eight further down
 * (A), then the next four registers' worth along k. */
static uint32_t element_of(const struct fragment *f, uint32_t lane, uint32_t i)
{
    const uint32_t per = elements_per_register(f), reg = i / per, group = lane / 4, member = lane % 4;
    const uint32_t halves = f->rows == 16 ? 2 : 1;
    switch (f->layout) {
    case LAYOUT_A: return (group + 8 * (reg % halves)) * f->columns + reg / halves * 4 * per + member * per + i % per;
    case LAYOUT_B: return (reg * 4 * per + member * per + i % per) * f->columns + group;
    case LAYOUT_SUM: return (group + 8 * (i / 2)) * f->columns + member * 2 + i % 2;
    default: return (lane * matrix_elements_per_lane(f) + i) % (f->rows * f->columns);
    }
}

static uint64_t get(const struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = elements_per_register(f);
    uint64_t word = operand_lane(w, f->reg[i / per], lane);
    return bytes == 8 ? word : zero_extend(word >> (8 * bytes * (i % per)), 8 * bytes);
}

static void put(struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i, uint64_t value)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = elements_per_register(f), shift = 8 * bytes * (i % per);
    if (bytes == 8) {
        frame_set_lane(w, f->reg[i].offset, 8, lane, value);
        return;
    }
    uint64_t field = zero_extend(UINT64_MAX, 8 * bytes) << shift;
    uint64_t word = operand_lane(w, f->reg[i / per], lane);
    frame_set_lane(w, f->reg[i / per].offset, 4, lane, (word & ~field) | (value << shift & field));
}

/* The host's bytes of [address, address + bytes) when all of a tile lies in one allocation or in the block's shared memory,
 * aligned, and nobody looks at single accesses; else NULL. */
static uint8_t *whole_tile(struct warp *w, uint8_t space, uint64_t address, uint64_t bytes, uint32_t alignment)
{
    struct run *run = w->run;
    const struct memory *m = &run->device->memory;
    if (address % alignment || m->written)
        return NULL;
    if (space == SPACE_GENERIC && address - SHARED_WINDOW < SHARED_WINDOW_BYTES) {
        space = SPACE_SHARED;
        address -= SHARED_WINDOW;
    }
    run->space = space == SPACE_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
    if (space == SPACE_SHARED)
        return address <= run->shared_bytes && bytes <= run->shared_bytes - address ? w->cta->shared + address : NULL;
    return space == SPACE_GLOBAL || space == SPACE_GENERIC ? memory_host(m, address, bytes) : NULL;
}

/* All lanes' elements of one kind of tile, without looking at each address. */
static void move_whole(struct warp *w, const struct fragment *f, uint8_t *host, uint64_t stride, bool by_columns, bool is_load)
{
    const uint32_t bytes = ptx_type_bytes(f->type), per_lane = matrix_elements_per_lane(f);
    for (uint32_t i = 0; i < per_lane; i++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t at = f->places[i * LANES + lane], row = at / f->columns, column = at % f->columns;
            uint8_t *place = host + bytes * (by_columns ? column * stride + row : row * stride + column);
            uint64_t value = 0;
            if (is_load) {
                memcpy(&value, place, bytes);
                put(w, f, lane, i, value);
            } else {
                value = get(w, f, lane, i);
                memcpy(place, &value, bytes);
            }
        }
}

static void move(struct warp *w, const struct xop *x, bool is_load)
{
    const struct matrix_site *site = x->matrix;
    const struct fragment *f = &site->d;
    struct run *run = w->run;
    uint32_t bytes = ptx_type_bytes(f->type), per_lane = matrix_elements_per_lane(f);
    uint64_t base = (uint64_t)site->memory.offset + (site->memory.has_base ? operand_lane(w, site->memory.base, 0) : 0);
    uint64_t stride = site->stride.width ? operand_lane(w, site->stride, 0) : site->by_columns ? f->rows : f->columns;
    uint64_t first[LANES];
    const uint32_t lines = site->by_columns ? f->columns : f->rows, length = site->by_columns ? f->rows : f->columns;
    uint8_t *host_tile = whole_tile(w, site->memory.space, base, bytes * ((lines - 1) * stride + length), bytes);
    if (host_tile) {
        const uint64_t shown = run->space == SPACE_SHARED && base >= SHARED_WINDOW ? base - SHARED_WINDOW : base;
        move_whole(w, f, host_tile, stride, site->by_columns, is_load);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t at = f->places[lane], row = at / f->columns, column = at % f->columns;
            run->address[lane] = shown + bytes * (site->by_columns ? column * stride + row : row * stride + column);
        }
        for (uint32_t line = 0; line < lines && !is_load && run->space == SPACE_GLOBAL; line++)
            run_note_write(run, base + bytes * line * stride, (uint64_t)bytes * length);
        return;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < per_lane; i++) {
            uint32_t at = element_of(f, lane, i), row = at / f->columns, column = at % f->columns;
            uint64_t value = 0;
            uint64_t address = base + bytes * (site->by_columns ? column * stride + row : row * stride + column);
            uint8_t *host = access_lane(w, x, lane, address, bytes, site->memory.space, !is_load);
            if (!host)
                return;
            if (i == 0)
                first[lane] = run->address[lane];
            if (is_load) {
                memcpy(&value, host, bytes);
                put(w, f, lane, i, value);
            } else {
                value = get(w, f, lane, i);
                memcpy(host, &value, bytes);
                if (run->space == SPACE_GLOBAL)
                    run_note_write(run, address, bytes);
            }
        }
    memcpy(run->address, first, sizeof first);
}

void matrix_set_places(struct fragment *f)
{
    const uint32_t per_lane = matrix_elements_per_lane(f);
    for (uint32_t i = 0; i < per_lane; i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            f->places[i * LANES + lane] = (uint16_t)element_of(f, lane, i);
}

/* One element of every lane. */
static void gather_element(const struct warp *w, const struct fragment *f, uint32_t i, double to[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint64_t whole = get(w, f, lane, i);
        const uint32_t raw = (uint32_t)whole & (f->type == T_TF32 ? ~0x1fffu : ~0u); /* of tf32, 19 bits count */
        float single;
        memcpy(&single, &raw, sizeof single);
        switch (f->type) {
        case T_F64: memcpy(&to[lane], &whole, sizeof to[lane]); break;
        case T_BF16: to[lane] = (double)bf16_to_float((uint16_t)raw); break;
        case T_TF32: to[lane] = (double)single; break;
        default: to[lane] = type_is_signed(f->type) ? (double)sign_extend(raw, 8 * ptx_type_bytes(f->type)) : (double)raw; break;
        }
    }
}

/* Halves lie in a register as in the rows of A: four neighbouring lanes hold eight neighbours. */
static void gather_halves(const struct warp *w, const struct matrix_site *site, const struct fragment *f, double *to)
{
    const uint32_t total = f->count * 2 * LANES, held = f->rows * f->columns;
    /* of wmma's tiles that registers hold twice the upper lanes count, as they are the last to be written */
    const uint32_t first_lane = f->layout == LAYOUT_OPEN && total > held ? LANES - held / (2 * f->count) : 0;
    double value[2 * LANES];
    for (uint32_t r = 0; r < f->count; r++) {
        const uint16_t *places = f->places + (size_t)r * 2 * LANES;
        site->lanes->widen_f16(operand_at(w, f->reg[r]), value);
        if (f->layout == LAYOUT_A) {
            for (uint32_t group = 0; group < LANES / 4; group++)
                memcpy(to + places[group * 4], value + (size_t)group * 8, 8 * sizeof *value);
            continue;
        }
        for (uint32_t lane = first_lane; lane < LANES; lane++) {
            to[places[lane]] = value[2 * lane];
            to[places[LANES + lane]] = value[2 * lane + 1];
        }
    }
}

static void gather(const struct warp *w, const struct matrix_site *site, const struct fragment *f, double *to)
{
    const uint32_t per_lane = matrix_elements_per_lane(f);
    double value[LANES];
    if (f->type == T_F16) {
        gather_halves(w, site, f, to);
        return;
    }
    for (uint32_t i = 0; i < per_lane; i++) {
        const uint16_t *places = f->places + (size_t)i * LANES;
        const float *single = operand_at(w, f->reg[f->type == T_F32 ? i : 0]);
        if (f->type != T_F32)
            gather_element(w, f, i, value);
        for (uint32_t lane = 0; lane < LANES; lane++)
            to[places[lane]] = f->type == T_F32 ? (double)single[lane] : value[lane];
    }
}

static uint64_t narrow(double value, uint8_t type, bool saturate)
{
    float single = (float)value;
    uint32_t bits;
    uint64_t wide;
    switch (type) {
    case T_F64: memcpy(&wide, &value, sizeof wide); return wide;
    case T_F16: return half_from_double(value, ROUND_RN);
    case T_F32: memcpy(&bits, &single, sizeof bits); return single != single ? 0x7fffffffu : bits;
    default: /* s32: sums of 16 products of bytes are exact in double, overflow wraps or clamps */
        if (saturate)
            value = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
        return (uint32_t)(int64_t)value;
    }
}

static void spread(struct warp *w, const struct xop *x, const struct fragment *f, const double *from)
{
    const uint32_t per_lane = matrix_elements_per_lane(f);
    for (uint32_t i = 0; i < per_lane; i++) {
        const uint16_t *places = f->places + (size_t)i * LANES;
        if (f->type == T_F32) {
            uint32_t *to = frame_at(w, f->reg[i].offset);
            for (uint32_t lane = 0; lane < LANES; lane++)
                to[lane] = (uint32_t)narrow(from[places[lane]], T_F32, false);
        } else if (f->type == T_F16 && i % 2 == 0) {
            uint32_t *to = frame_at(w, f->reg[i / 2].offset);
            for (uint32_t lane = 0; lane < LANES; lane++)
                to[lane] = f16_of_float(odd_float(from[places[lane]], 0.0)) |
                           f16_of_float(odd_float(from[places[LANES + lane]], 0.0)) << 16;
        } else if (f->type != T_F16) {
            for (uint32_t lane = 0; lane < LANES; lane++)
                put(w, f, lane, i, narrow(from[places[lane]], f->type, x->inst->mod.saturate));
        }
    }
}

static void multiply(struct warp *w, const struct xop *x)
{
    const struct matrix_site *site = x->matrix;
    double a[MAX_ELEMENTS], b[MAX_ELEMENTS], c[MAX_ELEMENTS];
    uint32_t rows = site->d.rows, columns = site->d.columns, depth = site->a.columns;
    gather(w, site, &site->a, a);
    gather(w, site, &site->b, b);
    gather(w, site, &site->c, c);
    if (site->a.type != T_F64)
        site->lanes->multiply(a, b, c, rows, columns, depth);
    for (uint32_t i = 0; site->a.type == T_F64 && i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            for (uint32_t k = 0; k < depth; k++) /* a product of two doubles alone is not exact, and is fused */
                c[i * columns + j] = fma(a[i * depth + k], b[k * columns + j], c[i * columns + j]);
    spread(w, x, &site->d, c);
}

static bool is_whole(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (mask == FULL_MASK)
        return true;
    fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "%s needs all 32 lanes of the warp, lanes 0x%08x execute it",
                ptx_op_names[x->inst->op], mask);
    return false;
}

/* Matrices of 8 by 8 halves: lane 8 m + r names row r of matrix m; of each, a lane holds two neighbours of row lane / 4, or,
 * transposed, of column lane / 4. */
enum { SIDE = 8, ROW_BYTES = 16 };

static void place_of(uint32_t lane, uint32_t half, bool transposed, uint32_t *row, uint32_t *column)
{
    const uint32_t line = lane / 4, along = lane % 4 * 2 + half;
    *row = transposed ? along : line;
    *column = transposed ? line : along;
}

/* The rows that lanes name, in host memory; false: a fault. Lanes beyond the matrices name nothing. */
static bool find_rows(struct warp *w, const struct xop *x, bool is_store, uint8_t *rows[LANES])
{
    const struct matrix_site *site = x->matrix;
    for (uint32_t lane = 0; lane < site->d.count * SIDE; lane++) {
        const uint64_t base = site->memory.has_base ? operand_lane(w, site->memory.base, lane) : 0;
        rows[lane] = access_lane(w, x, lane, base + (uint64_t)site->memory.offset, ROW_BYTES, site->memory.space, is_store);
        if (!rows[lane])
            return false;
    }
    for (uint32_t lane = site->d.count * SIDE; lane < LANES; lane++)
        w->run->address[lane] = w->run->address[lane % SIDE];
    return true;
}

void matrix_load_rows(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct matrix_site *site = x->matrix;
    uint8_t *rows[LANES];
    uint32_t words[4][LANES] = { { 0 } }, row, column;
    if (!is_whole(w, x, mask) || !find_rows(w, x, false, rows))
        return;
    for (uint32_t m = 0; m < site->d.count; m++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            for (uint32_t half = 0; half < 2; half++) {
                uint16_t value;
                place_of(lane, half, site->by_columns, &row, &column);
                memcpy(&value, rows[m * SIDE + row] + 2 * column, sizeof value);
                words[m][lane] |= (uint32_t)value << 16 * half;
            }
    for (uint32_t m = 0; m < site->d.count; m++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            frame_set_lane(w, site->d.reg[m].offset, 4, lane, words[m][lane]);
}

void matrix_store_rows(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct matrix_site *site = x->matrix;
    uint8_t *rows[LANES];
    uint32_t row, column;
    if (!is_whole(w, x, mask) || !find_rows(w, x, true, rows))
        return;
    for (uint32_t m = 0; m < site->d.count; m++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            for (uint32_t half = 0; half < 2; half++) {
                const uint16_t value = (uint16_t)(operand_lane(w, site->d.reg[m], lane) >> 16 * half);
                place_of(lane, half, site->by_columns, &row, &column);
                memcpy(rows[m * SIDE + row] + 2 * column, &value, sizeof value);
            }
}

void matrix_transpose(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint16_t cells[SIDE][SIDE];
    uint32_t row, column;
    if (!is_whole(w, x, mask))
        return;
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t half = 0; half < 2; half++) {
            place_of(lane, half, false, &row, &column);
            cells[row][column] = (uint16_t)(operand_lane(w, x->src[0], lane) >> 16 * half);
        }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t line = lane / 4, along = lane % 4 * 2;
        frame_set_lane(w, x->dst, 4, lane, (uint64_t)cells[along][line] | (uint64_t)cells[along + 1][line] << 16);
    }
}

void matrix_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!is_whole(w, x, mask))
        return;
    if (x->inst->op == OP_MMA || x->inst->mod.mode == WMMA_MMA)
        multiply(w, x);
    else
        move(w, x, x->inst->mod.mode != WMMA_STORE_D);
}
