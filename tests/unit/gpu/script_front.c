/* script_front.c - a front end whose warps follow a script of instructions, for tests of the machine. */
#include "script_front.h"

#include <stdlib.h>
#include <string.h>

struct script_warp {
    struct front_warp front;
    uint32_t at;
    uint32_t *times;
    uint32_t late; /* lanes of an atomic to come */
};
struct script_cta {
    struct front_cta front;
    struct script_warp *warps;
};
struct script {
    struct front front;
    const struct script_row *rows;
    struct inst *code;
    uint32_t count;
    uint64_t address[32];
    const struct front_clock *clock;
    uint64_t first_cycle, last_cycle, late_lanes;
    bool begun;
};

static struct front_cta *cta_start(struct front *front, uint32_t id, struct error *err)
{
    (void)err;
    struct script *s = (struct script *)front;
    struct script_cta *cta = must_calloc(1, sizeof *cta);
    cta->front = (struct front_cta){ .id = id, .warp_count = front->launch.warps_per_cta };
    cta->warps = must_calloc(cta->front.warp_count, sizeof cta->warps[0]);
    cta->front.warps = must_calloc(cta->front.warp_count, sizeof cta->front.warps[0]);
    for (uint32_t w = 0; w < cta->front.warp_count; w++) {
        const uint32_t left = front->launch.threads_per_cta - w * 32;
        cta->warps[w].front = (struct front_warp){ .next = s->code, .active = left >= 32 ? UINT32_MAX : (1u << left) - 1 };
        cta->warps[w].times = must_calloc(s->count, sizeof(uint32_t));
        cta->front.warps[w] = &cta->warps[w].front;
    }
    return &cta->front;
}

static void cta_end(struct front *front, struct front_cta *front_cta)
{
    (void)front;
    struct script_cta *cta = (struct script_cta *)front_cta;
    for (uint32_t w = 0; w < front_cta->warp_count; w++) {
        require(!cta->warps[w].late);
        free(cta->warps[w].times);
    }
    free(cta->warps);
    free(front_cta->warps);
    free(cta);
}

static void release_barrier(struct script_cta *cta)
{
    for (uint32_t w = 0; w < cta->front.warp_count; w++)
        if (cta->warps[w].front.next && !cta->warps[w].front.waiting)
            return;
    for (uint32_t w = 0; w < cta->front.warp_count; w++)
        cta->warps[w].front.waiting = false;
}

static bool step(struct front *front, struct front_cta *front_cta, uint32_t w, struct warp_step *out, struct error *err)
{
    (void)err;
    struct script *s = (struct script *)front;
    struct script_cta *cta = (struct script_cta *)front_cta;
    struct script_warp *warp = &cta->warps[w];
    const struct script_row *row = &s->rows[warp->at];
    const uint32_t times = warp->times[warp->at]++;
    require(!warp->late); /* nothing overtakes an atomic of its own warp */
    warp->late = front->late_atomics && row->class == CLASS_ATOMIC ? warp->front.active : 0;
    if (s->clock && row->class != CLASS_EXIT) {
        s->first_cycle = s->begun ? s->first_cycle : s->clock->cycle;
        s->last_cycle = s->clock->cycle;
        s->begun = true;
    }
    *out = (struct warp_step){ .inst = &s->code[warp->at],
                               .active = warp->front.active,
                               .executed = warp->front.active,
                               .space = row->space,
                               .address = s->address };
    for (uint32_t lane = 0; row->address && lane < 32; lane++)
        s->address[lane] = row->address((struct script_lane){ front_cta->id, w, lane, times });
    const bool taken = row->class == CLASS_BRANCH && times % (row->trips + 1) < row->trips;
    out->branch_taken = taken;
    warp->at = taken ? row->target : warp->at + 1;
    warp->front.next = row->class == CLASS_EXIT ? NULL : &s->code[warp->at];
    warp->front.waiting = row->class == CLASS_BARRIER;
    if (row->class == CLASS_BARRIER || row->class == CLASS_EXIT)
        release_barrier(cta);
    return true;
}

/* Every lane once, and of the atomic that the warp waits for. */
static void atomic(struct front *front, struct front_cta *front_cta, uint32_t w, uint32_t lanes)
{
    struct script_warp *warp = &((struct script_cta *)front_cta)->warps[w];
    require((warp->late & lanes) == lanes);
    warp->late &= ~lanes;
    ((struct script *)front)->late_lanes += (uint64_t)__builtin_popcount(lanes);
}

/* Values by address alone: every third line holds zeros, every third small steps, the others nothing that repeats. */
static void read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    (void)front;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint64_t at = address + i, line = at / 128;
        const uint32_t word = line % 3 == 0   ? 0
                              : line % 3 == 1 ? (uint32_t)(at % 128)
                                              : (uint32_t)(at * UINT64_C(0x9e3779b97f4a7c15) >> 32);
        memcpy((uint8_t *)out + i, &word, 4);
    }
}

static const struct front_ops script_ops = { .cta_start = cta_start,
                                             .cta_end = cta_end,
                                             .step = step,
                                             .destroy = script_front_free,
                                             .read_memory = read_memory,
                                             .atomic = atomic };

struct front *script_front(const struct script_row *rows, uint32_t count, uint32_t ctas, uint32_t threads)
{
    struct script *s = must_calloc(1, sizeof *s);
    s->rows = rows;
    s->count = count;
    s->code = must_calloc(count, sizeof s->code[0]);
    for (uint32_t i = 0; i < count; i++) {
        struct inst *inst = &s->code[i];
        *inst = (struct inst){ .pc = 8ull * i,
                               .index = i,
                               .class = rows[i].class,
                               .space = rows[i].space,
                               .cache_op = rows[i].cache_op,
                               .timing = inst_timing(rows[i].class, rows[i].space),
                               .element_bytes = rows[i].bytes,
                               .elements = 1 };
        if (rows[i].dst)
            inst->dst[inst->ndst++] = inst->write[inst->nwrite++] = rows[i].dst;
        for (uint32_t k = 0; k < 3; k++)
            if (rows[i].src[k])
                inst->src[inst->nsrc++] = inst->read[inst->nread++] = rows[i].src[k];
        inst->nvalue = inst->nsrc;
    }
    s->front.ops = &script_ops;
    s->front.launch = (struct front_launch){ .kernel = "script",
                                             .grid = { ctas, 1, 1 },
                                             .block = { threads, 1, 1 },
                                             .cta_count = ctas,
                                             .warps_per_cta = (threads + 31) / 32,
                                             .threads_per_cta = threads,
                                             .registers_per_thread = 16,
                                             .code = s->code,
                                             .code_count = count };
    return &s->front;
}

void script_front_time(struct front *front, const struct front_clock *clock)
{
    ((struct script *)front)->clock = clock;
}

uint64_t script_front_span(const struct front *front)
{
    const struct script *s = (const struct script *)front;
    return s->last_cycle - s->first_cycle + 1;
}

uint64_t script_front_late_lanes(const struct front *front)
{
    return ((const struct script *)front)->late_lanes;
}

void script_front_free(struct front *front)
{
    struct script *s = (struct script *)front;
    free(s->code);
    free(s);
}
