/* Arunkumar, 2018, chapter 5: MCM-GPU, a GPU of several modules on a package (also ISCA 2017).
 *
 * Machines are table 5.3's and those that the text compares it with. Sizes of the L1.5 are of all four modules together; what it
 * takes is taken from the L2, but for 32 MB. Programs are those of table 5.4 and those that the text names beside them; two inputs
 * of one program are one row, for their sizes are the workload's. The text does not say which mean it takes: claims
 * have the arithmetic mean of the gains, figures of speedups the geometric mean. */
#include <stddef.h>

#include "papers/paper.h"

extern const struct paper paper_002_5;

enum column {
    BASE,
    LINK_6T,
    LINK_1_5T,
    LINK_384,
    L15_8,
    L15_16,
    L15_16R,
    L15_32,
    SCHEDULED,
    ALL,
    TOUCH_ALONE,
    MONO_32,
    MONO_128,
    MONO_256,
    MULTI,
    MULTI_L15,
    COLUMN_COUNT
};

#define M "M-Intensive"
#define C "SP|XSBench"
#define LIMITED "DWT|NN"
#define EVERY "M-Intensive|other"

/* Where the text varies a size for all of its memory-intensive programs, four of them are run: a sparse solver, blocks, an image,
 * streams. Against other machines these are run, and one of each other class. */
#define KINDS "AMG|MiniAMR|Srad-v2|Stream"
#define SOME KINDS "|XSBench|DWT"

/* Sets of a bank and of a slice, of which a machine has 128 each: 16 ways and 128 bytes make 256 KB of a set. */
#define L15_OF_8 "l15.sets=32", "l2.sets=32"
/* 32 KB of L2 in each module. A slice has eight lines then, and would have no more than eight fetches under way, while caches are
 * to "saturate DRAM bandwidth" (5.3.1): what finds all lines on their way goes around. */
#define SMALL_L2 "l2.sets=1", "l2.ways=8", "l2.full_set=around"
#define L15_OF_16 "l15.sets=64", SMALL_L2
#define L15_OF_32 "l15.sets=128", SMALL_L2
#define PLACED "gtrr,cta-distributed,first-touch"

static const struct paper_column columns[COLUMN_COUNT] = {
    [BASE] = { .policies = "gtrr" },
    [LINK_6T] = { .policies = "gtrr", .rows = KINDS, .set = { "link.bandwidth=3072000" } },
    [LINK_1_5T] = { .policies = "gtrr", .rows = KINDS, .set = { "link.bandwidth=768000" } },
    [LINK_384] = { .policies = "gtrr", .rows = KINDS, .set = { "link.bandwidth=192000" } },
    [L15_8] = { .policies = "gtrr", .rows = KINDS, .set = { "l15.keeps=all", L15_OF_8 } },
    [L15_16] = { .policies = "gtrr", .rows = KINDS, .set = { "l15.keeps=all", L15_OF_16 } },
    [L15_16R] = { .policies = "gtrr", .set = { "l15.keeps=remote", L15_OF_16 } },
    [L15_32] = { .policies = "gtrr", .rows = KINDS, .set = { "l15.keeps=all", L15_OF_32 } },
    [SCHEDULED] = { .policies = "gtrr,cta-distributed", .set = { "l15.keeps=remote", L15_OF_16 } },
    [ALL] = { .policies = PLACED, .set = { "l15.keeps=remote", L15_OF_8 } },
    [TOUCH_ALONE] = { .policies = "gtrr,first-touch" },
    [MONO_32] = { .policies = "gtrr", .rows = KINDS, .config = "mono-256", .set = { "gpu.sms=32", "map.channels=8" } },
    [MONO_128] = { .policies = "gtrr", .rows = SOME, .config = "mono-128" },
    [MONO_256] = { .policies = "gtrr", .config = "mono-256" },
    [MULTI] = { .policies = PLACED, .rows = SOME, .config = "multigpu-2x128" },
    [MULTI_L15] = { .policies = PLACED, .rows = SOME, .config = "multigpu-2x128", .set = { "l15.keeps=remote", L15_OF_8 } },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static bool traffic(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *bytes)
{
    double requests, replies;
    if (!paper_work_number(r, row, column, "link.request_bytes", &requests) ||
        !paper_work_number(r, row, column, "link.reply_bytes", &replies))
        return false;
    *bytes = requests + replies;
    return true;
}

/* Bytes between modules over those of the other run. */
static bool traffic_ratio(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *value)
{
    double own, other;
    if (!traffic(r, row, subject, &own) || !traffic(r, row, versus, &other) || other <= 0)
        return false;
    *value = own / other;
    return true;
}

static bool traffic_change(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    if (!traffic_ratio(r, row, subject, versus, percent))
        return false;
    *percent = 100 * (*percent - 1);
    return true;
}

/* What one more mechanism adds, in points of the base machine's traffic or speed. */
static bool added_traffic(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *points)
{
    double own, other;
    if (!traffic_ratio(r, row, subject, BASE, &own) || !traffic_ratio(r, row, versus, BASE, &other))
        return false;
    *points = 100 * (own - other);
    return true;
}

static bool added_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *points)
{
    double own, other;
    const uint32_t base = subject == ALL && versus == MULTI_L15 ? MULTI : BASE;
    if (!paper_gain(r, row, subject, base, &own) || !paper_gain(r, row, versus, base, &other))
        return false;
    *points = own - other;
    return true;
}

/* 256 SMs of 32: eight times as fast would be 100 %. */
static bool part_of_linear(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    if (!paper_speedup(r, row, subject, versus, percent))
        return false;
    *percent *= 100.0 / 8;
    return true;
}

/* Of the programs, in percent: by more than a hundredth. */
static bool is_faster(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    if (!paper_speedup(r, row, subject, versus, percent))
        return false;
    *percent = *percent > 1.01 ? 100 : 0;
    return true;
}
static bool is_slower(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    if (!paper_speedup(r, row, subject, versus, percent))
        return false;
    *percent = *percent < 0.99 ? 100 : 0;
    return true;
}

static bool remote(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    static const char *const part[] = { "link.remote_requests", NULL }, *const all[] = { "link.local_requests",
                                                                                         "link.remote_requests", NULL };
    return paper_share_of_sums(r, row, subject, part, all, percent);
}

/* ---- claims and figures ---------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(id, what, where, claimed, number, unit, value, rows, subject, versus, summary, look_at)                              \
    { id, what, where, claimed, number, unit, value, rows, subject, versus, summary, look_at, NULL },
#include "papers/claims_002_5.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "5.1",
      "256 SMs on one die over 32, part of linear, %",
      EVERY,
      100,
      MEAN_OF_ROWS,
      { { "256 SMs", part_of_linear, MONO_256, MONO_32 } } },
    { "5.3",
      "speed by bandwidth of the links, over 6 TB/s",
      M,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "1.5 TB/s", paper_speedup, LINK_1_5T, LINK_6T },
        { "768 GB/s", paper_speedup, BASE, LINK_6T },
        { "384 GB/s", paper_speedup, LINK_384, LINK_6T } } },
    { "5.5",
      "speedup of an L1.5",
      M,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "8 MB", paper_speedup, L15_8, BASE },
        { "16 MB", paper_speedup, L15_16, BASE },
        { "16 MB, remote only", paper_speedup, L15_16R, BASE },
        { "32 MB", paper_speedup, L15_32, BASE } } },
    { "5.6",
      "bytes between modules, 16 MB of remote-only L1.5 over none",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "L1.5", traffic_ratio, L15_16R, BASE } } },
    { "5.8",
      "speedup of L1.5 and distributed CTAs",
      EVERY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "16 MB, remote only", paper_speedup, L15_16R, BASE }, { "with distributed CTAs", paper_speedup, SCHEDULED, BASE } } },
    { "5.9",
      "bytes between modules, L1.5 and distributed CTAs over none",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "both", traffic_ratio, SCHEDULED, BASE } } },
    { "5.12",
      "speedup with first touch",
      EVERY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "8 MB L1.5, 8 MB L2", paper_speedup, ALL, BASE } } },
    { "5.13",
      "bytes between modules with first touch, over none",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "8 MB L1.5, 8 MB L2", traffic_ratio, ALL, BASE } } },
    { "5.15",
      "speedup of each alone, of all, and of one die",
      EVERY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "L1.5 alone", paper_speedup, L15_16R, BASE },
        { "first touch alone", paper_speedup, TOUCH_ALONE, BASE },
        { "all three", paper_speedup, ALL, BASE },
        { "256 SMs on one die", paper_speedup, MONO_256, BASE },
        { "128 SMs on one die", paper_speedup, MONO_128, BASE } } },
    { "5.16",
      "speedup over two GPUs",
      EVERY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "two GPUs with an L1.5", paper_speedup, MULTI_L15, MULTI },
        { "MCM-GPU, all three", paper_speedup, ALL, MULTI },
        { "256 SMs on one die", paper_speedup, MONO_256, MULTI } } },
    { "remote",
      "requests of SMs that are for another module's memory, %",
      EVERY,
      75,
      MEAN_OF_ROWS,
      { { "base", remote, BASE, BASE }, { "first touch alone", remote, TOUCH_ALONE, BASE }, { "all three", remote, ALL, BASE } } },
};

/* Inputs that fill 256 SMs, most of them those of the suites, and where a run is stopped: the paper stops after a billion warp
 * instructions, here each takes a few seconds. CFD's mesh is Rodinia's at `medium` already. Where the links are full at once, fewer
 * instructions make as many cycles. */
static const struct paper_input inputs[] = {
    { "amg", "paper", 600000 },        { "nnconv", "paper", 2000000 },
    { "bfs", "paper", 1000000 },       { "cfd", "medium", 600000 },
    { "comd", "paper", 800000 },       { "kmeans", "paper", 450000 },
    { "lulesh", "paper", 1000000 },    { "lulesh_mesh", "paper", 1000000 },
    { "miniamr", "paper", 1000000 },   { "minicontact", "paper", 700000 },
    { "mst", "paper", 800000 },        { "nekbone", "paper", 500000 },
    { "srad", "paper", 1000000 },      { "sssp", "paper", 600000 },
    { "triad", "medium", 700000 },     { "survey", "paper", 600000 },
    { "xsbench", "medium", 500000 },   { "dwt2d", "medium", 600000 },
    { "neuralnet", "medium", 400000 }, { NULL, NULL, 0 },
};

static uint32_t rows(struct paper_row out[PAPER_ROWS])
{
    return paper_give_inputs(out, paper_table_programs("002.5", out), inputs);
}

const struct paper paper_002_5 = {
    .name = "002.5",
    .title = "MCM-GPU: Multi-Chip-Module GPUs (Arunkumar, 2018, chapter 5)",
    .machine = "mcm-4x64",
    .per_instruction = true,
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof claims[0],
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
