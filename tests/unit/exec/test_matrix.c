/* mma: every shape and type that is simulated, against the product of matrices that are put together from the lanes' registers by
 * the ISA's own formulas for rows and columns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "exec/scalar.h"
#include "program.h"

enum { LANE_COUNT = 32, SLOT = 16 }; /* words of IN that a lane reads for each matrix */

enum kind { HALF, BFLOAT, TENSOR32, BYTE, SIGNED_BYTE, DOUBLE };
struct row {
    const char *shape, *types;
    uint32_t m, n, k;
    enum kind a, b;
    char sum; /* f: f32, h: f16, i: s32, d: f64 */
};
static const struct row rows[] = {
    { "m16n8k16", "f32.f16.f16.f32", 16, 8, 16, HALF, HALF, 'f' },
    { "m16n8k8", "f32.f16.f16.f32", 16, 8, 8, HALF, HALF, 'f' },
    { "m16n8k16", "f16.f16.f16.f16", 16, 8, 16, HALF, HALF, 'h' },
    { "m16n8k16", "f32.bf16.bf16.f32", 16, 8, 16, BFLOAT, BFLOAT, 'f' },
    { "m16n8k8", "f32.bf16.bf16.f32", 16, 8, 8, BFLOAT, BFLOAT, 'f' },
    { "m16n8k8", "f32.tf32.tf32.f32", 16, 8, 8, TENSOR32, TENSOR32, 'f' },
    { "m16n8k4", "f32.tf32.tf32.f32", 16, 8, 4, TENSOR32, TENSOR32, 'f' },
    { "m16n8k32", "s32.u8.u8.s32", 16, 8, 32, BYTE, BYTE, 'i' },
    { "m16n8k32", "s32.s8.u8.s32", 16, 8, 32, SIGNED_BYTE, BYTE, 'i' },
    { "m16n8k16", "s32.s8.s8.s32", 16, 8, 16, SIGNED_BYTE, SIGNED_BYTE, 'i' },
    { "m8n8k16", "s32.u8.s8.s32", 8, 8, 16, BYTE, SIGNED_BYTE, 'i' },
    { "m8n8k4", "f64.f64.f64.f64", 8, 8, 4, DOUBLE, DOUBLE, 'd' },
    { "m16n8k4", "f64.f64.f64.f64", 16, 8, 4, DOUBLE, DOUBLE, 'd' },
    { "m16n8k8", "f64.f64.f64.f64", 16, 8, 8, DOUBLE, DOUBLE, 'd' },
    { "m16n8k16", "f64.f64.f64.f64", 16, 8, 16, DOUBLE, DOUBLE, 'd' },
};

static uint32_t per_register(enum kind kind)
{
    return kind == HALF || kind == BFLOAT ? 2 : kind == BYTE || kind == SIGNED_BYTE ? 4 : 1;
}
static uint32_t registers(uint32_t elements, uint32_t per)
{
    return elements / LANE_COUNT / per;
}

/* Row and column of element i of A in a lane, as the ISA's pages for each type say. */
static void place_a(const struct row *r, uint32_t lane, uint32_t i, uint32_t *row, uint32_t *column)
{
    const uint32_t group = lane >> 2, thread = lane % 4;
    switch (per_register(r->a)) {
    case 2:
        *row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
        *column = thread * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        break;
    case 4:
        *row = i < 4 || (i >= 8 && i < 12) || r->m == 8 ? group : group + 8;
        *column = thread * 4 + (i & 3) + (i >= 8 ? 16 : 0);
        break;
    default: *row = i % 2 == 0 || r->m == 8 ? group : group + 8; *column = thread + 4 * (i / 2);
    }
}

static void place_b(const struct row *r, uint32_t lane, uint32_t i, uint32_t *row, uint32_t *column)
{
    const uint32_t thread = lane % 4, per = per_register(r->b);
    *column = lane >> 2;
    *row = per == 2   ? thread * 2 + (i & 1) + (i >= 2 ? 8 : 0)
           : per == 4 ? thread * 4 + (i & 3) + (i >= 4 ? 16 : 0)
                      : thread + 4 * i;
}

static void place_sum(uint32_t lane, uint32_t i, uint32_t *row, uint32_t *column)
{
    *row = i < 2 ? lane >> 2 : (lane >> 2) + 8;
    *column = lane % 4 * 2 + (i & 1);
}

/* Values are small whole numbers and quarters, so that every sum is exact. */
static double number(uint32_t seed, enum kind kind)
{
    const int32_t n = (int32_t)(seed * 2654435761u >> 20);
    return kind == BYTE ? n % 256 : kind == SIGNED_BYTE ? n % 256 - 128 : (n % 33 - 16) / 4.0;
}

static uint64_t bits_of(double value, enum kind kind)
{
    const float single = (float)value;
    uint32_t word;
    uint64_t wide;
    memcpy(&word, &single, sizeof word);
    memcpy(&wide, &value, sizeof wide);
    switch (kind) {
    case HALF: return half_from_double(value, ROUND_RN);
    case BFLOAT: return word >> 16;
    case TENSOR32: return word | 0x1abc; /* what lies below the 19 bits does not count */
    case DOUBLE: return wide;
    default: return (uint64_t)(int64_t)value & 0xff;
    }
}

static void put_registers(char *text, size_t size, const char *prefix, uint32_t count)
{
    size_t at = strlen(text);
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%%%s%u", i ? ", " : "{", prefix, i);
    (void)snprintf(text + at, size - at, "}");
}

static void put_moves(char *text, size_t size, const char *prefix, uint32_t count, uint32_t slot, bool wide, bool is_load)
{
    size_t at = strlen(text);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t offset = 4 * (slot * SLOT * LANE_COUNT) + (wide ? 8 : 4) * i;
        at += is_load
                  ? (size_t)snprintf(text + at, size - at, "ld.global.b%u %%%s%u, [%%q8+%u];\n", wide ? 64 : 32, prefix, i, offset)
                  : (size_t)snprintf(text + at, size - at, "st.global.b%u [%%q9+%u], %%%s%u;\n", wide ? 64 : 32, offset, prefix, i);
    }
}

static uint32_t sum_registers(const struct row *r)
{
    return r->m * r->n / LANE_COUNT / (r->sum == 'h' ? 2 : 1);
}

static void make_text(const struct row *r, char *text, size_t size)
{
    const bool wide = r->sum == 'd';
    const uint32_t a = registers(r->m * r->k, per_register(r->a)), b = registers(r->k * r->n, per_register(r->b)),
                   d = sum_registers(r);
    (void)snprintf(text, size,
                   ".reg .b%u %%a<8>, %%b<8>, %%c<8>, %%d<8>;\nmul.wide.u32 %%q7, %%t, %u;\nadd.s64 %%q8, %%ins, %%q7;\n"
                   "add.s64 %%q9, %%outs, %%q7;\n",
                   wide ? 64 : 32, SLOT * 4);
    put_moves(text, size, "a", a, 0, wide, true);
    put_moves(text, size, "b", b, 1, wide, true);
    put_moves(text, size, "c", d, 2, wide, true);
    const size_t at = strlen(text);
    (void)snprintf(text + at, size - at, "mma.sync.aligned.%s.row.col.%s ", r->shape, r->types);
    put_registers(text, size, "d", d);
    strcat(text, ", ");
    put_registers(text, size, "a", a);
    strcat(text, ", ");
    put_registers(text, size, "b", b);
    strcat(text, ", ");
    put_registers(text, size, "c", d);
    strcat(text, ";\n");
    put_moves(text, size, "d", d, 0, wide, false);
}

static void put_element(uint32_t *words, uint32_t slot, uint32_t lane, uint32_t i, uint32_t per, enum kind kind, double value)
{
    uint32_t *at = words + slot * SLOT * LANE_COUNT + lane * SLOT;
    const uint64_t bits = bits_of(value, kind);
    if (kind == DOUBLE)
        memcpy(at + 2 * i, &bits, 8);
    else
        at[i / per] |= (uint32_t)bits << (32 / per * (i % per));
}

static double get_sum(const struct row *r, const uint32_t *words, uint32_t lane, uint32_t i)
{
    const uint32_t *at = words + lane * SLOT;
    float single;
    double value;
    switch (r->sum) {
    case 'd': memcpy(&value, at + 2 * i, 8); return value;
    case 'h': return (double)half_to_float((uint16_t)(at[i / 2] >> 16 * (i % 2)));
    case 'i': return (double)(int32_t)at[i];
    default: memcpy(&single, at + i, 4); return (double)single;
    }
}

static void put_sum(const struct row *r, uint32_t *words, uint32_t lane, uint32_t i, double value)
{
    uint32_t *at = words + 2 * SLOT * LANE_COUNT + lane * SLOT;
    const float single = (float)value;
    switch (r->sum) {
    case 'd': memcpy(at + 2 * i, &value, 8); break;
    case 'h': at[i / 2] |= (uint32_t)half_from_double(value, ROUND_RN) << 16 * (i % 2); break;
    case 'i': at[i] = (uint32_t)(int32_t)value; break;
    default: memcpy(at + i, &single, 4);
    }
}

static void check_row(const struct row *r)
{
    struct program *p = calloc(1, sizeof *p);
    static char text[8192];
    double a[16][32] = { { 0 } }, b[32][8] = { { 0 } }, c[16][8] = { { 0 } };
    uint32_t row, column;
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        for (uint32_t i = 0; i < r->m * r->k / LANE_COUNT; i++) {
            place_a(r, lane, i, &row, &column);
            a[row][column] = number(lane * 64 + i, r->a);
            put_element(p->in, 0, lane, i, per_register(r->a), r->a, a[row][column]);
        }
        for (uint32_t i = 0; i < r->k * r->n / LANE_COUNT; i++) {
            place_b(r, lane, i, &row, &column);
            b[row][column] = number(lane * 64 + i + 5000, r->b);
            put_element(p->in, 1, lane, i, per_register(r->b), r->b, b[row][column]);
        }
        for (uint32_t i = 0; i < r->m * r->n / LANE_COUNT; i++) {
            place_sum(lane, i, &row, &column);
            c[row][column] = number(lane * 64 + i + 9000, r->sum == 'i' ? SIGNED_BYTE : HALF);
            put_sum(r, p->in, lane, i, c[row][column]);
        }
    }
    make_text(r, text, sizeof text);
    p->body = text;
    if (!program_run(p))
        fail_msg("%s %s: %s\n%s", r->shape, r->types, p->err.text, text);
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < r->m * r->n / LANE_COUNT; i++) {
            place_sum(lane, i, &row, &column);
            double wanted = c[row][column];
            for (uint32_t k = 0; k < r->k; k++)
                wanted += a[row][k] * b[k][column];
            if (r->sum == 'h')
                wanted = (double)half_to_float(half_from_double(wanted, ROUND_RN));
            if (get_sum(r, p->out, lane, i) != wanted)
                fail_msg("%s %s: row %u, column %u is %g, not %g", r->shape, r->types, row, column, get_sum(r, p->out, lane, i),
                         wanted);
        }
    free(p);
}

static void products_are_those_of_the_matrices(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

static const char *const variants[] = { "portable", "avx2", "avx512" };

static uint32_t random_bits(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8 ^ *seed << 21;
}

/* An element's bits: for halves some are subnormal, a few infinite or no number. */
static uint32_t random_element(enum kind kind, uint32_t *seed)
{
    const uint32_t bits = random_bits(seed), rare = random_bits(seed) & 15;
    switch (kind) {
    case HALF: return rare ? bits & 0xffff : bits & 0x83ff;
    case BFLOAT: return rare > 1 ? (bits & 0x83ff) | 0x3c00 : rare ? bits & 0xffff : bits & 0x807f;
    case TENSOR32: return rare > 1 ? (bits & 0x83ffffff) | 0x3c000000 : bits;
    default: return bits & 0xff;
    }
}

/* bf16 and tf32 whose products are near the largest float, or near the least one; most are zero, so that few sums end there. */
static uint32_t edge_element(enum kind kind, bool large, uint32_t *seed)
{
    const uint32_t bits = random_bits(seed), exponent = large ? 190 + bits % 3 : 51 + bits % 4;
    const uint32_t word = (bits & 0x807fffffu) | exponent << 23;
    if (kind != BFLOAT && kind != TENSOR32)
        return random_element(kind, seed);
    return random_bits(seed) % 4 ? 0 : kind == BFLOAT ? word >> 16 : word;
}
enum edge { NO_EDGE, LARGE, TINY };
static uint32_t any_element(enum kind kind, enum edge edge, uint32_t *seed)
{
    return edge == NO_EDGE ? random_element(kind, seed) : edge_element(kind, edge == LARGE, seed);
}

static double value_of(enum kind kind, uint32_t bits)
{
    const uint32_t word = kind == BFLOAT ? bits << 16 : bits & ~0x1fffu;
    float single;
    memcpy(&single, &word, sizeof single);
    switch (kind) {
    case HALF: return (double)half_to_float((uint16_t)bits);
    case BYTE: return bits;
    case SIGNED_BYTE: return (int8_t)bits;
    default: return (double)single;
    }
}

/* As product.c defines sums, for whatever bits the elements have: floats, fused steps in order of k, rounded once more if the
 * result is f16; NaN is the canonical one. Whole numbers wrap or clamp. */
static uint32_t defined_sum(char kind, bool clamp, const double *a, const double *b, uint32_t step, uint32_t depth, uint32_t c)
{
    float sum;
    uint32_t bits;
    if (kind == 'i') {
        int64_t whole = (int32_t)c;
        for (uint32_t k = 0; k < depth; k++)
            whole += (int64_t)a[k] * (int64_t)b[k * step];
        return (uint32_t)(clamp && whole > INT32_MAX ? INT32_MAX : clamp && whole < INT32_MIN ? INT32_MIN : whole);
    }
    memcpy(&sum, &c, sizeof sum);
    sum = kind == 'h' ? half_to_float((uint16_t)c) : sum;
    for (uint32_t k = 0; k < depth; k++)
        sum = fmaf((float)a[k], (float)b[k * step], sum);
    if (kind == 'h')
        return sum != sum ? 0x7fffu : half_from_double((double)sum, ROUND_RN);
    memcpy(&bits, &sum, sizeof bits);
    return sum != sum ? 0x7fffffffu : bits;
}

static uint32_t random_sum(char kind, enum edge edge, uint32_t *seed)
{
    const uint32_t bits = random_bits(seed);
    if (kind == 'i') /* near the ends, so that they are reached */
        return bits & 1 ? 0x7fffff00u ^ (bits >> 8 & 0x1ff) : bits & 2 ? 0x80000000u | (bits >> 9 & 0xfff) : bits;
    if (kind == 'h')
        return random_element(HALF, seed);
    return edge == LARGE ? (bits & 0x80ffffff) | 0x7e000000 : edge == TINY ? bits & 0x8000000f : (bits & 0x87ffffff) | 0x3c000000;
}

static void run_in(struct program *p, const char *lanes, const char *text)
{
    p->body = text;
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .fused_fma = true, .lanes = lanes };
    if (!program_run(p))
        fail_msg("%s\n%s", p->err.text, text);
}

static void check_random_mma(const char *lanes, const struct row *r, bool clamp, enum edge edge, uint32_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    static char text[8192], types[64];
    static double a[16][32], b[32][8];
    static uint32_t c[16][8];
    const struct row asked = { r->shape, types, r->m, r->n, r->k, r->a, r->b, r->sum };
    const uint32_t bits = 32 / per_register(r->a), sums = r->sum == 'h' ? 2 : 1;
    uint32_t row, column;
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        for (uint32_t i = 0; i < r->m * r->k / LANE_COUNT; i++) {
            const uint32_t element = any_element(r->a, edge, &seed);
            place_a(r, lane, i, &row, &column);
            a[row][column] = value_of(r->a, element);
            p->in[lane * SLOT + i * bits / 32] |= element << (i * bits % 32);
        }
        for (uint32_t i = 0; i < r->k * r->n / LANE_COUNT; i++) {
            const uint32_t element = any_element(r->b, edge, &seed);
            place_b(r, lane, i, &row, &column);
            b[row][column] = value_of(r->b, element);
            p->in[(LANE_COUNT + lane) * SLOT + i * bits / 32] |= element << (i * bits % 32);
        }
        for (uint32_t i = 0; i < r->m * r->n / LANE_COUNT; i++) {
            place_sum(lane, i, &row, &column);
            c[row][column] = random_sum(r->sum, edge, &seed);
            p->in[(2 * LANE_COUNT + lane) * SLOT + i / sums] |= c[row][column] << (i % sums * 16);
        }
    }
    (void)snprintf(types, sizeof types, "%s%s", clamp ? "satfinite." : "", r->types);
    make_text(&asked, text, sizeof text);
    run_in(p, lanes, text);
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < r->m * r->n / LANE_COUNT; i++) {
            place_sum(lane, i, &row, &column);
            const uint32_t word = p->out[lane * SLOT + i / sums], got = sums == 2 ? word >> (i % 2 * 16) & 0xffff : word;
            const uint32_t wanted = defined_sum(r->sum, clamp, a[row], &b[0][column], 8, r->k, c[row][column]);
            if (got != wanted)
                fail_msg("%s %s %s: row %u, column %u is 0x%08x, not 0x%08x", lanes, r->shape, types, row, column, got, wanted);
        }
    free(p);
}

/* wmma: what a lane holds of each matrix is nobody's concern, so that tiles are loaded, by rows or by columns, multiplied and
 * stored. */
struct tiles {
    const char *type, *types;
    enum kind kind;
    uint32_t m, n, k, a, b; /* the registers of the factors */
};
static const struct tiles tiles[] = {
    { "f16", "f32.f32", HALF, 16, 16, 16, 8, 8 },
    { "f16", "f32.f32", HALF, 32, 8, 16, 8, 8 },
    { "f16", "f32.f32", HALF, 8, 32, 16, 8, 8 },
    { "bf16", "f32.bf16.bf16.f32", BFLOAT, 16, 16, 16, 4, 4 },
    { "bf16", "f32.bf16.bf16.f32", BFLOAT, 32, 8, 16, 8, 2 },
    { "bf16", "f32.bf16.bf16.f32", BFLOAT, 8, 32, 16, 2, 8 },
    { "tf32", "f32.tf32.tf32.f32", TENSOR32, 16, 16, 8, 4, 4 },
    { "s8", "s32.s8.s8.s32", SIGNED_BYTE, 16, 16, 16, 2, 2 },
    { "s8", "s32.s8.s8.s32", SIGNED_BYTE, 32, 8, 16, 4, 1 },
    { "u8", "s32.u8.u8.s32", BYTE, 8, 32, 16, 1, 4 },
};

static const char *list(const char *prefix, uint32_t count, char *text)
{
    *text = 0;
    put_registers(text, 128, prefix, count);
    return text;
}

static void set_cell(void *cells, enum kind kind, uint32_t at, uint32_t bits)
{
    const uint32_t bytes = 4 / per_register(kind);
    memcpy((uint8_t *)cells + (size_t)at * bytes, &bits, bytes);
}

static void check_random_wmma(const char *lanes, const struct tiles *t, bool columns, bool store_columns, uint32_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    char text[4096], shape[16], lists[4][128];
    static double left[32][16], right[16][32];
    const char *way = columns ? "col" : "row", *back = store_columns ? "col" : "row",
               *sum = t->kind == BYTE || t->kind == SIGNED_BYTE ? "s32" : "f32";
    const uint32_t pad = 16, a_stride = (columns ? t->m : t->k) + pad, b_stride = (columns ? t->k : t->n) + pad;
    for (uint32_t k = 0; k < t->k; k++) {
        for (uint32_t i = 0; i < t->m; i++) {
            const uint32_t bits = random_element(t->kind, &seed);
            left[i][k] = value_of(t->kind, bits);
            set_cell(p->in, t->kind, columns ? k * a_stride + i : i * a_stride + k, bits);
        }
        for (uint32_t i = 0; i < t->n; i++) {
            const uint32_t bits = random_element(t->kind, &seed);
            right[k][i] = value_of(t->kind, bits);
            set_cell(p->in + 1024, t->kind, columns ? i * b_stride + k : k * b_stride + i, bits);
        }
    }
    for (uint32_t i = 0; i < t->m * t->n; i++)
        p->in[2048 + i] = random_sum(sum[0] == 's' ? 'i' : 'f', NO_EDGE, &seed);
    (void)snprintf(shape, sizeof shape, "m%un%uk%u", t->m, t->n, t->k);
    /* in every third run the results go to the registers of the sums, in reverse */
    const char *results = seed % 3 ? list("d", 8, lists[3]) : "{%c7, %c6, %c5, %c4, %c3, %c2, %c1, %c0}";
    (void)snprintf(
        text, sizeof text,
        ".reg .b32 %%a<8>, %%b<8>;\n.reg .b32 %%c<8>, %%d<8>;\nwmma.load.a.sync.aligned.%s.%s.%s %s, [%%ins], %u;\n"
        "wmma.load.b.sync.aligned.%s.%s.%s %s, [%%ins+4096], %u;\nwmma.load.c.sync.aligned.row.%s.%s %s, [%%ins+8192], %u;\n"
        "wmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\nwmma.store.d.sync.aligned.%s.%s.%s [%%outs], %s, 40;\n",
        way, shape, t->type, list("a", t->a, lists[0]), a_stride, way, shape, t->type, list("b", t->b, lists[1]), b_stride, shape,
        sum, list("c", 8, lists[2]), t->n, way, way, shape, t->types, results, lists[0], lists[1], lists[2], back, shape, sum,
        results);
    run_in(p, lanes, text);
    for (uint32_t i = 0; i < t->m; i++)
        for (uint32_t j = 0; j < t->n; j++) {
            const uint32_t got = p->out[store_columns ? j * 40 + i : i * 40 + j],
                           wanted = defined_sum(sum[0] == 's' ? 'i' : 'f', false, left[i], &right[0][j], 32, t->k,
                                                p->in[2048 + i * t->n + j]);
            if (got != wanted)
                fail_msg("%s %s.%s: row %u, column %u is 0x%08x, not 0x%08x", lanes, shape, t->types, i, j, got, wanted);
        }
    free(p);
}

/* m8n8k4 of halves: four products in a warp, by lanes 4 q to 4 q + 3 and those sixteen further up. */
enum { QUADS = 4 };
struct volta {
    double a[QUADS][8][4], b[QUADS][4][8];
    uint32_t c[QUADS][8][8];
};

/* The ISA's formulas for the sums: a row in f16; by bits of lane and number in f32. */
static void place_volta_sum(bool is_half, uint32_t lane, uint32_t i, uint32_t *row, uint32_t *column)
{
    const uint32_t x = is_half ? lane % 4 : (lane & 1) + (i & 2);
    *row = lane < 16 ? x : x + 4;
    *column = is_half ? i : (i & 4) + (lane & 2) + (i & 1);
}

static void put_volta(uint32_t *in, bool a_columns, bool b_columns, bool half_start, uint32_t seed, struct volta *v)
{
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        const uint32_t quad = lane % 16 / 4, four = lane < 16 ? 0 : 4;
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t a = random_element(HALF, &seed), b = random_element(HALF, &seed), shift = i % 2 * 16;
            v->a[quad][a_columns ? i + four : lane % 4 + four][a_columns ? lane % 4 : i] = value_of(HALF, a);
            v->b[quad][b_columns ? i : lane % 4][b_columns ? lane % 4 + four : i + four] = value_of(HALF, b);
            in[lane * SLOT + i / 2] |= a << shift;
            in[(LANE_COUNT + lane) * SLOT + i / 2] |= b << shift;
        }
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t start = random_sum(half_start ? 'h' : 'f', NO_EDGE, &seed);
            uint32_t row, column;
            place_volta_sum(half_start, lane, i, &row, &column);
            v->c[quad][row][column] = start;
            in[(2 * LANE_COUNT + lane) * SLOT + (half_start ? i / 2 : i)] |= start << (half_start ? i % 2 * 16 : 0);
        }
    }
}

static uint32_t volta_sum(const struct volta *v, uint32_t quad, uint32_t row, uint32_t column, bool half_start, bool half_sum)
{
    uint32_t start = v->c[quad][row][column];
    if (half_start && !half_sum) {
        const float wide = half_to_float((uint16_t)start);
        memcpy(&start, &wide, sizeof start);
    }
    return defined_sum(half_sum ? 'h' : 'f', false, v->a[quad][row], &v->b[quad][0][column], 8, 4, start);
}

static void check_volta(const char *lanes, bool a_columns, bool b_columns, const char *types, uint32_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    struct volta *v = calloc(1, sizeof *v);
    char text[4096], lists[4][128];
    const bool half_sum = strncmp(types, "f16", 3) == 0, half_start = strcmp(types + 12, "f16") == 0;
    put_volta(p->in, a_columns, b_columns, half_start, seed, v);
    (void)snprintf(text, sizeof text,
                   ".reg .b32 %%a<8>, %%b<8>, %%c<8>, %%d<8>;\nmul.wide.u32 %%q7, %%t, %u;\nadd.s64 %%q8, %%ins, %%q7;\n"
                   "add.s64 %%q9, %%outs, %%q7;\n",
                   SLOT * 4);
    put_moves(text, sizeof text, "a", 2, 0, false, true);
    put_moves(text, sizeof text, "b", 2, 1, false, true);
    put_moves(text, sizeof text, "c", half_start ? 4 : 8, 2, false, true);
    const size_t at = strlen(text);
    (void)snprintf(text + at, sizeof text - at, "mma.sync.aligned.m8n8k4.%s.%s.%s %s, %s, %s, %s;\n", a_columns ? "col" : "row",
                   b_columns ? "col" : "row", types, list("d", half_sum ? 4 : 8, lists[0]), list("a", 2, lists[1]),
                   list("b", 2, lists[2]), list("c", half_start ? 4 : 8, lists[3]));
    put_moves(text, sizeof text, "d", half_sum ? 4 : 8, 0, false, false);
    run_in(p, lanes, text);
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t row, column;
            place_volta_sum(half_sum, lane, i, &row, &column);
            const uint32_t word = p->out[lane * SLOT + (half_sum ? i / 2 : i)], got = half_sum ? word >> i % 2 * 16 & 0xffff : word,
                           wanted = volta_sum(v, lane % 16 / 4, row, column, half_start, half_sum);
            if (got != wanted)
                fail_msg("%s %s, lane %u, row %u, column %u is 0x%08x, not 0x%08x\n%s", lanes, types, lane, row, column, got,
                         wanted, text + at);
        }
    free(v);
    free(p);
}

static void any_bits_give_the_defined_sums_in_every_variant(void **state)
{
    (void)state;
    static const char *const volta_types[] = { "f16.f16.f16.f16", "f32.f16.f16.f16", "f32.f16.f16.f32" };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct program *p = calloc(1, sizeof *p);
        p->body = "";
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = variants[v] };
        const bool can = program_run(p);
        free(p);
        for (uint32_t seed = 1; can && seed <= 12; seed++) {
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
                if (rows[i].sum != 'd')
                    check_random_mma(variants[v], &rows[i], rows[i].sum == 'i' && seed & 1, seed % 3, seed * 7919);
            for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
                check_random_wmma(variants[v], &tiles[i], seed & 1, seed & 2, seed);
            for (size_t i = 0; i < sizeof volta_types / sizeof *volta_types; i++)
                check_volta(variants[v], seed & 1, seed & 2, volta_types[i], seed * 101);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_matrices),
        cmocka_unit_test(any_bits_give_the_defined_sums_in_every_variant),
    };
    return cmocka_run_group_tests_name("matrices", tests, NULL, NULL);
}
