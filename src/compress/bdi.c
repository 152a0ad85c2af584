/* bdi.c - base-delta-immediate compression: the line as equal parts, each a small distance from the first one.
 *
 * One base, the first part; the original also takes zero for a second base, which paper 002 leaves out. Each part has a delta, as
 * both papers say: the first one's, always 0, is stored too. Forms are tried from the smallest result to the largest. */
#include "compress/bits.h"

struct bdi_shape {
    uint8_t form, base, delta; /* bytes */
};
/* Smallest first for every line size: the parts number bytes / base. */
static const struct bdi_shape shapes[] = { { BDI_2_0, 2, 0 }, { BDI_4_0, 4, 0 }, { BDI_8_0, 8, 0 },
                                           { BDI_8_1, 8, 1 }, { BDI_4_1, 4, 1 }, { BDI_8_2, 8, 2 },
                                           { BDI_2_1, 2, 1 }, { BDI_4_2, 4, 2 }, { BDI_8_4, 8, 4 } };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Every distance of this width from the first part, ORed as what would stick out of 1, 2 and 4 bytes: 0 means that all fit.
 * Distances are moved up by half the range, so that one comparison tells. */
struct bdi_spread {
    uint64_t any, beyond1, beyond2, beyond4; /* `any`: a part differs at all */
};

static struct bdi_spread spread8(const uint8_t *line, uint32_t bytes)
{
    struct bdi_spread s = { 0 };
    uint64_t base, part;
    memcpy(&base, line, 8);
    for (uint32_t i = 8; i < bytes; i += 8) {
        memcpy(&part, line + i, 8);
        const uint64_t d = part - base;
        s.any |= d;
        s.beyond1 |= (d + 0x80) >> 8;
        s.beyond2 |= (d + 0x8000) >> 16;
        s.beyond4 |= (d + 0x80000000u) >> 32;
    }
    return s;
}

static struct bdi_spread spread4(const uint8_t *line, uint32_t bytes)
{
    uint32_t any = 0, beyond1 = 0, beyond2 = 0;
    const uint32_t base = word_of(line, 0);
    for (uint32_t i = 1; i < bytes / 4; i++) {
        const uint32_t d = word_of(line, i) - base;
        any |= d;
        beyond1 |= (d + 0x80) >> 8;
        beyond2 |= (d + 0x8000) >> 16;
    }
    return (struct bdi_spread){ any, beyond1, beyond2, 0 };
}

static struct bdi_spread spread2(const uint8_t *line, uint32_t bytes)
{
    uint16_t any = 0, beyond1 = 0, base, part;
    memcpy(&base, line, 2);
    for (uint32_t i = 2; i < bytes; i += 2) {
        memcpy(&part, line + i, 2);
        const uint16_t d = (uint16_t)(part - base);
        any |= d;
        beyond1 |= (uint16_t)((uint16_t)(d + 0x80) >> 8);
    }
    return (struct bdi_spread){ any, beyond1, 0, 0 };
}

static bool shape_fits(const struct bdi_shape *shape, const struct bdi_spread *s)
{
    switch (shape->delta) {
    case 0: return !s->any;
    case 1: return !s->beyond1;
    case 2: return !s->beyond2;
    default: return !s->beyond4;
    }
}

/* With sizes that the compiler knows, as each case below gives them, a copy is one instruction. */
__attribute__((always_inline)) static inline uint32_t put_parts(const uint8_t *line, uint32_t bytes, uint8_t *out,
                                                                uint32_t part_bytes, uint32_t delta_bytes)
{
    uint64_t base = 0;
    memcpy(&base, line, part_bytes);
    memcpy(out, line, part_bytes);
    uint8_t *to = out + part_bytes;
    for (uint32_t i = 0; delta_bytes && i < bytes; i += part_bytes, to += delta_bytes) {
        uint64_t part = 0;
        memcpy(&part, line + i, part_bytes);
        part -= base;
        memcpy(to, &part, delta_bytes);
    }
    return 8 * (uint32_t)(to - out);
}

static void write_shape(uint8_t form, const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    out->form = form;
    switch (form) {
    case BDI_2_0: out->bits = put_parts(line, bytes, out->data, 2, 0); break;
    case BDI_4_0: out->bits = put_parts(line, bytes, out->data, 4, 0); break;
    case BDI_8_0: out->bits = put_parts(line, bytes, out->data, 8, 0); break;
    case BDI_8_1: out->bits = put_parts(line, bytes, out->data, 8, 1); break;
    case BDI_4_1: out->bits = put_parts(line, bytes, out->data, 4, 1); break;
    case BDI_8_2: out->bits = put_parts(line, bytes, out->data, 8, 2); break;
    case BDI_2_1: out->bits = put_parts(line, bytes, out->data, 2, 1); break;
    case BDI_4_2: out->bits = put_parts(line, bytes, out->data, 4, 2); break;
    default: out->bits = put_parts(line, bytes, out->data, 8, 4); break;
    }
}

void bdi_pack(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    const struct bdi_spread spread[3] = { spread2(line, bytes), spread4(line, bytes), spread8(line, bytes) };
    if (!spread[2].any && word_of(line, 0) == 0 && word_of(line, 1) == 0) {
        out->form = BDI_ZERO;
        out->bits = 8; /* a byte is the least that is stored, as in the original */
        out->data[0] = 0;
        return;
    }
    for (uint32_t i = 0; i < SHAPES; i++) {
        const struct bdi_shape *shape = &shapes[i];
        if (shape_fits(shape, &spread[shape->base == 2 ? 0 : shape->base == 4 ? 1 : 2])) {
            write_shape(shape->form, line, bytes, out);
            return;
        }
    }
    line_keep(line, bytes, out);
}

void bdi_unpack(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    if (in->form == FORM_PLAIN) {
        memcpy(line, in->data, bytes);
        return;
    }
    memset(line, 0, bytes);
    for (uint32_t s = 0; s < SHAPES; s++) {
        const struct bdi_shape *shape = &shapes[s];
        if (shape->form != in->form)
            continue;
        uint64_t base = 0;
        memcpy(&base, in->data, shape->base);
        const uint8_t *from = in->data + shape->base;
        for (uint32_t i = 0; i < bytes; i += shape->base) {
            uint64_t delta = 0;
            memcpy(&delta, from, shape->delta);
            from += shape->delta;
            if (shape->delta) /* extend the sign */
                delta = (uint64_t)((int64_t)(delta << (64 - 8 * shape->delta)) >> (64 - 8 * shape->delta));
            const uint64_t part = base + delta;
            memcpy(line + i, &part, shape->base);
        }
        return;
    }
}
