/* mbarrier: phases, tokens, parities, arrivals of every kind; lanes and warps that wait for each other; what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "program_test.h"

#define BARRIER ".shared .align 8 .b64 bar;\n.shared .align 8 .b64 second;\n.shared .align 4 .b32 word;\n"

static struct program *run(const char *body, uint32_t block)
{
    struct program *p = new_program(BARRIER, body);
    p->block = block;
    must_run(p);
    return p;
}

static void is_refused(const char *body, const char *with)
{
    must_fail(new_program(BARRIER, body), with);
}

/* One thread: every answer by hand. */
static void phases_end_when_nobody_is_missing(void **state)
{
    (void)state;
    struct program *p =
        run("setp.ne.u32 %p0, %t, 0;\n@%p0 bra END;\nmbarrier.init.shared.b64 [bar], 3;\n"
            "mbarrier.arrive.shared.b64 %q1, [bar];\nmbarrier.pending_count.b64 %r2, %q1;\n"               /* 3 before it */
            "mbarrier.test_wait.shared.b64 %p1, [bar], %q1;\nselp.u32 %r3, 1, 0, %p1;\n"                   /* 0 */
            "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;\nselp.u32 %r4, 1, 0, %p2;\n"              /* the one before: 1 */
            "mbarrier.arrive.noComplete.shared.b64 %q2, [bar], 1;\nmbarrier.pending_count.b64 %r5, %q2;\n" /* 2 */
            "mbarrier.arrive_drop.shared.b64 %q3, [bar];\n" /* the last; two are left for the next phase */
            "mbarrier.test_wait.shared.b64 %p3, [bar], %q1;\nselp.u32 %r6, 1, 0, %p3;\n"      /* 1 */
            "mbarrier.test_wait.parity.shared.b64 %p4, [bar], 1;\nselp.u32 %r7, 1, 0, %p4;\n" /* the new one: 0 */
            "mbarrier.arrive.shared.b64 %q4, [bar];\nmbarrier.pending_count.b64 %r8, %q4;\n"  /* 2 */
            "mbarrier.arrive.shared.b64 _, [bar];\n"
            "mbarrier.try_wait.shared.b64 %p5, [bar], %q4, 100;\nselp.u32 %r9, 1, 0, %p5;\n" /* 1 */
            "mbarrier.inval.shared.b64 [bar];\n"
            "st.global.v4.u32 [%outs], {%r2, %r3, %r4, %r5};\nst.global.v4.u32 [%outs+16], {%r6, %r7, %r8, %r9};\nEND:",
            32);
    static const uint32_t wanted[8] = { 3, 0, 1, 2, 1, 0, 2, 1 };
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(p->out[i], wanted[i]);
    free(p);
}

/* Bytes that are announced keep the phase open until they have come. */
static void announced_bytes_are_waited_for(void **state)
{
    (void)state;
    struct program *p = run("setp.ne.u32 %p0, %t, 0;\n@%p0 bra END;\nmbarrier.init.shared.b64 [bar], 1;\n"
                            "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %q1, [bar], 48;\n"
                            "mbarrier.test_wait.shared.b64 %p1, [bar], %q1;\nselp.u32 %r2, 1, 0, %p1;\n"
                            "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;\n"
                            "mbarrier.test_wait.shared.b64 %p1, [bar], %q1;\nselp.u32 %r3, 1, 0, %p1;\n"
                            "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 32;\n"
                            "mbarrier.test_wait.shared.b64 %p1, [bar], %q1;\nselp.u32 %r4, 1, 0, %p1;\n"
                            "st.global.u32 [%outs], %r2;\nst.global.u32 [%outs+4], %r3;\nst.global.u32 [%outs+8], %r4;\nEND:",
                            32);
    assert_int_equal(p->out[0], 0);
    assert_int_equal(p->out[1], 0);
    assert_int_equal(p->out[2], 1);
    free(p);
}

/* Warp 0 stores a word between two barriers in memory, round after round; the others read it. */
static const char ping_pong[] =
    "setp.ne.u32 %p0, %t, 0;\n@%p0 bra READY;\nmbarrier.init.shared.b64 [bar], 32;\nmbarrier.init.shared.b64 [second], 96;\n"
    "READY:\nbar.sync 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nsetp.lt.u32 %p1, %t, 32;\n@!%p1 bra CONSUME;\n"
    "PRODUCE:\nst.shared.u32 [word], %r2;\nmbarrier.arrive.shared.b64 %q1, [bar];\nand.b32 %r4, %r2, 1;\n"
    "WAIT1:\nmbarrier.test_wait.parity.shared.b64 %p2, [second], %r4;\n@!%p2 bra WAIT1;\n"
    "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 20;\n@%p3 bra PRODUCE;\nbra DONE;\n"
    "CONSUME:\nand.b32 %r4, %r2, 1;\nWAIT2:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], %r4;\n@!%p2 bra WAIT2;\n"
    "ld.shared.u32 %r5, [word];\nmad.lo.u32 %r3, %r3, 3, %r5;\nmbarrier.arrive.shared.b64 %q1, [second];\n"
    "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 20;\n@%p3 bra CONSUME;\nDONE:\nst.global.u32 [%out], %r3;";

static void producers_and_consumers_take_turns(void **state)
{
    (void)state;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < 20; i++)
        wanted = wanted * 3 + i;
    struct program *p = run(ping_pong, 128);
    for (uint32_t t = 32; t < 128; t++)
        assert_int_equal(p->out[t], wanted);
    assert_true(p->result.warp_instructions < 20000); /* who asks in vain lets the others go on */
    free(p);
}

static void count_race(void *context, const char *kernel, const char *text)
{
    (void)kernel;
    (void)text;
    ++*(uint32_t *)context;
}

static void the_detector_of_races_knows_it_for_a_barrier(void **state)
{
    (void)state;
    struct program *p = calloc(1, sizeof *p);
    uint32_t told = 0;
    p->before = BARRIER;
    p->body = ping_pong;
    p->block = 128;
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .races = true, .race = count_race, .race_context = &told };
    if (!program_run(p))
        fail_msg("%s", p->err.text);
    assert_int_equal(told, 0);
    free(p);
}

/* Lanes of one warp: those that wait let the one that arrives late run. */
static void lanes_of_a_warp_wait_for_each_other(void **state)
{
    (void)state;
    struct program *p =
        run("setp.ne.u32 %p0, %t, 0;\n@%p0 bra READY;\nmbarrier.init.shared.b64 [bar], 32;\nREADY:\nbar.warp.sync -1;\n"
            "setp.lt.u32 %p1, %t, 31;\n@!%p1 bra LATE;\nmbarrier.arrive.shared.b64 %q1, [bar];\n"
            "WAIT:\nmbarrier.test_wait.shared.b64 %p2, [bar], %q1;\n@!%p2 bra WAIT;\nld.shared.u32 %r2, [word];\nbra DONE;\n"
            "LATE:\nst.shared.u32 [word], 77;\nmbarrier.arrive.shared.b64 %q1, [bar];\nmov.u32 %r2, 77;\n"
            "DONE:\nst.global.u32 [%out], %r2;",
            32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(p->out[t], 77);
    free(p);
}

/* Copies count as arrived when they are made: without .noinc nothing changes, with it one is missing less. */
static void copies_arrive(void **state)
{
    (void)state;
    struct program *p = run("setp.ne.u32 %p0, %t, 0;\n@%p0 bra END;\nmbarrier.init.shared.b64 [bar], 2;\n"
                            "cp.async.ca.shared.global [word], [%ins], 4;\ncp.async.mbarrier.arrive.shared.b64 [bar];\n"
                            "mbarrier.arrive.shared.b64 %q1, [bar];\nmbarrier.pending_count.b64 %r2, %q1;\n"
                            "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"
                            "mbarrier.test_wait.shared.b64 %p1, [bar], %q1;\nselp.u32 %r3, 1, 0, %p1;\n"
                            "st.global.u32 [%outs], %r2;\nst.global.u32 [%outs+4], %r3;\nEND:",
                            32);
    assert_int_equal(p->out[0], 2);
    assert_int_equal(p->out[1], 1);
    free(p);
}

static void misuse_is_told(void **state)
{
    (void)state;
    is_refused("mbarrier.arrive.shared.b64 %q1, [bar];", "no mbarrier is there");
    is_refused("mbarrier.init.shared.b64 [bar], 0;", "1 to 1048575 are possible");
    is_refused("mbarrier.init.shared.b64 [bar], 41;\nmbarrier.arrive.shared.b64 _, [bar], 2;",
               "arrive at an mbarrier that waits for");
    is_refused("mbarrier.init.shared.b64 [bar], 32;\nmbarrier.arrive.noComplete.shared.b64 %q1, [bar], 1;", "not allowed here");
    is_refused("mbarrier.init.shared.b64 [bar], 32;\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 600000;",
               "cannot wait for 1200000 bytes: 1048575 are the most");
    is_refused("mbarrier.init.shared.b64 [bar+4], 32;", "misaligned");
    is_refused("mbarrier.init.b64 [%outs], 32;", "lies in the block's shared memory");
    is_refused("setp.eq.u32 %p0, %t, 0;\nmov.u64 %q1, bar;\ncvta.shared.u64 %q1, %q1;\nselp.u64 %q2, %q1, %outs, %p0;\n"
               "mbarrier.init.b64 [%q2], 32;",
               "lies in the block's shared memory"); /* the first lane's does */
}

/* A wait in vain ends with the run's limit; what it waits for is said meanwhile. */
static void waiting_in_vain_is_told(void **state)
{
    (void)state;
    char text[1000] = "";
    FILE *said = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_non_null(said);
    assert_true(dup2(fileno(said), STDERR_FILENO) >= 0);
    struct program *p = calloc(1, sizeof *p);
    p->before = BARRIER;
    p->body = "mbarrier.init.shared.b64 [bar], 33;\nmbarrier.arrive.shared.b64 %q1, [bar];\n"
              "WAIT:\nmbarrier.test_wait.shared.b64 %p0, [bar], %q1;\n@!%p0 bra WAIT;";
    const bool ok = program_run(p);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    (void)close(kept);
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = 0;
    (void)fclose(said);
    assert_false(ok);
    if (!strstr(text, "1 of 33 arrivals and 0 bytes are missing"))
        fail_msg("it should say what is missing: %s", text);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_end_when_nobody_is_missing),
        cmocka_unit_test(announced_bytes_are_waited_for),
        cmocka_unit_test(producers_and_consumers_take_turns),
        cmocka_unit_test(the_detector_of_races_knows_it_for_a_barrier),
        cmocka_unit_test(lanes_of_a_warp_wait_for_each_other),
        cmocka_unit_test(copies_arrive),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(waiting_in_vain_is_told),
    };
    return cmocka_run_group_tests_name("mbarrier", tests, NULL, NULL);
}
