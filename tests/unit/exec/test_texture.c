/* Textures, surfaces and matrix tiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "exec/scalar.h"
#include "exec/scalar.h"
#include "program_test.h"

static uint32_t bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static float value(uint32_t b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

/* A view of `in` (the second allocation), made an object whose handle goes to in[4095..4094]; also bound to `tex`. */
static void bind_view(struct device *device, void *context)
{
    struct texture_view *view = context;
    view->address = 0xC0000000 + 4 * PROGRAM_WORDS;
    uint64_t handle = device_create_texture(device, view);
    assert_true(device_write(device, view->address + 4 * (PROGRAM_WORDS - 2), &handle, sizeof handle, NULL));
    assert_true(device_bind_texture(device, NULL, "tex", view));
}

static const struct texture_view floats_8x4 = { .width = 8,
                                                .height = 4,
                                                .pitch_bytes = 64,
                                                .slice_bytes = 256,
                                                .channels = 1,
                                                .channel_bits = 32,
                                                .element = ELEMENT_FLOAT,
                                                .address_mode = { ADDRESS_CLAMP, ADDRESS_CLAMP } };

static void fill_texels(struct program *p)
{
    for (uint32_t j = 0; j < 64; j++)
        for (uint32_t i = 0; i < 16; i++)
            p->in[16 * j + i] = bits((float)(100 * j + i));
}

static void points_are_read_with_clamping(void **state)
{
    (void)state;
    struct texture_view view = floats_8x4;
    struct program *p = new_program(
        ".global .texref tex;\n",
        "and.b32 %r2, %t, 15;\nshr.u32 %r3, %t, 2;\nsub.s32 %r2, %r2, 2;\ncvt.rn.f32.s32 %f0, %r2;\ncvt.rn.f32.s32 %f1, %r3;\n"
        "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [tex, {%f0, %f1}];\nst.global.f32 [%out], %f2;\nst.global.f32 [%out+128], %f5;\n"
        "tex.2d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [tex, {%r2, %r3}];\nst.global.f32 [%out+256], %f2;");
    fill_texels(p);
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (int t = 0; t < 32; t++) {
        int x = (t & 15) - 2, y = t >> 2;
        x = x < 0 ? 0 : x > 7 ? 7 : x;
        y = y > 3 ? 3 : y;
        assert_true(value(p->out[t]) == (float)(100 * y + x));
        assert_true(value(p->out[32 + t]) == 1.0f); /* a missing alpha */
        assert_int_equal(p->out[64 + t], p->out[t]);
    }
    free(p);
}

static void linear_filtering_weighs_the_neighbours(void **state)
{
    (void)state;
    struct texture_view view = floats_8x4;
    view.linear_filter = view.normalized_coordinates = true;
    view.address_mode[0] = ADDRESS_WRAP;
    struct program *p = new_program(NULL, "ld.global.u64 %q1, [%ins+16376];\ncvt.rn.f32.u32 %f0, %t;\nmul.f32 %f0, %f0, "
                                          "0f3D000000;\nmov.f32 %f1, 0f3F000000;\n" /* t/32,
                                                                                       1/2
                                                                                     */
                                          "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%q1, {%f0, %f1}];\nst.global.f32 [%out], %f2;");
    fill_texels(p);
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (int t = 0; t < 32; t++) {
        double x = t / 32.0 * 8 - 0.5, i = floor(x), a = x - i;
        double left = (double)(((int)i + 8) % 8), right = (double)(((int)i + 9) % 8);
        assert_true(fabs((double)value(p->out[t]) - (150 + left * (1 - a) + right * a)) < 1e-3); /* rows 1 and 2 in equal parts */
    }
    free(p);
}

static void layers_borders_and_cubes_are_found(void **state)
{
    (void)state;
    struct texture_view view = floats_8x4;
    view.depth = 6;
    view.height = 4;
    view.address_mode[0] = view.address_mode[1] = ADDRESS_BORDER;
    view.border[0] = -5;
    struct program *p =
        new_program(".global .texref tex;\n",
                    "and.b32 %r2, %t, 3;\ncvt.rn.f32.u32 %f0, %t;\nmov.f32 %f1, 0f3F800000;\n"
                    "tex.a2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [tex, {%r2, %f0, %f1, %f1}];\nst.global.f32 [%out], %f2;\n"
                    "mov.f32 %f6, 0fC0000000;\nmov.f32 %f7, 0f00000000;\n" /* direction (0,-2,0): the fourth face's middle */
                    "tex.cube.v4.f32.f32 {%f2, %f3, %f4, %f5}, [tex, {%f7, %f6, %f7, %f7}];\nst.global.f32 [%out+128], %f2;");
    fill_texels(p);
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        /* slices are 256 bytes: four rows of 64 */
        assert_true(value(p->out[t]) == (t > 7 ? -5.0f : (float)(100 * (4 * (t & 3) + 1) + t)));
        assert_true(value(p->out[32 + t]) == (float)(100 * (4 * 3 + 2) + 4));
    }
    free(p);
}

static void integers_are_read_raw_or_normalised(void **state)
{
    (void)state;
    struct texture_view view = { .width = 64,
                                 .height = 1,
                                 .pitch_bytes = 64,
                                 .channels = 1,
                                 .channel_bits = 8,
                                 .element = ELEMENT_UNSIGNED,
                                 .normalized_float = true,
                                 .address_mode = { ADDRESS_CLAMP } };
    struct program *p = new_program(".global .texref tex;\n",
                                    "tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [tex, {%t}];\nst.global.f32 [%out], %f2;\n"
                                    "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [tex, {%t}];\nst.global.u32 [%out+128], %r2;");
    for (uint32_t i = 0; i < 64; i++)
        ((uint8_t *)p->in)[i] = (uint8_t)(i * 5);
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_true(value(p->out[t]) == (float)(t * 5 / 255.0));
        assert_int_equal(p->out[32 + t], t * 5);
    }
    free(p);
}

static void surfaces_are_written_and_read_by_byte_offset(void **state)
{
    (void)state;
    struct texture_view view = floats_8x4;
    struct program *p = new_program(
        NULL,
        "ld.global.u64 %q1, [%ins+16376];\nand.b32 %r2, %t, 7;\nshl.b32 %r3, %r2, 2;\nshr.u32 %r4, %t, 3;\nadd.u32 %r5, %t, 77;\n"
        "sust.b.2d.b32.trap [%q1, {%r3, %r4}], %r5;\nsuld.b.2d.b32.trap %r6, [%q1, {%r3, %r4}];\nst.global.u32 [%out], %r6;\n"
        "shl.b32 %r7, %r4, 6;\nadd.u32 %r7, %r7, %r3;\ncvt.u64.u32 %q2, %r7;\nadd.s64 %q2, %q2, %ins;\nld.global.u32 %r8, "
        "[%q2];\nst.global.u32 [%out+128], %r8;\n"
        "suld.b.2d.b32.zero %r9, [%q1, {-4, %r4}];\nst.global.u32 [%out+256], %r9;");
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p->out[t], t + 77);
        assert_int_equal(p->out[32 + t], t + 77);
        assert_int_equal(p->out[64 + t], 0);
    }
    free(p);
}

/* Four lanes meet at every element; x counts bytes. */
static void surfaces_are_reduced_into(void **state)
{
    (void)state;
    struct texture_view view = floats_8x4;
    view.element = ELEMENT_UNSIGNED;
    struct program *p = new_program(
        NULL, "ld.global.u64 %q1, [%ins+16376];\nand.b32 %r2, %t, 7;\nshl.b32 %r3, %r2, 2;\nadd.u32 %r5, %t, 77;\n"
              "sured.b.add.2d.u32.trap [%q1, {%r3, 0}], %r5;\nsured.b.max.2d.s32.trap [%q1, {%r3, 1}], %r5;\n"
              "sured.b.or.2d.b32.trap [%q1, {%r3, 2}], %r5;\nsured.b.min.2d.u32.zero [%q1, {-4, 3}], %r5;\ncvt.u64.u32 %q4, %r5;\n"
              "suld.b.2d.b32.trap %r6, [%q1, {%r3, 0}];\nst.global.u32 [%out], %r6;\n"
              "suld.b.2d.b32.trap %r6, [%q1, {%r3, 1}];\nst.global.u32 [%out+128], %r6;\n"
              "suld.b.2d.b32.trap %r6, [%q1, {%r3, 2}];\nst.global.u32 [%out+256], %r6;");
    for (uint32_t i = 0; i < 64; i++)
        p->in[i] = i < 16 ? 5 : i < 32 ? 90 : 0;
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++) {
        const uint32_t first = t % 8 + 77;
        assert_int_equal(p->out[t], 5 + 4 * first + 8 + 16 + 24);
        assert_int_equal(p->out[32 + t], first + 24);
        assert_int_equal(p->out[64 + t], first | (first + 8) | (first + 16) | (first + 24));
    }
    free(p);
}

/* sured.p: x counts samples, and the surface says whether they have a sign; four lanes meet at every one. */
static void samples_are_reduced_by_the_surfaces_type(void **state)
{
    (void)state;
    for (uint32_t is_signed = 0; is_signed < 2; is_signed++) {
        struct texture_view view = floats_8x4;
        view.element = is_signed ? ELEMENT_SIGNED : ELEMENT_UNSIGNED;
        struct program *p =
            new_program(NULL, "ld.global.u64 %q1, [%ins+16376];\nand.b32 %r2, %t, 7;\nsub.s32 %r5, %t, 16;\n"
                              "sured.p.add.2d.b32.trap [%q1, {%r2, 0}], %r5;\nsured.p.max.2d.b32.trap [%q1, {%r2, 1}], %r5;\n"
                              "sured.p.and.2d.b32.trap [%q1, {%r2, 2}], %r5;\nsured.p.min.2d.b32.zero [%q1, {-1, 3}], %r5;\n"
                              "shl.b32 %r3, %r2, 2;\nsuld.b.2d.b32.trap %r6, [%q1, {%r3, 0}];\nst.global.u32 [%out], %r6;\n"
                              "suld.b.2d.b32.trap %r6, [%q1, {%r3, 1}];\nst.global.u32 [%out+128], %r6;\n"
                              "suld.b.2d.b32.trap %r6, [%q1, {%r3, 2}];\nst.global.u32 [%out+256], %r6;");
        for (uint32_t i = 0; i < 64; i++)
            p->in[i] = i < 16 ? 5 : i < 32 ? 3 : UINT32_MAX;
        p->prepare = bind_view;
        p->context = &view;
        must_run(p);
        for (uint32_t t = 0; t < 32; t++) {
            const uint32_t k = t % 8, first = k - 16, second = k - 8; /* and k, k + 8 */
            assert_int_equal(p->out[t], 5 + first + second + k + k + 8);
            assert_int_equal(p->out[32 + t], is_signed ? (k + 8) : second); /* without a sign, what is negative is the largest */
            assert_int_equal(p->out[64 + t], first & second & k & (k + 8));
        }
        free(p);
    }
    struct texture_view floats = floats_8x4;
    struct program *p = new_program(NULL, "ld.global.u64 %q1, [%ins+16376];\nsured.p.add.1d.b32.trap [%q1, {%t}], %t;");
    p->prepare = bind_view;
    p->context = &floats;
    must_fail(p, "one integer of 32 bits");
}

/* sust.p: x counts elements of two halves; the third value has no channel. */
static void formatted_stores_take_the_surfaces_form(void **state)
{
    (void)state;
    struct texture_view view = {
        .width = 32, .height = 1, .pitch_bytes = 128, .channels = 2, .channel_bits = 16, .element = ELEMENT_FLOAT
    };
    struct program *p =
        new_program(NULL, "ld.global.u64 %q1, [%ins+16376];\ncvt.rn.f32.u32 %f0, %t;\nmul.f32 %f1, %f0, 0f3F000000;\n"
                          "sust.p.1d.v4.f32.trap [%q1, {%t}], {%f0, %f1, %f1, %f1};\nshl.b32 %r3, %t, 2;\n"
                          "suld.b.1d.b32.trap %r6, [%q1, {%r3}];\nst.global.u32 [%out], %r6;");
    p->prepare = bind_view;
    p->context = &view;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(p->out[t], half_from_double(t, ROUND_RN) | (uint32_t)half_from_double(t * 0.5, ROUND_RN) << 16);
    free(p);
}

static void a_texture_without_a_view_is_an_error(void **state)
{
    (void)state;
    struct program *p = new_program(".global .texref tex;\n", "tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [tex, {%t}];\n");
    assert_false(program_run(p));
    assert_non_null(strstr(p->err.text, "tex has nothing bound"));
    free(p);
}

static void half_tiles_multiply_into_floats(void **state)
{
    (void)state;
    /* A at word 0 (row major), B at 128 (column major), C at 512 (row major floats), D to out */
    struct program *p = new_program(
        NULL,
        ".reg .b32 %a<8>, %b<8>;\n.reg .f32 %c<8>, %d<8>;\nmov.u32 %r2, 16;\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%ins], %r2;\n"
        "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, [%ins+512], %r2;\n"
        "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, [%ins+2048], %r2;\n"
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, "
        "{%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7};\n"
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%outs], {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, %r2;");
    double a[16][16], b[16][16];
    uint16_t *halves = (uint16_t *)p->in;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            a[i][j] = (i * 3 + j * 7) % 11 - 5 + 0.25 * (j % 4);
            b[i][j] = (i * 5 + j * 2) % 13 - 6;
            halves[16 * i + j] = half_from_double(a[i][j], ROUND_RN);
            halves[256 + 16 * j + i] = half_from_double(b[i][j], ROUND_RN);
            p->in[512 + 16 * i + j] = bits((float)(i - j));
        }
    must_run(p);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            double want = i - j;
            for (int k = 0; k < 16; k++)
                want += a[i][k] * b[k][j];
            assert_true(value(p->out[16 * i + j]) == (float)want);
        }
    free(p);
}

static void byte_tiles_multiply_into_integers(void **state)
{
    (void)state;
    struct program *p =
        new_program(NULL, ".reg .b32 %a<2>, %b<2>, %c<8>;\nmov.u32 %r2, 16;\n"
                          "wmma.load.a.sync.aligned.row.m16n16k16.global.u8 {%a0,%a1}, [%ins], %r2;\n"
                          "wmma.load.b.sync.aligned.col.m16n16k16.global.u8 {%b0,%b1}, [%ins+256], %r2;\n"
                          "wmma.load.c.sync.aligned.row.m16n16k16.global.s32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, [%ins+1024], %r2;\n"
                          "wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, {%a0,%a1}, "
                          "{%b0,%b1}, {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7};\n"
                          "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%outs], {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, %r2;");
    uint8_t *bytes = (uint8_t *)p->in;
    for (uint32_t i = 0; i < 512; i++)
        bytes[i] = (uint8_t)(i * 37 + 5);
    for (uint32_t i = 0; i < 256; i++)
        p->in[256 + i] = i * 1000;
    must_run(p);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t j = 0; j < 16; j++) {
            uint32_t want = (16 * i + j) * 1000;
            for (uint32_t k = 0; k < 16; k++)
                want += (uint32_t)bytes[16 * i + k] * bytes[256 + 16 * j + k];
            assert_int_equal(p->out[16 * i + j], want);
        }
    free(p);
}

/* The same view under two handles: lanes that name one are served at once, lanes that name both in turn one by one. */
struct twins {
    struct texture_view view;
    uint64_t handle[2];
};
static void make_twins(struct device *device, void *context)
{
    struct twins *t = context;
    t->view.address = 0xC0000000 + 4 * PROGRAM_WORDS;
    for (uint32_t i = 0; i < 2; i++)
        t->handle[i] = device_create_texture(device, &t->view);
    assert_true(device_write(device, t->view.address + 4 * (PROGRAM_WORDS - 4), t->handle, sizeof t->handle, NULL));
}

/* Coordinates of each lane. */
struct lane_places {
    float at[3][32];
};

static void check_twins(const char *lanes, const struct texture_view *view, const char *geometry, const char *list,
                        const char *type, const struct lane_places *places)
{
    struct twins twins = { .view = *view };
    char body[2048];
    (void)snprintf(
        body, sizeof body,
        "ld.global.u64 %%q1, [%%ins+16368];\nand.b32 %%r9, %%t, 1;\nmul.wide.u32 %%q2, %%r9, 8;\nadd.s64 %%q3, %%ins, %%q2;\n"
        "ld.global.u64 %%q3, [%%q3+16368];\nld.global.u32 %%r10, [%%in+12288];\nld.global.f32 %%f1, [%%in+12416];\n"
        "ld.global.f32 %%f2, [%%in+12544];\nmov.b32 %%f0, %%r10;\nand.b32 %%r11, %%t, 7;\n"
        "tex.%s.v4.%s.f32 {%%r12, %%r13, %%r14, %%r15}, [%%q1, %s];\n"
        "tex.%s.v4.%s.f32 {%%r16, %%r17, %%r18, %%r19}, [%%q3, %s];\n"
        "mul.wide.u32 %%q4, %%t, 32;\nadd.s64 %%q4, %%outs, %%q4;\nst.global.v4.u32 [%%q4], {%%r12, %%r13, %%r14, %%r15};\n"
        "st.global.v4.u32 [%%q4+16], {%%r16, %%r17, %%r18, %%r19};",
        geometry, type, list, geometry, type, list);
    struct program *p = new_program(NULL, body);
    for (uint32_t i = 0; i < 3072; i++)
        p->in[i] = i % 5 == 0 ? 0x80000000u : i * 2654435761u; /* -0 among them */
    for (uint32_t i = 0; i < 96; i++)
        p->in[3072 + i] = bits(places->at[i / 32][i % 32]);
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = lanes };
    p->prepare = make_twins;
    p->context = &twins;
    must_run(p);
    for (uint32_t t = 0; t < 32; t++)
        for (uint32_t e = 0; e < 4; e++)
            if (p->out[t * 8 + e] != p->out[t * 8 + 4 + e])
                fail_msg("%s %s %s, %u bits of kind %u, mode %u, lane %u, channel %u: 0x%08x at once, 0x%08x one by one", lanes,
                         geometry, view->linear_filter ? "linear" : "point", view->channel_bits, view->element,
                         view->address_mode[0], t, e, p->out[t * 8 + e], p->out[t * 8 + 4 + e]);
    free(p);
}

/* Whatever may go wrong; far: one is too far away for all lanes. */
static void hard_places(struct lane_places *p, bool far)
{
    static const float hard[] = { 0.0f,   -0.0f,    0.5f,    1.0f,   0.49999997f, 7.5f,  7.999f, 8.0f,   8.5f,    -0.25f, -3.75f,
                                  100.3f, -200.75f, 9e7f,    -9e7f,  NAN,         -NAN,  3.25f,  0.001f, 0.9999f, 2.125f, 1e-38f,
                                  4.75f,  5.001f,   -1e-20f, 6.875f, 1.001f,      1e-3f, 2.5f,   3.5f,   0.125f,  0.375f };
    for (uint32_t i = 0; i < 32; i++) {
        p->at[0][i] = hard[i];
        p->at[1][i] = hard[(i * 7 + 3) % 32];
        p->at[2][i] = hard[(i * 5 + 1) % 32];
    }
    if (far)
        p->at[0][7] = INFINITY;
}

static bool can_run(const char *lanes)
{
    struct program *p = new_program(NULL, "");
    p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = lanes };
    const bool can = program_run(p);
    free(p);
    return can;
}

static void lanes_at_once_read_what_single_lanes_do(void **state)
{
    (void)state;
    struct lane_places hard[2];
    hard_places(&hard[0], false);
    hard_places(&hard[1], true);
    static const char *const variants[] = { "portable", "avx2", "avx512" };
    static const struct {
        const char *geometry, *list;
    } shapes[] = {
        { "1d", "{%f0}" }, { "2d", "{%f0, %f1}" }, { "3d", "{%f0, %f1, %f2, %f2}" }, { "a2d", "{%r11, %f0, %f1, %f1}" }
    };
    for (size_t v = 0; v < 3; v++) {
        const bool can = can_run(variants[v]);
        for (uint32_t i = 0; can && i < 4 * 4 * 2 * 2 * 14; i++) {
            /* floats of 32 and 16 bits, integers of 8, 16 and 32, one to four channels */
            static const struct {
                uint8_t element, channel_bits, channels;
            } kinds[] = { { ELEMENT_FLOAT, 32, 1 },    { ELEMENT_FLOAT, 16, 2 },    { ELEMENT_UNSIGNED, 8, 4 },
                          { ELEMENT_SIGNED, 8, 2 },    { ELEMENT_UNSIGNED, 16, 1 }, { ELEMENT_SIGNED, 16, 4 },
                          { ELEMENT_SIGNED, 32, 1 },   { ELEMENT_FLOAT, 32, 2 },    { ELEMENT_FLOAT, 32, 4 },
                          { ELEMENT_FLOAT, 16, 4 },    { ELEMENT_SIGNED, 8, 4 },    { ELEMENT_UNSIGNED, 16, 2 },
                          { ELEMENT_UNSIGNED, 16, 4 }, { ELEMENT_SIGNED, 16, 2 } };
            struct texture_view view = floats_8x4;
            const uint32_t shape = i % 4, mode = i / 4 % 4, kind = i / 64;
            view.depth = 3;
            view.height = shape == 0 ? 0 : 4;
            view.linear_filter = i / 16 & 1;
            view.normalized_coordinates = i / 32 & 1;
            view.element = kinds[kind].element;
            view.channel_bits = kinds[kind].channel_bits;
            view.channels = kinds[kind].channels;
            view.normalized_float = view.element != ELEMENT_FLOAT && view.channel_bits < 32;
            for (uint32_t d = 0; d < 3; d++)
                view.address_mode[d] = (uint8_t)((mode + d) % 4);
            for (uint32_t c = 0; c < 4; c++)
                view.border[c] = 0.25f * (float)(c + 1);
            check_twins(variants[v], &view, shapes[shape].geometry, shapes[shape].list, "f32", &hard[i % 5 == 0]);
            if (!view.linear_filter && view.element != ELEMENT_FLOAT) {
                view.normalized_float = false;
                check_twins(variants[v], &view, shapes[shape].geometry, shapes[shape].list, "s32", &hard[i % 5 == 0]);
            }
        }
    }
}

/* Lanes that read side by side, as those of programs do: in either direction, with gaps, at both ends of the texels, all at one
 * place, and where weights are about to round to the next one. */
enum { NEAR_WAYS = 8 };
static void near_places(struct lane_places *p, uint32_t way, const struct texture_view *view)
{
    const float size[3] = { (float)view->width, (float)(view->height ? view->height : 1), (float)view->depth };
    for (uint32_t i = 0; i < 32; i++) {
        const float tie = (float)(2 * (i * 11 % 64) + 1) / 512.0f, n = (float)i;
        const float along[NEAR_WAYS] = { n + 0.75f,
                                         n + 1.5f + tie,
                                         nextafterf(n + 1.5f + tie, 0.0f),
                                         31.25f - n,
                                         1.9f * n + 0.5f,
                                         size[0] - 31.0f + n,
                                         nextafterf(tie, 0.0f),
                                         nextafterf(0.5f + (float)(i % 4) / 512.0f, i & 4 ? 0.0f : 1.0f) };
        p->at[0][i] = along[way];
        p->at[1][i] = way == 5 ? size[1] - 0.25f : way == 6 ? n / 16.0f : way & 1 ? 1.5f + tie : n / 8.0f;
        p->at[2][i] = way == 5 ? size[2] + 1.0f : way == 3 ? 1.0f - n / 64.0f : 1.25f;
        for (uint32_t d = 0; d < 3 && view->normalized_coordinates; d++)
            p->at[d][i] /= size[d];
    }
}

static void lanes_side_by_side_read_what_single_lanes_do(void **state)
{
    (void)state;
    static const char *const variants[] = { "portable", "avx2", "avx512" }, *const geometry[] = { "1d", "2d", "3d", "a2d" },
                             *const list[] = { "{%f0}", "{%f0, %f1}", "{%f0, %f1, %f2, %f2}", "{%r11, %f0, %f1, %f1}" };
    static const struct {
        uint8_t element, channel_bits, channels;
    } kinds[] = { { ELEMENT_FLOAT, 32, 1 },  { ELEMENT_FLOAT, 16, 2 },    { ELEMENT_UNSIGNED, 8, 4 }, { ELEMENT_SIGNED, 8, 4 },
                  { ELEMENT_SIGNED, 16, 2 }, { ELEMENT_UNSIGNED, 16, 2 }, { ELEMENT_FLOAT, 32, 4 },   { ELEMENT_SIGNED, 16, 4 } };
    for (uint32_t i = 0; i < 8 * 4 * 2 * 2 * NEAR_WAYS * 3; i++) {
        const uint32_t kind = i % 8, shape = i / 8 % 4, way = i / 128 % NEAR_WAYS;
        const char *const lanes = variants[i / 128 / NEAR_WAYS];
        struct texture_view view = floats_8x4;
        struct lane_places places;
        if (i % (128 * NEAR_WAYS) == 0 && !can_run(lanes))
            i += 128 * NEAR_WAYS - 1;
        else {
            const uint32_t bytes = kinds[kind].channels * kinds[kind].channel_bits / 8u;
            view.width = i / 64 & 1 ? 64 : 43;
            view.height = shape == 0 ? 0 : 4;
            view.depth = shape == 0 ? 0 : 3;
            view.pitch_bytes = 64u * bytes;
            view.slice_bytes = 4 * view.pitch_bytes;
            view.element = kinds[kind].element;
            view.channel_bits = kinds[kind].channel_bits;
            view.channels = kinds[kind].channels;
            view.normalized_float = view.element != ELEMENT_FLOAT;
            view.linear_filter = true;
            view.normalized_coordinates = i / 32 & 1;
            for (uint32_t d = 0; d < 3; d++)
                view.address_mode[d] = view.normalized_coordinates && view.width == 64 ? ADDRESS_WRAP : ADDRESS_CLAMP;
            near_places(&places, way, &view);
            check_twins(lanes, &view, geometry[shape], list[shape], "f32", &places);
        }
    }
}

/* The texel of four signed bytes that an index clamps to. */
static int whole_channel(const struct program *p, int x, int y, uint32_t k)
{
    x = x < 0 ? 0 : x > 7 ? 7 : x;
    y = y < 0 ? 0 : y > 3 ? 3 : y;
    const int raw = ((const int8_t *)p->in)[64 * y + 4 * x + (int)k];
    return raw < -127 ? -127 : raw;
}

/* The weighted sum is a whole number, which is divided once. Between four texels it is zero: had they been divided first, something
 * would be left. In three dimensions as in two. */
static void normalised_integers_are_weighed_before_they_are_divided(void **state)
{
    static const char *const variants[] = { "portable", "avx2", "avx512" };
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        const bool deep = i / 3 % 2, between = i >= 6;
        struct texture_view view = floats_8x4;
        view.linear_filter = view.normalized_float = true;
        view.element = ELEMENT_SIGNED;
        view.channel_bits = 8;
        view.channels = 4;
        view.depth = deep ? 1 : 0;
        struct program *p = new_program(NULL, "");
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = variants[i % 3] };
        const bool can = program_run(p);
        free(p);
        if (!can)
            continue;
        char body[1024];
        const float u_step = between ? 1.0f : 0.9453125f, v_step = between ? 1.0f : 0.8828125f;
        (void)snprintf(
            body, sizeof body,
            "ld.global.u64 %%q1, [%%ins+16376];\nand.b32 %%r2, %%t, 7;\nshr.u32 %%r3, %%t, 3;\ncvt.rn.f32.u32 %%f0, %%r2;\n"
            "cvt.rn.f32.u32 %%f1, %%r3;\nmul.f32 %%f0, %%f0, 0f%08X;\nmul.f32 %%f1, %%f1, 0f%08X;\ntex.%s.v4.f32.f32 {%%f2, %%f3, "
            "%%f4, %%f5}, [%%q1, {%%f0, %%f1%s}];\n"
            "mul.wide.u32 %%q4, %%t, 16;\nadd.s64 %%q4, %%outs, %%q4;\nst.global.v4.f32 [%%q4], {%%f2, %%f3, %%f4, "
            "%%f5};",
            bits(u_step), bits(v_step), deep ? "3d" : "2d", deep ? ", %f1, %f1" : "");
        p = new_program(NULL, body);
        p->options = (struct exec_options){ .memory_bytes = 1 << 22, .lanes = variants[i % 3] };
        static const int8_t four[2][2] = { { 50, 51 }, { -100, -1 } };
        for (uint32_t b = 0; b < 256; b++)
            ((int8_t *)p->in)[b] = between ? four[b / 64 % 2][b / 4 % 2] : (int8_t)(b * 37);
        p->prepare = bind_view;
        p->context = &view;
        must_run(p);
        for (uint32_t t = 0; t < 32; t++) {
            const float u = (float)(t & 7) * u_step, v = (float)(t >> 3) * v_step;
            const double x = (double)u - 0.5, y = (double)v - 0.5;
            const int i0 = (int)floor(x), j0 = (int)floor(y);
            const int a = (int)floor((x - i0) * 256 + 0.5), b = (int)floor((y - j0) * 256 + 0.5);
            for (uint32_t k = 0; k < 4; k++) {
                const int sum = (256 - a) * (256 - b) * whole_channel(p, i0, j0, k) +
                                a * (256 - b) * whole_channel(p, i0 + 1, j0, k) + (256 - a) * b * whole_channel(p, i0, j0 + 1, k) +
                                a * b * whole_channel(p, i0 + 1, j0 + 1, k);
                assert_int_equal(p->out[4 * t + k], bits((float)((double)sum / (127 * 65536.0))));
            }
        }
        free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_at_once_read_what_single_lanes_do),
        cmocka_unit_test(lanes_side_by_side_read_what_single_lanes_do),
        cmocka_unit_test(points_are_read_with_clamping),
        cmocka_unit_test(linear_filtering_weighs_the_neighbours),
        cmocka_unit_test(layers_borders_and_cubes_are_found),
        cmocka_unit_test(integers_are_read_raw_or_normalised),
        cmocka_unit_test(normalised_integers_are_weighed_before_they_are_divided),
        cmocka_unit_test(surfaces_are_written_and_read_by_byte_offset),
        cmocka_unit_test(surfaces_are_reduced_into),
        cmocka_unit_test(samples_are_reduced_by_the_surfaces_type),
        cmocka_unit_test(formatted_stores_take_the_surfaces_form),
        cmocka_unit_test(a_texture_without_a_view_is_an_error),
        cmocka_unit_test(half_tiles_multiply_into_floats),
        cmocka_unit_test(byte_tiles_multiply_into_integers),
    };
    return cmocka_run_group_tests_name("textures and tiles", tests, NULL, NULL);
}
