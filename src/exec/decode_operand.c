/* decode_operand.c - where an operand of a PTX instruction lies when it runs. */
#include "exec/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint8_t register_width(uint8_t type)
{
    uint32_t bytes = ptx_type_bytes(type);
    if (type == T_PRED)
        return 0;
    return (uint8_t)(bytes < 2 ? 2 : bytes); /* 8-bit registers are kept in 16 bits */
}

bool decode_refuse(struct decoder *d, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(d->err, "%s:%u: %s", d->routine->module->ptx->file, d->in->line, text);
}

uint32_t decode_constant(struct decoder *d, uint64_t bits, uint8_t width)
{
    struct image *image = d->image;
    if (width == 2 || width == 4)
        bits = zero_extend(bits, width * 8u);
    for (uint32_t i = 0; i < d->constant_count; i++)
        if (d->constants[i].bits == bits && d->constants[i].width == width)
            return d->constants[i].offset;
    uint32_t bytes = width == 0 ? 64 : (uint32_t)width * LANES, at = image->constant_bytes;
    if (at + bytes > image->constant_capacity) {
        image->constant_capacity = (at + bytes) * 2;
        image->constants = must_realloc(image->constants, image->constant_capacity);
    }
    memset(image->constants + at, 0, bytes);
    if (width == 0)
        memset(image->constants + at, bits & 1 ? 0xff : 0, sizeof(uint32_t));
    for (uint32_t lane = 0; width && lane < LANES; lane++)
        memcpy(image->constants + at + lane * width, &bits, width < 8 ? width : 8);
    image->constant_bytes = (at + bytes + 63) / 64 * 64;
    if (d->constant_count == d->constant_capacity) {
        d->constant_capacity = d->constant_capacity ? d->constant_capacity * 2 : 64;
        d->constants = must_realloc(d->constants, d->constant_capacity * sizeof *d->constants);
    }
    d->constants[d->constant_count++] = (struct constant){ bits, at, width };
    return at;
}

struct operand decode_launch_slot(struct decoder *d, struct launch_slot slot)
{
    struct image *image = d->image;
    for (uint32_t i = 0; i < image->slot_count; i++) {
        const struct launch_slot *s = &image->slots[i];
        if (s->index == slot.index && s->bytes == slot.bytes && s->width == slot.width && s->is_signed == slot.is_signed)
            return (struct operand){ .offset = s->offset, .base = BASE_CONST, .width = s->width };
    }
    /* a value no other constant has, so that the place is never shared */
    uint32_t bytes = (uint32_t)slot.width * LANES, at = image->constant_bytes;
    if (at + bytes > image->constant_capacity) {
        image->constant_capacity = (at + bytes) * 2;
        image->constants = must_realloc(image->constants, image->constant_capacity);
    }
    memset(image->constants + at, 0, bytes);
    image->constant_bytes = (at + bytes + 63) / 64 * 64;
    slot.offset = at;
    image->slots = must_realloc(image->slots, (image->slot_count + 1) * sizeof *image->slots);
    image->slots[image->slot_count++] = slot;
    return (struct operand){ .offset = at, .base = BASE_CONST, .width = slot.width };
}

/* Special registers that keep their value while a warp runs; false: it must be read when executed. */
static bool fixed_sreg(struct decoder *d, uint32_t sreg, struct operand *to)
{
    static const struct {
        uint8_t sreg, base, place;
    } fixed[] = {
        { SREG_TID_X, BASE_WARP, WARP_TID_X },         { SREG_TID_Y, BASE_WARP, WARP_TID_Y },
        { SREG_TID_Z, BASE_WARP, WARP_TID_Z },         { SREG_LANEID, BASE_WARP, WARP_LANEID },
        { SREG_WARPID, BASE_WARP, WARP_WARPID },       { SREG_LANEMASK_EQ, BASE_WARP, WARP_MASK_EQ },
        { SREG_LANEMASK_LT, BASE_WARP, WARP_MASK_LT }, { SREG_LANEMASK_LE, BASE_WARP, WARP_MASK_LE },
        { SREG_LANEMASK_GT, BASE_WARP, WARP_MASK_GT }, { SREG_LANEMASK_GE, BASE_WARP, WARP_MASK_GE },
        { SREG_CTAID_X, BASE_CTA, CTA_ID_X },          { SREG_CTAID_Y, BASE_CTA, CTA_ID_Y },
        { SREG_CTAID_Z, BASE_CTA, CTA_ID_Z },
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].sreg == sreg) {
            *to = (struct operand){ .offset = fixed[i].place * (uint32_t)VECTOR_BYTES, .base = fixed[i].base, .width = 4 };
            return true;
        }
    switch (sreg) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
    case SREG_NWARPID:
    case SREG_DYNAMIC_SMEM_SIZE:
    case SREG_TOTAL_SMEM_SIZE:
    case SREG_NSMID: *to = decode_launch_slot(d, (struct launch_slot){ .width = 4, .bytes = 0, .index = sreg }); return true;
    case SREG_TID_W:
    case SREG_NTID_W:
    case SREG_CTAID_W:
    case SREG_NCTAID_W: *to = (struct operand){ .offset = decode_constant(d, 0, 4), .base = BASE_CONST, .width = 4 }; return true;
    default: return false;
    }
}

static bool shared_address(struct decoder *d, const struct loaded_module *module, uint32_t variable, uint64_t *address)
{
    const struct ptx_variable *v = &module->ptx->variables[variable];
    if (v->bytes == 0) {
        *address = d->image->dynamic_shared_offset;
        return true;
    }
    for (uint32_t i = 0; i < d->shared_count; i++)
        if (d->shared[i].module == module && d->shared[i].variable == variable) {
            *address = d->shared[i].offset;
            return true;
        }
    return decode_refuse(d, "shared variable %s has no place", v->name);
}

bool decode_symbol(struct decoder *d, uint32_t variable, uint64_t *address, uint8_t *space, bool *in_frame)
{
    const struct loaded_module *module = d->routine->module;
    const struct ptx_variable *v = &module->ptx->variables[variable];
    *in_frame = false;
    *space = v->space;
    switch (v->space) {
    case SPACE_SHARED: return shared_address(d, module, variable, address);
    case SPACE_LOCAL:
        *address = d->routine->variable_offset[variable];
        *in_frame = d->routine != &d->image->routines[0];
        return true;
    case SPACE_PARAM: {
        const struct ptx_function *fn = d->routine->fn;
        for (uint32_t i = 0; fn->is_entry && i < fn->param_count; i++)
            if (fn->params[i] == variable) {
                *address = v->offset;
                return true;
            }
        *address = PARAM_FRAME + d->routine->variable_offset[variable];
        return true;
    }
    default:
        if (module->variable_address[variable] == 0 && !device_resolve_variable(d->device, module, v->name, &module, &variable))
            return decode_refuse(d, "variable %s is declared but no loaded module defines it", v->name);
        *address = module->variable_address[variable];
        return true;
    }
}

bool decode_function_address(struct decoder *d, uint32_t function, uint64_t *address)
{
    const struct loaded_module *module;
    const char *name = d->routine->module->ptx->functions[function].name;
    uint32_t index;
    if (!device_resolve_function(d->device, d->routine->module, name, &module, &index))
        return decode_refuse(d, "function %s is declared but no loaded module defines it", name);
    *address = module->function_address[index];
    return true;
}

bool decode_source(struct decoder *d, const struct ptx_operand *from, uint8_t width, struct operand *to)
{
    uint64_t address = 0;
    uint8_t space;
    bool in_frame;
    switch (from->kind) {
    case OPERAND_REG:
        *to = (struct operand){ .offset = d->routine->reg_offset[from->index],
                                .base = BASE_REGS,
                                .width = register_width(d->routine->fn->regs[from->index].type),
                                .negated = from->negated };
        return true;
    case OPERAND_IMM:
        *to = (struct operand){
            .offset = decode_constant(d, from->bits, width), .base = BASE_CONST, .width = width, .negated = from->negated
        };
        return true;
    case OPERAND_SREG:
        if (fixed_sreg(d, from->index, to))
            return true;
        return decode_refuse(d, "%s can be read by mov only", ptx_sreg_names[from->index]);
    case OPERAND_SYMBOL:
        if (!decode_symbol(d, from->index, &address, &space, &in_frame))
            return false;
        if (in_frame)
            return decode_refuse(d, "the address of a local variable can be taken by mov only");
        if (space == SPACE_LOCAL)
            address += LOCAL_START;
        *to = (struct operand){ .offset = decode_constant(d, address + (uint64_t)from->offset, width),
                                .base = BASE_CONST,
                                .width = width };
        return true;
    case OPERAND_FUNCTION:
        if (!decode_function_address(d, from->index, &address))
            return false;
        *to = (struct operand){ .offset = decode_constant(d, address, width), .base = BASE_CONST, .width = width };
        return true;
    case OPERAND_SINK: *to = (struct operand){ .offset = FRAME_SINK, .base = BASE_REGS, .width = width }; return true;
    default: return decode_refuse(d, "%s: an operand of this kind cannot be read here", ptx_op_names[d->in->op]);
    }
}

bool decode_sources(struct decoder *d, uint8_t width, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!decode_source(d, &d->in->src[i], width, &d->x->src[i]))
            return false;
    d->x->source_count = (uint8_t)count;
    return true;
}

bool decode_register(struct decoder *d, const struct ptx_operand *from, struct operand *to, bool *sink)
{
    *sink = from->kind != OPERAND_REG;
    if (from->kind == OPERAND_REG)
        return decode_source(d, from, 0, to);
    if (from->kind != OPERAND_SINK && from->kind != OPERAND_NONE)
        return decode_refuse(d, "%s: the result must go to a register", ptx_op_names[d->in->op]);
    *to = (struct operand){ .offset = FRAME_SINK, .base = BASE_REGS, .width = register_width(d->in->type[0]) };
    return true;
}

bool decode_destination(struct decoder *d)
{
    struct operand to;
    bool sink;
    if (!decode_register(d, &d->in->dst[0], &to, &sink))
        return false;
    d->x->dst = to.offset;
    d->x->dst_width = to.width;
    if (d->in->dst[1].kind == OPERAND_REG) {
        if (!decode_register(d, &d->in->dst[1], &to, &sink))
            return false;
        d->x->dst2 = to.offset;
    }
    return true;
}

struct site *decode_new_site(struct decoder *d)
{
    struct site *site = arena_alloc(d->image->arena, 1, sizeof *site);
    site->cache = d->image->site_count++;
    site->elements = 1;
    d->x->site = site;
    return site;
}

bool decode_address(struct decoder *d, const struct ptx_operand *from, struct site *site)
{
    uint64_t address;
    uint8_t space;
    site->offset = from->offset;
    switch (from->kind) {
    case OPERAND_ADDRESS:
        site->has_base = true;
        if (site->space == SPACE_LOCAL)
            site->offset -= (int64_t)LOCAL_START;
        site->base = (struct operand){ .offset = d->routine->reg_offset[from->index],
                                       .base = BASE_REGS,
                                       .width = register_width(d->routine->fn->regs[from->index].type) };
        return true;
    case OPERAND_SYMBOL_ADDRESS:
        if (!decode_symbol(d, from->index, &address, &space, &site->in_frame))
            return false;
        site->offset = (int64_t)address + from->offset;
        if (site->space == SPACE_GENERIC) /* a name tells its space */
            site->space = space;
        if (space == SPACE_PARAM && address >= PARAM_FRAME && d->routine->stack_offset) {
            site->on_stack = true;
            site->stack_offset = d->routine->stack_offset[from->index] + (uint32_t)from->offset;
        }
        return true;
    case OPERAND_ABSOLUTE: return true;
    default: return decode_refuse(d, "%s: its address operand cannot be used", ptx_op_names[d->in->op]);
    }
}
