/* What a warp waits for, and from when on it does not. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "sm/sm_state.h"

static const struct inst load = { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .dst = { 1 }, .ndst = 1 };

struct bench {
    struct sm *sm;
    struct l1_config l1;
    struct front_warp front;
};

static int open_bench(void **state)
{
    struct bench *b = must_calloc(1, sizeof *b);
    b->sm = must_calloc_aligned(1, sizeof *b->sm);
    b->sm->l1_config = &b->l1; /* no flush: there is no L1 */
    b->front.next = &load;
    struct sm_warp *warp = &b->sm->warp[0];
    warp->front = &b->front;
    warp->reserved = &warp->few[0];
    warp->loading = &warp->few[1];
    warp->long_op = &warp->few[2];
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    free(b->sm);
    free(b);
    return 0;
}

/* Registers are released before and while the LSU makes its access of a cycle, which must find the L1 as it was: the schedulers,
 * which come after, end the fence. */
static void a_fence_ends_when_the_schedulers_look(void **state)
{
    struct bench *b = *state;
    warp_reserve(b->sm, 0, &load, SPACE_GLOBAL);
    warp_start_fence(b->sm, 0);
    warp_look_at_waiting(b->sm, 0);
    assert_int_equal(b->sm->waiting, 1);
    warp_end_fences(b->sm, 0);
    assert_int_equal(b->sm->waiting, 1);
    warp_release(b->sm, 0, 1);
    assert_true(b->sm->warp[0].fence);
    assert_int_equal(b->sm->waiting, 1);
    warp_end_fences(b->sm, 0);
    assert_false(b->sm->warp[0].fence);
    assert_int_equal(b->sm->waiting, 0);
    assert_int_equal(b->sm->fences_over | b->sm->fences_unseen, 0);
}

static void not_yet(struct sm *sm, uint64_t now)
{
    (void)sm, (void)now;
}

/* Whoever takes the end of fences for his own empties the L1 when he sees them. */
static void a_fence_empties_the_l1_when_it_is_seen(void **state)
{
    struct bench *b = *state;
    b->sm->otherwise.fences_over = not_yet;
    warp_reserve(b->sm, 0, &load, SPACE_GLOBAL);
    warp_start_fence(b->sm, 0);
    warp_release(b->sm, 0, 1);
    warp_end_fences(b->sm, 0);
    assert_int_equal(b->sm->fences_unseen, 1);
    warp_see_fences(b->sm, 2);
    assert_int_equal(b->sm->fences_unseen, 1);
    warp_see_fences(b->sm, 3);
    assert_int_equal(b->sm->fences_unseen, 0);
}

/* With nothing to wait for it is over as it is issued: the scheduler looks at the warp once more in that cycle, before the LSU's
 * next access. */
static void a_fence_without_registers_is_over_at_once(void **state)
{
    struct bench *b = *state;
    warp_start_fence(b->sm, 0);
    warp_look_at_waiting(b->sm, 0);
    assert_false(b->sm->warp[0].fence);
    assert_int_equal(b->sm->waiting, 0);
    assert_int_equal(b->sm->fences_over | b->sm->fences_unseen, 0);
}

/* Whoever limits the warps that run must be asked again when one starts to wait and when it stops. */
static void gates_are_asked_again_when_a_warp_waits(void **state)
{
    struct bench *b = *state;
    warp_look_at_waiting(b->sm, 0);
    assert_false(b->sm->gate_stale);
    b->sm->warp[0].atomics = 1;
    warp_look_at_waiting(b->sm, 0);
    assert_true(b->sm->gate_stale);
    b->sm->gate_stale = false;
    b->sm->warp[0].atomics = 0;
    warp_look_at_waiting(b->sm, 0);
    assert_true(b->sm->gate_stale);
}

/* What a load wrote stays marked in the next kernel, whether that needs as many words per warp or more. */
static void marks_of_loads_outlive_a_kernel(void **state)
{
    struct bench *b = *state;
    struct inst code[2] = { load, { .class = CLASS_MOVE, .dst = { 70 }, .ndst = 1 } };
    struct front front = { .launch = { .code = code, .code_count = 1 } };
    b->sm->warp_count = 2;
    sm_kernel_start(b->sm, &front, NULL, 1, false);
    warp_reserve(b->sm, 1, &load, SPACE_GLOBAL);
    assert_int_equal(*b->sm->warp[1].long_op, 2);
    warp_release(b->sm, 1, 1);
    sm_kernel_start(b->sm, &front, NULL, 1, false);
    assert_int_equal(*b->sm->warp[1].long_op, 2);
    front.launch.code_count = 2;
    sm_kernel_start(b->sm, &front, NULL, 1, false);
    assert_int_equal(b->sm->warp[1].long_op[0], 2);
    assert_int_equal(b->sm->warp[1].long_op[1], 0);
    assert_int_equal(b->sm->warp[1].reserved[0] | b->sm->warp[1].reserved[1] | b->sm->warp[1].loading[0], 0);
    assert_int_equal(b->sm->warp[0].long_op[0], 0);
    front.launch.code_count = 1;
    sm_kernel_start(b->sm, &front, NULL, 1, false);
    assert_int_equal(*b->sm->warp[1].long_op, 2);
    free(b->sm->register_bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fence_ends_when_the_schedulers_look, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_fence_empties_the_l1_when_it_is_seen, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_fence_without_registers_is_over_at_once, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(gates_are_asked_again_when_a_warp_waits, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(marks_of_loads_outlive_a_kernel, open_bench, close_bench)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
