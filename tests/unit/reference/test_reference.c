/* The reference's slips one by one, each beside what a machine of its own does. */
#include "cmocka_all.h"
#include "ptx/ptx.h"
#include "reference/reference.h"

/* Warp 0 arrives and goes on, warp 1 waits: a barrier for two. */
static void barriers_wake_whoever_arrived(void **state)
{
    (void)state;
    struct front_barrier b = { 0 };
    uint64_t woken;
    front_barrier_arrive(&b, 0, 2, false);
    assert_false(front_barrier_complete(&b, 0xF, false, &woken));
    assert_false(reference_barrier(&b, 0xF, false, &woken));
    front_barrier_arrive(&b, 1, 2, true);
    assert_true(front_barrier_complete(&b, 0xF, false, &woken));
    assert_int_equal(woken, 2);
    assert_true(reference_barrier(&b, 0xF, false, &woken));
    assert_int_equal(woken, 3);
}

static void who_arrives_twice_counts_once(void **state)
{
    (void)state;
    struct front_barrier b = { 0 };
    uint64_t woken;
    front_barrier_arrive(&b, 0, 2, false);
    front_barrier_arrive(&b, 0, 2, false);
    assert_true(front_barrier_complete(&b, 3, false, &woken));
    assert_false(reference_barrier(&b, 3, false, &woken));
}

/* Warps 0 and 1 wait for three; warp 2 ends: the two that live are all there. A barrier that counts is none for us then. */
static void an_end_completes_counted_barriers_too(void **state)
{
    (void)state;
    struct front_barrier b = { 0 };
    uint64_t woken;
    front_barrier_arrive(&b, 0, 3, true);
    front_barrier_arrive(&b, 1, 3, true);
    assert_false(reference_barrier(&b, 3, false, &woken));
    assert_true(reference_barrier(&b, 3, true, &woken));
    assert_false(front_barrier_complete(&b, 3, true, &woken));
    b.expected = 0;
    assert_true(front_barrier_complete(&b, 3, true, &woken));
    assert_true(reference_barrier(&b, 3, false, &woken));
}

static uint64_t immediate(const char *constant, ptx_integer *integer)
{
    char text[512];
    struct error err = { 0 };
    const int length = snprintf(text, sizeof text,
                                ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k()\n"
                                "{ .reg .b64 %%d<2>; and.b64 %%d1, %%d0, %s; ret; }\n",
                                constant);
    struct ptx_module *module = ptx_parse_as("test.ptx", text, (size_t)length, integer, &err);
    if (!module)
        fail_msg("%s", err.text);
    const uint64_t bits = module->functions[0].code[0].src[1].bits;
    ptx_free(module);
    return bits;
}

static void integers_keep_32_bits(void **state)
{
    (void)state;
    assert_int_equal(immediate("-4294967296", NULL), (uint64_t)-4294967296);
    assert_int_equal(immediate("-4294967296", reference_integer), 0);
    assert_int_equal(immediate("0xFFFFFFFF", reference_integer), UINT64_MAX);
    assert_int_equal(immediate("-2147483648", reference_integer), (uint64_t)INT32_MIN);
    assert_int_equal(immediate("2147483647", reference_integer), INT32_MAX);
}

/* Of 48 sets (mask 101111) those from 16 to 31 are never used. */
static void sets_are_masked(void **state)
{
    (void)state;
    struct tag_geometry g = { .sets = 48, .ways = 1, .line_bytes = 128, .sectors = 1 };
    uint32_t index = SET_INDEX_XOR;
    reference_mask_sets(&index, 48);
    assert_int_equal(index, SET_INDEX_XOR);
    index = SET_INDEX_LINEAR;
    reference_mask_sets(&index, 64);
    assert_int_equal(index, SET_INDEX_LINEAR);
    reference_mask_sets(&index, 48);
    g.index = (enum set_index)index;
    struct tag_array *t = tag_array_new(&g);
    assert_int_equal(tag_array_set(t, 15 * 128), 15);
    assert_int_equal(tag_array_set(t, 16 * 128), 0);
    assert_int_equal(tag_array_set(t, 47 * 128), 47);
    assert_int_equal(tag_array_set(t, 49 * 128), 33);
    tag_array_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_wake_whoever_arrived),
        cmocka_unit_test(who_arrives_twice_counts_once),
        cmocka_unit_test(an_end_completes_counted_barriers_too),
        cmocka_unit_test(integers_keep_32_bits),
        cmocka_unit_test(sets_are_masked),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
