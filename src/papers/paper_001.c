/* Sethia, Jamshidi, Mahlke: Mascar: Speeding up GPU Warps by Reducing Memory Pitstops, HPCA 2015. */
#include <stddef.h>
#include <string.h>

#include "papers/paper.h"

extern const struct paper paper_001;

enum column {
    LRR,
    GTO,
    OWL,
    CCWS,
    TWO_LEVEL,
    SCHEDULE,
    REEXEC,
    MASCAR,
    QUEUE_FIRST,
    OTHERS_TOO,
    LATE,
    LATE_ON_EARLY_OFF,
    TWO_THRESHOLDS,
    UNTIL_QUEUE_EMPTY,
    GTO_REEXEC,
    CCWS_REEXEC,
    QUEUE_16,
    QUEUE_64,
    LARGE_QUEUES,
    ASSOCIATIVE,
    FAST_DRAM,
    ALL_LARGER,
    ALL_WIDER,
    TOY_UNLIMITED,
    TOY_TWO,
    TOY_MASCAR,
    COLUMN_COUNT
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
    [QUEUE_FIRST] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.heir=queue" } },
    [OTHERS_TOO] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.others=ready" } },
    [GTO_REEXEC] = { .policies = "gto,mascar-reexec", .rows = "sensitive" },
    [CCWS_REEXEC] = { .policies = "ccws,mascar-reexec", .rows = "sensitive" },
    [LATE] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.mshr_free=6" } }, /* 3 of 64 */
    [LATE_ON_EARLY_OFF] = { .policies = "mascar",
                            .rows = "sensitive",
                            .set = { "policy.mascar.mshr_free=6", "policy.mascar.mshr_free_off=50" } },
    [TWO_THRESHOLDS] = { .policies = "mascar",
                         .rows = "sensitive",
                         .set = { "policy.mascar.mshr_free_off=75", "policy.mascar.miss_queue_free_off=4" } },
    [UNTIL_QUEUE_EMPTY] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.relief=queue" } },
    [QUEUE_16] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.queue_entries=16" } },
    [QUEUE_64] = { .policies = "mascar", .rows = "sensitive", .set = { "policy.mascar.queue_entries=64" } },
    [LARGE_QUEUES] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-queues" },
    [ASSOCIATIVE] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-associative" },
    [FAST_DRAM] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-fast-dram" },
    [ALL_LARGER] = { .policies = "lrr", .rows = MEMORY, .config = "gtx480-32k-all" },
    /* Not in the text, which names no bandwidth: what the larger machine's own network and L2 then hold back. */
    [ALL_WIDER] = { .policies = "lrr",
                    .rows = MEMORY,
                    .config = "gtx480-32k-all",
                    .set = { "gpu.net_clock=1400MHz", "l2.port_bytes=64" } },
    /* Figure 3's miniature machine, cycle by cycle; Mascar's timeline begins saturated. */
    [TOY_UNLIMITED] = { .policies = "lrr", .rows = "toy", .config = "toy", .set = { "gpu.interval=1" } },
    [TOY_TWO] = { .policies = "lrr", .rows = "toy", .config = "toy", .set = { "gpu.interval=1", "sm.ideal_loads=2" } },
    [TOY_MASCAR] = { .policies = "mascar",
                     .rows = "toy",
                     .config = "toy",
                     .set = { "gpu.interval=1", "sm.ideal_loads=2", "policy.mascar.mode=memory" } },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

/* One counter in percent of another, of the run in `subject`; 0 where the other is 0, as the loads of a kernel that reads textures
 * alone. */
#define SHARE(function, part, whole)                                                                                               \
    static bool function(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,             \
                         double *percent)                                                                                          \
    {                                                                                                                              \
        double all;                                                                                                                \
        (void)versus;                                                                                                              \
        *percent = 0;                                                                                                              \
        return (reproduction_number(r, row, subject, whole, &all) && all <= 0) ||                                                  \
               paper_share(r, row, subject, part, whole, percent);                                                                 \
    }
SHARE(peak_ipc, "sm.slots.issued", "sm.slots.all") /* of an SM that issues with both schedulers in every cycle */
SHARE(hit_behind, "sm.lsu.data_hit_behind", "sm.cycles")
SHARE(occupancy, "sm.warp_cycles", "sm.warp_slot_cycles")
SHARE(dram_busy, "dram.data_clocks", "dram.clocks")
SHARE(row_hits, "dram.row_hits", "dram.scheduled")
SHARE(new_waits_for_place, "mascar_reexec.queue.full_stalls", "sm.cycles")
SHARE(new_waits_for_order, "mascar_reexec.queue.order_stalls", "sm.cycles")
SHARE(hits_under_miss, "mascar_reexec.hits_under_miss", "l1.accesses")
SHARE(mascars_queue_full, "mascar.queue.full_stalls", "sm.cycles")
SHARE(owners_from_queue, "mascar.owners_from_queue", "mascar.owners")
SHARE(lost_loads, "ccws.losses", "l1.accesses") /* loads whose line the warp itself had lost: what CCWS acts on */
#undef SHARE

/* By the L1's or by the texture cache's refusals. */
static bool lsu_stalled(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                        double *percent)
{
    (void)versus;
    static const char *const stalls[] = {
        "sm.lsu.data", "l1t.refused.mshr_entry", "l1t.refused.mshr_merge", "l1t.refused.line_alloc", "l1t.refused.miss_queue", NULL
    };
    static const char *const cycles[] = { "sm.cycles", NULL };
    return paper_share_of_sums(r, row, subject, stalls, cycles, percent);
}

static bool l1_hits(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    static const char *const hits[] = { "l1.hits", "l1t.hits", NULL }, *const accesses[] = { "l1.accesses", "l1t.accesses", NULL };
    return paper_share_of_sums(r, row, subject, hits, accesses, percent);
}

static bool memory_priority(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    (void)versus;
    double memory, equal;
    if (!reproduction_number(r, row, subject, "mascar.mode.memory_priority", &memory) ||
        !reproduction_number(r, row, subject, "mascar.mode.equal_priority", &equal) || memory + equal <= 0)
        return false;
    *percent = 100 * memory / (memory + equal);
    return true;
}

enum { SMS = 15, SCHEDULERS = 2, SLICES = 12 }; /* of table I's machine */

/* Time in which an SM has work, over all SMs and the whole kernel: the rest is a tail of the last CTAs, or SMs that got none. */
static bool sm_busy(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    if (!paper_share(r, row, subject, "sm.slots.all", "cycles", percent))
        return false;
    *percent /= SMS * SCHEDULERS;
    return true;
}

/* A launch's CTAs over those that the machine holds at once; the mean over the kernel's launches. */
static bool waves(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    double ctas, at_once;
    (void)versus;
    if (!reproduction_number(r, row, subject, "sm.ctas", &ctas) ||
        !reproduction_launches(r, row, subject, "ctas_per_sm", &at_once) || at_once <= 0)
        return false;
    *value = ctas / (SMS * at_once);
    return true;
}

/* The ports by which L2 slices answer: one flit, that is one sector or one acknowledgement, in a cycle of the network, which has
 * the SMs' clock. */
static bool replies(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    if (!paper_share(r, row, subject, "l2.replies", "cycles", percent))
        return false;
    *percent /= SLICES;
    return true;
}

/* One counter in two columns, in percent: what a technique leaves of it. */
static bool left_of(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, const char *name,
                    double *percent)
{
    double own, other;
    if (!reproduction_number(r, row, subject, name, &own) || !reproduction_number(r, row, versus, name, &other))
        return false;
    *percent = other > 0 ? 100 * own / other : 100;
    return true;
}

static bool l2_reads_left(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    return left_of(r, row, subject, versus, "l2.reads", percent);
}

static bool dram_reads_left(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                            double *percent)
{
    return left_of(r, row, subject, versus, "dram.reads", percent);
}

/* Changes between equal and memory priority per 1000 cycles of an SM. */
static bool switches(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)versus;
    double memory, equal, count;
    if (!reproduction_number(r, row, subject, "mascar.mode.memory_priority", &memory) ||
        !reproduction_number(r, row, subject, "mascar.mode.equal_priority", &equal) ||
        !reproduction_number(r, row, subject, "mascar.mode.switches", &count) || memory + equal <= 0)
        return false;
    *value = 1000 * count / (memory + equal);
    return true;
}

/* Warps above the cutoff, on average over the times that the scores were sorted. */
static bool held_warps(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    double held, sortings;
    (void)versus;
    if (!reproduction_number(r, row, subject, "ccws.held", &held) ||
        !reproduction_number(r, row, subject, "ccws.sortings", &sortings))
        return false;
    *value = sortings > 0 ? held / sortings : 0;
    return true;
}

/* From the first instruction to the last addition, both included; the exits after it are not in the figure. */
static bool figure_3(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *cycles)
{
    (void)versus;
    return reproduction_span(r, row, subject, "sm.warp_instructions", "sm.class.control", cycles);
}

/* 1 for a kernel on that side of a share of the issue slots, 0 for another: their sum is how many there are. */
static bool above_half(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *one)
{
    double percent;
    if (!peak_ipc(r, row, subject, versus, &percent))
        return false;
    *one = percent > 50;
    return true;
}

static bool below_fifth(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *one)
{
    double percent;
    if (!peak_ipc(r, row, subject, versus, &percent))
        return false;
    *one = percent < 20;
    return true;
}

/* The same for figure 5. */
static bool hits_behind_for_a_fifth(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                    double *one)
{
    double percent;
    if (!hit_behind(r, row, subject, versus, &percent))
        return false;
    *one = percent >= 20;
    return true;
}

/* What figure 14 calls others: all but DRAM, the L1, leakage and what a policy adds. */
static bool energy_others(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *percent)
{
    static const char *const names[] = { "energy.components.instructions", "energy.components.l2",   "energy.components.shared",
                                         "energy.components.stall",        "energy.components.link", NULL };
    return paper_energy_part(r, row, subject, versus, names, percent);
}

static bool storage_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          double *share)
{
    double own, other;
    if (!reproduction_storage(r, row, subject, &own) || !reproduction_storage(r, row, versus, &other) || other <= 0)
        return false;
    *share = own / other;
    return true;
}

static bool instructions_per_miss(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                  double *value)
{
    (void)versus;
    static const char *const instructions[] = { "warp_instructions", NULL }, *const misses[] = { "l1.misses", "l1t.misses", NULL };
    if (!paper_share_of_sums(r, row, subject, instructions, misses, value))
        return false;
    *value /= 100;
    return true;
}

static bool printed_per_miss(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                             double *value)
{
    (void)r, (void)subject, (void)versus;
    static const struct {
        const char *label;
        double printed;
    } table[] = {
        { "BP-1", 107 },     { "BP-2", 19 },      { "bfs", 2.4 },        { "cutcp", 949 },     { "histo-1", 15.3 },
        { "histo-2", 35.9 }, { "histo-3", 14.3 }, { "histogram", 91.2 }, { "kmeans-1", 0.27 }, { "kmeans-2", 88 },
        { "lavaMD", 512 },   { "lbm", 10.4 },     { "leuko-1", 28 },     { "leuko-2", 173 },   { "leuko-3", 5289 },
        { "mrig-1", 13.4 },  { "mrig-2", 22.4 },  { "mrig-3", 147 },     { "mri-q", 3479 },    { "mummer", 4.9 },
        { "particle", 3.5 }, { "PF", 55.83 },     { "sgemm", 75 },       { "spmv", 4.2 },      { "sad-1", 2563 },
        { "sad-2", 10.2 },   { "srad-1", 25 },    { "srad-2", 22 },      { "stencil", 38 },    { "tpacf", 10816 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].label, row->label) == 0) {
            *value = table[i].printed;
            return true;
        }
    return false;
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_001.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "2",
      "share of the issue slots used, and of the cycles with a stalled LSU, round robin, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "slots issued", peak_ipc, LRR, LRR }, { "LSU stalled", lsu_stalled, LRR, LRR } } },
    { "machine",
      "waves of CTAs; then in %: time in which an SM has work, warp slots in use then, time with data on DRAM's bus, and with an "
      "answer in the L2's ports to the network, round robin",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "waves", waves, LRR, LRR },
        { "SM busy", sm_busy, LRR, LRR },
        { "warps", occupancy, LRR, LRR },
        { "DRAM bus", dram_busy, LRR, LRR },
        { "L2's answers", replies, LRR, LRR } } },
    { "4",
      "speedup of a larger machine under round robin",
      MEMORY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "queues", paper_speedup, LARGE_QUEUES, LRR },
        { "fully associative", paper_speedup, ASSOCIATIVE, LRR },
        { "fast DRAM", paper_speedup, FAST_DRAM, LRR },
        { "all", paper_speedup, ALL_LARGER, LRR },
        { "all, network and L2 twice as wide", paper_speedup, ALL_WIDER, LRR } } },
    { "limits",
      "what the larger machine waits for: time with data on DRAM's bus, with an answer in the L2's ports to the network, and with "
      "a "
      "stalled LSU, %",
      MEMORY,
      0,
      MEAN_OF_ROWS,
      { { "DRAM bus, lrr", dram_busy, LRR, LRR },
        { "DRAM bus, all", dram_busy, ALL_LARGER, LRR },
        { "L2's answers, lrr", replies, LRR, LRR },
        { "L2's answers, all", replies, ALL_LARGER, LRR },
        { "LSU stalled, lrr", lsu_stalled, LRR, LRR },
        { "LSU stalled, all", lsu_stalled, ALL_LARGER, LRR },
        { "L1 hits, lrr", l1_hits, LRR, LRR },
        { "L1 hits, all", l1_hits, ALL_LARGER, LRR } } },
    { "5",
      "cycles in which the L1 holds data of a load behind the stalled LSU, %",
      MEMORY,
      0,
      MEAN_OF_ROWS,
      { { "lrr", hit_behind, LRR, LRR } } },
    { "9",
      "speedup over round robin, memory intensive",
      MEMORY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "gto", paper_speedup, GTO, LRR },
        { "owl", paper_speedup, OWL, LRR },
        { "ccws", paper_speedup, CCWS, LRR },
        { "mascar-schedule", paper_speedup, SCHEDULE, LRR },
        { "lrr+mascar-reexec", paper_speedup, REEXEC, LRR },
        { "mascar", paper_speedup, MASCAR, LRR },
        { "two-level", paper_speedup, TWO_LEVEL, LRR } } },
    { "10",
      "speedup over round robin, compute intensive",
      "compute",
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "gto", paper_speedup, GTO, LRR },
        { "owl", paper_speedup, OWL, LRR },
        { "ccws", paper_speedup, CCWS, LRR },
        { "mascar", paper_speedup, MASCAR, LRR } } },
    { "compute",
      "compute intensive: time in which an SM has work, hits per load of the L1 and the texture cache, and time in memory "
      "priority, %",
      "compute",
      0,
      MEAN_OF_ROWS,
      { { "SM busy, lrr", sm_busy, LRR, LRR },
        { "SM busy, gto", sm_busy, GTO, LRR },
        { "SM busy, mascar", sm_busy, MASCAR, LRR },
        { "hits, lrr", l1_hits, LRR, LRR },
        { "hits, gto", l1_hits, GTO, LRR },
        { "hits, owl", l1_hits, OWL, LRR },
        { "hits, mascar", l1_hits, MASCAR, LRR },
        { "in memory priority", memory_priority, MASCAR, LRR } } },
    { "traffic",
      "reads of the L2 and of DRAM, % of round robin's; and requests to DRAM that found their row open, %",
      MEMORY,
      0,
      MEAN_OF_ROWS,
      { { "L2, gto", l2_reads_left, GTO, LRR },
        { "L2, ccws", l2_reads_left, CCWS, LRR },
        { "L2, mascar", l2_reads_left, MASCAR, LRR },
        { "DRAM, gto", dram_reads_left, GTO, LRR },
        { "DRAM, mascar", dram_reads_left, MASCAR, LRR },
        { "rows, lrr", row_hits, LRR, LRR },
        { "rows, gto", row_hits, GTO, LRR },
        { "rows, mascar", row_hits, MASCAR, LRR },
        { "rows, two-level", row_hits, TWO_LEVEL, LRR } } },
    { "11",
      "cycles with a stalled LSU, %",
      MEMORY,
      0,
      MEAN_OF_ROWS,
      { { "lrr", lsu_stalled, LRR, LRR }, { "mascar", lsu_stalled, MASCAR, LRR } } },
    { "12", "time in memory-priority mode, %", MEMORY, 0, MEAN_OF_ROWS, { { "mascar", memory_priority, MASCAR, LRR } } },
    { "13",
      "hits per load of the L1 and the texture cache, cache sensitive, %",
      "sensitive",
      0,
      MEAN_OF_ROWS,
      { { "lrr", l1_hits, LRR, LRR },
        { "gto", l1_hits, GTO, LRR },
        { "ccws", l1_hits, CCWS, LRR },
        { "mascar", l1_hits, MASCAR, LRR } } },
    { "14",
      "change of energy over round robin, and the part of each component, % of round robin's energy",
      MEMORY,
      0,
      MEAN_OF_ROWS,
      { { "energy", paper_energy, MASCAR, LRR },
        { "DRAM", paper_energy_dram, MASCAR, LRR },
        { "L1", paper_energy_l1, MASCAR, LRR },
        { "L2", paper_energy_l2, MASCAR, LRR },
        { "constant", paper_energy_constant, MASCAR, LRR },
        { "stalls and shared memory", paper_energy_others, MASCAR, LRR },
        { "the queue", paper_energy_policies, MASCAR, LRR } } },
    { "variants",
      "speedup over round robin of variants that the paper does not have, cache sensitive",
      "sensitive",
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "mascar", paper_speedup, MASCAR, LRR },
        { "heir=queue", paper_speedup, QUEUE_FIRST, LRR },
        { "others=ready", paper_speedup, OTHERS_TOO, LRR },
        { "mshr_free=6", paper_speedup, LATE, LRR } } },
    { "hysteresis",
      "speedup over round robin with other ends of memory priority, cache sensitive",
      "sensitive",
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "mascar", paper_speedup, MASCAR, LRR },
        { "off at 75 %", paper_speedup, TWO_THRESHOLDS, LRR },
        { "until the queue is empty", paper_speedup, UNTIL_QUEUE_EMPTY, LRR },
        { "on at 6 %", paper_speedup, LATE, LRR },
        { "on at 6 %, off at 50 %", paper_speedup, LATE_ON_EARLY_OFF, LRR },
        { "scheduling alone", paper_speedup, SCHEDULE, LRR } } },
    { "switches",
      "changes of mode per 1000 cycles of an SM, cache sensitive",
      "sensitive",
      0,
      MEAN_OF_ROWS,
      { { "mascar", switches, MASCAR, LRR },
        { "off at 75 %", switches, TWO_THRESHOLDS, LRR },
        { "until the queue is empty", switches, UNTIL_QUEUE_EMPTY, LRR },
        { "on at 6 %", switches, LATE, LRR },
        { "on at 6 %, off at 50 %", switches, LATE_ON_EARLY_OFF, LRR } } },
    { "re-execution",
      "speedup of re-execution over what it is added to, cache sensitive",
      "sensitive",
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "over lrr", paper_speedup, REEXEC, LRR },
        { "over gto", paper_speedup, GTO_REEXEC, GTO },
        { "over ccws", paper_speedup, CCWS_REEXEC, CCWS },
        { "over mascar-schedule", paper_speedup, MASCAR, SCHEDULE } } },
    { "queue",
      "speedup over round robin with re-execution queues of other sizes, cache sensitive",
      "sensitive",
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "16 entries", paper_speedup, QUEUE_16, LRR },
        { "32 entries", paper_speedup, MASCAR, LRR },
        { "64 entries", paper_speedup, QUEUE_64, LRR } } },
    { "waits",
      "re-execution over round robin: cycles in which a new access waits for a place in the queue or for its warp, and loads that "
      "hit under a miss; the first under mascar, and owners made because their access was at the queue's head; %",
      "sensitive",
      0,
      MEAN_OF_ROWS,
      { { "queue full", new_waits_for_place, REEXEC, LRR },
        { "order", new_waits_for_order, REEXEC, LRR },
        { "hits under miss", hits_under_miss, REEXEC, LRR },
        { "queue full, mascar", mascars_queue_full, MASCAR, LRR },
        { "owners from the queue", owners_from_queue, MASCAR, LRR } } },
    { "ccws",
      "ccws: loads that miss what their warp had lost, %, and warps held back on average when the scores are sorted",
      "sensitive",
      0,
      MEAN_OF_ROWS,
      { { "lost", lost_loads, CCWS, LRR }, { "held back", held_warps, CCWS, LRR } } },
    { "table III",
      "warp instructions per miss of the L1 or the texture cache, round robin",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "paper", printed_per_miss, LRR, LRR }, { "here", instructions_per_miss, LRR, LRR } } },
};

/* Table III: kernels. The text does not say which seven of the fifteen memory-intensive ones are cache sensitive; here they are
 * those with reuse in their loads: gathers (bfs, mummer, spmv, leuko-1), lines of many lanes (kmeans-1), one array for all
 * (particle), and BP-2, whose input layer is shared. Of histo's four kernels and sad's three, the ones whose instructions per miss
 * are nearest to the table's. particle is the likelihood kernel alone, as in the paper.
 *
 * Inputs have several waves of CTAs where the suite's do; particle and mummer have one whole wave, more than half of the suite's.
 * A kernel that comes first in a long program is run alone: its run ends after so many warp instructions, in the program's next
 * kernel. Two programs whose kernel is long and even end within it: lavaMD, of whose 1000 boxes each takes 0.7 million, and mrig-3.
 */
#define ROW(target, label, class, kernel, shape)                                                                                   \
    {                                                                                                                              \
        target, label, class, kernel, NULL, shape, 0                                                                               \
    }
static const struct paper_row table_iii[] = {
    ROW("backprop", "BP-1", "compute", "layer_forward", NULL),
    ROW("backprop", "BP-2", "sensitive", "adjust_weights", NULL),
    ROW("bfs", "bfs", "sensitive", NULL, "nodes=98304,degree=6"),
    ROW("cutcp", "cutcp", "compute", NULL, "bricks=8"),
    ROW("histo", "histo-1", "insensitive", "histo_intermediates", "values=524288,bins=2097152"),
    ROW("histo", "histo-2", "compute", "histo_main", "values=524288,bins=2097152"),
    ROW("histo", "histo-3", "insensitive", "histo_final", "values=524288,bins=2097152"),
    ROW("histogram", "histogram", "compute", NULL, "words=524288,blocks=240"),
    { "kmeans_texture", "kmeans-1", "sensitive", "kmeans_invert", NULL, "points=38400", 490000 },
    ROW("kmeans_texture", "kmeans-2", "compute", "kmeans_point", NULL),
    { "lavamd", "lavaMD", "compute", NULL, "paper", NULL, 4000000 },
    ROW("lbm", "lbm", "insensitive", NULL, NULL),
    { "leukocyte", "leuko-1", "sensitive", "gicov_score", NULL, "columns=404,cells=36", 2200000 },
    ROW("leukocyte", "leuko-2", "compute", "dilate", "columns=404,cells=36"),
    ROW("leukocyte", "leuko-3", "compute", "vector_flow", "columns=404,cells=36"),
    { "mrigridding", "mrig-1", "insensitive", "grid_bin", NULL, "tiles=32,samples=92160", 240000 },
    { "mrigridding", "mrig-2", "insensitive", "grid_reorder", NULL, "tiles=32,samples=92160", 240000 },
    { "mrigridding", "mrig-3", "compute", "grid_gather", "medium", NULL, 6000000 },
    ROW("mriq", "mri-q", "compute", NULL, "voxels=34560"),
    ROW("mummer", "mummer", "sensitive", NULL, "reads=23040"),
    { "particlefilter", "particle", "sensitive", "particle_likelihood", NULL, "particles=7680,frames=1", 1290000 },
    ROW("pathfinder", "PF", "compute", NULL, "columns=100000"),
    ROW("sgemm", "sgemm", "compute", NULL, "m=1024"),
    ROW("spmv_jds", "spmv", "sensitive", NULL, "width=288,height=288"),
    { "sad", "sad-1", "compute", "sad_4x4", "paper", NULL, 0 },
    { "sad", "sad-2", "insensitive", "sad_8x8", "paper", NULL, 0 },
    ROW("srad", "srad-1", "insensitive", "srad_coefficients", "rows=64"),
    ROW("srad", "srad-2", "insensitive", "srad_update", "rows=64"),
    ROW("stencil", "stencil", "compute", NULL, "ny=240"),
    ROW("tpacf", "tpacf", "compute", NULL, "sets=44"),
    ROW("figure3", "figure 3", "toy", NULL, NULL),
};

static uint32_t rows(struct paper_row all[PAPER_ROWS])
{
    const uint32_t count = sizeof table_iii / sizeof *table_iii;
    for (uint32_t i = 0; i < count; i++)
        all[i] = table_iii[i];
    return count;
}

const struct paper paper_001 = {
    .name = "001",
    .title = "Mascar: Speeding up GPU Warps by Reducing Memory Pitstops",
    .machine = "gtx480-32k",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
