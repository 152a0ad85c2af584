/* test_l2_slips.c - what the reference does wrong in an L2 slice, and ours only when it is asked for. */
#include "l2_bench.h"
#include "reference/reference.h"

/* The reference's slip, for validation: sectors 2 and 3 of line 1 end up as sectors 2 and 3 of line 2. */
static void on_request_a_store_to_the_upper_half_is_misplaced(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        struct bench b;
        struct l2_config c = small();
        c.sets = 4;
        const struct l2_otherwise slips = reference_l2_ways(&(struct reference_config){ .misplace_upper_half = slip });
        c.otherwise = &slips;
        open_bench(&b, &c);
        push(&b, REQUEST_GLOBAL_WRITE, 128 + 64, 64);
        push(&b, REQUEST_GLOBAL_WRITE, 384, 64); /* a lower half is not */
        assert_int_equal(run_dry(&b), 4);
        push(&b, REQUEST_GLOBAL_READ, slip ? 256 + 96 : 128 + 96, 32);
        push(&b, REQUEST_GLOBAL_READ, 384 + 32, 32);
        assert_int_equal(run_dry(&b), 2);
        assert_int_equal(l2_slice_counters(b.slice)->global_read_hits, 2);
        close_bench(&b);
    }
}

/* The reference's other slip: both sectors of a constant line wait in one entry, whose data fill the first one's sector alone.
 * Whoever reads the line next finds the second sector reserved, with nobody to fill it, and fetches it again. */
static void on_request_a_constant_line_is_fetched_in_two_turns(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        struct bench b;
        struct l2_config c = small();
        const struct l2_otherwise slips = reference_l2_ways(&(struct reference_config){ .constants_share_mshr = slip });
        c.otherwise = &slips;
        open_bench(&b, &c);
        uint32_t fetched[3];
        for (int turn = 0; turn < 3; turn++) {
            push(&b, REQUEST_CONST_READ, 64, 64);
            cycles(&b, 4);
            fetched[turn] = answer_dram(&b);
            assert_int_equal(run_dry(&b), 2);
        }
        assert_int_equal(fetched[0], slip ? 1 : 2);
        assert_int_equal(fetched[1], slip ? 1 : 0);
        assert_int_equal(fetched[2], 0);
        push(&b, REQUEST_GLOBAL_READ, 0, 64); /* only constants */
        cycles(&b, 4);
        assert_int_equal(answer_dram(&b), 2);
        assert_int_equal(run_dry(&b), 2);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_request_a_store_to_the_upper_half_is_misplaced),
        cmocka_unit_test(on_request_a_constant_line_is_fetched_in_two_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
