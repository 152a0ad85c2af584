/* The re-execution queue under random instructions and a random L1: every transaction is taken once, instructions of a warp with a
 * store among them are taken in order, and when the L1 takes everything, all that was pushed comes out. */
#include "../unit/policy/fake_machine.h"

enum { LSU_WARPS = 8, TRANSACTIONS = 4, DEPTH_MAX = 6, STEPS = 40000 };

struct transaction {
    uint32_t instruction;
    uint16_t warp;
    bool write, out;
};
struct drive {
    struct bound b;
    uint64_t random;
    uint32_t depth, pushed, taken, instructions;
    struct transaction all[STEPS];
    struct policy_access coming; /* in the dispatch register; `left` of it still to be pushed */
    uint32_t left, coming_instruction;
    uint32_t pipeline[DEPTH_MAX], pipeline_count;
};

static uint64_t draw(struct drive *d, uint64_t below)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 7;
    d->random ^= d->random << 17;
    return (d->random >> 11) % below;
}

static struct request *handle(uint32_t n)
{
    return (struct request *)(uintptr_t)(64 * (n + 1ull));
}

static struct policy_access describe(const struct drive *d, uint32_t n)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, n * 128ull, 32);
    a.request = handle(n);
    a.warp = d->all[n].warp;
    a.write = d->all[n].write;
    return a;
}

static void dispatch(struct drive *d, const struct policy_hooks *h)
{
    if (!d->left && d->pushed < STEPS - TRANSACTIONS) {
        d->left = 1 + (uint32_t)draw(d, TRANSACTIONS);
        d->coming_instruction = d->instructions++;
        d->coming = fake_load(LEVEL_L1, 0, 0, 32);
        d->coming.warp = (uint16_t)draw(d, LSU_WARPS);
        d->coming.write = draw(d, 3) == 0;
        d->coming.pc = draw(d, 3) * 8;
        d->coming.transactions = (uint8_t)d->left;
    }
    if (!d->left)
        return;
    d->coming.request = handle(d->pushed);
    if (!h->lsu.call.push(h->lsu.self, &d->coming))
        return;
    d->all[d->pushed++] = (struct transaction){ d->coming_instruction, d->coming.warp, d->coming.write, false };
    d->left--;
}

/* Nothing older of the same warp, of another instruction, may still be inside when one of the two is a store. */
static void check_order(const struct drive *d, uint32_t n)
{
    const struct transaction *t = &d->all[n];
    for (uint32_t i = n > 400 ? n - 400 : 0; i < n; i++) {
        const struct transaction *older = &d->all[i];
        if (!older->out && older->warp == t->warp && older->instruction != t->instruction)
            assert_false(older->write || t->write);
    }
}

static void l1_answers(struct drive *d, const struct policy_hooks *h, bool takes)
{
    if (!d->pipeline_count)
        return;
    const uint32_t n = d->pipeline[0];
    for (uint32_t i = 1; i < d->pipeline_count; i++)
        d->pipeline[i - 1] = d->pipeline[i];
    d->pipeline_count--;
    const struct policy_access a = describe(d, n);
    if (!takes) {
        assert_int_equal(hooks_refused(&h->cache[LEVEL_L1], &a, CAUSE_MSHR_ENTRY), REFUSAL_RECYCLE);
        h->lsu.call.returned(h->lsu.self, 0, a.request, CAUSE_MSHR_ENTRY);
        return;
    }
    assert_false(d->all[n].out);
    check_order(d, n);
    d->all[n].out = true;
    d->taken++;
    hooks_accessed(&h->cache[LEVEL_L1], &a, a.write ? OUTCOME_WRITE_MISS : OUTCOME_MISS, 0);
}

static void feed_pipeline(struct drive *d, const struct policy_hooks *h)
{
    struct request *r = d->pipeline_count < d->depth ? h->lsu.call.next(h->lsu.self, 0, 0) : NULL;
    if (!r)
        return;
    h->lsu.call.taken(h->lsu.self, 0, r);
    d->pipeline[d->pipeline_count++] = (uint32_t)((uintptr_t)r / 64 - 1);
}

static void drive_queue(const char *policy, uint32_t entries, uint32_t depth)
{
    static struct drive d;
    d = (struct drive){ .random = 88172645463325252u + entries, .depth = depth };
    char setting[64];
    (void)snprintf(setting, sizeof setting, "policy.%s.queue_entries=%u", policy, entries);
    bind_policies(&d.b, policy, (const char *const[]){ setting, NULL });
    const struct policy_hooks *h = &d.b.instance->hooks;
    for (uint32_t step = 0; step < STEPS; step++) {
        const bool calm = step % 500 < 100;           /* phases in which most is taken, and in which little is */
        if (d.pipeline_count == depth || draw(&d, 2)) /* so that the pipeline holds several */
            l1_answers(&d, h, draw(&d, 100) < (calm ? 90u : 15u));
        feed_pipeline(&d, h);
        dispatch(&d, h);
        const char *which = NULL;
        assert_null(policy_instance_broken(d.b.instance, &which));
    }
    for (uint32_t step = 0; d.taken < d.pushed; step++) {
        assert_true(step < 1000);
        l1_answers(&d, h, true);
        feed_pipeline(&d, h);
    }
    assert_true(d.pushed > STEPS / 10);
    unbind_policies(&d.b);
}

static void order_holds(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth <= DEPTH_MAX; depth += 5)
        for (uint32_t entries = 1; entries <= 32; entries *= 2) {
            drive_queue("mascar", entries, depth);
            drive_queue("mascar-reexec", entries, depth);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(order_holds) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
