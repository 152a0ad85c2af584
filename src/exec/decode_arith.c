/* decode_arith.c - arithmetic, logic, comparison, conversion: the vector row when there is one, else the scalar function. */
#include "exec/decode.h"

enum { NO_ROW = -1 };

/* Rows that depend on opcode and type alone. Types that share bits share rows: B32 stands for all 32-bit integers. */
enum { COLUMN_U16, COLUMN_S16, COLUMN_U32, COLUMN_S32, COLUMN_U64, COLUMN_S64 };
struct choice {
    uint16_t op;
    uint8_t part; /* enum ptx_part, 0 where there is none */
    int row[6];   /* by column */
};
#define SAME(name)                                                                                                                 \
    {                                                                                                                              \
        LANE_##name##_16, LANE_##name##_16, LANE_##name##_32, LANE_##name##_32, LANE_##name##_64, LANE_##name##_64                 \
    }
#define EACH(name)                                                                                                                 \
    {                                                                                                                              \
        LANE_##name##_u16, LANE_##name##_s16, LANE_##name##_u32, LANE_##name##_s32, LANE_##name##_u64, LANE_##name##_s64           \
    }
static const struct choice integer_rows[] = {
    { OP_ADD, 0, SAME(add) },
    { OP_SUB, 0, SAME(sub) },
    { OP_AND, 0, SAME(and) },
    { OP_OR, 0, SAME(or) },
    { OP_XOR, 0, SAME(xor) },
    { OP_NOT, 0, SAME(not ) },
    { OP_NEG, 0, SAME(neg) },
    { OP_MUL, PART_LO, SAME(mul_lo) },
    { OP_MAD, PART_LO, SAME(mad_lo) },
    { OP_MIN, 0, EACH(min) },
    { OP_MAX, 0, EACH(max) },
    { OP_SHR, 0, EACH(shr) },
    { OP_SHL, 0, SAME(shl) },
    { OP_MUL, PART_HI, { NO_ROW, NO_ROW, LANE_mul_hi_u32, LANE_mul_hi_s32, LANE_mul_hi_u64, LANE_mul_hi_s64 } },
    { OP_MAD, PART_HI, { NO_ROW, NO_ROW, LANE_mad_hi_u32, LANE_mad_hi_s32, NO_ROW, NO_ROW } },
    { OP_MUL, PART_WIDE, { LANE_mul_wide_u16, LANE_mul_wide_s16, LANE_mul_wide_u32, LANE_mul_wide_s32, NO_ROW, NO_ROW } },
    { OP_MAD, PART_WIDE, { NO_ROW, NO_ROW, LANE_mad_wide_u32, LANE_mad_wide_s32, NO_ROW, NO_ROW } },
    { OP_DIV, 0, { NO_ROW, NO_ROW, LANE_div_u32, LANE_div_s32, LANE_div_u64, LANE_div_s64 } },
    { OP_REM, 0, { NO_ROW, NO_ROW, LANE_rem_u32, LANE_rem_s32, LANE_rem_u64, LANE_rem_s64 } },
    { OP_SAD, 0, { NO_ROW, NO_ROW, LANE_sad_u32, LANE_sad_s32, NO_ROW, NO_ROW } },
    { OP_BFE, 0, { NO_ROW, NO_ROW, LANE_bfe_u32, LANE_bfe_s32, NO_ROW, NO_ROW } },
    { OP_BREV, 0, { NO_ROW, NO_ROW, LANE_brev_32, LANE_brev_32, NO_ROW, NO_ROW } },
    { OP_POPC, 0, { NO_ROW, NO_ROW, LANE_popc_32, LANE_popc_32, NO_ROW, NO_ROW } },
    { OP_CLZ, 0, { NO_ROW, NO_ROW, LANE_clz_32, LANE_clz_32, NO_ROW, NO_ROW } },
    { OP_PRMT, 0, { NO_ROW, NO_ROW, LANE_prmt, LANE_prmt, NO_ROW, NO_ROW } },
    { OP_ABS, 0, { NO_ROW, NO_ROW, LANE_abs_s32, LANE_abs_s32, LANE_abs_s64, LANE_abs_s64 } },
    { OP_SELP, 0, SAME(selp) },
};

static int column(uint8_t type)
{
    switch (ptx_type_bytes(type)) {
    case 2: return type_is_signed(type) ? COLUMN_S16 : COLUMN_U16;
    case 4: return type_is_signed(type) ? COLUMN_S32 : COLUMN_U32;
    case 8: return type_is_signed(type) ? COLUMN_S64 : COLUMN_U64;
    default: return NO_ROW;
    }
}

static int integer_row(const struct ptx_inst *in)
{
    int c = column(in->type[0]);
    if (c < 0 || in->mod.saturate || in->mod.relu || (in->op == OP_PRMT && in->mod.mode) || in->type[0] == T_U16X2 ||
        in->type[0] == T_S16X2)
        return NO_ROW;
    for (size_t i = 0; i < sizeof integer_rows / sizeof *integer_rows; i++)
        if (integer_rows[i].op == in->op && integer_rows[i].part == in->mod.part)
            return integer_rows[i].row[c];
    return NO_ROW;
}

static int f32_row(const struct ptx_inst *in, bool fused)
{
    bool ftz = in->mod.ftz;
    switch (in->op) {
    case OP_ADD: return ftz ? LANE_add_ftz_f32 : LANE_add_f32;
    case OP_SUB: return ftz ? LANE_sub_ftz_f32 : LANE_sub_f32;
    case OP_MUL: return ftz ? LANE_mul_ftz_f32 : LANE_mul_f32;
    case OP_FMA:
    case OP_MAD: return fused ? (ftz ? LANE_fma_ftz_f32 : LANE_fma_f32) : ftz ? NO_ROW : LANE_mad_f32_unfused;
    case OP_DIV: return ftz ? LANE_div_ftz_f32 : LANE_div_f32;
    case OP_RCP: return ftz ? LANE_rcp_ftz_f32 : LANE_rcp_f32;
    case OP_SQRT: return ftz ? LANE_sqrt_ftz_f32 : LANE_sqrt_f32;
    case OP_EX2: return ftz ? LANE_ex2_approx_ftz_f32 : LANE_ex2_approx_f32;
    case OP_LG2: return ftz ? LANE_lg2_approx_ftz_f32 : LANE_lg2_approx_f32;
    case OP_RSQRT: return ftz ? LANE_rsqrt_approx_ftz_f32 : LANE_rsqrt_approx_f32;
    case OP_SIN: return ftz ? LANE_sin_approx_ftz_f32 : LANE_sin_approx_f32;
    case OP_COS: return ftz ? LANE_cos_approx_ftz_f32 : LANE_cos_approx_f32;
    default: break;
    }
    if (ftz)
        return NO_ROW;
    switch (in->op) {
    case OP_MIN: return in->mod.nan || in->mod.xorsign || in->nsrc > 2 ? NO_ROW : LANE_min_f32;
    case OP_MAX: return in->mod.nan || in->mod.xorsign || in->nsrc > 2 ? NO_ROW : LANE_max_f32;
    case OP_NEG: return LANE_neg_f32;
    case OP_ABS: return LANE_abs_f32;
    case OP_TANH: return LANE_tanh_approx_f32;
    default: return NO_ROW;
    }
}

static int f64_row(const struct ptx_inst *in, bool fused)
{
    switch (in->op) {
    case OP_ADD: return LANE_add_f64;
    case OP_SUB: return LANE_sub_f64;
    case OP_MUL: return LANE_mul_f64;
    case OP_FMA:
    case OP_MAD: return fused ? LANE_fma_f64 : LANE_mad_f64_unfused;
    case OP_DIV: return LANE_div_f64;
    case OP_RCP: return in->mod.approx ? NO_ROW : LANE_rcp_f64;
    case OP_SQRT: return LANE_sqrt_f64;
    case OP_MIN: return LANE_min_f64;
    case OP_MAX: return LANE_max_f64;
    case OP_NEG: return LANE_neg_f64;
    case OP_ABS: return LANE_abs_f64;
    default: return NO_ROW;
    }
}

/* Rows of one instruction for the four half types: f16, bf16, f16x2, bf16x2. */
static int half_function_row(const struct ptx_inst *in)
{
    static const int of[] = { [T_F16] = 1, [T_BF16] = 2, [T_F16X2] = 3, [T_BF16X2] = 4 };
    const int type = (in->type[0] < sizeof of / sizeof *of ? of[in->type[0]] : 0) - 1;
    const bool flushes = in->mod.ftz && (in->type[0] == T_F16 || in->type[0] == T_F16X2); /* bf16 is never flushed */
    if (type < 0 || flushes || in->mod.nan)
        return NO_ROW;
    switch (in->op) {
    case OP_FMA: return in->mod.relu ? LANE_fma_relu_f16 + type : NO_ROW;
    case OP_EX2: return LANE_ex2_f16 + type;
    case OP_TANH: return LANE_tanh_f16 + type;
    default: return NO_ROW;
    }
}

/* Rows of the four half types follow each other in the same order. */
static int half_row(const struct ptx_inst *in)
{
    static const int first[] = {
        [T_F16] = LANE_add_f16, [T_BF16] = LANE_add_bf16, [T_F16X2] = LANE_add_f16x2, [T_BF16X2] = LANE_add_bf16x2
    };
    const int rows = in->type[0] < sizeof first / sizeof *first ? first[in->type[0]] : 0, function = half_function_row(in);
    if (function != NO_ROW)
        return function;
    if (!rows || in->mod.ftz || in->mod.relu || in->mod.nan)
        return NO_ROW;
    const bool is_pair = in->type[0] == T_F16X2 || in->type[0] == T_BF16X2;
    switch (in->op) {
    case OP_NEG: return is_pair ? LANE_neg_f16x2 : LANE_neg_f16;
    case OP_ABS: return is_pair ? LANE_abs_f16x2 : LANE_abs_f16;
    case OP_ADD: return rows;
    case OP_SUB: return rows + (LANE_sub_f16 - LANE_add_f16);
    case OP_MUL: return rows + (LANE_mul_f16 - LANE_add_f16);
    case OP_MIN: return rows + (LANE_min_f16 - LANE_add_f16);
    case OP_MAX: return rows + (LANE_max_f16 - LANE_add_f16);
    case OP_FMA: return rows + (LANE_fma_f16 - LANE_add_f16);
    default: return NO_ROW;
    }
}

static bool rounds_to_nearest(const struct ptx_inst *in)
{
    return in->mod.rounding == ROUND_NONE || in->mod.rounding == ROUND_RN;
}

static int vector_row(const struct ptx_inst *in, bool fused)
{
    uint8_t type = in->type[0];
    if (in->op == OP_SELP) /* selects bits of any type */
        return integer_row(in);
    if (!type_is_float(type))
        return integer_row(in);
    if (!rounds_to_nearest(in) || in->mod.saturate || type == T_F32X2)
        return NO_ROW;
    return type == T_F32 ? f32_row(in, fused) : type == T_F64 ? f64_row(in, fused) : half_row(in);
}

static lane_fn float_function(const struct ptx_inst *in, bool fused)
{
    if (in->type[0] == T_F32X2)
        return scalar_float_pair;
    if (in->type[0] != T_F32 && in->type[0] != T_F64)
        switch (in->op) {
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
        case OP_FMA:
        case OP_MIN:
        case OP_MAX:
        case OP_NEG:
        case OP_ABS:
        case OP_EX2:
        case OP_TANH: return scalar_half_arith;
        default: return NULL;
        }
    switch (in->op) {
    case OP_ADD: return scalar_float_add;
    case OP_SUB: return scalar_float_sub;
    case OP_MUL: return scalar_float_mul;
    case OP_FMA:
    case OP_MAD: return fused ? scalar_float_fma : scalar_float_fma_unfused;
    case OP_DIV: return scalar_float_div;
    case OP_RCP: return scalar_float_rcp;
    case OP_SQRT: return scalar_float_sqrt;
    case OP_RSQRT: return scalar_float_rsqrt;
    case OP_SIN: return scalar_float_sin;
    case OP_COS: return scalar_float_cos;
    case OP_LG2: return scalar_float_lg2;
    case OP_EX2: return scalar_float_ex2;
    case OP_TANH: return scalar_float_tanh;
    case OP_MIN: return scalar_float_min;
    case OP_MAX: return scalar_float_max;
    case OP_ABS: return scalar_float_abs;
    case OP_NEG: return scalar_float_neg;
    case OP_TESTP: return scalar_float_testp;
    case OP_COPYSIGN: return scalar_float_copysign;
    default: return NULL;
    }
}

static lane_fn integer_function(const struct ptx_inst *in)
{
    if (in->type[0] == T_U16X2 || in->type[0] == T_S16X2)
        return scalar_int_pair;
    switch (in->op) {
    case OP_MIN:
    case OP_MAX: return scalar_int_relu; /* what has no vector row */
    case OP_ADD: return scalar_add_sat;
    case OP_SUB: return scalar_sub_sat;
    case OP_MUL: return scalar_mul;
    case OP_MAD: return scalar_mad;
    case OP_MUL24: return scalar_mul24;
    case OP_MAD24: return scalar_mad24;
    case OP_SAD: return scalar_sad;
    case OP_DIV: return scalar_div;
    case OP_REM: return scalar_rem;
    case OP_ABS: return scalar_abs;
    case OP_POPC: return scalar_popc;
    case OP_CLZ: return scalar_clz;
    case OP_BFIND: return scalar_bfind;
    case OP_FNS: return scalar_fns;
    case OP_BREV: return scalar_brev;
    case OP_BFE: return scalar_bfe;
    case OP_BMSK: return scalar_bmsk;
    case OP_SZEXT: return scalar_szext;
    case OP_DP4A: return scalar_dp4a;
    case OP_DP2A: return scalar_dp2a;
    case OP_CNOT: return scalar_cnot;
    case OP_SHF: return scalar_shf;
    case OP_PRMT: return scalar_prmt;
    case OP_CVTA: return scalar_cvta;
    case OP_ISSPACEP: return scalar_isspacep;
    case OP_VADD:
    case OP_VSUB:
    case OP_VABSDIFF:
    case OP_VMIN:
    case OP_VMAX:
    case OP_VSHL:
    case OP_VSHR:
    case OP_VSET: return scalar_video;
    case OP_VMAD: return scalar_vmad;
    case OP_VADD2:
    case OP_VSUB2:
    case OP_VAVRG2:
    case OP_VABSDIFF2:
    case OP_VMIN2:
    case OP_VMAX2:
    case OP_VSET2:
    case OP_VADD4:
    case OP_VSUB4:
    case OP_VAVRG4:
    case OP_VABSDIFF4:
    case OP_VMIN4:
    case OP_VMAX4:
    case OP_VSET4: return scalar_simd_video;
    default: return NULL;
    }
}

/* Bytes per lane that an immediate takes in source i: most are as wide as the instruction's type. */
static uint8_t source_width(const struct ptx_inst *in, uint32_t i)
{
    switch (in->op) {
    case OP_SHL:
    case OP_SHR:
    case OP_BFE: return i == 0 ? register_width(in->type[0]) : 4;
    case OP_BFI: return i < 2 ? register_width(in->type[0]) : 4;
    case OP_SELP: return i == 2 ? 0 : register_width(in->type[0]);
    case OP_SLCT: return i == 2 ? 4 : register_width(in->type[0]);
    case OP_MAD:
    case OP_MADC:
        return i == 2 && in->mod.part == PART_WIDE ? (uint8_t)(2 * register_width(in->type[0])) : register_width(in->type[0]);
    case OP_DP4A:
    case OP_DP2A:
    case OP_FNS: return 4;
    default: return register_width(in->type[0]);
    }
}

static bool decode_all_sources(struct decoder *d)
{
    uint32_t count = d->in->nsrc < 4 ? d->in->nsrc : 4;
    for (uint32_t i = 0; i < count; i++)
        if (!decode_source(d, &d->in->src[i], source_width(d->in, i), &d->x->src[i]))
            return false;
    d->x->source_count = (uint8_t)count;
    return true;
}

/* Vector rows read and write registers of exactly the row's widths. PTX's type rules promise that, and this checks it. */
static bool widths_match(const struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    uint8_t result = register_width(in->type[0]);
    if (in->mod.part == PART_WIDE)
        result = (uint8_t)(2 * result);
    if (d->x->dst_width != result)
        return false;
    for (uint32_t i = 0; i < d->x->source_count; i++)
        if (d->x->src[i].width != source_width(in, i))
            return false;
    return true;
}

bool decode_arithmetic(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct xop *x = d->x;
    bool fused = d->device->options.fused_fma;
    if (!decode_destination(d) || !decode_all_sources(d))
        return false;
    x->rounding = in->mod.rounding;
    if (in->mod.carry_out || in->op == OP_ADDC || in->op == OP_SUBC || in->op == OP_MADC) {
        x->fn = special_carry;
        return true;
    }
    if (x->dst_width == 0 && (in->op == OP_AND || in->op == OP_OR || in->op == OP_XOR || in->op == OP_NOT)) {
        x->fn = special_predicate_logic;
        return true;
    }
    if (in->op == OP_LOP3) {
        x->target = (uint32_t)in->src[3].bits & 0xff;
        x->fn = in->mod.boolean == BOOL_NONE ? d->lanes->execute[LANE_lop3_generic] : special_lop3_predicate;
        return in->mod.boolean == BOOL_NONE || decode_source(d, &in->src[4], 0, &x->src[3]);
    }
    if (in->op == OP_CVTA && (in->mod.space == SPACE_GLOBAL || in->mod.space == SPACE_CONST) && widths_match(d)) {
        x->fn = d->lanes->execute[x->dst_width == 8 ? LANE_mov_64 : LANE_mov_32]; /* both windows are at zero */
        return true;
    }
    int row = vector_row(in, fused);
    if (row != NO_ROW && widths_match(d)) {
        x->fn = d->lanes->execute[row];
        return true;
    }
    x->lane = in->op == OP_BFI             ? NULL
              : in->op == OP_SLCT          ? scalar_slct
              : type_is_float(in->type[0]) ? float_function(in, fused)
                                           : integer_function(in);
    x->fn = rounds_to_nearest(in) ? scalar_execute : scalar_execute_rounded;
    if (in->op == OP_BFI)
        x->fn = special_bfi;
    else if (!x->lane)
        return decode_refuse(d, "%s of this type is not supported", ptx_op_names[in->op]);
    return true;
}

static int compare_row(const struct ptx_inst *in, uint8_t type, bool *swap)
{
    uint8_t compare = in->mod.compare;
    *swap = compare == CMP_GT || compare == CMP_GE || compare == CMP_HI || compare == CMP_HS || compare == CMP_GTU ||
            compare == CMP_GEU;
    if (type == T_F32 || type == T_F64 || type == T_F16 || type == T_BF16) {
        static const int f32[] = {
            [CMP_EQ] = LANE_eq_f32,   [CMP_NE] = LANE_ne_f32,   [CMP_LT] = LANE_lt_f32,   [CMP_LE] = LANE_le_f32,
            [CMP_GT] = LANE_lt_f32,   [CMP_GE] = LANE_le_f32,   [CMP_EQU] = LANE_equ_f32, [CMP_NEU] = LANE_neu_f32,
            [CMP_LTU] = LANE_ltu_f32, [CMP_LEU] = LANE_leu_f32, [CMP_GTU] = LANE_ltu_f32, [CMP_GEU] = LANE_leu_f32,
            [CMP_NUM] = LANE_num_f32, [CMP_NAN] = LANE_nan_f32
        };
        if (compare >= sizeof f32 / sizeof *f32 || f32[compare] == 0)
            return NO_ROW;
        const int first = type == T_F32 ? LANE_eq_f32 : type == T_F64 ? LANE_eq_f64 : type == T_F16 ? LANE_eq_f16 : LANE_eq_bf16;
        return f32[compare] + (first - LANE_eq_f32);
    }
    bool is_signed = type_is_signed(type) && compare != CMP_LO && compare != CMP_LS && compare != CMP_HI && compare != CMP_HS;
    uint32_t bytes = ptx_type_bytes(type);
    int first = bytes == 2 ? LANE_eq_16 : bytes == 4 ? LANE_eq_32 : bytes == 8 ? LANE_eq_64 : NO_ROW;
    switch (first == NO_ROW ? CMP_NONE : compare) { /* each width has eq, ne, lt_u, le_u, lt_s, le_s in this order */
    case CMP_EQ: return first;
    case CMP_NE: return first + 1;
    case CMP_LT:
    case CMP_GT:
    case CMP_LO:
    case CMP_HI: return first + (is_signed ? 4 : 2);
    case CMP_LE:
    case CMP_GE:
    case CMP_LS:
    case CMP_HS: return first + (is_signed ? 5 : 3);
    default: return NO_ROW;
    }
}

bool decode_compare(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct xop *x = d->x;
    uint8_t type = in->op == OP_SET ? in->type[1] : in->type[0];
    bool swap;
    if (!decode_destination(d) || !decode_source(d, &in->src[0], register_width(type), &x->src[0]) ||
        !decode_source(d, &in->src[1], register_width(type), &x->src[1]))
        return false;
    x->source_count = 2;
    if (in->mod.boolean != BOOL_NONE) {
        x->source_count = 3;
        if (!decode_source(d, &in->src[2], 0, &x->src[2]))
            return false;
    }
    const bool is_pair = type == T_F16X2 || type == T_BF16X2, is_half = is_pair || type == T_F16 || type == T_BF16;
    if (is_half && (is_pair || in->op == OP_SET || in->mod.ftz)) {
        x->lane = scalar_half_set;
        x->fn = in->op == OP_SET ? scalar_execute : special_setp_half;
        return true;
    }
    int row = compare_row(in, type, &swap);
    if (row == NO_ROW || x->src[0].width != register_width(type) || x->src[1].width != register_width(type))
        return decode_refuse(d, "%s of these operands is not supported", ptx_op_names[in->op]);
    if (swap) {
        struct operand first = x->src[0];
        x->src[0] = x->src[1];
        x->src[1] = first;
    }
    if (in->mod.ftz && type == T_F32) {
        x->fn = in->op == OP_SET ? special_set_flushed : special_setp_flushed;
        x->compare = d->lanes->compare[row];
    } else if (in->op == OP_SET) {
        x->fn = special_set;
        x->compare = d->lanes->compare[row];
    } else if (in->mod.boolean != BOOL_NONE || x->dst2) {
        x->fn = special_setp;
        x->compare = d->lanes->compare[row];
    } else {
        x->fn = d->lanes->execute[row];
    }
    return true;
}

/* Floats to whole numbers, in any of the four ways. */
static int whole_row(const struct ptx_inst *in, const struct xop *x)
{
    static const int way[] = { [ROUND_RNI] = 1, [ROUND_RZI] = 2, [ROUND_RMI] = 3, [ROUND_RPI] = 4 };
    const uint8_t to = in->type[0], from = in->type[1];
    const int which = in->mod.rounding < sizeof way / sizeof *way ? way[in->mod.rounding] - 1 : -1;
    const bool flushes = in->mod.ftz && which > 1; /* to nearest and toward zero, what is flushed becomes zero anyway */
    if (which < 0 || (in->mod.saturate && to == T_F32) || flushes || x->dst_width != 4 ||
        x->src[0].width != ptx_type_bytes(from)) /* whole numbers saturate anyway */
        return NO_ROW;
    if (from == T_F16)
        return to == T_S32 ? LANE_cvt_rni_s32_f16 + which : to == T_U32 ? LANE_cvt_rni_u32_f16 + which : NO_ROW;
    if (from == T_F64)
        return to == T_S32 ? LANE_cvt_rni_s32_f64 + which : NO_ROW;
    if (from != T_F32)
        return NO_ROW;
    return to == T_S32   ? LANE_cvt_rni_s32_f32 + which
           : to == T_U32 ? LANE_cvt_rni_u32_f32 + which
           : to == T_F32 ? LANE_cvt_rni_f32_f32 + which
           : to == T_U8  ? LANE_cvt_rni_u8_f32 + which
           : to == T_S8  ? LANE_cvt_rni_s8_f32 + which
                         : NO_ROW;
}

/* Words to what is narrower, by saturation. */
static int narrow_row(const struct ptx_inst *in, const struct xop *x)
{
    const uint8_t to = in->type[0], width = x->dst_width;
    if (!in->mod.saturate || in->type[1] != T_S32 || x->src[0].width != 4 || x->source_count > 1) /* cvt.pack has two */
        return NO_ROW;
    return to == T_U8 && width == 4    ? LANE_cvt_sat_u8_s32
           : to == T_S8 && width == 4  ? LANE_cvt_sat_s8_s32
           : to == T_U16 && width == 2 ? LANE_cvt_sat_u16_s32
           : to == T_S16 && width == 2 ? LANE_cvt_sat_s16_s32
                                       : NO_ROW;
}

/* Bytes are held in wider registers. */
static int byte_row(const struct ptx_inst *in, const struct xop *x)
{
    const bool is_signed = in->type[1] == T_S8;
    if ((!is_signed && in->type[1] != T_U8) || in->mod.saturate || type_is_float(in->type[0]) ||
        ptx_type_bytes(in->type[0]) != x->dst_width)
        return NO_ROW;
    if (x->dst_width == 4 && x->src[0].width == 4)
        return is_signed ? LANE_cvt_s32_s8 : LANE_cvt_u32_u8;
    if (x->dst_width == 4 && x->src[0].width == 2)
        return is_signed ? LANE_cvt_s32_s8_of_16 : LANE_cvt_u32_u8_of_16;
    if (x->dst_width == 2 && x->src[0].width == 2)
        return is_signed ? LANE_cvt_s16_s8 : LANE_cvt_u16_u8;
    return NO_ROW;
}

/* Conversions with a vector row: {to, from}, register widths as the types'. */
static int convert_row(const struct ptx_inst *in, const struct xop *x)
{
    uint8_t to = in->type[0], from = in->type[1], wide = x->dst_width, narrow = x->src[0].width;
    const int byte = byte_row(in, x), narrowed = narrow_row(in, x);
    if (byte != NO_ROW || narrowed != NO_ROW)
        return byte != NO_ROW ? byte : narrowed;
    if (in->mod.saturate && !in->mod.ftz && to == T_F32 && from == T_F32 && rounds_to_nearest(in))
        return LANE_cvt_sat_f32;
    if (in->mod.saturate || in->mod.ftz || !rounds_to_nearest(in))
        return whole_row(in, x);
    if (!type_is_float(to) && !type_is_float(from)) {
        uint32_t to_bytes = ptx_type_bytes(to), from_bytes = ptx_type_bytes(from);
        if (to_bytes < 2 || from_bytes < 2 || to_bytes != wide || from_bytes != narrow)
            return NO_ROW;
        if (to_bytes == from_bytes)
            return to_bytes == 2 ? LANE_mov_16 : to_bytes == 4 ? LANE_mov_32 : LANE_mov_64;
        if (to_bytes == 8 && from_bytes == 4)
            return type_is_signed(from) ? LANE_cvt_s64_s32 : LANE_cvt_u64_u32;
        if (to_bytes == 4 && from_bytes == 8)
            return LANE_cvt_32_64;
        if (to_bytes == 4 && from_bytes == 2)
            return type_is_signed(from) ? LANE_cvt_s32_s16 : LANE_cvt_u32_u16;
        return to_bytes == 2 && from_bytes == 4 ? LANE_cvt_16_32 : NO_ROW;
    }
    if (wide != ptx_type_bytes(to) || narrow != ptx_type_bytes(from))
        return NO_ROW;
    if (to == T_F32)
        return from == T_S32    ? LANE_cvt_rn_f32_s32
               : from == T_S64  ? LANE_cvt_f32_s64
               : from == T_U32  ? LANE_cvt_rn_f32_u32
               : from == T_F64  ? LANE_cvt_rn_f32_f64
               : from == T_F16  ? LANE_cvt_f32_f16
               : from == T_BF16 ? LANE_cvt_f32_bf16
                                : NO_ROW;
    if (from == T_F32)
        switch (to) {
        case T_F16: return in->mod.relu ? LANE_cvt_rn_relu_f16_f32 : LANE_cvt_rn_f16_f32;
        case T_BF16: return in->mod.relu ? LANE_cvt_rn_relu_bf16_f32 : LANE_cvt_rn_bf16_f32;
        case T_F16X2: return in->mod.relu ? LANE_cvt_rn_relu_f16x2_f32 : LANE_cvt_rn_f16x2_f32;
        case T_BF16X2: return in->mod.relu ? LANE_cvt_rn_relu_bf16x2_f32 : LANE_cvt_rn_bf16x2_f32;
        default: break;
        }
    if (to == T_F16)
        return from == T_S32   ? LANE_cvt_rn_f16_s32
               : from == T_U32 ? LANE_cvt_rn_f16_u32
               : from == T_S16 ? LANE_cvt_rn_f16_s16
               : from == T_U16 ? LANE_cvt_rn_f16_u16
                               : NO_ROW;
    if (to == T_F64)
        return from == T_S32   ? LANE_cvt_f64_s32
               : from == T_U32 ? LANE_cvt_f64_u32
               : from == T_S64 ? LANE_cvt_f64_s64
               : from == T_F32 ? LANE_cvt_f64_f32
                               : NO_ROW;
    return NO_ROW;
}

bool decode_convert(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct xop *x = d->x;
    if (!decode_destination(d) || !decode_sources(d, register_width(in->type[1]), in->nsrc))
        return false;
    int row = convert_row(in, x);
    if (row != NO_ROW) {
        x->fn = d->lanes->execute[row];
        return true;
    }
    x->lane = scalar_cvt;
    x->rounding = in->mod.rounding;
    /* only results of f32 and f64 are rounded by the host; rounding to integers is done in software */
    bool host_rounds = in->mod.rounding == ROUND_RZ || in->mod.rounding == ROUND_RM || in->mod.rounding == ROUND_RP;
    x->fn = host_rounds ? scalar_execute_rounded : scalar_execute;
    return true;
}
