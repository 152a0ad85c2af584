/* decode.h - from ptx_inst to xop: which executor, and where the operands lie. */
#ifndef WARPLINE_EXEC_DECODE_H
#define WARPLINE_EXEC_DECODE_H
#include "base/arena.h"
#include "exec/lanes.h"
#include "exec/scalar.h"

struct decoder {
    struct device *device;
    struct image *image;
    const struct lanes *lanes;
    struct error *err;
    struct routine *routine; /* of the instruction being decoded */
    const struct ptx_inst *in;
    struct xop *x;
    struct shared_place {
        const struct loaded_module *module;
        uint32_t variable, offset;
    } * shared;
    uint32_t shared_count, shared_capacity;
    struct constant {
        uint64_t bits;
        uint32_t offset;
        uint8_t width;
    } * constants; /* those already laid out */
    uint32_t constant_count, constant_capacity;
};

/* All return false with the error set (file:line: ...) when the form is not supported. */
bool decode_inst(struct decoder *d);       /* decode.c: dispatches to the rest */
bool decode_arithmetic(struct decoder *d); /* decode_arith.c */
bool decode_compare(struct decoder *d);
bool decode_convert(struct decoder *d);
bool decode_memory(struct decoder *d); /* decode_memory.c */
bool decode_move(struct decoder *d);
bool decode_texture(struct decoder *d); /* decode_texture.c */
bool decode_matrix(struct decoder *d);
bool decode_control(struct decoder *d); /* decode_control.c */

/* decode_operand.c */
uint8_t register_width(uint8_t type); /* bytes per lane of a register of this type; 0: predicate */
bool decode_refuse(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool decode_source(struct decoder *d, const struct ptx_operand *from, uint8_t width, struct operand *to);
bool decode_sources(struct decoder *d, uint8_t width, uint32_t count); /* x->src[0..count) from in->src */
bool decode_destination(struct decoder *d);                            /* x->dst and x->dst2 */
bool decode_register(struct decoder *d, const struct ptx_operand *from, struct operand *to, bool *sink); /* a written operand */
uint32_t decode_constant(struct decoder *d, uint64_t bits, uint8_t width);                               /* offset in BASE_CONST */
struct operand decode_launch_slot(struct decoder *d, struct launch_slot slot);
/* Address of a variable in its own space; *in_frame: relative to the frame's stack base. */
bool decode_symbol(struct decoder *d, uint32_t variable, uint64_t *address, uint8_t *space, bool *in_frame);
bool decode_function_address(struct decoder *d, uint32_t function, uint64_t *address);
bool decode_address(struct decoder *d, const struct ptx_operand *from, struct site *site);
struct site *decode_new_site(struct decoder *d);
#endif
