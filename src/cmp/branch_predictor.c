/* branch_predictor.c - TAGE: a table of counters by address, and six tagged tables by address and by longer and longer
 * histories. The longest history that knows the branch decides. After a wrong prediction the branch gets an entry in a table of
 * longer history. The state is about 10 KB. */
#include "cmp/branch_predictor.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"

enum { TABLES = 6, BASE_BITS = 13, TABLE_BITS = 10, TAG_BITS = 9, TARGET_BITS = 12, HISTORY = 256, USEFUL_PERIOD = 1 << 18 };
/* Lengths in geometric order, as the paper asks for. */
static const uint32_t length_of[TABLES] = { 5, 10, 20, 42, 88, 180 };

struct entry {
    uint16_t tag;
    int8_t counter; /* -4..3: the sign is the direction */
    uint8_t useful; /* 0..3 */
};

struct folded { /* the last `length` outcomes folded onto `bits` */
    uint32_t value, length, bits;
};

struct branch_predictor {
    int8_t base[1 << BASE_BITS]; /* -2..1 */
    struct entry table[TABLES][1 << TABLE_BITS];
    struct folded index[TABLES], tag[2][TABLES];
    uint8_t history[HISTORY];
    uint32_t at;
    uint32_t seen;
    uint32_t path; /* low bits of targets and directions, for indirect jumps */
    uint64_t target[1 << TARGET_BITS];
};

struct branch_predictor *branch_predictor_new(void)
{
    struct branch_predictor *p = must_calloc(1, sizeof *p);
    for (uint32_t t = 0; t < TABLES; t++) {
        p->index[t] = (struct folded){ 0, length_of[t], TABLE_BITS };
        p->tag[0][t] = (struct folded){ 0, length_of[t], TAG_BITS };
        p->tag[1][t] = (struct folded){ 0, length_of[t], TAG_BITS - 1 };
    }
    return p;
}

void branch_predictor_free(struct branch_predictor *p)
{
    free(p);
}

static void fold(struct folded *f, uint32_t in, uint32_t out)
{
    f->value = f->value << 1 | in;
    f->value ^= out << f->length % f->bits;
    f->value ^= f->value >> f->bits;
    f->value &= (1u << f->bits) - 1;
}

static void remember(struct branch_predictor *p, bool taken)
{
    p->at = (p->at + HISTORY - 1) % HISTORY;
    p->history[p->at] = taken;
    for (uint32_t t = 0; t < TABLES; t++) {
        const uint32_t out = p->history[(p->at + length_of[t]) % HISTORY];
        fold(&p->index[t], taken, out);
        fold(&p->tag[0][t], taken, out);
        fold(&p->tag[1][t], taken, out);
    }
}

static void saturate(int8_t *counter, bool up, int8_t low, int8_t high)
{
    if (up)
        *counter = (int8_t)(*counter + (*counter < high));
    else
        *counter = (int8_t)(*counter - (*counter > low));
}

/* The branch gets an entry in a table of longer history, in place of a useless entry. If there is none, all entries age. */
static void allocate(struct branch_predictor *p, const uint32_t place[], const uint16_t tag[], uint32_t from, bool taken)
{
    for (uint32_t t = from; t < TABLES; t++)
        if (!p->table[t][place[t]].useful) {
            p->table[t][place[t]] = (struct entry){ tag[t], taken ? 0 : -1, 0 };
            return;
        }
    for (uint32_t t = from; t < TABLES; t++)
        p->table[t][place[t]].useful--;
}

/* Now and then all usefulness is halved, so that old branches do not keep their entries for ever. */
static void age(struct branch_predictor *p)
{
    if (++p->seen % USEFUL_PERIOD)
        return;
    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < 1u << TABLE_BITS; i++)
            p->table[t][i].useful >>= 1;
}

bool branch_predict_direction(struct branch_predictor *p, uint64_t pc, bool taken)
{
    uint32_t place[TABLES], provider = TABLES, other = TABLES;
    uint16_t tag[TABLES];
    const uint32_t address = (uint32_t)(pc ^ pc >> 17);
    for (uint32_t t = 0; t < TABLES; t++) {
        place[t] = (address ^ address >> (TABLE_BITS - t) ^ p->index[t].value) & ((1u << TABLE_BITS) - 1);
        tag[t] = (uint16_t)((address ^ p->tag[0][t].value ^ p->tag[1][t].value << 1) & ((1u << TAG_BITS) - 1));
        if (p->table[t][place[t]].tag == tag[t] && (p->table[t][place[t]].counter != 0 || p->table[t][place[t]].useful || tag[t])) {
            other = provider;
            provider = t;
        }
    }
    int8_t *base = &p->base[address & ((1u << BASE_BITS) - 1)];
    const bool by_base = *base >= 0;
    const bool by_other = other < TABLES ? p->table[other][place[other]].counter >= 0 : by_base;
    const bool guess = provider < TABLES ? p->table[provider][place[provider]].counter >= 0 : by_base;
    if (provider < TABLES) {
        struct entry *e = &p->table[provider][place[provider]];
        saturate(&e->counter, taken, -4, 3);
        if (guess != by_other)
            e->useful = (uint8_t)(guess == taken ? e->useful + (e->useful < 3) : e->useful - (e->useful > 0));
    } else {
        saturate(base, taken, -2, 1);
    }
    if (guess != taken && (provider == TABLES || provider + 1 < TABLES))
        allocate(p, place, tag, provider == TABLES ? 0 : provider + 1, taken);
    age(p);
    remember(p, taken);
    p->path = p->path << 1 ^ taken;
    return guess == taken;
}

bool branch_predict_target(struct branch_predictor *p, uint64_t pc, uint64_t target)
{
    uint64_t *known = &p->target[hash_combine(pc, p->path & 0x3ff) & ((1u << TARGET_BITS) - 1)];
    const bool right = *known == target;
    *known = target;
    p->path = p->path << 2 ^ (uint32_t)(target >> 2 & 0xff);
    return right;
}
