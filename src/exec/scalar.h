/* scalar.h - instructions one lane at a time: raw register bits in, raw bits out; types and modifiers come from x->inst.
 * Rounding other than to nearest is the host's mode, set by scalar_execute_rounded. */
#ifndef WARPLINE_EXEC_SCALAR_H
#define WARPLINE_EXEC_SCALAR_H
#include "exec/engine.h"

#define SCALAR(name) uint64_t name(uint64_t a, uint64_t b, uint64_t c, const struct xop *x)

/* scalar_int.c */
SCALAR(scalar_copy);
SCALAR(scalar_add_sat);
SCALAR(scalar_sub_sat);
SCALAR(scalar_mul); /* .lo, .hi, .wide of any integer type */
SCALAR(scalar_mad);
SCALAR(scalar_mul24);
SCALAR(scalar_mad24);
SCALAR(scalar_sad);
SCALAR(scalar_div);
SCALAR(scalar_rem);
SCALAR(scalar_abs);
SCALAR(scalar_popc);
SCALAR(scalar_clz);
SCALAR(scalar_bfind);
SCALAR(scalar_fns);
SCALAR(scalar_brev);
SCALAR(scalar_bfe);
SCALAR(scalar_bmsk);
SCALAR(scalar_szext);
SCALAR(scalar_dp4a);
SCALAR(scalar_dp2a);
SCALAR(scalar_cnot);
SCALAR(scalar_slct);
SCALAR(scalar_shf);
SCALAR(scalar_prmt);
SCALAR(scalar_cvta);
SCALAR(scalar_isspacep);

/* scalar_float.c */
SCALAR(scalar_float_add);
SCALAR(scalar_float_sub);
SCALAR(scalar_float_mul);
SCALAR(scalar_float_fma);
SCALAR(scalar_float_fma_unfused);
SCALAR(scalar_float_div);
SCALAR(scalar_float_pair); /* add, sub, mul, fma of f32x2 by opcode */
SCALAR(scalar_float_rcp);
SCALAR(scalar_float_sqrt);
SCALAR(scalar_float_rsqrt);
SCALAR(scalar_float_sin);
SCALAR(scalar_float_cos);
SCALAR(scalar_float_lg2);
SCALAR(scalar_float_ex2);
SCALAR(scalar_float_tanh);
SCALAR(scalar_float_min);
SCALAR(scalar_float_max);
SCALAR(scalar_float_abs);
SCALAR(scalar_float_neg);
SCALAR(scalar_float_testp);
SCALAR(scalar_float_copysign);

/* scalar_int.c: add, min, max of pairs of 16 bits, by opcode; min and max of s32 with .relu */
SCALAR(scalar_int_pair);
SCALAR(scalar_int_relu);

/* scalar_half.c: f16, bf16 and their pairs */
SCALAR(scalar_half_arith); /* add, sub, mul, fma, min, max, neg, abs, ex2, tanh by opcode */
float half_to_float(uint16_t half);
uint16_t half_from_double(double value, int rounding /* enum ptx_rounding */);
float bf16_to_float(uint16_t bits);
uint16_t bf16_from_double(double value, int rounding);
/* e4m3 and e5m2: to nearest, and what is too large to the largest number */
uint8_t eighth_from_double(double value, bool is_e5m2);
float eighth_to_float(uint8_t bits, bool is_e5m2);
SCALAR(scalar_half_set); /* set on f16, bf16 and pairs of them */
uint32_t half_compare(uint64_t a, uint64_t b, const struct xop *x);

/* scalar_cvt.c */
SCALAR(scalar_cvt);

/* scalar_video.c */
SCALAR(scalar_video); /* vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset */
SCALAR(scalar_vmad);
SCALAR(scalar_simd_video); /* the two- and four-lane forms */

/* Integer types: their bits, and values widened by sign. */
static inline uint32_t type_bits(uint8_t type)
{
    return ptx_type_bytes(type) * 8;
}
static inline bool type_is_signed(uint8_t type)
{
    return type == T_S8 || type == T_S16 || type == T_S32 || type == T_S64;
}
static inline bool type_is_float(uint8_t type)
{
    return type == T_F16 || type == T_BF16 || type == T_F32 || type == T_F64 || type == T_F16X2 || type == T_BF16X2 ||
           type == T_TF32 || type == T_F32X2;
}
static inline uint64_t zero_extend(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t sign_extend(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}
static inline uint64_t extend(uint64_t value, uint8_t type)
{
    return type_is_signed(type) ? (uint64_t)sign_extend(value, type_bits(type)) : zero_extend(value, type_bits(type));
}
#endif
