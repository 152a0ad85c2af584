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
    size_t n =
        (size_t)snprintf(text, 65536,
                         ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 OUT)\n{\n.reg .pred "
                         "%%p<3>;\n.reg .b32 %%r<10>;\n"
                         ".reg .f32 %%f<10>;\n.reg .f64 %%g<6>;\n.reg .b64 %%q<6>;\n.reg .b64 %%a<4>;\n.shared .align 16 .b8 "
                         "sh[4096];\nmov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%a0, %%r0, 16;\nld.param.u64 %%a1, "
                         "[OUT];\nadd.s64 %%a1, %%a1, %%a0;\nmov.u64 %%a2, sh;\ncvta.shared.u64 %%a2, "
                         "%%a2;\nadd.s64 %%a2, %%a2, %%a0;\n\nmov.u32 %%r1, "
                         "0;\nand.b32 %%r2, %%r0, 1;\n"
                         "setp.eq.u32 %%p1, %%r2, %s;\n@!%%p1 bra END;\ncvt.rn.f32.u32 %%f0, %%r0;\ncvt.f64.f32 %%g0, "
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

static void bench_arithmetic(const char *what, const char *mix, const char *lanes, bool half_of_the_lanes)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true, .lanes = lanes };
    struct error err = { 0 };
    struct functional_result result;
    struct device *device = device_new(&options, &err);
    char *text = arithmetic_kernel(mix, half_of_the_lanes);
    struct ptx_module *ptx = ptx_parse("bench.ptx", text, strlen(text), &err);
    free(text);
    if (!device || !ptx || !device_load_module(device, ptx, &err))
        die(&err);
    uint64_t out = device_alloc(device, 4096);
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
    (void)printf("%-34s %-9s %7.1f M warp instructions/s\n", what, lanes, (double)result.warp_instructions / took / 1e6);
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

int main(int argc, char **argv)
{
    static const char floats[] =
        "fma.rn.f32 %f0, %f0, %f1, %f2;\nadd.f32 %f3, %f0, %f1;\nmul.f32 %f4, %f3, %f2;\nmax.f32 %f5, %f4, %f0;\n";
    static const char integers[] =
        "mad.lo.s32 %r4, %r4, %r3, %r0;\nadd.s32 %r5, %r4, %r1;\nxor.b32 %r6, %r5, %r3;\nshl.b32 %r4, %r6, 3;\n";
    static const char wide[] =
        "mul.wide.u32 %q3, %r0, %r3;\nadd.s64 %q0, %q0, %q3;\nfma.rn.f64 %g0, %g0, %g0, %g0;\nadd.f64 %g1, %g0, %g0;\n";
    static const char pairs[] =
        "fma.rn.f16x2 %r4, %r4, %r3, %r0;\nadd.f16x2 %r5, %r4, %r3;\nmul.f16x2 %r6, %r5, %r3;\nmax.f16x2 %r4, %r6, %r0;\n";
    static const char brains[] =
        "fma.rn.bf16x2 %r4, %r4, %r3, %r0;\nfma.rn.bf16x2 %r5, %r4, %r3, %r0;\nmax.bf16x2 %r6, %r5, %r3;\n";
    static const char tiles[] =
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4,%f5,%f6,%f7}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, "
        "{%f4,%f5,%f6,%f7};\n";
    static const char whole[] =
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f4,%f5,%f6,%f7,%f4,%f5,%f6,%f7}, "
        "{%r4,%r5,%r6,%r7,%r4,%r5,%r6,%r7}, {%r8,%r9,%r8,%r9,%r8,%r9,%r8,%r9}, {%f4,%f5,%f6,%f7,%f4,%f5,%f6,%f7};\n";
    static const char generic[] = "ld.f32 %f4, [%a2];\nadd.f32 %f4, %f4, %f1;\nst.f32 [%a2], %f4;\n";
    static const char vectors[] = "ld.global.v4.f32 {%f4,%f5,%f6,%f7}, [%a1];\nst.global.v4.f32 [%a1], {%f4,%f5,%f6,%f7};\n";
    static const char shared_vectors[] = "ld.v4.f32 {%f4,%f5,%f6,%f7}, [%a2];\nst.v4.f32 [%a2], {%f4,%f5,%f6,%f7};\n";
    static const char *const kernels[] = { "atax",         "blackscholes",  "conv2d",          "histogram_shared",
                                           "hotspot",      "kmeans_assign", "mandelbrot",      "matmul_naive",
                                           "matmul_tiled", "pathfinder",    "reduction",       "srad",
                                           "stencil3d",    "syrk",          "transpose_tiled", "vadd" };
    static const char *const variants[] = { "portable", "avx2", "avx512" };
    const char *folder = argc > 1 ? argv[1] : VALIDATION_FOLDER;
    uint64_t instructions = 0;
    double time = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!lanes_choose(variants[i]))
            continue;
        bench_arithmetic("f32, full mask", floats, variants[i], false);
        bench_arithmetic("s32, full mask", integers, variants[i], false);
        bench_arithmetic("64-bit, full mask", wide, variants[i], false);
        bench_arithmetic("f32, half of the lanes", floats, variants[i], true);
        bench_arithmetic("f16x2", pairs, variants[i], false);
        bench_arithmetic("bf16x2", brains, variants[i], false);
        bench_arithmetic("mma m16n8k16 f16", tiles, variants[i], false);
        bench_arithmetic("wmma m16n16k16 f16", whole, variants[i], false);
        bench_arithmetic("generic into shared", generic, variants[i], false);
        bench_arithmetic("float4, global", vectors, variants[i], false);
        bench_arithmetic("float4, generic into shared", shared_vectors, variants[i], false);
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        bench_kernel(folder, kernels[i], &instructions, &time);
    (void)printf("%-34s %-9s %7.1f M warp instructions/s\n", "all kernels", "", (double)instructions / time / 1e6);
    return 0;
}
