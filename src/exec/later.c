/* later.c - device memory and threads: notes of loads, stores and atomics, and doing them in order at the end of a cycle. */
#include "exec/later.h"
#include "exec/matrix.h"
#include "exec/texture.h"

#include <stdlib.h>
#include <string.h>

enum later_kind { LATER_LOAD, LATER_STORE, LATER_ATOMIC };

struct note {
    struct warp *w;
    const struct xop *x;
    const uint8_t *regs; /* the frame it was in */
    uint32_t level, mask;
    uint64_t low, high; /* device addresses that it touches: from, and below */
    size_t at;          /* in `bytes`: a load's registers as they were, a store's data */
    uint32_t pieces;    /* stores */
    uint8_t kind;       /* enum later_kind */
};

/* What a store writes in one piece; its data follow. */
struct piece {
    uint8_t *host;
    uint64_t bytes;
};

struct span {
    uint64_t low, high;
};

struct later {
    struct note *note;
    uint32_t count, room;
    uint32_t writes; /* of these: stores and atomics */
    uint8_t *bytes;
    size_t used, bytes_room;
    struct cta *ended, **last_ended; /* CTAs, in the order in which they ended */
    struct span *written;            /* by notes that are done; only the first view's is used */
    uint32_t written_count, written_room;
};

struct later *later_new(void)
{
    struct later *l = must_calloc_aligned(1, sizeof *l);
    l->last_ended = &l->ended;
    return l;
}

void later_free(struct later *l)
{
    free(l->note);
    free(l->bytes);
    free(l->written);
    free(l);
}

/* ---- what cannot be put off ---------------------------------------------------------------------------------------------- */

static bool is_matrix_store(const struct xop *x)
{
    return x->fn == matrix_store_rows || (x->fn == matrix_execute && x->inst->op == OP_WMMA && x->inst->mod.mode == WMMA_STORE_D);
}

static const char *not_for_threads(const struct xop *x, bool late_atomics)
{
    if (x->fn == surface_access || x->fn == surface_reduce || x->fn == surface_store_formatted)
        return "it uses surfaces";
    if (x->fn == access_copy_async)
        return "it copies with cp.async";
    if (is_matrix_store(x) && x->matrix->memory.space != SPACE_SHARED)
        return "it stores matrices";
    if (x->fn == atomic_execute && late_atomics && x->site->space == SPACE_GENERIC)
        return "its atomics are generic, and reference.late_atomics is set";
    if (x->fn == control_call && x->call->builtin != BUILTIN_NONE && x->call->builtin != BUILTIN_ASSERTFAIL)
        return "it calls printf, malloc or free, or launches kernels";
    return NULL;
}

bool later_is_possible(const struct run *run, const char **why)
{
    const struct image *image = run->image;
    *why = run->races                                ? "races are looked for"
           : run->device->options.warn_out_of_bounds ? "accesses out of bounds are only warned of"
           : run->device->memory.written             ? "reads of unwritten memory are looked for"
                                                     : NULL;
    for (uint32_t i = 0; i < image->count && !*why; i++)
        *why = not_for_threads(&image->code[i], run->front.late_atomics);
    return !*why;
}

/* ---- notes --------------------------------------------------------------------------------------------------------------- */

static struct note *note_new(struct warp *w, const struct xop *x, uint32_t mask, enum later_kind kind)
{
    struct later *l = w->run->later;
    if (l->count == l->room) {
        l->room = l->room ? l->room * 2 : 64;
        l->note = must_realloc(l->note, l->room * sizeof *l->note);
    }
    struct note *n = &l->note[l->count++];
    *n = (struct note){
        .w = w, .x = x, .regs = w->base[BASE_REGS], .level = w->level, .mask = mask, .at = l->used, .kind = (uint8_t)kind
    };
    return n;
}

static uint8_t *take_bytes(struct later *l, size_t bytes)
{
    if (l->used + bytes > l->bytes_room) {
        l->bytes_room = 2 * l->bytes_room + bytes + 4096;
        l->bytes = must_realloc(l->bytes, l->bytes_room);
    }
    l->used += bytes;
    return l->bytes + l->used - bytes;
}

static void note_span(struct note *n, const uint64_t *address, uint32_t bytes)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t left = n->mask; left; left &= left - 1) {
        const uint64_t at = address[__builtin_ctz(left)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    n->low = low;
    n->high = high + bytes;
}

/* The registers that a load writes. */
enum { MOST_DESTINATIONS = 8 };
static uint32_t destinations(const struct xop *x, struct operand to[MOST_DESTINATIONS])
{
    uint32_t count = 0;
    if (x->fn == texture_sample) {
        for (uint32_t e = 0; e < x->texture->elements; e++)
            if (!x->texture->sink[e])
                to[count++] = x->texture->value[e];
    } else if (x->fn == matrix_execute || x->fn == matrix_load_rows) {
        for (uint32_t i = 0; i < x->matrix->d.count; i++)
            to[count++] = x->matrix->d.reg[i];
    } else {
        for (uint32_t e = 0; e < x->site->elements; e++)
            if (!x->site->sink[e])
                to[count++] = x->site->value[e];
    }
    return count;
}

/* Lanes that read what is their SM's own keep what they have read: a warp of that SM may write there in the same cycle, after them.
 * `mask`: all lanes of the load; n->mask: those that are done again. */
static void keep_other_lanes(const struct note *n, uint32_t mask, uint8_t *saved)
{
    struct operand to[MOST_DESTINATIONS];
    for (uint32_t i = 0, count = destinations(n->x, to); i < count; i++) {
        const uint32_t width = to[i].width;
        const uint8_t *now = frame_at(n->w, to[i].offset);
        for (uint32_t left = mask & ~n->mask; left; left &= left - 1) {
            const size_t at = (size_t)__builtin_ctz(left) * width;
            memcpy(saved + at, now + at, width);
        }
        saved += (size_t)width * LANES;
    }
}

static bool is_plain_load(const struct xop *x)
{
    return x->inst->op == OP_LD || x->inst->op == OP_LDU;
}

static void later_load(struct warp *w, const struct xop *x, uint32_t mask)
{
    struct operand to[MOST_DESTINATIONS];
    struct run *run = w->run;
    struct later *l = run->later;
    const size_t used = l->used;
    /* Before the load: it may write the register that has its address. */
    const uint32_t device = is_plain_load(x) ? access_device_lanes(w, x->site, mask) : mask;
    struct note *n = note_new(w, x, mask, LATER_LOAD);
    for (uint32_t i = 0, count = destinations(x, to); i < count; i++) {
        const size_t bytes = (size_t)to[i].width * LANES;
        memcpy(take_bytes(l, bytes), frame_at(w, to[i].offset), bytes);
    }
    run->mixed = false;
    x->fn(w, x, mask);
    if (run->failed || (!run->mixed && (run->space == SPACE_SHARED || run->space == SPACE_LOCAL || run->space == SPACE_PARAM))) {
        l->count--;
        l->used = used;
    } else if (!is_plain_load(x)) { /* more than one place for a lane, maybe */
        n->low = 0;
        n->high = UINT64_MAX;
    } else {
        n->mask = device;
        if (run->mixed)
            keep_other_lanes(n, mask, l->bytes + n->at);
        note_span(n, run->address, (uint32_t)x->site->bytes * x->site->elements);
    }
}

/* Loads and stores of views; atomics come through their own function. */
void later_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (x->inst->op == OP_ST)
        access_store(w, x, mask);
    else
        later_load(w, x, mask);
}

/* Neighbours become one piece: mostly all lanes are. */
uint32_t later_store(struct warp *w, const struct xop *x, uint32_t lanes, uint32_t bytes)
{
    const struct run *run = w->run;
    if (!lanes)
        return 0;
    struct note *n = note_new(w, x, lanes, LATER_STORE);
    run->later->writes++;
    note_span(n, run->address, bytes);
    uint8_t *behind = NULL;
    size_t head = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint8_t *const host = run->host[lane];
        struct piece piece = { host, 0 };
        if (host != behind) {
            memcpy(take_bytes(run->later, sizeof piece), &piece, sizeof piece);
            head = run->later->used - sizeof piece;
            n->pieces++;
        }
        memcpy(take_bytes(run->later, bytes), run->data + (size_t)lane * bytes, bytes);
        memcpy(&piece, run->later->bytes + head, sizeof piece);
        piece.bytes += bytes;
        memcpy(run->later->bytes + head, &piece, sizeof piece);
        behind = host + bytes;
    }
    return lanes;
}

uint32_t later_atomic(struct warp *w, const struct xop *x, uint32_t lanes)
{
    if (!lanes)
        return 0;
    struct note *n = note_new(w, x, lanes, LATER_ATOMIC);
    w->run->later->writes++;
    note_span(n, w->run->address, x->site->bytes);
    return lanes;
}

void later_cta_end(struct later *l, struct cta *cta)
{
    cta->next_free = NULL;
    *l->last_ended = cta;
    l->last_ended = &cta->next_free;
}

/* ---- the end of a cycle --------------------------------------------------------------------------------------------------- */

static bool was_written(const struct later *l, const struct note *n)
{
    for (uint32_t i = 0; i < l->written_count; i++)
        if (n->low < l->written[i].high && l->written[i].low < n->high)
            return true;
    return false;
}

static void note_written(struct later *l, const struct note *n)
{
    if (l->written_count == l->written_room) {
        l->written_room = l->written_room ? l->written_room * 2 : 64;
        l->written = must_realloc(l->written, l->written_room * sizeof *l->written);
    }
    l->written[l->written_count++] = (struct span){ n->low, n->high };
}

static void store_pieces(const struct note *n, const uint8_t *from)
{
    for (uint32_t i = 0; i < n->pieces; i++) {
        struct piece piece;
        memcpy(&piece, from, sizeof piece);
        memcpy(piece.host, from + sizeof piece, piece.bytes);
        from += sizeof piece + piece.bytes;
    }
}

static void load_again(const struct note *n, const uint8_t *before)
{
    struct operand to[MOST_DESTINATIONS];
    for (uint32_t i = 0, count = destinations(n->x, to); i < count; i++) {
        const size_t bytes = (size_t)to[i].width * LANES;
        memcpy(frame_at(n->w, to[i].offset), before, bytes);
        before += bytes;
    }
    n->x->fn(n->w, n->x, n->mask);
}

static void do_note(struct later *l, struct later *first, const struct note *n)
{
    struct warp *w = n->w;
    if (n->kind == LATER_STORE) {
        store_pieces(n, l->bytes + n->at);
        note_written(first, n);
        return;
    }
    const bool load = n->kind == LATER_LOAD;
    if (load && !was_written(first, n))
        return;
    const uint8_t *regs = w->base[BASE_REGS]; /* it may stand in another frame by now */
    const uint32_t level = w->level;
    w->base[BASE_REGS] = n->regs;
    w->level = n->level;
    if (load) {
        load_again(n, l->bytes + n->at);
    } else if (access_resolve(w, n->x, n->mask)) {
        atomic_carry_out(w, n->x, n->mask);
        note_written(first, n);
    }
    w->base[BASE_REGS] = regs;
    w->level = level;
}

static void give_back_ctas(struct later *l, struct run *whole)
{
    for (struct cta *cta = l->ended, *next; cta; cta = next) {
        next = cta->next_free;
        cta->next_free = whole->free_ctas;
        whole->free_ctas = cta;
    }
    l->ended = NULL;
    l->last_ended = &l->ended;
}

void later_settle(struct run *const *views, uint32_t count)
{
    struct later *first = views[0]->later;
    uint32_t writes = 0;
    first->written_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        writes += views[i]->later->writes;
        if (seldom(views[i]->later->ended))
            give_back_ctas(views[i]->later, views[i]->whole);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct later *l = views[i]->later;
        for (uint32_t k = 0; writes && k < l->count; k++)
            do_note(l, first, &l->note[k]);
        l->count = l->writes = 0;
        l->used = 0;
    }
}
