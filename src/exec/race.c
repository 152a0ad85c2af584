/* race.c - finds races while a kernel runs: two threads reach the same bytes, one of them writes, and nothing orders the two.
 *
 * For every word of memory that the launch touches the last write and the last reads of two warps are kept, with thread,
 * instruction, and the number of barriers that its block had passed. Threads of one block are ordered by a barrier between them.
 * Threads of one warp run in step and are always ordered. Threads of different blocks are ordered when both blocks have used an
 * atomic or a volatile access since the first of the two, as blocks do that wait for a flag or count the blocks that are done.
 * Whether it was the same flag is not checked, so a race may be missed there. Atomics and volatile accesses do not race with
 * each other. What is found depends on the order in which this run took the threads. A race that is found is there; finding none
 * proves nothing. */
#include "exec/race.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORD = 4, PAGE_WORDS = 1024, KINDS_SHOWN = 50 };

struct note {
    uint32_t cta, pc, order; /* order: synchronising accesses of the launch so far */
    uint16_t thread, epoch;  /* epoch: barriers that the block has passed */
    uint8_t bytes;           /* a mask of the word's bytes; 0: nothing is noted */
    bool synchronises;
};
struct word {
    struct note write, read[2]; /* the reads are of different warps */
};
struct page {
    uint64_t number; /* address / (WORD * PAGE_WORDS) + 1; 0: a free place */
    struct word *words;
};

struct race_detector {
    struct page *pages; /* a hash table */
    size_t page_room, page_count;
    uint32_t *synchronised; /* per CTA: `order` of its last synchronising access */
    uint32_t order;
    struct kind {
        uint32_t first, second;
    } kinds[KINDS_SHOWN]; /* pairs of instructions already reported */
    uint32_t kind_count;
};

struct race_detector *race_detector_new(const struct run *run)
{
    struct race_detector *d = must_calloc(1, sizeof *d);
    d->page_room = 1024;
    d->pages = must_calloc(d->page_room, sizeof *d->pages);
    d->synchronised = must_calloc(run->front.launch.cta_count, sizeof *d->synchronised);
    return d;
}

void race_detector_free(struct race_detector *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->page_room; i++)
        free(d->pages[i].words);
    free(d->pages);
    free(d->synchronised);
    free(d);
}

static struct page *find_page(struct page *pages, size_t room, uint64_t number)
{
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (pages[at].number && pages[at].number != number)
        at = (at + 1) & (room - 1);
    return &pages[at];
}

static struct word *word_at(struct race_detector *d, uint64_t address)
{
    const uint64_t number = address / (WORD * PAGE_WORDS) + 1;
    struct page *page = find_page(d->pages, d->page_room, number);
    if (!page->number && d->page_count * 2 >= d->page_room) {
        struct page *more = must_calloc(d->page_room * 2, sizeof *more);
        for (size_t i = 0; i < d->page_room; i++)
            if (d->pages[i].number)
                *find_page(more, d->page_room * 2, d->pages[i].number) = d->pages[i];
        free(d->pages);
        d->pages = more;
        d->page_room *= 2;
        page = find_page(d->pages, d->page_room, number);
    }
    if (!page->number) {
        *page = (struct page){ number, must_calloc(PAGE_WORDS, sizeof(struct word)) };
        d->page_count++;
    }
    return &page->words[address / WORD % PAGE_WORDS];
}

static bool are_ordered(const struct race_detector *d, const struct note *a, const struct note *b)
{
    if (!(a->bytes & b->bytes) || (a->synchronises && b->synchronises))
        return true;
    if (a->cta == b->cta)
        return a->thread / LANES == b->thread / LANES || a->epoch != b->epoch;
    return d->synchronised[a->cta] > a->order && d->synchronised[b->cta] > a->order;
}

static int describe(const struct run *run, const struct note *n, bool write, char *text, size_t size)
{
    const struct front_launch *l = &run->front.launch;
    const struct ptx_inst *inst = run->image->code[n->pc].inst;
    const struct ptx_module *ptx = run->image->routines[0].module->ptx;
    char source[300] = "";
    if (inst->source_line && inst->source_file < ptx->source_file_count)
        (void)snprintf(source, sizeof source, " (%.200s:%u)", ptx->source_files[inst->source_file], inst->source_line);
    return snprintf(text, size, "%s by block (%u,%u,%u), thread (%u,%u,%u) at line %u%s",
                    n->synchronises ? "atomic"
                    : write         ? "write"
                                    : "read",
                    n->cta % l->grid[0], n->cta / l->grid[0] % l->grid[1], n->cta / l->grid[0] / l->grid[1],
                    n->thread % l->block[0], n->thread / l->block[0] % l->block[1], n->thread / l->block[0] / l->block[1],
                    inst->line, source);
}

static void tell(struct run *run, const struct note *a, bool a_writes, const struct note *b, bool b_writes, uint64_t address)
{
    struct race_detector *d = run->races;
    char first[400], second[400], text[1000];
    for (uint32_t i = 0; i < d->kind_count; i++)
        if (d->kinds[i].first == a->pc && d->kinds[i].second == b->pc)
            return;
    if (d->kind_count == KINDS_SHOWN)
        return;
    d->kinds[d->kind_count++] = (struct kind){ a->pc, b->pc };
    (void)describe(run, a, a_writes, first, sizeof first);
    (void)describe(run, b, b_writes, second, sizeof second);
    (void)snprintf(text, sizeof text, "%s: kernel %s: race in %s memory at 0x%" PRIx64 ": %s, %s; %s",
                   run->image->routines[0].module->ptx->file, run->front.launch.kernel,
                   run->space == SPACE_SHARED ? "shared" : "global", address, first, second,
                   a->cta == b->cta ? "no barrier is between them" : "nothing orders the two blocks");
    (void)fprintf(stderr, "warpline: %s\n", text);
    if (run->device->options.race)
        run->device->options.race(run->device->options.race_context, run->front.launch.kernel, text);
}

static void note_word(struct warp *w, struct word *word, const struct note *now, bool write, uint64_t address)
{
    struct run *run = w->run;
    const struct race_detector *d = run->races;
    const bool in_shared = run->space == SPACE_SHARED;
    struct note *const old[] = { &word->write, &word->read[0], &word->read[1] };
    for (int i = 0; i < (write ? 3 : 1); i++) {
        if (in_shared && old[i]->cta != now->cta)
            old[i]->bytes = 0; /* of a block whose place this one has taken */
        if (!are_ordered(d, old[i], now))
            tell(run, old[i], i == 0, now, write, address);
    }
    if (write) {
        word->write = *now;
        return;
    }
    const bool same = word->read[0].cta == now->cta && word->read[0].thread / LANES == now->thread / LANES;
    if (!same)
        word->read[1] = word->read[0];
    word->read[0] = *now;
}

static bool is_synchronising(const struct ptx_inst *inst)
{
    return inst->op == OP_ATOM || inst->op == OP_RED || inst->mod.is_volatile || inst->mod.cache_op == CACHE_VOLATILE ||
           inst->mod.semantics != 0;
}

void race_note(struct warp *w, const struct xop *x, uint32_t mask, uint32_t bytes, bool write)
{
    struct run *run = w->run;
    struct race_detector *d = run->races;
    if ((run->space != SPACE_SHARED && run->space != SPACE_GLOBAL) || x->inst->op == OP_MBARRIER || x->inst->op == OP_CP)
        return;
    const uint32_t cta = w->cta->front.id;
    /* only the place in the host's memory tells the shared memories of two blocks apart */
    const uint64_t base = run->space == SPACE_SHARED ? UINT64_C(1) << 62 | (uint64_t)(uintptr_t)w->cta->shared : 0;
    struct note now = { .cta = cta,
                        .pc = (uint32_t)(x - run->image->code),
                        .order = d->order,
                        .epoch = w->cta->epoch,
                        .synchronises = is_synchronising(x->inst) };
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        now.thread = (uint16_t)(w->index * LANES + lane);
        for (uint64_t at = run->address[lane], end = at + bytes; at < end;) {
            const uint32_t in_word = (uint32_t)(at % WORD),
                           part = (uint32_t)(end - at) < WORD - in_word ? (uint32_t)(end - at) : WORD - in_word;
            now.bytes = (uint8_t)(((1u << part) - 1) << in_word);
            note_word(w, word_at(d, base + at), &now, write, run->address[lane]);
            at += part;
        }
    }
    if (now.synchronises && run->space == SPACE_GLOBAL)
        d->synchronised[cta] = ++d->order;
}
