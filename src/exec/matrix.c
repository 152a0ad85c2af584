/* matrix.c - wmma and mma: tiles in registers, loaded, multiplied and stored by a whole warp.
 *
 * Products are exact in double and summed there in order of k before one rounding to the result's type; the hardware's own
 * order of summation is not documented. */
#include "exec/half_math.h"
#include "exec/matrix.h"

#include <math.h>
#include <string.h>

enum { MAX_ELEMENTS = 32 * 32, MAX_REGISTERS = 8 };

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

/* The host's bytes of [address, address + bytes), if the whole tile lies aligned in one allocation or in the block's shared
 * memory and nobody looks at single accesses. Otherwise NULL. */
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

/* wmma: a lane's registers are neighbours in the matrix, so that turning lanes and registers gives its rows. Of tiles that
 * registers hold more than once the last lanes count, as they are the last to be written. */
static uint32_t lanes_of(const struct fragment *f)
{
    return f->rows * f->columns / matrix_elements_per_lane(f);
}

static void registers_to_rows(const struct warp *w, const struct lanes *lanes, const struct fragment *f, uint32_t *rows)
{
    const uint32_t used = lanes_of(f), first = LANES - used;
    uint32_t words[MAX_REGISTERS][LANES] __attribute__((aligned(64)));
    for (uint32_t r = 0; r < f->count; r++)
        memcpy(words[r], operand_at(w, f->reg[r]), sizeof words[r]);
    if (f->count % 4 == 0) {
        lanes->turn_words(words[0] + first, LANES, f->count, used, rows);
        return;
    }
    for (uint32_t lane = 0; lane < used; lane++)
        for (uint32_t r = 0; r < f->count; r++)
            rows[lane * f->count + r] = words[r][first + lane];
}

static void rows_to_registers(struct warp *w, const struct lanes *lanes, const struct fragment *f, const uint32_t *rows)
{
    const uint32_t used = lanes_of(f);
    uint32_t turned[MAX_REGISTERS * LANES] __attribute__((aligned(64)));
    if (f->count % 4 == 0)
        lanes->turn_words(rows, f->count, used, f->count, turned);
    else
        for (uint32_t r = 0; r < f->count; r++)
            for (uint32_t lane = 0; lane < used; lane++)
                turned[r * used + lane] = rows[lane * f->count + r];
    for (uint32_t r = 0; r < f->count; r++)
        for (uint32_t lane = 0; lane < LANES; lane += used)
            memcpy((uint32_t *)frame_at(w, f->reg[r].offset) + lane, turned + r * used, used * sizeof *turned);
}

/* A tile of `lines` rows or columns in memory, and its rows one behind the other. */
#define TURN_CELLS(T)                                                                                                              \
    for (uint32_t line = 0; line < lines; line++)                                                                                  \
        for (uint32_t k = 0; k < length; k++) {                                                                                    \
            T *cell = (T *)rows + k * lines + line, *place = (T *)(void *)host + line * stride + k;                                \
            if (is_load)                                                                                                           \
                *cell = *place;                                                                                                    \
            else                                                                                                                   \
                *place = *cell;                                                                                                    \
        }                                                                                                                          \
    break
static void move_cells(const struct fragment *f, uint8_t *host, uint64_t stride, bool by_columns, bool is_load, void *rows)
{
    const uint32_t bytes = ptx_type_bytes(f->type), lines = by_columns ? f->columns : f->rows,
                   length = by_columns ? f->rows : f->columns;
    for (uint32_t line = 0; line < lines && !by_columns; line++) {
        uint8_t *cells = (uint8_t *)rows + (size_t)line * length * bytes, *place = host + line * stride * bytes;
        memcpy(is_load ? cells : place, is_load ? place : cells, (size_t)length * bytes);
    }
    if (!by_columns)
        return;
    switch (bytes) {
    case 1: TURN_CELLS(uint8_t);
    case 2: TURN_CELLS(uint16_t);
    default: TURN_CELLS(uint32_t);
    }
}
#undef TURN_CELLS

/* All lanes' elements, without looking at each address. */
static void move_whole(struct warp *w, const struct matrix_site *site, uint8_t *host, uint64_t stride, bool is_load)
{
    const struct fragment *f = &site->d;
    uint32_t rows[MAX_REGISTERS * LANES] __attribute__((aligned(64)));
    if (f->type == T_F64) {
        for (uint32_t i = 0; i < f->count; i++)
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const uint32_t at = f->places[i * LANES + lane], row = at / f->columns, column = at % f->columns;
                uint8_t *place = host + 8 * (site->by_columns ? column * stride + row : row * stride + column);
                uint64_t *reg = (uint64_t *)frame_at(w, f->reg[i].offset) + lane;
                memcpy(is_load ? (void *)reg : place, is_load ? (const void *)place : reg, 8);
            }
        return;
    }
    if (!is_load)
        registers_to_rows(w, site->lanes, f, rows);
    move_cells(f, host, stride, site->by_columns, is_load, rows);
    if (is_load)
        rows_to_registers(w, site->lanes, f, rows);
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
        move_whole(w, site, host_tile, stride, is_load);
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

/* f64: a product of two doubles alone is not exact, and is fused with its sum, element by element. */
static void multiply_doubles(struct warp *w, const struct matrix_site *site)
{
    const struct fragment *const all[3] = { &site->a, &site->b, &site->c };
    const uint32_t rows = site->d.rows, columns = site->d.columns, depth = site->a.columns;
    double tile[3][MAX_ELEMENTS];
    double *const c = tile[2];
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t i = 0; i < matrix_elements_per_lane(all[t]); i++)
            for (uint32_t lane = 0; lane < LANES; lane++)
                memcpy(&tile[t][all[t]->places[i * LANES + lane]], (const uint64_t *)operand_at(w, all[t]->reg[i]) + lane, 8);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            for (uint32_t k = 0; k < depth; k++)
                c[i * columns + j] = fma(tile[0][i * depth + k], tile[1][k * columns + j], c[i * columns + j]);
    for (uint32_t i = 0; i < matrix_elements_per_lane(&site->d); i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            memcpy((uint64_t *)frame_at(w, site->d.reg[i].offset) + lane, &c[site->d.places[i * LANES + lane]], 8);
}

/* The sums' columns lie two by two in a lane: in the halves of a register, or in two registers. */
static void widen_sums(const struct warp *w, const struct lanes *lanes, const struct fragment *f, double *to)
{
    for (uint32_t r = 0; r < f->count && f->type == T_F16; r++)
        lanes->widen(T_F16, operand_at(w, f->reg[r]), to + r * 2 * LANES, 2 * LANES);
    for (uint32_t r = 0; r < f->count && f->type != T_F16; r += 2) {
        uint32_t words[2 * LANES] __attribute__((aligned(64)));
        lanes->join_words(operand_at(w, f->reg[r]), operand_at(w, f->reg[r + 1]), words);
        lanes->widen(f->type, words, to + r * LANES, 2 * LANES);
    }
}

static void narrow_sums(struct warp *w, const struct xop *x, const struct fragment *f, const double *from)
{
    const struct lanes *lanes = x->matrix->lanes;
    for (uint32_t r = 0; r < f->count && f->type == T_F16; r++)
        lanes->narrow(T_F16, false, from + r * 2 * LANES, frame_at(w, f->reg[r].offset), 2 * LANES);
    for (uint32_t r = 0; r < f->count && f->type != T_F16; r += 2) {
        uint32_t words[2 * LANES] __attribute__((aligned(64)));
        lanes->narrow(f->type, x->inst->mod.saturate, from + r * LANES, words, 2 * LANES);
        lanes->part_words(words, frame_at(w, f->reg[r].offset), frame_at(w, f->reg[r + 1].offset));
    }
}

static void multiply_wmma(struct warp *w, const struct xop *x)
{
    const struct matrix_site *site = x->matrix;
    const struct lanes *lanes = site->lanes;
    const struct fragment *const all[3] = { &site->a, &site->b, &site->c };
    const uint32_t rows = site->d.rows, columns = site->d.columns, depth = site->a.columns;
    uint32_t words[MAX_REGISTERS * LANES] __attribute__((aligned(64)));
    double tile[3][MAX_ELEMENTS] __attribute__((aligned(64)));
    const struct left_tile left = { tile[0], 8 * depth, depth, depth, depth };
    for (uint32_t t = 0; t < 3; t++) {
        registers_to_rows(w, lanes, all[t], words);
        lanes->widen(all[t]->type, words, tile[t], all[t]->rows * all[t]->columns);
    }
    lanes->multiply(&left, tile[1], tile[2], rows, columns, depth);
    lanes->narrow(site->d.type, x->inst->mod.saturate, tile[2], words, rows * columns);
    rows_to_registers(w, lanes, &site->d, words);
}

static void multiply_mma(struct warp *w, const struct xop *x)
{
    const struct matrix_site *site = x->matrix;
    const struct fragment *f = &site->a;
    const uint32_t per = LANES * elements_per_register(f), along = 4 * elements_per_register(f);
    double tile[3][MAX_ELEMENTS] __attribute__((aligned(64)));
    double *const a = tile[0], *const b = tile[1], *const c = tile[2];
    /* eight groups of four lanes hold a row of A each; every other register the rows eight further down */
    const struct left_tile left = { a, per, along, along, per * (f->rows / 8) };
    for (uint32_t r = 0; r < f->count; r++)
        site->lanes->widen(f->type, operand_at(w, f->reg[r]), a + r * per, per);
    for (uint32_t r = 0; r < site->b.count; r++) /* four lanes hold a column of B */
        site->lanes->widen_turned(site->b.type, operand_at(w, site->b.reg[r]), along, b + r * 8 * along);
    widen_sums(w, site->lanes, &site->c, c);
    site->lanes->multiply(&left, b, c, site->d.rows, site->d.columns, f->columns);
    narrow_sums(w, x, &site->d, c);
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

/* Every lane names a row in the block's shared memory, at an address of 16 bytes: what is there when nothing is unusual. */
static bool find_rows_at_once(struct warp *w, const struct matrix_site *site, uint8_t *rows[LANES])
{
    struct run *run = w->run;
    const uint32_t used = site->d.count * SIDE;
    uint64_t bad = run->shared_bytes < ROW_BYTES || !site->memory.has_base || run->races;
    const uint64_t limit = (uint64_t)run->shared_bytes - ROW_BYTES,
                   start = (uint64_t)site->memory.offset - (site->memory.space == SPACE_SHARED ? 0 : SHARED_WINDOW);
    for (uint32_t lane = 0; lane < used && !bad; lane++) {
        const uint64_t base = site->memory.base.width == 8 ? ((const uint64_t *)operand_at(w, site->memory.base))[lane]
                                                           : ((const uint32_t *)operand_at(w, site->memory.base))[lane];
        const uint64_t at = base + start;
        bad |= (at > limit) | (at & (ROW_BYTES - 1));
        run->address[lane] = at;
        rows[lane] = w->cta->shared + at;
    }
    run->space = SPACE_SHARED;
    return !bad;
}

/* The rows that lanes name, in host memory. False: a fault. Lanes beyond the matrices name nothing. */
static bool find_rows(struct warp *w, const struct xop *x, bool is_store, uint8_t *rows[LANES])
{
    const struct matrix_site *site = x->matrix;
    const bool found = find_rows_at_once(w, site, rows);
    for (uint32_t lane = 0; lane < site->d.count * SIDE && !found; lane++) {
        const uint64_t base = site->memory.has_base ? operand_lane(w, site->memory.base, lane) : 0;
        rows[lane] = access_lane(w, x, lane, base + (uint64_t)site->memory.offset, ROW_BYTES, site->memory.space, is_store);
        if (!rows[lane])
            return false;
    }
    for (uint32_t lane = site->d.count * SIDE; lane < LANES; lane++)
        w->run->address[lane] = w->run->address[lane % SIDE];
    return true;
}

/* Eight rows of eight halves turned. */
static void turn_halves(uint16_t cells[SIDE][SIDE])
{
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = i + 1; k < SIDE; k++) {
            const uint16_t kept = cells[i][k];
            cells[i][k] = cells[k][i];
            cells[k][i] = kept;
        }
}

/* Of a matrix, lane after lane holds two neighbours of the rows, one behind the other; or of the columns. */
void matrix_load_rows(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct matrix_site *site = x->matrix;
    uint8_t *rows[LANES];
    uint16_t cells[4][SIDE][SIDE]; /* all are read before the first is written: a register may hold the addresses */
    if (!is_whole(w, x, mask) || !find_rows(w, x, false, rows))
        return;
    for (uint32_t m = 0; m < site->d.count; m++) {
        for (uint32_t row = 0; row < SIDE; row++)
            memcpy(cells[m][row], rows[m * SIDE + row], ROW_BYTES);
        if (site->by_columns)
            turn_halves(cells[m]);
    }
    for (uint32_t m = 0; m < site->d.count; m++)
        memcpy(frame_at(w, site->d.reg[m].offset), cells[m], sizeof cells[m]);
}

void matrix_store_rows(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct matrix_site *site = x->matrix;
    uint8_t *rows[LANES];
    uint16_t cells[SIDE][SIDE];
    if (!is_whole(w, x, mask) || !find_rows(w, x, true, rows))
        return;
    for (uint32_t m = 0; m < site->d.count; m++) {
        memcpy(cells, operand_at(w, site->d.reg[m]), sizeof cells);
        if (site->by_columns)
            turn_halves(cells);
        for (uint32_t row = 0; row < SIDE; row++)
            memcpy(rows[m * SIDE + row], cells[row], ROW_BYTES);
    }
}

void matrix_transpose(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint16_t cells[SIDE][SIDE];
    if (!is_whole(w, x, mask))
        return;
    memcpy(cells, operand_at(w, x->src[0]), sizeof cells);
    turn_halves(cells);
    memcpy(frame_at(w, x->dst), cells, sizeof cells);
}

void matrix_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!is_whole(w, x, mask))
        return;
    if (x->inst->op != OP_MMA && x->inst->mod.mode != WMMA_MMA)
        move(w, x, x->inst->mod.mode != WMMA_STORE_D);
    else if (x->matrix->a.type == T_F64)
        multiply_doubles(w, x->matrix);
    else if (x->inst->op == OP_MMA)
        multiply_mma(w, x);
    else
        multiply_wmma(w, x);
}
