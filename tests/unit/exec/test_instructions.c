/* Each row of the tables becomes a kernel of one instruction between loads and a store. It runs over all pairs of corner
 * values, once with full warps and once with part of each warp, and every lane is compared with a C expression.
 *
 * Operand codes: h w d: integers of 16, 32, 64 bits; f g: f32, f64; k K: f16, f16x2; x: f32 of moderate size; s: shift
 * amounts; p: predicate. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "exec/exec.h"
#include "exec/lanes.h"
#include "instruction_corners.h"
#include "instruction_words.h"

#define SENTINEL UINT64_C(0x5a5a5a5a5a5a5a5a)

static int width(char code)
{
    return code == 'p' ? 0 : code == 'h' || code == 'k' ? 2 : code == 'd' || code == 'g' ? 8 : 4;
}

struct row {
    const char *text;
    char operands[4]; /* d, a, b, c */
    uint64_t (*exact)(uint64_t a, uint64_t b, uint64_t c);
    double (*close)(uint64_t a, uint64_t b, uint64_t c);
    int ulps;
};

/* A row's function is named after its line, so that a second reading of the table can take its address. */
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define ROW(text, d, a_, b_, c_, expression)                                                                                       \
    static uint64_t CAT(PREFIX, __LINE__)(uint64_t a, uint64_t b, uint64_t c)                                                      \
    {                                                                                                                              \
        (void)a;                                                                                                                   \
        (void)b;                                                                                                                   \
        (void)c;                                                                                                                   \
        return (uint64_t)(expression);                                                                                             \
    }
#define CLOSE(text, d, a_, b_, c_, expression, ulps)                                                                               \
    static double CAT(PREFIX, __LINE__)(uint64_t a, uint64_t b, uint64_t c)                                                        \
    {                                                                                                                              \
        (void)a;                                                                                                                   \
        (void)b;                                                                                                                   \
        (void)c;                                                                                                                   \
        return (expression);                                                                                                       \
    }
#define PREFIX instruction_
#include "instruction_rows.def"
#undef PREFIX
#define PREFIX convert_
#include "convert_rows.def"
#undef PREFIX
#undef ROW
#undef CLOSE
#define ROW(text, d, a, b, c, expression) { text, { d, a, b, c }, CAT(PREFIX, __LINE__), NULL, 0 },
#define CLOSE(text, d, a, b, c, expression, ulps) { text, { d, a, b, c }, NULL, CAT(PREFIX, __LINE__), ulps },
static const struct row rows[] = {
#define PREFIX instruction_
#include "instruction_rows.def"
#undef PREFIX
#define PREFIX convert_
#include "convert_rows.def"
};

enum { CASES = 1536, BLOCK = 96 }; /* 96 threads: three warps, the grid's last block is whole */

static const char *type_name(int bytes)
{
    return bytes == 2 ? "b16" : bytes == 8 ? "b64" : "b32";
}

static void load_operand(char *text, size_t size, char name, char code, int parameter)
{
    size_t n = strlen(text);
    int bytes = width(code);
    if (!code)
        return;
    n += (size_t)snprintf(text + n, size - n, "ld.param.u64 %%q, [P%d];\nadd.s64 %%q, %%q, %%o;\n", parameter);
    if (code == 'p')
        (void)snprintf(text + n, size - n, "ld.global.u32 %%t, [%%q];\nsetp.ne.u32 %%%c, %%t, 0;\n", name);
    else
        (void)snprintf(text + n, size - n, "ld.global.%s %%%c, [%%q];\n", type_name(bytes), name);
}

/* The instruction as given when it has operands, else with d, a, b, c as the row has them. */
static void put_instruction(char *text, size_t size, const struct row *row)
{
    size_t n = strlen(text);
    n += (size_t)snprintf(text + n, size - n, "@%%go %s", row->text);
    if (strchr(row->text, '%')) {
        (void)snprintf(text + n, size - n, "\n");
        return;
    }
    static const char names[] = "dabc";
    for (int i = 0; i < 4; i++)
        if (row->operands[i])
            n += (size_t)snprintf(text + n, size - n, "%s%%%c", i ? ", " : " ", names[i]);
    (void)snprintf(text + n, size - n, ";\n");
}

static void declare(char *text, size_t size, char name, char code)
{
    size_t n = strlen(text);
    if (code)
        (void)snprintf(text + n, size - n, ".reg .%s %%%c;\n", code == 'p' ? "pred" : type_name(width(code)), name);
}

static void write_kernel(char *text, size_t size, const struct row *row, bool partial)
{
    static const char names[] = "dabc";
    (void)snprintf(text, size,
                   ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 P0, .param .u64 P1, "
                   ".param .u64 P2, .param .u64 P3)\n{\n.reg .pred %%go;\n.reg .b32 %%t, %%i;\n.reg .b64 %%q, %%o;\n");
    for (int i = 0; i < 4; i++)
        declare(text, size, names[i], row->operands[i]);
    size_t n = strlen(text);
    (void)snprintf(text + n, size - n,
                   "mov.u32 %%t, %%ctaid.x;\nmov.u32 %%i, %%ntid.x;\nmul.lo.u32 %%i, %%i, %%t;\nmov.u32 %%t, %%tid.x;\n"
                   "add.u32 %%i, %%i, %%t;\nmul.wide.u32 %%o, %%i, 8;\n");
    for (int i = 1; i < 4; i++)
        load_operand(text, size, names[i], row->operands[i], i);
    n = strlen(text); /* the destination starts as the sentinel; with partial masks two lanes of three execute */
    if (row->operands[0] == 'p')
        n += (size_t)snprintf(text + n, size - n, "setp.eq.u32 %%d, %%i, %%i;\n");
    else
        n += (size_t)snprintf(text + n, size - n, "mov.%s %%d, %s;\n", type_name(width(row->operands[0])),
                              width(row->operands[0]) == 2   ? "0x5a5a"
                              : width(row->operands[0]) == 4 ? "0x5a5a5a5a"
                                                             : "0x5a5a5a5a5a5a5a5a");
    (void)snprintf(text + n, size - n,
                   partial ? "rem.u32 %%t, %%i, 3;\nsetp.ne.u32 %%go, %%t, 1;\n" : "setp.eq.u32 %%go, %%i, %%i;\n");
    put_instruction(text, size, row);
    n = strlen(text);
    n += (size_t)snprintf(text + n, size - n, "ld.param.u64 %%q, [P0];\nadd.s64 %%q, %%q, %%o;\n");
    if (row->operands[0] == 'p')
        (void)snprintf(text + n, size - n, "selp.u32 %%t, 1, 0, %%d;\nst.global.u32 [%%q], %%t;\nret;\n}\n");
    else
        (void)snprintf(text + n, size - n, "st.global.%s [%%q], %%d;\nret;\n}\n", type_name(width(row->operands[0])));
}

struct inputs {
    uint64_t value[4][CASES];
};

/* All pairs of the first 39 corner values, with the third in step. */
static void fill_inputs(struct inputs *in, const struct row *row)
{
    for (size_t i = 0; i < CASES; i++) {
        in->value[1][i] = corner(row->operands[1] ? row->operands[1] : 'd', row->operands[2] ? i / 39 : i);
        in->value[2][i] = corner(row->operands[2] ? row->operands[2] : 'd', i % 39);
        in->value[3][i] = corner(row->operands[3] ? row->operands[3] : 'd', i / 3 + i / 50);
    }
}

static bool run_row(const struct row *row, const char *lanes, bool partial, const struct inputs *in, uint64_t *out,
                    struct error *err)
{
    char text[8192];
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true, .lanes = lanes };
    struct device *device = device_new(&options, err);
    uint64_t params[4];
    struct functional_result result;
    write_kernel(text, sizeof text, row, partial);
    struct ptx_module *ptx = ptx_parse("row.ptx", text, strlen(text), err);
    bool ok = ptx && device_load_module(device, ptx, err);
    for (int i = 0; ok && i < 4; i++) {
        params[i] = device_alloc(device, CASES * 8);
        if (i)
            ok = device_write(device, params[i], in->value[i], CASES * 8, err);
    }
    struct launch launch = { .grid = { CASES / BLOCK, 1, 1 },
                             .block = { BLOCK, 1, 1 },
                             .params = (const uint8_t *)params,
                             .param_bytes = sizeof params,
                             .static_shared_override = UINT32_MAX };
    launch.kernel = ok ? device_find_kernel(device, NULL, "k") : NULL;
    struct front *front = launch.kernel ? exec_launch(device, &launch, NULL, err) : NULL;
    ok = front && exec_run_functional(front, 0, &result, err) && device_read(device, params[0], out, CASES * 8, err);
    if (front)
        front->ops->destroy(front);
    device_free(device);
    return ok;
}

static double ulps_apart(float got, double want)
{
    if (isnan(got) || isnan(want))
        return isnan(got) == isnan(want) ? 0 : INFINITY;
    float nearest = (float)want;
    if (got == nearest || (isinf(nearest) && got == nearest))
        return 0;
    double unit = (double)nextafterf(fabsf(nearest), INFINITY) - (double)fabsf(nearest);
    return fabs((double)got - want) / unit;
}

static bool lane_is_right(const struct row *row, const struct inputs *in, size_t i, bool executes, uint64_t got, uint64_t *want)
{
    uint64_t a = in->value[1][i], b = in->value[2][i], c = in->value[3][i];
    int bytes = width(row->operands[0]);
    uint64_t keep = bytes == 0 ? 1 : bytes == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
    got &= bytes == 0 ? UINT32_MAX : keep;
    *want = bytes == 0 ? 1 : SENTINEL & keep;
    if (!executes)
        return got == *want;
    if (row->close) {
        double exact = row->close(a, b, c);
        *want = BITS((float)exact);
        return ulps_apart(F32(got), exact) <= row->ulps || (fabs(exact) < 0x1p-126 && fabsf(F32(got)) < 0x1p-125f);
    }
    *want = row->exact(a, b, c);
    if (*want == NAN_SKIP)
        return true;
    *want &= keep;
    return got == *want;
}

static int check_row(const struct row *row, const char *lanes, bool partial)
{
    static struct inputs in;
    static uint64_t out[CASES];
    struct error err = { 0 };
    int bad = 0;
    fill_inputs(&in, row);
    if (!run_row(row, lanes, partial, &in, out, &err)) {
        print_error("%s: %s\n", row->text, err.text);
        return 1;
    }
    for (size_t i = 0; i < CASES; i++) {
        uint64_t want;
        if (lane_is_right(row, &in, i, !partial || i % 3 != 1, out[i], &want))
            continue;
        if (bad++ < 3)
            print_error("%s%s: a %llx b %llx c %llx: got %llx, want %llx\n", row->text, partial ? " (part of the warp)" : "",
                        (unsigned long long)in.value[1][i], (unsigned long long)in.value[2][i], (unsigned long long)in.value[3][i],
                        (unsigned long long)out[i], (unsigned long long)want);
    }
    return bad > 0;
}

static void check_rows(const char *lanes)
{
    int bad = 0;
    if (!lanes_choose(lanes)) {
        print_message("this host cannot run %s lanes\n", lanes);
        skip();
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bad += check_row(&rows[i], lanes, false) + check_row(&rows[i], lanes, true);
    print_message("%zu instructions, %s lanes\n", sizeof rows / sizeof *rows, lanes);
    assert_int_equal(bad, 0);
}

static void every_row_agrees_with_c_portable(void **state)
{
    (void)state;
    check_rows("portable");
}
static void every_row_agrees_with_c_avx2(void **state)
{
    (void)state;
    check_rows("avx2");
}
static void every_row_agrees_with_c_avx512(void **state)
{
    (void)state;
    check_rows("avx512");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_agrees_with_c_portable),
        cmocka_unit_test(every_row_agrees_with_c_avx2),
        cmocka_unit_test(every_row_agrees_with_c_avx512),
    };
    return cmocka_run_group_tests_name("instructions", tests, NULL, NULL);
}
