/* decode_matrix.c - wmma, mma and what moves their matrices. */
#include "exec/decode.h"
#include "exec/matrix.h"

static bool decode_fragment(struct decoder *d, const struct ptx_operand *o, uint32_t rows, uint32_t columns, uint8_t type,
                            struct fragment *f)
{
    uint32_t bytes = ptx_type_bytes(type);
    const uint8_t width = bytes == 8 ? 8 : 4;
    if (o->kind != OPERAND_VECTOR || o->count > 8 || bytes == 0)
        return decode_refuse(d, "%s with fragments of this kind is not supported", ptx_op_names[d->in->op]);
    *f = (struct fragment){ .count = o->count, .rows = rows, .columns = columns, .type = type };
    for (uint32_t i = 0; i < o->count; i++)
        if (!decode_source(d, &d->routine->fn->elements[o->index + i], width, &f->reg[i]))
            return false;
    if ((uint64_t)f->count * (width / bytes) * LANES < (uint64_t)rows * columns)
        return decode_refuse(d, "%u registers cannot hold a %u by %u matrix", f->count, rows, columns);
    return true;
}

static void place_elements(struct decoder *d, struct fragment *f)
{
    f->places = arena_alloc(d->image->arena, LANES * matrix_elements_per_lane(f), sizeof *f->places);
    matrix_set_places(f);
}

static bool decode_tile(struct decoder *d, struct matrix_site *site, uint32_t rows, uint32_t columns)
{
    const struct ptx_inst *in = d->in;
    bool is_store = in->mod.mode == WMMA_STORE_D;
    site->by_columns = in->mod.mode2 & WMMA_COLUMN_A;
    site->memory.space = in->mod.space ? in->mod.space : SPACE_GENERIC;
    d->x->is_shared = !is_store && site->memory.space != SPACE_SHARED;
    site->memory.bytes = (uint8_t)ptx_type_bytes(in->type[0]);
    site->memory.elements = 1;
    const struct ptx_operand *stride = is_store ? &in->src[2] : &in->src[1];
    if (stride->kind != OPERAND_NONE && !decode_source(d, stride, 4, &site->stride))
        return false;
    return decode_address(d, &in->src[0], &site->memory) &&
           decode_fragment(d, is_store ? &in->src[1] : &in->dst[0], rows, columns, in->type[0], &site->d);
}

/* ldmatrix, stmatrix: halves in rows that lanes name. */
static bool decode_rows(struct decoder *d, struct matrix_site *site)
{
    const struct ptx_inst *in = d->in;
    const bool is_store = in->op == OP_STMATRIX;
    const struct ptx_operand *registers = is_store ? &in->src[1] : &in->dst[0];
    d->x->fn = is_store ? matrix_store_rows : matrix_load_rows;
    site->by_columns = in->mod.mode2;
    site->memory.space = in->mod.space ? in->mod.space : SPACE_GENERIC;
    d->x->is_shared = !is_store && site->memory.space != SPACE_SHARED;
    site->memory.bytes = 4;
    site->memory.elements = 4;
    site->d = (struct fragment){ .count = registers->count };
    for (uint32_t i = 0; i < registers->count; i++)
        if (!decode_source(d, &d->routine->fn->elements[registers->index + i], 4, &site->d.reg[i]))
            return false;
    return decode_address(d, &in->src[0], &site->memory);
}

static bool decode_transpose(struct decoder *d)
{
    d->x->fn = matrix_transpose;
    d->x->source_count = 1;
    return decode_destination(d) && decode_source(d, &d->in->src[0], 4, &d->x->src[0]);
}

static bool decode_mma(struct decoder *d, struct matrix_site *site, uint32_t m, uint32_t n, uint32_t k)
{
    const struct ptx_inst *in = d->in;
    const bool ok = decode_fragment(d, &in->dst[0], m, n, in->type[0], &site->d) &&
                    decode_fragment(d, &in->src[0], m, k, in->type[1], &site->a) &&
                    decode_fragment(d, &in->src[1], k, n, in->type[2], &site->b) &&
                    decode_fragment(d, &in->src[2], m, n, in->type[3], &site->c);
    site->in_octets = in->mod.shape == MMA_M8N8K4 && in->type[1] == T_F16;
    site->d.layout = site->c.layout = site->in_octets ? LAYOUT_OCTET_SUM : LAYOUT_SUM;
    site->a.layout = site->in_octets ? LAYOUT_OCTET_A : LAYOUT_A;
    site->b.layout = site->in_octets ? LAYOUT_OCTET_B : LAYOUT_B;
    site->a.by_columns = in->mod.mode2 & WMMA_COLUMN_A;
    site->b.by_columns = in->mod.mode2 & WMMA_COLUMN_B;
    return ok;
}

static bool decode_operands(struct decoder *d, struct matrix_site *site)
{
    const struct ptx_inst *in = d->in;
    uint32_t m = ptx_tiles[in->mod.shape][0], n = ptx_tiles[in->mod.shape][1], k = ptx_tiles[in->mod.shape][2];
    if (in->op == OP_MMA)
        return decode_mma(d, site, m, n, k);
    switch (in->mod.mode) {
    case WMMA_LOAD_A: return decode_tile(d, site, m, k);
    case WMMA_LOAD_B: return decode_tile(d, site, k, n);
    case WMMA_LOAD_C:
    case WMMA_STORE_D: return decode_tile(d, site, m, n);
    default: break;
    }
    /* .d.c for halves, .d.a.b.c for the rest */
    bool halves = in->type[2] == T_NONE;
    uint8_t a = halves ? T_F16 : in->type[1], b = halves ? T_F16 : in->type[2], c = halves ? in->type[1] : in->type[3];
    return decode_fragment(d, &in->dst[0], m, n, in->type[0], &site->d) && decode_fragment(d, &in->src[0], m, k, a, &site->a) &&
           decode_fragment(d, &in->src[1], k, n, b, &site->b) && decode_fragment(d, &in->src[2], m, n, c, &site->c);
}

static bool plan_product(struct decoder *d, struct matrix_site *site)
{
    if (site->a.type == T_F64)
        return true;
    struct product *product = arena_alloc(d->image->arena, 1, sizeof *product);
    site->product = product;
    return (site->in_octets ? octets_plan(site, product) : product_plan(site, d->in->mod.saturate, product)) ||
           decode_refuse(d, "%s of this shape with these types is not supported", ptx_op_names[d->in->op]);
}

static bool plan_tile(struct decoder *d, struct matrix_site *site)
{
    struct dealt *dealt = arena_alloc(d->image->arena, 1, sizeof *dealt);
    matrix_set_dealt(&site->d, dealt);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t row = site->d.places[lane] / site->d.columns, column = site->d.places[lane] % site->d.columns;
        site->line[lane] = (uint8_t)(site->by_columns ? column : row);
        site->along[lane] = (uint8_t)(site->by_columns ? row : column);
    }
    site->dealt = dealt->fits && dealt->per <= 2 && site->d.type != T_F64 ? dealt : NULL;
    return true;
}

bool decode_matrix(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    if (in->op == OP_MOVMATRIX)
        return decode_transpose(d);
    struct matrix_site *site = arena_alloc(d->image->arena, 1, sizeof *site);
    d->x->matrix = site;
    d->x->fn = matrix_execute;
    site->lanes = d->lanes;
    site->memory.cache = d->image->site_count++;
    if (in->op == OP_LDMATRIX || in->op == OP_STMATRIX)
        return decode_rows(d, site);
    if (!decode_operands(d, site))
        return false;
    struct fragment *const all[] = { &site->d, &site->a, &site->b, &site->c };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->count)
            place_elements(d, all[i]);
    return in->op == OP_MMA || in->mod.mode == WMMA_MMA ? plan_product(d, site) : plan_tile(d, site);
}
