/* The timing view: classes, spaces, the lists of the scoreboard and of the operand collector. */
#include "ptx_text.h"

static struct ptx_module *module;
static const struct inst *table_of(const char *text)
{
    module = must_parse(text);
    return ptxas_machine_code(module, ptx_find_function(module, "k"), 0x400, (struct ptxas_view){ 0 });
}

static void expect_list(const uint16_t *have, uint32_t count, const char *what, size_t expected, const uint16_t *want)
{
    if (count != expected)
        fail_msg("%s: %u registers, expected %zu", what, count, expected);
    for (uint32_t i = 0; i < count; i++)
        if (have[i] != want[i])
            fail_msg("%s: register %u is %u, expected %u", what, i, have[i], want[i]);
}
#define LIST(...)                                                                                                                  \
    sizeof((uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t), (uint16_t[])                                                           \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }

#define DECLARE ".entry k(.param .u64 a) { .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .f32 %f<5>;\n"
/* scoreboard numbers: %p0 1, %p1 2, %r0 3 .. %r4 7, %rd0 8 .. %rd2 10, %f0 11 .. %f4 15 */

static void test_registers(void **state)
{
    (void)state;
    const struct inst *t = table_of(PTX_HEAD DECLARE "ld.global.v2.f32 {%f1, %f2}, [%rd1+4];\n" /* 0 */
                                                     "@%p1 st.global.f32 [%rd2], %f3;\n"        /* 1 */
                                                     "fma.rn.f32 %f1, %f2, %f2, %f1;\n"         /* 2 */
                                                     "mad.lo.s32 %r2, %r1, %r3, 5;\n"           /* 3 */
                                                     "atom.global.add.u32 %r4, [%rd1], %r2;\n"  /* 4 */
                                                     "red.global.add.u32 [%rd1], %r2;\n"        /* 5 */
                                                     "cvt.rn.f32.s32 %f2, %r2;\n"               /* 6 */
                                                     "setp.lt.s32 %p0|%p1, %r1, %r2;\n"         /* 7 */
                                                     "selp.b32 %r1, %r2, %r3, %p1;\n"           /* 8 */
                                                     "ret; }");
    expect_list(t[0].dst, t[0].ndst, "ld dst", LIST(12, 13));
    expect_list(t[0].src, t[0].nsrc, "ld src", LIST(9));
    expect_list(t[0].read, t[0].nread, "ld read", LIST(1));
    expect_list(t[0].write, t[0].nwrite, "ld write", LIST(1, 2));
    assert_int_equal(t[0].elements, 2);
    assert_int_equal(t[0].element_bytes, 4);
    assert_true(t[1].guarded);
    expect_list(t[1].src, t[1].nsrc, "st src", LIST(14, 10, 2)); /* value, address, guard */
    assert_int_equal(t[1].nvalue, 1);
    expect_list(t[1].read, t[1].nread, "st read", LIST(3, 2)); /* the guard is not collected */
    assert_int_equal(t[1].ndst, 0);
    expect_list(t[2].src, t[2].nsrc, "fma src", LIST(13, 12));
    expect_list(t[2].read, t[2].nread, "fma read", LIST(2, 2, 1)); /* an operand, a read */
    expect_list(t[3].read, t[3].nread, "mad read", LIST(1, 3));
    expect_list(t[4].src, t[4].nsrc, "atom src", LIST(5)); /* as in the reference, without the address */
    expect_list(t[4].dst, t[4].ndst, "atom dst", LIST(7));
    expect_list(t[5].src, t[5].nsrc, "red src", LIST(5, 9));
    expect_list(t[6].src, t[6].nsrc, "cvt src", LIST(5));
    expect_list(t[6].read, t[6].nread, "cvt read", LIST(2));
    expect_list(t[7].dst, t[7].ndst, "setp dst", LIST(1, 2));
    expect_list(t[8].src, t[8].nsrc, "selp src", LIST(5, 6, 2));
    expect_list(t[8].read, t[8].nread, "selp read", LIST(2, 3, 1));
    assert_int_equal(t[1].pc, 0x408);
    assert_int_equal(t[9].index, 9);
    assert_int_equal(t[9].line, 14);
    ptx_free(module);
}

/* %r1 is read last by 1, %r2 by 5: it is needed again in each round of the loop; %r3 is read and written by 4. */
static void test_last_reads(void **state)
{
    (void)state;
    const struct inst *t = table_of(PTX_HEAD DECLARE "mov.u32 %r1, 1;\n"            /* 0 */
                                                     "add.s32 %r2, %r1, 2;\n"       /* 1 */
                                                     "mov.u32 %r3, 0;\n"            /* 2 */
                                                     "L: add.s32 %r4, %r2, %r3;\n"  /* 3 */
                                                     "add.s32 %r3, %r3, 1;\n"       /* 4 */
                                                     "setp.lt.s32 %p0, %r3, %r2;\n" /* 5 */
                                                     "@%p0 bra L;\n"                /* 6 */
                                                     "st.global.u32 [%rd1], %r4;\n" /* 7 */
                                                     "ret; }");
    assert_int_equal(t[1].last_reads, 1);
    assert_int_equal(t[3].last_reads, 0);
    assert_int_equal(t[4].last_reads, 0);
    assert_int_equal(t[5].last_reads, 0); /* both live as long as the loop */
    assert_int_equal(t[6].last_reads, 1); /* the predicate */
    assert_int_equal(t[7].last_reads, 3); /* value and address */
    ptx_free(module);
}

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint8_t class, space;
    } cases[] = { { "add.s32 %r1, %r2, 1;", CLASS_INT_ADD, 0 },
                  { "sub.s64 %d1, %d2, 1;", CLASS_INT_ADD, 0 },
                  { "add.f32 %f1, %f2, %f3;", CLASS_FP_ADD, 0 },
                  { "add.f64 %e1, %e2, %e3;", CLASS_DP_ADD, 0 },
                  { "max.s32 %r1, %r2, 1;", CLASS_INT_MAX, 0 },
                  { "min.f32 %f1, %f2, %f3;", CLASS_FP_MAX, 0 },
                  { "mul.wide.s32 %d1, %r2, 4;", CLASS_INT_MUL, 0 },
                  { "mul.f64 %e1, %e2, %e3;", CLASS_DP_MUL, 0 },
                  { "mul24.lo.s32 %r1, %r2, 3;", CLASS_INT_MUL24, 0 },
                  { "mad24.lo.s32 %r1, %r2, 3, %r4;", CLASS_INT_MAD24, 0 },
                  { "mad.lo.s32 %r1, %r2, 3, %r4;", CLASS_INT_MAD, 0 },
                  { "fma.rn.f32 %f1, %f2, %f3, %f4;", CLASS_FP_MAD, 0 },
                  { "fma.rn.f64 %e1, %e2, %e3, %e4;", CLASS_DP_MAD, 0 },
                  { "div.u32 %r1, %r2, 3;", CLASS_INT_DIV, 0 },
                  { "rem.s32 %r1, %r2, 3;", CLASS_INT_DIV, 0 },
                  { "div.rn.f32 %f1, %f2, %f3;", CLASS_FP_DIV, 0 },
                  { "div.rn.f64 %e1, %e2, %e3;", CLASS_DP_DIV, 0 },
                  { "sqrt.rn.f32 %f1, %f2;", CLASS_SFU, 0 },
                  { "ex2.approx.f32 %f1, %f2;", CLASS_SFU, 0 },
                  { "rcp.rn.f64 %e1, %e2;", CLASS_SFU, 0 },
                  { "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;", CLASS_SHFL, 0 },
                  { "cvt.rn.f32.s32 %f1, %r2;", CLASS_CONVERT, 0 },
                  { "cvt.rzi.s32.f32 %r1, %f2;", CLASS_CONVERT, 0 },
                  { "cvt.f64.f32 %e1, %f2;", CLASS_CONVERT, 0 },
                  { "cvt.u64.u32 %d1, %r2;", CLASS_MOVE, 0 },
                  { "mov.u32 %r1, %tid.x;", CLASS_MOVE, 0 },
                  { "setp.eq.s32 %p1, %r1, 0;", CLASS_MOVE, 0 },
                  { "shl.b32 %r1, %r2, 2;", CLASS_MOVE, 0 },
                  { "cvta.to.global.u64 %d1, %d2;", CLASS_MOVE, 0 },
                  { "abs.f32 %f1, %f2;", CLASS_MOVE, 0 },
                  { "ld.global.u32 %r1, [%d1];", CLASS_LOAD, SPACE_GLOBAL },
                  { "ld.param.u32 %r1, [n];", CLASS_LOAD, SPACE_PARAM },
                  { "ld.u32 %r1, [%d1];", CLASS_LOAD, SPACE_GENERIC },
                  { "st.param.b64 [lp], %d1;", CLASS_MOVE, 0 },
                  { "ld.param.b64 %d1, [lp];", CLASS_MOVE, 0 },
                  { "ld.const.f32 %f1, [%d1];", CLASS_LOAD, SPACE_CONST },
                  { "st.shared.f32 [%r1], %f1;", CLASS_STORE, SPACE_SHARED },
                  { "atom.shared.add.u32 %r1, [%r2], 1;", CLASS_ATOMIC, SPACE_SHARED },
                  { "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex0, {%r1}];", CLASS_TEXTURE, SPACE_TEXTURE },
                  { "bar.sync 0;", CLASS_BARRIER, 0 },
                  { "membar.gl;", CLASS_FENCE, 0 },
                  { "bar.warp.sync -1;", CLASS_MOVE, 0 },
                  { "bra L;", CLASS_BRANCH, 0 },
                  { "exit;", CLASS_EXIT, 0 },
                  { "ret;", CLASS_EXIT, 0 },
                  { "prefetch.global.L1 [%d1];", CLASS_NOP, 0 },
                  { "cp.async.ca.shared.global [%r1], [%d1], 16;", CLASS_LOAD, SPACE_GLOBAL } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char around[] = PTX_KERNEL("L: @\nret;");
        char text[2048];
        const char *at = strchr(strstr(around, "L: @"), '@');
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - around), around, cases[i].text, at + 1);
        const struct inst *t = table_of(text);
        if (t[0].class != cases[i].class || t[0].space != cases[i].space)
            fail_msg("%s: class %u space %u", cases[i].text, t[0].class, t[0].space);
        ptx_free(module);
    }
}

/* The reference's scoreboard: three sources beside vectors, vote without a result, and a barrier with one; operand collection reads
 * the other sources. */
static void test_forgotten_registers(void **state)
{
    (void)state;
    static const char text[] = PTX_HEAD DECLARE "bfi.b32 %r4, %r0, %r1, %r2, %r3;\n"               /* 0 */
                                                "vote.ballot.b32 %r1, %p1;\n"                      /* 1 */
                                                "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};\n" /* 2 */
                                                "bar.sync %r1, %r2;\n"                             /* 3 */
                                                "ret; }";
    for (int forget = 0; forget < 2; forget++) {
        struct ptx_module *m = must_parse(text);
        const struct inst *t =
            ptxas_machine_code(m, ptx_find_function(m, "k"), 0,
                               (struct ptxas_view){ .sources = forget ? 3 : 0, .vote_reads = forget, .barrier_writes = forget });
        expect_list(t[0].src, t[0].nsrc, "bfi src", forget ? 3 : 4, (uint16_t[]){ 3, 4, 5, 6 });
        expect_list(t[0].read, t[0].nread, "bfi read", LIST(0, 1, 2, 3));
        assert_int_equal(t[1].ndst, forget ? 0 : 1);
        assert_int_equal(t[1].nwrite, forget ? 0 : 1);
        expect_list(t[1].src, t[1].nsrc, "vote src", forget ? 2 : 1, forget ? (uint16_t[]){ 4, 2 } : (uint16_t[]){ 2 });
        expect_list(t[2].src, t[2].nsrc, "st.v4 src", LIST(12, 13, 14, 15, 10));
        expect_list(t[3].dst, t[3].ndst, "bar dst", forget ? 1 : 0, (uint16_t[]){ 4 });
        expect_list(t[3].write, t[3].nwrite, "bar write", forget ? 1 : 0, (uint16_t[]){ 1 });
        expect_list(t[3].src, t[3].nsrc, "bar src", forget ? 1 : 2, forget ? (uint16_t[]){ 5 } : (uint16_t[]){ 4, 5 });
        ptx_free(m);
    }
}

/* Parameters of functions as the reference passes them: by name through local memory. What the kernel is given it reads as ever. */
static void test_local_parameters(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_KERNEL("st.param.b64 [lp], %d1; ld.param.b64 %d1, [lp]; ld.param.u32 %r1, [n]; ret;"));
    const struct inst *t = ptxas_machine_code(m, ptx_find_function(m, "k"), 0, (struct ptxas_view){ .local_parameters = true });
    static const uint8_t class[] = { CLASS_STORE, CLASS_LOAD, CLASS_LOAD }, space[] = { SPACE_LOCAL, SPACE_LOCAL, SPACE_PARAM };
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(t[i].class, class[i]);
        assert_int_equal(t[i].space, space[i]);
    }
    assert_int_equal(t[0].element_bytes, 8);
    ptx_free(m);
}

/* Functions without a body are done by the simulator; others are calls. */
static void test_calls(void **state)
{
    (void)state;
    const struct inst *t = table_of(PTX_HEAD ".func vprintf; .func f { ret; } .entry k() { call vprintf; call f; ret; }");
    assert_int_equal(t[0].class, CLASS_MOVE);
    assert_int_equal(t[1].class, CLASS_CALL);
    assert_int_equal(t[2].class, CLASS_EXIT); /* ends threads, as exit does; the function's ret does not */
    t = ptxas_machine_code(module, ptx_find_function(module, "f"), 0, (struct ptxas_view){ 0 });
    assert_int_equal(t[0].class, CLASS_RETURN);
    ptx_free(module);
}

static void test_cache_operators(void **state)
{
    (void)state;
    const struct inst *t =
        table_of(PTX_KERNEL("ld.global.u32 %r1, [%d1]; ld.global.cg.u32 %r1, [%d1]; ld.volatile.global.u32 %r1, [%d1];"
                            "ld.global.nc.u32 %r1, [%d1]; st.global.wt.u32 [%d1], %r1; st.global.cs.u32 [%d1], %r1; ret;"));
    const uint8_t expected[] = { CACHE_DEFAULT, CACHE_GLOBAL, CACHE_VOLATILE, CACHE_READ_ONLY, CACHE_WRITE_THROUGH, CACHE_STREAM };
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(t[i].cache_op, expected[i]);
    ptx_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_registers),
                                        cmocka_unit_test(test_last_reads),
                                        cmocka_unit_test(test_classes),
                                        cmocka_unit_test(test_calls),
                                        cmocka_unit_test(test_local_parameters),
                                        cmocka_unit_test(test_cache_operators),
                                        cmocka_unit_test(test_forgotten_registers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
