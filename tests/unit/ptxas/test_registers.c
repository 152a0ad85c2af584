/* The estimate of registers per thread: one test per mechanism of the model. Numbers in comments are what ptxas 13 gives the same
 * kernel for sm_75; docs/ptx.md says how far estimates lie from ptxas' over many kernels. */
#include "ptx_text.h"

#define KERNEL(body)                                                                                                               \
    PTX_HEAD ".extern .shared .align 16 .b8 dyn[];\n"                                                                              \
             ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .f32 x)\n{\n"                   \
             ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .f32 %f<12>; .reg .b64 %d<40>; .reg .f64 %e<9>;\n"                          \
             "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; mov.u32 %r1, %tid.x; mul.wide.s32 %d3, %r1, 4;\n"                      \
             "add.s64 %d4, %d1, %d3; ld.param.f32 %f10, [x]; mov.f32 %f9, 0f00000000; ld.param.u32 %r2, [n];\n" body " ret;\n}\n"
#define LOAD(to, offset) "ld.global.f32 %f" #to ", [%d4+" #offset "];"
#define ADD(from) "fma.rn.f32 %f9, %f" #from ", %f10, %f9;"
#define RESULT "st.global.f32 [%d4+800], %f9;"
#define EACH_OF_8(DO) DO(1, 4) DO(2, 8) DO(3, 12) DO(4, 16) DO(5, 20) DO(6, 24) DO(7, 28) DO(8, 32)
#define STORE(from, offset) "st.global.f32 [%d4+1" #offset "], %f" #from ";"

static uint32_t estimate(const char *text)
{
    struct ptx_module *m = must_parse(text);
    uint32_t registers = ptx_find_function(m, "k")->register_estimate;
    ptx_free(m);
    return registers;
}

static void test_smallest(void **state)
{
    (void)state;
    assert_int_equal(estimate(PTX_KERNEL("ret;")), 4); /* 4: the stack pointer is register 1, and two are added to the highest */
    /* vector addition; 12 */
    assert_int_equal(
        estimate(KERNEL("ld.param.u64 %d7, [c]; add.s64 %d9, %d2, %d3; add.s64 %d10, %d7, %d3; ld.global.f32 %f1, [%d4];"
                        "ld.global.f32 %f2, [%d9]; add.f32 %f3, %f1, %f2; st.global.f32 [%d10], %f3;")),
        12);
}

/* Loads gather and their results are live together, unless a store to what may be the same place stands between. */
static void test_loads_gather(void **state)
{
    (void)state;
#define LOAD_ADD(to, offset) LOAD(to, offset) ADD(to)
#define LOAD_ADD_STORE(to, offset) LOAD_ADD(to, offset) "st.global.f32 [%d11+" #offset "], %f9;"
#define LOAD_ADD_SHARED(to, offset) LOAD_ADD(to, offset) "st.shared.f32 [dyn+" #offset "], %f9;"
#define READ_ONLY(to, offset) "ld.global.nc.f32 %f" #to ", [%d4+" #offset "];" ADD(to) "st.global.f32 [%d11+" #offset "], %f9;"
#define IN_PLACE(to, offset) LOAD(to, offset) "mul.f32 %f" #to ", %f" #to ", %f10; st.global.f32 [%d4+" #offset "], %f" #to ";"
    uint32_t together = estimate(KERNEL(EACH_OF_8(LOAD_ADD) RESULT)); /* 20 */
    assert_in_range(together, 18, 22);
#define ADD_IT(to, offset) ADD(to)
    assert_in_range(estimate(KERNEL(EACH_OF_8(LOAD) EACH_OF_8(ADD_IT) RESULT)), 13,
                    17); /* 14: loaded in a row, they lie in a row */
    uint32_t apart = estimate(KERNEL("add.s64 %d11, %d2, %d3;" EACH_OF_8(LOAD_ADD_STORE)));
    assert_in_range(apart, 10, together - 4);
    assert_true(estimate(KERNEL(EACH_OF_8(LOAD_ADD_SHARED))) > apart);
    assert_true(estimate(KERNEL("add.s64 %d11, %d2, %d3;" EACH_OF_8(READ_ONLY))) > apart + 4);
    assert_in_range(estimate(KERNEL(EACH_OF_8(IN_PLACE))), 20, 24); /* 22: other offsets from the same base are other places */
}

/* Where there are enough registers, those read together have different parity, until 64 bits are moved at once. */
static void test_banks(void **state)
{
    (void)state;
    uint32_t apart = estimate(KERNEL(EACH_OF_8(LOAD) "bar.sync 0;" EACH_OF_8(STORE))); /* 22 */
    assert_in_range(apart, 20, 24);
    /* addresses or not; 18 */
#define FROM_SHARED(to, offset) "ld.shared.f32 %f" #to ", [dyn+" #offset "];"
#define TO_SHARED(from, offset) "st.shared.f32 [dyn+1" #offset "], %f" #from ";"
    assert_in_range(estimate(KERNEL(EACH_OF_8(FROM_SHARED) "bar.sync 0;" EACH_OF_8(TO_SHARED))), 16, 20);
    uint32_t dense = estimate(KERNEL(
        "ld.global.u64 %d5, [%d4+1000]; st.global.u64 [%d4+1008], %d5;" EACH_OF_8(LOAD) "bar.sync 0;" EACH_OF_8(STORE))); /* 18 */
    assert_in_range(dense, 14, 20);
}

#define LOOP_BODY                                                                                                                  \
    LOAD(1, 0) ADD(1) LOAD(2, 4) ADD(2) LOAD(3, 8) ADD(3) LOAD(4, 12) ADD(4) "add.s64 %d4, %d4, 16; add.s32 %r2, %r2, -1;"
#define LOOP(head, tail) KERNEL("L: " head LOOP_BODY tail RESULT)
#define WHILE_NOT_0 "setp.ne.s32 %p1, %r2, 0; @%p1 bra L;"

#define COUNTED(times)                                                                                                             \
    KERNEL("mov.u32 %r3, " times "; L:" LOAD(1, 0)                                                                                 \
               ADD(1) "add.s64 %d4, %d4, 4; add.s32 %r3, %r3, -1; setp.ne.s32 %p1, %r3, 0; @%p1 bra L;" RESULT)

static void test_unrolling(void **state)
{
    (void)state;
    uint32_t once = estimate(LOOP(".pragma \"nounroll\";", WHILE_NOT_0)); /* 14 */
    assert_in_range(once, 12, 16);
    assert_in_range(estimate(LOOP("", WHILE_NOT_0)), 36, 40); /* 38: four times */
    assert_in_range(estimate(LOOP("", "setp.gt.s32 %p1, %r2, 0; @%p1 bra L;")), 36, 40);
    /* what is tested must be the counter itself, not a sum made of it */
    assert_in_range(estimate(LOOP("add.s32 %r4, %r2, 1;", "setp.gt.s32 %p1, %r4, 0; @%p1 bra L;")), once, once + 3);
    /* the counter may stand on the other side of the comparison */
    assert_in_range(estimate(LOOP("", "setp.ne.s32 %p1, %r3, %r2; @%p1 bra L;")), 36, 42);
    /* negated, by two branches, without a constant step, by data: not at all; 14 */
    assert_int_equal(estimate(LOOP("", "setp.eq.s32 %p1, %r2, 0; @!%p1 bra L;")), once);
    assert_int_equal(estimate(LOOP("", "setp.eq.s32 %p1, %r2, 0; @%p1 bra E; bra.uni L; E:")), once);
    assert_in_range(estimate(LOOP("", "add.s32 %r3, %r3, %r1; setp.lt.s32 %p1, %r3, 9; @%p1 bra L;")), once, once + 3);
    assert_in_range(estimate(LOOP("", "setp.gt.f32 %p1, %f9, %f10; @%p1 bra L;")), once - 1, once);
    /* by two branches: only where blocks stand in an order that ptxas changes; 14, 38 */
#define TWO_BRANCHES "setp.eq.s32 %p1, %r2, 0; @%p1 bra E; bra.uni L; E:"
#define ELSEWHERE "X: st.global.f32 [%d4+900], %f9; "
    assert_int_equal(estimate(LOOP("", TWO_BRANCHES "setp.gt.f32 %p3, %f9, %f10; @%p3 bra X; bra.uni D;" ELSEWHERE "D:")), once);
    assert_in_range(estimate(KERNEL("bra.uni L;" ELSEWHERE "bra.uni D; L:" LOOP_BODY TWO_BRANCHES
                                    "setp.gt.f32 %p3, %f9, %f10; @%p3 bra X; D:" RESULT)),
                    36, 40);
    /* the counter as a number of its own in each copy, all counted from the first: 16 and 16 */
#define STEPS(use)                                                                                                                 \
    KERNEL("mov.u32 %r3, %r1; L:" use "add.s64 %d4, %d4, 4; add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r2; @%p1 bra L;" RESULT)
    assert_in_range(estimate(STEPS("cvt.rn.f32.s32 %f2, %r3; ld.global.f32 %f1, [%d4]; fma.rn.f32 %f9, %f2, %f1, %f9;")), 16, 18);
    assert_in_range(estimate(KERNEL("mov.u32 %r3, %r1; L: st.global.u32 [%d4], %r3; add.s64 %d4, %d4, 4; add.s32 %r3, %r3, 1;"
                                    "setp.lt.s32 %p1, %r3, %r2; @%p1 bra L;")),
                    14, 18);
    /* counts that are known: fully, to the limit where registers cost occupancy; 18, 61 */
    assert_in_range(estimate(COUNTED("8")), 16, 22);
    assert_in_range(estimate(COUNTED("64")), 60, 64);
    /* one that may begin elsewhere is not known: by 4 */
    assert_true(estimate(COUNTED("64; setp.gt.s32 %p2, %r2, 9; @%p2 mov.u32 %r3, %r2")) < 30);
}

/* A short branch is predicated, and the loop around it unrolled; one that cannot be stays; 15, 11. */
static void test_predication(void **state)
{
    (void)state;
#define BRANCH_IN_LOOP(inside)                                                                                                     \
    KERNEL(                                                                                                                        \
        "L: ld.global.f32 %f1, [%d4]; setp.eq.f32 %p2, %f1, 0f00000000; @%p2 bra J;" inside                                        \
        "ld.global.f32 %f2, [%d4+4000]; fma.rn.f32 %f9, %f1, %f2, %f9; J: add.s64 %d4, %d4, 4; add.s32 %r2, %r2, -1;" WHILE_NOT_0  \
            RESULT)
    assert_in_range(estimate(BRANCH_IN_LOOP("")), 14, 20);
    assert_in_range(estimate(BRANCH_IN_LOOP("bar.sync 0;")), 8, 12);
    /* up to twelve instructions: these and the two of the loop */
#define FIVE                                                                                                                       \
    "mul.f32 %f1, %f1, %f10; mul.f32 %f1, %f1, %f10; mul.f32 %f1, %f1, %f10; mul.f32 %f1, %f1, %f10; mul.f32 %f1, %f1, %f10;"
    const uint32_t predicated = estimate(BRANCH_IN_LOOP(FIVE FIVE));
    assert_in_range(predicated, 14, 24);
    assert_true(estimate(BRANCH_IN_LOOP(FIVE FIVE "mul.f32 %f1, %f1, %f10;")) <= predicated - 3);
}

/* Addresses that later loads need are not calculated before the stores in front of these: 24. */
static void test_addresses_come_late(void **state)
{
    (void)state;
#define NEXT(to, offset)                                                                                                           \
    "ld.global.f32 %f" #to ", [%d6]; add.f32 %f9, %f9, %f" #to "; st.global.f32 [%d4], %f9; add.s64 %d6, %d6, %d5;"
    assert_in_range(estimate(KERNEL("mul.wide.s32 %d5, %r2, 4; mov.u64 %d6, %d4; L:" NEXT(1, 0) NEXT(2, 0) NEXT(3, 0)
                                        NEXT(4, 0) "add.s32 %r2, %r2, -4;" WHILE_NOT_0)),
                    16, 26);
}

static void test_widths(void **state)
{
    (void)state;
#define LOAD64(to, offset) "ld.global.f64 %e" #to ", [%d4+" #offset "0];"
#define STORE64(from, offset) "st.global.f64 [%d4+1" #offset "0], %e" #from ";"
    assert_in_range(estimate(KERNEL(EACH_OF_8(LOAD64) "bar.sync 0;" EACH_OF_8(STORE64))), 20, 24); /* 22 */
    /* addresses of shared memory are half as wide as PTX has them: 14 and 24 */
#define POINTER(to, offset)                                                                                                        \
    "ld.global.u32 %r1" #to ", [%d4+" #offset "]; mul.wide.s32 %d1" #to ", %r1" #to ", 4; add.s64 %d2" #to ", %d20, %d1" #to ";"
#define READ_SHARED(to, offset) "ld.shared.u32 %r2" #to ", [%d2" #to "]; st.shared.u32 [%d2" #to "+4], %r2" #to "; bar.sync 0;"
#define READ_GLOBAL(to, offset) "ld.global.u32 %r2" #to ", [%d2" #to "]; st.global.u32 [%d2" #to "+4], %r2" #to "; bar.sync 0;"
    uint32_t narrow = estimate(KERNEL("mov.u64 %d20, dyn;" EACH_OF_8(POINTER) "bar.sync 0;" EACH_OF_8(READ_SHARED)));
    uint32_t wide = estimate(KERNEL("mov.u64 %d20, %d2;" EACH_OF_8(POINTER) "bar.sync 0;" EACH_OF_8(READ_GLOBAL)));
    assert_true(wide >= narrow + 4);
    /* so are those of local memory */
#define READ_LOCAL(to, offset) "ld.local.u32 %r2" #to ", [%d2" #to "]; st.local.u32 [%d2" #to "+4], %r2" #to "; bar.sync 0;"
    assert_in_range(
        estimate(KERNEL(".local .align 4 .b8 own[64]; mov.u64 %d20, own;" EACH_OF_8(POINTER) "bar.sync 0;" EACH_OF_8(READ_LOCAL))),
        narrow - 2, narrow + 2);
}

/* What is calculated before a barrier stays before it; what atomic instructions read is held like a store's data. */
static void test_fences(void **state)
{
    (void)state;
#define MAKE64(to, offset) "mul.wide.s32 %d1" #to ", %r1, 7" #offset ";"
#define KEEP64(from, offset) "st.global.u64 [%d4+" #offset "0], %d1" #from "; bar.sync 0;"
    assert_in_range(estimate(KERNEL(EACH_OF_8(MAKE64) "bar.sync 0;" EACH_OF_8(KEEP64))), 19, 22); /* 20 */
#define MAKE(to, offset) "mul.lo.s32 %r1" #to ", %r1, 7" #offset ";"
#define XOR(from, offset) "atom.global.xor.b32 %r20, [%d4+" #offset "], %r1" #from ";"
    assert_in_range(estimate(KERNEL(EACH_OF_8(MAKE) "bar.sync 0;" EACH_OF_8(XOR) "st.global.u32 [%d4], %r20;")), 19, 25); /* 22 */
}

/* What stands for one PTX instruction may be many, with registers of their own. */
static void test_sequences(void **state)
{
    (void)state;
#define F64(op) KERNEL("ld.global.f64 %e1, [%d4]; ld.global.f64 %e2, [%d4+8];" op " %e1, %e1, %e2; st.global.f64 [%d4], %e1;")
#define F32(op) KERNEL("ld.global.f32 %f1, [%d4]; ld.global.f32 %f2, [%d4+8];" op " %f1, %f1, %f2; st.global.f32 [%d4], %f1;")
    assert_in_range(estimate(F64("mul.f64")), 9, 12);        /* 10 */
    assert_in_range(estimate(F64("div.rn.f64")), 24, 28);    /* 26 */
    assert_in_range(estimate(F32("div.approx.f32")), 7, 10); /* 8 */
    assert_in_range(estimate(F32("div.rn.f32")), 13, 17);    /* 15 */
    /* exact quotients have a branch inside: loads stay on their sides of it, as if there were a barrier; approximate ones do not */
#define QUOTIENT(how) KERNEL(EACH_OF_8(how) RESULT)
#define EXACT(to, offset) LOAD(to, offset) "div.rn.f32 %f9, %f" #to ", %f9;"
#define FAST(to, offset) LOAD(to, offset) "div.approx.f32 %f9, %f" #to ", %f9;"
    assert_in_range(estimate(QUOTIENT(FAST)), 18, 24);  /* 14 */
    assert_in_range(estimate(QUOTIENT(EXACT)), 13, 17); /* 15 */
}

/* Vector loads take aligned groups, whole; of a texture's four values only those that are read count. */
static void test_groups(void **state)
{
    (void)state;
#define SAMPLE(last)                                                                                                               \
    PTX_KERNEL("mov.u32 %r1, %tid.x; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex0, {%r1}];" last "ld.param.u64 %d1, [a];"         \
               "st.global.f32 [%d1], %f1; ret;")
    assert_in_range(estimate(SAMPLE("")), 4, 6);
    assert_int_equal(estimate(SAMPLE("add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4;")),
                     10); /* registers 4 to 7 */
}

/* Small functions are taken in; others cost the registers that the calling convention names. */
static void test_calls(void **state)
{
    (void)state;
#define TEN(X) X X X X X X X X X X
#define CALLING(body)                                                                                                              \
    PTX_HEAD ".func g() { .reg .b32 %r<4>; mov.u32 %r1, %clock;" body                                                              \
             " st.global.u32 [0], %r1; ret; }\n.entry k() { call g; ret; }\n"
    assert_in_range(estimate(CALLING("")), 4, 12);
    assert_int_equal(estimate(CALLING(TEN(TEN("add.s32 %r1, %r1, %r1;")))), 24);
}

static uint32_t estimate_of(const struct ptx_module *m, const char *name)
{
    return ptx_find_function(m, name)->register_estimate;
}

/* What users and launch bounds allow; a caller meets the barriers of what it calls. */
static void test_bounds(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_HEAD ".func g() { .reg .b32 %r<4>; mov.u32 %r1, %clock;" TEN(
        TEN("add.s32 %r1, %r1, %r1;")) " st.global.u32 [0], %r1; bar.sync 0; ret; }\n"
                                       ".entry k() .maxnreg 16 { call g; ret; }\n"
                                       ".entry l() { call g; ret; }\n"
                                       ".entry b() .maxntid 1024,1,1 .minnctapersm 4 { call g; ret; }");
    assert_int_equal(estimate_of(m, "k"), 16);
    assert_int_equal(estimate_of(m, "l"), 24);
    assert_true(ptx_find_function(m, "l")->uses_barriers);
    assert_int_equal(estimate_of(m, "b"), 16);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest),  cmocka_unit_test(test_loads_gather), cmocka_unit_test(test_banks),
        cmocka_unit_test(test_unrolling), cmocka_unit_test(test_predication),  cmocka_unit_test(test_addresses_come_late),
        cmocka_unit_test(test_widths),    cmocka_unit_test(test_fences),       cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_groups),    cmocka_unit_test(test_calls),        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
