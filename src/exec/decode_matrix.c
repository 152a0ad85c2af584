/* decode_matrix.c - wmma. */
#include "exec/decode.h"
#include "exec/matrix.h"

static bool decode_fragment(struct decoder *d, const struct ptx_operand *o, uint32_t rows, uint32_t columns, uint8_t type, struct fragment *f)
{
    uint32_t bytes = ptx_type_bytes(type);
    if (o->kind != OPERAND_VECTOR || o->count > 8 || bytes == 0 || bytes > 4)
        return decode_refuse(d, "wmma with fragments of this kind is not supported");
    *f = (struct fragment){ .count = o->count, .rows = rows, .columns = columns, .type = type };
    for (uint32_t i = 0; i < o->count; i++)
        if (!decode_source(d, &d->routine->fn->elements[o->index + i], 4, &f->reg[i]))
            return false;
    if ((uint64_t)f->count * (4 / bytes) * LANES < (uint64_t)rows * columns)
        return decode_refuse(d, "wmma: %u registers cannot hold a %u by %u matrix", f->count, rows, columns);
    return true;
}

static bool decode_tile(struct decoder *d, struct matrix_site *site, uint32_t rows, uint32_t columns)
{
    const struct ptx_inst *in = d->in;
    bool is_store = in->mod.mode == WMMA_STORE_D;
    site->by_columns = in->mod.mode2 & WMMA_COLUMN_A;
    site->memory.space = in->mod.space ? in->mod.space : SPACE_GENERIC;
    site->memory.bytes = (uint8_t)ptx_type_bytes(in->type[0]);
    site->memory.elements = 1;
    const struct ptx_operand *stride = is_store ? &in->src[2] : &in->src[1];
    if (stride->kind != OPERAND_NONE && !decode_source(d, stride, 4, &site->stride))
        return false;
    return decode_address(d, &in->src[0], &site->memory) &&
           decode_fragment(d, is_store ? &in->src[1] : &in->dst[0], rows, columns, in->type[0], &site->d);
}

bool decode_matrix(struct decoder *d)
{
    static const uint8_t shapes[][3] = { [WMMA_M16N16K16] = { 16, 16, 16 }, [WMMA_M32N8K16] = { 32, 8, 16 }, [WMMA_M8N32K16] = { 8, 32, 16 } };
    const struct ptx_inst *in = d->in;
    if (in->mod.shape == 0 || in->mod.shape > WMMA_M8N32K16)
        return decode_refuse(d, "wmma of this shape is not supported");
    uint32_t m = shapes[in->mod.shape][0], n = shapes[in->mod.shape][1], k = shapes[in->mod.shape][2];
    struct matrix_site *site = arena_alloc(d->image->arena, 1, sizeof *site);
    d->x->matrix = site;
    d->x->fn = matrix_execute;
    site->memory.cache = d->image->site_count++;
    switch (in->mod.mode) {
    case WMMA_LOAD_A: return decode_tile(d, site, m, k);
    case WMMA_LOAD_B: return decode_tile(d, site, k, n);
    case WMMA_LOAD_C: case WMMA_STORE_D: return decode_tile(d, site, m, n);
    default: break;
    }
    /* .d.c for halves, .d.a.b.c for the rest */
    bool halves = in->type[2] == T_NONE;
    uint8_t a = halves ? T_F16 : in->type[1], b = halves ? T_F16 : in->type[2], c = halves ? in->type[1] : in->type[3];
    return decode_fragment(d, &in->dst[0], m, n, in->type[0], &site->d) && decode_fragment(d, &in->src[0], m, k, a, &site->a) &&
           decode_fragment(d, &in->src[1], k, n, b, &site->b) && decode_fragment(d, &in->src[2], m, n, c, &site->c);
}
