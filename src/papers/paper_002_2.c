/* Arunkumar: Memory Subsystem Optimization Techniques for Modern High-Performance General-Purpose Processors, 2018, chapter 2:
 * ReMAP.
 *
 * Rows are traces of CPUs, recorded by scripts/record-cpu-programs.sh ("cpu:NAME"): programs that stand in for SPEC 2006. Where the
 * paper measures 250 M instructions, 3 M after 1 M of warm-up are measured here, of mixes 2 M after 1 M. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "papers/paper.h"

extern const struct paper paper_002_2;

enum column {
    LRU, /* with the oracle of figure 2.1, which changes nothing */
    SRRIP,
    DRRIP,
    SHIP,
    MLP,
    REMAP,
    VB_8,
    VB_24,
    VB_32,
    VB_48,
    VB_64,
    PERD,
    MAC,
    BY_LRU,
    BY_MISSES,
    LARGE_LRU,
    LARGE,
    WIDE_LRU,
    WIDE,
    MIX_LRU,
    MIX_TA,
    MIX_MLP,
    MIX_REMAP,
    COLUMN_COUNT
};

#define EIGHT "sensitive|streaming"
#define MIX_COLUMN(policy)                                                                                                         \
    {                                                                                                                              \
        .policies = policy, .rows = "mix", .set = { "cmp.warmup=1000000", "cmp.instructions=2000000" }                             \
    }
#define COLUMN(policy, ...)                                                                                                        \
    {                                                                                                                              \
        .policies = policy, .rows = EIGHT, .set = { "cmp.warmup=1000000", "cmp.instructions=3000000", __VA_ARGS__ }                \
    }

static const struct paper_column columns[COLUMN_COUNT] = {
    [LRU] = { .policies = "lru,llc-oracle", .rows = EIGHT "|other", .set = { "cmp.warmup=1000000", "cmp.instructions=3000000" } },
    [SRRIP] = COLUMN("srrip", NULL),
    [DRRIP] = COLUMN("drrip", NULL),
    [SHIP] = COLUMN("ship", NULL),
    [MLP] = COLUMN("mlp-lin", NULL),
    [REMAP] = COLUMN("remap", NULL),
    [VB_8] = COLUMN("remap", "policy.remap.victim_entries=8"),
    [VB_24] = COLUMN("remap", "policy.remap.victim_entries=24"),
    [VB_32] = COLUMN("remap", "policy.remap.victim_entries=32"),
    [VB_48] = COLUMN("remap", "policy.remap.victim_entries=48"),
    [VB_64] = COLUMN("remap", "policy.remap.victim_entries=64"),
    [PERD] = COLUMN("srrip-perd", NULL),
    [MAC] = COLUMN("srrip-mac", NULL),
    [BY_LRU] = COLUMN("remap", "policy.remap.recency=lru"),
    [BY_MISSES] = COLUMN("remap", "policy.remap.duel=misses"),
    [LARGE_LRU] = COLUMN("lru", "cmp.l3.size=4MiB"),
    [LARGE] = COLUMN("remap", "cmp.l3.size=4MiB"),
    [WIDE_LRU] = COLUMN("lru", "cmp.l3.ways=64"),
    [WIDE] = COLUMN("remap", "cmp.l3.ways=64"),
    [MIX_LRU] = MIX_COLUMN("lru"),
    [MIX_TA] = MIX_COLUMN("ta-drrip"),
    [MIX_MLP] = MIX_COLUMN("mlp-lin"),
    [MIX_REMAP] = MIX_COLUMN("remap"),
};

/* ---- values of a program ---------------------------------------------------------------------------------------------- */

static bool fewer_misses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    static const char *const names[] = { "llc.misses", NULL };
    const bool there = paper_change_of_sums(r, row, subject, versus, names, percent);
    *percent = -*percent;
    return there;
}

/* Of all sizes of the victim buffer, the one with which the program is fastest. */
static uint32_t best_buffer(const struct reproduction *r, const struct paper_row *row, uint32_t versus)
{
    static const uint32_t sizes[] = { REMAP, VB_8, VB_24, VB_32, VB_48, VB_64 };
    uint32_t best = REMAP;
    double most = -INFINITY, gain;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (paper_gain(r, row, sizes[i], versus, &gain) && gain > most) {
            most = gain;
            best = sizes[i];
        }
    return best;
}

static bool best_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)subject;
    return paper_gain(r, row, best_buffer(r, row, versus), versus, percent);
}

static bool best_misses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                        double *percent)
{
    (void)subject;
    return fewer_misses(r, row, best_buffer(r, row, versus), versus, percent);
}

/* factor x one counter over another; 0 where there is nothing to divide by: a program without evictions has no share of them. */
static bool ratio(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *part, const char *whole,
                  double factor, double *value)
{
    double of, all;
    if (!reproduction_number(r, row, column, part, &of) || !reproduction_number(r, row, column, whole, &all))
        return false;
    *value = all > 0 ? factor * of / all : 0;
    return true;
}

#define RATIO(name, part, whole, factor)                                                                                           \
    static bool name(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)  \
    {                                                                                                                              \
        (void)versus;                                                                                                              \
        return ratio(r, row, subject, part, whole, factor, value);                                                                 \
    }
RATIO(dead, "llc_oracle.dead", "llc_oracle.evictions", 100)
RATIO(live_with_dead, "llc_oracle.live_with_dead", "llc_oracle.evictions", 100)
RATIO(live_dearer, "llc_oracle.live_dearer", "llc_oracle.evictions", 100)
RATIO(row_hits, "dram.row_hits", "dram.scheduled", 100)
RATIO(ipc, "cpu.instructions", "cpu.cycles", 1)
RATIO(mpki, "llc.misses", "cpu.instructions", 1000)
RATIO(latency, "llc.miss_cycles", "llc.misses", 1)
RATIO(mac_lowest, "remap.mac.lowest.cycles", "remap.mac.lowest.filled", 1)
RATIO(mac_lower, "remap.mac.lower.cycles", "remap.mac.lower.filled", 1)
RATIO(mac_higher, "remap.mac.higher.cycles", "remap.mac.higher.filled", 1)
RATIO(mac_highest, "remap.mac.highest.cycles", "remap.mac.highest.filled", 1)
#undef RATIO

static bool second_weights(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    (void)versus;
    double first, second;
    if (!reproduction_number(r, row, subject, "remap.weights.first", &first) ||
        !reproduction_number(r, row, subject, "remap.weights.second", &second))
        return false;
    *percent = first + second > 0 ? 100 * second / (first + second) : 0;
    return true;
}

/* ---- values of a mix --------------------------------------------------------------------------------------------------- */

enum { CORES = 4 };

/* Cycles of each core; the names of its kernels are those of the traces. */
static bool core_cycles(const struct reproduction *r, const struct paper_row *row, uint32_t column, double cycles[CORES])
{
    const char *at = row->target;
    for (uint32_t i = 0; i < CORES; i++) {
        char name[64];
        const size_t length = strcspn(at, "+");
        (void)snprintf(name, sizeof name, "%.*s.wct", (int)(length - strlen("cpu:")), at + strlen("cpu:"));
        struct paper_row core = *row;
        core.kernel = name;
        if (!reproduction_number(r, &core, column, "cycles", &cycles[i]) || cycles[i] <= 0)
            return false;
        at += length + (at[length] == '+');
    }
    return true;
}

/* GM(IPC) / GM(IPC under LRU), as a gain. */
static bool throughput(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       double *percent)
{
    double own[CORES], other[CORES], logarithm = 0;
    if (!core_cycles(r, row, subject, own) || !core_cycles(r, row, versus, other))
        return false;
    for (uint32_t i = 0; i < CORES; i++)
        logarithm += log(other[i] / own[i]);
    *percent = 100 * (exp(logarithm / CORES) - 1);
    return true;
}

static bool fairness(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *least)
{
    double own[CORES], other[CORES];
    if (!core_cycles(r, row, subject, own) || !core_cycles(r, row, versus, other))
        return false;
    *least = INFINITY;
    for (uint32_t i = 0; i < CORES; i++)
        *least = fmin(*least, other[i] / own[i]);
    return true;
}

/* Sum of IPC / IPC alone under LRU on a chip of one core. */
static bool weighted_sum(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *sum)
{
    double cycles[CORES], instructions;
    const char *at = row->target;
    if (!core_cycles(r, row, column, cycles) || !reproduction_number(r, row, column, "cpu.instructions", &instructions))
        return false;
    *sum = 0;
    for (uint32_t i = 0; i < CORES; i++) {
        char name[64];
        const size_t length = strcspn(at, "+");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        const struct paper_row alone = { .target = name, .label = "", .class = "" };
        double ipc_alone, own;
        if (!ipc(r, &alone, LRU, LRU, &ipc_alone))
            return false;
        own = instructions / CORES / cycles[i];
        *sum += own / ipc_alone;
        at += length + (at[length] == '+');
    }
    return true;
}

static bool weighted(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    double own, other;
    if (!weighted_sum(r, row, subject, &own) || !weighted_sum(r, row, versus, &other))
        return false;
    *percent = 100 * (own / other - 1);
    return true;
}

/* ---- claims, figures, rows --------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_002_2.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "machine",
      "the programs under LRU: instructions per cycle, L3 misses per thousand instructions, cycles per miss, % of requests in the "
      "open row",
      EIGHT "|other",
      0,
      MEAN_OF_ROWS,
      { { "IPC", ipc, LRU, LRU },
        { "MPKI", mpki, LRU, LRU },
        { "latency", latency, LRU, LRU },
        { "row hits", row_hits, LRU, LRU } } },
    { "2.1",
      "evictions under LRU: of dead lines; of live ones though a dead one was there; of live ones though another costs less, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "dead", dead, LRU, LRU },
        { "live, dead there", live_with_dead, LRU, LRU },
        { "live, cheaper there", live_dearer, LRU, LRU } } },
    { "2.4",
      "fewer L3 misses than LRU, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "srrip", fewer_misses, SRRIP, LRU },
        { "drrip", fewer_misses, DRRIP, LRU },
        { "ship", fewer_misses, SHIP, LRU },
        { "mlp-lin", fewer_misses, MLP, LRU },
        { "remap-16", fewer_misses, REMAP, LRU },
        { "remap best VB", best_misses, REMAP, LRU } } },
    { "2.5",
      "gain in IPC over LRU, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "srrip", paper_gain, SRRIP, LRU },
        { "drrip", paper_gain, DRRIP, LRU },
        { "ship", paper_gain, SHIP, LRU },
        { "mlp-lin", paper_gain, MLP, LRU },
        { "remap-16", paper_gain, REMAP, LRU },
        { "remap best VB", best_gain, REMAP, LRU } } },
    { "2.6",
      "gain in IPC over LRU of ReMAP's parts alone, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "srrip-perd", paper_gain, PERD, LRU }, { "srrip-mac", paper_gain, MAC, LRU }, { "remap-16", paper_gain, REMAP, LRU } } },
    { "2.7",
      "gain in IPC over LRU by entries of the victim buffer per set, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "8", paper_gain, VB_8, LRU },
        { "16", paper_gain, REMAP, LRU },
        { "24", paper_gain, VB_24, LRU },
        { "32", paper_gain, VB_32, LRU },
        { "48", paper_gain, VB_48, LRU },
        { "64", paper_gain, VB_64, LRU } } },
    { "mac",
      "true cycles of the misses that ReMAP estimated to cost lowest, lower, higher, highest; % of evictions by weights (1,4,1)",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "lowest", mac_lowest, REMAP, REMAP },
        { "lower", mac_lower, REMAP, REMAP },
        { "higher", mac_higher, REMAP, REMAP },
        { "highest", mac_highest, REMAP, REMAP },
        { "by (1,4,1)", second_weights, REMAP, REMAP } } },
    { "sensitivity",
      "gain in IPC of remap over LRU on the same machine, %",
      EIGHT,
      0,
      MEAN_OF_ROWS,
      { { "1 MB 16-way", paper_gain, REMAP, LRU },
        { "4 MB", paper_gain, LARGE, LARGE_LRU },
        { "64-way", paper_gain, WIDE, WIDE_LRU },
        { "R by LRU", paper_gain, BY_LRU, LRU },
        { "duel by misses", paper_gain, BY_MISSES, LRU } } },
    { "2.8",
      "four programs: gain in throughput over LRU, %",
      "mix",
      0,
      MEAN_OF_ROWS,
      { { "ta-drrip", throughput, MIX_TA, MIX_LRU },
        { "mlp-lin", throughput, MIX_MLP, MIX_LRU },
        { "remap-16", throughput, MIX_REMAP, MIX_LRU } } },
    { "weighted",
      "four programs: gain in weighted speedup over LRU, %",
      "mix",
      0,
      MEAN_OF_ROWS,
      { { "ta-drrip", weighted, MIX_TA, MIX_LRU },
        { "mlp-lin", weighted, MIX_MLP, MIX_LRU },
        { "remap-16", weighted, MIX_REMAP, MIX_LRU } } },
    { "fairness",
      "four programs: least IPC over its own under LRU",
      "mix",
      1,
      MEAN_OF_ROWS,
      { { "ta-drrip", fairness, MIX_TA, MIX_LRU },
        { "mlp-lin", fairness, MIX_MLP, MIX_LRU },
        { "remap-16", fairness, MIX_REMAP, MIX_LRU } } },
};

/* Tables 2.4 and 2.5. */
static const struct paper_row all_rows[] = {
    { .target = "cpu:h264ref", .label = "h264ref", .class = "sensitive" },
    { .target = "cpu:lbm", .label = "lbm", .class = "sensitive" },
    { .target = "cpu:mcf", .label = "mcf", .class = "sensitive" },
    { .target = "cpu:omnetpp", .label = "omnetpp", .class = "sensitive" },
    { .target = "cpu:soplex", .label = "soplex", .class = "sensitive" },
    { .target = "cpu:sphinx3", .label = "sphinx3", .class = "sensitive" },
    { .target = "cpu:cactusADM", .label = "cactusADM", .class = "streaming" },
    { .target = "cpu:libquantum", .label = "libquantum", .class = "streaming" },
    { .target = "cpu:bzip2", .label = "bzip2", .class = "other" },
    { .target = "cpu:bwaves", .label = "bwaves", .class = "other" },
    { .target = "cpu:zeusmp", .label = "zeusmp", .class = "other" },
    { .target = "cpu:hmmer", .label = "hmmer", .class = "other" },
    { .target = "cpu:sjeng", .label = "sjeng", .class = "other" },
    { .target = "cpu:xalancbmk", .label = "xalancbmk", .class = "other" },
#define MIX(number, a, b, c, d)                                                                                                    \
    {                                                                                                                              \
        .target = "cpu:" #a "+cpu:" #b "+cpu:" #c "+cpu:" #d, .label = "mix " #number, .class = "mix"                              \
    }
    MIX(1, bzip2, mcf, omnetpp, soplex),
    MIX(2, bzip2, mcf, lbm, sphinx3),
    MIX(3, bzip2, mcf, omnetpp, sphinx3),
    MIX(4, bzip2, soplex, omnetpp, sphinx3),
    MIX(5, bzip2, mcf, sphinx3, bwaves),
    MIX(6, bzip2, mcf, omnetpp, libquantum),
    MIX(7, omnetpp, soplex, zeusmp, bwaves),
    MIX(8, sphinx3, mcf, libquantum, bwaves),
    MIX(9, mcf, sphinx3, cactusADM, zeusmp),
    MIX(10, zeusmp, libquantum, cactusADM, bwaves),
    MIX(11, bzip2, mcf, sphinx3, hmmer),
    MIX(12, omnetpp, mcf, sphinx3, h264ref),
    MIX(13, bzip2, soplex, h264ref, hmmer),
    MIX(14, bzip2, mcf, sjeng, hmmer),
    MIX(15, sphinx3, sjeng, h264ref, hmmer),
    MIX(16, sjeng, xalancbmk, h264ref, hmmer),
    MIX(17, xalancbmk, bwaves, h264ref, hmmer),
    MIX(18, libquantum, bwaves, cactusADM, hmmer),
#undef MIX
};

static uint32_t rows(struct paper_row out[PAPER_ROWS])
{
    memcpy(out, all_rows, sizeof all_rows);
    return sizeof all_rows / sizeof *all_rows;
}

const struct paper paper_002_2 = {
    .name = "002.2",
    .title = "ReMAP (Arunkumar, 2018, chapter 2)",
    .machine = "cmp",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
