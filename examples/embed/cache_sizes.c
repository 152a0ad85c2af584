/* cache_sizes.c - an example of a program that embeds warpline: how much L1 does a kernel need?
 *
 *   cc cache_sizes.c $(pkg-config --cflags --libs warpline) -o cache_sizes
 *   ./cache_sizes kernel.ptx launch.json
 *
 * It runs the kernel on one machine with four sizes of the L1 and prints cycles and hit rates. */
#include <stdio.h>
#include <warpline/warpline.h>

/* Progress on the terminal: a dot every million cycles. Another answer than 0 would stop the run. */
static int show_progress(void *context, unsigned long long cycles, unsigned long long warp_instructions)
{
    unsigned long long *shown = context;
    (void)warp_instructions;
    for (; *shown < cycles / 1000000; ++*shown)
        (void)fputc('.', stderr);
    return 0;
}

static int run_with(const char *sets, const char *ptx, const char *launch)
{
    struct warpline_machine *machine = warpline_open();
    struct warpline_result *result = NULL;
    unsigned long long shown = 0;
    if (!machine)
        return WARPLINE_BROKEN;
    warpline_on_progress(machine, show_progress, &shown);
    int code = warpline_config(machine, "gtx480");
    if (code == 0)
        code = warpline_set(machine, "l1.sets", sets);
    if (code == 0)
        code = warpline_set(machine, "l1.index", "linear");
    if (code == 0)
        code = warpline_run_files(machine, ptx, launch, &result);
    if (code == 0) {
        const double reads = warpline_counter(result, WARPLINE_TOTALS, "l1.reads");
        printf("%8s %12.0f %8.1f %%\n", sets, warpline_counter(result, WARPLINE_TOTALS, "cycles"),
               100 * warpline_counter(result, WARPLINE_TOTALS, "l1.hits") / (reads > 0 ? reads : 1));
    } else {
        (void)fprintf(stderr, "cache_sizes: %s\n", warpline_error(machine));
    }
    warpline_result_free(result);
    warpline_close(machine);
    return code;
}

int main(int argc, char **argv)
{
    static const char *const sets[] = { "16", "32", "64", "128" };
    if (argc != 3) {
        (void)fprintf(stderr, "usage: cache_sizes KERNEL.ptx LAUNCH.json\n");
        return 2;
    }
    printf("warpline %s\n%8s %12s %10s\n", warpline_version(), "L1 sets", "cycles", "hits");
    for (int i = 0; i < 4; i++) {
        const int code = run_with(sets[i], argv[1], argv[2]);
        if (code != 0)
            return code;
    }
    return 0;
}
