/* How many instructions per CPU second a chip of CPUs simulates, reading its trace included: bench_cpu [TRACE...]
 *
 * Without a trace, two made-up ones of 4 M instructions: a walk that mostly hits, and a chase that mostly misses. Those of
 * scripts/record-cpu-programs.sh are what docs/cpu.md has. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/prng.h"
#include "cmp/cmp.h"
#include "run/result.h"
#include "run/run_cpu.h"

enum { COUNT = 4000000 };

static void make(const char *path, bool chase)
{
    struct error err;
    struct prng random;
    prng_seed(&random, 1);
    struct cpu_trace_writer *w = cpu_trace_writer_open(path, path, &err);
    for (uint32_t i = 0; w && i < COUNT; i++) {
        struct cpu_inst inst = { .pc = 0x400000 + i % 24 * 4,
                                 .dest = { (uint8_t)(3 + i % 8) },
                                 .source = { (uint8_t)(3 + i % 5) } };
        if (i % 3 == 0)
            inst.address[CPU_STORES] =
                chase && i % 21 == 0 ? 0x10000000 + prng_below(&random, 1 << 18) * 64 : 0x20000000 + i % 4096;
        if (i % 24 == 23) {
            inst.kind = CPU_BRANCH;
            inst.taken = 1;
        }
        require(cpu_trace_write(w, &inst, 1, &err));
    }
    require(w && cpu_trace_writer_close(w, &err));
}

static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *path)
{
    struct error err = { 0 };
    struct session_setup setup;
    struct text_list traces = { 0 };
    json_t *result;
    bool stopped;
    require(session_setup_init(&setup, NULL, NULL, &err) && param_load(setup.space, CPU_DEFAULT_CONFIG, &err));
    setup.cpus = 1;
    text_list_add(&traces, path);
    const double begin = cpu_seconds();
    if (!run_cpu(&traces, &setup, &(struct session_options){ 0 }, &result, &stopped, &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    const double seconds = cpu_seconds() - begin;
    double instructions = 0, ipc = 0;
    (void)result_number(result, "cpu.instructions", &instructions);
    (void)result_number(result, "cpu.ipc", &ipc);
    (void)printf("%-40s %6.2f M instructions per CPU second; IPC %.2f\n", path, 1e-6 * instructions / seconds, ipc);
    json_decref(result);
    text_list_clear(&traces);
    session_setup_clear(&setup);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        measure(argv[i]);
    if (argc > 1)
        return 0;
    make("walk.wct", false);
    make("chase.wct", true);
    measure("walk.wct");
    measure("chase.wct");
    return unlink("walk.wct") || unlink("chase.wct");
}
