/* Sethia, Jamshidi, Mahlke: Mascar: Speeding up GPU Warps by Reducing Memory Pitstops, HPCA 2015. */
#include <stddef.h>

#include "study/paper.h"

extern const struct paper paper_001;

enum column {
    LRR, GTO, OWL, CCWS, TWO_LEVEL, SCHEDULE, REEXEC, MASCAR, QUEUE_FIRST, CCWS_REEXEC, LATE, QUEUE_16, QUEUE_64,
    LARGE_QUEUES, ASSOCIATIVE, FAST_DRAM, ALL_LARGER, COLUMN_COUNT
};

#define MEMORY "sensitive|insensitive"
#define EVERY MEMORY "|compute"

static const struct paper_column columns[COLUMN_COUNT] = {
    [LRR] = { .policies = "lrr", .rows = EVERY, .set = { "sm.probe_stalled=true" } },
    [GTO] = { .policies = "gto", .rows = EVERY },
    [OWL] = { .policies = "owl", .rows = EVERY },
    [CCWS] = { .policies = "ccws", .rows = EVERY },
    [TWO_LEVEL] = { .policies = "two-level", .rows = MEMORY },
    [SCHEDULE] = { .policies = "mascar-schedule", .rows = MEMORY },
    [REEXEC] = { .policies = "lrr,mascar-reexec", .rows = MEMORY },
    [MASCAR] = { .policies = "mascar", .rows = EVERY },
    [QUEUE_FIRST] = { .policies = "mascar", .rows = MEMORY, .set = { "policy.mascar.heir=queue" } },
    [CCWS_REEXEC] = { .policies = "ccws,mascar-reexec", .rows = "sensitive" },
    [LATE] = { .policies = "mascar", .rows = MEMORY, .set = { "policy.mascar.mshr_free=6" } }, /* 4 of 64 */
    [QUEUE_16] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.queue_entries=16" } },
    [QUEUE_64] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.queue_entries=64" } },
    [LARGE_QUEUES] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-queues" },
    [ASSOCIATIVE] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-associative" },
    [FAST_DRAM] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-fast-dram" },
    [ALL_LARGER] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-all" },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static bool share(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *part, const char *whole, double *percent)
{
    double of, all;
    if (!reproduction_number(r, row, column, part, &of) || !reproduction_number(r, row, column, whole, &all) || all <= 0)
        return false;
    *percent = 100 * of / all;
    return true;
}

static bool lsu_stalled(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return share(r, row, subject, "sm.lsu.data", "sm.cycles", percent);
}

static bool hit_behind(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return share(r, row, subject, "sm.lsu.data_hit_behind", "sm.cycles", percent);
}

static bool l1_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return share(r, row, subject, "l1.hits", "l1.accesses", percent);
}

static bool memory_priority(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    double memory, equal;
    if (!reproduction_number(r, row, subject, "mascar.mode.memory_priority", &memory) ||
        !reproduction_number(r, row, subject, "mascar.mode.equal_priority", &equal) || memory + equal <= 0)
        return false;
    *percent = 100 * memory / (memory + equal);
    return true;
}

/* Of an SM that issues with both schedulers in every cycle. */
static bool peak_ipc(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return share(r, row, subject, "sm.slots.issued", "sm.slots.all", percent);
}

static bool instructions_per_miss(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    if (!share(r, row, subject, "warp_instructions", "l1.misses", value))
        return false;
    *value /= 100;
    return true;
}

/* Values of the text that no run here can answer: their claims say why. */
static bool not_measured(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)r, (void)row, (void)subject, (void)versus, (void)value;
    return false;
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "study/claims_001.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "2", "share of the issue slots used, and of the cycles with a stalled LSU, round robin, %", EVERY, 0, MEAN_OF_ROWS,
      { { "slots issued", peak_ipc, LRR, LRR }, { "LSU stalled", lsu_stalled, LRR, LRR } } },
    { "4", "speedup of a larger machine under round robin", MEMORY, 1, GEOMETRIC_MEAN_OF_ROWS,
      { { "queues", paper_speedup, LARGE_QUEUES, LRR }, { "fully associative", paper_speedup, ASSOCIATIVE, LRR },
        { "fast DRAM", paper_speedup, FAST_DRAM, LRR }, { "all", paper_speedup, ALL_LARGER, LRR } } },
    { "5", "cycles in which the L1 holds data of a load behind the stalled LSU, %", MEMORY, 0, MEAN_OF_ROWS, { { "lrr", hit_behind, LRR, LRR } } },
    { "9", "speedup over round robin, memory intensive", MEMORY, 1, GEOMETRIC_MEAN_OF_ROWS,
      { { "gto", paper_speedup, GTO, LRR }, { "owl", paper_speedup, OWL, LRR }, { "ccws", paper_speedup, CCWS, LRR },
        { "mascar-schedule", paper_speedup, SCHEDULE, LRR }, { "lrr+mascar-reexec", paper_speedup, REEXEC, LRR },
        { "mascar", paper_speedup, MASCAR, LRR } } },
    { "10", "speedup over round robin, compute intensive", "compute", 1, GEOMETRIC_MEAN_OF_ROWS,
      { { "gto", paper_speedup, GTO, LRR }, { "owl", paper_speedup, OWL, LRR }, { "ccws", paper_speedup, CCWS, LRR },
        { "mascar", paper_speedup, MASCAR, LRR } } },
    { "11", "cycles with a stalled LSU, %", MEMORY, 0, MEAN_OF_ROWS, { { "lrr", lsu_stalled, LRR, LRR }, { "mascar", lsu_stalled, MASCAR, LRR } } },
    { "12", "time in memory-priority mode, %", MEMORY, 0, MEAN_OF_ROWS, { { "mascar", memory_priority, MASCAR, LRR } } },
    { "13", "L1 hits per load, cache sensitive, %", "sensitive", 0, MEAN_OF_ROWS,
      { { "lrr", l1_hits, LRR, LRR }, { "gto", l1_hits, GTO, LRR }, { "ccws", l1_hits, CCWS, LRR }, { "mascar", l1_hits, MASCAR, LRR } } },
    { "variants", "speedup over round robin of variants that the paper does not have", MEMORY, 1, GEOMETRIC_MEAN_OF_ROWS,
      { { "mascar", paper_speedup, MASCAR, LRR }, { "heir=queue", paper_speedup, QUEUE_FIRST, LRR }, { "mshr_free=6", paper_speedup, LATE, LRR } } },
    { "queue", "speedup over round robin with re-execution queues of other sizes, and under ccws; cache sensitive", "sensitive", 1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "16 entries", paper_speedup, QUEUE_16, LRR }, { "32 entries", paper_speedup, MASCAR, LRR }, { "64 entries", paper_speedup, QUEUE_64, LRR },
        { "ccws+mascar-reexec", paper_speedup, CCWS_REEXEC, LRR } } },
    { "table III", "warp instructions per L1 miss, round robin", EVERY, 0, MEAN_OF_ROWS, { { "lrr", instructions_per_miss, LRR, LRR } } },
};

/* Table III: kernels. The text does not say which seven of the fifteen memory-intensive ones are cache sensitive; here they are those
 * with reuse in their loads: gathers (bfs, mummer, spmv, leuko-1), lines of many lanes (kmeans-1), one array for all (particle), and BP-2,
 * whose input layer is shared. Of histo's four kernels and sad's three, the ones whose instructions per miss are nearest to the table's. */
static const struct paper_row table_iii[] = {
    { "backprop", "BP-1", "compute", "layer_forward" }, { "backprop", "BP-2", "sensitive", "adjust_weights" },
    { "bfs", "bfs", "sensitive", NULL }, { "cutcp", "cutcp", "compute", NULL },
    { "histo", "histo-1", "insensitive", "histo_intermediates" }, { "histo", "histo-2", "compute", "histo_main" },
    { "histo", "histo-3", "insensitive", "histo_final" }, { "histogram", "histogram", "compute", NULL },
    { "kmeans", "kmeans-1", "sensitive", "kmeans_swap" }, { "kmeans", "kmeans-2", "compute", "kmeans_assign" },
    { "lavamd", "lavaMD", "compute", NULL }, { "lbm", "lbm", "insensitive", NULL },
    { "leukocyte", "leuko-1", "sensitive", "gicov_score" }, { "leukocyte", "leuko-2", "compute", "dilate" },
    { "leukocyte", "leuko-3", "compute", "vector_flow" }, { "mrigridding", "mrig-1", "insensitive", "grid_bin" },
    { "mrigridding", "mrig-2", "insensitive", "grid_reorder" }, { "mrigridding", "mrig-3", "compute", "grid_gather" },
    { "mriq", "mri-q", "compute", NULL }, { "mummer", "mummer", "sensitive", NULL }, { "particlefilter", "particle", "sensitive", NULL },
    { "pathfinder", "PF", "compute", NULL }, { "sgemm", "sgemm", "compute", NULL }, { "spmv", "spmv", "sensitive", NULL },
    { "sad", "sad-1", "compute", "sad_4x4" }, { "sad", "sad-2", "insensitive", "sad_8x8" },
    { "srad", "srad-1", "insensitive", "srad_coefficients" }, { "srad", "srad-2", "insensitive", "srad_update" },
    { "stencil", "stencil", "compute", NULL }, { "tpacf", "tpacf", "compute", NULL },
};

static uint32_t rows(struct paper_row all[PAPER_ROWS])
{
    const uint32_t count = sizeof table_iii / sizeof *table_iii;
    for (uint32_t i = 0; i < count; i++)
        all[i] = table_iii[i];
    return count;
}

const struct paper paper_001 = {
    .name = "001", .title = "Mascar: Speeding up GPU Warps by Reducing Memory Pitstops", .machine = "gtx480-32k", .rows = rows,
    .columns = columns, .column_count = COLUMN_COUNT, .claims = claims, .claim_count = sizeof claims / sizeof *claims,
    .figures = figures, .figure_count = sizeof figures / sizeof *figures,
};
