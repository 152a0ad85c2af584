/* Which warp each order issues from, and which warps a scheduler has looked at when it issues: a fence that is over takes effect on
 * the L1 then. */
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

/* ---- who goes first ---- */

static uint32_t pick(const struct bound *b, const struct fake_view *f, uint64_t candidates)
{
    const struct policy_hooks *h = &b->instance->hooks;
    return h->order.call.pick(h->order.self, &f->view, 0, candidates);
}

/* Slots 0 2 4 6 of scheduler 0; 6 holds the oldest warp, 0 the youngest. */
static void orders_of_four_warps(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        uint32_t first, next, when_it_stalls, without_6;
    } orders[] = { { "lrr", 0, 4, 4, 4 }, { "gto", 0, 2, 6, 4 }, { "oldest", 6, 6, 6, 4 }, { "gtrr", 0, 2, 4, 4 } };
    for (uint32_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct bound b;
        struct fake_view f;
        bind_policies(&b, orders[i].policy, NULL);
        fake_view_fill(&f, 0, 8, 0);
        for (uint32_t slot = 0; slot < 8; slot++)
            f.age[slot] = 10 - slot;
        assert_int_equal(pick(&b, &f, 0x55), orders[i].first); /* nobody has issued yet: as if the first slot had */
        if (b.instance->hooks.order.call.issued)
            issue(&b, &f, 2);
        assert_int_equal(pick(&b, &f, 0x55), orders[i].next);
        assert_int_equal(pick(&b, &f, 0x51), orders[i].when_it_stalls);
        assert_int_equal(pick(&b, &f, 0x11), orders[i].without_6);
        unbind_policies(&b);
    }
}

static void round_robin_goes_round(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "lrr", NULL);
    fake_view_fill(&f, 0, 64, 0);
    static const uint32_t turns[] = { 0, 2, 4, 62, 63, 0 };
    for (uint32_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        assert_int_equal(pick(&b, &f, 0xC000000000000015u), turns[i]);
        issue(&b, &f, turns[i]);
    }
    unbind_policies(&b);
}

/* Slots 0 2 4 6: the turn stays where it is until that warp issues, or waits, or ends. */
static void strict_round_robin_waits_for_the_turn(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "rrr", NULL);
    fake_view_fill(&f, 0, 8, 0);
    assert_int_equal(pick(&b, &f, 0x54), NO_SLOT); /* 0 begins */
    assert_int_equal(pick(&b, &f, 0x01), 0);
    issue(&b, &f, 0);
    assert_int_equal(pick(&b, &f, 0x51), NO_SLOT); /* 2 cannot, and nobody else may */
    assert_int_equal(looked(&b, &f, NO_SLOT), 4);
    f.view.at_barrier = 4;
    assert_int_equal(pick(&b, &f, 0x51), 4);
    issue(&b, &f, 4);
    f.view.resident &= ~0x41ull;
    f.view.at_barrier = 0;
    assert_int_equal(pick(&b, &f, 0x14), 2); /* round the end, past those that have gone */
    unbind_policies(&b);
}

/* Of six active warps the one at place 2 issues twice: the list turns by three places each time, and is as before. */
static void two_levels_turn_as_far_again_for_a_second_instruction(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "two-level", NULL);
    fake_view_fill(&f, 0, 64, 0);
    const struct policy_hooks *h = &b.instance->hooks;
    h->order.call.cycle(h->order.self, &f.view, 0);
    issue(&b, &f, 4);
    assert_int_equal(pick(&b, &f, UINT64_MAX), 6);
    issue(&b, &f, 4);
    assert_int_equal(pick(&b, &f, UINT64_MAX), 0);
    f.view.cycle++;
    issue(&b, &f, 2);
    assert_int_equal(pick(&b, &f, UINT64_MAX), 4);
    unbind_policies(&b);
}

/* Four CTAs of two slots each; CTA 2, in slots 4 and 5, came first, then 0, 1 and 3. */
static void view_of_four_ctas(struct fake_view *f, uint32_t sm)
{
    static const uint16_t age_of_cta[] = { 1, 2, 0, 3 };
    fake_view_fill(f, sm, 8, 0);
    for (uint16_t slot = 0; slot < 8; slot++) {
        f->scheduler_of[slot] = 0;
        f->cta[slot] = slot / 2;
        f->age[slot] = age_of_cta[slot / 2] * 2u + slot % 2;
    }
    f->scheduler_slots[0] = UINT64_MAX;
}

/* Groups of two CTAs from the oldest on: { 2, 0 } and { 1, 3 }. The first has the SM as long as one of its warps is ready; inside a
 * group warps take turns. */
static void owl_prefers_the_first_group_of_ctas(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "owl", NULL);
    view_of_four_ctas(&f, 0);
    static const uint32_t turns[] = { 1, 4, 5, 0, 1 };
    for (uint32_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        assert_int_equal(pick(&b, &f, 0xff), turns[i]);
        issue(&b, &f, turns[i]);
    }
    assert_int_equal(pick(&b, &f, 0xcc), 2); /* all of the first group wait: CTAs 1 and 3 */
    issue(&b, &f, 2);
    assert_int_equal(pick(&b, &f, 0xdc), 4); /* one of the first group is back */
    /* CTA 2 has ended: the groups are { 0, 1 } and { 3 }. */
    f.view.resident = 0xcf;
    issue(&b, &f, 4);
    assert_int_equal(pick(&b, &f, 0xcf), 0);
    assert_int_equal(pick(&b, &f, 0xcc), 2);
    assert_int_equal(pick(&b, &f, 0xc0), 6);
    unbind_policies(&b);
}

/* Neighbours begin with other groups, so that consecutive CTAs do not ask the same banks of DRAM at once. */
static void owl_spreads_groups_over_sms(void **state)
{
    (void)state;
    static const struct {
        const char *spread, *ctas;
        uint32_t even, odd;
    } forms[] = { { "policy.owl.spread=true", "policy.owl.group_ctas=2", 4, 6 },
                  { "policy.owl.spread=false", "policy.owl.group_ctas=2", 4, 4 },
                  { "policy.owl.spread=true", "policy.owl.group_ctas=1", 4, 2 },
                  { "policy.owl.spread=true", "policy.owl.group_ctas=4", 4, 4 } };
    for (uint32_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        for (uint32_t sm = 0; sm < 2; sm++) {
            struct bound b;
            struct fake_view f;
            bind_policies(&b, "owl", (const char *const[]){ forms[i].spread, forms[i].ctas, NULL });
            view_of_four_ctas(&f, sm);
            const uint32_t expected = sm ? forms[i].odd : forms[i].even;
            issue(&b, &f, expected - 1); /* the turn is at the slot that is expected, if its group is */
            assert_int_equal(pick(&b, &f, 0xff), expected);
            assert_int_equal(pick(&b, &f, 0x80), 7); /* all others wait, however many groups they are */
            unbind_policies(&b);
        }
}

/* Six warps are active and take turns; one that reads what a load wrote goes to the end of the pool, whose head comes. */
static void two_levels_issue_from_the_active_warps(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "two-level", NULL);
    fake_view_fill(&f, 0, 16, 0); /* of scheduler 0: 0 2 4 .. 14; the pool also has the empty slots 16 .. 62 */
    const struct policy_hooks *h = &b.instance->hooks;
    h->order.call.cycle(h->order.self, &f.view, 0);
    assert_int_equal(pick(&b, &f, 0x5555), 0);
    assert_int_equal(pick(&b, &f, 0x5000), NO_SLOT); /* 12 and 14 are not active */
    issue(&b, &f, 0);
    assert_int_equal(pick(&b, &f, 0x5555), 2);
    f.view.reads_loaded = 1 << 2 | 1 << 4;
    h->order.call.cycle(h->order.self, &f.view, 0); /* 12 and 14 come for 2 and 4, after the others */
    f.view.reads_loaded = 0;
    assert_int_equal(pick(&b, &f, 0x5555), 6);
    assert_int_equal(pick(&b, &f, 0x5000), 12);
    assert_int_equal(pick(&b, &f, 0x14), NO_SLOT);
    unbind_policies(&b);
}

/* An SM that sleeps for a while finds the lists as if it had looked at them in every cycle, in the order in which they stand. */
static void two_levels_make_up_for_cycles_that_were_slept(void **state)
{
    (void)state;
    static const uint64_t leave[] = { 0,      UINT64_MAX,     0x5555,        1 << 4,
                                      0x1555, 0x41 | 1 << 20, ~(1ull << 62), ~(1ull << 2 | 1ull << 40) };
    for (uint32_t i = 0; i < sizeof leave / sizeof leave[0]; i++)
        for (uint32_t slept = 1; slept < 300; slept += slept < 100 ? 1 : 7) {
            struct bound awake, asleep;
            struct fake_view f;
            bind_policies(&awake, "two-level", NULL);
            bind_policies(&asleep, "two-level", NULL);
            fake_view_fill(&f, 0, 64, 0);
            f.view.reads_loaded = leave[i];
            const struct policy_hooks *a = &awake.instance->hooks, *s = &asleep.instance->hooks;
            for (uint32_t n = 0; n <= slept; n++)
                a->order.call.cycle(a->order.self, &f.view, 0);
            s->order.call.cycle(s->order.self, &f.view, 0);
            s->order.call.slept(s->order.self, &f.view, slept);
            for (uint64_t left = UINT64_MAX; pick(&awake, &f, left) != NO_SLOT; left &= ~(1ull << pick(&awake, &f, left)))
                assert_int_equal(pick(&asleep, &f, left), pick(&awake, &f, left));
            a->order.call.cycle(a->order.self, &f.view, 0); /* the pool goes on alike */
            s->order.call.cycle(s->order.self, &f.view, 0);
            assert_int_equal(pick(&asleep, &f, UINT64_MAX), pick(&awake, &f, UINT64_MAX));
            unbind_policies(&awake);
            unbind_policies(&asleep);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(round_robin_looks_as_far_as_the_one_that_issues),
                                        cmocka_unit_test(two_levels_look_at_the_active_warps_and_as_far_as_the_one_that_issues),
                                        cmocka_unit_test(orders_of_four_warps),
                                        cmocka_unit_test(round_robin_goes_round),
                                        cmocka_unit_test(strict_round_robin_waits_for_the_turn),
                                        cmocka_unit_test(two_levels_turn_as_far_again_for_a_second_instruction),
                                        cmocka_unit_test(owl_prefers_the_first_group_of_ctas),
                                        cmocka_unit_test(owl_spreads_groups_over_sms),
                                        cmocka_unit_test(two_levels_issue_from_the_active_warps),
                                        cmocka_unit_test(two_levels_make_up_for_cycles_that_were_slept) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
