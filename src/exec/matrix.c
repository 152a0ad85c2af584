/* matrix.c - wmma's loads and stores of tiles, ldmatrix, stmatrix and movmatrix. Products are in product.c. */
#include "exec/matrix.h"

#include <string.h>

enum { MAX_REGISTERS = 8 };

static uint64_t get(const struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = matrix_elements_per_register(f);
    uint64_t word = operand_lane(w, f->reg[i / per], lane);
    return bytes == 8 ? word : zero_extend(word >> (8 * bytes * (i % per)), 8 * bytes);
}

static void put(struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i, uint64_t value)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = matrix_elements_per_register(f), shift = 8 * bytes * (i % per);
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

/* A line of a tile or a register; the usual sizes are known to the compiler. */
static inline void copy_line(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 16: memcpy(to, from, 16); break;
    case 32: memcpy(to, from, 32); break;
    case 64: memcpy(to, from, 64); break;
    case 128: memcpy(to, from, 128); break;
    default: memcpy(to, from, bytes); break;
    }
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
            copy_line((uint32_t *)frame_at(w, f->reg[r].offset) + lane, turned + r * used, used * sizeof *turned);
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
        copy_line(is_load ? cells : place, is_load ? place : cells, (size_t)length * bytes);
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

/* Columns from memory, for tiles whose columns lie along the lanes. */
static void deal_columns(struct warp *w, const struct matrix_site *site, const uint8_t *host, uint64_t stride)
{
    const struct fragment *f = &site->d;
    const uint32_t bytes = ptx_type_bytes(f->type), line = bytes * f->rows;
    uint32_t cells[MAX_REGISTERS * LANES] __attribute__((aligned(64)));
    void *reg[MAX_REGISTERS];
    for (uint32_t r = 0; r < f->count; r++)
        reg[r] = frame_at(w, f->reg[r].offset);
    for (uint32_t c = 0; c < f->columns; c++)
        copy_line((uint8_t *)cells + (size_t)c * line, host + c * stride * bytes, line);
    site->lanes->deal(site->dealt, cells, reg);
}

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
    if (is_load && site->by_columns && site->dealt) {
        deal_columns(w, site, host, stride);
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
        for (uint32_t lane = 0; lane < LANES; lane++)
            run->address[lane] = shown + bytes * (site->line[lane] * stride + site->along[lane]);
        for (uint32_t line = 0; line < lines && !is_load && run->space == SPACE_GLOBAL; line++)
            run_note_write(run, base + bytes * line * stride, (uint64_t)bytes * length);
        return;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < per_lane; i++) {
            uint32_t at = matrix_element(f, lane, i), row = at / f->columns, column = at % f->columns;
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
    else
        product_execute(w, x);
}
