/* mma: every shape and type that is simulated, against the product of matrices that are put together from the lanes' registers by
 * the ISA's own formulas for rows and columns; ldmatrix, stmatrix, movmatrix. */
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

static uint16_t random_half(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    const uint16_t half = (uint16_t)(*seed >> 11);
    return *seed >> 28 ? half : (uint16_t)(half & 0x83ff); /* some are subnormal, a few infinite or no number */
}

/* Sums in double in order of k and one rounding, for whatever bits the halves have; NaN is the canonical one. */
static uint32_t exact_f32(const uint16_t *a, const uint16_t *b, uint32_t step, uint32_t depth, float c)
{
    double sum = (double)c;
    uint32_t bits;
    for (uint32_t k = 0; k < depth; k++)
        sum += (double)half_to_float(a[k]) * (double)half_to_float(b[k * step]);
    const float rounded = (float)sum;
    memcpy(&bits, &rounded, sizeof bits);
    return rounded != rounded ? 0x7fffffffu : bits;
}

static void check_random_mma(const char *lanes, uint32_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    static char text[8192];
    const struct row *r = &rows[0];
    uint16_t a[16][16], b[16][8];
    float c[16][8];
    uint32_t row, column;
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        for (uint32_t i = 0; i < 8; i++) {
            place_a(r, lane, i, &row, &column);
            a[row][column] = random_half(&seed);
            p->in[lane * SLOT + i / 2] |= (uint32_t)a[row][column] << 16 * (i % 2);
        }
        for (uint32_t i = 0; i < 4; i++) {
            place_b(r, lane, i, &row, &column);
            b[row][column] = random_half(&seed);
            p->in[SLOT * LANE_COUNT + lane * SLOT + i / 2] |= (uint32_t)b[row][column] << 16 * (i % 2);
            place_sum(lane, i, &row, &column);
            c[row][column] = (float)number(seed, HALF) * 0x1p-20f;
            memcpy(&p->in[2 * SLOT * LANE_COUNT + lane * SLOT + i], &c[row][column], 4);
        }
    }
    make_text(r, text, sizeof text);
    p->body = text;
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .fused_fma = true, .lanes = lanes };
    if (!program_run(p))
        fail_msg("%s", p->err.text);
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < 4; i++) {
            place_sum(lane, i, &row, &column);
            assert_int_equal(p->out[lane * SLOT + i], exact_f32(a[row], &b[0][column], 8, 16, c[row][column]));
        }
    free(p);
}

/* Tiles that a warp loads, by rows or by columns, multiplies and stores: the layout between is nobody's concern. */
static void check_random_wmma(const char *lanes, bool columns, bool store_columns, uint32_t m, uint32_t n, uint32_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    char text[2048];
    uint16_t *halves = (uint16_t *)p->in, *a = halves, *b = halves + 1024, left[32][16], right[16][32];
    const char *way = columns ? "col" : "row", *back = store_columns ? "col" : "row";
    const uint32_t a_stride = columns ? m + 8 : 24, b_stride = columns ? 24 : n + 8;
    for (uint32_t i = 0; i < 2048; i++)
        halves[i] = random_half(&seed);
    for (uint32_t k = 0; k < 16; k++) {
        for (uint32_t i = 0; i < m; i++)
            left[i][k] = a[columns ? k * a_stride + i : i * a_stride + k];
        for (uint32_t i = 0; i < n; i++)
            right[k][i] = b[columns ? i * b_stride + k : k * b_stride + i];
    }
    (void)snprintf(text, sizeof text,
                   ".reg .b32 %%a<8>, %%b<8>;\n.reg .f32 %%c<8>, %%d<8>;\n"
                   "wmma.load.a.sync.aligned.%s.m%un%uk16.f16 {%%a0,%%a1,%%a2,%%a3,%%a4,%%a5,%%a6,%%a7}, [%%ins], %u;\n"
                   "wmma.load.b.sync.aligned.%s.m%un%uk16.f16 {%%b0,%%b1,%%b2,%%b3,%%b4,%%b5,%%b6,%%b7}, [%%ins+2048], %u;\n"
                   "wmma.load.c.sync.aligned.row.m%un%uk16.f32 {%%c0,%%c1,%%c2,%%c3,%%c4,%%c5,%%c6,%%c7}, [%%ins+8192], %u;\n"
                   "wmma.mma.sync.aligned.%s.%s.m%un%uk16.f32.f32 {%%d0,%%d1,%%d2,%%d3,%%d4,%%d5,%%d6,%%d7}, "
                   "{%%a0,%%a1,%%a2,%%a3,%%a4,%%a5,%%a6,%%a7}, {%%b0,%%b1,%%b2,%%b3,%%b4,%%b5,%%b6,%%b7}, "
                   "{%%c0,%%c1,%%c2,%%c3,%%c4,%%c5,%%c6,%%c7};\n"
                   "wmma.store.d.sync.aligned.%s.m%un%uk16.f32 [%%outs], {%%d0,%%d1,%%d2,%%d3,%%d4,%%d5,%%d6,%%d7}, 40;\n",
                   way, m, n, a_stride, way, m, n, b_stride, m, n, n, way, way, m, n, back, m, n);
    for (uint32_t i = 0; i < m * n; i++) {
        const float c = (float)number(i, HALF);
        memcpy(&p->in[2048 + i], &c, sizeof c);
    }
    p->body = text;
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .fused_fma = true, .lanes = lanes };
    if (!program_run(p))
        fail_msg("%s\n%s", p->err.text, text);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++)
            assert_int_equal(p->out[store_columns ? j * 40 + i : i * 40 + j],
                             exact_f32(left[i], &right[0][j], 32, 16, (float)number(i * n + j, HALF)));
    free(p);
}

static void any_bits_give_exact_sums_in_every_variant(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct program *p = calloc(1, sizeof *p);
        p->body = "";
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = variants[v] };
        const bool can = program_run(p);
        free(p);
        for (uint32_t seed = 1; can && seed <= 40; seed++) {
            check_random_mma(variants[v], seed * 7919);
            check_random_wmma(variants[v], seed & 1, seed & 2, 16, 16, seed);
            check_random_wmma(variants[v], seed & 1, seed & 2, 32, 8, seed);
            check_random_wmma(variants[v], seed & 1, seed & 2, 8, 32, seed);
        }
    }
}

/* Row r of matrix m is at 16 bytes times (8 m + r), and its halves are numbered through. */
static void rows_are_loaded_and_stored_as_fragments(void **state)
{
    (void)state;
    struct program *p = calloc(1, sizeof *p);
    p->before = ".shared .align 16 .b8 tile[512];\n.shared .align 16 .b8 back[512];\n";
    p->body = ".reg .b32 %m<4>, %s<4>;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %t, 16, %r2;\nmul.wide.u32 %q1, %t, 16;\nadd.s64 %q2, "
              "%ins, %q1;\n"
              "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%q2];\nst.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};\nbar.sync 0;\n"
              "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%m0, %m1, %m2, %m3}, [%r3];\n"
              "add.s64 %q3, %outs, %q1;\nst.global.v4.u32 [%q3], {%m0, %m1, %m2, %m3};\n"
              "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%s0, %s1}, [%r3];\nst.global.v2.u32 [%q3+512], {%s0, %s1};\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %s2, %m0;\nst.global.u32 [%q3+520], %s2;\n"
              "mov.u32 %r2, back;\nmad.lo.u32 %r3, %t, 16, %r2;\n"
              "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%m0, %m1, %m2, %m3};\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nst.global.v4.u32 [%q3+1024], {%r4, %r5, %r6, %r7};\n"
              "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r3], {%m1};\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nst.global.v4.u32 [%q3+1536], {%r4, %r5, %r6, %r7};";
    uint16_t *halves = (uint16_t *)p->in;
    for (uint32_t i = 0; i < 256; i++)
        halves[i] = (uint16_t)(i + 100);
    if (!program_run(p))
        fail_msg("%s", p->err.text);
    const uint16_t *transposed = (const uint16_t *)&p->out[384];
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        for (uint32_t m = 0; m < 4; m++)
            for (uint32_t h = 0; h < 2; h++)
                assert_int_equal(p->out[lane * 4 + m] >> 16 * h & 0xffff, 100 + 64 * m + lane / 4 * 8 + lane % 4 * 2 + h);
        for (uint32_t m = 0; m < 3; m++) /* the third is movmatrix of the first */
            for (uint32_t h = 0; h < 2; h++)
                assert_int_equal(p->out[128 + lane * 4 + m] >> 16 * h & 0xffff,
                                 100 + 64 * (m % 2) + (lane % 4 * 2 + h) * 8 + lane / 4);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(p->out[256 + lane * 4 + k], p->in[lane * 4 + k]);
    }
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(transposed[i], 164 + i % 8 * 8 + i / 8);
    free(p);
}

static void part_of_a_warp_cannot_multiply(void **state)
{
    (void)state;
    struct program *p = calloc(1, sizeof *p);
    p->body = ".reg .b64 %x<4>;\n.reg .pred %half;\nsetp.lt.u32 %half, %t, 16;\n"
              "@%half mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%x0, %x1}, {%x2}, {%x3}, {%x0, %x1};";
    assert_false(program_run(p));
    assert_non_null(strstr(p->err.text, "mma needs all 32 lanes"));
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_matrices),
        cmocka_unit_test(any_bits_give_exact_sums_in_every_variant),
        cmocka_unit_test(rows_are_loaded_and_stored_as_fragments),
        cmocka_unit_test(part_of_a_warp_cannot_multiply),
    };
    return cmocka_run_group_tests_name("matrices", tests, NULL, NULL);
}
