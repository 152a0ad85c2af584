/* Arunkumar, 2018, chapter 6: GPUJoule and the energy efficiency of GPUs of many modules (EDPSE).
 *
 * Machines are table 6.3's, links table 6.4's. Where modules are (package or board) changes energies and not time, so that what the
 * text compares between the two is computed from one run's components. The paper's means over programs are not told apart from
 * others: here arithmetic, of speedups over one module geometric. */
#include <stddef.h>

#include "energy/energy_metrics.h"
#include "papers/paper.h"

extern const struct paper paper_002_6;

enum column { ONE, X2_2, X2_4, X2_8, X2_16, X2_32, X1_32, X4_32, SWITCH_32, MONO_16, MONO_32, COLUMN_COUNT };

#define PLACED "cta-distributed,first-touch" /* 6.4.1: the locality of chapter 5 */
/* The page is not stated. Our inputs are of one to sixteen megabytes, not hundreds: 64 KB, as chapter 5's machines have here, would
 * give a program fewer pages than there are modules. */
#define PAGE "gpu.page=4KiB"
#define ON_PACKAGE "link.domain=package", "energy.table=package"
#define ON_BOARD "link.domain=board", "energy.table=board"
#define EVERY "C|M"
#define WIDE "net.flit_bytes=160", "net.speedup=8"
/* Table 6.4 has what goes in and out of a module: a link's one direction has a quarter of it in a ring, which gives a module two
 * links, and half of it where there is one, between two modules or to a switch. */
#define STEP(modules, mb_s)                                                                                                        \
    {                                                                                                                              \
        .policies = PLACED, .rows = EVERY, .config = "gpm-k40-" #modules, .set = { ON_PACKAGE, "link.bandwidth=" mb_s, PAGE }      \
    }
static const struct paper_column columns[COLUMN_COUNT] = {
    [ONE] = { .policies = "", .rows = EVERY, .config = "gpm-k40", .set = { "energy.table=board" } },
    [X2_2] = STEP(2, "128000"),
    [X2_4] = STEP(4, "64000"),
    [X2_8] = STEP(8, "64000"),
    [X2_16] = STEP(16, "64000"),
    [X2_32] = STEP(32, "64000"),
    [X1_32] = { .policies = PLACED, .rows = EVERY, .config = "gpm-k40-32", .set = { ON_BOARD, "link.bandwidth=32000", PAGE } },
    [X4_32] = { .policies = PLACED, .rows = EVERY, .config = "gpm-k40-32", .set = { ON_PACKAGE, "link.bandwidth=128000", PAGE } },
    [SWITCH_32] = { .policies = PLACED,
                    .rows = EVERY,
                    .config = "gpm-k40-32",
                    .set = { ON_BOARD, "link.bandwidth=64000", "link.topology=switch", PAGE } },
    /* One chip of as many SMs, with a crossbar that reaches all of the memory and has "unlimited on-chip bandwidth" (6.4.2): any
     * packet is one flit, and the router makes eight steps per cycle, the most that it can. */
    [MONO_16] = { .policies = "",
                  .rows = EVERY,
                  .config = "gpm-k40",
                  .set = { "energy.table=board", "gpu.sms=256", "map.channels=128", WIDE } },
    [MONO_32] = { .policies = "",
                  .rows = EVERY,
                  .config = "gpm-k40",
                  .set = { "energy.table=board", "gpu.sms=512", "map.channels=256", WIDE } },
};
static const double modules_of[COLUMN_COUNT] = {
    [ONE] = 1,    [X2_2] = 2,   [X2_4] = 4,       [X2_8] = 8,     [X2_16] = 16,  [X2_32] = 32,
    [X1_32] = 32, [X4_32] = 32, [SWITCH_32] = 32, [MONO_16] = 16, [MONO_32] = 32
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

struct run {
    struct energy_point is;
    double link, constant; /* J of the total */
};

static bool run_of(const struct reproduction *r, const struct paper_row *row, uint32_t column, struct run *run)
{
    return paper_work_number(r, row, column, "energy.total_j", &run->is.joules) &&
           paper_work_number(r, row, column, "energy.seconds", &run->is.seconds) &&
           paper_work_number(r, row, column, "energy.components.link", &run->link) &&
           paper_work_number(r, row, column, "energy.components.constant", &run->constant) && run->is.joules > 0 &&
           run->is.seconds > 0;
}

/* The run with links that cost `times` as much a bit. */
static struct run with_links(struct run run, double times)
{
    run.is.joules += (times - 1) * run.link;
    run.link *= times;
    return run;
}

/* The run of `n` modules that saved half of each further module's constant power, if it saved the share `saved`. */
static struct run with_amortisation(struct run run, double n, double saved)
{
    const double constant = run.constant * (1 + (n - 1) * (1 - saved)) / (1 + (n - 1) * 0.5);
    run.is.joules += constant - run.constant;
    run.constant = constant;
    return run;
}

static bool edpse(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    struct run many, one;
    if (!run_of(r, row, subject, &many) || !run_of(r, row, versus, &one))
        return false;
    *percent = energy_edpse(one.is, many.is, modules_of[subject], 1);
    return true;
}

static bool parallel_efficiency(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                double *percent)
{
    struct run many, one;
    if (!run_of(r, row, subject, &many) || !run_of(r, row, versus, &one))
        return false;
    *percent = energy_parallel_efficiency(one.is, many.is, modules_of[subject]);
    return true;
}

/* Of two machines of as many modules, each over one module. */
static bool edpse_ratio(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    double own, other;
    if (!edpse(r, row, subject, ONE, &own) || !edpse(r, row, versus, ONE, &other) || other <= 0)
        return false;
    *value = own / other;
    return true;
}

/* The same of their means over the programs. */
static bool edpse_ratio_of_means(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                 double *value)
{
    double own, mean;
    if (!edpse(r, row, subject, ONE, &own) || !paper_mean_of_rows(r, NULL, edpse, versus, ONE, &mean) || mean <= 0)
        return false;
    *value = own / mean;
    return true;
}

static bool energy_over(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    struct run own, other;
    if (!run_of(r, row, subject, &own) || !run_of(r, row, versus, &other))
        return false;
    *value = own.is.joules / other.is.joules;
    return true;
}

/* Points of EDPSE that are lost when a bit on the board costs 40 pJ instead of 10. */
static bool link_4x(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *points)
{
    struct run many, one;
    if (!run_of(r, row, subject, &many) || !run_of(r, row, versus, &one))
        return false;
    const double n = modules_of[subject];
    *points = energy_edpse(one.is, many.is, n, 1) - energy_edpse(one.is, with_links(many, 4).is, n, 1);
    return true;
}

/* Points that are won when these links also have twice the bandwidth: `subject` has it on a package, which costs 0.54 pJ. */
static bool link_4x_bandwidth_2x(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                 double *points)
{
    struct run wide, narrow, one;
    if (!run_of(r, row, subject, &wide) || !run_of(r, row, versus, &narrow) || !run_of(r, row, ONE, &one))
        return false;
    const double n = modules_of[subject];
    const struct run on_board = with_amortisation(with_links(wide, 40 / 0.54), n, 0);
    *points = energy_edpse(one.is, on_board.is, n, 1) - energy_edpse(one.is, narrow.is, n, 1);
    return true;
}

/* Four times the bandwidth on a board, against a board's. */
static bool board_4x(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    struct run wide, narrow;
    if (!run_of(r, row, subject, &wide) || !run_of(r, row, versus, &narrow))
        return false;
    const struct run on_board = with_amortisation(with_links(wide, 10 / 0.54), modules_of[subject], 0);
    *percent = 100 * (on_board.is.joules / narrow.is.joules - 1);
    return true;
}

static bool amortised(const struct reproduction *r, const struct paper_row *row, uint32_t column, double share, double *percent,
                      double *points)
{
    struct run many, one;
    if (!run_of(r, row, column, &many) || !run_of(r, row, ONE, &one))
        return false;
    const double n = modules_of[column];
    const struct run none = with_amortisation(many, n, 0), some = with_amortisation(many, n, share);
    *percent = 100 * (some.is.joules / none.is.joules - 1);
    *points = energy_edpse(one.is, some.is, n, 1) - energy_edpse(one.is, none.is, n, 1);
    return true;
}

static bool amortised_half(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    (void)versus;
    double points;
    return amortised(r, row, subject, 0.5, percent, &points);
}

static bool amortised_quarter(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                              double *percent)
{
    (void)versus;
    double points;
    return amortised(r, row, subject, 0.25, percent, &points);
}

static bool amortised_half_edpse(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                 double *points)
{
    (void)versus;
    double percent;
    return amortised(r, row, subject, 0.5, &percent, points);
}

static bool amortised_quarter_edpse(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                                    double *points)
{
    (void)versus;
    double percent;
    return amortised(r, row, subject, 0.25, &percent, points);
}

/* Of all requests that leave an SM. */
static bool remote(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    (void)versus;
    static const char *const part[] = { "link.remote_requests", NULL }, *const all[] = { "link.local_requests",
                                                                                         "link.remote_requests", NULL };
    return paper_share_of_sums(r, row, subject, part, all, percent);
}

static bool constant_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                           double *percent)
{
    (void)versus;
    return paper_share(r, row, subject, "energy.components.constant", "energy.total_j", percent);
}

static bool link_share(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       double *percent)
{
    (void)versus;
    return paper_share(r, row, subject, "energy.components.link", "energy.total_j", percent);
}

/* ---- claims and figures ---------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(id, what, where, claimed, number, unit, value, rows, subject, versus, summary, look_at)                              \
    { id, what, where, claimed, number, unit, value, rows, subject, versus, summary, look_at, NULL },
#include "papers/claims_002_6.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
    { "6.2", "energy on a board over one module's", EVERY, 1, MEAN_OF_ROWS, { { "32 modules", energy_over, X1_32, ONE } } },
    { "6.5",
      "EDP scaling efficiency, %",
      EVERY,
      100,
      MEAN_OF_ROWS,
      { { "2", edpse, X2_2, ONE },
        { "4", edpse, X2_4, ONE },
        { "8", edpse, X2_8, ONE },
        { "16", edpse, X2_16, ONE },
        { "32", edpse, X2_32, ONE } } },
    { "6.6 speed",
      "speedup of a step over the one before, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "1 to 2", paper_gain, X2_2, ONE },
        { "2 to 4", paper_gain, X2_4, X2_2 },
        { "4 to 8", paper_gain, X2_8, X2_4 },
        { "8 to 16", paper_gain, X2_16, X2_8 },
        { "16 to 32", paper_gain, X2_32, X2_16 },
        { "one chip, 16 to 32", paper_gain, MONO_32, MONO_16 } } },
    { "6.6 energy",
      "change of energy from 16 to 32 modules, and the part of each component, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "energy", paper_energy, X2_32, X2_16 },
        { "instructions", paper_energy_instructions, X2_32, X2_16 },
        { "L1", paper_energy_l1, X2_32, X2_16 },
        { "L2", paper_energy_l2, X2_32, X2_16 },
        { "DRAM", paper_energy_dram, X2_32, X2_16 },
        { "constant", paper_energy_constant, X2_32, X2_16 },
        { "links, stalls, shared", paper_energy_others, X2_32, X2_16 } } },
    { "6.7",
      "EDP scaling efficiency of 32 modules by links, %",
      EVERY,
      100,
      MEAN_OF_ROWS,
      { { "1x", edpse, X1_32, ONE },
        { "2x", edpse, X2_32, ONE },
        { "4x", edpse, X4_32, ONE },
        { "1x switch", edpse, SWITCH_32, ONE } } },
    { "6.9",
      "32 modules: speedup over one",
      EVERY,
      1,
      GEOMETRIC_MEAN_OF_ROWS,
      { { "1x", paper_speedup, X1_32, ONE },
        { "2x", paper_speedup, X2_32, ONE },
        { "4x", paper_speedup, X4_32, ONE },
        { "16 modules, 2x", paper_speedup, X2_16, ONE } } },
    { "shares",
      "32 modules, 2x: parallel efficiency, remote requests, shares of energy, %",
      EVERY,
      0,
      MEAN_OF_ROWS,
      { { "parallel efficiency", parallel_efficiency, X2_32, ONE },
        { "remote requests", remote, X2_32, ONE },
        { "constant", constant_share, X2_32, ONE },
        { "links", link_share, X2_32, ONE },
        { "constant, one module", constant_share, ONE, ONE } } },
};

/* Table 6.2. Two inputs of one program are one row here. The paper takes 14 of its 18 that have parallelism enough for 32 modules
 * and does not name them. Here nine are run whose inputs fill more than a quarter of the warps of 512 SMs, and each run is stopped
 * after so many warp instructions that it takes seconds. The inputs of PathF, RSBench, Nekbone, Srad-v1 and LuleshUns do not, the
 * first levels of BFS, which is what so short a run sees, visit next to no nodes, and Kmeans takes too long. */
static const struct paper_input inputs[] = {
    { "backprop", "medium", 4000000 },   { "btree", "paper", 3000000 },
    { "comd", "paper", 3000000 },        { "hotspot", "medium", 4000000 },
    { "miniamr", "paper", 3000000 },     { "lulesh", "paper", 3000000 },
    { "minicontact", "paper", 3000000 }, { "srad", "paper", 3000000 },
    { "triad", "medium", 2400000 },      { NULL, NULL, 0 },
};

static uint32_t rows(struct paper_row out[PAPER_ROWS])
{
    return paper_give_inputs(out, paper_table_programs("002.6", out), inputs);
}

const struct paper paper_002_6 = {
    .name = "002.6",
    .title = "Understanding the Energy Efficiency of Multi-Chip-Module GPGPUs (Arunkumar, 2018, chapter 6)",
    .machine = "gpm-k40",
    .per_instruction = true,
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof claims[0],
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
