/* Which warps a scheduler has looked at when it issues: a fence that is over takes effect on the L1 then. */
#include "fake_machine.h"
#include "reference/reference.h"

static uint64_t looked(const struct bound *b, const struct fake_view *f, uint32_t slot)
{
    const struct policy_hooks *h = &b->instance->hooks;
    return reference_looked(h, &f->view, 0, f->scheduler_slots[0], slot);
}

static void issue(const struct bound *b, const struct fake_view *f, uint32_t slot)
{
    const struct policy_hooks *h = &b->instance->hooks;
    h->order.call.issued(h->order.self, &f->view, 0, slot);
}

static void round_robin_looks_as_far_as_the_one_that_issues(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "lrr", NULL);
    fake_view_fill(&f, 0, 64, 0);
    assert_int_equal(looked(&b, &f, 4), 0x15); /* nobody has issued yet: from 0 on */
    issue(&b, &f, 4);
    assert_int_equal(looked(&b, &f, 8), 0x140);
    assert_int_equal(looked(&b, &f, 0), f.scheduler_slots[0] & ~0x14ull); /* round the end */
    assert_int_equal(looked(&b, &f, 4), f.scheduler_slots[0]);            /* the same again: all others could not */
    assert_int_equal(looked(&b, &f, NO_SLOT), f.scheduler_slots[0]);
    issue(&b, &f, 62);
    assert_int_equal(looked(&b, &f, 2), 5);
    unbind_policies(&b);
}

/* Six are active, 0 to 10; 2 waits at a barrier and 12 comes for it, at the end. */
static void two_levels_look_at_the_active_warps_and_as_far_as_the_one_that_issues(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "two-level", NULL);
    fake_view_fill(&f, 0, 64, 0);
    const struct policy_hooks *h = &b.instance->hooks;
    h->order.call.cycle(h->order.self, &f.view, 0);
    assert_int_equal(looked(&b, &f, NO_SLOT), 0x555); /* who is asked in the next cycle whether he has to leave */
    f.view.at_barrier = 4;
    h->order.call.cycle(h->order.self, &f.view, 0);
    assert_int_equal(looked(&b, &f, 0), 1); /* 12 comes after 0 */
    assert_int_equal(looked(&b, &f, 12), 0x1551);
    assert_int_equal(looked(&b, &f, NO_SLOT), 0x1551);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(round_robin_looks_as_far_as_the_one_that_issues),
                                        cmocka_unit_test(two_levels_look_at_the_active_warps_and_as_far_as_the_one_that_issues) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
