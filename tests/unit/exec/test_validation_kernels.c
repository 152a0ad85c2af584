/* Every kernel of tests/validation, run functionally: instruction counts and outputs as the reference reports them, with the
 * reference's unfused fma. Outputs that pass through approximate functions are compared to a relative error of 1e-5. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "launch_reader.h"

static const char *const folder = VALIDATION_FOLDER;

static uint32_t crc32_of(const uint8_t *bytes, uint64_t count)
{
    uint32_t crc = UINT32_MAX;
    for (uint64_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static FILE *open_table(const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/../%s", folder, name);
    return fopen(path, "r");
}

/* Column of a comma-separated line, from 0. */
static const char *column(char *line, int index, char *out, size_t size)
{
    for (; index > 0 && line; index--)
        line = strchr(line, ',') ? strchr(line, ',') + 1 : NULL;
    if (!line)
        return "";
    size_t n = strcspn(line, ",\n");
    n = n < size - 1 ? n : size - 1;
    memcpy(out, line, n);
    out[n] = 0;
    return out;
}

static bool find_counts(const char *kernel, uint64_t *threads, uint64_t *warps)
{
    char line[8192], cell[64];
    FILE *f = open_table("results.csv");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        if (strcmp(column(line, 0, cell, sizeof cell), kernel) == 0) {
            *threads = strtoull(column(line, 6, cell, sizeof cell), NULL, 10);
            *warps = strtoull(column(line, 8, cell, sizeof cell), NULL, 10);
            found = true;
        }
    if (f)
        (void)fclose(f);
    return found;
}

/* sum, first, middle, last of a float array against the table's figures */
static int compare_loosely(const uint8_t *bytes, uint64_t count, char *line)
{
    char cell[64];
    const float *values = (const float *)(const void *)bytes;
    double sum = 0, got[4];
    for (uint64_t i = 0; i < count; i++)
        sum += (double)values[i];
    got[0] = sum;
    got[1] = (double)values[0];
    got[2] = (double)values[count / 2];
    got[3] = (double)values[count - 1];
    int bad = 0;
    for (int k = 0; k < 4; k++) {
        double want = strtod(column(line, 5 + k, cell, sizeof cell), NULL);
        bad += !(fabs(got[k] - want) <= 1e-5 * fabs(want) + 1e-6);
    }
    return bad;
}

/* Number of wrong outputs of this kernel. */
static int check_outputs(const char *kernel, struct launch_case *c, bool exact)
{
    char line[1024], cell[64], name[64];
    FILE *f = open_table("outputs.csv");
    int bad = 0, seen = 0;
    while (f && fgets(line, sizeof line, f)) {
        uint64_t bytes;
        if (strcmp(column(line, 0, cell, sizeof cell), kernel) != 0)
            continue;
        uint8_t *data = launch_case_array(c, column(line, 1, name, sizeof name), &bytes);
        assert_non_null(data);
        bool same = crc32_of(data, bytes) == (uint32_t)strtoul(column(line, 4, cell, sizeof cell), NULL, 16);
        bool is_float = strcmp(column(line, 2, cell, sizeof cell), "f32") == 0;
        if (!same && (exact || !is_float || compare_loosely(data, bytes / 4, line))) {
            print_error("%s: array %s differs from the reference\n", kernel, name);
            bad++;
        }
        free(data);
        seen++;
    }
    if (f)
        (void)fclose(f);
    assert_true(seen > 0);
    return bad;
}

static int check_kernel(const char *kernel, bool exact)
{
    struct error err = { 0 };
    struct functional_result total = { 0 };
    uint64_t threads = 0, warps = 0;
    struct launch_case *c = launch_case_open(folder, kernel, false, &err);
    if (!c || !launch_case_run(c, &total, &err)) {
        print_error("%s: %s\n", kernel, err.text);
        if (c)
            launch_case_close(c);
        return 1;
    }
    assert_true(find_counts(kernel, &threads, &warps));
    int bad = 0;
    if (threads != total.thread_instructions || warps != total.warp_instructions) {
        print_error("%s: thread instructions %llu, reference %llu; warp instructions %llu, reference %llu\n", kernel,
                    (unsigned long long)total.thread_instructions, (unsigned long long)threads,
                    (unsigned long long)total.warp_instructions, (unsigned long long)warps);
        bad++;
    }
    bad += check_outputs(kernel, c, exact);
    launch_case_close(c);
    return bad;
}

static void kernels_count_and_compute_as_the_reference(void **state)
{
    static const struct {
        const char *name;
        bool exact;
    } kernels[] = {
        { "atax", true },
        { "atomic_histogram", true },
        { "blackscholes", false },
        { "conv2d", true },
        { "gesummv", true },
        { "histogram_shared", true },
        { "hotspot", true },
        { "kmeans_assign", true },
        { "mandelbrot", true },
        { "matmul_naive", true },
        { "matmul_tiled", true },
        { "mvt", true },
        { "pathfinder", true },
        { "pointer_chase", true },
        { "reduction", true },
        { "saxpy_stride2", true },
        { "srad", true },
        { "stencil3d", true },
        { "stride32", true },
        { "syrk", true },
        { "transpose_tiled", true },
        { "vadd", true },
    };
    int bad = 0;
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        bad += check_kernel(kernels[i].name, kernels[i].exact);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(kernels_count_and_compute_as_the_reference) };
    return cmocka_run_group_tests_name("validation kernels", tests, NULL, NULL);
}
