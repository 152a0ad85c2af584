/* decode_texture.c - textures and surfaces. */
#include "exec/decode.h"
#include "exec/texture.h"

static bool decode_object(struct decoder *d, const struct ptx_operand *o, struct texture_site *site)
{
    if (o->kind == OPERAND_SYMBOL || o->kind == OPERAND_SYMBOL_ADDRESS) {
        site->name = d->routine->module->ptx->variables[o->index].name;
        site->module = d->routine->module;
        return true;
    }
    struct ptx_operand plain = *o;
    if (o->kind == OPERAND_ADDRESS)
        plain.kind = OPERAND_REG;
    return decode_source(d, &plain, 8, &site->handle);
}

static bool decode_list(struct decoder *d, const struct ptx_operand *o, uint8_t width, struct operand *to, bool *sink,
                        uint32_t *count)
{
    const struct ptx_operand *first = o->kind == OPERAND_VECTOR ? &d->routine->fn->elements[o->index] : o;
    *count = o->kind == OPERAND_VECTOR ? o->count : 1;
    if (*count > 4)
        return decode_refuse(d, "%s takes at most four elements", ptx_op_names[d->in->op]);
    for (uint32_t i = 0; i < *count; i++) {
        if (sink && !decode_register(d, &first[i], &to[i], &sink[i]))
            return false;
        if (!sink && !decode_source(d, &first[i], width, &to[i]))
            return false;
    }
    return true;
}

static bool decode_sample(struct decoder *d, struct texture_site *site)
{
    const struct ptx_inst *in = d->in;
    uint32_t count, elements;
    site->float_coordinates = in->op == OP_TLD4 || in->type[1] == T_F32;
    site->is_gather = in->op == OP_TLD4;
    site->component = site->is_gather && in->mod.mode2 ? (uint8_t)(in->mod.mode2 - TLD4_R) : 0;
    if (site->geometry == GEOMETRY_2DMS || site->geometry == GEOMETRY_A2DMS)
        return decode_refuse(d, "multi-sample textures are not supported");
    d->x->fn = texture_sample;
    d->x->is_shared = true;
    if (!decode_list(d, &in->dst[0], 4, site->value, site->sink, &elements) ||
        !decode_list(d, &in->src[2], 4, site->coordinate, NULL, &count))
        return false;
    site->elements = (uint8_t)elements;
    site->is_regular = true;
    for (uint32_t i = 0; i < count; i++)
        site->is_regular &= site->coordinate[i].width == 4;
    for (uint32_t e = 0; e < elements; e++)
        site->is_regular &= site->sink[e] || site->value[e].width == 4;
    d->x->dst = site->value[0].offset;
    return true;
}

static bool decode_surface(struct decoder *d, struct texture_site *site)
{
    const struct ptx_inst *in = d->in;
    uint32_t count, elements;
    bool is_load = in->op == OP_SULD;
    site->clamp = in->mod.mode2 ? in->mod.mode2 : SURFACE_TRAP;
    const uint8_t width = register_width(in->type[0]);
    site->is_formatted = in->mod.shape == SURFACE_FORMATTED;
    d->x->fn = in->op == OP_SURED ? surface_reduce : site->is_formatted ? surface_store_formatted : surface_access;
    if (!decode_list(d, &in->src[1], 4, site->coordinate, NULL, &count) ||
        !decode_list(d, is_load ? &in->dst[0] : &in->src[2], width, site->value, is_load ? site->sink : NULL, &elements))
        return false;
    site->elements = (uint8_t)elements;
    return true;
}

bool decode_texture(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct texture_site *site = arena_alloc(d->image->arena, 1, sizeof *site);
    d->x->texture = site;
    site->lanes = d->lanes;
    site->geometry = in->mod.mode;
    site->type = in->type[0];
    if (!decode_object(d, &in->src[0], site))
        return false;
    switch (in->op) {
    case OP_TEX:
    case OP_TLD4: return decode_sample(d, site);
    case OP_TXQ:
    case OP_SUQ: d->x->fn = texture_query; return decode_destination(d);
    default: return decode_surface(d, site);
    }
}
