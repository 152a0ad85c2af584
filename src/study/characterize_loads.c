/* characterize_loads.c - the load instructions of a target, one by one: what the policy `locality` counted for each kernel, added
 * up over its launches. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/symbol.h"
#include "study/characterize.h"

enum { RANKS = 8 }; /* of loads that `locality` counts per kernel */

struct load {
    const char *kernel;
    json_int_t pc;
    double accesses, working_set_lines, streaming_lines, windows;
};

struct loads {
    struct load *load;
    size_t count;
};

static double number_in(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void add_load(struct loads *all, const char *kernel, const json_t *row)
{
    const json_int_t pc = json_integer_value(json_object_get(row, "pc"));
    size_t at = 0;
    while (at < all->count && (all->load[at].pc != pc || strcmp(all->load[at].kernel, kernel) != 0))
        at++;
    if (at == all->count) {
        all->load = must_realloc(all->load, (at + 1) * sizeof *all->load);
        all->load[all->count++] = (struct load){ .kernel = kernel, .pc = pc };
    }
    struct load *l = &all->load[at];
    l->accesses += number_in(row, "accesses");
    l->working_set_lines += number_in(row, "working_set_lines");
    l->streaming_lines += number_in(row, "streaming_lines");
}

static int more_accesses_first(const void *a, const void *b)
{
    const struct load *x = a, *y = b;
    if (x->accesses != y->accesses)
        return x->accesses > y->accesses ? -1 : 1;
    const int order = strcmp(x->kernel, y->kernel);
    return order ? order : x->pc < y->pc ? -1 : 1;
}

/* Windows of all launches of a kernel: a load's size is a mean over these. */
static double windows_of(const json_t *kernels, const char *kernel)
{
    double sum = 0;
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *one = json_array_get(kernels, k);
        if (strcmp(json_string_value(json_object_get(one, "name")), kernel) == 0)
            sum += number_in(json_object_get(one, "locality"), "windows");
    }
    return sum;
}

static struct loads gather(const json_t *kernels)
{
    struct loads all = { 0 };
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *kernel = json_array_get(kernels, k);
        for (int rank = 0; rank < RANKS; rank++) {
            char name[32];
            (void)snprintf(name, sizeof name, "locality.load.%d", rank);
            const json_t *row = json_get_dotted(kernel, name);
            if (number_in(row, "accesses") > 0)
                add_load(&all, json_string_value(json_object_get(kernel, "name")), row);
        }
    }
    for (size_t i = 0; i < all.count; i++)
        all.load[i].windows = windows_of(kernels, all.load[i].kernel);
    if (all.count)
        qsort(all.load, all.count, sizeof *all.load, more_accesses_first);
    return all;
}

json_t *characterize_loads(const json_t *result, uint32_t line_bytes)
{
    struct loads all = gather(json_object_get(result, "kernels"));
    json_t *list = json_array();
    for (size_t i = 0; i < all.count; i++) {
        const struct load *l = &all.load[i];
        const double kib_per_line = l->windows > 0 ? line_bytes / 1024.0 / l->windows : 0;
        (void)json_array_append_new(list, json_pack("{s:s, s:I, s:f, s:b, s:f, s:f}", "kernel", l->kernel, "pc", l->pc, "accesses",
                                                    l->accesses, "streams", l->streaming_lines > l->working_set_lines,
                                                    "working_set_kib", l->working_set_lines * kib_per_line, "streaming_kib",
                                                    l->streaming_lines * kib_per_line));
    }
    free(all.load);
    return list;
}

/* Figure 2 of paper 004: of the loads that do not stream, the four with the most accesses. */
double characterize_top_four_kib(const json_t *loads)
{
    double sum = 0;
    for (size_t i = 0, taken = 0; i < json_array_size(loads) && taken < 4; i++) {
        const json_t *load = json_array_get(loads, i);
        if (json_is_true(json_object_get(load, "streams")))
            continue;
        sum += number_in(load, "working_set_kib");
        taken++;
    }
    return sum;
}

void characterize_print_loads(const json_t *loads, FILE *out)
{
    (void)fprintf(out, "\nloads, per SM and window of 50000 cycles (policy.locality.window)\n%-32s %8s %12s %14s %14s\n",
                  "  kernel", "pc", "accesses", "working set", "streaming");
    for (size_t i = 0; i < json_array_size(loads); i++) {
        const json_t *l = json_array_get(loads, i);
        char kernel[31];
        symbol_plain_name(json_string_value(json_object_get(l, "kernel")), kernel, sizeof kernel);
        (void)fprintf(out, "  %-30s %#8llx %12.0f %10.2f KiB %10.2f KiB\n", kernel,
                      (unsigned long long)json_integer_value(json_object_get(l, "pc")), number_in(l, "accesses"),
                      number_in(l, "working_set_kib"), number_in(l, "streaming_kib"));
    }
}
