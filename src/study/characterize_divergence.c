/* characterize_divergence.c - reuse, use of lines and kinds of hits by load instruction and by degree of memory divergence: what
 * the policy `divergence` counted in the run with the machine's own caches (paper 002, chapter 3: figures 3.3 and 3.6 to 3.10). */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/symbol.h"
#include "study/characterize.h"

enum { RANKS = 4, BINS = 4, DISTANCES = 11 };
static const char *const bin_names[BINS] = { "degree_1", "degree_3", "degree_15", "degree_32" };
static const char *const distance_names[DISTANCES] = { "0", "1", "2", "3", "6", "8", "16", "32", "64", "more", "first" };

struct load {
    const char *kernel;
    json_int_t pc;
    double accesses, distance[BINS][DISTANCES];
};

struct loads {
    struct load *load;
    size_t count;
};

static double number_in(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static double sum(const double *values, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += values[i];
    return all;
}

/* The distance that a given share of the reuses does not exceed, as the bucket's upper end; "more", or "none" without reuse. */
static const char *quantile(const double distance[DISTANCES], double share)
{
    const double reuses = sum(distance, DISTANCES - 1);
    double below = 0;
    for (size_t d = 0; reuses > 0 && d < DISTANCES - 1; d++) {
        below += distance[d];
        if (below >= share * reuses)
            return distance_names[d];
    }
    return "none";
}

static json_t *distribution(const double distance[DISTANCES])
{
    const double all = sum(distance, DISTANCES);
    return json_pack("{s:f, s:s, s:s, s:s, s:f}", "accesses", all, "quartile_1", quantile(distance, 0.25), "median",
                     quantile(distance, 0.5), "quartile_3", quantile(distance, 0.75), "first_uses",
                     all > 0 ? distance[DISTANCES - 1] / all : 0);
}

static void read_distances(const json_t *row, double out[DISTANCES])
{
    const json_t *distance = json_object_get(row, "distance");
    for (size_t d = 0; d < DISTANCES; d++)
        out[d] += number_in(distance, distance_names[d]);
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
    for (size_t b = 0; b < BINS; b++)
        read_distances(json_object_get(row, bin_names[b]), l->distance[b]);
    l->accesses = 0;
    for (size_t b = 0; b < BINS; b++)
        l->accesses += sum(l->distance[b], DISTANCES);
}

static int more_accesses_first(const void *a, const void *b)
{
    const struct load *x = a, *y = b;
    if (x->accesses != y->accesses)
        return x->accesses > y->accesses ? -1 : 1;
    const int order = strcmp(x->kernel, y->kernel);
    return order ? order : x->pc < y->pc ? -1 : 1;
}

static struct loads gather(const json_t *kernels)
{
    struct loads all = { 0 };
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *kernel = json_array_get(kernels, k);
        for (int rank = 0; rank < RANKS; rank++) {
            char name[40];
            (void)snprintf(name, sizeof name, "divergence.load.%d", rank);
            const json_t *row = json_get_dotted(kernel, name);
            if (row)
                add_load(&all, json_string_value(json_object_get(kernel, "name")), row);
        }
    }
    size_t used = 0;
    for (size_t i = 0; i < all.count; i++)
        if (all.load[i].accesses > 0)
            all.load[used++] = all.load[i];
    all.count = used;
    if (all.count)
        qsort(all.load, all.count, sizeof *all.load, more_accesses_first);
    return all;
}

static json_t *load_json(const struct load *l)
{
    double all[DISTANCES] = { 0 };
    json_t *degrees = json_object();
    for (size_t b = 0; b < BINS; b++) {
        for (size_t d = 0; d < DISTANCES; d++)
            all[d] += l->distance[b][d];
        if (sum(l->distance[b], DISTANCES) > 0)
            (void)json_object_set_new(degrees, bin_names[b], distribution(l->distance[b]));
    }
    return json_pack("{s:s, s:I, s:o, s:o}", "kernel", l->kernel, "pc", l->pc, "all", distribution(all), "by_degree", degrees);
}

/* Shares of the lines that loads of each degree brought, by how many of their sectors were used. */
static json_t *use_of_lines(const json_t *counters)
{
    static const char *const sectors[4] = { "sectors_1", "sectors_2", "sectors_3", "sectors_4" };
    json_t *use = json_object();
    for (size_t b = 0; b < BINS; b++) {
        const json_t *row = json_object_get(json_object_get(counters, "use"), bin_names[b]);
        double lines = 0;
        for (size_t s = 0; s < 4; s++)
            lines += number_in(row, sectors[s]);
        json_t *shares = json_pack("{s:f}", "lines", lines);
        for (size_t s = 0; s < 4; s++)
            (void)json_object_set_new(shares, sectors[s], json_real(lines > 0 ? number_in(row, sectors[s]) / lines : 0));
        (void)json_object_set_new(use, bin_names[b], shares);
    }
    return use;
}

json_t *characterize_divergence(const json_t *result)
{
    const json_t *counters = json_get_dotted(result, "totals.divergence"), *hits = json_object_get(counters, "hits");
    double all[DISTANCES] = { 0 };
    const double loads = number_in(counters, "loads"), each = loads > 0 ? 1 / loads : 0;
    struct loads top = gather(json_object_get(result, "kernels"));
    json_t *list = json_array();
    for (size_t i = 0; i < top.count; i++)
        (void)json_array_append_new(list, load_json(&top.load[i]));
    free(top.load);
    read_distances(counters, all);
    return json_pack("{s:{s:f, s:f, s:f}, s:o, s:o, s:o}", "hits", "temporal", each * number_in(hits, "temporal"), "spatial",
                     each * number_in(hits, "spatial"), "mixed", each * number_in(hits, "mixed"), "reuse_distance",
                     distribution(all), "sectors_used_by_degree", use_of_lines(counters), "loads", list);
}

/* ---- text ----------------------------------------------------------------------------------------------------------- */

static void print_distribution(FILE *out, const char *title, const json_t *d)
{
    (void)fprintf(out, "  %-40.40s %12.0f %8s %8s %8s %9.1f %%\n", title, number_in(d, "accesses"),
                  json_string_value(json_object_get(d, "quartile_1")), json_string_value(json_object_get(d, "median")),
                  json_string_value(json_object_get(d, "quartile_3")), 100 * number_in(d, "first_uses"));
}

static void print_use(FILE *out, const json_t *use)
{
    const char *bin;
    json_t *shares;
    (void)fprintf(out, "\nsectors used of a line, by the degree of divergence of the load that brought it\n");
    json_object_foreach((json_t *)(uintptr_t)use, bin, shares)
        if (number_in(shares, "lines") > 0)
            (void)fprintf(out, "  %-10s %12.0f lines   1: %5.1f %%   2: %5.1f %%   3: %5.1f %%   4: %5.1f %%\n", bin,
                          number_in(shares, "lines"), 100 * number_in(shares, "sectors_1"), 100 * number_in(shares, "sectors_2"),
                          100 * number_in(shares, "sectors_3"), 100 * number_in(shares, "sectors_4"));
}

void characterize_print_divergence(const json_t *divergence, FILE *out)
{
    const json_t *hits = json_object_get(divergence, "hits"), *loads = json_object_get(divergence, "loads");
    (void)fprintf(out, "\n%-26s  temporal %.1f %%  spatial %.1f %%  mixed %.1f %%\n", "hits, of all loads",
                  100 * number_in(hits, "temporal"), 100 * number_in(hits, "spatial"), 100 * number_in(hits, "mixed"));
    print_use(out, json_object_get(divergence, "sectors_used_by_degree"));
    (void)fprintf(out,
                  "\nreuse distance: other lines of the set since the last use in the kernel, of loads that use a line again\n"
                  "  %-40s %12s %8s %8s %8s %11s\n",
                  "load, degree of divergence", "accesses", "1/4", "median", "3/4", "first uses");
    print_distribution(out, "all loads", json_object_get(divergence, "reuse_distance"));
    for (size_t i = 0; i < json_array_size(loads); i++) {
        const json_t *l = json_array_get(loads, i);
        const char *bin;
        json_t *d;
        char title[64];
        char kernel[25];
        symbol_plain_name(json_string_value(json_object_get(l, "kernel")), kernel, sizeof kernel);
        (void)snprintf(title, sizeof title, "%s %#llx", kernel, (unsigned long long)json_integer_value(json_object_get(l, "pc")));
        print_distribution(out, title, json_object_get(l, "all"));
        json_object_foreach(json_object_get(l, "by_degree"), bin, d) {
            (void)snprintf(title, sizeof title, "    %s", bin);
            print_distribution(out, title, d);
        }
    }
}
