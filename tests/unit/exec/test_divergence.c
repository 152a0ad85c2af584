/* Control flow: branches that part a warp, loops, exits, switches, calls; and barriers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "program_test.h"

static void nested_ifs_meet_again(void **state)
{
    (void)state;
    struct program *p = new_program(
        NULL, "mov.u32 %r2, 0;\n"
              "setp.lt.u32 %p0, %t, 20;\n@!%p0 bra L4;\n"
              "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %t, 7;\n@!%p1 bra L2;\nadd.u32 %r2, %r2, 10;\nbra L3;\n"
              "L2:\nadd.u32 %r2, %r2, 20;\nand.b32 %r3, %t, 1;\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra L3;\nadd.u32 %r2, %r2, 100;\n"
              "L3:\nadd.u32 %r2, %r2, 1000;\nbra L5;\n"
              "L4:\nadd.u32 %r2, %r2, 5;\n"
              "L5:\nactivemask.b32 %r4;\nst.global.u32 [%out], %r2;\nst.global.u32 [%out+128], %r4;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t want = t >= 20 ? 5 : t < 7 ? 1011 : t % 2 ? 1121 : 1021;
        assert_int_equal(p->out[t], want);
        assert_int_equal(p->out[32 + t], 0xffffffff); /* all lanes are back together at L5 */
    }
    free(p);
}

/* Lanes 8 to 15 leave between the branch and A. The others meet at A, or, as in the reference, run it path by path. */
static void lanes_meet_before_the_end_or_at_it(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct program *p = new_program(NULL, "setp.lt.u32 %p0, %t, 8;\nsetp.lt.u32 %p1, %t, 16;\n@%p0 bra A;\n@%p1 ret;\n"
                                              "A:\nactivemask.b32 %r4;\nst.global.u32 [%out], %r4;");
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .reconverge_late = late };
        must_run(p);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(p->out[t], t >= 8 && t < 16 ? 0 : !late ? 0xffff00ff : t < 8 ? 0xff : 0xffff0000);
        free(p);
    }
}

/* Whoever comes second finds the other path's mark in shared memory: the lanes that branch go first, whichever lanes they are. */
static void the_lanes_that_branch_go_first(void **state)
{
    (void)state;
    static const char *const taken_by[] = { "lt", "ge" }; /* the low half of the warp, the high half */
    for (int side = 0; side < 2; side++) {
        char body[512];
        (void)snprintf(body, sizeof body,
                       "mov.u32 %%r2, 0;\nst.shared.u32 [mark], %%r2;\n"
                       "setp.%s.u32 %%p0, %%t, 16;\n@%%p0 bra TAKEN;\n"
                       "ld.shared.u32 %%r3, [mark];\nmov.u32 %%r2, 1;\nst.shared.u32 [mark], %%r2;\nbra MEET;\n"
                       "TAKEN:\nld.shared.u32 %%r3, [mark];\nmov.u32 %%r2, 2;\nst.shared.u32 [mark], %%r2;\n"
                       "MEET:\nst.global.u32 [%%out], %%r3;",
                       taken_by[side]);
        struct program *p = new_program(".shared .align 4 .b8 mark[4];\n", body);
        must_run(p);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(p->out[t], (t < 16) == (side == 0) ? 0 : 2);
        free(p);
    }
}

static void loops_break_and_continue_per_lane(void **state)
{
    (void)state;
    /* for (n = 0, s = 0; n < 50; n++) { if (n == tid) break; if (n & 1) continue; s += n; } */
    struct program *p =
        new_program(NULL, "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
                          "LOOP:\nsetp.ge.u32 %p0, %r2, 50;\n@%p0 bra DONE;\nsetp.eq.u32 %p1, %r2, %t;\n@%p1 bra DONE;\n"
                          "and.b32 %r4, %r2, 1;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra NEXT;\nadd.u32 %r3, %r3, %r2;\n"
                          "NEXT:\nadd.u32 %r2, %r2, 1;\nbra LOOP;\n"
                          "DONE:\nst.global.u32 [%out], %r3;");
    p->block = 64;
    must_run(p);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t s = 0;
        for (uint32_t n = 0; n < 50 && n != t; n++)
            s += n % 2 ? 0 : n;
        assert_int_equal(p->out[t], s);
    }
    free(p);
}

static void early_exit_leaves_the_rest_running(void **state)
{
    (void)state;
    struct program *p = new_program(NULL, "and.b32 %r2, %t, 3;\nsetp.eq.u32 %p0, %r2, 1;\n@%p0 exit;\n"
                                          "setp.eq.u32 %p1, %r2, 2;\n@%p1 ret;\n"
                                          "bar.sync 0;\nactivemask.b32 %r3;\nst.global.u32 [%out], %r3;");
    p->block = 64;
    must_run(p);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(p->out[t], t % 4 == 1 || t % 4 == 2 ? 0 : 0x99999999);
    free(p);
}

static void a_warp_that_exits_frees_the_barrier(void **state)
{
    (void)state;
    struct program *p =
        new_program(NULL, "setp.lt.u32 %p0, %t, 32;\n@%p0 bra OUT_;\nbar.sync 0;\nst.global.u32 [%out], %t;\nOUT_:\n");
    p->block = 128;
    must_run(p);
    assert_int_equal(p->out[31], 0);
    assert_int_equal(p->out[127], 127);
    free(p);
}

static void lanes_that_only_wait_to_return_do_not_hold_the_barrier(void **state)
{
    (void)state;
    struct program *p = new_program(NULL, "setp.ge.u32 %p0, %t, 40;\n@%p0 bra DONE;\nst.global.u32 [%out], %t;\nbar.sync "
                                          "0;\nld.global.u32 %r2, [%outs+4];\nadd.u32 %r2, %r2, %t;\n"
                                          "st.global.u32 [%out], %r2;\nDONE:\n");
    p->block = 64;
    must_run(p);
    for (uint32_t t = 2; t < 64; t++)
        assert_true(p->out[t] >= (t < 40 ? t + 1 : 0) && p->out[t] <= (t < 40 ? t + 2 : 0)); /* word 1 may have been raised */
    free(p);
}

static void brx_goes_to_each_lanes_target(void **state)
{
    (void)state;
    struct program *p = new_program(
        NULL, "and.b32 %r2, %t, 3;\nmov.u32 %r3, 0;\nT: .branchtargets A, B, C, B;\nbrx.idx %r2, T;\n"
              "A:\nmov.u32 %r3, 100;\nbra E;\nB:\nmov.u32 %r3, 200;\nbra E;\nC:\nmov.u32 %r3, 300;\n"
              "E:\nadd.u32 %r3, %r3, %t;\nactivemask.b32 %r5;\nst.global.u32 [%out], %r3;\nst.global.u32 [%out+128], %r5;");
    must_run(p);
    static const uint32_t value[] = { 100, 200, 300, 200 };
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], value[t % 4] + t);
        assert_int_equal(p->out[32 + t], 0xffffffff);
    }
    free(p);
}

static const char fibonacci[] =
    ".func (.param .b32 result) fib(.param .b32 n)\n{\n.reg .pred %p;\n.reg .b32 %r<6>;\nld.param.b32 %r0, [n];\n"
    "setp.lt.u32 %p, %r0, 2;\n@%p bra SMALL;\n"
    "sub.u32 %r1, %r0, 1;\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\ncall (b), fib, (a);\nld.param.b32 %r2, [b]; }\n"
    "sub.u32 %r3, %r0, 2;\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3;\ncall (b), fib, (a);\nld.param.b32 %r4, [b]; }\n"
    "add.u32 %r0, %r2, %r4;\nSMALL:\nst.param.b32 [result], %r0;\nret;\n}\n";

static void recursion_keeps_a_frame_per_lane(void **state)
{
    (void)state;
    struct program *p = new_program(fibonacci, "and.b32 %r2, %t, 15;\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2;\ncall "
                                               "(b), fib, (a);\nld.param.b32 %r3, [b]; }\n"
                                               "st.global.u32 [%out], %r3;");
    uint32_t f[16] = { 0, 1 };
    for (int i = 2; i < 16; i++)
        f[i] = f[i - 1] + f[i - 2];
    must_run(p);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(p->out[t], f[t % 16]);
    free(p);
}

static void endless_recursion_is_an_error(void **state)
{
    (void)state;
    must_fail(new_program(".func down(.param .b32 n)\n{\n.reg .b32 %r;\nld.param.b32 %r, [n];\n"
                          "{ .param .b32 a; st.param.b32 [a], %r;\ncall down, (a); }\nret;\n}\n",
                          "{ .param .b32 a; st.param.b32 [a], %t;\ncall down, (a); }\n"),
              "call stack overflows");
}

static const char two_functions[] =
    ".func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 %x;\nld.param.b32 %x, [n];\nadd.u32 %x, %x, %x;\nst.param.b32 [r], "
    "%x;\nret;\n}\n"
    ".func (.param .b32 r) odd(.param .b32 n)\n{\n.reg .b32 %x;\n.reg .pred %p;\nld.param.b32 %x, [n];\nsetp.gt.u32 %p, %x, 20;\n"
    "st.param.b32 [r], 7;\n@%p ret;\nadd.u32 %x, %x, 1000;\nst.param.b32 [r], %x;\nret;\n}\n";

static void calls_under_divergence_return_to_their_lanes(void **state)
{
    (void)state;
    struct program *p = new_program(
        two_functions,
        "and.b32 %r2, %t, 1;\nsetp.eq.u32 %p0, %r2, 0;\nmov.u32 %r3, 1;\n@%p0 bra EVEN;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\ncall (b), odd, (a);\nld.param.b32 %r3, [b]; }\nbra JOIN;\n"
        "EVEN:\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\ncall (b), twice, (a);\nld.param.b32 %r3, [b]; }\n"
        "JOIN:\nactivemask.b32 %r5;\nst.global.u32 [%out], %r3;\nst.global.u32 [%out+128], %r5;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], t % 2 == 0 ? 2 * t : t > 20 ? 7 : 1000 + t);
        assert_int_equal(p->out[32 + t], 0xffffffff);
    }
    free(p);
}

static void indirect_calls_may_differ_by_lane(void **state)
{
    (void)state;
    struct program *p = new_program(
        two_functions, "mov.u64 %q2, twice;\nmov.u64 %q3, odd;\nsetp.lt.u32 %p0, %t, 11;\nselp.b64 %q4, %q2, %q3, %p0;\n"
                       "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                       "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\ncall (b), %q4, (a), P;\nld.param.b32 %r3, [b]; }\n"
                       "activemask.b32 %r5;\nst.global.u32 [%out], %r3;\nst.global.u32 [%out+128], %r5;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], t < 11 ? 2 * t : t > 20 ? 7 : 1000 + t);
        assert_int_equal(p->out[32 + t], 0xffffffff);
    }
    free(p);
}

static void a_call_to_no_function_is_an_error(void **state)
{
    (void)state;
    must_fail(new_program(two_functions, "mov.u64 %q4, 12345;\nP: .callprototype _ (.param .b32 _);\n"
                                         "{ .param .b32 a; st.param.b32 [a], %t;\ncall %q4, (a), P; }\n"),
              "where no function is");
}

static void divergent_barriers_are_diagnosed(void **state)
{
    (void)state;
    static const char body[] = "setp.lt.u32 %p0, %t, 5;\n@%p0 bra L;\nbar.sync 0;\nL:\nadd.u32 %r2, %r2, 1;\n";
    must_fail(new_program(NULL, body), "barrier in divergent code: lanes 0xffffffe0");
    struct program *p = new_program(NULL, body);
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .allow_divergent_barriers = true };
    must_run(p);
    free(p);
}

static void a_barrier_that_some_warps_never_reach_is_a_deadlock(void **state)
{
    (void)state;
    struct program *p = new_program(NULL, "setp.lt.u32 %p0, %t, 32;\n@%p0 bra A;\nbar.sync 1;\nbra B;\nA:\nbar.sync 2;\nB:\n");
    p->block = 64;
    must_fail(p, "deadlock");
}

static void barriers_reduce_over_the_block(void **state)
{
    (void)state;
    struct program *p = new_program(
        NULL,
        "setp.lt.u32 %p0, %t, 37;\nbar.red.popc.u32 %r2, 0, %p0;\nbar.red.and.pred %p1, 0, %p0;\nbar.red.or.pred %p2, 0, %p0;\n"
        "selp.u32 %r3, 10000, 0, %p1;\nselp.u32 %r4, 1000, 0, %p2;\nadd.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\nst.global.u32 "
        "[%out], %r2;");
    p->block = 96;
    must_run(p);
    for (uint32_t t = 0; t < 96; t++)
        assert_int_equal(p->out[t], 1037);
    free(p);
}

static void named_barriers_hand_over_between_warps(void **state)
{
    (void)state;
    /* warp 0 produces and arrives, warp 1 waits for it: 64 threads take part */
    struct program *p = new_program(".shared .align 4 .b8 s[128];\n",
                                    "and.b32 %r2, %t, 31;\nmul.lo.u32 %r3, %r2, 4;\nmov.u32 %r4, s;\nadd.u32 %r4, %r4, "
                                    "%r3;\nsetp.ge.u32 %p0, %t, 32;\n@%p0 bra WAIT;\n"
                                    "mul.lo.u32 %r5, %t, 3;\nst.shared.u32 [%r4], %r5;\nbar.arrive 3, 64;\nbra E;\n"
                                    "WAIT:\nbar.sync 3, 64;\nld.shared.u32 %r6, [%r4];\nst.global.u32 [%out], %r6;\nE:\n");
    p->block = 64;
    must_run(p);
    for (uint32_t t = 32; t < 64; t++)
        assert_int_equal(p->out[t], (t - 32) * 3);
    free(p);
}

static void guards_false_everywhere_still_issue(void **state)
{
    (void)state;
    struct program *p = new_program(NULL, "setp.gt.u32 %p0, %t, 100;\n@%p0 add.u32 %r2, %r2, 1;\n@%p0 st.global.u32 [%out], %t;\n");
    must_run(p);
    /* 9 of the prologue, setp, two that no lane executes, ret */
    assert_int_equal(p->result.warp_instructions, 13);
    assert_int_equal(p->result.thread_instructions, 11 * 32);
    free(p);
}

static void blocks_may_wait_for_later_blocks(void **state)
{
    (void)state;
    /* block 0 spins until the last of 4 blocks has raised a flag: without residency it would never end */
    struct program *p = new_program(NULL, "mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p0, %r2, 3;\n@%p0 st.global.u32 [%outs+4096], "
                                          "1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra OVER;\n"
                                          "SPIN:\nld.volatile.global.u32 %r3, [%outs+4096];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra "
                                          "SPIN;\nOVER:\nst.global.u32 [%out], 5;");
    p->grid = 4;
    must_run(p);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(p->out[i], 5);
    free(p);
}

/* Lane 0 polls what the other warp sets late. The lanes that wait for it go on after a while, but not in the reference. */
static void lanes_that_wait_for_a_spinning_one_go_on(void **state)
{
    (void)state;
    for (int never = 0; never < 2; never++) {
        struct program *p =
            new_program(NULL, "setp.gt.u32 %p0, %t, 31;\n@%p0 bra OTHER;\n"
                              "setp.ne.u32 %p1, %t, 0;\n@%p1 bra MEET;\n"
                              "SPIN:\nld.volatile.global.u32 %r3, [%outs+4096];\nsetp.eq.u32 %p2, %r3, 0;\n"
                              "@%p2 bra SPIN;\n"
                              "MEET:\nactivemask.b32 %r4;\nst.global.u32 [%out], %r4;\nbra E;\n"
                              "OTHER:\nmov.u32 %r5, 0;\nLATE:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p3, %r5, 9000;\n@%p3 bra "
                              "LATE;\nst.global.u32 [%outs+4096], 1;\nE:\n");
        p->block = 64;
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .never_yield = never };
        must_run(p);
        assert_int_equal(p->out[1], never ? 0xffffffff : 0xfffffffe);
        free(p);
    }
}

static void a_grid_can_meet_when_it_is_launched_cooperatively(void **state)
{
    (void)state;
    /* every block adds one, then spins until all 8 have */
    struct program *p =
        new_program(NULL, "setp.ne.u32 %p0, %t, 0;\n@%p0 bra OVER;\natom.global.add.u32 %r2, [%outs+4096], 1;\n"
                          "SPIN:\nld.volatile.global.u32 %r3, [%outs+4096];\nsetp.lt.u32 %p1, %r3, 8;\n@%p1 bra SPIN;\n"
                          "OVER:\nbar.sync 0;\nst.global.u32 [%out], 1;");
    p->grid = 8;
    p->block = 64;
    p->cooperative = true;
    must_run(p);
    assert_int_equal(p->out[511], 1);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_ifs_meet_again),
        cmocka_unit_test(loops_break_and_continue_per_lane),
        cmocka_unit_test(early_exit_leaves_the_rest_running),
        cmocka_unit_test(a_warp_that_exits_frees_the_barrier),
        cmocka_unit_test(lanes_that_only_wait_to_return_do_not_hold_the_barrier),
        cmocka_unit_test(brx_goes_to_each_lanes_target),
        cmocka_unit_test(recursion_keeps_a_frame_per_lane),
        cmocka_unit_test(endless_recursion_is_an_error),
        cmocka_unit_test(calls_under_divergence_return_to_their_lanes),
        cmocka_unit_test(indirect_calls_may_differ_by_lane),
        cmocka_unit_test(a_call_to_no_function_is_an_error),
        cmocka_unit_test(lanes_meet_before_the_end_or_at_it),
        cmocka_unit_test(divergent_barriers_are_diagnosed),
        cmocka_unit_test(a_barrier_that_some_warps_never_reach_is_a_deadlock),
        cmocka_unit_test(barriers_reduce_over_the_block),
        cmocka_unit_test(named_barriers_hand_over_between_warps),
        cmocka_unit_test(the_lanes_that_branch_go_first),
        cmocka_unit_test(guards_false_everywhere_still_issue),
        cmocka_unit_test(blocks_may_wait_for_later_blocks),
        cmocka_unit_test(lanes_that_wait_for_a_spinning_one_go_on),
        cmocka_unit_test(a_grid_can_meet_when_it_is_launched_cooperatively),
    };
    return cmocka_run_group_tests_name("divergence", tests, NULL, NULL);
}
