/* sc.c - statistical compression: a table of the values seen most, and Huffman codes made of it.
 *
 * Paper 002's sizes: 1024 values of 32 bits with counts of 12 bits. Decisions: the table is 4-way; a value that finds its set full
 * takes one from the smallest count and its place when that reaches 0; the escape code weighs as much as what found its set full.
 * Codes are canonical: values of one length in ascending order, so that lengths alone define them. */
#include <stdlib.h>

#include "compress/bits.h"

static uint32_t hash_of(uint32_t value)
{
    return (value * 0x9E3779B1u) >> 16;
}

void sc_table_clear(struct sc_table *table)
{
    *table = (struct sc_table){ .others = 0 };
}

static void saturating_step(uint16_t *count)
{
    *count = (uint16_t)(*count + (*count < SC_COUNT_MOST));
}

static void learn(struct sc_table *table, uint32_t value)
{
    const uint32_t set = hash_of(value) % (SC_ENTRIES / SC_WAYS) * SC_WAYS;
    uint32_t smallest = set;
    for (uint32_t i = set; i < set + SC_WAYS; i++) {
        if (table->count[i] && table->value[i] == value) {
            saturating_step(&table->count[i]);
            return;
        }
        if (table->count[i] < table->count[smallest])
            smallest = i;
    }
    if (table->count[smallest]) {
        saturating_step(&table->others);
        if (--table->count[smallest])
            return;
    }
    table->value[smallest] = value;
    table->count[smallest] = 1;
}

void sc_table_learn(struct sc_table *table, const uint8_t *line, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 4; i++)
        learn(table, word_of(line, i));
}

/* ---- codes ----------------------------------------------------------------------------------------------------------- */

struct leaf {
    uint32_t value, weight;
    bool escape;
};

static int by_weight(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->escape != y->escape)
        return x->escape ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static int by_length(const void *a, const void *b)
{
    const struct sc_code *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Lengths of a Huffman code by two queues: leaves in order of weight, and the sums, which are made in that order. With 1025 weights
 * of at most 12 bits no code has more than 32 bits: that would take Fibonacci's numbers up to the 33rd. */
static void code_lengths(const struct leaf *leaf, uint32_t count, uint8_t *length)
{
    uint32_t weight[2 * (SC_ENTRIES + 1)], parent[2 * (SC_ENTRIES + 1)] = { 0 };
    uint8_t depth[2 * (SC_ENTRIES + 1)] = { 0 };
    uint32_t next_leaf = 0, next_sum = count, sums = count;
    for (uint32_t i = 0; i < count; i++)
        weight[i] = leaf[i].weight;
    for (; sums < 2 * count - 1; sums++) {
        weight[sums] = 0;
        for (uint32_t k = 0; k < 2; k++) {
            const bool take_leaf = next_leaf < count && (next_sum == sums || weight[next_leaf] <= weight[next_sum]);
            const uint32_t child = take_leaf ? next_leaf++ : next_sum++;
            weight[sums] += weight[child];
            parent[child] = sums;
        }
    }
    for (uint32_t i = sums - 1; i-- > 0;)
        depth[i] = (uint8_t)(depth[parent[i]] + 1);
    memcpy(length, depth, count);
}

static void number_codes(struct sc_codes *codes, uint32_t count)
{
    uint32_t code = 0, length = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (; length < codes->code[i].length; code <<= 1) {
            length++;
            codes->first_place[length] = i;
            codes->first_code[length] = code << 1;
        }
        codes->code[i].code = code++;
    }
    for (; length <= SC_CODE_MOST_BITS; length++)
        codes->first_place[length + 1] = count;
}

static uint32_t slot_of(const struct sc_codes *codes, uint32_t value)
{
    enum { SLOTS = sizeof codes->slot / sizeof codes->slot[0] };
    uint32_t slot = hash_of(value) % SLOTS;
    while (codes->slot[slot] && codes->code[codes->slot[slot] - 1].value != value)
        slot = (slot + 1) % SLOTS;
    return slot;
}

void sc_codes_build(struct sc_codes *codes, const struct sc_table *table)
{
    struct leaf leaf[SC_ENTRIES + 1];
    uint8_t length[SC_ENTRIES + 1] = { 0 };
    uint32_t count = 0;
    *codes = (struct sc_codes){ .count = 0 };
    for (uint32_t i = 0; i < SC_ENTRIES; i++)
        if (table->count[i])
            leaf[count++] = (struct leaf){ .value = table->value[i], .weight = table->count[i] };
    if (!count)
        return;
    codes->count = count;
    leaf[count++] = (struct leaf){ .weight = table->others ? table->others : 1, .escape = true };
    qsort(leaf, count, sizeof leaf[0], by_weight);
    code_lengths(leaf, count, length);
    uint32_t escape_length = 0;
    for (uint32_t i = 0; i < count; i++) {
        codes->code[i] = (struct sc_code){ .value = leaf[i].value, .length = length[i] };
        escape_length = leaf[i].escape ? length[i] : escape_length;
    }
    /* The escape code is the last of its length: it has no value to be ordered by. */
    uint32_t last = 0;
    for (uint32_t i = 0, kept = 0; i < count; i++)
        if (!leaf[i].escape)
            codes->code[kept++] = codes->code[i];
    qsort(codes->code, count - 1, sizeof codes->code[0], by_length);
    for (last = 0; last < count - 1 && codes->code[last].length <= escape_length; last++)
        continue;
    memmove(&codes->code[last + 1], &codes->code[last], (count - 1 - last) * sizeof codes->code[0]);
    codes->code[last] = (struct sc_code){ .length = (uint8_t)escape_length };
    codes->escape = last;
    number_codes(codes, count);
    for (uint32_t i = 0; i < count; i++)
        if (i != last)
            codes->slot[slot_of(codes, codes->code[i].value)] = (uint16_t)(i + 1);
}

/* Codes are read from their highest bit on. */
static void put_code(struct bit_writer *w, const struct sc_code *c)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < c->length; i++)
        turned |= (c->code >> (c->length - 1 - i) & 1) << i;
    bits_put(w, turned, c->length);
}

void sc_pack(const struct sc_codes *codes, const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    if (!codes->count) {
        line_keep(line, bytes, out);
        return;
    }
    struct bit_writer w = bits_to(out, bytes);
    for (uint32_t i = 0; i < bytes / 4 && w.bits < w.room; i++) {
        const uint32_t value = word_of(line, i), place = codes->slot[slot_of(codes, value)];
        put_code(&w, &codes->code[place ? place - 1 : codes->escape]);
        if (!place)
            bits_put(&w, value, 32);
    }
    bits_close(&w, line, bytes, out);
}

static uint32_t get_value(const struct sc_codes *codes, struct bit_reader *r)
{
    uint32_t code = 0;
    for (uint32_t length = 1; length <= SC_CODE_MOST_BITS; length++) {
        code = code << 1 | bits_get(r, 1);
        const uint32_t place = codes->first_place[length] + (code - codes->first_code[length]);
        if (code >= codes->first_code[length] && place < codes->first_place[length + 1])
            return place == codes->escape ? bits_get(r, 32) : codes->code[place].value;
    }
    return 0;
}

void sc_unpack(const struct sc_codes *codes, const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    if (in->form == FORM_PLAIN) {
        memcpy(line, in->data, bytes);
        return;
    }
    struct bit_reader r = { .data = in->data };
    for (uint32_t i = 0; i < bytes / 4; i++)
        word_put(line, i, get_value(codes, &r));
}
