/* Whole files: the validation kernels and their register counts; damaged, huge and binary files. */
#include "ptx_text.h"

#include <time.h>

/* Registers per thread that ptxas gives these kernels: kernel_info of tests/validation/kernels/NAME.json. */
static const struct {
    const char *file, *kernel;
    uint32_t registers;
} kernels[] = { { "atax", "atax_row", 18 },
                { "atax", "atax_col", 20 },
                { "atomic_histogram", "atomic_histogram", 10 },
                { "blackscholes", "blackscholes", 19 },
                { "conv2d", "conv2d", 30 },
                { "gesummv", "gesummv", 27 },
                { "histogram_shared", "histogram_shared", 15 },
                { "hotspot", "hotspot", 16 },
                { "kmeans_assign", "kmeans_assign", 51 },
                { "mandelbrot", "mandelbrot", 12 },
                { "matmul_naive", "matmul_naive", 25 },
                { "matmul_tiled", "matmul_tiled", 63 },
                { "mvt", "mvt_1", 19 },
                { "mvt", "mvt_2", 24 },
                { "pathfinder", "pathfinder", 14 },
                { "pointer_chase", "pointer_chase", 8 },
                { "reduction", "reduction", 12 },
                { "saxpy_stride2", "saxpy_stride2", 10 },
                { "srad", "srad1", 22 },
                { "srad", "srad2", 20 },
                { "stencil3d", "stencil3d", 28 },
                { "stride32", "stride32", 26 },
                { "syrk", "syrk", 22 },
                { "thrash_row32", "thrash_row", 18 },
                { "transpose_tiled", "transpose_tiled", 30 },
                { "vadd", "vadd_k", 12 } };
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void test_validation_kernels(void **state)
{
    (void)state;
    uint32_t close = 0, error_sum = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        char path[512];
        size_t length;
        struct error err = { 0 };
        (void)snprintf(path, sizeof path, SOURCE_ROOT "/tests/validation/kernels/%s.ptx", kernels[i].file);
        char *text = read_file(path, &length);
        struct ptx_module *m = ptx_parse(kernels[i].file, text, length, &err);
        if (!m)
            fail_msg("%s", err.text);
        ptxas_assign_resources(m);
        const struct ptx_function *k = ptx_find_function(m, kernels[i].kernel);
        assert_non_null(k);
        assert_true(k->is_entry && k->code_count > 0);
        for (uint32_t c = 0; c < k->code_count; c++)
            if (k->code[c].op == OP_BRA && k->code[c].guard >= 0)
                assert_true(k->code[c].reconverge < k->code_count); /* clang gives these one exit */
        int difference = (int)k->register_estimate - (int)kernels[i].registers;
        error_sum += (uint32_t)abs(difference);
        close += abs(difference) <= 5;
        ptx_free(m);
        free(text);
    }
    /* bounds of the estimate, measured: 24 of 26 within 5, mean error 3.2; see docs/ptx.md */
    print_message("register estimate: %u of %u within 5, mean error %.1f\n", close, KERNELS, (double)error_sum / KERNELS);
    assert_true(close * 5 >= KERNELS * 4);
    assert_true(error_sum <= KERNELS * 4);
}

/* samples/features.cu through nvcc 13 (-arch=compute_75; compute_80 -lineinfo; compute_90 -G) and clang 14 (sm_60, -O2; -O0 -g);
 * the bytes of the debug sections are blanked. */
static void test_compilers(void **state)
{
    (void)state;
    static const char *const files[] = { "nvcc", "nvcc_lines", "nvcc_debug", "clang", "clang_debug" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        size_t length;
        struct error err = { 0 };
        (void)snprintf(path, sizeof path, SOURCE_ROOT "/tests/unit/ptx/samples/features_%s.ptx", files[i]);
        char *text = read_file(path, &length);
        struct ptx_module *m = ptx_parse(files[i], text, length, &err);
        if (!m)
            fail_msg("%s", err.text);
        uint32_t entries = 0, tables = 0, recursive = 0, lines = 0;
        for (uint32_t f = 0; f < m->function_count; f++) {
            const struct ptx_function *fn = &m->functions[f];
            entries += fn->is_entry;
            tables += fn->table_count;
            for (uint32_t k = 0; k < fn->code_count; k++) {
                const struct ptx_inst *c = &fn->code[k];
                recursive += c->op == OP_CALL && c->src[0].kind == OPERAND_FUNCTION && &m->functions[c->src[0].index] == fn;
                lines += c->source_line > 0 && strstr(m->source_files[c->source_file], "features.cu");
            }
        }
        assert_int_equal(entries, 2);
        assert_true(tables > 0);
        assert_true(recursive > 0 || strstr(files[i], "clang")); /* clang makes a loop of it at -O2 */
        assert_true((lines > 0) == (strstr(files[i], "_") != NULL));
        ptx_free(m);
        free(text);
    }
}

/* Every prefix of a file is read or refused, and never as a whole kernel where it ends inside one. */
static void test_truncated(void **state)
{
    (void)state;
    size_t length;
    char *text = read_file(SOURCE_ROOT "/tests/validation/kernels/hotspot.ptx", &length);
    size_t end = (size_t)(strrchr(text, '}') - text);
    for (size_t n = 0; n < end; n += 7) {
        struct error err = { 0 };
        struct ptx_module *m = ptx_parse("cut.ptx", text, n, &err);
        assert_true(!m == (err.text[0] != '\0'));
        assert_true(!m || !ptx_find_function(m, "hotspot"));
        ptx_free(m);
    }
    struct error err = { 0 };
    assert_null(ptx_parse("cut.ptx", text, end, &err));
    assert_non_null(strstr(err.text, "the file ends inside 'hotspot'"));
    free(text);
}

static void test_huge(void **state)
{
    (void)state;
    size_t length = 100000000;
    char *text = malloc(length);
    memset(text, ' ', length);
    struct error err = { 0 };
    assert_null(ptx_parse("huge.ptx", text, length, &err));
    assert_string_equal(err.text, "huge.ptx: 100000000 bytes of PTX; more than 67108864 are not read");
    free(text);
}

static void test_binary(void **state)
{
    (void)state;
    char bytes[4096];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)((x = x * 1664525 + 1013904223) >> 24);
    struct error err = { 0 };
    assert_null(ptx_parse("a.bin", bytes, sizeof bytes, &err));
    assert_non_null(strstr(err.text, "a.bin:1:"));
    assert_null(ptx_parse("elf", "\177ELF\2\1\1", 7, &err));
    assert_non_null(strstr(err.text, "elf:1:1: this character has no place in PTX"));
    assert_null(ptx_parse("empty", "", 0, &err));
    assert_string_equal(err.text, "empty:1:1: this is not PTX: it must start with .version; at 'end of file'");
}

/* The rate is printed, not judged: it depends on the machine. */
static void test_rate(void **state)
{
    (void)state;
    size_t length, copies = 400, used = 0;
    char *body = read_file(SOURCE_ROOT "/tests/validation/kernels/blackscholes.ptx", &length);
    const char *start = strstr(body, ".visible");
    char *text = malloc(copies * (length + 64) + 256);
    used += (size_t)sprintf(text, PTX_HEAD);
    for (size_t i = 0; i < copies; i++) { /* the same kernel under many names */
        const char *open = strchr(start, '(');
        used += (size_t)sprintf(text + used, ".visible .entry k%zu%s", i, open);
    }
    struct error err = { 0 };
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    struct ptx_module *m = ptx_parse("many.ptx", text, used, &err);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    if (!m)
        fail_msg("%s", err.text);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    print_message("%.1f MB of PTX at %.0f MB/s\n", (double)used / 1e6, (double)used / 1e6 / seconds);
    assert_int_equal(m->function_count, copies);
    ptx_free(m);
    free(text);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_validation_kernels),
                                        cmocka_unit_test(test_compilers),
                                        cmocka_unit_test(test_truncated),
                                        cmocka_unit_test(test_huge),
                                        cmocka_unit_test(test_binary),
                                        cmocka_unit_test(test_rate) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
