/* Khairy, Zahran, Wassal: Efficient Utilization of GPGPU Cache Hierarchy, GPGPU-8 2015. */
#include <stddef.h>

#include "papers/paper.h"
#include "study/workload_list.h"

extern const struct paper paper_000;

enum column {
    BASE,
    DWT_PRIC,
    CCWS,
    MRPB,
    PRIC,
    DWT_CS,
    UNBOUNDED,
    WAYS_16,
    WAYS_32,
    WAYS_64,
    WAYS_FULL,
    SWL,
    CCWS_K_2,
    CCWS_K_32,
    MRPB_SHARED,
    COLUMN_COUNT
};

#define ALL "streaming|conflict|thrashing|thrashing+conflict|friendly"
#define CONTENTION "conflict|thrashing|thrashing+conflict"
#define CONFLICT "conflict|thrashing+conflict"

static const struct paper_column columns[COLUMN_COUNT] = {
    [BASE] = { .policies = "", .rows = ALL },
    [DWT_PRIC] = { .policies = "dwt-pric", .rows = ALL },
    [CCWS] = { .policies = "ccws", .rows = CONTENTION },
    [MRPB] = { .policies = "mrpb", .rows = CONTENTION },
    [PRIC] = { .policies = "pric", .rows = CONFLICT },
    [DWT_CS] = { .policies = "dwt-cs", .rows = "thrashing+conflict" },
    [UNBOUNDED] = { .policies = "", .rows = CONTENTION, .set = { "l1.sets=1", "l1.ways=32768", "l2.sets=1", "l2.ways=65536" } },
    [WAYS_16] = { .policies = "", .rows = CONFLICT, .set = { "l1.sets=8", "l1.ways=16" } },
    [WAYS_32] = { .policies = "", .rows = CONFLICT, .set = { "l1.sets=4", "l1.ways=32" } },
    [WAYS_64] = { .policies = "", .rows = CONFLICT, .set = { "l1.sets=2", "l1.ways=64" } },
    [WAYS_FULL] = { .policies = "", .rows = CONFLICT, .set = { "l1.sets=1", "l1.ways=128" } },
    /* CCWS with other weights, and MRPB read otherwise (mrpb.c says what is open). */
    [CCWS_K_2] = { .policies = "ccws", .rows = "thrashing", .set = { "policy.ccws.k_throttle=2" } },
    [CCWS_K_32] = { .policies = "ccws", .rows = "thrashing", .set = { "policy.ccws.k_throttle=32" } },
    [MRPB_SHARED] = { .policies = "mrpb", .rows = CONTENTION, .set = { "policy.mrpb.buffer_requests=32" } },
    /* With the index that dwt-pric has too; 24 warps of a scheduler in the paper's machine. */
    [SWL] = { .policies = "pric,swl", .rows = "SpMV|KM|BFS|IIX|SYRK|GESUMMV", .searched = "policy.swl.limit", .searched_to = 24 },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

/* Misses per load, those that went past the cache counted as misses. */
static bool miss_rate(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *value)
{
    double misses, bypassed, accesses;
    if (!reproduction_number(r, row, column, "l1.misses", &misses) ||
        !reproduction_number(r, row, column, "l1.bypassed", &bypassed) ||
        !reproduction_number(r, row, column, "l1.accesses", &accesses) || accesses <= 0)
        return false;
    *value = (misses + bypassed) / accesses;
    return true;
}

static bool misses_per_load(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)versus;
    if (!miss_rate(r, row, subject, percent))
        return false;
    *percent *= 100;
    return true;
}

static bool refused_per_kilocycle(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *value)
{
    static const char *const causes[] = { "l1.refused.mshr_entry", "l1.refused.mshr_merge", "l1.refused.line_alloc",
                                          "l1.refused.miss_queue" };
    double cycles, sum = 0;
    if (!reproduction_number(r, row, column, "cycles", &cycles) || cycles <= 0)
        return false;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        double n = 0;
        (void)reproduction_number(r, row, column, causes[i], &n);
        sum += n;
    }
    *value = 1000 * sum / cycles;
    return true;
}

static bool reduction(double own, double other, double *percent)
{
    *percent = other > 0 ? 100 * (1 - own / other) : 0;
    return other > 0;
}

static bool miss_reduction(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    double own, other;
    return miss_rate(r, row, subject, &own) && miss_rate(r, row, versus, &other) && reduction(own, other, percent);
}

static bool refused_reduction(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    double own, other;
    return refused_per_kilocycle(r, row, subject, &own) && refused_per_kilocycle(r, row, versus, &other) &&
           reduction(own, other, percent);
}

static bool performance_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    if (!paper_speedup(r, row, subject, versus, percent))
        return false;
    *percent *= 100;
    return true;
}

static bool limit_found(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *warps)
{
    (void)versus;
    return reproduction_number(r, row, subject, "dwt_cs.limit", warps);
}

static bool limit_searched(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *warps)
{
    (void)subject, (void)versus;
    const uint32_t best = reproduction_best(r, row, SWL);
    *warps = best;
    return best != 0;
}

/* Cycles from the first period above the threshold until the cores agreed, per launch that was sampled. */
static bool search_cycles(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *cycles)
{
    double settled = 0, remembered = 0, sum = 0;
    (void)versus;
    if (!reproduction_number(r, row, subject, "dwt_cs.settled", &settled) ||
        !reproduction_number(r, row, subject, "dwt_cs.remembered", &remembered) ||
        !reproduction_number(r, row, subject, "dwt_cs.search_cycles", &sum) || settled - remembered < 1)
        return false;
    *cycles = sum / (settled - remembered);
    return true;
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#define SEARCHED_CLAIM(...) { __VA_ARGS__ },
#include "papers/claims_000.def"
#undef CLAIM
#undef SEARCHED_CLAIM
};

static const struct paper_figure figures[] = {
    { "8",
      "speedup of dwt-pric over the base machine",
      ALL,
      1,
      HARMONIC_MEAN_OF_ROWS,
      { { "dwt-pric", paper_speedup, DWT_PRIC, BASE } } },
    { "9",
      "speedup over the base machine, contention",
      CONTENTION,
      1,
      HARMONIC_MEAN_OF_ROWS,
      { { "ccws", paper_speedup, CCWS, BASE },
        { "mrpb", paper_speedup, MRPB, BASE },
        { "dwt-pric", paper_speedup, DWT_PRIC, BASE } } },
    { "rivals",
      "speedup over the base machine of mrpb, read in two ways",
      CONTENTION,
      1,
      HARMONIC_MEAN_OF_ROWS,
      { { "mrpb", paper_speedup, MRPB, BASE }, { "mrpb, buffer_requests=32", paper_speedup, MRPB_SHARED, BASE } } },
    { "k_throttle",
      "speedup of ccws over the base machine with other k_throttle",
      "thrashing",
      1,
      HARMONIC_MEAN_OF_ROWS,
      { { "2", paper_speedup, CCWS_K_2, BASE }, { "8", paper_speedup, CCWS, BASE }, { "32", paper_speedup, CCWS_K_32, BASE } } },
    { "10",
      "reduction of the L1 miss rate, %",
      CONTENTION,
      0,
      MEAN_OF_ROWS,
      { { "dwt-pric", miss_reduction, DWT_PRIC, BASE }, { "unbounded", miss_reduction, UNBOUNDED, BASE } } },
    { "11",
      "reduction of L1 refusals per kilocycle, %",
      CONTENTION,
      0,
      MEAN_OF_ROWS,
      { { "dwt-pric", refused_reduction, DWT_PRIC, BASE } } },
    { "12",
      "speedup over 4 ways with a linear index",
      CONFLICT,
      1,
      HARMONIC_MEAN_OF_ROWS,
      { { "16 ways", paper_speedup, WAYS_16, BASE },
        { "32 ways", paper_speedup, WAYS_32, BASE },
        { "64 ways", paper_speedup, WAYS_64, BASE },
        { "fully associative", paper_speedup, WAYS_FULL, BASE },
        { "pric, 4 ways", paper_speedup, PRIC, BASE } } },
};

/* Table 2, in its order: that of the list of workloads. */
static uint32_t rows(struct paper_row all[PAPER_ROWS])
{
    uint32_t count = 0;
    for (const struct workload *w = workload_list; w->name && count < PAPER_ROWS; w++)
        if (*w->abbreviation_000)
            all[count++] = (struct paper_row){ .target = w->name, .label = w->abbreviation_000, .class = w->class_000 };
    return count;
}

const struct paper paper_000 = {
    .name = "000",
    .title = "Efficient Utilization of GPGPU Cache Hierarchy",
    .machine = "gtx480-16k",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
