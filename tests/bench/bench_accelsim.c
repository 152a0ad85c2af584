/* bench_accelsim - instruction lines of an Accel-Sim trace that are read per second of CPU: text to encoded warps, and stepping
 * through them as the machine would. Never a pass or fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/accelsim.h"

enum { BLOCKS = 400, WARPS = 8, LOOPS = 60 };

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* A loop of a tiled product: two loads and a store in ten instructions, one of the loads with a list of differences. */
static void write_warp(FILE *f, unsigned block, unsigned warp)
{
    (void)fprintf(f, "warp = %u\ninsts = %u\n", warp, LOOPS * 10 + 1);
    for (unsigned i = 0; i < LOOPS; i++) {
        const unsigned long at = 0x7f5e00000000ul + block * 65536ul + warp * 4096ul + i * 128ul;
        (void)fprintf(f, "0010 ffffffff 1 R2 IMAD.WIDE 3 R0 R3 R4 0\n0020 ffffffff 1 R8 LDG.E.SYS 1 R2 4 1 0x%lx 4\n", at);
        (void)fprintf(f, "0030 ffffffff 1 R9 LDG.E.SYS 1 R6 4 2 0x%lx", at + 1048576);
        for (unsigned lane = 1; lane < 32; lane++)
            (void)fprintf(f, " %u", lane % 5 * 4);
        (void)fprintf(
            f,
            "\n0040 ffffffff 1 R10 FFMA 3 R8 R9 R10 0\n0050 ffffffff 1 R11 FFMA 3 R8 R9 R11 0\n"
            "0060 ffffffff 1 R12 FFMA 3 R8 R9 R12 0\n0070 ffffffff 1 R0 IADD3 2 R0 R5 0\n"
            "0080 ffffffff 0 ISETP.GE.AND 2 R0 R7 0\n0090 ffffffff 0 STG.E.SYS 2 R2 R10 4 1 0x%lx 4\n00a0 ffffffff 0 BRA 0 0\n",
            at + 2097152);
    }
    (void)fprintf(f, "00b0 ffffffff 0 EXIT 0 0\n\n");
}

static void write_trace(FILE *f)
{
    (void)fprintf(
        f,
        "-kernel name = bench\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = 0\n-nregs = 32\n-binary version = 70\n"
        "-accelsim tracer version = 4\n#traces format\n",
        BLOCKS, WARPS * 32);
    for (unsigned block = 0; block < BLOCKS; block++) {
        (void)fprintf(f, "#BEGIN_TB\nthread block = %u,0,0\n", block);
        for (unsigned warp = 0; warp < WARPS; warp++)
            write_warp(f, block, warp);
        (void)fprintf(f, "#END_TB\n");
    }
}

static void step_all(struct front *front, struct front_cta *cta)
{
    struct error err;
    struct warp_step step;
    for (uint32_t w = 0; w < cta->warp_count; w++)
        while (cta->warps[w]->next)
            if (!front->ops->step(front, cta, w, &step, &err))
                die(err.text);
}

int main(void)
{
    char folder[] = P_tmpdir "/bench-accelsim-XXXXXX", path[64];
    if (!mkdtemp(folder))
        die("no folder");
    (void)snprintf(path, sizeof path, "%s/k.traceg", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        die("no file");
    write_trace(f);
    const long bytes = ftell(f);
    (void)fclose(f);
    struct error err;
    const struct accelsim_options options = { 0 };
    struct accelsim_list *list = accelsim_open(path, &options, &err);
    struct front *front = list ? accelsim_launch(list, 0, &err) : NULL;
    if (!front)
        die(err.text);
    double reading = 0, stepping = 0;
    for (uint32_t c = 0; c < front->launch.cta_count; c++) {
        const double begin = seconds();
        struct front_cta *cta = front->ops->cta_start(front, c, &err);
        if (!cta)
            die(err.text);
        const double middle = seconds();
        step_all(front, cta);
        front->ops->cta_end(front, cta);
        reading += middle - begin;
        stepping += seconds() - middle;
    }
    front->ops->destroy(front);
    const double lines = (double)accelsim_instruction_lines(list);
    (void)printf("reading: %.2f M lines/s, %.0f MB/s; stepping through the encoded warps: %.1f M/s\n", lines / reading * 1e-6,
                 (double)bytes / reading * 1e-6, lines / stepping * 1e-6);
    accelsim_free(list);
    (void)unlink(path);
    (void)rmdir(folder);
    return 0;
}
