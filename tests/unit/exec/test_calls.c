/* What the machine sees of calls with local_parameters: parameters at their places of a stack in local memory, whatever they are
 * worth. */
#include <string.h>

#include "../cmocka_all.h"
#include "exec/exec.h"

/* Frames, by hand: k's is its array of 12 bytes, which begins at 0, then a, b and r of its two calls, without gaps: 12 to 32 and 32
 * to 52, so that f's begins at 52: its result, x, y, and its array of 16 bytes, aligned to its size. The declaration before f adds
 * nothing. */
static const char text[] = ".version 3.2\n.target sm_20\n.address_size 64\n"
                           ".func (.param .b32 result) f(.param .b64 x, .param .b64 y);\n"
                           ".func (.param .b32 result) f(.param .b64 x, .param .b64 y)\n"
                           "{\n .reg .b32 %r<4>; .reg .b64 %d<4>; .local .align 4 .b8 own[16];\n"
                           " ld.param.u64 %d0, [x];\n"   /* 52 + 4 */
                           " ld.param.u32 %r0, [y+4];\n" /* 52 + 12 + 4 */
                           " cvt.u32.u64 %r1, %d0;\n add.s32 %r1, %r1, %r0;\n"
                           " st.local.u32 [own+4], %r1;\n" /* 52 + 32 + 4 */
                           " mov.u64 %d1, own;\n ld.local.u32 %r1, [%d1+4];\n"
                           " st.param.u32 [result], %r1;\n ret;\n}\n"
                           ".visible .entry k(.param .u64 out)\n"
                           "{\n .reg .b32 %r<4>; .reg .b64 %d<4>; .local .align 4 .b8 array[12];\n"
                           " mov.u64 %d0, 5; mov.u64 %d1, 0x300000000;\n"
                           " { .param .b64 a; .param .b64 b; .param .b32 r;\n"
                           "   st.param.b64 [a], %d0;\n" /* 12 */
                           "   st.param.b64 [b], %d1;\n" /* 20 */
                           "   call (r), f, (a, b);\n"
                           "   ld.param.b32 %r0, [r]; }\n" /* 28 */
                           " { .param .b64 a; .param .b64 b; .param .b32 r;\n"
                           "   st.param.b64 [b], %d1;\n" /* 40 */
                           "   st.param.b64 [a], %d0;\n" /* 32 */
                           "   call (r), f, (a, b);\n"
                           "   ld.param.b32 %r1, [r]; }\n" /* 48 */
                           " add.s32 %r0, %r0, %r1;\n"
                           " ld.param.u64 %d2, [out];\n st.global.u32 [%d2], %r0;\n ret;\n}\n";

struct seen {
    uint8_t space;
    uint64_t address;
};

/* Memory instructions of the kernel's only warp, in order. Returns what it stored. */
static uint32_t run(bool local_parameters, struct seen *seen, uint32_t *count)
{
    struct error err = { 0 };
    const struct exec_options options = { .memory_bytes = 1 << 20, .view.local_parameters = local_parameters };
    struct device *device = device_new(&options, &err);
    struct ptx_module *module = ptx_parse("test.ptx", text, sizeof text - 1, &err);
    assert_non_null(module);
    struct loaded_module *loaded = device_load_module(device, module, &err);
    assert_non_null(loaded);
    const uint64_t out = device_alloc(device, 128);
    uint32_t stored;
    const struct launch launch = { .kernel = device_find_kernel(device, loaded, "k"),
                                   .grid = { 1, 1, 1 },
                                   .block = { 32, 1, 1 },
                                   .params = (const uint8_t *)&out,
                                   .param_bytes = sizeof out,
                                   .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    assert_non_null(front);
    struct front_cta *cta = front->ops->cta_start(front, 0, &err);
    struct warp_step step;
    *count = 0;
    while (cta->warps[0]->next) {
        assert_true(front->ops->step(front, cta, 0, &step, &err));
        assert_true(step.inst->class != CLASS_LOAD || step.inst->space == step.space);
        if (step.inst->class == CLASS_LOAD || step.inst->class == CLASS_STORE)
            seen[(*count)++] = (struct seen){ step.space, step.address[31] };
    }
    front->ops->cta_end(front, cta);
    front->ops->destroy(front);
    assert_true(device_read(device, out, &stored, sizeof stored, &err));
    device_free(device);
    return stored;
}

static void parameters_lie_on_the_stack(void **state)
{
    (void)state;
    static const uint64_t places[] = { 12, 20, 56, 68, 88, 88, 52, 28, 40, 32, 56, 68, 88, 88, 52, 48 };
    enum { PLACES = sizeof places / sizeof *places };
    struct seen seen[64];
    uint32_t count;
    assert_int_equal(run(true, seen, &count), 16);
    assert_int_equal(count, PLACES + 2); /* and the kernel's own parameter and its store */
    for (uint32_t i = 0; i < PLACES; i++) {
        assert_int_equal(seen[i].space, SPACE_LOCAL);
        assert_int_equal(seen[i].address, places[i]);
    }
    assert_int_equal(seen[PLACES].space, SPACE_PARAM);
}

static void otherwise_they_are_moves(void **state)
{
    (void)state;
    struct seen seen[64];
    uint32_t count;
    assert_int_equal(run(false, seen, &count), 16);
    assert_int_equal(count, 2 * 2 + 2);        /* f's array, twice */
    assert_int_equal(seen[0].address, 16 + 4); /* frames are rounded up, and hold nothing else */
}

/* Code lies in the order of the bodies: f's, declared first, behind k's. */
static void declarations_take_no_place(void **state)
{
    (void)state;
    static const char two[] =
        ".version 3.2\n.target sm_20\n.address_size 64\n.func f;\n.visible .entry k()\n{ call f; ret; }\n.func f { ret; }\n";
    struct error err = { 0 };
    const struct exec_options options = { .memory_bytes = 1 << 20 };
    struct device *device = device_new(&options, &err);
    struct loaded_module *loaded = device_load_module(device, ptx_parse("test.ptx", two, sizeof two - 1, &err), &err);
    assert_non_null(loaded);
    const struct launch launch = { .kernel = device_find_kernel(device, loaded, "k"),
                                   .grid = { 1, 1, 1 },
                                   .block = { 32, 1, 1 },
                                   .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    assert_non_null(front);
    struct front_cta *cta = front->ops->cta_start(front, 0, &err);
    const uint64_t first = cta->warps[0]->next->pc;
    struct warp_step step;
    assert_true(front->ops->step(front, cta, 0, &step, &err));
    assert_int_equal(cta->warps[0]->next->pc, first + 16); /* f */
    assert_true(front->ops->step(front, cta, 0, &step, &err));
    assert_int_equal(cta->warps[0]->next->pc, first + 8); /* back */
    front->ops->cta_end(front, cta);
    front->ops->destroy(front);
    device_free(device);
}

/* Behind each function the machine's table has the first instruction of the next one in the text, called or not: with a `ret` in
 * the first of two fetch slots that one is in the second. Nothing lies behind the last. */
static void fetch_finds_what_lies_behind(void **state)
{
    (void)state;
    static const char three[] = ".version 3.2\n.target sm_20\n.address_size 64\n.func f { ret; }\n.func g { trap; ret; }\n"
                                ".visible .entry k()\n{ call f; ret; }\n";
    struct error err = { 0 };
    const struct exec_options options = { .memory_bytes = 1 << 20 };
    struct device *device = device_new(&options, &err);
    struct loaded_module *loaded = device_load_module(device, ptx_parse("test.ptx", three, sizeof three - 1, &err), &err);
    assert_non_null(loaded);
    const struct launch launch = { .kernel = device_find_kernel(device, loaded, "k"),
                                   .grid = { 1, 1, 1 },
                                   .block = { 32, 1, 1 },
                                   .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    assert_non_null(front);
    const struct front_launch *l = &front->launch;
    assert_int_equal(l->code_count, 4); /* k, f, and g's trap */
    assert_int_equal(l->code[2].class, CLASS_RETURN);
    assert_int_equal(l->code[3].pc, l->code[2].pc + 8);
    assert_int_equal(l->code[3].index, 3);
    assert_int_equal(l->code[3].line, 5); /* g's, not k's */
    front->ops->destroy(front);
    device_free(device);
}

/* Lanes 0 to 7 read a variable of the module, the others shared memory up to 15, then local memory up to 23, then shared memory. */
static void several_spaces_count_for_the_last(void **state)
{
    (void)state;
    static const char mixed[] =
        ".version 3.2\n.target sm_20\n.address_size 64\n.global .align 4 .b8 g[256];\n"
        ".visible .entry k()\n{ .reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %d<8>; .shared .align 4 .b8 s[512];\n"
        " .local .align 4 .b8 l[16];\n"
        " mov.u64 %d0, g; cvta.global.u64 %d0, %d0; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; mov.u64 %d2, l;\n"
        " cvta.local.u64 %d2, %d2; add.s64 %d3, %d1, 256; mov.u32 %r0, %tid.x;\n"
        " setp.lt.u32 %p0, %r0, 8; setp.lt.u32 %p1, %r0, 16; setp.lt.u32 %p2, %r0, 24;\n"
        " selp.b64 %d4, %d2, %d3, %p2; selp.b64 %d4, %d1, %d4, %p1; selp.b64 %d4, %d0, %d4, %p0;\n"
        " ld.u32 %r1, [%d4]; @%p2 ld.u32 %r1, [%d4]; ret; }\n";
    struct error err = { 0 };
    const struct exec_options options = { .memory_bytes = 1 << 20, .view.last_space = true };
    struct device *device = device_new(&options, &err);
    struct loaded_module *loaded = device_load_module(device, ptx_parse("test.ptx", mixed, sizeof mixed - 1, &err), &err);
    assert_non_null(loaded);
    const struct launch launch = { .kernel = device_find_kernel(device, loaded, "k"),
                                   .grid = { 1, 1, 1 },
                                   .block = { 32, 1, 1 },
                                   .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    assert_non_null(front);
    struct front_cta *cta = front->ops->cta_start(front, 0, &err);
    static const uint8_t spaces[] = { SPACE_SHARED, SPACE_LOCAL };
    uint32_t loads = 0;
    for (struct warp_step step; cta->warps[0]->next;) {
        assert_true(front->ops->step(front, cta, 0, &step, &err));
        if (step.inst->class != CLASS_LOAD) {
            assert_int_equal(step.local_lanes, 0);
            continue;
        }
        assert_int_equal(step.space, spaces[loads++]);
        assert_int_equal(step.local_lanes, 0xFF0000);
        assert_int_equal(step.address[0], 0x60000100); /* the variable */
        assert_int_equal(step.address[8], 0);          /* shared memory begins at 0 */
        assert_int_equal(step.address[16], 0);
        if (step.executed >> 24)
            assert_int_equal(step.address[31], 0x60000100); /* where the reference has variables, too */
    }
    assert_int_equal(loads, 2);
    front->ops->cta_end(front, cta);
    front->ops->destroy(front);
    device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(parameters_lie_on_the_stack),
                                        cmocka_unit_test(several_spaces_count_for_the_last),
                                        cmocka_unit_test(otherwise_they_are_moves), cmocka_unit_test(declarations_take_no_place),
                                        cmocka_unit_test(fetch_finds_what_lies_behind) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
