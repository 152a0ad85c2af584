/* From lanes' addresses to transactions: every lane in one of them, with its bytes and sectors, whichever way the addresses were
 * looked at. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "base/near.h"
#include "sm/sm_state.h"

enum { FROM = 0x10000 };

struct bench {
    struct sm *sm;
    struct sm_op *op;
    struct l1_config l1;
    struct inst inst;
    uint64_t address[32];
    uint32_t executed;
};

static void run(struct bench *b)
{
    b->l1 = (struct l1_config){ .enabled = true, .line_bytes = 128 };
    b->inst = (struct inst){ .class = CLASS_LOAD, .space = SPACE_GLOBAL, .element_bytes = 4 };
    b->sm->l1_config = &b->l1;
    b->op->inst = &b->inst;
    b->op->space = SPACE_GLOBAL;
    const struct warp_step step = {
        .inst = &b->inst, .active = UINT32_MAX, .executed = b->executed, .space = SPACE_GLOBAL, .address = b->address
    };
    coalesce(b->sm, b->op, &step);
}

/* What one transaction should say of the lanes it names: their bytes, and the least of 32, 64 or 128 aligned bytes that holds
 * these. */
static void check_access(const struct bench *b, const struct sm_access *a)
{
    struct byte_mask mask = { { 0 } };
    uint32_t sectors = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (!(a->lanes >> lane & 1))
            continue;
        assert_true(b->address[lane] >= a->address && b->address[lane] + 4 <= a->address + a->bytes);
        const uint32_t at = (uint32_t)(b->address[lane] & 127);
        mask.word[at / 64] |= 15ull << at % 64;
        sectors |= 1u << at / 32;
    }
    assert_memory_equal(&a->mask, &mask, sizeof mask);
    assert_int_equal(a->sectors, sectors);
    assert_int_equal(a->address % a->bytes, 0);
    const uint32_t first = (uint32_t)__builtin_ctz(sectors), last = 31 - (uint32_t)__builtin_clz(sectors);
    assert_int_equal(a->bytes, first == last ? 32 : first / 2 == last / 2 ? 64 : 128);
}

static void check(const struct bench *b, uint32_t count)
{
    uint32_t lanes = 0;
    assert_int_equal(b->op->access_count, count);
    assert_int_equal(b->op->transactions, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sm_access *a = &b->op->access[i];
        assert_true(a->lanes && !(lanes & a->lanes));
        assert_true(!i || b->op->access[i - 1].address < a->address); /* in order of address */
        lanes |= a->lanes;
        check_access(b, a);
    }
    assert_int_equal(lanes, b->executed);
}

static void words_in_order(void **state)
{
    struct bench *b = *state;
    for (uint32_t offset = 0; offset < 128; offset += 4)
        for (int partial = 0; partial < 2; partial++) { /* a missing lane in the middle: looked at lane by lane */
            for (uint32_t lane = 0; lane < 32; lane++)
                b->address[lane] = FROM + offset + lane * 4;
            b->executed = partial ? ~(1u << 16) : UINT32_MAX;
            run(b);
            check(b, offset ? 2 : 1);
        }
}

static void words_in_disorder(void **state)
{
    struct bench *b = *state;
    b->executed = UINT32_MAX;
    for (uint32_t lane = 0; lane < 32; lane++)
        b->address[lane] = FROM + (lane ^ 5) * 4; /* within a segment */
    run(b);
    check(b, 1);
    for (uint32_t lane = 0; lane < 32; lane++)
        b->address[lane] = FROM + lane * 8; /* every other word of two */
    run(b);
    check(b, 2);
    b->address[31] = FROM + 4096; /* in order but for the last */
    for (uint32_t lane = 0; lane < 31; lane++)
        b->address[lane] = FROM + lane * 4;
    run(b);
    check(b, 2);
}

/* Local words of a CTA's threads lie side by side, then those of the other SMs, from the reference's base on: 3 GB less 80 windows
 * of 96 KB of shared memory and 80 times 2048 threads of 16 KB. */
static void local_memory(void **state)
{
    struct bench *b = *state;
    b->l1 = (struct l1_config){ .enabled = true, .line_bytes = 128 };
    b->inst = (struct inst){ .class = CLASS_LOAD, .space = SPACE_LOCAL, .element_bytes = 8 };
    b->sm->l1_config = &b->l1;
    b->sm->id = 3;
    b->sm->sms = 15;
    b->sm->warps_per_cta = 2;
    b->sm->max_ctas = 8;
    b->op->inst = &b->inst;
    b->op->space = SPACE_LOCAL;
    b->op->warp = 5; /* the second warp of the third CTA */
    for (uint32_t lane = 0; lane < 32; lane++)
        b->address[lane] = 16;
    const struct warp_step step = {
        .inst = &b->inst, .active = UINT32_MAX, .executed = UINT32_MAX, .space = SPACE_LOCAL, .address = b->address
    };
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->access_count, 2); /* two words of each thread */
    for (uint32_t word = 0; word < 2; word++)
        assert_int_equal(b->op->access[word].address, 0x1F880000 + (4 + word) * 4 * (64 * 8 * 15) + 4 * (64 * (3 + 15 * 2) + 32));
}

static int open_bench(void **state)
{
    struct bench *b = must_calloc(1, sizeof *b);
    b->sm = must_calloc_aligned(1, sizeof *b->sm);
    b->op = must_calloc_aligned(1, sizeof *b->op);
    op_take_accesses(b->sm, b->op);
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    near_free(b->op->access);
    free(b->sm);
    free(b->op);
    free(b);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(words_in_order, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(words_in_disorder, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(local_memory, open_bench, close_bench) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
