/* decode_memory.c - loads, stores, atomics, moves of addresses and vectors. */
#include "exec/decode.h"

static bool decode_values(struct decoder *d, const struct ptx_operand *o, struct site *site, bool writes)
{
    const struct ptx_operand *first = o->kind == OPERAND_VECTOR ? &d->routine->fn->elements[o->index] : o;
    site->elements = o->kind == OPERAND_VECTOR ? o->count : 1;
    if (site->bytes * site->elements > 64)
        return decode_refuse(d, "an access of %u bytes per lane is not supported", (unsigned)site->bytes * site->elements);
    if (site->elements > MAX_VECTOR)
        return decode_refuse(d, "vectors of %u elements are not supported", site->elements);
    for (uint32_t e = 0; e < site->elements; e++) {
        if (writes && !decode_register(d, &first[e], &site->value[e], &site->sink[e]))
            return false;
        if (!writes && !decode_source(d, &first[e], register_width(d->in->type[0]), &site->value[e]))
            return false;
        if (!site->sink[e] && site->value[e].width < site->bytes)
            return decode_refuse(d, "%s of %u bytes does not fit its register", ptx_op_names[d->in->op], site->bytes);
    }
    return true;
}

/* A parameter of the kernel at a fixed offset is a constant of the launch. */
static bool is_kernel_parameter(const struct decoder *d, const struct site *site)
{
    return site->space == SPACE_PARAM && !site->has_base && site->offset >= 0 && site->offset < PARAM_FRAME &&
           d->routine->fn->is_entry && site->bytes < 16;
}

static bool decode_parameter_load(struct decoder *d, struct site *site)
{
    struct xop *x = d->x;
    struct operand to = site->value[0];
    /* sub-word loads into wider registers extend by the type's sign */
    x->src[0] = decode_launch_slot(
        d, (struct launch_slot){
               .width = to.width, .bytes = site->bytes, .is_signed = site->is_signed, .index = (uint32_t)site->offset });
    x->source_count = 1;
    x->dst = to.offset;
    x->dst_width = to.width;
    x->target = (uint32_t)site->offset;
    x->fn = access_load_param;
    return true;
}

/* One 32-bit or 64-bit element per lane, as wide as its register, at a register's address: what the vector paths do. */
static bool is_plain(const struct decoder *d, const struct site *site)
{
    return !d->device->options.races && site->elements == 1 && !site->sink[0] && site->has_base && site->base.width >= 4 &&
           !site->in_frame && (site->bytes == 4 || site->bytes == 8) && site->bytes == site->value[0].width;
}

/* What load_any and store_any do. */
static bool is_regular(const struct decoder *d, const struct site *site)
{
    if (d->device->options.races || !site->has_base || site->base.width != 8 || site->in_frame || site->on_stack ||
        (site->bytes != 4 && site->bytes != 8) || site->bytes * site->elements > 16 || (site->elements & (site->elements - 1)) ||
        (site->space != SPACE_GLOBAL && site->space != SPACE_GENERIC && site->space != SPACE_SHARED))
        return false;
    for (uint32_t e = 0; e < site->elements; e++)
        if (!site->sink[e] && site->value[e].width != site->bytes)
            return false;
    return true;
}

static bool decode_load(struct decoder *d, struct site *site)
{
    struct xop *x = d->x;
    if (!decode_values(d, &d->in->dst[0], site, true) || !decode_address(d, &d->in->src[0], site))
        return false;
    if (site->elements == 1 && !site->sink[0] && is_kernel_parameter(d, site))
        return decode_parameter_load(d, site);
    x->fn = access_load;
    x->dst = site->value[0].offset;
    if (is_plain(d, site) && site->space == SPACE_GLOBAL && site->base.width == 8)
        x->fn = site->bytes == 4 ? d->lanes->load_32 : d->lanes->load_64;
    else if (is_plain(d, site) && site->space == SPACE_SHARED)
        x->fn = site->bytes == 4 ? d->lanes->load_shared_32 : d->lanes->load_shared_64;
    else if (is_regular(d, site))
        x->fn = d->lanes->load_any;
    return true;
}

static bool decode_store(struct decoder *d, struct site *site)
{
    struct xop *x = d->x;
    if (!decode_values(d, &d->in->src[1], site, false) || !decode_address(d, &d->in->src[0], site))
        return false;
    x->fn = access_store;
    if (is_plain(d, site) && site->space == SPACE_GLOBAL && site->base.width == 8)
        x->fn = site->bytes == 4 ? d->lanes->store_32 : d->lanes->store_64;
    else if (is_plain(d, site) && site->space == SPACE_SHARED)
        x->fn = site->bytes == 4 ? d->lanes->store_shared_32 : d->lanes->store_shared_64;
    else if (is_regular(d, site))
        x->fn = d->lanes->store_any;
    return true;
}

static bool decode_atomic(struct decoder *d, struct site *site)
{
    struct xop *x = d->x;
    x->fn = atomic_execute;
    site->op = d->in->mod.atomic;
    if (!atomic_is_supported(site->op, site->type))
        return decode_refuse(d, "%s with this operation and type is not supported", ptx_op_names[d->in->op]);
    if (d->in->op == OP_ATOM && !decode_destination(d))
        return false;
    if (d->in->op == OP_RED) {
        x->dst = FRAME_SINK;
        x->dst_width = register_width(site->type);
    }
    if (!decode_address(d, &d->in->src[0], site) || !decode_source(d, &d->in->src[1], register_width(site->type), &x->src[0]))
        return false;
    x->source_count = 1;
    if (site->op == ATOMIC_CAS) {
        x->source_count = 2;
        return decode_source(d, &d->in->src[2], register_width(site->type), &x->src[1]);
    }
    return true;
}

static bool decode_mbarrier(struct decoder *d, struct site *site)
{
    const struct ptx_inst *in = d->in;
    struct xop *x = d->x;
    const bool has_amount = in->nsrc > 1;
    site->elements = 1;
    switch (in->mod.mode) {
    case MBARRIER_INIT:
    case MBARRIER_INVAL: x->fn = mbarrier_set; break;
    case MBARRIER_TEST:
    case MBARRIER_TRY: x->fn = mbarrier_ask; break;
    case MBARRIER_COUNT:
        x->fn = mbarrier_count;
        x->source_count = 1;
        return decode_destination(d) && decode_source(d, &in->src[0], 8, &x->src[0]);
    default: x->fn = mbarrier_change; break;
    }
    if (in->ndst && !decode_destination(d))
        return false;
    x->source_count = has_amount;
    const bool is_token = (in->mod.mode == MBARRIER_TEST || in->mod.mode == MBARRIER_TRY) && in->mod.mode2 != MBARRIER_PARITY;
    return decode_address(d, &in->src[0], site) && (!has_amount || decode_source(d, &in->src[1], is_token ? 8 : 4, &x->src[0]));
}

static bool decode_copy_async(struct decoder *d, struct site *site)
{
    struct xop *x = d->x;
    if (d->in->mod.mode == CP_MBARRIER_ARRIVE) {
        x->fn = mbarrier_change;
        return decode_address(d, &d->in->src[0], site);
    }
    if (d->in->mod.mode != CP_ASYNC) { /* groups: every copy is complete when it is issued */
        x->fn = special_nothing;
        return true;
    }
    struct site *source = arena_alloc(d->image->arena, 2, sizeof *source);
    site->space = SPACE_SHARED;
    if (d->in->src[2].kind != OPERAND_IMM)
        return decode_refuse(d, "cp.async needs its size as an immediate");
    site->bytes = (uint8_t)d->in->src[2].bits;
    site->elements = 1;
    if (!decode_address(d, &d->in->src[0], site))
        return false;
    *source = *site;
    source->space = SPACE_GLOBAL;
    source->has_base = false;
    if (!decode_address(d, &d->in->src[1], source))
        return false;
    source[1] = *site;
    x->site = source; /* the global side first, since the caches see it; the shared side behind it */
    x->fn = access_copy_async;
    if (d->in->src[3].kind != OPERAND_NONE) {
        x->source_count = 1;
        return decode_source(d, &d->in->src[3], 4, &x->src[0]);
    }
    return true;
}

/* Parameters are no site of their own; shared, local and parameter memory belong to one SM. */
static bool note_shared(struct decoder *d, const struct site *site)
{
    d->x->is_shared =
        d->x->fn != access_load_param && site->space != SPACE_SHARED && site->space != SPACE_LOCAL && site->space != SPACE_PARAM;
    return true;
}

bool decode_memory(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct site *site = decode_new_site(d);
    site->space = in->mod.space ? in->mod.space : SPACE_GENERIC;
    site->type = in->type[0];
    site->bytes = (uint8_t)ptx_type_bytes(in->type[0]);
    site->is_signed = type_is_signed(in->type[0]);
    switch (in->op) {
    case OP_LD:
    case OP_LDU: return decode_load(d, site) && note_shared(d, site);
    case OP_ST: return decode_store(d, site) && note_shared(d, site);
    case OP_ATOM:
    case OP_RED: return decode_atomic(d, site);
    case OP_CP: return decode_copy_async(d, site);
    case OP_MBARRIER: return decode_mbarrier(d, site);
    case OP_CREATEPOLICY:
        d->x->fn = special_nothing; /* a cache hint's handle; hints change nothing here */
        return true;
    default: d->x->fn = access_none; return decode_address(d, &in->src[0], site);
    }
}

/* mov.v4: element by element; every element is read before the first is written. */
static bool decode_vector_copy(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct site *site = decode_new_site(d);
    const struct ptx_operand *to = &d->routine->fn->elements[in->dst[0].index], *from = &d->routine->fn->elements[in->src[0].index];
    site->elements = in->dst[0].count;
    d->x->source_count = in->src[0].count;
    d->x->fn = special_move_vector;
    for (uint32_t e = 0; e < site->elements; e++)
        if (!decode_register(d, &to[e], &site->value[e], &site->sink[e]) ||
            !decode_source(d, &from[e], register_width(in->type[0]), &d->x->src[e]))
            return false;
    return true;
}

static bool decode_vector_move(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    if (in->dst[0].kind == in->src[0].kind && in->dst[0].count == in->src[0].count && in->dst[0].count <= 4)
        return decode_vector_copy(d);
    struct xop *x = d->x;
    struct site *site = decode_new_site(d);
    bool unpack = in->dst[0].kind == OPERAND_VECTOR;
    const struct ptx_operand *vector = unpack ? &in->dst[0] : &in->src[0];
    uint8_t whole = register_width(in->type[0]);
    site->bytes = (uint8_t)(whole / vector->count);
    const struct ptx_operand *first = &d->routine->fn->elements[vector->index];
    site->elements = vector->count;
    for (uint32_t e = 0; e < site->elements && e < MAX_VECTOR; e++) {
        if (unpack && !decode_register(d, &first[e], &site->value[e], &site->sink[e]))
            return false;
        if (!unpack && !decode_source(d, &first[e], site->bytes < 2 ? 2 : site->bytes, &site->value[e]))
            return false;
    }
    x->fn = unpack ? special_unpack : special_pack;
    if (!unpack)
        return decode_destination(d);
    x->source_count = 1;
    return decode_source(d, &in->src[0], whole, &x->src[0]);
}

static bool decode_symbol_move(struct decoder *d, bool *done)
{
    uint64_t address;
    uint8_t space;
    bool in_frame;
    *done = false;
    if (!decode_symbol(d, d->in->src[0].index, &address, &space, &in_frame))
        return false;
    if (in_frame) {
        d->x->fn = special_local_address;
        d->x->target = (uint32_t)(LOCAL_START + address + (uint64_t)d->in->src[0].offset);
        *done = true;
    }
    return true;
}

bool decode_move(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct xop *x = d->x;
    if (in->dst[0].kind == OPERAND_VECTOR || in->src[0].kind == OPERAND_VECTOR)
        return decode_vector_move(d);
    if (!decode_destination(d))
        return false;
    if (in->src[0].kind == OPERAND_SREG) {
        struct error ignored;
        struct error *err = d->err;
        d->err = &ignored;
        bool fixed = decode_source(d, &in->src[0], 4, &x->src[0]);
        d->err = err;
        if (!fixed) {
            x->fn = special_read;
            x->target = in->src[0].index;
            return true;
        }
    } else if (in->src[0].kind == OPERAND_SYMBOL) {
        bool done;
        if (!decode_symbol_move(d, &done) || done)
            return done;
        if (!decode_sources(d, x->dst_width, 1))
            return false;
    } else if (!decode_sources(d, register_width(in->type[0]), 1)) {
        return false;
    }
    x->source_count = 1;
    if (x->dst_width == 0) {
        x->fn = special_predicate_logic;
    } else if (x->dst_width != x->src[0].width) {
        x->lane = scalar_copy;
        x->fn = scalar_execute;
    } else {
        x->fn = x->dst_width == 16 ? special_move_wide
                                   : d->lanes->execute[x->dst_width == 2   ? LANE_mov_16
                                                       : x->dst_width == 4 ? LANE_mov_32
                                                                           : LANE_mov_64];
    }
    return true;
}
