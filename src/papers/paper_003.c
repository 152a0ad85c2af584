/* Li, Song, Dai, Sidelnik, Hari, Zhou: Locality-Driven Dynamic GPU Cache Bypassing, ICS 2015. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "papers/paper.h"

extern const struct paper paper_003;

/* BL and the designs that figure 11 looks at have `locality` beside them, which changes no cycle: it measures the stream of loads
 * that take the L1, over whole kernels. */
#define SEEN "policy.locality.path=l1", "policy.locality.window=1000000000"
#define BALL_SET "policy.bypass-l1.local=true"
#define MRPB_SET "policy.mrpb.bypass=any"

/* SSSP takes as long as all the others together: it is left out where neither a claim nor the paper's text asks for it. */
#define BOTH "CNF|CF"
#define CNF_BUT_SSSP "PTF|SD2|NW|LUD|HS|BH"
#define SHORT CNF_BUT_SSSP "|CF"

/* What is searched, and for which programs. The paper tries every distance and every threshold from 1 to 16; so do
 * `warpline tune pdp` and `warpline tune profiled-bypass`, program by program. */
#define DISTANCES_TRIED(X)                                                                                                         \
    X(1, SHORT)                                                                                                                    \
    X(4, SHORT)                                                                                                                    \
    X(8, BOTH)                                                                                                                     \
    X(12, SHORT)                                                                                                                   \
    X(16, NULL) X(24, SHORT) X(32, BOTH) X(48, SHORT) X(64, BOTH) X(96, SHORT) X(128, BOTH) X(256, BOTH)
#define THRESHOLDS_TRIED(X) X(1, BOTH) X(2, SHORT) X(3, SHORT) X(4, BOTH) X(8, SHORT) X(16, BOTH)
#define PDP_NAME(n, rows) PDP_##n,
#define PROFILED_NAME(n, rows) PROFILED_##n,
#define VALUE(n, rows) n,
static const uint32_t distances_tried[] = { DISTANCES_TRIED(VALUE) }, thresholds_tried[] = { THRESHOLDS_TRIED(VALUE) };

enum column {
    BL,
    BALL,
    MRPB,
    DL1D,
    THRESHOLDS_TRIED(PROFILED_NAME) DISTANCES_TRIED(PDP_NAME) L1_ASSOCIATIVE,
    L2_LARGE,
    L2_64_WAYS,
    SRRIP,
    SHIP,
    DL1D_SRRIP,
    ENTRIES_128,
    ENTRIES_256,
    ENTRIES_384,
    WAYS_4,
    WAYS_16,
    THRESHOLD_1,
    THRESHOLD_3,
    THRESHOLD_4,
    BL_32K,
    BL_64K,
    BL_128K,
    DL1D_32K,
    DL1D_64K,
    DL1D_128K,
    LRR,
    TWO_LEVEL,
    LRR_DL1D,
    TWO_LEVEL_DL1D,
    BL_700,
    BALL_700,
    DL1D_700,
    BL_177,
    BALL_177,
    DL1D_177,
    NO_DUEL,
    DUEL_STAYS,
    BYPASS_NO_MISS,
    HITS_COUNT,
    FIRST_COUNTS,
    SHIFTED,
    COLUMN_COUNT
};
enum { PROFILED = PROFILED_1, PROFILED_LAST = PROFILED_16, PDP = PDP_1, PDP_LAST = PDP_256 }; /* the first and last of a search */

#define DESIGN_OF(...)                                                                                                             \
    {                                                                                                                              \
        .policies = "gto,decoupled-l1d", .rows = __VA_ARGS__                                                                       \
    }
#define DESIGN(...) DESIGN_OF("CNF", .set = { __VA_ARGS__ })
#define DESIGN_SHORT(...) DESIGN_OF(CNF_BUT_SSSP, .set = { __VA_ARGS__ })
#define DECIDED(...) DESIGN_OF(BOTH, .set = { "policy.decoupled-l1d." __VA_ARGS__ })
#define ENTRIES(n) DESIGN_SHORT(ONE_SET, "policy.decoupled-l1d.tag_ways=" n)
#define ONE_SET "l1.sets=1", "l1.ways=128", "l1.index=linear"
#define PROFILED_AT(n, rows_)                                                                                                      \
    [PROFILED_##n] = { .policies = "gto,profiled-bypass", .rows = rows_, .set = { "policy.profiled-bypass.threshold=" #n } },
#define PDP_AT(n, rows_) [PDP_##n] = { .policies = "gto,pdp,locality", .rows = rows_, .set = { "policy.pdp.distance=" #n, SEEN } },
#define PLAIN(...)                                                                                                                 \
    {                                                                                                                              \
        .policies = "gto", .rows = "CNF", .set = { __VA_ARGS__ }                                                                   \
    }

static const struct paper_column columns[COLUMN_COUNT] = {
    [BL] = { .policies = "gto,locality", .set = { SEEN } },
    [BALL] = { .policies = "gto,bypass-l1", .set = { BALL_SET } },
    [MRPB] = { .policies = "gto,mrpb,locality", .set = { MRPB_SET, SEEN } },
    [DL1D] = { .policies = "gto,decoupled-l1d,locality", .set = { SEEN } },
    THRESHOLDS_TRIED(PROFILED_AT) DISTANCES_TRIED(PDP_AT)[L1_ASSOCIATIVE] = PLAIN(ONE_SET),
    [L2_LARGE] = PLAIN("l2.sets=512"),
    [L2_64_WAYS] = PLAIN("l2.sets=16", "l2.ways=64"),
    [SRRIP] = { .policies = "gto,srrip", .rows = "CNF" },
    [SHIP] = { .policies = "gto,ship", .rows = "CNF" },
    [DL1D_SRRIP] = { .policies = "gto,decoupled-l1d,srrip", .rows = "CNF" },
    [ENTRIES_128] = ENTRIES("128"),
    [ENTRIES_256] = ENTRIES("256"),
    [ENTRIES_384] = ENTRIES("384"),
    [WAYS_4] = DESIGN("policy.decoupled-l1d.tag_ways=4"),
    [WAYS_16] = DESIGN("policy.decoupled-l1d.tag_ways=16"),
    [THRESHOLD_1] = DESIGN_SHORT("policy.decoupled-l1d.threshold=1"),
    [THRESHOLD_3] = DESIGN_SHORT("policy.decoupled-l1d.threshold=3"),
    [THRESHOLD_4] = DESIGN_SHORT("policy.decoupled-l1d.threshold=4"),
    [BL_32K] = PLAIN("l1.sets=64"),
    [BL_64K] = PLAIN("l1.sets=64", "l1.ways=8"),
    [BL_128K] = PLAIN("l1.sets=64", "l1.ways=16"),
    [DL1D_32K] = DESIGN("l1.sets=64"),
    [DL1D_64K] = DESIGN("l1.sets=64", "l1.ways=8", "policy.decoupled-l1d.tag_ways=16"),
    [DL1D_128K] = DESIGN("l1.sets=64", "l1.ways=16", "policy.decoupled-l1d.tag_ways=32"),
    [LRR] = { .policies = "lrr", .rows = "CNF" },
    [TWO_LEVEL] = { .policies = "two-level", .rows = "CNF" },
    [LRR_DL1D] = { .policies = "lrr,decoupled-l1d", .rows = "CNF" },
    [TWO_LEVEL_DL1D] = { .policies = "two-level,decoupled-l1d", .rows = "CNF" },
    [BL_700] = { .policies = "gto", .rows = CNF_BUT_SSSP, .config = "gtx480-003-700" },
    [BALL_700] = { .policies = "gto,bypass-l1", .rows = CNF_BUT_SSSP, .config = "gtx480-003-700", .set = { BALL_SET } },
    [DL1D_700] = { .policies = "gto,decoupled-l1d", .rows = CNF_BUT_SSSP, .config = "gtx480-003-700" },
    [BL_177] = { .policies = "gto", .rows = CNF_BUT_SSSP, .config = "gtx480-003-177" },
    [BALL_177] = { .policies = "gto,bypass-l1", .rows = CNF_BUT_SSSP, .config = "gtx480-003-177", .set = { BALL_SET } },
    [DL1D_177] = { .policies = "gto,decoupled-l1d", .rows = CNF_BUT_SSSP, .config = "gtx480-003-177" },
    [NO_DUEL] = DECIDED("duel=false"),
    [DUEL_STAYS] = DECIDED("within=stay"),
    [BYPASS_NO_MISS] = DECIDED("bypass_misses=false"),
    [HITS_COUNT] = DECIDED("count_hits=true"),
    [FIRST_COUNTS] = DECIDED("first_counts=true"),
    [SHIFTED] = DECIDED("ageing=shift"),
};

/* ---- the best of a search -------------------------------------------------------------------------------------------- */

/* PDP and PROFILED stand for the fastest of their columns, row by row. */
static uint32_t fastest(const struct reproduction *r, const struct paper_row *row, uint32_t column)
{
    const uint32_t last = column == PDP ? PDP_LAST : column == PROFILED ? PROFILED_LAST : column;
    uint32_t best = column;
    double least = INFINITY, cycles;
    for (uint32_t c = column; c <= last; c++)
        if (reproduction_number(r, row, c, "cycles", &cycles) && cycles < least) {
            least = cycles;
            best = c;
        }
    return best;
}

static bool best_speedup(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *value)
{
    return paper_speedup(r, row, fastest(r, row, subject), fastest(r, row, versus), value);
}

static bool best_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    return paper_gain(r, row, fastest(r, row, subject), fastest(r, row, versus), percent);
}

/* How far from the baseline, whichever way. */
static bool best_variance(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    const bool ok = best_gain(r, row, subject, versus, percent);
    *percent = fabs(*percent);
    return ok;
}

static bool best_distance(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *value)
{
    (void)subject, (void)versus;
    *value = distances_tried[fastest(r, row, PDP) - PDP];
    return true;
}

static bool best_threshold(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *value)
{
    (void)subject, (void)versus;
    *value = thresholds_tried[fastest(r, row, PROFILED) - PROFILED];
    return true;
}

/* ---- rates ----------------------------------------------------------------------------------------------------------- */

/* Of all loads. A load that joins a fetch counts as a hit: the paper's simulator reports pending hits as hits. */
static bool hits_of_loads(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    (void)versus;
    static const char *const hits[] = { "l1.hits", "l1.merged", NULL }, *const loads[] = { "l1.accesses", NULL };
    return paper_share_of_sums(r, row, fastest(r, row, subject), hits, loads, percent);
}

/* Of the loads that take the L1: 0 when none does. */
static bool hits_of_l1_path(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)versus;
    static const char *const hits[] = { "l1.hits", "l1.merged", NULL }, *const loads[] = { "l1.hits", "l1.merged", "l1.misses",
                                                                                           NULL };
    double all;
    const uint32_t column = fastest(r, row, subject);
    if (!reproduction_number(r, row, column, "l1.accesses", &all))
        return false;
    if (!paper_share_of_sums(r, row, column, hits, loads, percent))
        *percent = 0;
    return true;
}

/* In points. */
static bool hit_gain_of_loads(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *points)
{
    double before;
    const bool ok = hits_of_loads(r, row, subject, subject, points) && hits_of_loads(r, row, versus, versus, &before);
    *points -= ok ? before : 0;
    return ok;
}

static bool hit_gain_of_l1_path(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                double *points)
{
    double before;
    const bool ok = hits_of_l1_path(r, row, subject, subject, points) && hits_of_l1_path(r, row, versus, versus, &before);
    *points -= ok ? before : 0;
    return ok;
}

/* Of all loads, in percent of the hits before; a program without hits has none. */
static bool hit_gain_relative(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    double before;
    if (!hits_of_loads(r, row, versus, versus, &before) || before <= 0 || !hits_of_loads(r, row, subject, subject, percent))
        return false;
    *percent = 100 * (*percent / before - 1);
    return true;
}

/* Loads and stores that hit, of all; and the stores' share of these hits (section 3.2 on LUD). */
static bool hits_with_stores(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                             double *percent)
{
    (void)versus;
    static const char *const hits[] = { "l1.hits", "l1.merged", "l1.write_hits", NULL }, *const all[] = { "l1.accesses",
                                                                                                          "l1.writes", NULL };
    return paper_share_of_sums(r, row, fastest(r, row, subject), hits, all, percent);
}

static bool stores_of_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    (void)versus;
    static const char *const stores[] = { "l1.write_hits", NULL }, *const hits[] = { "l1.hits", "l1.merged", "l1.write_hits",
                                                                                     NULL };
    double all;
    if (!reproduction_number(r, row, subject, "l1.accesses", &all))
        return false;
    if (!paper_share_of_sums(r, row, subject, stores, hits, percent))
        *percent = 0; /* nothing hits */
    return true;
}

static const char *const refusals[] = { "l1.refused.mshr_entry", "l1.refused.mshr_merge", "l1.refused.line_alloc",
                                        "l1.refused.miss_queue", NULL };

/* Cycles in which the access before the L1 is refused. */
static bool stall_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                        double *percent)
{
    (void)versus;
    static const char *const cycles[] = { "sm.cycles", NULL };
    return paper_share_of_sums(r, row, fastest(r, row, subject), refusals, cycles, percent);
}

static bool stall_change(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    return paper_change_of_sums(r, row, subject, versus, refusals, percent);
}

static bool miss_change(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                        double *percent)
{
    static const char *const misses[] = { "l1.misses", NULL };
    return paper_change_of_sums(r, row, subject, versus, misses, percent);
}

/* Lines that the loads of the L1's stream touch, each once per kernel and SM. */
static bool footprint_change(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                             double *percent)
{
    static const char *const lines[] = { "locality.window_lines", "locality.window_overflow", NULL };
    return paper_change_of_sums(r, row, subject, versus, lines, percent);
}

static bool per_kilo_instruction(const struct reproduction *r, const struct paper_row *row, uint32_t subject,
                                 const char *const names[], double *value)
{
    static const char *const instructions[] = { "warp_instructions", NULL };
    const bool ok = paper_share_of_sums(r, row, fastest(r, row, subject), names, instructions, value);
    *value *= 10;
    return ok;
}

static bool l2_accesses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    static const char *const names[] = { "l2.reads", "l2.writes", NULL };
    return per_kilo_instruction(r, row, subject, names, value);
}

static bool l2_misses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    static const char *const names[] = { "l2.misses", NULL };
    return per_kilo_instruction(r, row, subject, names, value);
}

/* ---- reuse: of every line that an SM loads in a launch, how often (the profile of profiled-bypass) --------------------- */

static bool share_of_lines(const struct reproduction *r, const struct paper_row *row, const char *name, double *percent)
{
    static const char *const lines[] = { "profiled_bypass.lines.1",   "profiled_bypass.lines.2",    "profiled_bypass.lines.3_4",
                                         "profiled_bypass.lines.5_8", "profiled_bypass.lines.more", NULL };
    const char *const part[] = { name, NULL };
    return paper_share_of_sums(r, row, PROFILED_1, part, lines, percent);
}
#define SHARE_OF_LINES(function, counter)                                                                                          \
    static bool function(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *v)  \
    {                                                                                                                              \
        (void)subject, (void)versus;                                                                                               \
        return share_of_lines(r, row, "profiled_bypass.lines." counter, v);                                                        \
    }
SHARE_OF_LINES(lines_once, "1")
SHARE_OF_LINES(lines_twice, "2")
SHARE_OF_LINES(lines_3_4, "3_4")
SHARE_OF_LINES(lines_5_8, "5_8")
SHARE_OF_LINES(lines_more, "more")

static bool without_reuse(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    (void)subject, (void)versus;
    static const char *const once[] = { "profiled_bypass.lines.1", NULL }, *const loads[] = { "l1.accesses", NULL };
    return paper_share_of_sums(r, row, PROFILED_1, once, loads, percent);
}

/* Distances of the L1's stream, of the loads whose line was used before. */
static bool share_of_distances(const struct reproduction *r, const struct paper_row *row, uint32_t subject, const char *name,
                               double *percent)
{
    static const char *const all[] = { "locality.accesses_between.0_15",     "locality.accesses_between.16_127",
                                       "locality.accesses_between.128_1023", "locality.accesses_between.1024_8191",
                                       "locality.accesses_between.beyond",   NULL };
    const char *const part[] = { name, NULL };
    const uint32_t column = fastest(r, row, subject);
    double any;
    if (!reproduction_number(r, row, column, "locality.accesses_between.beyond", &any))
        return false;
    if (!paper_share_of_sums(r, row, column, part, all, percent))
        *percent = 0; /* nothing takes the L1 */
    return true;
}
#define SHARE_OF_DISTANCES(function, counter)                                                                                      \
    static bool function(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *v)  \
    {                                                                                                                              \
        (void)versus;                                                                                                              \
        return share_of_distances(r, row, subject, "locality.accesses_between." counter, v);                                       \
    }
SHARE_OF_DISTANCES(distance_0_1, "0_1")
SHARE_OF_DISTANCES(distance_0_15, "0_15")
SHARE_OF_DISTANCES(distance_16_127, "16_127")
SHARE_OF_DISTANCES(distance_128_1023, "128_1023")
SHARE_OF_DISTANCES(distance_1024_8191, "1024_8191")
SHARE_OF_DISTANCES(distance_beyond, "beyond")

/* ---- what the design does ---------------------------------------------------------------------------------------------- */

static bool filter_on(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    if (!paper_share(r, row, subject, "decoupled_l1d.intervals_on", "decoupled_l1d.intervals", percent))
        *percent = 0; /* SM 0 and SM 1 never loaded in one interval */
    return true;
}

static bool bypassed(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return paper_share(r, row, fastest(r, row, subject), "l1.bypassed", "l1.accesses", percent);
}

static bool free_lines(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    if (!paper_share(r, row, subject, "decoupled_l1d.free_lines_seen", "decoupled_l1d.probes", value))
        return false;
    *value /= 100;
    return true;
}

/* ---- claims, figures --------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_003.def"
#undef CLAIM
};

#define SCHEMES(value)                                                                                                             \
    {                                                                                                                              \
        { "BALL", value, BALL, BL }, { "Profiled-BYPASS", value, PROFILED, BL }, { "MRPB", value, MRPB, BL },                      \
            { "PDP-best", value, PDP, BL },                                                                                        \
        {                                                                                                                          \
            "Decoupled L1D", value, DL1D, BL                                                                                       \
        }                                                                                                                          \
    }
#define RATES(value)                                                                                                               \
    {                                                                                                                              \
        { "BL", value, BL, BL }, { "BALL", value, BALL, BL }, { "Profiled-BYPASS", value, PROFILED, BL },                          \
            { "MRPB", value, MRPB, BL }, { "PDP-best", value, PDP, BL },                                                           \
        {                                                                                                                          \
            "Decoupled L1D", value, DL1D, BL                                                                                       \
        }                                                                                                                          \
    }
#define DISTANCES(column)                                                                                                          \
    {                                                                                                                              \
        { "0-1", distance_0_1, column, BL }, { "0-15", distance_0_15, column, BL }, { "16-127", distance_16_127, column, BL },     \
            { "128-1023", distance_128_1023, column, BL }, { "1024-8191", distance_1024_8191, column, BL },                        \
        {                                                                                                                          \
            "beyond or first", distance_beyond, column, BL                                                                         \
        }                                                                                                                          \
    }
#define DECISIONS                                                                                                                  \
    {                                                                                                                              \
        { "as decided", paper_speedup, DL1D, BL }, { "duel=false", paper_speedup, NO_DUEL, BL },                                   \
            { "within=stay", paper_speedup, DUEL_STAYS, BL }, { "bypass_misses=false", paper_speedup, BYPASS_NO_MISS, BL },        \
            { "count_hits", paper_speedup, HITS_COUNT, BL }, { "first_counts", paper_speedup, FIRST_COUNTS, BL },                  \
        {                                                                                                                          \
            "ageing=shift", paper_speedup, SHIFTED, BL                                                                             \
        }                                                                                                                          \
    }
#define SPEEDUPS GEOMETRIC_MEAN_OF_ROWS
#define SPEEDUP_OF(rows, name, title, ...)                                                                                         \
    {                                                                                                                              \
        name, title, rows, 1, SPEEDUPS,                                                                                            \
        {                                                                                                                          \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
    }
#define CNF_SPEEDUP(...) SPEEDUP_OF("CNF", __VA_ARGS__)
#define SHORT_SPEEDUP(...) SPEEDUP_OF(CNF_BUT_SSSP, __VA_ARGS__)

static const struct paper_figure figures[] = {
    CNF_SPEEDUP("2", "speedup of larger caches over the baseline", { "L1 64 KB", paper_speedup, BL_64K, BL },
                { "L1 128 KB", paper_speedup, BL_128K, BL }, { "L1 fully associative", paper_speedup, L1_ASSOCIATIVE, BL },
                { "L2 6 MB", paper_speedup, L2_LARGE, BL }, { "L2 64 ways", paper_speedup, L2_64_WAYS, BL }),
    { "3",
      "lines that an SM loads so often in a launch, % of the lines",
      BOTH,
      0,
      MEAN_OF_ROWS,
      { { "once", lines_once, BL, BL },
        { "twice", lines_twice, BL, BL },
        { "3-4", lines_3_4, BL, BL },
        { "5-8", lines_5_8, BL, BL },
        { "more", lines_more, BL, BL } } },
    { "4", "loads between two uses of a line in the L1's stream, baseline, % of the loads", "CNF", 0, MEAN_OF_ROWS, DISTANCES(BL) },
    { "5a",
      "hits of the loads, of loads and stores, the stores' share of these hits, and loads without reuse (5b), baseline, %",
      BOTH,
      0,
      MEAN_OF_ROWS,
      { { "hits of loads", hits_of_loads, BL, BL },
        { "with stores", hits_with_stores, BL, BL },
        { "stores of hits", stores_of_hits, BL, BL },
        { "no reuse", without_reuse, BL, BL } } },
    { "8", "speedup over the baseline, cache unfriendly", "CNF", 1, SPEEDUPS, SCHEMES(best_speedup) },
    { "9", "speedup over the baseline, cache friendly", "CF", 1, SPEEDUPS, SCHEMES(best_speedup) },
    { "CI",
      "speedup over the baseline, cache insensitive (pdp with a distance of 16)",
      "CI",
      1,
      SPEEDUPS,
      { { "BALL", paper_speedup, BALL, BL },
        { "MRPB", paper_speedup, MRPB, BL },
        { "pdp", paper_speedup, PDP_16, BL },
        { "Decoupled L1D", paper_speedup, DL1D, BL } } },
    { "10a", "hits of all loads, %", BOTH, 0, MEAN_OF_ROWS, RATES(hits_of_loads) },
    { "10a path", "hits of the loads that take the L1, %", BOTH, 0, MEAN_OF_ROWS, RATES(hits_of_l1_path) },
    { "10a stores", "loads and stores that hit, of all, %", BOTH, 0, MEAN_OF_ROWS, RATES(hits_with_stores) },
    { "10b", "accesses of the L2 (32 B) per thousand warp instructions", BOTH, 0, MEAN_OF_ROWS, RATES(l2_accesses) },
    { "10c", "misses of the L2 (32 B) per thousand warp instructions", BOTH, 0, MEAN_OF_ROWS, RATES(l2_misses) },
    { "11 Decoupled L1D", "the same as figure 4 after filtering: loads that take the L1, %", "CNF", 0, MEAN_OF_ROWS,
      DISTANCES(DL1D) },
    { "11 MRPB", "the same under MRPB", "CNF", 0, MEAN_OF_ROWS, DISTANCES(MRPB) },
    { "11 PDP-best", "the same under PDP-best", "CNF", 0, MEAN_OF_ROWS, DISTANCES(PDP) },
    { "stalls",
      "cycles in which the L1 refuses the access before it, % of the cycles of an SM with work",
      BOTH,
      0,
      MEAN_OF_ROWS,
      { { "BL", stall_share, BL, BL },
        { "Profiled-BYPASS", stall_share, PROFILED, BL },
        { "MRPB", stall_share, MRPB, BL },
        { "PDP-best", stall_share, PDP, BL },
        { "Decoupled L1D", stall_share, DL1D, BL } } },
    { "searches",
      "the distance and the threshold that are fastest",
      BOTH,
      0,
      MEAN_OF_ROWS,
      { { "pdp distance", best_distance, BL, BL }, { "profiled threshold", best_threshold, BL, BL } } },
    { "what the design does",
      "intervals after which the followers filter, and loads that go around, %",
      "CNF|CF|CI",
      0,
      MEAN_OF_ROWS,
      { { "filter on", filter_on, DL1D, BL }, { "go around", bypassed, DL1D, BL } } },
    CNF_SPEEDUP("12", "speedup of replacement policies over LRU", { "SRRIP", paper_speedup, SRRIP, BL },
                { "SHiP", paper_speedup, SHIP, BL }, { "Decoupled L1D+LRU", paper_speedup, DL1D, BL },
                { "Decoupled L1D+SRRIP", paper_speedup, DL1D_SRRIP, BL }),
    SHORT_SPEEDUP("13a", "speedup of fully associative tag stores over one of 256 entries",
                  { "128", paper_speedup, ENTRIES_128, ENTRIES_256 }, { "384", paper_speedup, ENTRIES_384, ENTRIES_256 }),
    CNF_SPEEDUP("13b", "speedup of tag stores of 32 sets over the plain cache of 4 ways", { "4 ways", paper_speedup, WAYS_4, BL },
                { "8 ways", paper_speedup, DL1D, BL }, { "16 ways", paper_speedup, WAYS_16, BL }),
    { "13b idle",
      "lines of a set of four that nothing uses, mean over the probes",
      "CNF",
      0,
      MEAN_OF_ROWS,
      { { "4 ways", free_lines, WAYS_4, BL }, { "8 ways", free_lines, DL1D, BL }, { "16 ways", free_lines, WAYS_16, BL } } },
    SHORT_SPEEDUP("13c", "speedup over a threshold of 1", { "2", paper_speedup, DL1D, THRESHOLD_1 },
                  { "3", paper_speedup, THRESHOLD_3, THRESHOLD_1 }, { "4", paper_speedup, THRESHOLD_4, THRESHOLD_1 }),
    CNF_SPEEDUP("14", "speedup over the baseline of 16 KB", { "BL 32", paper_speedup, BL_32K, BL },
                { "BL 64", paper_speedup, BL_64K, BL }, { "BL 128", paper_speedup, BL_128K, BL },
                { "design 16", paper_speedup, DL1D, BL }, { "design 32", paper_speedup, DL1D_32K, BL },
                { "design 64", paper_speedup, DL1D_64K, BL }, { "design 128", paper_speedup, DL1D_128K, BL }),
    CNF_SPEEDUP("15", "speedup of schedulers over GTO", { "LRR", paper_speedup, LRR, BL },
                { "2LEVEL", paper_speedup, TWO_LEVEL, BL }, { "LRR+design", paper_speedup, LRR_DL1D, BL },
                { "2LEVEL+design", paper_speedup, TWO_LEVEL_DL1D, BL }, { "GTO+design", paper_speedup, DL1D, BL }),
    SHORT_SPEEDUP("machines", "speedup over the baseline, on other readings of the machine", { "BALL", paper_speedup, BALL, BL },
                  { "BALL 700 MHz", paper_speedup, BALL_700, BL_700 }, { "BALL 177 GB/s", paper_speedup, BALL_177, BL_177 },
                  { "design", paper_speedup, DL1D, BL }, { "design 700 MHz", paper_speedup, DL1D_700, BL_700 },
                  { "design 177 GB/s", paper_speedup, DL1D_177, BL_177 }),
    { "decisions", "speedup over the baseline when what the text leaves open is decided otherwise, cache unfriendly", "CNF", 1,
      SPEEDUPS, DECISIONS },
    { "decisions CF", "the same, cache friendly", "CF", 1, SPEEDUPS, DECISIONS },
};

static uint32_t table_1(struct paper_row rows[PAPER_ROWS])
{
    return paper_table_rows("003", rows);
}

const struct paper paper_003 = { .name = "003",
                                 .title = "Locality-Driven Dynamic GPU Cache Bypassing",
                                 .machine = "gtx480-003",
                                 .rows = table_1,
                                 .columns = columns,
                                 .column_count = COLUMN_COUNT,
                                 .claims = claims,
                                 .claim_count = sizeof claims / sizeof *claims,
                                 .figures = figures,
                                 .figure_count = sizeof figures / sizeof *figures };
