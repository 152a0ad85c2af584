/* lane_addresses.c - the 32 addresses of a warp's access in few bytes: as rows where they are rows, else one by one. */
#include "trace/lane_addresses.h"

/* Low bits of the first byte; the space is in the bits above. */
enum form { FORM_REPEAT /* same shape, same move */, FORM_MOVE /* same shape */, FORM_SHAPE, FORM_LIST, FORM_BITS = 2 };

static inline uint64_t offset_of(const struct lane_shape *s, uint32_t lane)
{
    return (uint64_t)s->step * (lane & ((1u << s->period_log) - 1)) + (uint64_t)s->row * (lane >> s->period_log);
}

static bool shape_fits(const struct lane_shape *s, uint32_t lanes, const uint64_t address[32])
{
    const uint32_t first = (uint32_t)__builtin_ctz(lanes);
    const uint64_t base = address[first] - offset_of(s, first);
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (address[lane] != base + offset_of(s, lane))
            return false;
    }
    return true;
}

/* Difference per lane between two lanes; false when it is not a whole number. */
static bool slope(const uint64_t address[32], uint32_t from, uint32_t to, int64_t *out)
{
    const int64_t difference = (int64_t)(address[to] - address[from]);
    *out = difference / (int64_t)(to - from);
    return difference % (int64_t)(to - from) == 0;
}

static bool row_slope(const uint64_t address[32], uint32_t lanes, uint32_t period_log, int64_t step, int64_t *row)
{
    const uint32_t first = (uint32_t)__builtin_ctz(lanes), mask = (1u << period_log) - 1;
    *row = 0;
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (lane >> period_log == first >> period_log)
            continue;
        const int64_t within = step * ((int64_t)(lane & mask) - (int64_t)(first & mask));
        const int64_t rows = (int64_t)((lane >> period_log) - (first >> period_log));
        const int64_t difference = (int64_t)(address[lane] - address[first] - (uint64_t)within);
        *row = difference / rows;
        return difference % rows == 0;
    }
    return true;
}

/* The step comes from the first two neighbours in a row, and the row from the first lane outside it. Then all lanes are checked. */
static bool find_shape(uint32_t lanes, const uint64_t address[32], struct lane_shape *out)
{
    const uint32_t first = (uint32_t)__builtin_ctz(lanes);
    for (uint32_t log = 5; log <= 5; log--) {
        *out = (struct lane_shape){ .period_log = (uint8_t)log };
        const uint32_t rest = lanes & (lanes - 1);
        const uint32_t second = rest ? (uint32_t)__builtin_ctz(rest) : first;
        if (second != first && second >> log == first >> log && !slope(address, first, second, &out->step))
            continue;
        if (out->step > INT32_MAX || out->step < INT32_MIN || !row_slope(address, lanes, log, out->step, &out->row))
            continue;
        if (shape_fits(out, lanes, address))
            return true;
    }
    return false;
}

static void write_list(struct bytes *out, struct lane_memory *memory, uint32_t lanes, const uint64_t address[32], uint8_t space)
{
    uint64_t bits = 0, last = memory->base;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        bits |= address[lane] - last;
        last = address[lane];
    }
    const uint32_t shift = bits ? (uint32_t)__builtin_ctzll(bits) : 0;
    bytes_put(out, (uint8_t)(FORM_LIST | space << FORM_BITS));
    bytes_put(out, (uint8_t)shift);
    last = memory->base;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        bytes_signed(out, (int64_t)(address[lane] - last) >> shift);
        last = address[lane];
    }
    memory->base = address[__builtin_ctz(lanes)];
}

void lane_addresses_write(struct bytes *out, struct lane_memory *memory, uint32_t lanes, const uint64_t address[32], uint8_t space)
{
    const uint32_t first = (uint32_t)__builtin_ctz(lanes);
    struct lane_shape shape = memory->shape;
    const bool same = shape_fits(&shape, lanes, address);
    if (!same && !find_shape(lanes, address, &shape)) {
        write_list(out, memory, lanes, address, space);
        return;
    }
    const uint64_t base = address[first] - offset_of(&shape, first);
    const int64_t move = (int64_t)(base - memory->base);
    if (same && move == memory->move) {
        bytes_put(out, (uint8_t)(FORM_REPEAT | space << FORM_BITS));
    } else {
        bytes_put(out, (uint8_t)((same ? FORM_MOVE : FORM_SHAPE) | space << FORM_BITS));
        if (!same) {
            bytes_put(out, shape.period_log);
            bytes_signed(out, shape.step);
            bytes_signed(out, shape.row);
        }
        bytes_signed(out, move);
    }
    *memory = (struct lane_memory){ shape, base, move };
}

static bool read_list(struct cursor *in, struct lane_memory *memory, uint32_t lanes, uint64_t address[32])
{
    uint8_t shift;
    if (!cursor_byte(in, &shift) || shift > 63)
        return false;
    uint64_t last = memory->base;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint64_t folded;
        if (!cursor_number(in, &folded))
            return false;
        last += (uint64_t)unfold_sign(folded) << shift;
        address[__builtin_ctz(left)] = last;
    }
    memory->base = address[__builtin_ctz(lanes)];
    return true;
}

static void fill(const struct lane_memory *memory, uint64_t address[32])
{
    const uint32_t period = 1u << memory->shape.period_log;
    uint64_t row = memory->base;
    for (uint32_t first = 0; first < 32; first += period, row += (uint64_t)memory->shape.row)
        for (uint32_t i = 0; i < period; i++)
            address[first + i] = row + (uint64_t)memory->shape.step * i;
}

bool lane_addresses_read(struct cursor *in, struct lane_memory *memory, uint32_t lanes, uint64_t address[32], uint8_t *space)
{
    uint8_t head;
    if (!cursor_byte(in, &head))
        return false;
    *space = head >> FORM_BITS & 7;
    const enum form form = head & ((1u << FORM_BITS) - 1);
    if (form == FORM_LIST)
        return read_list(in, memory, lanes, address);
    if (form == FORM_SHAPE && (!cursor_byte(in, &memory->shape.period_log) || memory->shape.period_log > 5 ||
                               !cursor_signed(in, &memory->shape.step) || !cursor_signed(in, &memory->shape.row)))
        return false;
    if (form != FORM_REPEAT && !cursor_signed(in, &memory->move))
        return false;
    memory->base += (uint64_t)memory->move;
    fill(memory, address);
    return true;
}
