/* Mascar (Sethia et al., HPCA 2015), section III: when the mode changes, who owns, and what the re-execution queue does. */
#include "fake_machine.h"

enum { MSHRS = 32, WARPS = 6 }; /* of fake_geometry's L1 */
static const struct inst global_load = { .class = CLASS_LOAD, .space = SPACE_GLOBAL }, add = { .class = CLASS_INT_ADD };

struct rig {
    struct bound b;
    struct fake_view f;
    uint64_t cycle;
};

static void rig_begin(struct rig *r, const char *policy, const char *const *settings)
{
    bind_policies(&r->b, policy, settings);
    fake_view_fill(&r->f, 0, WARPS, 0);
    r->cycle = 0;
}

static const struct policy_hooks *hooks(const struct rig *r)
{
    return &r->b.instance->hooks;
}
static void saturate(struct rig *r, bool yes)
{
    r->b.machine.occupancy[0].mshr_entries = yes ? MSHRS / 2 : MSHRS / 2 - 1;
}
static struct request *handle(size_t n)
{
    return (struct request *)(64 * n);
}

static void next_cycle(struct rig *r)
{
    r->f.view.cycle = ++r->cycle;
    hooks(r)->order.call.cycle(hooks(r)->order.self, &r->f.view, 0);
    hooks(r)->order.call.cycle(hooks(r)->order.self, &r->f.view, 1);
}

static uint32_t pick(struct rig *r, uint32_t scheduler, uint64_t candidates)
{
    return hooks(r)->order.call.pick(hooks(r)->order.self, &r->f.view, scheduler,
                                     candidates & r->f.view.scheduler_slots[scheduler]);
}

static void issue(struct rig *r, uint32_t slot, const struct inst *inst)
{
    hooks(r)->order.call.issued(hooks(r)->order.self, &r->f.view, slot % 2, slot);
    hooks_issued(hooks(r), &r->f.view, slot, inst, UINT32_MAX);
}

static struct policy_access load_of(const struct rig *r, uint16_t warp, size_t request)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, request * 4096, 32);
    a.warp = warp;
    a.request = handle(request);
    a.cycle = r->cycle;
    a.pc = request * 8;
    return a;
}

static bool may_miss(const struct rig *r, uint16_t warp)
{
    const struct policy_access a = load_of(r, warp, 99);
    return hooks_may_miss(&hooks(r)->cache[LEVEL_L1], &a);
}

static bool push(const struct rig *r, struct policy_access a)
{
    return hooks(r)->lsu.call.push(hooks(r)->lsu.self, &a);
}
static struct request *next(const struct rig *r)
{
    return hooks(r)->lsu.call.next(hooks(r)->lsu.self, 0, r->cycle);
}
static void take(const struct rig *r, struct request *q)
{
    hooks(r)->lsu.call.taken(hooks(r)->lsu.self, 0, q);
}

static void refuse(const struct rig *r, struct policy_access a)
{
    assert_int_equal(hooks_refused(&hooks(r)->cache[LEVEL_L1], &a, CAUSE_MSHR_ENTRY), REFUSAL_RECYCLE);
    hooks(r)->lsu.call.returned(hooks(r)->lsu.self, 0, a.request, CAUSE_MSHR_ENTRY);
}

static void accept(const struct rig *r, struct policy_access a)
{
    hooks_accessed(&hooks(r)->cache[LEVEL_L1], &a, OUTCOME_MISS, 0);
}

/* Pushes it, sends it on and has it refused. */
static void put_into_queue(const struct rig *r, struct policy_access a)
{
    assert_true(push(r, a));
    assert_ptr_equal(next(r), a.request);
    take(r, a.request);
    refuse(r, a);
}

static uint64_t memory_gate(const struct rig *r)
{
    struct policy_gate gate;
    hooks_warp_gate(hooks(r), &r->f.view, &gate);
    return gate.memory;
}

/* ---- modes ---- */

static void equal_priority_puts_memory_first(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    r.f.view.memory_next = 1 << 2 | 1 << 4;
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x3F), 2); /* the older of those with memory */
    issue(&r, 4, &global_load);
    assert_int_equal(pick(&r, 0, 0x3F), 4); /* greedy */
    issue(&r, 0, &add);
    assert_int_equal(pick(&r, 0, 0x3F), 2); /* greedy inside its group only */
    r.f.view.memory_next = 0;
    assert_int_equal(pick(&r, 0, 0x3F), 0);
    assert_true(may_miss(&r, 5));
    unbind_policies(&r.b);
}

static void memory_priority_puts_arithmetic_first_and_lets_one_warp_at_memory(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    saturate(&r, true);
    r.f.view.memory_next = 0x2D; /* all but 1 and 4 */
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x3F), 4);
    assert_int_equal(pick(&r, 0, 0x2F), 0); /* nobody owns: the oldest */
    issue(&r, 0, &global_load);
    assert_int_equal(pick(&r, 0, 0x2C), NO_SLOT);
    assert_int_equal(pick(&r, 1, 0x2C), NO_SLOT); /* the owner is the SM's, not the scheduler's */
    assert_int_equal(pick(&r, 1, 0x3F), 1);
    assert_true(may_miss(&r, 0));
    assert_false(may_miss(&r, 2));
    saturate(&r, false);
    assert_false(may_miss(&r, 2)); /* until the flag is looked at */
    next_cycle(&r);
    assert_true(may_miss(&r, 2));
    assert_int_equal(pick(&r, 0, 0x2C), 2);
    unbind_policies(&r.b);
}

static void each_resource_raises_the_flag(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    struct policy_occupancy *o = &r.b.machine.occupancy[0];
    const struct policy_occupancy cases[] = { { .mshr_entries = 16, .texture_free = 4, .constant_free = 2 },
                                              { .miss_queue = 6, .texture_free = 4, .constant_free = 2 },
                                              { .texture_free = 0, .constant_free = 2 },
                                              { .texture_free = 4, .constant_free = 0 } };
    const struct policy_occupancy calm = { .mshr_entries = 15, .miss_queue = 5, .texture_free = 1, .constant_free = 1 };
    r.f.view.memory_next = 1;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *o = cases[i];
        next_cycle(&r);
        assert_int_equal(pick(&r, 0, 5), 2); /* arithmetic first */
        *o = calm;
        next_cycle(&r);
        assert_int_equal(pick(&r, 0, 5), 0); /* memory first */
    }
    unbind_policies(&r.b);
}

static bool in_memory_priority(struct rig *r)
{
    next_cycle(r);
    r->f.view.memory_next = 1;
    return pick(r, 0, 5) == 2; /* arithmetic first */
}

static void the_flag_may_stay_until_more_is_free(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule",
              (const char *const[]){ "policy.mascar-schedule.mshr_free=25", "policy.mascar-schedule.mshr_free_off=75",
                                     "policy.mascar-schedule.miss_queue_free_off=5", NULL });
    struct policy_occupancy *o = &r.b.machine.occupancy[0];
    o->mshr_entries = 23;
    assert_false(in_memory_priority(&r));
    o->mshr_entries = 24; /* of 32 */
    assert_true(in_memory_priority(&r));
    o->mshr_entries = 8;
    assert_true(in_memory_priority(&r));
    o->mshr_entries = 7;
    assert_false(in_memory_priority(&r));
    o->mshr_entries = 23; /* the second threshold does not raise it */
    assert_false(in_memory_priority(&r));
    o->miss_queue = 6; /* of 8 */
    assert_true(in_memory_priority(&r));
    o->mshr_entries = 0, o->miss_queue = 3;
    assert_true(in_memory_priority(&r));
    o->miss_queue = 2;
    assert_false(in_memory_priority(&r));
    unbind_policies(&r.b);
}

static void the_flag_may_stay_while_the_queue_holds_something_and_something_is_in_flight(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", (const char *const[]){ "policy.mascar.relief=queue", NULL });
    const struct policy_access a = load_of(&r, 4, 1);
    put_into_queue(&r, a);
    assert_false(in_memory_priority(&r)); /* the queue alone does not raise it */
    saturate(&r, true);
    assert_true(in_memory_priority(&r));
    r.b.machine.occupancy[0].mshr_entries = 1;
    assert_true(in_memory_priority(&r));
    r.b.machine.occupancy[0].mshr_entries = 0; /* an owner that never lets go cannot stop the others for good */
    assert_false(in_memory_priority(&r));
    saturate(&r, true);
    assert_true(in_memory_priority(&r));
    r.b.machine.occupancy[0].mshr_entries = 1;
    assert_ptr_equal(next(&r), a.request);
    take(&r, a.request);
    accept(&r, a);
    assert_false(in_memory_priority(&r));
    unbind_policies(&r.b);
}

/* ---- the owner ---- */

static void the_owner_lets_go_when_it_waits_and_all_was_sent(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    saturate(&r, true);
    r.f.view.memory_next = 0x3F;
    next_cycle(&r);
    issue(&r, 0, &add);
    assert_true(may_miss(&r, 3)); /* arithmetic makes no owner */
    issue(&r, 0, &global_load);
    static const uint8_t releases[] = { WAIT_LOAD, WAIT_BARRIER, WAIT_DONE },
                         keeps[] = { WAIT_NONE, WAIT_DATA, WAIT_PIPE, WAIT_FETCH, WAIT_GATED };
    for (uint32_t i = 0; i < sizeof keeps; i++) {
        r.b.machine.warp[0] = (struct policy_warp){ .wait = keeps[i] };
        next_cycle(&r);
        assert_false(may_miss(&r, 3));
    }
    for (uint32_t i = 0; i < sizeof releases; i++) {
        r.b.machine.warp[0] = (struct policy_warp){ .wait = releases[i], .unsent = 1 };
        next_cycle(&r);
        assert_false(may_miss(&r, 3));
        r.b.machine.warp[0].unsent = 0;
        next_cycle(&r);
        assert_true(may_miss(&r, 3));
        assert_int_equal(pick(&r, 1, 0x2A), 1);
        r.b.machine.warp[0].wait = WAIT_NONE;
        issue(&r, 0, &global_load);
        assert_false(may_miss(&r, 3));
    }
    hooks_warp_event(&hooks(&r)->warp_end, &r.f.view, 0);
    assert_true(may_miss(&r, 3));
    unbind_policies(&r.b);
}

static void when_the_mode_begins_the_oldest_warp_with_accesses_on_their_way_owns(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    r.f.view.memory_next = 0x3F;
    next_cycle(&r);
    r.b.machine.warp[2].unsent = 3;
    r.b.machine.warp[4].unsent = 1;
    saturate(&r, true);
    next_cycle(&r);
    assert_true(may_miss(&r, 2));
    assert_false(may_miss(&r, 4));
    assert_int_equal(pick(&r, 0, 0x3F), 2);
    r.b.machine.warp[2] = (struct policy_warp){ .wait = WAIT_LOAD };
    next_cycle(&r); /* later in the mode, nobody owns before a memory instruction is issued */
    assert_true(may_miss(&r, 4));
    assert_true(may_miss(&r, 5));
    unbind_policies(&r.b);
}

static void warps_that_were_ready_before_the_owner_may_try_if_asked_for(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", (const char *const[]){ "policy.mascar.others=ready", NULL });
    saturate(&r, true);
    r.f.view.memory_next = 0x3F;
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x05), 0); /* nobody owns: 0 and 2 are ready */
    issue(&r, 0, &global_load);
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x15), 0); /* the owner before all */
    assert_int_equal(pick(&r, 0, 0x14), 2);
    assert_false(may_miss(&r, 2)); /* it may hit */
    issue(&r, 2, &global_load);
    assert_int_equal(pick(&r, 0, 0x14), NO_SLOT); /* once; 4 came after the owner */
    unbind_policies(&r.b);
}

static void a_miss_at_the_head_of_the_lsu_is_refused_for_a_time(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-schedule",
              (const char *const[]){ "policy.mascar-schedule.patience=10", "policy.mascar-schedule.mode=memory", NULL });
    next_cycle(&r);
    issue(&r, 0, &global_load);
    struct policy_access a = load_of(&r, 3, 1);
    const uint64_t since = a.cycle;
    assert_false(hooks_may_miss(&hooks(&r)->cache[LEVEL_L1], &a));
    assert_int_equal(hooks_refused(&hooks(&r)->cache[LEVEL_L1], &a, CAUSE_POLICY), REFUSAL_WAIT);
    a.cycle = since + 9;
    assert_false(hooks_may_miss(&hooks(&r)->cache[LEVEL_L1], &a));
    a.cycle = since + 10;
    assert_true(hooks_may_miss(&hooks(&r)->cache[LEVEL_L1], &a));
    unbind_policies(&r.b);
}

/* Ready is what could issue, though the LSU's pipe may be full; not what waits for data or is held back for what it has in the
 * queue. */
static void without_memory_ready_the_head_of_the_queue_owns(void **state)
{
    (void)state;
    static const struct {
        uint16_t slot;
        uint8_t wait;
        bool ready;
    } cases[] = { { 0, WAIT_NONE, true },   { 0, WAIT_PIPE, true },   { 0, WAIT_DATA, false }, { 0, WAIT_LOAD, false },
                  { 0, WAIT_FETCH, false }, { 0, WAIT_GATED, false }, { 2, WAIT_NONE, false } };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r;
        rig_begin(&r, "mascar", NULL);
        put_into_queue(&r, load_of(&r, 4, 1));
        put_into_queue(&r, load_of(&r, 2, 2));
        saturate(&r, true);
        r.f.view.memory_next = 1u << cases[i].slot;
        r.b.machine.warp[cases[i].slot].wait = cases[i].wait;
        next_cycle(&r);
        assert_true(may_miss(&r, 4));
        assert_int_equal(may_miss(&r, 2), cases[i].ready); /* nobody owns, or 4 does */
        assert_int_equal(pick(&r, 0, 1), cases[i].ready || cases[i].slot ? 0 : NO_SLOT);
        r.f.view.memory_next = 1;
        r.b.machine.warp[0].wait = WAIT_NONE;
        r.b.machine.warp[4].wait = WAIT_LOAD;
        next_cycle(&r); /* 4 lets go, and warp 0 has a memory instruction ready */
        assert_true(may_miss(&r, 2));
        assert_int_equal(pick(&r, 0, 1), 0);
        unbind_policies(&r.b);
    }
}

static void the_queues_head_may_go_before_ready_warps(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", (const char *const[]){ "policy.mascar.heir=queue", NULL });
    put_into_queue(&r, load_of(&r, 4, 1));
    r.f.view.memory_next = 1;
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 1), 0); /* ready, in equal-priority mode */
    saturate(&r, true);
    next_cycle(&r);
    assert_true(may_miss(&r, 4));
    assert_false(may_miss(&r, 0));
    assert_int_equal(pick(&r, 0, 1), NO_SLOT);
    unbind_policies(&r.b);
}

/* ---- the queue ---- */

/* Figure 7(b), with its queue of one entry: W0 is refused and put away, W1 hits meanwhile, W2 is refused too and stays with the
 * LSU, W3 waits. test_figure_7.c has both of the figure's sequences on a whole machine. */
static void figure_7(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", (const char *const[]){ "policy.mascar-reexec.queue_entries=1", NULL });
    const struct policy_access w0 = load_of(&r, 0, 1), w1 = load_of(&r, 1, 2), w2 = load_of(&r, 2, 3), w3 = load_of(&r, 3, 4);
    put_into_queue(&r, w0);
    assert_true(push(&r, w1));
    assert_ptr_equal(next(&r), w1.request); /* what is new goes before the queue */
    take(&r, w1.request);
    hooks_accessed(&hooks(&r)->cache[LEVEL_L1], &w1, OUTCOME_HIT, 0);
    put_into_queue(&r, w2);
    assert_true(push(&r, w3));
    assert_false(push(&r, load_of(&r, 5, 5))); /* the LSU's register holds W3's */
    assert_ptr_equal(next(&r), w0.request);    /* full: the queue alone */
    take(&r, w0.request);
    refuse(&r, w0); /* to the tail */
    assert_ptr_equal(next(&r), w2.request);
    take(&r, w2.request);
    accept(&r, w2);
    assert_ptr_equal(next(&r), w3.request); /* there is room again */
    take(&r, w3.request);
    accept(&r, w3);
    assert_ptr_equal(next(&r), w0.request); /* nothing new */
    take(&r, w0.request);
    accept(&r, w0);
    assert_null(next(&r));
    unbind_policies(&r.b);
}

static void the_queue_turns(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", NULL);
    for (uint16_t i = 0; i < 5; i++)
        put_into_queue(&r, load_of(&r, i, 1 + i));
    for (uint16_t turn = 0; turn < 12; turn++) {
        const struct policy_access a = load_of(&r, turn % 5, 1u + turn % 5);
        assert_ptr_equal(next(&r), a.request);
        take(&r, a.request);
        refuse(&r, a);
    }
    unbind_policies(&r.b);
}

static void a_warp_waits_for_its_earlier_instruction(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", NULL);
    struct policy_access store = load_of(&r, 3, 1), load = load_of(&r, 3, 2);
    store.write = true;
    put_into_queue(&r, store);
    assert_int_equal(memory_gate(&r) >> 3 & 1, 0); /* held back at issue, too */
    assert_true(push(&r, load));
    for (uint32_t i = 0; i < 3; i++) {
        assert_ptr_equal(next(&r), store.request);
        take(&r, store.request);
        assert_null(next(&r)); /* the store is on its way to the L1 */
        refuse(&r, store);
    }
    assert_ptr_equal(next(&r), store.request);
    take(&r, store.request);
    accept(&r, store);
    assert_int_equal(memory_gate(&r) >> 3 & 1, 1);
    assert_ptr_equal(next(&r), load.request);
    unbind_policies(&r.b);
}

static void transactions_of_one_instruction_do_not_wait_for_each_other(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", NULL);
    struct policy_access first = load_of(&r, 3, 1), second = load_of(&r, 3, 2), again = load_of(&r, 3, 3);
    first.transactions = second.transactions = 2;
    second.pc = again.pc = first.pc;
    put_into_queue(&r, first);
    put_into_queue(&r, second);
    assert_true(push(&r, again)); /* the same instruction, the next time round its loop */
    assert_ptr_equal(next(&r), first.request);
    unbind_policies(&r.b);
}

/* The owner's transaction stands behind W3's, which waits for a place that only a miss of W4 or W5 can free. */
static void a_full_queue_hands_ownership_to_its_head(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", (const char *const[]){ "policy.mascar.queue_entries=1", "policy.mascar.mode=memory", NULL });
    next_cycle(&r);
    issue(&r, 0, &global_load);
    put_into_queue(&r, load_of(&r, 4, 1));
    put_into_queue(&r, load_of(&r, 5, 2));
    assert_false(may_miss(&r, 4));
    assert_true(push(&r, load_of(&r, 3, 3)));
    assert_ptr_equal(next(&r), handle(1));
    assert_true(may_miss(&r, 4));
    assert_false(may_miss(&r, 0));
    unbind_policies(&r.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_priority_puts_memory_first),
        cmocka_unit_test(memory_priority_puts_arithmetic_first_and_lets_one_warp_at_memory),
        cmocka_unit_test(each_resource_raises_the_flag),
        cmocka_unit_test(the_flag_may_stay_until_more_is_free),
        cmocka_unit_test(the_flag_may_stay_while_the_queue_holds_something_and_something_is_in_flight),
        cmocka_unit_test(the_owner_lets_go_when_it_waits_and_all_was_sent),
        cmocka_unit_test(when_the_mode_begins_the_oldest_warp_with_accesses_on_their_way_owns),
        cmocka_unit_test(warps_that_were_ready_before_the_owner_may_try_if_asked_for),
        cmocka_unit_test(a_miss_at_the_head_of_the_lsu_is_refused_for_a_time),
        cmocka_unit_test(without_memory_ready_the_head_of_the_queue_owns),
        cmocka_unit_test(the_queues_head_may_go_before_ready_warps),
        cmocka_unit_test(figure_7),
        cmocka_unit_test(the_queue_turns),
        cmocka_unit_test(a_warp_waits_for_its_earlier_instruction),
        cmocka_unit_test(transactions_of_one_instruction_do_not_wait_for_each_other),
        cmocka_unit_test(a_full_queue_hands_ownership_to_its_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
