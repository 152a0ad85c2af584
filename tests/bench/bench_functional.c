/* bench_functional - warp instructions per second of the functional engine: full-mask arithmetic in each vector variant, the
 * same with half of the lanes off, and the validation kernels one by one. Never a pass or fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "exec/lanes.h"
#include "launch_reader.h"

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const struct error *err)
{
    (void)fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

/* A loop whose body is `lines` lines of the mix, so that loop control is a small part. */
static char *arithmetic_kernel(const char *mix, bool half_of_the_lanes)
{
    char *text = malloc(65536);
    size_t n = (size_t)snprintf(
        text, 65536,
        ".version 7.8\n.target sm_80\n.address_size 64\n.global .texref lines, points, wraps, cubes, bytes, fetch, faces;\n.global "
        ".surfref plain;\n.visible "
        ".entry k(.param .u64 OUT)\n{\n.reg .pred "
        "%%p<3>;\n.reg .b32 %%r<10>;\n"
        ".reg .b64 %%l<2>;\n.reg .b16 %%h<4>;\n.reg .f32 %%f<10>;\n.reg .f64 %%g<6>;\n.reg .b64 %%q<6>;\n.reg .b64 "
        "%%a<4>;\n.shared .align 16 .b8 "
        "sh[4096];\n.local .align 4 .b32 loc;\nmov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%a0, %%r0, 16;\nld.param.u64 %%a1, "
        "[OUT];\nadd.s64 %%a1, %%a1, %%a0;\nmov.u64 %%a2, sh;\ncvta.shared.u64 %%a2, "
        "%%a2;\nmov.u64 %%a3, %%a2;\nadd.s64 %%a2, %%a2, %%a0;\nmov.u64 %%l0, loc;\ncvta.local.u64 %%l0, %%l0;\nand.b32 %%r9, "
        "%%r0, 15;\nshl.b32 %%r9, %%r9, 2;\n\nmov.u32 %%r1, "
        "0;\nand.b32 %%r2, %%r0, 1;\n"
        "setp.eq.u32 %%p1, %%r2, %s;\n@!%%p1 bra END;\ncvt.rn.f32.u32 %%f0, %%r0;\nmul.f32 %%f8, %%f0, 0f3D800000;\ncvt.f64.f32 "
        "%%g0, "
        "%%f0;\nmov.f32 %%f1, 0f3F7FF000;\n"
        "mov.f32 %%f2, 0f3F000000;\nmov.u32 %%r3, 7;\ncvt.u64.u32 %%q0, %%r0;\nLOOP:\n",
        half_of_the_lanes ? "0" : "%r2");
    for (int i = 0; i < 8; i++)
        n += (size_t)snprintf(text + n, 65536 - n, "%s", mix);
    (void)snprintf(text + n, 65536 - n,
                   "add.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p0, %%r1, 2000;\n@%%p0 bra LOOP;\n"
                   "ld.param.u64 %%q1, [OUT];\nmul.wide.u32 %%q2, %%r0, 4;\nadd.s64 %%q1, %%q1, %%q2;\nadd.u32 %%r3, %%r3, "
                   "%%r4;\nst.global.u32 [%%q1], %%r3;\nEND:\nret;\n}\n");
    return text;
}

/* Views of what the kernel stores into: 16 rows of 16 floats, linear unless it is `points`. */
static void bind_textures(struct device *device, uint64_t address)
{
    const struct texture_view lines = { .address = address,
                                        .width = 16,
                                        .height = 16,
                                        .pitch_bytes = 64,
                                        .slice_bytes = 1024,
                                        .channels = 1,
                                        .channel_bits = 32,
                                        .element = ELEMENT_FLOAT,
                                        .linear_filter = true,
                                        .address_mode = { ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP } };
    struct texture_view points = lines, wraps = lines, cubes = lines, bytes = lines, fetch = lines, faces = lines;
    points.linear_filter = false;
    wraps.normalized_coordinates = true;
    wraps.address_mode[0] = wraps.address_mode[1] = ADDRESS_WRAP;
    cubes.depth = 4;
    faces.depth = 6;
    faces.normalized_coordinates = true;
    bytes.channels = 4;
    bytes.channel_bits = 8;
    bytes.element = ELEMENT_UNSIGNED;
    bytes.normalized_float = true;
    fetch.width = 256;
    fetch.height = 0;
    fetch.element = ELEMENT_SIGNED;
    fetch.linear_filter = false;
    (void)device_bind_texture(device, NULL, "lines", &lines);
    (void)device_bind_texture(device, NULL, "points", &points);
    (void)device_bind_texture(device, NULL, "wraps", &wraps);
    (void)device_bind_texture(device, NULL, "cubes", &cubes);
    (void)device_bind_texture(device, NULL, "bytes", &bytes);
    (void)device_bind_texture(device, NULL, "fetch", &fetch);
    (void)device_bind_texture(device, NULL, "faces", &faces);
    (void)device_bind_texture(device, NULL, "plain", &points);
}

struct row {
    const char *what, *mix;
    bool half_of_the_lanes;
};
static const struct row rows[] = {
    { "f32, full mask", "fma.rn.f32 %f0, %f0, %f1, %f2;\nadd.f32 %f3, %f0, %f1;\nmul.f32 %f4, %f3, %f2;\nmax.f32 %f5, %f4, %f0;\n",
      false },
    { "s32, full mask", "mad.lo.s32 %r4, %r4, %r3, %r0;\nadd.s32 %r5, %r4, %r1;\nxor.b32 %r6, %r5, %r3;\nshl.b32 %r4, %r6, 3;\n",
      false },
    { "64-bit, full mask",
      "mul.wide.u32 %q3, %r0, %r3;\nadd.s64 %q0, %q0, %q3;\nfma.rn.f64 %g0, %g0, %g0, %g0;\nadd.f64 %g1, %g0, %g0;\n", false },
    { "f32, half of the lanes",
      "fma.rn.f32 %f0, %f0, %f1, %f2;\nadd.f32 %f3, %f0, %f1;\nmul.f32 %f4, %f3, %f2;\nmax.f32 %f5, %f4, %f0;\n", true },
    { "f16x2", "fma.rn.f16x2 %r4, %r4, %r3, %r0;\nadd.f16x2 %r5, %r4, %r3;\nmul.f16x2 %r6, %r5, %r3;\nmax.f16x2 %r4, %r6, %r0;\n",
      false },
    { "bf16x2", "fma.rn.bf16x2 %r4, %r4, %r3, %r0;\nfma.rn.bf16x2 %r5, %r4, %r3, %r0;\nmax.bf16x2 %r6, %r5, %r3;\n", false },
    { "mma m16n8k16 f16",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4,%f5,%f6,%f7}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, {%f4,%f5,%f6,%f7};\n",
      false },
    { "mma m16n8k8 tf32",
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f4,%f5,%f6,%f7}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, {%f4,%f5,%f6,%f7};\n",
      false },
    { "mma m16n8k32 s8",
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r4,%r5,%r6,%r7}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r4,%r5,%r6,%r7};\n",
      false },
    { "wmma m16n16k16 f16",
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f4,%f5,%f6,%f7,%f4,%f5,%f6,%f7}, {%r4,%r5,%r6,%r7,%r4,%r5,%r6,%r7}, "
      "{%r8,%r9,%r8,%r9,%r8,%r9,%r8,%r9}, {%f4,%f5,%f6,%f7,%f4,%f5,%f6,%f7};\n",
      false },
    { "wmma.load.a by rows, shared", "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r4,%r5,%r6,%r7,%r4,%r5,%r6,%r7}, [%a3], 16;\n",
      false },
    { "wmma.load.b by columns, shared",
      "wmma.load.b.sync.aligned.col.m16n16k16.f16 {%r4,%r5,%r6,%r7,%r4,%r5,%r6,%r7}, [%a3], 16;\n", false },
    { "wmma.store.d f32, shared", "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%a3], {%f4,%f5,%f6,%f7,%f4,%f5,%f6,%f7}, 16;\n",
      false },
    { "ldmatrix x4", "ldmatrix.sync.aligned.m8n8.x4.b16 {%r4,%r5,%r6,%r7}, [%a2];\n", false },
    { "ldmatrix x4 trans", "ldmatrix.sync.aligned.m8n8.x4.trans.b16 {%r4,%r5,%r6,%r7}, [%a2];\n", false },
    { "generic into shared", "ld.f32 %f4, [%a2];\nadd.f32 %f4, %f4, %f1;\nst.f32 [%a2], %f4;\n", false },
    { "float4, global", "ld.global.v4.f32 {%f4,%f5,%f6,%f7}, [%a1];\nst.global.v4.f32 [%a1], {%f4,%f5,%f6,%f7};\n", false },
    { "float4, generic into shared", "ld.v4.f32 {%f4,%f5,%f6,%f7}, [%a2];\nst.v4.f32 [%a2], {%f4,%f5,%f6,%f7};\n", false },
    { "bytes, global", "ld.global.u8 %r4, [%a1];\nst.global.u8 [%a1+1], %r4;\n", false },
    { "local", "st.local.u32 [loc], %r4;\nld.local.u32 %r5, [loc];\n", false },
    { "texture, point", "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [points, {%f0,%f8}];\n", false },
    { "texture, linear", "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [lines, {%f0,%f8}];\n", false },
    { "texture, linear, wrapped", "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [wraps, {%f1,%f2}];\n", false },
    { "texture, linear, 3-D", "tex.3d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [cubes, {%f0,%f8,%f1,%f1}];\n", false },
    { "texture, linear, 4 bytes", "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [bytes, {%f0,%f8}];\n", false },
    { "texture, gather (tld4)", "tld4.r.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [points, {%f0,%f8}];\n", false },
    { "texture, cube", "tex.cube.v4.f32.f32 {%f4,%f5,%f6,%f7}, [faces, {%f0,%f8,%f1,%f1}];\n", false },
    { "surface, store", "sust.b.2d.b32.clamp [plain, {%r9,%r3}], {%r0};\n", false },
    { "f64 mma", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g0,%g1}, {%g2}, {%g3}, {%g0,%g1};\n", false },
    { "f16 setp", "setp.lt.f16 %p2, %h0, %h1;\n", false },
    { "f16x2 ex2", "ex2.approx.f16x2 %r4, %r0;\n", false },
    { "f16x2 tanh", "tanh.approx.f16x2 %r4, %r0;\n", false },
    { "f32 tanh", "tanh.approx.f32 %f4, %f8;\n", false },
    { "f16 from and to s32", "cvt.rn.f16.s32 %h0, %r0;\ncvt.rzi.s32.f16 %r4, %h0;\n", false },
    { "f16x2 relu", "fma.rn.relu.f16x2 %r4, %r4, %r3, %r0;\n", false },
    { "f32 to u8, saturating", "cvt.rzi.u8.f32 %r4, %f0;\ncvt.sat.u8.s32 %r5, %r0;\n", false },
    { "video", "vabsdiff4.u32.u32.u32.add %r4, %r0, %r3, %r4;\n", false },
    { "generic into local", "st.u32 [%l0], %r4;\nld.u32 %r5, [%l0];\n", false },
    { "carry",
      "add.cc.u32 %r4, %r0, %r3;\naddc.cc.u32 %r5, %r0, %r3;\nmad.lo.cc.u32 %r6, %r0, %r3, %r4;\nmadc.hi.u32 %r4, %r0, %r3, %r5;\n",
      false },
    { "match", "match.any.sync.b32 %r4, %r3, 0xffffffff;\n", false },
    { "f64 atomics", "red.global.add.f64 [%a1], %g4;\n", false },
    { "texture, 1-D fetch", "tex.1d.v4.s32.s32 {%r4,%r5,%r6,%r7}, [fetch, {%r0}];\n", false },
};

static void bench_arithmetic(const struct row *row, const char *lanes)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true, .lanes = lanes };
    struct error err = { 0 };
    struct functional_result result;
    struct device *device = device_new(&options, &err);
    char *text = arithmetic_kernel(row->mix, row->half_of_the_lanes);
    struct ptx_module *ptx = ptx_parse("bench.ptx", text, strlen(text), &err);
    free(text);
    if (!device || !ptx || !device_load_module(device, ptx, &err))
        die(&err);
    uint64_t out = device_alloc(device, 16384);
    bind_textures(device, out);
    struct launch launch = { .kernel = device_find_kernel(device, NULL, "k"),
                             .grid = { 8, 1, 1 },
                             .block = { 256, 1, 1 },
                             .params = (const uint8_t *)&out,
                             .param_bytes = 8,
                             .static_shared_override = UINT32_MAX };
    struct front *front = exec_launch(device, &launch, NULL, &err);
    double start = seconds();
    if (!front || !exec_run_functional(front, 0, &result, &err))
        die(&err);
    double took = seconds() - start;
    (void)printf("%-34s %-9s %7.1f M warp instructions/s\n", row->what, lanes, (double)result.warp_instructions / took / 1e6);
    front->ops->destroy(front);
    device_free(device);
}

static void bench_kernel(const char *folder, const char *name, uint64_t *instructions, double *time)
{
    struct error err = { 0 };
    struct functional_result total;
    struct launch_case *c = launch_case_open(folder, name, true, &err);
    if (!c)
        die(&err);
    double start = seconds();
    if (!launch_case_run(c, &total, &err))
        die(&err);
    double took = seconds() - start;
    launch_case_close(c);
    (void)printf("%-34s %-9s %7.1f M warp instructions/s\n", name, "", (double)total.warp_instructions / took / 1e6);
    *instructions += total.warp_instructions;
    *time += took;
}

/* Arguments: a folder of kernels (the validation set), words of the rows that are wanted, and the variant. */
int main(int argc, char **argv)
{
    static const char *const kernels[] = { "atax",         "blackscholes",  "conv2d",          "histogram_shared",
                                           "hotspot",      "kmeans_assign", "mandelbrot",      "matmul_naive",
                                           "matmul_tiled", "pathfinder",    "reduction",       "srad",
                                           "stencil3d",    "syrk",          "transpose_tiled", "vadd" };
    static const char *const variants[] = { "portable", "avx2", "avx512" };
    const char *folder = argc > 1 ? argv[1] : VALIDATION_FOLDER, *word = argc > 2 ? argv[2] : NULL;
    uint64_t instructions = 0;
    double time = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!lanes_choose(variants[i]) || (argc > 3 && strcmp(variants[i], argv[3]) != 0))
            continue;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (!word || strstr(rows[r].what, word))
                bench_arithmetic(&rows[r], variants[i]);
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && !word; i++)
        bench_kernel(folder, kernels[i], &instructions, &time);
    if (!word)
        (void)printf("%-34s %-9s %7.1f M warp instructions/s\n", "all kernels", "", (double)instructions / time / 1e6);
    return 0;
}
