/* scalar_float.c - f32 and f64 instructions with rounding modes, flushing, saturation, and the approximate functions.
 *
 * Error bounds of what PTX leaves open (checked in tests/unit/exec): rcp, sqrt, div, rsqrt, ex2, lg2 .approx: 1 ulp; sin and
 * cos .approx: 2^-23 absolute for |x| <= 2^15 and as good as the argument allows beyond; tanh.approx: 1 ulp. */
#include "exec/lane_math.h"
#include "exec/scalar.h"

static bool is_f64(const struct xop *x)
{
    return x->inst->type[0] == T_F64;
}

static float in_f32(uint64_t bits, const struct xop *x)
{
    float value = float_of((uint32_t)bits);
    return x->inst->mod.ftz ? flush_f32(value) : value;
}

static uint64_t out_f32(float value, const struct xop *x)
{
    if (x->inst->mod.ftz)
        value = flush_f32(value);
    if (x->inst->mod.saturate)
        value = value > 1.0f ? 1.0f : value > 0.0f ? value : 0.0f; /* NaN becomes +0, and so does -0 */
    return bits_of(canonical_f32(value));
}

#define FLOAT_BINARY(name, op)                                                                                                     \
    SCALAR(name)                                                                                                                   \
    {                                                                                                                              \
        (void)c;                                                                                                                   \
        if (is_f64(x)) {                                                                                                           \
            double da = double_of(a), db = double_of(b);                                                                           \
            return bits_of_double(nan_f64(da op db, da, db));                                                                      \
        }                                                                                                                          \
        return out_f32(in_f32(a, x) op in_f32(b, x), x);                                                                           \
    }
FLOAT_BINARY(scalar_float_add, +)
FLOAT_BINARY(scalar_float_sub, -)
FLOAT_BINARY(scalar_float_mul, *)
FLOAT_BINARY(scalar_float_div, /)

SCALAR(scalar_float_fma)
{
    if (is_f64(x)) {
        double da = double_of(a), db = double_of(b), dc = double_of(c);
        return bits_of_double(nan3_f64(fma(da, db, dc), da, db, dc));
    }
    return out_f32(fmaf(in_f32(a, x), in_f32(b, x), in_f32(c, x)), x);
}

SCALAR(scalar_float_fma_unfused)
{
    if (is_f64(x)) {
        double da = double_of(a), db = double_of(b), dc = double_of(c), product = da * db;
        return bits_of_double(nan3_f64(product + dc, da, db, dc));
    }
    float product = in_f32(a, x) * in_f32(b, x);
    return out_f32(product + in_f32(c, x), x);
}

SCALAR(scalar_float_pair)
{
    const lane_fn one = x->inst->op == OP_ADD   ? scalar_float_add
                        : x->inst->op == OP_SUB ? scalar_float_sub
                        : x->inst->op == OP_MUL ? scalar_float_mul
                                                : scalar_float_fma;
    return one(a, b, c, x) | one(a >> 32, b >> 32, c >> 32, x) << 32;
}

SCALAR(scalar_float_rcp)
{
    (void)b;
    (void)c;
    if (is_f64(x)) {
        double da = double_of(a);
        /* rcp.approx.ftz.f64 keeps the upper 32 bits only: the seed of a Newton iteration */
        uint64_t r = bits_of_double(nan_f64(1.0 / da, da, da));
        return x->inst->mod.approx ? r & UINT64_C(0xffffffff00000000) : r;
    }
    return out_f32(1.0f / in_f32(a, x), x);
}

SCALAR(scalar_float_sqrt)
{
    (void)b;
    (void)c;
    if (is_f64(x)) {
        double da = double_of(a);
        return bits_of_double(nan_f64(sqrt(da), da, da));
    }
    return out_f32(sqrtf(in_f32(a, x)), x);
}

SCALAR(scalar_float_rsqrt)
{
    (void)b;
    (void)c;
    if (is_f64(x)) {
        double da = double_of(a);
        uint64_t r = bits_of_double(nan_f64(1.0 / sqrt(da), da, da));
        return x->inst->mod.ftz ? r & UINT64_C(0xffffffff00000000) : r;
    }
    return out_f32(approx_rsqrt(in_f32(a, x)), x);
}

SCALAR(scalar_float_sin)
{
    (void)b;
    (void)c;
    return out_f32(approx_sine(in_f32(a, x), 0), x);
}

SCALAR(scalar_float_cos)
{
    (void)b;
    (void)c;
    return out_f32(approx_sine(in_f32(a, x), 1), x);
}

SCALAR(scalar_float_lg2)
{
    (void)b;
    (void)c;
    return out_f32(approx_lg2(in_f32(a, x)), x);
}

SCALAR(scalar_float_ex2)
{
    (void)b;
    (void)c;
    return out_f32(approx_ex2(in_f32(a, x)), x);
}

SCALAR(scalar_float_tanh)
{
    (void)b;
    (void)c;
    return out_f32(approx_tanh(in_f32(a, x)), x);
}

static uint64_t pick_f32(float fa, float fb, bool want_min, const struct xop *x)
{
    const struct ptx_modifiers *mod = &x->inst->mod;
    if (mod->nan && (fa != fa || fb != fb))
        return CANONICAL_NAN_F32;
    float r = want_min ? min_f32(mod->xorsign ? fabsf(fa) : fa, mod->xorsign ? fabsf(fb) : fb)
                       : max_f32(mod->xorsign ? fabsf(fa) : fa, mod->xorsign ? fabsf(fb) : fb);
    if (mod->xorsign)
        r = float_of((bits_of(r) & 0x7fffffffu) | ((bits_of(fa) ^ bits_of(fb)) & 0x80000000u));
    return out_f32(r, x);
}

SCALAR(scalar_float_min)
{
    if (is_f64(x))
        return bits_of_double(min_f64(double_of(a), double_of(b)));
    uint64_t r = pick_f32(in_f32(a, x), in_f32(b, x), true, x);
    return x->source_count > 2 ? pick_f32(float_of((uint32_t)r), in_f32(c, x), true, x) : r;
}

SCALAR(scalar_float_max)
{
    if (is_f64(x))
        return bits_of_double(max_f64(double_of(a), double_of(b)));
    uint64_t r = pick_f32(in_f32(a, x), in_f32(b, x), false, x);
    return x->source_count > 2 ? pick_f32(float_of((uint32_t)r), in_f32(c, x), false, x) : r;
}

/* With .ftz only: without it abs and neg are vector rows that change the sign bit and nothing else. */
SCALAR(scalar_float_abs)
{
    (void)b;
    (void)c;
    return bits_of(in_f32(a, x)) & 0x7fffffffu;
}

SCALAR(scalar_float_neg)
{
    (void)b;
    (void)c;
    return bits_of(in_f32(a, x)) ^ 0x80000000u;
}

SCALAR(scalar_float_testp)
{
    (void)b;
    (void)c;
    int class = is_f64(x) ? fpclassify(double_of(a)) : fpclassify(float_of((uint32_t)a));
    switch (x->inst->mod.mode) {
    case TESTP_FINITE: return class != FP_NAN && class != FP_INFINITE;
    case TESTP_INFINITE: return class == FP_INFINITE;
    case TESTP_NUMBER: return class != FP_NAN;
    case TESTP_NOTANUMBER: return class == FP_NAN;
    case TESTP_NORMAL: return class == FP_NORMAL;
    default: return class == FP_SUBNORMAL;
    }
}

/* The sign of a with the magnitude of b. */
SCALAR(scalar_float_copysign)
{
    (void)c;
    uint64_t sign = is_f64(x) ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    return (a & sign) | (b & ~sign);
}
