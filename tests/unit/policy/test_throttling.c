/* swl, dwt-cs and ccws on a machine whose counters the test writes. */
#include "fake_machine.h"

#include <string.h>

static uint64_t run_mask(const struct bound *b, uint32_t sm, uint32_t warps, uint64_t at_barrier)
{
    struct fake_view f;
    fake_view_fill(&f, sm, warps, 0);
    f.view.at_barrier = at_barrier;
    struct policy_gate gate;
    hooks_warp_gate(&b->instance->hooks, &f.view, &gate);
    return gate.run & f.view.resident;
}

static uint32_t warps_of_scheduler(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask & 0x5555555555555555u);
}

static void swl_runs_the_oldest(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "swl", (const char *const[]){ "policy.swl.limit=3", NULL });
    assert_int_equal(run_mask(&b, 0, 48, 0), 0x3f);             /* slots 0 2 4 and 1 3 5 */
    assert_int_equal(run_mask(&b, 0, 4, 0), 0xf);               /* fewer than the limit: all */
    assert_int_equal(run_mask(&b, 0, 48, 0x3) & ~0x3ull, 0xfc); /* 0 and 1 wait at a barrier: 6 and 7 take their places */
    unbind_policies(&b);
}

/* As in GPGPU-Sim: greedy, so that the warp that issued last runs on beside the oldest, until another issues. */
static void swl_lets_the_warp_that_issued_last_go_on(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    const struct inst inst = { .class = CLASS_INT_ADD };
    bind_policies(&b, "swl", (const char *const[]){ "policy.swl.limit=2", NULL });
    fake_view_fill(&f, 0, 48, 0);
    hooks_issued(&b.instance->hooks, &f.view, 9, &inst, UINT32_MAX);
    assert_int_equal(run_mask(&b, 0, 48, 0), 0xf | 1 << 9);
    hooks_issued(&b.instance->hooks, &f.view, 20, &inst, UINT32_MAX); /* the other scheduler's */
    assert_int_equal(run_mask(&b, 0, 48, 0), 0xf | 1 << 9 | 1 << 20);
    hooks_issued(&b.instance->hooks, &f.view, 3, &inst, UINT32_MAX);
    assert_int_equal(run_mask(&b, 0, 48, 0), 0xf | 1 << 20);
    assert_int_equal(b.machine.regated[0], 3);
    hooks_issued(&b.instance->hooks, &f.view, 3, &inst, UINT32_MAX); /* the same again: nothing to ask anew */
    assert_int_equal(b.machine.regated[0], 3);
    unbind_policies(&b);
}

/* ---- dwt-cs ---- */

enum { PERIOD = 10000 };

struct run {
    struct bound b;
    uint64_t cycle;
};

static void start_kernel(struct run *r, const char *name)
{
    const struct policy_kernel k = { .name = name, .cycle = r->cycle };
    hooks_kernel_start(&r->b.instance->hooks, &k);
}

/* One period in which SM i issues instructions[i] thread instructions and misses `mpki` times per thousand of them. */
static void pass_period(struct run *r, const uint64_t *instructions, uint64_t mpki)
{
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++) {
        r->b.machine.totals[sm].thread_instructions += instructions[sm];
        r->b.machine.totals[sm].l1_misses += instructions[sm] * mpki / 1000;
    }
    r->cycle += PERIOD;
    assert_int_equal(r->b.instance->hooks.next_period, r->cycle);
    hooks_serial(&r->b.instance->hooks, r->cycle);
}

static uint32_t limit_of(const struct run *r, uint32_t sm)
{
    return warps_of_scheduler(run_mask(&r->b, sm, 48, 0));
}

static void fill(uint64_t *instructions, uint64_t all)
{
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        instructions[sm] = all;
}

static uint64_t counter_of(const struct run *r, const char *name)
{
    uint64_t counters[64];
    const struct stat_group *g = r->b.instance->self[0].policy->counters;
    assert_true(g->size <= sizeof counters);
    policy_instance_counters(r->b.instance, 0, counters);
    for (const struct stat_counter *c = g->counters; c->name; c++)
        if (!strcmp(c->name, name))
            return counters[c->offset / sizeof counters[0]];
    fail_msg("there is no counter %s", name);
    return 0;
}

static uint64_t settle_cycles(const struct run *r)
{
    return counter_of(r, "settle_cycles");
}

static uint64_t search_cycles(const struct run *r)
{
    return counter_of(r, "search_cycles");
}

static void dwt_cs_takes_the_best_cores_number(void **state)
{
    (void)state;
    struct run r = { 0 };
    uint64_t instructions[FAKE_SMS];
    bind_policies(&r.b, "dwt-cs", NULL);
    start_kernel(&r, "thrashing");
    fill(instructions, 100000);
    for (int period = 0; period < 3; period++) {
        assert_int_equal(limit_of(&r, 0), 24); /* no limit while monitoring */
        pass_period(&r, instructions, 50);
    }
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        assert_int_equal(limit_of(&r, sm), sm + 1);
    instructions[3] = 300000; /* four warps are best */
    for (int period = 0; period < 3; period++) {
        assert_int_equal(limit_of(&r, 14), 15);
        pass_period(&r, instructions, 50);
    }
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++)
        assert_int_equal(limit_of(&r, sm), 4);
    assert_int_equal(settle_cycles(&r), 60000); /* section 4.2: "around 60K cycles" */

    /* The same kernel again: one period above the threshold is enough; another kernel starts from the beginning. */
    start_kernel(&r, "thrashing");
    assert_int_equal(limit_of(&r, 5), 24);
    pass_period(&r, instructions, 50);
    assert_int_equal(limit_of(&r, 5), 4);
    start_kernel(&r, "other");
    pass_period(&r, instructions, 50);
    assert_int_equal(limit_of(&r, 5), 24);
    unbind_policies(&r.b);
}

static void dwt_cs_needs_periods_in_a_row(void **state)
{
    (void)state;
    struct run r = { 0 };
    uint64_t instructions[FAKE_SMS];
    bind_policies(&r.b, "dwt-cs", NULL);
    fill(instructions, 100000);
    start_kernel(&r, "mild");
    static const uint64_t mpki[] = { 50, 50, 10, 50, 50, 9, 50, 50 };
    for (size_t i = 0; i < sizeof mpki / sizeof mpki[0]; i++) {
        pass_period(&r, instructions, mpki[i]); /* exactly the threshold is not above it */
        assert_int_equal(limit_of(&r, 0), 24);
    }
    /* The search is counted from where the thrashing begins, however long the kernel has run. */
    pass_period(&r, instructions, 9);
    for (int period = 0; period < 6; period++)
        pass_period(&r, instructions, 50);
    assert_int_equal(search_cycles(&r), 60000);
    assert_int_equal(settle_cycles(&r), (8 + 7) * 10000);
    unbind_policies(&r.b);
}

static void dwt_cs_samples_again_when_the_last_core_wins(void **state)
{
    (void)state;
    struct run r = { 0 };
    uint64_t instructions[FAKE_SMS];
    bind_policies(&r.b, "dwt-cs", NULL);
    fill(instructions, 100000);
    start_kernel(&r, "wide");
    instructions[14] = 200000;
    for (int period = 0; period < 6; period++)
        pass_period(&r, instructions, 50);
    assert_int_equal(limit_of(&r, 0), 16);
    assert_int_equal(limit_of(&r, 8), 24);
    assert_int_equal(limit_of(&r, 9), 15); /* nothing left to try: the first round's winner */
    fill(instructions, 100000);
    instructions[2] = 200000;
    for (int period = 0; period < 3; period++)
        pass_period(&r, instructions, 50);
    assert_int_equal(limit_of(&r, 7), 18);
    unbind_policies(&r.b);
}

/* Thrashes for `periods` periods, in which each SM's loads go past its L1 instead of missing in it, if asked. */
static void thrash(struct run *r, int periods, bool around)
{
    uint64_t instructions[FAKE_SMS];
    fill(instructions, 100000);
    for (int period = 0; period < periods; period++) {
        for (uint32_t sm = 0; sm < FAKE_SMS && around; sm++)
            r->b.machine.totals[sm].l1_bypassed += 5000;
        pass_period(r, instructions, around ? 0 : 50);
    }
}

static void dwt_cs_counts_loads_past_a_closed_l1_and_forgets_the_oldest_kernel(void **state)
{
    (void)state;
    struct run r = { 0 };
    bind_policies(&r.b, "dwt-cs", (const char *const[]){ "policy.dwt-cs.memory=2", NULL });
    start_kernel(&r, "a");
    thrash(&r, 6, true);
    assert_int_equal(limit_of(&r, 0), 1); /* all cores are alike, so the fewest warps */
    start_kernel(&r, "b");
    assert_int_equal(limit_of(&r, 0), 24); /* until the kernel's end */
    thrash(&r, 6, false);
    start_kernel(&r, "a");
    thrash(&r, 1, false);
    assert_int_equal(limit_of(&r, 0), 1);
    start_kernel(&r, "c");
    thrash(&r, 6, false);
    assert_int_equal(counter_of(&r, "remembered"), 1);
    start_kernel(&r, "b");
    thrash(&r, 1, false);
    assert_int_equal(counter_of(&r, "remembered"), 2);
    start_kernel(&r, "a"); /* c took its place */
    thrash(&r, 1, false);
    assert_int_equal(limit_of(&r, 0), 24);
    assert_int_equal(counter_of(&r, "remembered"), 2);
    unbind_policies(&r.b);
}

/* The limit that is chosen when core 12 issues most and core 3 issues `behind`. */
static uint32_t limit_chosen(uint64_t behind)
{
    struct run r = { 0 };
    uint64_t instructions[FAKE_SMS];
    bind_policies(&r.b, "dwt-cs", NULL);
    start_kernel(&r, "thrashing");
    fill(instructions, 50000);
    instructions[11] = 100000;
    instructions[2] = behind;
    for (int period = 0; period < 6; period++)
        pass_period(&r, instructions, 50);
    const uint32_t limit = limit_of(&r, 0);
    /* What each core issued in the round is told by the number of warps that it tried. */
    assert_int_equal(counter_of(&r, "issued.3"), 3 * behind);
    assert_int_equal(counter_of(&r, "issued.12"), 3 * 100000);
    assert_int_equal(counter_of(&r, "issued.15"), 3 * 50000);
    assert_int_equal(counter_of(&r, "issued.16"), 0);
    unbind_policies(&r.b);
    return limit;
}

static void dwt_cs_takes_fewer_warps_where_they_are_as_good(void **state)
{
    (void)state;
    assert_int_equal(limit_chosen(99999), 12);
    assert_int_equal(limit_chosen(100000), 3);
}

/* ---- ccws ---- */

static void load_misses(struct bound *b, uint16_t warp, uint64_t line, uint32_t way)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, line * 128, 32);
    a.warp = warp;
    a.cycle = 1000;
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MISS, way);
}

static void line_leaves(struct bound *b, uint64_t line, uint32_t way)
{
    const struct policy_evicted e = {
        .address = line * 128, .line = line, .set = (uint32_t)(line % 32), .way = way, .level = LEVEL_L1, .reason = EVICTED_BY_FILL
    };
    hooks_evicted(&b->instance->hooks.cache[LEVEL_L1], &e);
}

static uint64_t may_load(const struct bound *b, uint64_t cycle, uint64_t *again_at)
{
    struct fake_view f;
    fake_view_fill(&f, 0, 48, cycle);
    struct policy_gate gate;
    hooks_warp_gate(&b->instance->hooks, &f.view, &gate);
    *again_at = gate.again_at;
    return gate.loads & f.view.resident;
}

static void issue(struct bound *b, uint32_t count)
{
    struct fake_view f;
    fake_view_fill(&f, 0, 48, 0);
    const struct inst inst = { .class = CLASS_INT_ADD };
    while (count--)
        hooks_issued(&b->instance->hooks, &f.view, 0, &inst, UINT32_MAX);
}

static void start_warps(struct bound *b, uint32_t count)
{
    struct fake_view f;
    fake_view_fill(&f, 0, count, 0);
    for (uint32_t slot = 0; slot < count; slot++)
        hooks_warp_event(&b->instance->hooks.warp_start, &f.view, slot);
}

static void ccws_holds_loads_when_locality_is_lost(void **state)
{
    (void)state;
    struct bound b;
    uint64_t again_at;
    bind_policies(&b, "ccws", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    start_warps(&b, 48);
    const uint64_t all = (1ull << 48) - 1;
    assert_int_equal(may_load(&b, 1000, &again_at), all);
    assert_true(again_at == UINT64_MAX);
    issue(&b, 100);
    load_misses(&b, 7, 5, 0);
    line_leaves(&b, 5, 0);
    load_misses(&b, 8, 5, 0); /* another warp's miss on the line is no loss */
    assert_int_equal(may_load(&b, 1000, &again_at), all);
    line_leaves(&b, 5, 0);    /* this time the line was warp 8's */
    load_misses(&b, 7, 5, 0); /* warp 7 finds the tag of its own line: lost locality */
    /* Score: 1 loss / 100 instructions x 8 x (48 x 100) = 384. Of 48 x 100, 4416 are left for others, the oldest: 44 warps of 100,
     * and the one that reaches the cutoff. */
    assert_int_equal(may_load(&b, 1000, &again_at), (1ull << 46) - 1);
    assert_int_equal(again_at, 1016);
    /* It sinks by one per cycle: 300 leave room for 45 others exactly, 199 for all. At 100 there is nothing to sort any more. */
    assert_int_equal(may_load(&b, 1084, &again_at), (1ull << 46) - 1);
    assert_int_equal(may_load(&b, 1085, &again_at), (1ull << 47) - 1);
    assert_int_equal(may_load(&b, 1184, &again_at), (1ull << 47) - 1);
    assert_int_equal(may_load(&b, 1185, &again_at), all);
    assert_int_equal(again_at, 1201);
    assert_int_equal(may_load(&b, 1284, &again_at), all);
    assert_true(again_at == UINT64_MAX);
    assert_int_equal(b.machine.regated[0], 1);

    /* Half of the warps end: a loss weighs half as much. 2 losses / 100 x 8 x (24 x 100) = 384 again. */
    struct fake_view f;
    fake_view_fill(&f, 0, 48, 0);
    for (uint32_t slot = 24; slot < 48; slot++)
        hooks_warp_event(&b.instance->hooks.warp_end, &f.view, slot);
    line_leaves(&b, 5, 0);
    load_misses(&b, 7, 5, 0);
    assert_int_equal(may_load(&b, 1000, &again_at), (1ull << 46) - 1);
    unbind_policies(&b);
}

static uint64_t losses_of(const struct bound *b)
{
    uint64_t counters[8] = { 0 };
    policy_instance_counters(b->instance, 0, counters);
    return counters[0];
}

/* Of 24 warps: 1 loss / 10 instructions x 8 x (24 x 100) = 1920, which leaves 480 for the five oldest others. Instructions are
 * those of warps, however many threads take part. */
static void ccws_counts_the_instructions_of_warps(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    struct policy_gate gate;
    bind_policies(&b, "ccws", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    start_warps(&b, 24);
    issue(&b, 10);
    load_misses(&b, 7, 5, 0);
    line_leaves(&b, 5, 0);
    load_misses(&b, 7, 5, 0);
    fake_view_fill(&f, 0, 24, 1000);
    hooks_warp_gate(&b.instance->hooks, &f.view, &gate);
    assert_int_equal(gate.loads & f.view.resident, 0x9f);
    assert_int_equal(gate.memory & f.view.resident, 0xffffff); /* loads alone are held back */
    assert_int_equal(gate.run & f.view.resident, 0xffffff);

    /* Many instructions later a loss weighs less: 2 / 100 x 8 x 2400 = 384, in place of the 1920. */
    issue(&b, 90);
    line_leaves(&b, 5, 0);
    load_misses(&b, 7, 5, 0);
    hooks_warp_gate(&b.instance->hooks, &f.view, &gate);
    assert_int_equal(gate.loads & f.view.resident, 0x3fffff);
    unbind_policies(&b);
}

/* Two sets of eight: of nine even lines the first is forgotten, an odd one is not in their way. A tag that was found is gone, and
 * lines that a store took out were not lost to other warps. */
static void ccws_keeps_16_victim_tags_of_a_warp_in_two_sets(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "ccws", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    start_warps(&b, 48);
    issue(&b, 100);
    load_misses(&b, 7, 33, 0);
    line_leaves(&b, 33, 0);
    for (uint64_t line = 2; line <= 18; line += 2) {
        load_misses(&b, 7, line, 0);
        line_leaves(&b, line, 0);
    }
    load_misses(&b, 7, 2, 0);
    assert_int_equal(losses_of(&b), 0);
    load_misses(&b, 7, 4, 0);
    load_misses(&b, 7, 18, 0);
    load_misses(&b, 7, 33, 0);
    assert_int_equal(losses_of(&b), 3);
    load_misses(&b, 7, 4, 0);
    assert_int_equal(losses_of(&b), 3);
    const struct policy_evicted stored = {
        .address = 40 * 128, .line = 40, .set = 8, .level = LEVEL_L1, .reason = EVICTED_BY_STORE
    };
    load_misses(&b, 7, 40, 0);
    hooks_evicted(&b.instance->hooks.cache[LEVEL_L1], &stored);
    load_misses(&b, 7, 40, 0);
    assert_int_equal(losses_of(&b), 3);
    load_misses(&b, 7, 50, 0);
    line_leaves(&b, 50, 0);
    struct policy_access store = fake_load(LEVEL_L1, 0, 50 * 128, 32);
    store.warp = 9;
    store.write = true;
    hooks_accessed(&b.instance->hooks.cache[LEVEL_L1], &store, OUTCOME_WRITE_MISS, NO_WAY); /* whoever wrote it: nothing to lose */
    load_misses(&b, 7, 50, 0);
    assert_int_equal(losses_of(&b), 3);
    start_warps(&b, 48); /* another warp in the slot has lost nothing */
    load_misses(&b, 7, 6, 0);
    assert_int_equal(losses_of(&b), 3);
    unbind_policies(&b);
}

/* A stream never comes back to a line: no tag is ever found. */
static void ccws_leaves_a_stream_alone(void **state)
{
    (void)state;
    struct bound b;
    uint64_t again_at;
    bind_policies(&b, "ccws", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    for (uint64_t line = 0; line < 5000; line++) {
        if (line >= 128)
            line_leaves(&b, line - 128, (uint32_t)(line / 32 % 4));
        load_misses(&b, (uint16_t)(line % 48), line, (uint32_t)(line / 32 % 4));
    }
    assert_int_equal(may_load(&b, 1000, &again_at), (1ull << 48) - 1);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swl_runs_the_oldest),
        cmocka_unit_test(swl_lets_the_warp_that_issued_last_go_on),
        cmocka_unit_test(dwt_cs_takes_the_best_cores_number),
        cmocka_unit_test(dwt_cs_needs_periods_in_a_row),
        cmocka_unit_test(dwt_cs_samples_again_when_the_last_core_wins),
        cmocka_unit_test(dwt_cs_counts_loads_past_a_closed_l1_and_forgets_the_oldest_kernel),
        cmocka_unit_test(dwt_cs_takes_fewer_warps_where_they_are_as_good),
        cmocka_unit_test(ccws_holds_loads_when_locality_is_lost),
        cmocka_unit_test(ccws_counts_the_instructions_of_warps),
        cmocka_unit_test(ccws_keeps_16_victim_tags_of_a_warp_in_two_sets),
        cmocka_unit_test(ccws_leaves_a_stream_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
