/* Memory in all spaces, atomics, carries, printf and its kin, special registers, and what a program gets when it errs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "program_test.h"

static struct program *with_inputs(const char *before, const char *body)
{
    struct program *p = new_program(before, body);
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        p->in[i] = i * 2654435761u + 17;
    return p;
}

static void vectors_move_whole(void **state)
{
    (void)state;
    struct program *p =
        with_inputs(NULL, "mul.wide.u32 %q1, %t, 16;\nadd.s64 %q2, %ins, %q1;\nadd.s64 %q3, %outs, %q1;\n"
                          "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%q2];\nst.global.v4.u32 [%q3], {%r5, %r4, %r3, %r2};\n"
                          "ld.global.v2.u64 {%q4, %q5}, [%q2];\nst.global.v2.u64 [%q3+1024], {%q5, %q4};\n"
                          "ld.global.v2.u16 {%h0, %h1}, [%q2+4];\nst.global.v2.u16 [%q3+2048], {%h1, %h0};\n"
                          "ld.global.v4.u8 {%h2, %h3, %h4, _}, [%q2+8];\nst.global.v4.u8 [%q3+2052], {%h4, %h3, %h2, %h2};");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(p->out[t * 4 + k], p->in[t * 4 + 3 - k]);
        assert_int_equal(p->out[256 + t * 4], p->in[t * 4 + 2]);
        assert_int_equal(p->out[512 + t * 4], p->in[t * 4 + 1] << 16 | p->in[t * 4 + 1] >> 16);
        const uint8_t *b = (const uint8_t *)&p->in[t * 4 + 2], *o = (const uint8_t *)&p->out[513 + t * 4];
        assert_int_equal(o[0] << 16 | o[1] << 8 | o[2], b[2] << 16 | b[1] << 8 | b[0]);
    }
    free(p);
}

static void narrow_loads_extend_by_their_sign(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        NULL, "ld.global.s8 %r2, [%in];\nld.global.u8 %r3, [%in+1];\nld.global.s16 %r4, [%in+2];\nld.global.u16 %r5, [%in+2];\n"
              "st.global.u32 [%out], %r2;\nst.global.u32 [%out+128], %r3;\nst.global.u32 [%out+256], %r4;\nst.global.u32 "
              "[%out+384], %r5;\n"
              "ld.global.s8 %h2, [%in];\ncvt.s32.s16 %r6, %h2;\nst.global.u32 [%out+512], %r6;\n"
              "ld.global.s32 %q3, [%in];\nshr.u64 %q3, %q3, 32;\nst.global.u32 [%out+640], %q3;\nst.global.u8 [%out+768], %r4;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t v = p->in[t];
        assert_int_equal((int32_t)p->out[t], (int8_t)v);
        assert_int_equal(p->out[32 + t], (uint8_t)(v >> 8));
        assert_int_equal((int32_t)p->out[64 + t], (int16_t)(v >> 16));
        assert_int_equal(p->out[96 + t], v >> 16);
        assert_int_equal((int32_t)p->out[128 + t], (int8_t)v);
        assert_int_equal(p->out[160 + t], (int32_t)v < 0 ? UINT32_MAX : 0);
        assert_int_equal(p->out[192 + t], v >> 16 & 0xff);
    }
    free(p);
}

static void every_space_is_reached_by_name_and_generically(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        ".global .align 4 .u32 counter = 41;\n.global .align 8 .u64 pointer = generic(counter);\n"
        ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 7, 0, 0, 0};\n.shared .align 4 .b8 s[256];\n.extern .shared .align 8 .b8 "
        "dynamic[];\n",
        ".local .align 4 .b8 l[16];\n"
        "mov.u32 %r2, s;\nmad.lo.u32 %r2, %t, 4, %r2;\nadd.u32 %r3, %t, 500;\nst.shared.u32 [%r2], %r3;\n"
        "cvt.u64.u32 %q1, %r2;\ncvta.shared.u64 %q1, %q1;\nld.u32 %r4, [%q1];\nst.global.u32 [%out], %r4;\n"
        "mov.u64 %q2, l;\nadd.u32 %r5, %t, 900;\nst.local.u32 [%q2+8], %r5;\ncvta.local.u64 %q3, %q2;\nld.u32 %r6, [%q3+8];\n"
        "st.global.u32 [%out+128], %r6;\nld.const.u32 %r7, [table+4];\nst.global.u32 [%out+256], %r7;\n"
        "ld.global.u64 %q4, [pointer];\nld.u32 %r8, [%q4];\nst.global.u32 [%out+384], %r8;\n"
        "mov.u32 %r9, dynamic;\nmad.lo.u32 %r9, %t, 8, %r9;\nst.shared.u64 [%r9], %q4;\nld.shared.u64 %q5, [%r9];\n"
        "sub.s64 %q6, %q5, %q4;\nst.global.u32 [%out+512], %q6;\nmov.u32 %r10, dynamic;\nst.global.u32 [%out+640], %r10;\n"
        "isspacep.shared %p0, %q1;\nisspacep.global %p1, %q4;\nselp.u32 %r11, 1, 0, %p0;\nselp.u32 %r12, 2, 0, %p1;\nadd.u32 %r11, "
        "%r11, %r12;\n"
        "st.global.u32 [%out+768], %r11;");
    p->shared_bytes = 256;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], 500 + t);
        assert_int_equal(p->out[32 + t], 900 + t);
        assert_int_equal(p->out[64 + t], 7);
        assert_int_equal(p->out[96 + t], 41);
        assert_int_equal(p->out[128 + t], 0);
        assert_int_equal(p->out[160 + t], 256); /* dynamic shared memory follows the static */
        assert_int_equal(p->out[192 + t], 3);
    }
    free(p);
}

/* Pointers that do not say where they lead: all lanes to their own local memory, bytes of shared memory, and every third lane
 * elsewhere. */
static void generic_pointers_lead_each_lane_to_its_own(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        ".shared .align 4 .b8 s[256];\n",
        ".local .align 8 .b8 l[16];\nmov.u64 %q1, l;\ncvta.local.u64 %q2, %q1;\nadd.u32 %r2, %t, 700;\nst.u32 [%q2+4], %r2;\n"
        "ld.local.u32 %r3, [%q1+4];\nst.global.u32 [%out], %r3;\n"
        "mov.u32 %r4, s;\nadd.u32 %r4, %r4, %t;\ncvt.u64.u32 %q3, %r4;\ncvta.shared.u64 %q3, %q3;\nadd.u32 %r5, %t, 60;\n"
        "st.u8 [%q3+3], %r5;\nld.shared.u8 %r6, [%r4+3];\nst.global.u32 [%out+128], %r6;\n"
        "rem.u32 %r7, %t, 3;\nsetp.eq.u32 %p0, %r7, 1;\nadd.s64 %q4, %out, 256;\nselp.u64 %q5, %q4, %q2, %p0;\n"
        "add.u32 %r8, %t, 40;\nst.u32 [%q5], %r8;\nld.u32 %r9, [%q5];\nst.global.u32 [%out+384], %r9;\n"
        "@%p0 st.u32 [%q2+8], %t;\n@%p0 ld.u32 %r10, [%q2+8];\n@%p0 st.global.u32 [%out+512], %r10;\n"
        "cvt.u64.u32 %q6, %t;\natom.global.cas.b64 %q7, [%outs+1024], %q6, 77;\nst.global.u32 [%out+640], %q7;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], 700 + t);
        assert_int_equal(p->out[32 + t], 60 + t);
        assert_int_equal(p->out[64 + t], t % 3 == 1 ? 40 + t : 0);
        assert_int_equal(p->out[96 + t], 40 + t);
        assert_int_equal(p->out[128 + t], t % 3 == 1 ? t : 0);
        assert_int_equal(p->out[160 + t], t ? 77 : 0);
    }
    free(p);
}

static void atomics_return_the_old_value_in_lane_order(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        NULL, "atom.global.add.u32 %r2, [%outs+1024], %t;\nst.global.u32 [%out], %r2;\n"
              "atom.global.inc.u32 %r3, [%outs+1028], 9;\natom.global.dec.u32 %r4, [%outs+1032], 9;\natom.global.max.s32 %r5, "
              "[%outs+1036], %t;\n"
              "sub.s32 %r6, 0, %t;\natom.global.min.s32 %r5, [%outs+1040], %r6;\natom.global.min.u32 %r5, [%outs+1044], %r6;\n"
              "mov.u32 %r7, 1;\nshl.b32 %r7, %r7, %t;\natom.global.or.b32 %r5, [%outs+1048], %r7;\natom.global.xor.b32 %r5, "
              "[%outs+1052], %r7;\n"
              "not.b32 %r8, %r7;\natom.global.and.b32 %r5, [%outs+1056], %r8;\natom.global.exch.b32 %r9, [%outs+1060], "
              "%t;\nst.global.u32 [%out+128], %r9;\n"
              "atom.global.cas.b32 %r10, [%outs+1064], 0, %r7;\nst.global.u32 [%out+256], %r10;\n"
              "cvt.u64.u32 %q1, %t;\natom.global.add.u64 %q2, [%outs+1072], %q1;\nred.global.add.u32 [%outs+1080], 2;\n"
              "mov.f32 %f0, 0f3f000000;\natom.global.add.f32 %f1, [%outs+1084], %f0;\nmov.f64 %g0, "
              "0d3fd0000000000000;\natom.global.add.f64 %g1, [%outs+1088], %g0;\n"
              "mov.b32 %r11, 0x3c003800;\natom.global.add.noftz.f16x2 %r12, [%outs+1096], %r11;");
    p->out[264] = 0xffffffff; /* and */
    p->out[258] = 20;         /* dec: above the limit, so it starts at 9 */
    must_run(p);
    uint32_t sum = 0;
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], sum);
        sum += t;
        assert_int_equal(p->out[32 + t], t ? t - 1 : 0);
        assert_int_equal(p->out[64 + t], t ? 1 : 0);
    }
    assert_int_equal(p->out[256], 496);
    assert_int_equal(p->out[257], 2);
    assert_int_equal(p->out[258], 8); /* 20 -> 9, then 31 more steps through 10 values */
    assert_int_equal(p->out[259], 31);
    assert_int_equal((int32_t)p->out[260], -31);
    assert_int_equal(p->out[261], 0);
    assert_int_equal(p->out[262], 0xffffffff);
    assert_int_equal(p->out[263], 0xffffffff);
    assert_int_equal(p->out[264], 0);
    assert_int_equal(p->out[265], 31);
    assert_int_equal(p->out[266], 1);
    assert_int_equal(p->out[268], 496);
    assert_int_equal(p->out[270], 64);
    float f;
    double g;
    memcpy(&f, &p->out[271], 4);
    memcpy(&g, &p->out[272], 8);
    assert_true(f == 16.0f && g == 8.0);
    assert_int_equal(p->out[274], 0x50004c00); /* 32 and 16 in half precision */
    free(p);
}

static void shared_atomics_count_a_histogram(void **state)
{
    (void)state;
    struct program *p =
        with_inputs(".shared .align 4 .b8 s[16];\n", "and.b32 %r2, %t, 3;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, s;\nadd.u32 %r3, "
                                                     "%r3, %r2;\natom.shared.add.u32 %r4, [%r3], 1;\nbar.sync 0;\n"
                                                     "ld.shared.u32 %r5, [%r3];\nst.global.u32 [%out], %r5;");
    p->block = 100; /* the last warp has four threads */
    must_run(p);
    for (uint32_t t = 0; t < 100; t++)
        assert_int_equal(p->out[t], 25);
    free(p);
}

static void carries_chain_through_wide_sums_and_products(void **state)
{
    (void)state;
    /* out: 96-bit in[t..] + in[t+8..]; then minus; then the 64-bit product of two words plus 64 bits by mad.cc */
    struct program *p =
        with_inputs(NULL, "ld.global.u32 %r2, [%in];\nld.global.u32 %r3, [%in+4];\nld.global.u32 %r4, [%in+8];\n"
                          "ld.global.u32 %r5, [%in+256];\nld.global.u32 %r6, [%in+260];\nld.global.u32 %r7, [%in+264];\n"
                          "add.cc.u32 %r8, %r2, %r5;\naddc.cc.u32 %r9, %r3, %r6;\naddc.u32 %r10, %r4, %r7;\n"
                          "st.global.u32 [%out], %r8;\nst.global.u32 [%out+128], %r9;\nst.global.u32 [%out+256], %r10;\n"
                          "sub.cc.u32 %r8, %r2, %r5;\nsubc.cc.u32 %r9, %r3, %r6;\nsubc.u32 %r10, %r4, %r7;\n"
                          "st.global.u32 [%out+384], %r8;\nst.global.u32 [%out+512], %r9;\nst.global.u32 [%out+640], %r10;\n"
                          "mad.lo.cc.u32 %r8, %r2, %r5, %r3;\nmadc.hi.u32 %r9, %r2, %r5, %r4;\nst.global.u32 [%out+768], "
                          "%r8;\nst.global.u32 [%out+896], %r9;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        const uint32_t *v = &p->in[t], *u = &p->in[t + 64];
        unsigned __int128 x = (unsigned __int128)v[2] << 64 | (uint64_t)v[1] << 32 | v[0],
                          y = (unsigned __int128)u[2] << 64 | (uint64_t)u[1] << 32 | u[0];
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(p->out[32 * k + t], (uint32_t)((x + y) >> (32 * k)));
            assert_int_equal(p->out[96 + 32 * k + t], (uint32_t)((x - y) >> (32 * k)));
        }
        uint64_t m = (uint64_t)v[0] * u[0] + ((uint64_t)v[2] << 32 | v[1]);
        assert_int_equal(p->out[192 + t], (uint32_t)m);
        assert_int_equal(p->out[224 + t], (uint32_t)(m >> 32));
    }
    free(p);
}

static void shuffles_move_values_between_lanes(void **state)
{
    (void)state;
    struct program *p =
        with_inputs(NULL, "add.u32 %r2, %t, 100;\n"
                          "shfl.sync.up.b32 %r3|%p0, %r2, 3, 0, -1;\nselp.u32 %r4, 1000, 0, %p0;\nadd.u32 %r3, %r3, "
                          "%r4;\nst.global.u32 [%out], %r3;\n"
                          "shfl.sync.down.b32 %r3|%p0, %r2, 5, 0x181f, -1;\nselp.u32 %r4, 1000, 0, %p0;\nadd.u32 %r3, %r3, "
                          "%r4;\nst.global.u32 [%out+128], %r3;\n"
                          "shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nst.global.u32 [%out+256], %r3;\n"
                          "mul.lo.u32 %r5, %t, 7;\nshfl.sync.idx.b32 %r3, %r2, %r5, 31, -1;\nst.global.u32 [%out+384], %r3;\n"
                          "shfl.sync.idx.b32 %r3, %r2, 2, 0x1807, -1;\nst.global.u32 [%out+512], %r3;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], t >= 3 ? 1100 + t - 3 : 100 + t);
        assert_int_equal(p->out[32 + t], t % 8 < 3 ? 1100 + t + 5 : 100 + t); /* segments of 8 */
        assert_int_equal(p->out[64 + t], 100 + (t ^ 16));
        assert_int_equal(p->out[96 + t], 100 + t * 7 % 32);
        assert_int_equal(p->out[128 + t], 100 + (t & 24) + 2);
    }
    free(p);
}

static void votes_and_matches_see_the_warp(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        NULL, "setp.lt.u32 %p0, %t, 9;\nvote.sync.ballot.b32 %r2, %p0, -1;\nst.global.u32 [%out], %r2;\n"
              "vote.sync.all.pred %p1, %p0, -1;\nvote.sync.any.pred %p2, %p0, -1;\nvote.sync.uni.pred %p3, %p0, -1;\n"
              "selp.u32 %r3, 1, 0, %p1;\nselp.u32 %r4, 2, 0, %p2;\nselp.u32 %r5, 4, 0, %p3;\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, "
              "%r3, %r5;\nst.global.u32 [%out+128], %r3;\n"
              "and.b32 %r6, %t, 3;\nmatch.any.sync.b32 %r7, %r6, -1;\nst.global.u32 [%out+256], %r7;\n"
              "mov.u32 %r8, 5;\nmatch.all.sync.b32 %r9|%p4, %r8, -1;\nselp.u32 %r9, %r9, 0, %p4;\nst.global.u32 [%out+384], %r9;\n"
              "redux.sync.add.u32 %r10, %t, -1;\nst.global.u32 [%out+512], %r10;\nsub.s32 %r11, 5, %t;\nredux.sync.min.s32 %r12, "
              "%r11, -1;\nst.global.u32 [%out+640], %r12;\n"
              "setp.gt.u32 %p5, %t, 20;\n@%p5 bra E;\nactivemask.b32 %r13;\nst.global.u32 [%out+768], %r13;\nvote.sync.ballot.b32 "
              "%r14, %p0, 0x1ff;\nst.global.u32 [%out+896], %r14;\nE:\n");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], 0x1ff);
        assert_int_equal(p->out[32 + t], 2);
        assert_int_equal(p->out[64 + t], 0x11111111u << (t % 4));
        assert_int_equal(p->out[96 + t], 0xffffffff);
        assert_int_equal(p->out[128 + t], 496);
        assert_int_equal((int32_t)p->out[160 + t], -26);
        assert_int_equal(p->out[192 + t], t > 20 ? 0 : 0x1fffff);
        assert_int_equal(p->out[224 + t], t > 20 ? 0 : 0x1ff);
    }
    free(p);
}

static void special_registers_tell_where_a_thread_is(void **state)
{
    (void)state;
    struct program *p = with_inputs(
        NULL, "mov.u32 %r2, %laneid;\nst.global.u32 [%out], %r2;\nmov.u32 %r3, %warpid;\nst.global.u32 [%out+1024], %r3;\n"
              "mov.u32 %r4, %lanemask_lt;\nst.global.u32 [%out+2048], %r4;\nmov.u32 %r5, %nctaid.x;\nmov.u32 %r6, "
              "%ctaid.x;\nmad.lo.u32 %r5, %r5, 100, %r6;\n"
              "st.global.u32 [%out+3072], %r5;\nmov.u32 %r7, %lanemask_ge;\nst.global.u32 [%out+4096], %r7;\n"
              "mov.u64 %q1, %clock64;\nmov.u64 %q2, %clock64;\nsetp.gt.u64 %p0, %q2, %q1;\nselp.u32 %r8, 1, 0, %p0;\nst.global.u32 "
              "[%out+5120], %r8;");
    p->grid = 3;
    p->block = 70;
    must_run(p);
    for (uint32_t i = 0; i < 210; i++) {
        uint32_t t = i % 70, lane = t % 32;
        assert_int_equal(p->out[i], lane);
        assert_int_equal(p->out[256 + i], t / 32);
        assert_int_equal(p->out[512 + i], (1u << lane) - 1);
        assert_int_equal(p->out[768 + i], 300 + i / 70);
        assert_int_equal(p->out[1024 + i], ~((1u << lane) - 1));
        assert_int_equal(p->out[1280 + i], 1);
    }
    free(p);
}

/* PTX has no string constants: a list of bytes. */
static void append_string(char *to, const char *name, const char *text)
{
    size_t n = strlen(text) + 1;
    to += strlen(to);
    to += sprintf(to, ".global .align 1 .b8 %s[%zu] = {", name, n);
    for (size_t i = 0; i < n; i++)
        to += sprintf(to, "%s%d", i ? ", " : "", text[i]);
    (void)sprintf(to, "};\n");
}

static void append_text(void *context, const char *text, size_t length)
{
    strncat(context, text, length);
}

static void printf_prints_every_kind_of_argument(void **state)
{
    (void)state;
    char said[1024] = "";
    char before[2048] = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";
    append_string(before, "format", "d=%d u=%u x=%#x c=%c s=%-4s| f=%.3f ll=%lld p=%p %5d %%\n");
    append_string(before, "word", "abc");
    struct program *p =
        with_inputs(before, "setp.gt.u32 %p0, %t, 1;\n@%p0 exit;\n.local .align 8 .b8 args[64];\n"
                            "mov.u32 %r2, -5;\nst.local.u32 [args], %r2;\nmov.u32 %r3, 4000000000;\nst.local.u32 [args+4], "
                            "%r3;\nst.local.u32 [args+8], 255;\nst.local.u32 [args+12], 65;\n"
                            "mov.u64 %q1, word;\ncvta.global.u64 %q1, %q1;\nst.local.u64 [args+16], %q1;\nmov.f64 %g0, "
                            "0d400921FB54442D18;\nst.local.f64 [args+24], %g0;\n"
                            "mov.u64 %q2, -7;\nst.local.u64 [args+32], %q2;\nmov.u64 %q3, 0xC0001000;\nst.local.u64 [args+40], "
                            "%q3;\nst.local.u32 [args+48], %t;\n"
                            "mov.u64 %q4, format;\ncvta.global.u64 %q4, %q4;\nmov.u64 %q5, args;\ncvta.local.u64 %q5, %q5;\n"
                            "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %q4;\nst.param.b64 [b], "
                            "%q5;\ncall.uni (c), vprintf, (a, b);\nld.param.b32 %r4, [c]; }\n");
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .print = append_text, .print_context = said };
    must_run(p);
    assert_string_equal(said, "d=-5 u=4000000000 x=0xff c=A s=abc | f=3.142 ll=-7 p=0xc0001000     0 %\n"
                              "d=-5 u=4000000000 x=0xff c=A s=abc | f=3.142 ll=-7 p=0xc0001000     1 %\n");
    free(p);
}

static void the_device_heap_gives_each_lane_its_own(void **state)
{
    (void)state;
    struct program *p =
        with_inputs(".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n",
                    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], 16;\ncall.uni (b), malloc, (a);\nld.param.b64 %q1, [b]; }\n"
                    "st.u32 [%q1+12], %t;\nld.u32 %r2, [%q1+12];\nst.global.u32 [%out], %r2;\n"
                    "{ .param .b64 a; st.param.b64 [a], %q1;\ncall.uni free, (a); }\n");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(p->out[t], t);
    free(p);
}

static void traps_and_assertions_end_the_kernel(void **state)
{
    (void)state;
    must_fail(with_inputs(NULL, "setp.eq.u32 %p0, %t, 3;\n@%p0 trap;\n"), "thread (3,0,0): the kernel executed trap");
    char before[1024] = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n";
    append_string(before, "m", "x>0");
    append_string(before, "f", "a.cu");
    append_string(before, "n", "fn");
    must_fail(
        with_inputs(
            before,
            "mov.u64 %q1, m;\nmov.u64 %q2, f;\nmov.u64 %q3, n;\n"
            "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], %q1;\nst.param.b64 "
            "[b], %q2;\n"
            "st.param.b32 [c], 12;\nst.param.b64 [d], %q3;\nst.param.b64 [e], 1;\ncall.uni __assertfail, (a, b, c, d, e); }\n"),
        "a.cu:12: fn: assertion `x>0' failed");
}

static void bad_accesses_say_where_and_what(void **state)
{
    (void)state;
    must_fail(with_inputs(NULL, "st.global.u32 [%ins+16384], %t;\n"), "out of bounds: invalid write of 4 bytes");
    must_fail(with_inputs(
                  NULL, "add.s64 %q1, %ins, 16380;\nmul.wide.u32 %q2, %t, 4;\nadd.s64 %q1, %q1, %q2;\nst.global.u32 [%q1], %t;\n"),
              "program.ptx:26: kernel k, block (0,0,0), thread (1,0,0): ");
    must_fail(with_inputs(NULL, "ld.global.u32 %r2, [%in+2];\n"), "misaligned address: invalid read of 4 bytes");
    must_fail(with_inputs(NULL, "mov.u64 %q1, 8;\nld.global.u32 %r2, [%q1];\n"), "null pointer: invalid read of 4 bytes at 0x8");
    must_fail(
        with_inputs(".shared .align 4 .b8 s[64];\n", "mov.u32 %r2, s;\nmad.lo.u32 %r2, %t, 4, %r2;\nst.shared.u32 [%r2], %t;\n"),
        "outside the block's 64 bytes of shared memory");
    must_fail(with_inputs(NULL, ".local .align 4 .b8 l[16];\nmov.u64 %q1, l;\nst.local.u32 [%q1+16], %t;\n"),
              "outside the thread's 16 bytes of local memory");
    must_fail(
        with_inputs(".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n",
                    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], 16;\ncall.uni (b), malloc, (a);\nld.param.b64 %q1, [b]; }\n"
                    "{ .param .b64 a; st.param.b64 [a], %q1;\ncall.uni free, (a); }\nst.u32 [%q1], %t;\n"),
        "use after free: invalid write of 4 bytes");
    must_fail(with_inputs(NULL, "setp.lt.u32 %p0, %t, 99;\nL:\n@%p0 bra L;\n"), "stopped after");
}

static void launches_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct program *p = with_inputs(NULL, "");
    p->block = 1025;
    must_fail(p, "too large");
    must_fail(with_inputs(".extern .func missing();\n", "call.uni missing;\n"),
              "function missing is called but no loaded module defines it");
}

static void video_instructions_work_on_bytes_and_halves(void **state)
{
    (void)state;
    struct program *p = with_inputs(NULL, "ld.global.u32 %r2, [%in];\nld.global.u32 %r3, [%in+64];\nmov.u32 %r4, 11;\n"
                                          "vabsdiff4.u32.u32.u32.add %r5, %r2, %r3, %r4;\nst.global.u32 [%out], %r5;\n"
                                          "vabsdiff4.u32.u32.u32 %r5, %r2, %r3, %r4;\nst.global.u32 [%out+128], %r5;\n"
                                          "vabsdiff2.u32.u32.u32.add %r5, %r2, %r3, %r4;\nst.global.u32 [%out+256], %r5;\n"
                                          "vadd4.u32.u32.u32.sat %r5, %r2, %r3, %r4;\nst.global.u32 [%out+384], %r5;\n"
                                          "vadd.u32.u32.u32.add %r5, %r2.b1, %r3.b2, %r4;\nst.global.u32 [%out+512], %r5;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t a = p->in[t], b = p->in[t + 16], sum = 11, each = 0, sum2 = 11, sat = 0;
        for (int k = 0; k < 4; k++) {
            int x = a >> (8 * k) & 255, y = b >> (8 * k) & 255;
            sum += (uint32_t)abs(x - y);
            each |= (uint32_t)abs(x - y) << (8 * k);
            sat |= (uint32_t)(x + y > 255 ? 255 : x + y) << (8 * k);
        }
        for (int k = 0; k < 2; k++)
            sum2 += (uint32_t)abs((int)(a >> (16 * k) & 0xffff) - (int)(b >> (16 * k) & 0xffff));
        assert_int_equal(p->out[t], sum);
        assert_int_equal(p->out[32 + t], each);
        assert_int_equal(p->out[64 + t], sum2);
        assert_int_equal(p->out[96 + t], sat);
        assert_int_equal(p->out[128 + t], (a >> 8 & 255) + (b >> 16 & 255) + 11);
    }
    free(p);
}

static void asynchronous_copies_reach_shared_memory(void **state)
{
    (void)state;
    struct program *p =
        with_inputs(".shared .align 16 .b8 s[1024];\n",
                    "mov.u32 %r2, s;\nmad.lo.u32 %r2, %t, 16, %r2;\nmul.wide.u32 %q1, %t, 16;\nadd.s64 %q2, %ins, %q1;\n"
                    "cp.async.cg.shared.global [%r2], [%q2], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"
                    "ld.shared.u32 %r3, [%r2+12];\nst.global.u32 [%out], %r3;");
    must_run(p);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(p->out[t], p->in[t * 4 + 3]);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_move_whole),
        cmocka_unit_test(narrow_loads_extend_by_their_sign),
        cmocka_unit_test(every_space_is_reached_by_name_and_generically),
        cmocka_unit_test(generic_pointers_lead_each_lane_to_its_own),
        cmocka_unit_test(atomics_return_the_old_value_in_lane_order),
        cmocka_unit_test(shared_atomics_count_a_histogram),
        cmocka_unit_test(carries_chain_through_wide_sums_and_products),
        cmocka_unit_test(shuffles_move_values_between_lanes),
        cmocka_unit_test(votes_and_matches_see_the_warp),
        cmocka_unit_test(special_registers_tell_where_a_thread_is),
        cmocka_unit_test(printf_prints_every_kind_of_argument),
        cmocka_unit_test(the_device_heap_gives_each_lane_its_own),
        cmocka_unit_test(traps_and_assertions_end_the_kernel),
        cmocka_unit_test(bad_accesses_say_where_and_what),
        cmocka_unit_test(launches_that_cannot_be_are_refused),
        cmocka_unit_test(video_instructions_work_on_bytes_and_halves),
        cmocka_unit_test(asynchronous_copies_reach_shared_memory),
    };
    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
