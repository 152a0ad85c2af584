/* Mascar (Sethia et al., HPCA 2015), sections III-A and III-B: when the mode changes, who owns. */
#include "mascar_bench.h"

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

static void time_in_each_mode_is_counted_asleep_too(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", NULL);
    next_cycle(&r);
    next_cycle(&r);
    hooks(&r)->order.call.slept(hooks(&r)->order.self, &r.f.view, 10);
    saturate(&r, true);
    next_cycle(&r);
    hooks(&r)->order.call.slept(hooks(&r)->order.self, &r.f.view, 100);
    assert_int_equal(counted(&r, "mode.equal_priority"), 12);
    assert_int_equal(counted(&r, "mode.memory_priority"), 101);
    assert_int_equal(counted(&r, "mode.switches"), 1);
    unbind_policies(&r.b);
}

/* Section III-A: the texture cache's saturation is observed as well. Textures then are what one warp at a time may issue. */
static void textures_are_memory_while_their_cache_is_saturated(void **state)
{
    (void)state;
    static const struct inst texture = { .class = CLASS_TEXTURE };
    struct rig r;
    rig_begin(&r, "mascar-schedule", NULL);
    r.b.machine.warp[0].next = r.b.machine.warp[2].next = &texture;
    saturate(&r, true);
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x15), 0); /* of no account to the L1: the oldest */
    issue(&r, 0, &texture);
    assert_true(may_miss(&r, 3)); /* nobody owns */
    saturate(&r, false);
    r.b.machine.occupancy[0].texture_free = 0;
    next_cycle(&r);
    assert_int_equal(pick(&r, 0, 0x15), 4); /* arithmetic first */
    assert_int_equal(pick(&r, 0, 0x05), 0);
    issue(&r, 0, &texture);
    assert_false(may_miss(&r, 3));
    assert_int_equal(pick(&r, 0, 0x04), NO_SLOT);
    unbind_policies(&r.b);
}

/* ---- the owner ---- */

static void who_issues_to_the_l1_without_an_owner_owns(void **state)
{
    (void)state;
    static const struct {
        uint8_t class, space;
        bool owns;
    } cases[] = { { CLASS_LOAD, SPACE_GLOBAL, true },  { CLASS_LOAD, SPACE_GENERIC, true }, { CLASS_LOAD, SPACE_LOCAL, true },
                  { CLASS_STORE, SPACE_GLOBAL, true }, { CLASS_LOAD, SPACE_SHARED, false }, { CLASS_LOAD, SPACE_CONST, false } };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r;
        rig_begin(&r, "mascar", NULL);
        const struct inst inst = { .class = cases[i].class, .space = cases[i].space };
        issue(&r, 1, &inst); /* in equal priority nobody owns */
        saturate(&r, true);
        next_cycle(&r);
        assert_true(may_miss(&r, 3));
        issue(&r, 0, &inst);
        issue(&r, 0, &inst);
        assert_int_equal(may_miss(&r, 3), !cases[i].owns);
        assert_int_equal(counted(&r, "owners"), cases[i].owns);
        issue(&r, 2, &inst); /* not while 0 owns */
        assert_true(may_miss(&r, 0));
        hooks_warp_event(&hooks(&r)->warp_end, &r.f.view, 2);
        assert_int_equal(may_miss(&r, 3), !cases[i].owns);
        hooks_warp_event(&hooks(&r)->warp_end, &r.f.view, 0);
        assert_true(may_miss(&r, 3));
        unbind_policies(&r.b);
    }
}

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
    accept(&r, a);
    a.cycle = since + 30; /* the next one has patience of its own, though its request may have the same place in memory */
    assert_false(hooks_may_miss(&hooks(&r)->cache[LEVEL_L1], &a));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_priority_puts_memory_first),
        cmocka_unit_test(memory_priority_puts_arithmetic_first_and_lets_one_warp_at_memory),
        cmocka_unit_test(each_resource_raises_the_flag),
        cmocka_unit_test(the_flag_may_stay_until_more_is_free),
        cmocka_unit_test(the_flag_may_stay_while_the_queue_holds_something_and_something_is_in_flight),
        cmocka_unit_test(time_in_each_mode_is_counted_asleep_too),
        cmocka_unit_test(textures_are_memory_while_their_cache_is_saturated),
        cmocka_unit_test(who_issues_to_the_l1_without_an_owner_owns),
        cmocka_unit_test(the_owner_lets_go_when_it_waits_and_all_was_sent),
        cmocka_unit_test(when_the_mode_begins_the_oldest_warp_with_accesses_on_their_way_owns),
        cmocka_unit_test(warps_that_were_ready_before_the_owner_may_try_if_asked_for),
        cmocka_unit_test(a_miss_at_the_head_of_the_lsu_is_refused_for_a_time),
        cmocka_unit_test(without_memory_ready_the_head_of_the_queue_owns),
        cmocka_unit_test(the_queues_head_may_go_before_ready_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
