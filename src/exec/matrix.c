/* matrix.c - wmma: tiles in registers, loaded, multiplied and stored by a whole warp.
 *
 * Products are exact in double and summed there in order of k before one rounding to the result's type; the hardware's own
 * order of summation is not documented. */
#include "exec/matrix.h"

#include <string.h>

enum { MAX_ELEMENTS = 32 * 32 };

static uint32_t elements_per_lane(const struct fragment *f)
{
    return f->count * (4 / ptx_type_bytes(f->type));
}

static uint32_t element_of(const struct fragment *f, uint32_t lane, uint32_t i)
{
    return (lane * elements_per_lane(f) + i) % (f->rows * f->columns);
}

static uint32_t get(const struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = 4 / bytes;
    uint64_t word = operand_lane(w, f->reg[i / per], lane);
    return (uint32_t)zero_extend(word >> (8 * bytes * (i % per)), 8 * bytes);
}

static void put(struct warp *w, const struct fragment *f, uint32_t lane, uint32_t i, uint32_t value)
{
    uint32_t bytes = ptx_type_bytes(f->type), per = 4 / bytes, shift = 8 * bytes * (i % per);
    uint64_t field = zero_extend(UINT64_MAX, 8 * bytes) << shift;
    uint64_t word = operand_lane(w, f->reg[i / per], lane);
    frame_set_lane(w, f->reg[i / per].offset, 4, lane, (word & ~field) | ((uint64_t)value << shift & field));
}

static void move(struct warp *w, const struct xop *x, bool is_load)
{
    const struct matrix_site *site = x->matrix;
    const struct fragment *f = &site->d;
    struct run *run = w->run;
    uint32_t bytes = ptx_type_bytes(f->type), per_lane = elements_per_lane(f);
    uint64_t base = (uint64_t)site->memory.offset + (site->memory.has_base ? operand_lane(w, site->memory.base, 0) : 0);
    uint64_t stride = site->stride.width ? operand_lane(w, site->stride, 0) : site->by_columns ? f->rows : f->columns;
    uint64_t first[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < per_lane; i++) {
            uint32_t at = element_of(f, lane, i), row = at / f->columns, column = at % f->columns, value = 0;
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

static void gather(const struct warp *w, const struct fragment *f, double *to)
{
    uint32_t per_lane = elements_per_lane(f);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < per_lane; i++) {
            uint32_t raw = get(w, f, lane, i);
            float single;
            memcpy(&single, &raw, sizeof single);
            double value;
            switch (f->type) {
            case T_F16: value = (double)half_to_float((uint16_t)raw); break;
            case T_BF16: value = (double)bf16_to_float((uint16_t)raw); break;
            case T_F32: case T_TF32: value = (double)single; break;
            default: value = type_is_signed(f->type) ? (double)sign_extend(raw, 8 * ptx_type_bytes(f->type)) : (double)raw; break;
            }
            to[element_of(f, lane, i)] = value;
        }
}

static uint32_t narrow(double value, uint8_t type, bool saturate)
{
    float single = (float)value;
    uint32_t bits;
    switch (type) {
    case T_F16: return half_from_double(value, ROUND_RN);
    case T_F32:
        memcpy(&bits, &single, sizeof bits);
        return single != single ? 0x7fffffffu : bits;
    default: /* s32: sums of 16 products of bytes are exact in double, overflow wraps or clamps */
        if (saturate)
            value = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
        return (uint32_t)(int64_t)value;
    }
}

static void multiply(struct warp *w, const struct xop *x)
{
    const struct matrix_site *site = x->matrix;
    double a[MAX_ELEMENTS], b[MAX_ELEMENTS], c[MAX_ELEMENTS];
    uint32_t rows = site->d.rows, columns = site->d.columns, depth = site->a.columns;
    gather(w, &site->a, a);
    gather(w, &site->b, b);
    gather(w, &site->c, c);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            for (uint32_t k = 0; k < depth; k++)
                c[i * columns + j] += a[i * depth + k] * b[k * columns + j];
    uint32_t per_lane = elements_per_lane(&site->d);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < per_lane; i++)
            put(w, &site->d, lane, i, narrow(c[element_of(&site->d, lane, i)], site->d.type, x->inst->mod.saturate));
}

void matrix_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (mask != FULL_MASK) {
        fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "wmma needs all 32 lanes of the warp, lanes 0x%08x execute it", mask);
        return;
    }
    if (x->inst->mod.mode == WMMA_MMA)
        multiply(w, x);
    else
        move(w, x, x->inst->mod.mode != WMMA_STORE_D);
}
