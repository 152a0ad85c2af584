/* Launches from device code: their order, their arguments, and what is refused. The PTX is as nvcc makes it. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "exec/exec.h"

#define CALLS                                                                                                                      \
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 line;\n"                                                          \
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 "  \
    "b[12], .param .b32 s);\n"                                                                                                     \
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
/* note(order, number): order[line++] = number + its blocks; parent(order, number) launches it twice, once as the tail. */
#define NOTE                                                                                                                       \
    ".entry note(.param .u64 order, .param .u32 number)\n{\n.reg .b32 %r<6>;\n.reg .b64 %d<4>;\n.reg .pred %p;\n"                  \
    "mov.u32 %r0, %ctaid.x;\nsetp.ne.u32 %p, %r0, 0;\n@%p ret;\natom.global.add.u32 %r1, [line], 1;\n"                             \
    "ld.param.u32 %r2, [number];\nmov.u32 %r3, %nctaid.x;\nadd.u32 %r2, %r2, %r3;\nld.param.u64 %d0, [order];\n"                   \
    "mul.wide.u32 %d1, %r1, 4;\nadd.s64 %d0, %d0, %d1;\nst.global.u32 [%d0], %r2;\nret;\n}\n"
#define LAUNCH(kernel, blocks, number, stream)                                                                                     \
    "{\n.param .b64 f;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n.param .b64 r;\n"                  \
    "mov.u64 %d1, " kernel ";\nst.param.b64 [f], %d1;\nst.param.b32 [g], " blocks ";\nst.param.b32 [g+4], 1;\n"                    \
    "st.param.b32 [g+8], 1;\nst.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"         \
    "call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);\nld.param.b64 %d2, [r];\n}\n"                                         \
    "st.u64 [%d2], %d0;\nst.u32 [%d2+8], " number ";\n"                                                                            \
    "{\n.param .b64 p;\n.param .b64 s;\n.param .b32 r;\nst.param.b64 [p], %d2;\nst.param.b64 [s], " stream ";\n"                   \
    "call (r), __cudaCDP2LaunchDeviceV2, (p, s);\n}\n"
#define PARENT(name, body)                                                                                                         \
    ".visible .entry " name "(.param .u64 order, .param .u32 number)\n{\n.reg .b64 %d<4>;\nld.param.u64 %d0, [order];\n" body      \
    "ret;\n}\n"

static struct device *open_device(const char *text)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .heap_bytes = 1 << 16 };
    struct error err = { 0 };
    struct device *device = device_new(&options, &err);
    struct ptx_module *module = ptx_parse("test.ptx", text, strlen(text), &err);
    if (!module || !device_load_module(device, module, &err))
        fail_msg("%s", err.text);
    return device;
}

static bool run(struct device *device, const struct launch *launch, struct error *err)
{
    struct functional_result result;
    struct front *front = exec_launch(device, launch, NULL, err);
    const bool ok = front && exec_run_functional(front, 0, &result, err);
    if (front)
        front->ops->destroy(front);
    return ok;
}

static struct launch launch_of(struct device *device, const uint64_t params[2])
{
    return (struct launch){ .kernel = device_find_kernel(device, NULL, "k"),
                            .grid = { 1, 1, 1 },
                            .block = { 1, 1, 1 },
                            .params = (const uint8_t *)params,
                            .param_bytes = 16,
                            .static_shared_override = UINT32_MAX };
}

/* A child's own children come before the next child, and the tail last. */
static void children_run_in_order_and_the_tail_last(void **state)
{
    (void)state;
    struct device *device =
        open_device(CALLS NOTE PARENT("deep", LAUNCH("note", "2", "20", "0") LAUNCH("note", "1", "25", "3"))
                        PARENT("k", LAUNCH("note", "1", "90", "3") LAUNCH("deep", "1", "0", "0") LAUNCH("note", "3", "30", "4")));
    uint32_t order[8] = { 0 }, launches = 0;
    const uint64_t out = device_alloc(device, sizeof order), params[2] = { out, 0 };
    struct launch launch = launch_of(device, params);
    struct error err = { 0 };
    uint8_t *values;
    if (!run(device, &launch, &err))
        fail_msg("%s", err.text);
    for (; device_next_child(device, &launch, &values); launches++) {
        if (!run(device, &launch, &err))
            fail_msg("%s", err.text);
        free(values);
    }
    assert_int_equal(launches, 5);
    assert_true(device_read(device, out, order, sizeof order, &err));
    static const uint32_t wanted[] = { 22, 26, 33, 91, 0 }; /* number and blocks */
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(order[i], wanted[i]);
    device_free(device);
}

static void what_is_dropped_does_not_run(void **state)
{
    (void)state;
    struct device *device = open_device(CALLS NOTE PARENT("k", LAUNCH("note", "1", "1", "0") LAUNCH("note", "1", "2", "0")));
    const uint64_t out = device_alloc(device, 32), params[2] = { out, 0 };
    struct launch launch = launch_of(device, params);
    struct error err = { 0 };
    uint8_t *values;
    assert_true(run(device, &launch, &err));
    device_drop_children(device);
    assert_false(device_next_child(device, &launch, &values));
    assert_true(run(device, &launch, &err)); /* and what is left when the device ends is freed with it */
    device_free(device);
}

static void must_refuse(const char *text, const char *with)
{
    struct device *device = open_device(text);
    const uint64_t out = device_alloc(device, 32), params[2] = { out, 0 };
    struct launch launch = launch_of(device, params);
    struct error err = { 0 };
    assert_false(run(device, &launch, &err));
    if (!strstr(err.text, with))
        fail_msg("the error should say \"%s\": %s", with, err.text);
    device_free(device);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    must_refuse(CALLS NOTE PARENT("k", LAUNCH("line", "1", "1", "0")), "where no kernel is");
    must_refuse(CALLS ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n" PARENT(
                    "k", "{ .param .b32 r;\ncall (r), cudaDeviceSynchronize, ();\n}\n"),
                "waits for kernels that it has launched");
    must_refuse(CALLS ".extern .func (.param .b32 r) __cudaCDP2DeviceGetLimit();\n" PARENT(
                    "k", "{ .param .b32 r;\ncall (r), __cudaCDP2DeviceGetLimit, ();\n}\n"),
                "launches, streams, events");
}

/* k(order, graph): launches the graph behind its own, beside it, and in a stream that is not for graphs; order[] has the three
 * codes and the graph that runs. */
#define GRAPH_CALL(stream, at)                                                                                                     \
    "{\n.param .b64 e;\n.param .b64 s;\n.param .b32 r;\nst.param.b64 [e], %d1;\nst.param.b64 [s], " stream ";\n"                   \
    "call (r), cudaGraphLaunch, (e, s);\nld.param.b32 %r0, [r];\n}\nst.global.u32 [%d0+" at "], %r0;\n"
#define GRAPHS                                                                                                                     \
    ".version 8.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) cudaGraphLaunch(.param .b64 e, .param .b64 "     \
    "s);\n"                                                                                                                        \
    ".visible .entry k(.param .u64 order, .param .u64 graph)\n{\n.reg .b64 %d<4>;\n.reg .b32 %r<2>;\nld.param.u64 %d0, [order];\n" \
    "ld.param.u64 %d1, [graph];\n" GRAPH_CALL("0x0100000000000000", "0") GRAPH_CALL("0x0200000000000000", "4")                     \
        GRAPH_CALL("0", "8") "mov.u64 %d2, %current_graph_exec;\nst.global.u64 [%d0+16], %d2;\nret;\n}\n"

static void check_graph_launches(struct device *device, uint64_t out, uint64_t graph, const uint32_t codes[3], uint64_t running)
{
    const uint64_t params[2] = { out, graph };
    const struct launch launch = launch_of(device, params);
    struct error err = { 0 };
    uint32_t got[6];
    uint64_t got_running;
    if (!run(device, &launch, &err))
        fail_msg("%s", err.text);
    assert_true(device_read(device, out, got, sizeof got, &err));
    memcpy(&got_running, got + 4, sizeof got_running);
    assert_memory_equal(got, codes, 3 * sizeof *codes);
    assert_int_equal(got_running, running);
}

static void graphs_are_noted_in_order_if_they_are_known(void **state)
{
    (void)state;
    static const uint32_t refused[3] = { 1, 1, 1 }, taken[3] = { 0, 0, 1 };
    struct device *device = open_device(GRAPHS);
    const uint64_t out = device_alloc(device, 32);
    uint64_t graph;
    bool is_tail;
    device_allow_graph(device, 77, true);
    device_allow_graph(device, 78, true);
    check_graph_launches(device, out, 77, refused, 0); /* the kernel is of no graph */
    device_enter_graph(device, 5);
    check_graph_launches(device, out, 76, refused, 0); /* nobody knows 76, and 5 is not for the device */
    check_graph_launches(device, out, 77, taken, 0);
    device_enter_graph(device, 78);
    check_graph_launches(device, out, 78, taken, 78);
    assert_true(device_next_graph(device, &graph, &is_tail) && graph == 77 && is_tail);
    assert_true(device_next_graph(device, &graph, &is_tail) && graph == 77 && !is_tail);
    assert_true(device_next_graph(device, &graph, &is_tail) && graph == 78 && is_tail);
    device_allow_graph(device, 78, false);
    check_graph_launches(device, out, 78, refused, 0);
    device_free(device); /* with what is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_run_in_order_and_the_tail_last),
        cmocka_unit_test(what_is_dropped_does_not_run),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(graphs_are_noted_in_order_if_they_are_known),
    };
    return cmocka_run_group_tests_name("children", tests, NULL, NULL);
}
