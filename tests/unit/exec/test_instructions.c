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

#define U16(v) ((uint16_t)(v))
#define U32(v) ((uint32_t)(v))
#define S8(v) ((int8_t)(v))
#define S16(v) ((int16_t)(v))
#define S32(v) ((int32_t)(uint32_t)(v))
#define S64(v) ((int64_t)(v))
#define ORDERED(a, b) (!isnan(F32(a)) && !isnan(F32(b)))
#define SAT32(v) ((uint64_t)(uint32_t)saturate32(v))
#define SENTINEL UINT64_C(0x5a5a5a5a5a5a5a5a)
#define NAN_SKIP UINT64_C(0xdeadbeefdeadbeef) /* a result that is not compared */

static float F32(uint64_t bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, 4);
    return f;
}
static double F64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, 8);
    return f;
}
static uint64_t BITS(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}
static uint64_t BITS64(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return b;
}
static uint64_t R32(float f)
{
    return isnan(f) ? 0x7fffffff : BITS(f);
}
static float flush(float f)
{
    return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
static float FTZ(uint64_t bits)
{
    return flush(F32(bits));
}
static uint64_t SATF(float f)
{
    return BITS(f >= 1 ? 1.0f : f > 0 ? f : 0.0f);
}
static int64_t saturate32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/* f64 results keep the first NaN operand's payload, made quiet */
static uint64_t R64(double r, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t operands[3] = { a, b, c };
    if (!isnan(r))
        return BITS64(r);
    for (int i = 0; i < 3; i++)
        if (isnan(F64(operands[i])))
            return operands[i] | UINT64_C(1) << 51;
    return UINT64_C(0xfff8000000000000);
}

/* An independent half: found by searching the 2^16 values for the nearest, ties to even. */
static float F16(uint64_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return (float)(bits & 0x8000 ? -v : v);
}

static uint64_t H16(double v)
{
    if (isnan(v))
        return 0x7fff;
    uint64_t sign = signbit(v) ? 0x8000 : 0;
    double m = fabs(v);
    if (m >= 65520)
        return sign | 0x7c00;
    uint32_t low = 0, high = 0x7bff; /* largest half not above m */
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if ((double)F16(middle) <= m)
            low = middle;
        else
            high = middle - 1;
    }
    double below = (double)F16(low), above = low == 0x7bff ? 65536.0 : (double)F16(low + 1);
    if (m - below > above - m || (m - below == above - m && (low & 1)))
        low++;
    return sign | low;
}
/* Negative numbers and zeros become zero; what is not a number stays so. */
static uint64_t relu16(uint64_t bits)
{
    return (bits & 0x7fff) > 0x7c00 || !(bits & 0x8000) ? bits : 0;
}

#define ROUNDED(name, T, arguments, expression)                                                                                    \
    static T __attribute__((noinline)) name arguments                                                                              \
    {                                                                                                                              \
        fesetround(mode);                                                                                                          \
        volatile T r = (expression);                                                                                               \
        fesetround(FE_TONEAREST);                                                                                                  \
        return r;                                                                                                                  \
    }
ROUNDED(rounded_add, float, (volatile float a, volatile float b, int mode), a + b)
ROUNDED(rounded_mul, float, (volatile float a, volatile float b, int mode), a *b)
ROUNDED(rounded_div, float, (volatile float a, volatile float b, int mode), a / b)
ROUNDED(rounded_fma, float, (volatile float a, volatile float b, volatile float c, int mode), fmaf(a, b, c))
ROUNDED(rounded_sqrt, float, (volatile float a, int mode), sqrtf(a))
ROUNDED(rounded_to_float, float, (volatile double a, int mode), (float)a)
ROUNDED(long_to_float, float, (volatile long double a, int mode), (float)a)
ROUNDED(long_to_double, double, (volatile long double a, int mode), (double)a)
ROUNDED(rounded_add64, double, (volatile double a, volatile double b, int mode), a + b)
ROUNDED(rounded_mul64, double, (volatile double a, volatile double b, int mode), a *b)

static uint64_t to_int(double v, int bits, bool is_signed)
{
    double high = ldexp(1, is_signed ? bits - 1 : bits);
    if (isnan(v))
        return 0;
    if (v >= high)
        return (is_signed ? UINT64_MAX >> 1 : UINT64_MAX) >> (64 - bits);
    if (is_signed)
        return v < -high ? UINT64_MAX << (bits - 1) : (uint64_t)(int64_t)v;
    return v <= 0 ? 0 : (uint64_t)v;
}

static uint64_t least(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? R32(b) : BITS(a);
    if (a == b)
        return signbit(a) ? BITS(a) : BITS(b);
    return BITS(a < b ? a : b);
}
static uint64_t greatest(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? R32(b) : BITS(a);
    if (a == b)
        return signbit(a) ? BITS(b) : BITS(a);
    return BITS(a > b ? a : b);
}
static uint64_t least64(uint64_t a, uint64_t b)
{
    if (isnan(F64(a)) || isnan(F64(b)))
        return isnan(F64(a)) ? b : a;
    return F64(a) == F64(b) ? (signbit(F64(a)) ? a : b) : F64(a) < F64(b) ? a : b;
}
static uint64_t greatest64(uint64_t a, uint64_t b)
{
    if (isnan(F64(a)) || isnan(F64(b)))
        return isnan(F64(a)) ? b : a;
    return F64(a) == F64(b) ? (signbit(F64(a)) ? b : a) : F64(a) > F64(b) ? a : b;
}

static uint64_t reverse(uint64_t v, int bits)
{
    uint64_t r = 0;
    for (int i = 0; i < bits; i++, v >>= 1)
        r = r << 1 | (v & 1);
    return r;
}
static uint64_t highest_unlike_sign(int32_t v)
{
    /* Not (v >> i & 1) != (v < 0): gcc 12 compiles that wrongly with -fsanitize=undefined -O1. */
    const uint32_t unlike = v < 0 ? ~(uint32_t)v : (uint32_t)v;
    for (int i = 31; i >= 0; i--)
        if (unlike >> i & 1u)
            return (uint64_t)i;
    return UINT32_MAX;
}
/* bit by bit, as the ISA's pseudo-code */
static uint64_t extract(uint64_t a, uint64_t position, uint64_t length, uint64_t bits, bool is_signed)
{
    uint64_t msb = bits - 1, end = position + length - 1 < msb ? position + length - 1 : msb, r = 0;
    bool sign = is_signed && length ? a >> end & 1 : 0;
    for (uint64_t i = 0; i <= msb; i++) {
        bool bit = i < length && position + i <= msb ? a >> (position + i) & 1 : sign;
        r |= (uint64_t)bit << i;
    }
    return r;
}
static uint64_t insert(uint64_t a, uint64_t b, uint64_t position, uint64_t length, uint64_t bits)
{
    for (uint64_t i = 0; i < length && position + i < bits; i++) {
        b &= ~(UINT64_C(1) << (position + i));
        b |= (i < 64 ? a >> i & 1 : 0) << (position + i);
    }
    return b;
}
static uint64_t mask_bits(uint32_t start, uint32_t width)
{
    uint64_t r = 0;
    for (uint32_t i = start; i < start + width && i < 32; i++)
        r |= UINT64_C(1) << i;
    return r;
}
static uint64_t permute(uint32_t a, uint32_t b, uint32_t control)
{
    uint8_t bytes[8];
    uint32_t r = 0;
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    for (int i = 3; i >= 0; i--) {
        uint32_t s = control >> (4 * i) & 15, byte = bytes[s & 7];
        r = r << 8 | (s & 8 ? (byte >> 7 ? 255u : 0u) : byte);
    }
    return r;
}
static uint64_t next_set(uint32_t mask, uint32_t base)
{
    for (; base < 32; base++)
        if (mask >> base & 1)
            return base;
    return UINT32_MAX;
}
static uint64_t dot4(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (int i = 0; i < 4; i++) {
        int x = a_signed ? (int8_t)(a >> (8 * i)) : (uint8_t)(a >> (8 * i)),
            y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}

static const uint64_t integers[] = { 0,
                                     1,
                                     2,
                                     3,
                                     7,
                                     31,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x10000,
                                     0x1234567,
                                     0x7fffffff,
                                     0x80000000,
                                     0x80000001,
                                     0xfffffffe,
                                     0xffffffff,
                                     UINT64_C(0x100000000),
                                     UINT64_C(0x123456789abcdef),
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0xffffffff80000000),
                                     UINT64_C(0xfffffffffffffffe),
                                     UINT64_C(0xffffffffffffffff),
                                     0x80ff7f01,
                                     0xdeadbeef,
                                     0x1000001,
                                     0x1ffffff,
                                     UINT64_C(0x20000000000001),
                                     UINT64_C(0x40000080000001) };
static const uint32_t floats[] = { 0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
                                   0xbf800000, 0x3f800001, 0x3f7fffff, 0x40490fdb, 0x3eaaaaab, 0x3f000000, 0x3fc00000, 0x40200000,
                                   0xc0600000, 0x4b000001, 0x4b800000, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x5f000000,
                                   0xdf000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
                                   0x34000000, 0x42f6e979, 0xc2c80000, 0x1f800000, 0x5f7fffff, 0x00400000 };
static const uint64_t doubles[] = { 0,
                                    UINT64_C(0x8000000000000000),
                                    1,
                                    UINT64_C(0x000fffffffffffff),
                                    UINT64_C(0x0010000000000000),
                                    UINT64_C(0x3ff0000000000000),
                                    UINT64_C(0xbff0000000000000),
                                    UINT64_C(0x3ff0000000000001),
                                    UINT64_C(0x3fd5555555555555),
                                    UINT64_C(0x400921fb54442d18),
                                    UINT64_C(0x3fe0000000000000),
                                    UINT64_C(0x4004000000000000),
                                    UINT64_C(0x41dfffffffc00000),
                                    UINT64_C(0x41e0000000000000),
                                    UINT64_C(0xc1e0000000200000),
                                    UINT64_C(0x41efffffffe00000),
                                    UINT64_C(0x43e0000000000000),
                                    UINT64_C(0x43dfffffffffffff),
                                    UINT64_C(0xc3e0000000000000),
                                    UINT64_C(0x43f0000000000000),
                                    UINT64_C(0x7fefffffffffffff),
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0xfff0000000000000),
                                    UINT64_C(0x7ff8000000000000),
                                    UINT64_C(0xfff8000000001234),
                                    UINT64_C(0x47efffffe0000000),
                                    UINT64_C(0x47effffff0000000),
                                    UINT64_C(0x380fffffffffffff),
                                    UINT64_C(0x36a0000000000000),
                                    UINT64_C(0x3ff0000010000000),
                                    UINT64_C(0x3ff0000030000000),
                                    UINT64_C(0xc008000000000000) };
static const uint32_t halves[] = { 0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x4248, 0x3555,
                                   0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x6400, 0x1400, 0x0c01, 0x57ff, 0xd801, 0x5800 };
static const uint32_t shifts[] = { 0, 1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 255, 0x80000000 };

static uint64_t corner(char code, size_t i)
{
#define PICK(table) table[i % (sizeof table / sizeof *table)]
    switch (code) {
    case 'f': return PICK(floats);
    case 'x': return BITS((float)((double)(int)(i % 97 - 48) * 0.37 * pow(1.7, (double)(i % 17))));
    case 'g': return PICK(doubles);
    case 'k': return PICK(halves);
    case 'K': return PICK(halves) | (uint64_t)halves[(i * 7 + 3) % (sizeof halves / sizeof *halves)] << 16;
    case 's': return PICK(shifts);
    case 'p': return i & 1;
    case 'h': return PICK(integers) & 0xffff;
    case 'w': return PICK(integers) & 0xffffffff;
    default: return PICK(integers);
    }
}

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
