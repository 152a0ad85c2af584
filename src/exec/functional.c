/* functional.c - a launch without a machine: decides which warp runs, and for how long. */
#include <stdlib.h>

#include "exec/turns.h"

/* A slice lets warps that spin on each other make progress, which those of a cooperative launch are expected to do. Turns are
 * for races. */
enum { SLICE = 100000, COOPERATIVE_SLICE = 1000, TURN = 16, RESIDENT = 64 /* when nobody gives a number */ };

/* Runs a warp until it ends, waits or fails. */
static void run_warp(struct run *run, struct warp *w, uint64_t limit, struct functional_result *out)
{
    const struct image *image = run->image;
    const bool looks = run->instructions >= run->poll.from;
    uint64_t count = 0, threads = 0;
    while (w->front.active && !w->front.waiting && !run->failed && count < limit) {
        const struct xop *x = &image->code[w->pc];
        warp_execute(w, image);
        if (seldom(looks))
            host_poll_look(w, x);
        count++;
        threads += (uint64_t)__builtin_popcount(w->executed);
        run->instructions++;
    }
    w->front.next = w->front.active ? &image->timing[w->pc] : NULL;
    out->warp_instructions += count;
    out->thread_instructions += threads;
}

/* The same in turns. Turns are short: a load of what others may write ends one. */
static void run_turn(struct run *run, struct warp *w, struct functional_result *out)
{
    const struct image *image = run->image;
    uint64_t count = 0, threads = 0;
    bool ends = false;
    while (w->front.active && !w->front.waiting && !run->failed && count < TURN && !ends) {
        const struct xop *x = &image->code[w->pc];
        ends = run->ends_turn[w->pc];
        warp_execute(w, image);
        if (seldom(run->instructions >= run->poll.from))
            host_poll_look(w, x);
        count++;
        threads += (uint64_t)__builtin_popcount(w->executed);
        run->instructions++;
    }
    w->front.next = w->front.active ? &image->timing[w->pc] : NULL;
    out->warp_instructions += count;
    out->thread_instructions += threads;
}

struct round {
    bool progress;  /* some warp ran */
    bool long_warp; /* some warp used up its slice */
};

/* Runs each warp of a CTA in turn as far as it gets. True while any warp has work left. */
static bool run_cta_round(struct run *run, struct cta *cta, uint64_t slice, struct functional_result *out, struct round *round)
{
    bool left = false;
    for (uint32_t i = 0; i < cta->front.warp_count && !run->failed; i++) {
        struct warp *w = &cta->warps[i];
        if (!w->front.active)
            continue;
        if (!w->front.waiting) {
            if (run->ends_turn)
                run_turn(run, w, out);
            else
                run_warp(run, w, slice, out);
            round->progress = true;
            round->long_warp |= w->front.active && !w->front.waiting;
        }
        left |= w->front.active != 0;
    }
    return left;
}

static bool stuck(const struct run *run, const struct cta *cta, struct error *err)
{
    for (uint32_t i = 0; i < cta->front.warp_count; i++) {
        const struct warp *w = &cta->warps[i];
        if (w->front.active && w->front.waiting)
            return error_set_fault(
                err, FAULT_OTHER,
                "%s:%u: kernel %s, block (%u,%u,%u): deadlock: warp %u waits at a barrier that no other warp will reach",
                run->image->routines[0].module->ptx->file, w->barrier->inst->line, run->front.launch.kernel, cta->ctaid[0],
                cta->ctaid[1], cta->ctaid[2], i);
    }
    return error_set_code(err, CODE_INTERNAL, "%s: no warp can run", run->front.launch.kernel);
}

struct functional {
    struct run *run;
    struct front_cta **running; /* in order of their numbers */
    uint32_t count, capacity;   /* CTAs in flight */
    uint32_t next;              /* the next to start */
};

static bool start_next(struct functional *f, struct error *err)
{
    struct front *front = &f->run->front;
    struct front_cta *cta = front->ops->cta_start(front, f->next, err);
    if (!cta)
        return false;
    f->next++;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? f->capacity * 2 : 16;
        f->running = must_realloc(f->running, f->capacity * sizeof(struct front_cta *));
    }
    f->running[f->count++] = cta;
    return true;
}

/* Where the first unfinished warp stands. In a kernel that does not end this is most likely what it waits for. */
static bool stopped(const struct functional *f, const struct functional_result *out, const char *why, struct error *err)
{
    const struct run *run = f->run;
    const struct cta *cta = f->count ? (const struct cta *)f->running[0] : NULL;
    for (uint32_t i = 0; cta && i < cta->front.warp_count; i++) {
        const struct warp *w = &cta->warps[i];
        if (w->front.active)
            return error_set_code(
                err, CODE_PROGRAM, "%s: %s after %llu warp instructions; block (%u,%u,%u), warp %u was at line %u of %s",
                run->front.launch.kernel, why, (unsigned long long)out->warp_instructions, cta->ctaid[0], cta->ctaid[1],
                cta->ctaid[2], i, run->image->code[w->pc].inst->line, run->image->routines[0].module->ptx->file);
    }
    return error_set_code(err, CODE_PROGRAM, "%s: %s after %llu warp instructions", run->front.launch.kernel, why,
                          (unsigned long long)out->warp_instructions);
}

static bool may_go_on(const struct functional *f, uint64_t max_instructions, const struct functional_result *out, struct error *err)
{
    const struct run *run = f->run;
    const volatile int *interrupted = run->device->options.interrupted;
    if (run->failed) {
        if (err)
            *err = run->fault;
        return false;
    }
    if (interrupted && *interrupted)
        return stopped(f, out, "interrupted", err);
    if (max_instructions && out->warp_instructions > max_instructions)
        return stopped(f, out, "stopped", err);
    return true;
}

/* One turn of every CTA in flight. CTAs that end leave. */
static bool run_round(struct functional *f, struct functional_result *out, struct round *round)
{
    struct front *front = &f->run->front;
    uint64_t slice = f->run->cooperative ? COOPERATIVE_SLICE : SLICE;
    uint32_t kept = 0, before = f->count;
    for (uint32_t i = 0; i < before; i++) {
        if (f->run->failed || run_cta_round(f->run, (struct cta *)f->running[i], slice, out, round))
            f->running[kept++] = f->running[i];
        else
            front->ops->cta_end(front, f->running[i]);
    }
    f->count = kept;
    return kept < before;
}

/* How many CTAs may take turns: all that a machine would hold, if they read what others write. */
static uint32_t plan_turns(struct run *run, struct image *image)
{
    if (!image->turns)
        image->turns = turn_plan_new(image);
    run->ends_turn = must_calloc(image->count, sizeof *run->ends_turn);
    const bool global = turns_find(image->turns, run, run->ends_turn);
    if (global)
        return run->resident ? run->resident : RESIDENT;
    if (!turns_in_shared(image->turns)) {
        free(run->ends_turn);
        run->ends_turn = NULL;
    }
    return 1;
}

bool exec_run_functional(struct front *front, uint64_t max_instructions, struct functional_result *out, struct error *err)
{
    uint32_t total = front->launch.cta_count;
    struct functional f = { .run = (struct run *)front };
    const uint32_t resident = plan_turns(f.run, f.run->image);
    uint64_t rounds = 0;
    bool ok = true, join = false;
    *out = (struct functional_result){ 0 };
    while (ok && (f.count || f.next < total)) {
        while (ok && f.next < total && (f.count < resident || join || f.run->cooperative)) {
            ok = start_next(&f, err);
            join = false;
        }
        struct round round = { 0 };
        bool ended = ok && run_round(&f, out, &round);
        ok = ok && may_go_on(&f, max_instructions, out, err);
        if (ok && f.count && !round.progress)
            ok = stuck(f.run, (struct cta *)f.running[0], err);
        /* turns are short, so only many of them in a row without an end mean that somebody waits for a CTA still to come */
        rounds = ended ? 0 : rounds + 1;
        join = round.long_warp && !ended && (!f.run->ends_turn || rounds % (SLICE / TURN) == 0);
    }
    for (uint32_t i = 0; i < f.count; i++)
        front->ops->cta_end(front, f.running[i]);
    free(f.running);
    return ok;
}
