/* sm_bench.h - one SM of the default machine over a mock of the network, driven cycle by cycle with a kernel written as rows.
 *
 * The bench answers requests a fixed number of cycles after they leave, and keeps the cycle in which each row of each warp issued.
 */
#ifndef WARPLINE_TESTS_SM_BENCH_H
#define WARPLINE_TESTS_SM_BENCH_H
#include "../cmocka_all.h"

#include "../gpu/script_front.h"
#include "../mem/mock_port.h"
#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "mem/request.h"
#include "policy/hooks.h"
#include "sm/sm.h"

/* Rows of a script, and how many there are. */
#define EXIT                                                                                                                       \
    {                                                                                                                              \
        .class = CLASS_EXIT                                                                                                        \
    }
#define COUNT(rows) (sizeof rows / sizeof rows[0])
#define LOAD(to, where)                                                                                                            \
    {                                                                                                                              \
        .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = to, .src = { 9 }, .address = where                          \
    }
#define USE(of)                                                                                                                    \
    {                                                                                                                              \
        .class = CLASS_INT_ADD, .dst = 20, .src = { of }                                                                           \
    }

enum { BENCH_ROWS = 64, BENCH_WARPS = 48, BENCH_PATIENCE = 100000 };

struct bench {
    struct machine_config *machine;
    struct sm_timing timing[TIMING_COUNT];
    struct request_pool *pool;
    struct mock_port below;
    struct front_clock clock;
    struct front *front;
    struct front_ops ops, inner;
    struct sm *sm;
    uint64_t now;
    uint64_t answer_cycles;                   /* from leaving the SM to coming back */
    uint64_t sent_at[1024];                   /* of the requests below, oldest first */
    uint32_t sent, answered, reads, writes;   /* data requests; fetches of instructions are answered and not counted */
    uint64_t issued[BENCH_WARPS][BENCH_ROWS]; /* cycle of the last issue of a row, 0 never */
    uint64_t woken;                           /* 1: the SM has asked to be visited */
};

static const struct policy_hooks *bench_hooks; /* of the SMs that are opened from now on; NULL: none */
static struct bench *bench_of_front;           /* the front end's step has no other way back to its bench */

static bool bench_step(struct front *front, struct front_cta *cta, uint32_t warp, struct warp_step *out, struct error *err)
{
    struct bench *b = bench_of_front;
    if (!b->inner.step(front, cta, warp, out, err))
        return false;
    b->issued[warp][out->inst->index] = b->now;
    return true;
}

/* `change`, if given, alters the machine before the SM is made. */
static inline void bench_open(struct bench *b, const struct script_row *rows, uint32_t count, uint32_t threads,
                              void (*change)(struct machine_config *))
{
    struct error err;
    *b = (struct bench){ .machine = machine_config_new(), .pool = request_pool_new(), .now = 1, .answer_cycles = 100 };
    struct param_space *space = param_space_new();
    machine_config_bind(b->machine, space);
    param_space_free(space);
    if (change)
        change(b->machine);
    assert_true(machine_config_check(b->machine, &err));
    for (uint32_t c = 0; c < TIMING_COUNT; c++)
        b->timing[c] = sm_class_timing(&b->machine->sm, c);
    const struct sm_setup setup = { .sms = 1,
                                    .config = &b->machine->sm,
                                    .timing = b->timing,
                                    .l1 = &b->machine->l1,
                                    .l1i = &b->machine->l1i,
                                    .l1c = &b->machine->l1c,
                                    .l1t = &b->machine->l1t,
                                    .pool = b->pool,
                                    .out = mock_port_open(&b->below),
                                    .waker = waker_of(&b->woken, 0),
                                    .hooks = bench_hooks };
    b->sm = sm_new(&setup);
    b->front = script_front(rows, count, 1, threads);
    b->inner = b->ops = *b->front->ops;
    b->ops.step = bench_step;
    b->front->ops = &b->ops;
    bench_of_front = b;
    sm_kernel_start(b->sm, b->front, &b->clock, 1, false);
    assert_true(sm_start_cta(b->sm, 0, b->now, &err));
}

/* What left the SM comes back when its time has come: instructions into their cache, data into the response buffer. */
static inline void bench_answer(struct bench *b)
{
    for (; b->sent < b->answered + b->below.out.port.ring.count; b->sent++)
        b->sent_at[b->sent % 1024] = b->now;
    for (struct request *r; (r = port_peek(&b->below.out.port)) && b->sent_at[b->answered % 1024] + b->answer_cycles <= b->now;) {
        const bool fetch = r->kind == REQUEST_INSTRUCTION_READ;
        if (!fetch && sm_reply_full(b->sm))
            return;
        (void)port_pop(&b->below.out.port);
        b->answered++;
        b->reads += !fetch && !r->write;
        b->writes += r->write;
        if (fetch)
            sm_take_fetch(b->sm, r, b->now);
        else
            sm_take_reply(b->sm, r);
    }
}

static inline void bench_cycle(struct bench *b)
{
    struct error err;
    b->clock.cycle = ++b->now;
    bench_answer(b);
    if (!sm_cycle(b->sm, b->now, 0, &err))
        fail_msg("%s", err.text);
}

/* Runs the kernel to its end and until nothing is under way. */
static inline void bench_run(struct bench *b)
{
    const uint64_t end = b->now + BENCH_PATIENCE;
    while (sm_active(b->sm) || b->below.out.port.ring.count) {
        bench_cycle(b);
        if (b->now > end)
            fail_msg("the kernel does not end");
    }
}

static inline void bench_close(struct bench *b)
{
    assert_int_equal(request_pool_live(b->pool), 0);
    sm_free(b->sm);
    script_front_free(b->front);
    machine_config_free(b->machine);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}
#endif
