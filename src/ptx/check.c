/* check.c - rules that tie an instruction's suffixes to its operands, beyond what the table of forms can say. */
#include "ptx/parser.h"

static bool check_memory(struct operand_context *c, const struct token *at)
{
    const struct ptx_inst *i = c->inst;
    struct parser *p = c->p;
    bool is_access = i->op == OP_LD || i->op == OP_ST || i->op == OP_LDU;
    if (is_access && ptx_type_bytes(i->type[0]) * i->mod.vector > 32)
        return parser_error(p, at, "a vector access moves at most 32 bytes");
    if (i->op == OP_LD && i->mod.cache_op == CACHE_READ_ONLY && i->mod.space != SPACE_GLOBAL)
        return parser_error(p, at, ".nc belongs to ld.global");
    if (i->op == OP_ST && i->mod.space == SPACE_CONST)
        return parser_error(p, at, "constant memory cannot be written");
    if ((i->op == OP_ATOM || i->op == OP_RED) && i->mod.space != SPACE_GENERIC && i->mod.space != SPACE_GLOBAL &&
        i->mod.space != SPACE_SHARED)
        return parser_error(p, at, "atomics work on global and shared memory");
    if (i->op == OP_CP && i->mod.mode == CP_ASYNC && i->src[2].bits != 4 && i->src[2].bits != 8 && i->src[2].bits != 16)
        return parser_error(p, at, "cp.async copies 4, 8 or 16 bytes");
    return true;
}

/* Coordinates that a geometry needs. More may be written; they are padding. */
static bool check_coordinates(struct operand_context *c, const struct token *at, const struct ptx_operand *coordinates)
{
    static const uint8_t need[] = { [GEOMETRY_1D] = 1,  [GEOMETRY_2D] = 2,   [GEOMETRY_3D] = 3,   [GEOMETRY_A1D] = 2,
                                    [GEOMETRY_A2D] = 3, [GEOMETRY_CUBE] = 3, [GEOMETRY_ACUBE] = 4 };
    uint32_t have = coordinates->kind == OPERAND_VECTOR ? coordinates->count : 1;
    uint32_t wanted = need[c->inst->mod.mode];
    return have >= wanted || parser_error(c->p, at, "this geometry has %u coordinates and %u are given", wanted, have);
}

/* Registers of a matrix fragment: its share of the matrix, packed into 32 bits. f16 factors are held twice. */
static uint32_t fragment_registers(enum ptx_wmma_shape shape, enum ptx_wmma_mode matrix, enum ptx_type type)
{
    const uint8_t *t = ptx_tiles[shape];
    uint32_t elements = matrix == WMMA_LOAD_A ? t[0] * t[2] : matrix == WMMA_LOAD_B ? t[2] * t[1] : t[0] * t[1];
    if (type == T_F16 && shape < MMA_M16N8K4 && (matrix == WMMA_LOAD_A || matrix == WMMA_LOAD_B))
        return 8;
    if (type == T_F64)
        return elements / 32;
    if (shape == MMA_M8N8K4) /* of halves: four products */
        elements *= 4;
    return elements * ptx_type_bytes(type) / 4 / 32;
}

static bool check_fragment(struct operand_context *c, const struct token *at, const struct ptx_operand *fragment,
                           enum ptx_wmma_mode matrix, enum ptx_type type)
{
    uint32_t want = fragment_registers(c->inst->mod.shape, matrix, type);
    if (fragment->count != want)
        return parser_error(c->p, at, "a fragment of this matrix has %u registers, not %u", want, fragment->count);
    for (uint32_t k = 0; k < want; k++) {
        const struct ptx_operand *e = &c->p->elements.items[fragment->index + k];
        uint32_t bytes = type == T_F64 ? 8 : 4;
        if (e->kind != OPERAND_REG || ptx_type_bytes(c->p->regs.items[e->index].type) != bytes)
            return parser_error(c->p, at, "a fragment of this matrix has registers of %u bits", bytes * 8);
    }
    return true;
}

/* Which types of factors a tile has, as sets of 1 << type. */
static uint32_t factors_of(enum ptx_wmma_shape shape)
{
    static const uint32_t halves = 1u << T_F16 | 1u << T_BF16, bytes = 1u << T_U8 | 1u << T_S8, single = 1u << T_TF32,
                          real = 1u << T_F64;
    switch (shape) {
    case MMA_M16N8K4: return single | real;
    case MMA_M16N8K8: return halves | single | real;
    case MMA_M16N8K16: return halves | bytes | real;
    case MMA_M16N8K32:
    case MMA_M8N8K16: return bytes;
    case MMA_M8N8K4: return 1u << T_F16 | real;
    default: return real;
    }
}

static bool check_mma(struct operand_context *c, const struct token *at)
{
    const struct ptx_inst *i = c->inst;
    const enum ptx_type d = i->type[0], a = i->type[1], b = i->type[2], start = i->type[3];
    const enum ptx_type sum = a == T_F64 ? T_F64 : a == T_U8 || a == T_S8 ? T_S32 : T_F32;
    const bool is_volta = i->mod.shape == MMA_M8N8K4 && a == T_F16;
    const bool fits = (d == sum || (d == T_F16 && a == T_F16)) && (d == start || (is_volta && start == T_F16)) &&
                      (a == b || sum == T_S32) && (sum == T_S32) == (b == T_U8 || b == T_S8);
    if (i->mod.mode2 != WMMA_COLUMN_B && !is_volta)
        return parser_error(c->p, at, "mma takes .row.col alone here");
    if (!(factors_of(i->mod.shape) >> a & 1) || !fits)
        return parser_error(c->p, at, "mma of this shape with these types is not simulated");
    return check_fragment(c, at, &i->dst[0], WMMA_STORE_D, d) && check_fragment(c, at, &i->src[0], WMMA_LOAD_A, a) &&
           check_fragment(c, at, &i->src[1], WMMA_LOAD_B, b) && check_fragment(c, at, &i->src[2], WMMA_LOAD_C, start);
}

static bool check_matrices(struct operand_context *c, const struct token *at)
{
    const struct ptx_inst *i = c->inst;
    const struct ptx_operand *fragment = i->op == OP_LDMATRIX ? &i->dst[0] : &i->src[1];
    if (fragment->kind != OPERAND_VECTOR || fragment->count != i->mod.vector)
        return parser_error(c->p, at, "this moves %u matrices and needs as many registers", i->mod.vector);
    for (uint32_t k = 0; k < fragment->count; k++) {
        const struct ptx_operand *e = &c->p->elements.items[fragment->index + k];
        if (e->kind != OPERAND_REG || ptx_type_bytes(c->p->regs.items[e->index].type) != 4)
            return parser_error(c->p, at, "a matrix of 8 by 8 halves takes a register of 32 bits");
    }
    if (i->mod.space != SPACE_GENERIC && i->mod.space != SPACE_SHARED)
        return parser_error(c->p, at, "matrices are moved to and from shared memory");
    return true;
}

static bool check_wmma(struct operand_context *c, const struct token *at)
{
    const struct ptx_inst *i = c->inst;
    if (i->mod.mode == WMMA_STORE_D)
        return check_fragment(c, at, &i->src[1], WMMA_STORE_D, i->type[0]);
    if (i->mod.mode != WMMA_MMA)
        return check_fragment(c, at, &i->dst[0], i->mod.mode, i->type[0]);
    bool four_types = i->type[2] != T_NONE; /* with two, the factors are f16 */
    enum ptx_type a = four_types ? i->type[1] : T_F16, b = four_types ? i->type[2] : T_F16;
    return check_fragment(c, at, &i->dst[0], WMMA_STORE_D, i->type[0]) && check_fragment(c, at, &i->src[0], WMMA_LOAD_A, a) &&
           check_fragment(c, at, &i->src[1], WMMA_LOAD_B, b) &&
           check_fragment(c, at, &i->src[2], WMMA_LOAD_C, four_types ? i->type[3] : i->type[1]);
}

bool instruction_check(struct operand_context *c, const struct token *at)
{
    switch (c->inst->op) {
    case OP_TEX:
    case OP_TLD4: return check_coordinates(c, at, &c->inst->src[2]);
    case OP_SULD:
    case OP_SUST:
    case OP_SURED: return check_coordinates(c, at, &c->inst->src[1]);
    case OP_WMMA: return check_wmma(c, at);
    case OP_MMA: return check_mma(c, at);
    case OP_LDMATRIX:
    case OP_STMATRIX: return check_matrices(c, at);
    default: return check_memory(c, at);
    }
}
