/* ldmatrix, stmatrix and movmatrix: which half of which row each lane gets; and that mma needs a whole warp. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "program.h"

enum { LANE_COUNT = 32 };

/* Row r of matrix m is at 16 bytes times (8 m + r), and its halves are numbered through. */
static void rows_are_loaded_and_stored_as_fragments(void **state)
{
    (void)state;
    struct program *p = calloc(1, sizeof *p);
    p->before = ".shared .align 16 .b8 tile[512];\n.shared .align 16 .b8 back[512];\n";
    p->body = ".reg .b32 %m<4>, %s<4>;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %t, 16, %r2;\nmul.wide.u32 %q1, %t, 16;\nadd.s64 %q2, "
              "%ins, %q1;\n"
              "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%q2];\nst.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};\nbar.sync 0;\n"
              "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%m0, %m1, %m2, %m3}, [%r3];\n"
              "add.s64 %q3, %outs, %q1;\nst.global.v4.u32 [%q3], {%m0, %m1, %m2, %m3};\n"
              "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%s0, %s1}, [%r3];\nst.global.v2.u32 [%q3+512], {%s0, %s1};\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %s2, %m0;\nst.global.u32 [%q3+520], %s2;\n"
              "mov.u32 %r2, back;\nmad.lo.u32 %r3, %t, 16, %r2;\n"
              "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%m0, %m1, %m2, %m3};\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nst.global.v4.u32 [%q3+1024], {%r4, %r5, %r6, %r7};\n"
              "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r3], {%m1};\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nst.global.v4.u32 [%q3+1536], {%r4, %r5, %r6, %r7};";
    uint16_t *halves = (uint16_t *)p->in;
    for (uint32_t i = 0; i < 256; i++)
        halves[i] = (uint16_t)(i + 100);
    if (!program_run(p))
        fail_msg("%s", p->err.text);
    const uint16_t *transposed = (const uint16_t *)&p->out[384];
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        for (uint32_t m = 0; m < 4; m++)
            for (uint32_t h = 0; h < 2; h++)
                assert_int_equal(p->out[lane * 4 + m] >> 16 * h & 0xffff, 100 + 64 * m + lane / 4 * 8 + lane % 4 * 2 + h);
        for (uint32_t m = 0; m < 3; m++) /* the third is movmatrix of the first */
            for (uint32_t h = 0; h < 2; h++)
                assert_int_equal(p->out[128 + lane * 4 + m] >> 16 * h & 0xffff,
                                 100 + 64 * (m % 2) + (lane % 4 * 2 + h) * 8 + lane / 4);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(p->out[256 + lane * 4 + k], p->in[lane * 4 + k]);
    }
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(transposed[i], 164 + i % 8 * 8 + i / 8);
    free(p);
}

static void part_of_a_warp_cannot_multiply(void **state)
{
    (void)state;
    struct program *p = calloc(1, sizeof *p);
    p->body = ".reg .b64 %x<4>;\n.reg .pred %half;\nsetp.lt.u32 %half, %t, 16;\n"
              "@%half mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%x0, %x1}, {%x2}, {%x3}, {%x0, %x1};";
    assert_false(program_run(p));
    assert_non_null(strstr(p->err.text, "mma needs all 32 lanes"));
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_loaded_and_stored_as_fragments),
        cmocka_unit_test(part_of_a_warp_cannot_multiply),
    };
    return cmocka_run_group_tests_name("matrix moves", tests, NULL, NULL);
}
