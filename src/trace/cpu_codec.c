/* cpu_codec.c - instructions of a CPU as few bytes, and back. See cpu_codec.h for the idea.
 *
 * A block's bytes: run, event, run, event, ..., run. A run is a number (7 bits per byte, low first). An event is a byte: bits
 * 0-5 say which memory operands were guessed wrong, bit 6 that the instruction was guessed wrong, bit 7 that its memory operands
 * are not the same ones as last time. Then, as the bits say: the instruction's number (0: a new one, with the distance of its
 * address from the last one's and its eight bytes of kind and registers), the operands that are there, and for each wrong one
 * its distance from the last. */
#include "trace/cpu_codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { SLOTS = CPU_STORES + CPU_LOADS, HISTORY_ENTRIES = 1 << 18, STATIC_MAX = 1 << 24 };
enum { WRONG_SLOTS = 63, WRONG_INST = 64, OTHER_SLOTS = 128 };

struct known { /* one distinct instruction: two cache lines of the host */
    uint64_t pc;
    uint8_t what[8]; /* kind, taken, dest, source */
    uint32_t next;   /* what followed last time; 0: nothing yet */
    uint8_t varies;  /* that has been wrong once: ask the table of histories */
    uint8_t slots;   /* memory operands that were there last time, a bit each: stores, then loads */
    uint64_t last[SLOTS], stride[SLOTS];
};

struct cpu_codec {
    struct known *known; /* from 1 on */
    uint32_t count, room;
    uint32_t *after; /* by instruction and last branches: what followed */
    uint32_t last;   /* the instruction before */
    uint32_t branches;
    uint64_t run;
    uint32_t *index; /* the encoder's: from address and bytes to number; 0: free */
    uint32_t index_size;
};

struct cpu_codec *cpu_codec_new(void)
{
    struct cpu_codec *c = must_calloc(1, sizeof *c);
    c->room = 1024;
    c->known = must_calloc_aligned(c->room, sizeof *c->known);
    c->after = must_calloc(HISTORY_ENTRIES, sizeof *c->after);
    return c;
}

void cpu_codec_free(struct cpu_codec *c)
{
    if (!c)
        return;
    free(c->known);
    free(c->after);
    free(c->index);
    free(c);
}

/* ---- what both sides do ---- */

static uint32_t *history_of(struct cpu_codec *c)
{
    return &c->after[hash_combine(c->last, c->branches & 0xfff) % HISTORY_ENTRIES];
}

static uint32_t guess(struct cpu_codec *c)
{
    const struct known *last = &c->known[c->last];
    return last->varies ? *history_of(c) : last->next;
}

static uint32_t add_known(struct cpu_codec *c, uint64_t pc, const uint8_t what[8])
{
    if (c->count + 2 > c->room) {
        struct known *larger = must_calloc_aligned((size_t)c->room * 2, sizeof *larger);
        memcpy(larger, c->known, c->room * sizeof *larger);
        free(c->known);
        c->known = larger;
        c->room *= 2;
    }
    struct known *k = &c->known[++c->count];
    k->pc = pc;
    memcpy(k->what, what, 8);
    return c->count;
}

static void learn_order(struct cpu_codec *c, uint32_t id)
{
    struct known *last = &c->known[c->last];
    if (last->varies)
        *history_of(c) = id;
    else
        last->varies = last->next && last->next != id;
    last->next = id;
    c->last = id;
    if (c->known[id].what[0] & CPU_BRANCH)
        c->branches = c->branches << 1 | c->known[id].what[1];
}

static void learn_address(struct known *k, uint32_t slot, uint64_t address)
{
    k->stride[slot] = address - k->last[slot];
    k->last[slot] = address;
}

/* ---- encoder ---- */

static void put_byte(struct cpu_block *b, uint8_t byte)
{
    if (b->count == b->room) {
        b->room = b->room ? b->room * 2 : 4096;
        b->data = must_realloc(b->data, b->room);
    }
    b->data[b->count++] = byte;
}

static void put_number(struct cpu_block *b, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        put_byte(b, (uint8_t)(v | 128));
    put_byte(b, (uint8_t)v);
}

/* Small distances, in both directions, become small numbers. */
static void put_distance(struct cpu_block *b, uint64_t d)
{
    put_number(b, d << 1 ^ (0 - (d >> 63)));
}

static uint32_t place_of(const struct cpu_codec *c, uint64_t pc, const uint8_t what[8])
{
    uint64_t bytes;
    memcpy(&bytes, what, 8);
    uint32_t at = (uint32_t)hash_combine(pc, bytes) & (c->index_size - 1);
    for (; c->index[at]; at = (at + 1) & (c->index_size - 1)) {
        const struct known *k = &c->known[c->index[at]];
        if (k->pc == pc && memcmp(k->what, what, 8) == 0)
            break;
    }
    return at;
}

static void grow_index(struct cpu_codec *c)
{
    if (c->count * 2 < c->index_size)
        return;
    free(c->index);
    c->index_size = c->index_size ? c->index_size * 4 : 4096;
    c->index = must_calloc(c->index_size, sizeof *c->index);
    for (uint32_t id = 1; id <= c->count; id++)
        c->index[place_of(c, c->known[id].pc, c->known[id].what)] = id;
}

void cpu_codec_add(struct cpu_codec *c, const struct cpu_inst *inst, struct cpu_block *b)
{
    const uint8_t what[8] = { inst->kind,      inst->taken,     inst->dest[0],   inst->dest[1],
                              inst->source[0], inst->source[1], inst->source[2], inst->source[3] };
    const uint64_t *address = inst->address;
    grow_index(c);
    const uint32_t at = place_of(c, inst->pc, what);
    const bool is_new = c->index[at] == 0;
    const uint64_t from = c->known[c->last].pc;
    const uint32_t guessed = guess(c), id = is_new ? (c->index[at] = add_known(c, inst->pc, what)) : c->index[at];
    struct known *k = &c->known[id];
    uint8_t slots = 0, wrong = 0;
    for (uint32_t s = 0; s < SLOTS; s++)
        if (address[s]) {
            slots |= (uint8_t)(1u << s);
            wrong |= (uint8_t)((address[s] != k->last[s] + k->stride[s]) << s);
        }
    const uint8_t event = (uint8_t)(wrong | (is_new || guessed != id ? WRONG_INST : 0) | (slots != k->slots ? OTHER_SLOTS : 0));
    if (event) {
        put_number(b, c->run);
        c->run = 0;
        put_byte(b, event);
        if (event & WRONG_INST)
            put_number(b, is_new ? 0 : id);
        if (is_new) {
            put_distance(b, inst->pc - from);
            for (uint32_t i = 0; i < 8; i++)
                put_byte(b, what[i]);
        }
        if (event & OTHER_SLOTS)
            put_byte(b, slots);
    } else
        c->run++;
    for (uint32_t s = 0; s < SLOTS; s++)
        if (slots >> s & 1) {
            if (wrong >> s & 1)
                put_distance(b, address[s] - k->last[s]);
            learn_address(k, s, address[s]);
        }
    k->slots = slots;
    learn_order(c, id);
}

void cpu_codec_end(struct cpu_codec *c, struct cpu_block *b)
{
    put_number(b, c->run);
    c->run = 0;
}

/* ---- decoder ---- */

static bool take_number(struct cpu_cursor *in, uint64_t *v)
{
    *v = 0;
    for (uint32_t shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        const uint8_t byte = *in->at++;
        *v |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return true;
    }
    return false;
}

static bool take_distance(struct cpu_cursor *in, uint64_t *d)
{
    uint64_t v;
    if (!take_number(in, &v))
        return false;
    *d = v >> 1 ^ (0 - (v & 1));
    return true;
}

static bool take_new(struct cpu_codec *c, struct cpu_cursor *in, uint32_t *id)
{
    uint64_t distance;
    if (!take_distance(in, &distance) || in->end - in->at < 8 || c->count >= STATIC_MAX)
        return false;
    const uint8_t *what = in->at;
    in->at += 8;
    if ((what[0] & 15) > CPU_BRANCH || what[0] >> CPU_CLASS_SHIFT >= CPU_CLASSES || what[1] > 1)
        return false;
    *id = add_known(c, c->known[c->last].pc + distance, what);
    return true;
}

/* The head of an event, up to the addresses. */
static bool take_event(struct cpu_codec *c, struct cpu_cursor *in, uint32_t *id, uint8_t *slots, uint8_t *wrong)
{
    uint64_t number;
    if (in->at == in->end)
        return false;
    const uint8_t event = *in->at++;
    *wrong = event & WRONG_SLOTS;
    *id = guess(c);
    if (event & WRONG_INST) {
        if (!take_number(in, &number) || number > c->count)
            return false;
        *id = (uint32_t)number;
        if (!number && !take_new(c, in, id))
            return false;
    }
    if (!*id)
        return false;
    *slots = c->known[*id].slots;
    if (event & OTHER_SLOTS) {
        if (in->at == in->end)
            return false;
        *slots = *in->at++;
    }
    return *slots <= WRONG_SLOTS && (*wrong & ~*slots) == 0;
}

static bool take_addresses(struct known *k, struct cpu_cursor *in, uint8_t slots, uint8_t wrong, uint64_t address[SLOTS])
{
    for (uint32_t rest = slots; rest; rest &= rest - 1) {
        const uint32_t s = (uint32_t)__builtin_ctz(rest);
        uint64_t distance = k->stride[s];
        if ((wrong >> s & 1) && !take_distance(in, &distance))
            return false;
        address[s] = k->last[s] + distance;
        learn_address(k, s, address[s]);
    }
    return true;
}

bool cpu_codec_decode(struct cpu_codec *c, struct cpu_cursor *in, struct cpu_inst *out, size_t count)
{
    if (in->run == UINT64_MAX && !take_number(in, &in->run))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t id;
        uint8_t slots, wrong = 0;
        const bool guessed = in->run > 0;
        if (guessed) {
            id = guess(c);
            if (!id)
                return false;
            slots = c->known[id].slots;
            in->run--;
        } else if (!take_event(c, in, &id, &slots, &wrong)) {
            return false;
        }
        struct known *k = &c->known[id];
        out[i] = (struct cpu_inst){ .pc = k->pc };
        memcpy((uint8_t *)&out[i] + offsetof(struct cpu_inst, kind), k->what, 8);
        if (slots && !take_addresses(k, in, slots, wrong, out[i].address))
            return false;
        k->slots = slots;
        learn_order(c, id);
        if (!guessed && !take_number(in, &in->run))
            return false;
    }
    return true;
}
