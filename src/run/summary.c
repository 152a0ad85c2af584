/* summary.c - a result on one screen. Lines whose counters a machine does not have are left out. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/symbol.h"
#include "base/terminal.h"
#include "base/units.h"
#include "run/result.h"

enum { NAME_SHOWN = 28, REFUSALS_SHOWN = 5, KERNELS_SHOWN = 12, STALLS_SHOWN = 4, STALLS_MAX = 32 };

static double at(const json_t *totals, const char *name)
{
    return json_number_dotted(totals, name, 0);
}

/* "12.3 M", in one of a few buffers that are used in turn, so that one printf can show several. */
struct texts {
    char text[8][32];
    unsigned next;
};

static const char *count(struct texts *t, double value)
{
    char *out = t->text[t->next++ % 8];
    units_human_count(out, sizeof t->text[0], value);
    return out;
}

static const char *share(struct texts *t, double part, double whole)
{
    char *out = t->text[t->next++ % 8];
    if (whole > 0)
        (void)snprintf(out, sizeof t->text[0], "%.1f %%", 100 * part / whole);
    else
        (void)snprintf(out, sizeof t->text[0], "-");
    return out;
}

static void print_heading(const json_t *result, FILE *out)
{
    const json_t *kernels = json_object_get(result, "kernels"), *policies = json_object_get(result, "policies");
    const bool cpu = json_get_dotted(result, "totals.cpu") != NULL;
    const size_t parts = json_array_size(kernels) - cpu; /* one is what the cores share */
    (void)fprintf(out, "%s%s%s: %zu %s%s", terminal_colour(out, COLOUR_BOLD), json_string_value(json_object_get(result, "target")),
                  terminal_colour(out, COLOUR_NONE), parts, cpu ? "core" : "kernel", parts == 1 ? "" : "s");
    for (size_t i = 0; i < json_array_size(policies); i++)
        (void)fprintf(out, "%s%s", i ? "," : ", policy ", json_string_value(json_array_get(policies, i)));
    (void)fputc('\n', out);
}

static void print_kernels(const json_t *result, FILE *out)
{
    const json_t *kernels = json_object_get(result, "kernels");
    const size_t all = json_array_size(kernels);
    if (all < 2)
        return;
    (void)fprintf(out, "  %-28s %12s %12s %8s %8s\n", "kernel", "cycles", "warp instr.", "IPC", "L1 hit");
    for (size_t i = 0; i < all && i < KERNELS_SHOWN; i++) {
        const json_t *k = json_array_get(kernels, i);
        struct texts t = { 0 };
        char name[NAME_SHOWN + 1];
        symbol_plain_name(json_string_value(json_object_get(k, "name")), name, sizeof name);
        (void)fprintf(out, "  %-28s %12.0f %12.0f %8.2f %8s%s\n", name, at(k, "cycles"), at(k, "warp_instructions"), at(k, "ipc"),
                      share(&t, at(k, "l1.hits"), at(k, "l1.accesses")),
                      json_is_false(json_object_get(k, "complete")) ? "  (stopped early)" : "");
    }
    if (all > KERNELS_SHOWN)
        (void)fprintf(out, "  ... and %zu more (--json has them all)\n", all - KERNELS_SHOWN);
}

/* Of a chip of CPUs: a line for each core. */
static void print_cores(const json_t *result, FILE *out)
{
    const json_t *cores = json_object_get(result, "kernels");
    (void)fprintf(out, "  %-28s %12s %12s %8s %9s %9s %9s\n", "core", "cycles", "instructions", "IPC", "L1D MPKI", "L2 MPKI",
                  "L3 MPKI");
    for (size_t i = 0; i + 1 < json_array_size(cores); i++) { /* the last one is what they share */
        const json_t *k = json_array_get(cores, i);
        (void)fprintf(out, "  %-28.28s %12.0f %12.0f %8.3f %9.2f %9.2f %9.3f%s\n", json_string_value(json_object_get(k, "name")),
                      at(k, "cycles"), at(k, "warp_instructions"), at(k, "cpu.ipc"), at(k, "cpu.l1d.mpki"), at(k, "cpu.l2.mpki"),
                      at(k, "llc.mpki"), json_is_false(json_object_get(k, "complete")) ? "  (stopped early)" : "");
    }
}

static void print_chip(const json_t *totals, FILE *out)
{
    struct texts t = { 0 };
    (void)fprintf(out, "  branches      %s of %s predicted wrongly\n", share(&t, at(totals, "cpu.mispredict_rate"), 1),
                  count(&t, at(totals, "cpu.branches")));
    (void)fprintf(out, "  L3            %s reads: %s hit, %s merged, %s missed; %.0f cycles per miss\n",
                  count(&t, at(totals, "llc.reads")), share(&t, at(totals, "llc.hits"), at(totals, "llc.reads")),
                  share(&t, at(totals, "llc.merged"), at(totals, "llc.reads")),
                  share(&t, at(totals, "llc.misses"), at(totals, "llc.reads")), at(totals, "llc.miss_latency"));
}

static void print_refusals(const json_t *result, FILE *out)
{
    const json_t *list = json_object_get(result, "refused");
    const size_t all = json_array_size(list);
    for (size_t i = 0; i < all && i < REFUSALS_SHOWN; i++) {
        const json_t *r = json_array_get(list, i), *kernel = json_object_get(r, "kernel");
        char name[80];
        symbol_plain_name(json_string_value(kernel ? kernel : json_object_get(r, "call")), name, sizeof name);
        (void)fprintf(out, "  %srefused%s       %s%s: %s\n", terminal_colour(out, COLOUR_BOLD), terminal_colour(out, COLOUR_NONE),
                      kernel ? "launch of " : "", name, json_string_value(json_object_get(r, "reason")));
    }
    if (all > REFUSALS_SHOWN)
        (void)fprintf(out, "                ... and %zu more (--json has them)\n", all - REFUSALS_SHOWN);
    const size_t races = json_array_size(json_object_get(result, "races"));
    if (races)
        (void)fprintf(out, "  races         %zu pairs of accesses that nothing orders (above, and in --json)\n", races);
}

/* Kernels that stand in for those of NVIDIA's libraries (cublas_v2.h, cufft.h, cusparse.h): their time is not the libraries'. */
static void print_stand_ins(const json_t *result, FILE *out)
{
    const json_t *kernels = json_object_get(result, "kernels");
    size_t ours = 0;
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(kernels, i), "name"));
        ours += strstr(name, "warpline_") != NULL; /* the namespace they are in */
    }
    if (ours)
        (void)fprintf(out, "  libraries     %zu kernels are warpline's own, in the place of NVIDIA's libraries\n", ours);
}

static void print_execution(const json_t *totals, FILE *out)
{
    struct texts t = { 0 };
    if (at(totals, "cycles") == 0 && !json_object_get(totals, "l1")) {
        (void)fprintf(out, "  instructions  %s warp, %s thread; values only, without a machine and its cycles\n",
                      count(&t, at(totals, "warp_instructions")), count(&t, at(totals, "thread_instructions")));
        return;
    }
    (void)fprintf(out, "  cycles        %.0f\n", at(totals, "cycles"));
    (void)fprintf(out, "  instructions  %s warp, %s thread; IPC %.2f thread, %.3f warp\n",
                  count(&t, at(totals, "warp_instructions")), count(&t, at(totals, "thread_instructions")), at(totals, "ipc"),
                  at(totals, "warp_ipc"));
    const double slots = at(totals, "sm.slots.all");
    if (slots <= 0)
        return;
    (void)fprintf(out, "  occupancy     %s of warp slots; %s of lanes at work\n", share(&t, at(totals, "sm.occupancy"), 1),
                  share(&t, at(totals, "sm.simd_efficiency"), 1));
    (void)fprintf(out, "  issue slots   %s issued; lost: %s waiting for registers, %s pipe full, %s nothing to issue\n",
                  share(&t, at(totals, "sm.slots.issued"), slots), share(&t, at(totals, "sm.slots.scoreboard"), slots),
                  share(&t, at(totals, "sm.slots.pipe"), slots), share(&t, at(totals, "sm.slots.idle"), slots));
}

static void print_memory(const json_t *totals, FILE *out)
{
    struct texts t = { 0 };
    if (json_object_get(totals, "l1")) {
        const double loads = at(totals, "l1.accesses");
        (void)fprintf(out, "  L1            %s loads: %s hit, %s merged, %s missed, %s bypassed; %s stores\n", count(&t, loads),
                      share(&t, at(totals, "l1.hits"), loads), share(&t, at(totals, "l1.merged"), loads),
                      share(&t, at(totals, "l1.misses"), loads), share(&t, at(totals, "l1.bypassed"), loads),
                      count(&t, at(totals, "l1.writes")));
    }
    if (json_object_get(totals, "l2")) {
        const double accesses = at(totals, "l2.reads") + at(totals, "l2.writes");
        (void)fprintf(out, "  L2            %s reads, %s writes (32 B each): %s hit, %s merged, %s missed\n",
                      count(&t, at(totals, "l2.reads")), count(&t, at(totals, "l2.writes")),
                      share(&t, at(totals, "l2.hits"), accesses), share(&t, at(totals, "l2.merged"), accesses),
                      share(&t, at(totals, "l2.misses"), accesses));
    }
    if (json_object_get(totals, "dram"))
        (void)fprintf(out, "  DRAM          %s reads, %s writes; %s in the open row; bus busy %s\n",
                      count(&t, at(totals, "dram.reads")), count(&t, at(totals, "dram.writes")),
                      share(&t, at(totals, "dram.row_locality"), 1), share(&t, at(totals, "dram.utilisation"), 1));
}

static void print_energy(const json_t *totals, FILE *out)
{
    const json_t *energy = json_object_get(totals, "energy");
    const double total = at(energy, "total_j");
    if (total <= 0)
        return;
    struct texts t = { 0 };
    const bool small = total < 1;
    (void)fprintf(out, "  energy        %.3g %s, %.1f W (%s):", small ? 1e3 * total : total, small ? "mJ" : "J",
                  at(energy, "mean_w"), json_string_value(json_object_get(energy, "table")));
    const char *name;
    json_t *value;
    bool first = true;
    json_object_foreach(json_object_get(energy, "components"), name, value) {
        if (100 * json_number_value(value) < 0.05 * total)
            continue;
        (void)fprintf(out, "%s %s %s", first ? "" : ",", share(&t, json_number_value(value), total), name);
        first = false;
    }
    (void)fputc('\n', out);
}

struct stall {
    char name[64];
    double cycles;
};

static int by_cycles(const void *a, const void *b)
{
    const double x = ((const struct stall *)a)->cycles, y = ((const struct stall *)b)->cycles;
    return (x < y) - (x > y);
}

static size_t gather_stalls(const json_t *totals, const char *group, const char *label, struct stall *stalls, size_t used)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_get_dotted(totals, group), name, value) {
        if (used == STALLS_MAX || json_number_value(value) <= 0)
            continue;
        (void)snprintf(stalls[used].name, sizeof stalls[used].name, "%s %s", label, name);
        stalls[used++].cycles = json_number_value(value);
    }
    return used;
}

static void print_stalls(const json_t *totals, FILE *out)
{
    struct stall stalls[STALLS_MAX];
    size_t used = gather_stalls(totals, "l1.refused", "L1", stalls, 0);
    used = gather_stalls(totals, "l2.refused", "L2", stalls, used);
    used = gather_stalls(totals, "sm.lsu", "LSU", stalls, used);
    qsort(stalls, used, sizeof *stalls, by_cycles);
    struct texts t = { 0 };
    for (size_t i = 0; i < used && i < STALLS_SHOWN; i++)
        (void)fprintf(out, "%s%s %s", i ? ", " : "  stall cycles  ", stalls[i].name, count(&t, stalls[i].cycles));
    if (used)
        (void)fputc('\n', out);
}

void result_print_summary(const json_t *result, FILE *out)
{
    const json_t *totals = json_object_get(result, "totals"), *host = json_object_get(result, "host");
    print_heading(result, out);
    if (!json_array_size(json_object_get(result, "kernels"))) { /* rows of zeros would look like a measurement */
        print_refusals(result, out);
        (void)fprintf(out, "  no kernel ran, so there is nothing to report\n");
        return;
    }
    if (json_object_get(totals, "cpu")) {
        print_cores(result, out);
        print_chip(totals, out);
    } else {
        print_kernels(result, out);
        print_refusals(result, out);
        print_stand_ins(result, out);
        print_execution(totals, out);
    }
    print_memory(totals, out);
    print_stalls(totals, out);
    print_energy(totals, out);
    if (host) {
        struct texts t = { 0 };
        char memory[32];
        units_human_bytes(memory, sizeof memory, at(host, "peak_rss_bytes"));
        (void)fprintf(out, "  simulated in  %.2f s: ", at(host, "wall_seconds"));
        if (at(host, "cycles_per_second") > 0)
            (void)fprintf(out, "%s cycles/s, ", count(&t, at(host, "cycles_per_second")));
        (void)fprintf(out, "%s warp instructions/s, %s\n", count(&t, at(host, "warp_instructions_per_second")), memory);
    }
}
