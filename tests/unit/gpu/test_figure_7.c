/* The worked example of Mascar (Sethia et al., HPCA 2015), figure 7, on a whole SM with one MSHR: a load P is in flight, W0's load
 * finds the MSHR taken, and W1's data are in the L1.
 *
 * (a) Without re-execution W0 holds the LSU, W1's line is pushed out before W1 gets to the L1, and W1 must load it again.
 * (b) With a re-execution queue of one entry W0 steps aside, W1 hits, W2 is refused and stays with the LSU, W3 waits behind it, and
 * W1 computes while the others wait.
 *
 * In the figure P's reply pushes W1's line out. This L1 gives a line its way when the miss is sent, so that W0's own miss does it:
 * the same lines go, in the same order. */
#include "cmocka_all.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "script_front.h"

#include <string.h>

enum { P, W0, W1, W2, W3, WARPS };
enum { LINE = 128, SHARED_LINE = 0xC0000000 };

static const struct front_clock *timer;
static uint32_t loads, adds;
static struct {
    uint32_t warp;
    uint64_t cycle;
} load[WARPS], add[WARPS];

static uint64_t shared_line(struct script_lane l)
{
    return (void)l, SHARED_LINE;
}

/* W1 loads the line that all have loaded before; the others load one of their own. */
static uint64_t own_line(struct script_lane l)
{
    if (l.lane == 0) {
        load[loads].warp = l.warp;
        load[loads++].cycle = timer->cycle;
    }
    return l.warp == W1 ? SHARED_LINE : SHARED_LINE + (1ull + l.warp) * LINE;
}

static uint64_t note_addition(struct script_lane l)
{
    if (l.lane == 0) {
        add[adds].warp = l.warp;
        add[adds++].cycle = timer->cycle;
    }
    return 0;
}

static const struct script_row kernel[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = shared_line },
    { .class = CLASS_INT_ADD, .dst = 2, .src = { 1 } },
    { .class = CLASS_BARRIER },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 3, .address = own_line },
    { .class = CLASS_INT_ADD, .dst = 4, .src = { 3 }, .address = note_addition },
    { .class = CLASS_EXIT },
};

struct counts {
    uint64_t hits, merged, misses, refused, stalled, hit_behind, under_miss, full_stalls;
};

static uint64_t counter(const struct gpu *gpu, const struct kernel_result *k, const char *group, const char *name)
{
    uint32_t count;
    const struct stat_group *const *groups = gpu_stat_groups(gpu, &count);
    for (uint32_t g = 0; g < count; g++)
        if (strcmp(groups[g]->name, group) == 0)
            for (const struct stat_counter *c = groups[g]->counters; c->name; c++)
                if (strcmp(c->name, name) == 0)
                    return *(const uint64_t *)((const char *)k->counters[g] + c->offset);
    return 0;
}

static const char *const machine[] = { "gpu.sms=1",       "sm.schedulers=1",   "sm.probe_stalled=true", "l1.sets=1", "l1.ways=2",
                                       "l1.index=linear", "l1.mshr_entries=1", "l1.hit_latency=1",      NULL };

static struct counts run(const char *policies, const char *setting)
{
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct policy_set *set = policy_set_new(NULL, policies, &err);
    policy_set_add_params(set, space);
    bool ok = param_load(space, "gtx480", &err);
    for (const char *const *s = machine; *s && ok; s++)
        ok = param_set_assignment(space, *s, "test", &err);
    if (!ok || (setting && !param_set_assignment(space, setting, "test", &err)))
        fail_msg("%s", err.text);
    struct gpu *gpu = gpu_new(config, set, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    timer = gpu_clock(gpu);
    loads = adds = 0;
    struct front *front = script_front(kernel, sizeof kernel / sizeof kernel[0], 1, 32 * WARPS);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    const struct counts c = { counter(gpu, &result, "l1", "hits"),
                              counter(gpu, &result, "l1", "merged"),
                              counter(gpu, &result, "l1", "misses"),
                              counter(gpu, &result, "l1", "refused.mshr_entry"),
                              counter(gpu, &result, "sm", "lsu.data"),
                              counter(gpu, &result, "sm", "lsu.data_hit_behind"),
                              counter(gpu, &result, "mascar_reexec", "hits_under_miss"),
                              counter(gpu, &result, "mascar_reexec", "queue.full_stalls") };
    kernel_result_clear(&result);
    script_front_free(front);
    gpu_free(gpu);
    policy_set_free(set);
    param_space_free(space);
    machine_config_free(config);
    assert_int_equal(loads, WARPS);
    assert_int_equal(adds, WARPS);
    return c;
}

static uint64_t added_at(uint32_t warp)
{
    for (uint32_t i = 0; i < WARPS; i++)
        if (add[i].warp == warp)
            return add[i].cycle;
    fail();
    return 0;
}

static void test_a_stalled_lsu_loses_a_hit(void **state)
{
    (void)state;
    const struct counts c = run("oldest", NULL);
    for (uint32_t i = 0; i < WARPS; i++) {
        assert_int_equal(load[i].warp, i); /* P, W0, W1, W2, W3, as they were issued... */
        assert_int_equal(add[i].warp, i);  /* ...so they are served, one by one */
    }
    assert_int_equal(c.hits, 0);           /* W1's line is gone when W1 gets there */
    assert_int_equal(c.merged, WARPS - 1); /* the first load, of all warps */
    assert_int_equal(c.misses, 1 + WARPS);
    assert_true(c.hit_behind > 0 && c.hit_behind < c.stalled); /* while W0 waits for P's MSHR, not when W1's line is gone */
}

static void test_b_a_queue_of_one_entry_lets_it_hit(void **state)
{
    (void)state;
    (void)run("oldest", NULL);
    const uint64_t baseline_w3 = added_at(W3), baseline_w1 = added_at(W1), p_served = added_at(P);
    const struct counts c = run("oldest,mascar-reexec", "policy.mascar-reexec.queue_entries=1");
    assert_int_equal(add[0].warp, W1); /* computes first, before P's data have come */
    assert_int_equal(add[1].warp, P);
    assert_int_equal(added_at(P), p_served);
    assert_true(added_at(W1) < baseline_w1);
    assert_true(added_at(W3) < baseline_w3); /* "allowing W3 to be issued to the LSU earlier" */
    assert_int_equal(c.hits, 1);
    assert_int_equal(c.under_miss, 1);
    assert_int_equal(c.merged, WARPS - 1);
    assert_int_equal(c.misses, WARPS); /* one load less than in (a) */
    assert_true(c.full_stalls > 0);    /* W3 waits: W0 has the queue's entry, W2 the LSU */
    assert_int_equal(c.hit_behind, 0); /* nobody's data wait in the L1 */
}

/* A longer queue changes nothing here but that W3 is tried, too. */
static void test_b_with_a_longer_queue(void **state)
{
    (void)state;
    const struct counts c = run("oldest,mascar-reexec", "policy.mascar-reexec.queue_entries=8");
    assert_int_equal(add[0].warp, W1);
    assert_int_equal(c.hits, 1);
    assert_int_equal(c.misses, WARPS);
    assert_int_equal(c.full_stalls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stalled_lsu_loses_a_hit),
        cmocka_unit_test(test_b_a_queue_of_one_entry_lets_it_hit),
        cmocka_unit_test(test_b_with_a_longer_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
