/* names.c - what the tables of opcodes, special registers and types say about themselves. */
#include "ptx/ptx.h"

const char *const ptx_op_names[OP_COUNT] = {
#define PTX_OP(id, text) [OP_##id] = text,
#include "ptx/opcodes.def"
#undef PTX_OP
};

const char *const ptx_sreg_names[SREG_COUNT] = {
#define PTX_SREG(id, text, type) [SREG_##id] = text,
#include "ptx/sreg.def"
#undef PTX_SREG
};

const uint8_t ptx_sreg_types[SREG_COUNT] = {
#define PTX_SREG(id, text, type) [SREG_##id] = type,
#include "ptx/sreg.def"
#undef PTX_SREG
};

const uint8_t ptx_tiles[TILE_SHAPES][3] = {
    [WMMA_M16N16K16] = { 16, 16, 16 }, [WMMA_M32N8K16] = { 32, 8, 16 }, [WMMA_M8N32K16] = { 8, 32, 16 },
    [WMMA_M16N16K8] = { 16, 16, 8 },   [WMMA_M8N8K4] = { 8, 8, 4 },     [MMA_M16N8K4] = { 16, 8, 4 },
    [MMA_M16N8K8] = { 16, 8, 8 },      [MMA_M16N8K16] = { 16, 8, 16 },  [MMA_M16N8K32] = { 16, 8, 32 },
    [MMA_M8N8K16] = { 8, 8, 16 },      [MMA_M8N8K4] = { 8, 8, 4 },
};

uint32_t ptx_type_bytes(enum ptx_type type)
{
    static const uint8_t bytes[T_COUNT] = {
        [T_PRED] = 1,  [T_B8] = 1,     [T_U8] = 1,         [T_S8] = 1,      [T_B16] = 2,   [T_U16] = 2,
        [T_S16] = 2,   [T_F16] = 2,    [T_BF16] = 2,       [T_B32] = 4,     [T_U32] = 4,   [T_S32] = 4,
        [T_F32] = 4,   [T_F16X2] = 4,  [T_BF16X2] = 4,     [T_TF32] = 4,    [T_U16X2] = 4, [T_S16X2] = 4,
        [T_F32X2] = 8, [T_E4M3X2] = 2, [T_E5M2X2] = 2,     [T_B64] = 8,     [T_U64] = 8,   [T_S64] = 8,
        [T_F64] = 8,   [T_TEXREF] = 8, [T_SAMPLERREF] = 8, [T_SURFREF] = 8, [T_B128] = 16,
    };
    return type < T_COUNT ? bytes[type] : 0;
}
