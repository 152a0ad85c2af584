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
    struct sm_config config;
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

/* Lane 0 in local memory, lane 1 in a module's variable, lane 2 in the heap: each counts with its own address, whichever space the
 * access is taken for. Variables come before local memory, as in the reference, though their addresses here do not. */
static void several_spaces(void **state)
{
    struct bench *b = *state;
    b->l1 = (struct l1_config){ .enabled = true, .line_bytes = 128 };
    b->sm->l1_config = &b->l1;
    *b->sm = (struct sm){ .l1_config = &b->l1, .config = b->sm->config, .sms = 15, .warps_per_cta = 1, .max_ctas = 8 };
    b->op->inst = &b->inst;
    b->op->warp = 0;
    b->address[0] = 8;
    b->address[1] = 0x60000100;
    b->address[2] = SM_HEAP_BASE + 256;
    const uint64_t word = 4ull * 32 * 8 * 15, expected[] = { 0x60000100, 0x1F880000 + 2 * word, SM_HEAP_BASE + 256 };
    const struct warp_step step = { .inst = &b->inst, .active = 7, .executed = 7, .local_lanes = 1, .address = b->address };
    static const uint8_t spaces[] = { SPACE_GLOBAL, SPACE_LOCAL };
    for (uint32_t i = 0; i < 2; i++) {
        b->inst = (struct inst){ .class = CLASS_LOAD, .space = SPACE_GENERIC, .element_bytes = 4 };
        b->op->space = spaces[i];
        coalesce(b->sm, b->op, &step);
        assert_int_equal(b->op->access_count, 3);
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(b->op->access[k].address, expected[k]);
    }
    b->inst.element_bytes = 8; /* a second word of local memory, and address 0 for the other lanes' */
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->access_count, 5);
    assert_int_equal(b->op->access[0].address, 0);
    assert_int_equal(b->op->access[0].lanes, 6);
    assert_int_equal(b->op->access[2].address, 0x1F880000 + 2 * word);
    assert_int_equal(b->op->access[3].address, 0x1F880000 + 3 * word);
}

/* As shared memory: the bank of a lane in local memory is that of its place there. */
static void several_spaces_in_banks(void **state)
{
    struct bench *b = *state;
    *b->sm = (struct sm){ .config = &b->config, .sms = 15, .warps_per_cta = 1, .max_ctas = 8 };
    b->inst = (struct inst){ .class = CLASS_LOAD, .space = SPACE_GENERIC, .element_bytes = 4 };
    b->op->inst = &b->inst;
    b->op->space = SPACE_SHARED;
    b->op->warp = 0;
    b->address[0] = b->address[1] = b->address[2] = 0;
    struct warp_step step = { .inst = &b->inst, .active = 7, .executed = 7, .local_lanes = 1, .address = b->address };
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->delay, 2); /* lane 0's word is another one in the same bank */
    step.local_lanes = 6;              /* words of lanes 1 and 2 lie side by side */
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->delay, 1);
}

/* Half-warps share no transaction, whatever they touch, and their conflicts in shared memory add up. */
static void parts_of_a_warp(void **state)
{
    struct bench *b = *state;
    b->sm->config = &b->config;
    b->config.warp_parts = 2;
    b->executed = UINT32_MAX;
    for (uint32_t lane = 0; lane < 32; lane++)
        b->address[lane] = FROM + (lane ^ 31) * 4;
    run(b);
    assert_int_equal(b->op->access_count, 2);
    assert_int_equal(b->op->transactions, 2);
    assert_int_equal(b->op->access[0].address, FROM + 64); /* the first half's comes first, though its address is the higher one */
    assert_int_equal(b->op->access[0].lanes, 0xFFFF);
    assert_int_equal(b->op->access[1].address, FROM);
    b->executed = 0xFFFF0001; /* lane 16 reads what lane 0 reads */
    b->address[16] = b->address[0];
    run(b);
    assert_int_equal(b->op->access_count, 2);
    assert_int_equal(b->op->access[0].lanes, 1);
    b->op->space = SPACE_SHARED;
    for (uint32_t lane = 0; lane < 32; lane++)
        b->address[lane] = lane < 16 ? 0 : lane % 4 * 128; /* a broadcast, and four words in one bank */
    struct warp_step step = { .inst = &b->inst, .active = UINT32_MAX, .executed = UINT32_MAX, .address = b->address };
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->delay, 1 + 4);
    step.executed = 0xFFFF0000;
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->delay, 4);
    b->config.warp_parts = 1;
    step.executed = UINT32_MAX;
    coalesce(b->sm, b->op, &step);
    assert_int_equal(b->op->delay, 4);
}

static int open_bench(void **state)
{
    struct bench *b = must_calloc(1, sizeof *b);
    b->sm = must_calloc_aligned(1, sizeof *b->sm);
    b->op = must_calloc_aligned(1, sizeof *b->op);
    op_take_accesses(b->sm, b->op);
    b->config = (struct sm_config){ .shared_banks = 32, .warp_parts = 1 };
    b->sm->config = &b->config;
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
                                        cmocka_unit_test_setup_teardown(several_spaces, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(several_spaces_in_banks, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(parts_of_a_warp, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(words_in_disorder, open_bench, close_bench),
                                        cmocka_unit_test_setup_teardown(local_memory, open_bench, close_bench) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
