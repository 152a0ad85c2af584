/* Mascar (Sethia et al., HPCA 2015), sections III-C and III-D: what the re-execution queue does. */
#include "mascar_bench.h"

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

/* Before the L1, a store waits for a load of its warp and a load for one that was refused once: each may be refused, and be
 * overtaken then. Two new loads may follow each other. */
static void order_is_kept_before_the_l1(void **state)
{
    (void)state;
    static const struct {
        bool first_writes, second_writes, refused, waits;
    } cases[] = { { false, false, false, false },
                  { false, true, false, true },
                  { true, false, false, true },
                  { true, true, false, true },
                  { false, false, true, true } };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r;
        rig_begin(&r, "mascar-reexec", NULL);
        struct policy_access first = load_of(&r, 3, 1), second = load_of(&r, 3, 2), another = load_of(&r, 5, 3);
        first.write = cases[i].first_writes;
        second.write = another.write = cases[i].second_writes;
        if (cases[i].refused)
            put_into_queue(&r, first);
        else
            assert_true(push(&r, first));
        assert_ptr_equal(next(&r), first.request);
        take(&r, first.request); /* on its way */
        assert_true(push(&r, second));
        r.cycle++;
        assert_ptr_equal(next(&r), cases[i].waits ? NULL : second.request);
        accept(&r, first);
        assert_ptr_equal(next(&r), second.request);
        take(&r, second.request);
        assert_true(push(&r, another));
        assert_ptr_equal(next(&r), another.request); /* another warp's waits for nobody */
        assert_int_equal(counted(&r, "queue.order_stalls"), cases[i].waits);
        unbind_policies(&r.b);
    }
}

/* Of three that are on their way, each in turn is taken first and the other two are refused. */
static void the_l1_answers_in_any_order(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", (const char *const[]){ "policy.mascar-reexec.queue_entries=2", NULL });
    for (uint32_t round = 0; round < 7; round++) {
        struct policy_access a[3];
        for (uint16_t i = 0; i < 3; i++) {
            a[i] = load_of(&r, i, 1u + i);
            assert_true(push(&r, a[i]));
            assert_ptr_equal(next(&r), a[i].request);
            take(&r, a[i].request);
        }
        accept(&r, a[round % 3]);
        for (uint32_t i = 0; i < 3; i++)
            if (i != round % 3)
                refuse(&r, a[i]);
        for (uint32_t i = 0; i < 3; i++) {
            if (i == round % 3)
                continue;
            assert_ptr_equal(next(&r), a[i].request);
            take(&r, a[i].request);
            accept(&r, a[i]);
        }
        assert_null(next(&r));
    }
    unbind_policies(&r.b);
}

static void hits_under_a_miss_are_those_beside_a_waiting_access(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar-reexec", NULL);
    const struct policy_access w0 = load_of(&r, 0, 1), w1 = load_of(&r, 1, 2), w2 = load_of(&r, 2, 3);
    for (uint32_t i = 0; i < 2; i++) {
        const struct policy_access hit = i ? w2 : w0;
        assert_true(push(&r, hit));
        assert_ptr_equal(next(&r), hit.request);
        take(&r, hit.request);
        hooks_accessed(&hooks(&r)->cache[LEVEL_L1], &hit, OUTCOME_HIT, 0);
        assert_int_equal(counted(&r, "hits_under_miss"), i);
        if (!i)
            put_into_queue(&r, w1);
    }
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

/* The owner's own transaction is in the queue and will have its turn. */
static void a_full_queue_with_something_of_the_owner_s_leaves_him_his_place(void **state)
{
    (void)state;
    struct rig r;
    rig_begin(&r, "mascar", (const char *const[]){ "policy.mascar.queue_entries=1", "policy.mascar.mode=memory", NULL });
    next_cycle(&r);
    issue(&r, 0, &global_load);
    put_into_queue(&r, load_of(&r, 4, 1));
    put_into_queue(&r, load_of(&r, 0, 2));
    assert_true(push(&r, load_of(&r, 3, 3)));
    assert_ptr_equal(next(&r), handle(1));
    assert_false(may_miss(&r, 4));
    assert_true(may_miss(&r, 0));
    assert_int_equal(counted(&r, "owners_from_queue"), 0);
    unbind_policies(&r.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_7),
        cmocka_unit_test(the_queue_turns),
        cmocka_unit_test(a_warp_waits_for_its_earlier_instruction),
        cmocka_unit_test(order_is_kept_before_the_l1),
        cmocka_unit_test(the_l1_answers_in_any_order),
        cmocka_unit_test(hits_under_a_miss_are_those_beside_a_waiting_access),
        cmocka_unit_test(transactions_of_one_instruction_do_not_wait_for_each_other),
        cmocka_unit_test(a_full_queue_hands_ownership_to_its_head),
        cmocka_unit_test(a_full_queue_with_something_of_the_owner_s_leaves_him_his_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
