/* product.c - mma and wmma.mma: which lane holds which element of the matrices, worked out once for each instruction, and their
 * products.
 *
 * Sums are formed in float, in order of k, one fused product and sum after the other, and rounded once more when the result is
 * f16. PTX asks for no more: products and sums of at least single precision (of f16 sums at least half), with order and rounding
 * left open. The hardware's own order is not documented. */
#include "exec/matrix.h"

#include <math.h>
#include <string.h>

enum { MAX_ELEMENTS = 32 * 32 };

uint32_t matrix_elements_per_register(const struct fragment *f)
{
    return f->type == T_F64 ? 1 : 4 / ptx_type_bytes(f->type);
}

uint32_t matrix_elements_per_lane(const struct fragment *f)
{
    return f->count * matrix_elements_per_register(f);
}

/* m8n8k4 of halves: lanes 4 q to 4 q + 3 and those sixteen further up multiply matrices of their own. A lane holds a row or a
 * column of the factors and of f16 sums, the upper lanes the second four; f32 sums lie in squares of two by two, spread over the
 * matrix. */
static uint32_t octet_element(const struct fragment *f, uint32_t lane, uint32_t i)
{
    const uint32_t member = lane % 4, upper = lane / 16 * 4;
    uint32_t row = member + upper, column = i;
    if (f->layout == LAYOUT_OCTET_SUM && f->type == T_F32) {
        row = (lane & 1) + (i & 2) + upper;
        column = (i & 4) + (lane & 2) + (i & 1);
    } else if (f->layout == LAYOUT_OCTET_A && f->by_columns) {
        row = i + upper;
        column = member;
    } else if (f->layout == LAYOUT_OCTET_B) {
        row = f->by_columns ? i : member;
        column = f->by_columns ? member + upper : i + upper;
    }
    return row * f->columns + column;
}

/* Where the i-th element of a lane stands in the matrix, counted row by row. In mma's fragments eight groups of four lanes hold a
 * row (of A and of the sum) or a column (of B) each; a register has neighbours along k, the next ones the row eight further down
 * (A), then the next four registers' worth along k. */
uint32_t matrix_element(const struct fragment *f, uint32_t lane, uint32_t i)
{
    const uint32_t per = matrix_elements_per_register(f), reg = i / per, group = lane / 4, member = lane % 4;
    const uint32_t halves = f->rows == 16 ? 2 : 1;
    switch (f->layout) {
    case LAYOUT_A: return (group + 8 * (reg % halves)) * f->columns + reg / halves * 4 * per + member * per + i % per;
    case LAYOUT_B: return (reg * 4 * per + member * per + i % per) * f->columns + group;
    case LAYOUT_SUM: return (group + 8 * (i / 2)) * f->columns + member * 2 + i % 2;
    case LAYOUT_OCTET_A:
    case LAYOUT_OCTET_B:
    case LAYOUT_OCTET_SUM: return octet_element(f, lane, i);
    default: return (lane * matrix_elements_per_lane(f) + i) % (f->rows * f->columns);
    }
}

void matrix_set_places(struct fragment *f)
{
    const uint32_t per_lane = matrix_elements_per_lane(f);
    for (uint32_t i = 0; i < per_lane; i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            f->places[i * LANES + lane] = (uint16_t)matrix_element(f, lane, i);
}

/* The place of a lane's element s of register r, as row and column. */
struct cell {
    uint32_t row, column;
};
static struct cell cell_of(const struct fragment *f, uint32_t r, uint32_t lane, uint32_t s)
{
    const uint32_t at = f->places[(r * matrix_elements_per_register(f) + s) * LANES + lane];
    return (struct cell){ at / f->columns, at % f->columns };
}

/* Elements that are held more than once: the last lanes count, as they are the last to be written. */
static uint32_t first_lane(const struct fragment *f)
{
    const uint32_t copies = matrix_elements_per_lane(f) * LANES / (f->rows * f->columns);
    return LANES - LANES / copies;
}

void matrix_set_dealt(const struct fragment *f, struct dealt *to)
{
    const uint32_t per = matrix_elements_per_register(f), first = first_lane(f);
    uint32_t ways = 1;
    while (ways < 4 && first + ways < LANES && cell_of(f, 0, first + ways, 0).row == cell_of(f, 0, first, 0).row)
        ways *= 2;
    const uint32_t run = (LANES - first) / ways;
    *to = (struct dealt){ true, (uint8_t)f->count, (uint8_t)ways, (uint8_t)first, (uint8_t)per, (uint8_t)run, 0, { { 0 } } };
    for (uint32_t r = 0; r < f->count; r++)
        for (uint32_t c = 0; c < ways * per; c++) {
            const struct cell start = cell_of(f, r, first + c / per, c % per);
            to->start[r][c] = (uint16_t)(start.column * f->rows + start.row);
            for (uint32_t i = 0; i < run; i++) {
                const struct cell cell = cell_of(f, r, first + i * ways + c / per, c % per);
                to->fits = to->fits && cell.column == start.column && cell.row == start.row + i;
            }
        }
    to->fits = to->fits && run % 8 == 0;
    if (run == 8 && f->rows == 16)
        to->pair = to->start[1][0] == to->start[0][0] + 8 ? 1 : 2;
}

static uint8_t common_columns(const struct product *p, uint32_t per)
{
    const uint32_t apart = 4 * per;
    bool is_wmma = per != 4, is_mma = true;
    for (uint32_t j = 0; j < p->columns; j++) {
        is_wmma = is_wmma && p->column_at[j] == j / 2 * 32 + j % 2 && p->columns == 16;
        is_mma = is_mma && p->column_at[j] == j * apart;
    }
    return is_wmma ? COLUMNS_WMMA : is_mma ? (per == 1 ? COLUMNS_TF32 : COLUMNS_MMA) : COLUMNS_ANY;
}

/* Where element (k, j) of the right matrix is; false: it is not the sum of two numbers for k and j. */
static bool set_right(const struct fragment *f, struct product *p)
{
    const uint32_t per = matrix_elements_per_register(f), count = matrix_elements_per_lane(f), first = first_lane(f),
                   used = LANES - first;
    uint16_t at[MAX_ELEMENTS];
    bool fits = true;
    p->b_registers = (uint8_t)f->count;
    p->b_first = (uint8_t)first;
    p->b_per = (uint8_t)per;
    for (uint32_t lane = first; lane < LANES; lane++)
        for (uint32_t i = 0; i < count; i++)
            at[f->places[i * LANES + lane]] = (uint16_t)((i / per * used + lane - first) * per + i % per);
    for (uint32_t j = 0; j < f->columns; j++)
        p->column_at[j] = at[j];
    for (uint32_t k = 0; k < f->rows; k++)
        p->depth_at[k] = (uint16_t)(at[k * f->columns] - at[0]);
    for (uint32_t i = 0; i < f->rows * f->columns; i++)
        fits = fits && at[i] == p->column_at[i % f->columns] + p->depth_at[i / f->columns];
    p->columns_at = common_columns(p, per);
    return fits;
}

/* Halves and sums in float, of 16 by 16; halves are held twice. */
static bool is_plain_wmma(const struct matrix_site *site, const struct product *p)
{
    return site->d.layout == LAYOUT_OPEN && p->rows == 16 && p->columns == 16 && p->depth == 16 && p->a_type == T_F16 &&
           p->b_type == T_F16 && p->c_type == T_F32 && p->d_type == T_F32;
}

static bool any_c_after_d(const struct matrix_site *site)
{
    bool any = false;
    for (uint32_t r = 0; r < site->d.count; r++)
        for (uint32_t later = r + 1; later < site->c.count; later++)
            any = any || (site->c.reg[later].base == BASE_REGS && site->c.reg[later].offset == site->d.reg[r].offset);
    return any;
}

bool product_plan(const struct matrix_site *site, bool saturate, struct product *p)
{
    p->rows = site->d.rows;
    p->columns = site->d.columns;
    p->depth = site->a.columns;
    p->a_type = site->a.type;
    p->b_type = site->b.type;
    p->c_type = site->c.type;
    p->d_type = site->d.type;
    p->saturate = saturate;
    p->is_wmma = is_plain_wmma(site, p);
    p->c_after_d = any_c_after_d(site);
    matrix_set_dealt(&site->a, &p->a);
    matrix_set_dealt(&site->c, &p->c);
    matrix_set_dealt(&site->d, &p->d);
    return set_right(&site->b, p) && p->a.fits && p->c.fits && p->d.fits;
}

enum { OCTETS = 4, TILE_ELEMENTS = 2 * LANES /* of a register of halves, of two of words */ };

/* A tile of LAYOUT_OPEN that holds an octet's matrix; `places` is room for it. */
static struct fragment tile_for(const struct fragment *f, uint16_t *places)
{
    struct fragment tile = { .rows = f->rows, .columns = f->columns, .type = f->type, .layout = LAYOUT_OPEN, .places = places };
    const uint32_t each = LANES * matrix_elements_per_register(f);
    tile.count = (f->rows * f->columns + each - 1) / each;
    matrix_set_places(&tile);
    return tile;
}

/* Where element `at` of the matrix stands in the tile's registers, counted in elements. */
static uint16_t place_in_tile(const struct fragment *tile, uint32_t at)
{
    const uint32_t per = matrix_elements_per_register(tile), per_lane = matrix_elements_per_lane(tile);
    const uint32_t lane = first_lane(tile) + at / per_lane, i = at % per_lane;
    return (uint16_t)((i / per * LANES + lane) * per + i % per);
}

bool octets_plan(const struct matrix_site *site, struct product *p)
{
    const struct fragment *const all[] = { &site->a, &site->b, &site->c, &site->d };
    uint16_t places[4][TILE_ELEMENTS];
    struct fragment tile[4];
    for (uint32_t t = 0; t < 4; t++) {
        tile[t] = tile_for(all[t], places[t]);
        for (uint32_t i = 0; i < LANES * matrix_elements_per_lane(all[t]); i++)
            all[t]->places[i] = place_in_tile(&tile[t], all[t]->places[i]);
    }
    const struct matrix_site tiles = { .a = tile[0], .b = tile[1], .c = tile[2], .d = tile[3] };
    return product_plan(&tiles, false, p);
}

static uint32_t lane_of(uint32_t octet, uint32_t member)
{
    return octet * 4 + member % 4 + member / 4 * 16;
}

/* What an octet's lanes hold, into the registers of a tile. */
static void take_octet(const struct warp *w, const struct fragment *f, uint32_t octet, uint8_t *tile)
{
    const uint32_t per = matrix_elements_per_register(f), bytes = 4 / per;
    for (uint32_t i = 0; i < matrix_elements_per_lane(f); i++)
        for (uint32_t member = 0; member < 8; member++) {
            const uint32_t lane = lane_of(octet, member), at = 4 * lane + i % per * bytes;
            memcpy(tile + f->places[i * LANES + lane] * bytes, (const uint8_t *)operand_at(w, f->reg[i / per]) + at, bytes);
        }
}

static void give_octet(struct warp *w, const struct fragment *f, uint32_t octet, const uint8_t *tile)
{
    const uint32_t per = matrix_elements_per_register(f), bytes = 4 / per;
    for (uint32_t i = 0; i < matrix_elements_per_lane(f); i++)
        for (uint32_t member = 0; member < 8; member++) {
            const uint32_t lane = lane_of(octet, member), at = 4 * lane + i % per * bytes;
            memcpy((uint8_t *)frame_at(w, f->reg[i / per].offset) + at, tile + f->places[i * LANES + lane] * bytes, bytes);
        }
}

static void multiply_octets(struct warp *w, const struct matrix_site *site)
{
    enum { REGISTER = 4 * LANES };
    uint8_t a[REGISTER] __attribute__((aligned(64))) = { 0 }, b[REGISTER] __attribute__((aligned(64))) = { 0 };
    uint8_t c[2 * REGISTER] __attribute__((aligned(64))), d[2 * REGISTER] __attribute__((aligned(64)));
    const struct product_registers all = { { a }, { b }, { c, c + REGISTER }, { d, d + REGISTER } };
    for (uint32_t octet = 0; octet < OCTETS; octet++) {
        take_octet(w, &site->a, octet, a);
        take_octet(w, &site->b, octet, b);
        take_octet(w, &site->c, octet, c);
        site->lanes->product(site->product, &all);
        give_octet(w, &site->d, octet, d);
    }
}

/* In vector code, unless a sum is no number: which one it is, fma() says. */
static void multiply_tiles(const struct lanes *lanes, const double *a, const double *b, double *c, uint32_t rows, uint32_t columns,
                           uint32_t depth)
{
    double start[MAX_ELEMENTS];
    bool numbers = true;
    memcpy(start, c, (size_t)rows * columns * sizeof *c);
    lanes->product_of_doubles(a, b, c, rows, columns, depth);
    for (uint32_t i = 0; i < rows * columns; i++)
        numbers &= c[i] == c[i];
    if (numbers)
        return;
    memcpy(c, start, (size_t)rows * columns * sizeof *c);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            for (uint32_t k = 0; k < depth; k++)
                c[i * columns + j] = fma(a[i * depth + k], b[k * columns + j], c[i * columns + j]);
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
    multiply_tiles(site->lanes, tile[0], tile[1], c, rows, columns, depth);
    for (uint32_t i = 0; i < matrix_elements_per_lane(&site->d); i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            memcpy((uint64_t *)frame_at(w, site->d.reg[i].offset) + lane, &c[site->d.places[i * LANES + lane]], 8);
}

void product_execute(struct warp *w, const struct xop *x)
{
    const struct matrix_site *site = x->matrix;
    struct product_registers all;
    if (site->a.type == T_F64) {
        multiply_doubles(w, site);
        return;
    }
    if (site->in_octets) {
        multiply_octets(w, site);
        return;
    }
    for (uint32_t r = 0; r < site->a.count; r++)
        all.a[r] = operand_at(w, site->a.reg[r]);
    for (uint32_t r = 0; r < site->b.count; r++)
        all.b[r] = operand_at(w, site->b.reg[r]);
    for (uint32_t r = 0; r < site->c.count; r++)
        all.c[r] = operand_at(w, site->c.reg[r]);
    for (uint32_t r = 0; r < site->d.count; r++)
        all.d[r] = frame_at(w, site->d.reg[r].offset);
    site->lanes->product(site->product, &all);
}
