/* Arunkumar: Memory Subsystem Optimization Techniques for Modern High-Performance General-Purpose Processors, 2018, chapter 3:
 * ID-Cache. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "papers/reproduce.h"

extern const struct paper paper_002_3;

enum column {
    BASE,
    L1_32K,
    L1_64K,
    BANDWIDTH,
    BOTH,
    LINE_32,
    LINE_64,
    L1_OFF,
    PC_OFFLINE,
    PCDIV_OFFLINE,
    PC,
    PCDIV,
    ALSI,
    ID_CACHE,
    ID_CACHE_32K,
    ID_CACHE_64K,
    COLUMN_COUNT
};

#define LOW "C/I-L"
#define HIGH "C/I-H"
#define EVERY LOW "|" HIGH

/* The machine issues greedily by itself; `divergence` and `locality` change nothing and count what figures 3.2 to 3.9 show. Twice
 * the bandwidth are flits of 64 bytes (section 3.1.1). 32 KB have twice the sets, 64 KB twice the ways as well: the hashed index is
 * defined for 32 and 64 sets. Shorter lines keep 16 KB: as many sets, more ways. */
static const struct paper_column columns[COLUMN_COUNT] = {
    [BASE] = { .policies = "divergence,locality" },
    [L1_32K] = { .policies = "", .set = { "l1.sets=64" } },
    [L1_64K] = { .policies = "locality", .set = { "l1.sets=64", "l1.ways=8" } },
    [BANDWIDTH] = { .policies = "", .set = { "net.flit_bytes=64" } },
    [BOTH] = { .policies = "", .set = { "l1.sets=64", "net.flit_bytes=64" } },
    [LINE_32] = { .policies = "", .set = { "l1.line=32", "l1.ways=16" } },
    [LINE_64] = { .policies = "", .set = { "l1.line=64", "l1.ways=8" } },
    [L1_OFF] = { .policies = "", .set = { "l1.enabled=false" } },
    [PC_OFFLINE] = { .policies = "id-offline-pc", .rows = HIGH },
    [PCDIV_OFFLINE] = { .policies = "id-offline-pcdiv", .rows = HIGH },
    [PC] = { .policies = "id-bypass-pc" },
    [PCDIV] = { .policies = "id-bypass-pcdiv" },
    [ALSI] = { .policies = "alsi" },
    [ID_CACHE] = { .policies = "id-cache" },
    [ID_CACHE_32K] = { .policies = "id-cache", .rows = HIGH, .set = { "l1.sets=64" } },
    [ID_CACHE_64K] = { .policies = "id-cache", .rows = HIGH, .set = { "l1.sets=64", "l1.ways=8" } },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static bool performance_percent(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                double *percent)
{
    if (!paper_speedup(r, row, subject, versus, percent))
        return false;
    *percent *= 100;
    return true;
}

/* The same of the means: both as speedups over the base machine. */
static bool performance_of_means(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                 double *percent)
{
    double own, mean;
    if (!paper_speedup(r, row, subject, BASE, &own) || !paper_mean_of_rows(r, row->class, paper_speedup, versus, BASE, &mean))
        return false;
    *percent = 100 * own / mean;
    return true;
}

/* Of all loads, those that went around the L1 among them. */
static bool hit_rate(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *percent)
{
    return paper_share(r, row, column, "l1.hits", "l1.accesses", percent);
}

static bool hit_points(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *points)
{
    double own, other;
    if (!hit_rate(r, row, subject, &own) || !hit_rate(r, row, versus, &other))
        return false;
    *points = own - other;
    return true;
}

static bool hit_relative(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    double own, other;
    if (!hit_rate(r, row, subject, &own) || !hit_rate(r, row, versus, &other) || other <= 0)
        return false;
    *percent = 100 * (own / other - 1);
    return true;
}

/* Cycles in which a request or a reply waited for room in the network. */
static bool network_busy(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *cycles)
{
    static const char *const waits[] = { "l1.network_busy", "l1.refused.network", "l2.network_busy" };
    *cycles = 0;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        double n;
        if (!reproduction_number(r, row, column, waits[i], &n))
            return false;
        *cycles += n;
    }
    return true;
}

static bool busy_reduction(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    double own, other;
    if (!network_busy(r, row, subject, &own) || !network_busy(r, row, versus, &other) || other <= 0)
        return false;
    *percent = 100 * (1 - own / other);
    return true;
}

static bool zero_reuse(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       double *percent)
{
    (void)versus;
    static const char *const none[] = { "locality.reused.0", NULL }, *const all[] = { "locality.reused.0",
                                                                                      "locality.reused.1",
                                                                                      "locality.reused.2",
                                                                                      "locality.reused.3_4",
                                                                                      "locality.reused.5_8",
                                                                                      "locality.reused.more",
                                                                                      NULL };
    return paper_share_of_sums(r, row, subject, none, all, percent);
}

#define USE_OF_LINES(sectors)                                                                                                      \
    "divergence.use.degree_1.sectors_" sectors, "divergence.use.degree_3.sectors_" sectors,                                        \
        "divergence.use.degree_15.sectors_" sectors, "divergence.use.degree_32.sectors_" sectors
/* One sector of four used: a quarter of the line at most. */
static bool quarter_used(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    (void)versus;
    static const char *const quarter[] = { USE_OF_LINES("1"), NULL }, *const all[] = { USE_OF_LINES("1"), USE_OF_LINES("2"),
                                                                                       USE_OF_LINES("3"), USE_OF_LINES("4"), NULL };
    return paper_share_of_sums(r, row, subject, quarter, all, percent);
}

static bool whole_used(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       double *percent)
{
    (void)versus;
    static const char *const whole[] = { USE_OF_LINES("4"), NULL }, *const all[] = { USE_OF_LINES("1"), USE_OF_LINES("2"),
                                                                                     USE_OF_LINES("3"), USE_OF_LINES("4"), NULL };
    return paper_share_of_sums(r, row, subject, whole, all, percent);
}

static bool spatial_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    (void)versus;
    static const char *const spatial[] = { "divergence.hits.spatial", "divergence.hits.mixed", NULL }, *const loads[] = {
        "divergence.loads", NULL
    };
    return paper_share_of_sums(r, row, subject, spatial, loads, percent);
}

static bool temporal_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    (void)versus;
    return paper_share(r, row, subject, "divergence.hits.temporal", "divergence.loads", percent);
}

/* The best of 32, 64 and 128 bytes for this program, over 128. */
static bool best_line_speedup(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *speedup)
{
    (void)subject;
    double shorter, half;
    if (!paper_speedup(r, row, LINE_32, versus, &shorter) || !paper_speedup(r, row, LINE_64, versus, &half))
        return false;
    *speedup = fmax(1, fmax(shorter, half));
    return true;
}

/* The mean of a gain over the rows of a class. */
static bool mean_gain(const struct reproduction *r, const char *class, paper_value *speedup, uint32_t subject, uint32_t versus,
                      double *percent)
{
    double mean;
    if (!paper_mean_of_rows(r, class, speedup, subject, versus, &mean))
        return false;
    *percent = 100 * (mean - 1);
    return *percent > 0;
}

/* A row's gain over the mean gain of its class under something else: its mean over the rows is the share of the means, which is
 * what the text states. */
static bool share_of_32k_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    double own, mean;
    if (!paper_gain(r, row, subject, versus, &own) || !mean_gain(r, row->class, paper_speedup, L1_32K, versus, &mean))
        return false;
    *percent = 100 * own / mean;
    return true;
}

static bool share_of_best_line_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                    double *percent)
{
    double own, mean;
    if (!paper_gain(r, row, subject, versus, &own) || !mean_gain(r, row->class, best_line_speedup, BASE, versus, &mean))
        return false;
    *percent = 100 * own / mean;
    return true;
}

static bool bypassed_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    (void)versus;
    return paper_share(r, row, subject, "l1.bypassed", "l1.accesses", percent);
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_002_3.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "3.1",
      "speedup with twice the L1 and twice the network's bandwidth",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "2x L1", paper_speedup, L1_32K, BASE },
        { "2x bandwidth", paper_speedup, BANDWIDTH, BASE },
        { "both", paper_speedup, BOTH, BASE } } },
    { "3.2",
      "lines that leave the L1 without being used again, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "16 KB", zero_reuse, BASE, BASE }, { "64 KB", zero_reuse, L1_64K, BASE } } },
    { "3.3",
      "lines of which a quarter at most, and of which everything was used, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "a quarter", quarter_used, BASE, BASE }, { "all", whole_used, BASE, BASE } } },
    { "3.4",
      "speedup of other line sizes, and without an L1",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "32 B", paper_speedup, LINE_32, BASE },
        { "64 B", paper_speedup, LINE_64, BASE },
        { "L1 off", paper_speedup, L1_OFF, BASE } } },
    { "3.9",
      "hits by kind, % of loads",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "temporal", temporal_hits, BASE, BASE }, { "spatial and mixed", spatial_hits, BASE, BASE } } },
    { "3.11",
      "speedup of bypassing with offline training",
      HIGH,
      1,
      MEAN_OF_ROWS,
      { { "PC", paper_speedup, PC_OFFLINE, BASE },
        { "PC+Div", paper_speedup, PCDIV_OFFLINE, BASE },
        { "32 KB", paper_speedup, L1_32K, BASE } } },
    { "3.11 loads",
      "loads that go around the L1 with offline training, %",
      HIGH,
      0,
      MEAN_OF_ROWS,
      { { "PC", bypassed_share, PC_OFFLINE, BASE }, { "PC+Div", bypassed_share, PCDIV_OFFLINE, BASE } } },
    { "3.12",
      "speedup of online bypassing",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "PC", paper_speedup, PC, BASE }, { "PC+Div", paper_speedup, PCDIV, BASE }, { "32 KB", paper_speedup, L1_32K, BASE } } },
    { "3.13",
      "speedup of adaptive line sizes, and of each program's best size",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "alsi", paper_speedup, ALSI, BASE }, { "best static size", best_line_speedup, BASE, BASE } } },
    { "3.14",
      "speedup of ID-Cache and of its parts",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "bypassing", paper_speedup, PCDIV, BASE },
        { "alsi", paper_speedup, ALSI, BASE },
        { "id-cache", paper_speedup, ID_CACHE, BASE },
        { "2x L1, 2x bandwidth", paper_speedup, BOTH, BASE } } },
    { "3.15",
      "ID-Cache: more hits in points and relative, and fewer cycles of waiting for the network, %",
      HIGH,
      0,
      MEAN_OF_ROWS,
      { { "hits, points", hit_points, ID_CACHE, BASE },
        { "hits, relative", hit_relative, ID_CACHE, BASE },
        { "waiting", busy_reduction, ID_CACHE, BASE } } },
    { "larger",
      "speedup of ID-Cache with 32 and 64 KB over the plain L1 of the same size",
      HIGH,
      1,
      MEAN_OF_ROWS,
      { { "32 KB", paper_speedup, ID_CACHE_32K, L1_32K }, { "64 KB", paper_speedup, ID_CACHE_64K, L1_64K } } },
};

static uint32_t rows(struct paper_row all[PAPER_ROWS])
{
    return paper_table_rows("002.3", all);
}

const struct paper paper_002_3 = {
    .name = "002.3",
    .title = "ID-Cache (Memory Subsystem Optimization Techniques, chapter 3)",
    .machine = "gtx480-id",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
