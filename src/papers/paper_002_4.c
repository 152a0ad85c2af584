/* Arunkumar: Memory Subsystem Optimization Techniques for Modern High-Performance General-Purpose Processors, 2018, chapter 4:
 * LATTE-CC. */
#include <stddef.h>
#include <string.h>

#include "papers/paper.h"

extern const struct paper paper_002_4;

enum column {
    BASE, /* measures what lines could be compressed to, which changes nothing */
    LARGE,
    BDI,
    SC,
    LATTE,
    HIT_COUNT,
    CMP,
    LATTE_BPC,
    ROOM_BDI,
    ROOM_SC,
    LATE_BDI,
    LATE_SC,
    BDI_LINE,
    SC_PIPELINE,
    SC_TABLES,
    LATTE_PIPELINE,
    LATTE_LINE,
    COLUMN_COUNT
};

#define SENSITIVE "C-Sens"
#define EVERY "C-Sens|C-InSens"
#define SHORT                                                                                                                      \
    "BFS|PF|MIS|CLR|FW|DJK" /* C-Sens programs of less than half a million cycles: for variants that the text does not have */

static const struct paper_column columns[COLUMN_COUNT] = {
    [BASE] = { .policies = "gto,compressibility" },
    [LARGE] = { .policies = "gto", .set = { "l1.ways=16" } },
    [BDI] = { .policies = "gto,static-bdi" },
    [SC] = { .policies = "gto,static-sc" },
    [LATTE] = { .policies = "gto,latte-cc" },
    [HIT_COUNT] = { .policies = "gto,adaptive-hit-count", .rows = SENSITIVE },
    [CMP] = { .policies = "gto,adaptive-cmp", .rows = SENSITIVE },
    [LATTE_BPC] = { .policies = "gto,latte-cc-bpc", .rows = SENSITIVE },
    [ROOM_BDI] = { .policies = "gto,static-bdi", .rows = SENSITIVE, .set = { "policy.compressed-l1.effect=capacity" } },
    [ROOM_SC] = { .policies = "gto,static-sc", .rows = SENSITIVE, .set = { "policy.compressed-l1.effect=capacity" } },
    [LATE_BDI] = { .policies = "gto,static-bdi", .rows = SENSITIVE, .set = { "policy.compressed-l1.effect=latency" } },
    [LATE_SC] = { .policies = "gto,static-sc", .rows = SENSITIVE, .set = { "policy.compressed-l1.effect=latency" } },
    [BDI_LINE] = { .policies = "gto,static-bdi", .rows = SHORT, .set = { "policy.compressed-l1.reserve=line" } },
    [SC_PIPELINE] = { .policies = "gto,static-sc", .rows = SHORT, .set = { "policy.compressed-l1.decompressor=pipeline" } },
    [SC_TABLES] = { .policies = "gto,static-sc", .rows = SHORT, .set = { "policy.compressed-l1.tables=sm" } },
    [LATTE_PIPELINE] = { .policies = "gto,latte-cc", .rows = SHORT, .set = { "policy.latte-cc.decompressor=pipeline" } },
    [LATTE_LINE] = { .policies = "gto,latte-cc", .rows = SHORT, .set = { "policy.latte-cc.reserve=line" } },
};

/* Kernel-OPT chooses among these, kernel by kernel, with the fewest cycles of the three runs. */
static const uint32_t choices[] = { BASE, BDI, SC };
enum { CHOICES = sizeof choices / sizeof choices[0] };

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool misses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    static const char *const names[] = { "l1.misses", NULL };
    return paper_change_of_sums(r, row, subject, versus, names, percent);
}

static bool loss(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    const bool there = paper_gain(r, row, subject, versus, percent);
    *percent = -*percent;
    return there;
}

/* How much less some components of the energy are, in percent of all energy in `versus`. */
static bool energy_saved_in(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            const char *const parts[], double *percent)
{
    const bool there = paper_energy_part(r, row, subject, versus, parts, percent);
    *percent = -*percent;
    return there;
}
static bool energy_saved_moving(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                double *percent)
{
    static const char *const parts[] = { "energy.components.l2", "energy.components.dram", NULL };
    return energy_saved_in(r, row, subject, versus, parts, percent);
}
static bool energy_saved_static(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                double *percent)
{
    static const char *const parts[] = { "energy.components.constant", NULL };
    return energy_saved_in(r, row, subject, versus, parts, percent);
}
static bool energy_of_codec(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)versus;
    return paper_share(r, row, subject, "energy.components.policies", "energy.total_j", percent);
}
static bool energy_most(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *ratio)
{
    double other;
    (void)subject;
    if (!paper_energy(r, row, BDI, versus, ratio) || !paper_energy(r, row, SC, versus, &other))
        return false;
    *ratio = 1 + (*ratio > other ? *ratio : other) / 100;
    return true;
}
static bool energy_least(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *ratio)
{
    double other;
    (void)subject;
    if (!paper_energy(r, row, BDI, versus, ratio) || !paper_energy(r, row, SC, versus, &other))
        return false;
    *ratio = 1 + least(*ratio, other) / 100;
    return true;
}

static bool best_static(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                        double *percent)
{
    double other;
    if (!paper_gain(r, row, BDI, versus, percent) || !paper_gain(r, row, SC, versus, &other))
        return false;
    (void)subject;
    *percent = -least(-*percent, -other);
    return true;
}

static bool worst_static(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *percent)
{
    double other;
    if (!paper_gain(r, row, BDI, versus, percent) || !paper_gain(r, row, SC, versus, &other))
        return false;
    (void)subject;
    *percent = least(*percent, other);
    return true;
}

/* ---- Kernel-OPT ---- */

static bool kernel_opt_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)subject;
    static const char *const cycles[CHOICES] = { "cycles", "cycles", "cycles" };
    double own, other;
    if (!reproduction_best_launches(r, row, choices, CHOICES, cycles, NULL, &own) ||
        !reproduction_number(r, row, versus, "cycles", &other) || own <= 0)
        return false;
    *percent = 100 * (other / own - 1);
    return true;
}

static bool kernel_opt_misses(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    (void)subject;
    static const char *const names[CHOICES] = { "l1.misses", "l1.misses", "l1.misses" };
    double own, other;
    if (!reproduction_best_launches(r, row, choices, CHOICES, names, NULL, &own) ||
        !reproduction_number(r, row, versus, "l1.misses", &other) || other <= 0)
        return false;
    *percent = 100 * (own / other - 1);
    return true;
}

/* Points of speedup, and of misses saved, that LATTE-CC has over Kernel-OPT. */
static bool above_kernel_opt(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                             double *percent)
{
    double other;
    if (!paper_gain(r, row, subject, versus, percent) || !kernel_opt_gain(r, row, subject, versus, &other))
        return false;
    *percent -= other;
    return true;
}

static bool saved_above_kernel_opt(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                   double *percent)
{
    double own, other;
    if (!misses(r, row, subject, versus, &own) || !kernel_opt_misses(r, row, subject, versus, &other))
        return false;
    *percent = other - own;
    return true;
}

/* Time in which LATTE-CC's mode is the one that Kernel-OPT has for the kernel. */
static bool agreement(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    static const char *const modes[CHOICES] = { "latte_cc.cycles.none", "latte_cc.cycles.low", "latte_cc.cycles.high" };
    double same, all = 0, part;
    if (!reproduction_best_launches(r, row, choices, CHOICES, modes, &subject, &same))
        return false;
    for (uint32_t m = 0; m < CHOICES; m++)
        all += reproduction_number(r, row, subject, modes[m], &part) ? part : 0;
    *percent = 100 * same / all;
    return all > 0;
}

/* ---- counters of one run ---- */

static bool quotient(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *part,
                     const char *whole, double *value)
{
    const bool there = paper_share(r, row, column, part, whole, value);
    *value /= 100;
    return there;
}

#define RATIO_OF(name, plain, packed)                                                                                              \
    static bool name(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)  \
    {                                                                                                                              \
        (void)versus;                                                                                                              \
        return quotient(r, row, subject, plain, packed, value);                                                                    \
    }
RATIO_OF(ratio_bdi, "compressibility.bits.plain", "compressibility.bits.bdi")
RATIO_OF(ratio_fpc, "compressibility.bits.plain", "compressibility.bits.fpc")
RATIO_OF(ratio_cpack, "compressibility.bits.plain", "compressibility.bits.cpack")
RATIO_OF(ratio_bpc, "compressibility.bits.plain", "compressibility.bits.bpc")
RATIO_OF(ratio_sc, "compressibility.bits.coded", "compressibility.bits.sc")
RATIO_OF(latte_capacity, "latte_cc.capacity.lines", "latte_cc.capacity.plain")
RATIO_OF(static_capacity, "compressed_l1.capacity.lines", "compressed_l1.capacity.plain")
RATIO_OF(tolerance, "latte_cc.tolerance.sum", "latte_cc.ended")
RATIO_OF(miss_latency, "latte_cc.miss_latency.sum", "latte_cc.ended")

/* Without hits on compressed lines nothing waits. */
static bool wait(const struct reproduction *r, const struct paper_row *row, uint32_t subject, const char *hits, double *cycles)
{
    double count;
    *cycles = 0;
    return reproduction_number(r, row, subject, hits, &count) &&
           (count <= 0 || quotient(r, row, subject, "compressed_l1.decompress.cycles", hits, cycles));
}
static bool wait_bdi(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *cycles)
{
    (void)versus;
    return wait(r, row, subject, "compressed_l1.decompressions.bdi", cycles);
}
static bool wait_sc(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *cycles)
{
    (void)versus;
    return wait(r, row, subject, "compressed_l1.decompressions.sc", cycles);
}

/* Sub-blocks: what a cache could hold more. */
static bool room(const struct reproduction *r, const struct paper_row *row, uint32_t subject, const char *bits, const char *blocks,
                 double *value)
{
    const bool there = quotient(r, row, subject, bits, blocks, value);
    *value /= 256;
    return there;
}
static bool room_bdi(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    return room(r, row, subject, "compressibility.bits.plain", "compressibility.blocks.bdi", value);
}
static bool room_sc(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    return room(r, row, subject, "compressibility.bits.coded", "compressibility.blocks.sc", value);
}

static bool mode_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, const char *mode,
                       double *percent)
{
    static const char *const all[] = { "latte_cc.cycles.none", "latte_cc.cycles.low", "latte_cc.cycles.high", NULL };
    const char *const parts[] = { mode, NULL };
    return paper_share_of_sums(r, row, subject, parts, all, percent);
}
static bool mode_none(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return mode_share(r, row, subject, "latte_cc.cycles.none", percent);
}
static bool mode_low(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return mode_share(r, row, subject, "latte_cc.cycles.low", percent);
}
static bool mode_high(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    return mode_share(r, row, subject, "latte_cc.cycles.high", percent);
}
static bool compressed_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)versus;
    static const char *const hits[] = { "compressed_l1.decompressions.bdi", "compressed_l1.decompressions.sc", NULL };
    static const char *const loads[] = { "l1.accesses", NULL };
    return paper_share_of_sums(r, row, subject, hits, loads, percent);
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_002_4.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "4.1",
      "compression ratio of all lines that fill the L1",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "bdi", ratio_bdi, BASE, BASE },
        { "fpc", ratio_fpc, BASE, BASE },
        { "cpack", ratio_cpack, BASE, BASE },
        { "bpc", ratio_bpc, BASE, BASE },
        { "sc", ratio_sc, BASE, BASE },
        { "bdi, sub-blocks", room_bdi, BASE, BASE },
        { "sc, sub-blocks", room_sc, BASE, BASE } } },
    { "classes",
      "speedup with four times the L1 (64 KB, 16 ways), %",
      EVERY,
      20,
      MEAN_OF_ROWS,
      { { "64 KB", paper_gain, LARGE, BASE } } },
    { "4.2",
      "speedup of compression without its latency, %",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "static-bdi", paper_gain, ROOM_BDI, BASE }, { "static-sc", paper_gain, ROOM_SC, BASE } } },
    { "4.3",
      "slowdown by the latency of decompression without the capacity, %",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "static-bdi", loss, LATE_BDI, BASE }, { "static-sc", loss, LATE_SC, BASE } } },
    { "4.10",
      "speedup, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "static-bdi", paper_gain, BDI, BASE },
        { "static-sc", paper_gain, SC, BASE },
        { "latte-cc", paper_gain, LATTE, BASE },
        { "kernel-opt", kernel_opt_gain, BASE, BASE } } },
    { "4.11",
      "misses of the L1, change in %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "static-bdi", misses, BDI, BASE },
        { "static-sc", misses, SC, BASE },
        { "latte-cc", misses, LATTE, BASE },
        { "kernel-opt", kernel_opt_misses, BASE, BASE } } },
    { "4.12",
      "energy, change in % (GPUJoule's equation with the machine's table; the paper's is GPUWattch's)",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "static-bdi", paper_energy, BDI, BASE },
        { "static-sc", paper_energy, SC, BASE },
        { "latte-cc", paper_energy, LATTE, BASE } } },
    { "4.13",
      "energy that latte-cc saves, in % of the GPU's: moving data (L2, DRAM), constant power; and the share of its own structures",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "moving data", energy_saved_moving, LATTE, BASE },
        { "constant", energy_saved_static, LATTE, BASE },
        { "own", energy_of_codec, LATTE, BASE } } },
    { "4.14",
      "time in which latte-cc has the mode of kernel-opt, %, and points of speedup above it",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "agreement", agreement, LATTE, BASE }, { "above", above_kernel_opt, LATTE, BASE } } },
    { "4.16",
      "speedup of adaptive policies, %",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "latte-cc", paper_gain, LATTE, BASE },
        { "adaptive-hit-count", paper_gain, HIT_COUNT, BASE },
        { "adaptive-cmp", paper_gain, CMP, BASE },
        { "hit-count misses", misses, HIT_COUNT, BASE } } },
    { "4.17",
      "speedup with BPC for SC, %",
      SENSITIVE,
      0,
      MEAN_OF_ROWS,
      { { "latte-cc", paper_gain, LATTE, BASE }, { "latte-cc-bpc", paper_gain, LATTE_BPC, BASE } } },
    { "capacity",
      "lines that the L1 holds in the mean, of those that a plain one has room for",
      EVERY,
      1,
      MEAN_OF_ROWS,
      { { "static-bdi", static_capacity, BDI, BASE },
        { "static-sc", static_capacity, SC, BASE },
        { "latte-cc", latte_capacity, LATTE, BASE } } },
    { "modes",
      "time of latte-cc in each mode, %, its latency tolerance and its misses' latency in cycles",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "none", mode_none, LATTE, BASE },
        { "bdi", mode_low, LATTE, BASE },
        { "sc", mode_high, LATTE, BASE },
        { "tolerance", tolerance, LATTE, BASE },
        { "miss latency", miss_latency, LATTE, BASE } } },
    { "decompression",
      "cycles that a hit on a compressed line takes longer, queue and all, and such hits of all loads, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "bdi, cycles", wait_bdi, BDI, BASE },
        { "sc, cycles", wait_sc, SC, BASE },
        { "bdi, hits", compressed_hits, BDI, BASE },
        { "sc, hits", compressed_hits, SC, BASE } } },
    { "variants",
      "speedup of variants that the text does not decide, %",
      SHORT,
      0,
      MEAN_OF_ROWS,
      { { "bdi reserve=line", paper_gain, BDI_LINE, BASE },
        { "sc", paper_gain, SC, BASE },
        { "sc pipeline", paper_gain, SC_PIPELINE, BASE },
        { "sc tables=sm", paper_gain, SC_TABLES, BASE },
        { "latte-cc", paper_gain, LATTE, BASE },
        { "latte pipeline", paper_gain, LATTE_PIPELINE, BASE },
        { "latte reserve=line", paper_gain, LATTE_LINE, BASE } } },
};

/* The paper stops after a billion instructions. The four programs that are long here are stopped as well, after 200000 of warps. */
static uint32_t rows(struct paper_row out[PAPER_ROWS])
{
    const uint32_t count = paper_table_rows("002.4", out);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(out[i].label, "KM") || !strcmp(out[i].label, "SS") || !strcmp(out[i].label, "MM") ||
            !strcmp(out[i].label, "BC"))
            out[i].instructions = 200000;
    return count;
}

const struct paper paper_002_4 = {
    .name = "002.4",
    .title = "LATTE-CC (Arunkumar, 2018, chapter 4)",
    .machine = "gtx480-latte",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
