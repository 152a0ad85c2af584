/* Oh, Koo, Annavaram, Ro: Linebacker: Preserving Victim Cache Lines in Idle Register Files of GPUs, ISCA 2019. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "papers/paper.h"

extern const struct paper paper_004;

enum column {
    BASE,
    SWL_1,
    SWL_2,
    SWL_4,
    SWL_8,
    ORACLE,
    CACHEEXT,
    SWL_CACHEEXT_2,
    SWL_CACHEEXT_4,
    SWL_CACHEEXT_8,
    VICTIMS,
    SVC,
    LINEBACKER,
    WAKE_NOT_ABOVE,
    MATCH_LOAD,
    PCAL,
    PCAL_SVC,
    LINEBACKER_CACHEEXT,
    CERF,
    PCAL_CERF,
    WAYS_1,
    WAYS_16,
    BASE_16K,
    LINEBACKER_16K,
    CERF_16K,
    BASE_128K,
    LINEBACKER_128K,
    CERF_128K,
    BASE_192K,
    COLUMN_COUNT
};

#define EVERY "sensitive|insensitive"
#define SOME "AT|S1|GE|PF|BR|LI" /* four and two: for what would otherwise take most of the time */
#define FEW "AT|S1|PF|BR"        /* the same, of what only a sensitivity needs */

/* The machine issues greedily by itself (table 1); `locality` changes nothing and counts what figures 1 to 3 show. Best-SWL is the
 * best of 1, 2, 4, 8 and 16 (all) warps per scheduler: section 2.4's search, with fewer values. ORACLE is section 5's. CERF's store
 * of 304 KB is 64 sets of 38 ways, of which 6 are the L1's 48 KB. */
static const struct paper_column columns[COLUMN_COUNT] = {
    [BASE] = { .policies = "locality" },
    [SWL_1] = { .policies = "swl", .rows = SOME, .set = { "policy.swl.limit=1" } },
    [SWL_2] = { .policies = "swl", .set = { "policy.swl.limit=2" } },
    [SWL_4] = { .policies = "swl", .set = { "policy.swl.limit=4" } },
    [SWL_8] = { .policies = "swl", .set = { "policy.swl.limit=8" } },
    [ORACLE] = { .policies = "cta-oracle", .rows = FEW },
    [CACHEEXT] = { .policies = "cacheext" },
    [SWL_CACHEEXT_2] = { .policies = "swl,cacheext", .rows = SOME, .set = { "policy.swl.limit=2" } },
    [SWL_CACHEEXT_4] = { .policies = "swl,cacheext", .rows = SOME, .set = { "policy.swl.limit=4" } },
    [SWL_CACHEEXT_8] = { .policies = "swl,cacheext", .rows = SOME, .set = { "policy.swl.limit=8" } },
    [VICTIMS] = { .policies = "victim-caching" },
    [SVC] = { .policies = "svc" },
    [LINEBACKER] = { .policies = "linebacker" },
    [WAKE_NOT_ABOVE] = { .policies = "linebacker", .rows = SOME, .set = { "policy.linebacker.wake=not-above" } },
    [MATCH_LOAD] = { .policies = "linebacker", .rows = SOME, .set = { "policy.linebacker.match=load" } },
    [PCAL] = { .policies = "pcal" },
    [PCAL_SVC] = { .policies = "pcal,svc", .rows = SOME },
    [LINEBACKER_CACHEEXT] = { .policies = "linebacker,cacheext", .rows = SOME },
    [CERF] = { .policies = "cerf", .set = { "l1.sets=64", "l1.ways=6" } },
    [PCAL_CERF] = { .policies = "pcal,cerf", .rows = SOME, .set = { "l1.sets=64", "l1.ways=6" } },
    [WAYS_1] = { .policies = "linebacker", .rows = FEW, .set = { "policy.linebacker.ways=1" } },
    [WAYS_16] = { .policies = "linebacker", .rows = FEW, .set = { "policy.linebacker.ways=16" } },
    [BASE_16K] = { .policies = "", .rows = FEW, .set = { "l1.sets=16" } },
    [LINEBACKER_16K] = { .policies = "linebacker", .rows = FEW, .set = { "l1.sets=16" } },
    [CERF_16K] = { .policies = "cerf", .rows = FEW, .set = { "l1.sets=64", "l1.ways=2" } },
    [BASE_128K] = { .policies = "", .rows = FEW, .set = { "l1.sets=128" } },
    [LINEBACKER_128K] = { .policies = "linebacker", .rows = FEW, .set = { "l1.sets=128" } },
    [BASE_192K] = { .policies = "", .rows = SOME, .set = { "l1.sets=192" } },
    [CERF_128K] = { .policies = "cerf", .rows = FEW, .set = { "l1.sets=64", "l1.ways=16" } },
};

/* ---- values ---------------------------------------------------------------------------------------------------------- */

#define VALUE(name)                                                                                                                \
    static bool name(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)

/* The column with the fewest cycles of `first` to `last`, or `or_else`. */
static bool best_of(const struct reproduction *r, const struct paper_row *row, uint32_t first, uint32_t last, uint32_t or_else,
                    uint32_t *best, double *cycles)
{
    double own;
    *best = or_else;
    if (!reproduction_number(r, row, or_else, "cycles", cycles))
        return false;
    for (uint32_t c = first; c <= last; c++)
        if (reproduction_number(r, row, c, "cycles", &own) && own < *cycles) {
            *cycles = own;
            *best = c;
        }
    return true;
}

VALUE(best_swl_over_base)
{
    (void)subject;
    uint32_t best;
    double own, base;
    if (!best_of(r, row, SWL_1, SWL_8, BASE, &best, &own) || !reproduction_number(r, row, versus, "cycles", &base) || own <= 0)
        return false;
    *value = base / own;
    return true;
}

VALUE(over_best_swl)
{
    (void)versus;
    uint32_t best;
    double own, base;
    if (!best_of(r, row, SWL_1, SWL_8, BASE, &best, &base) || !reproduction_number(r, row, subject, "cycles", &own) || own <= 0)
        return false;
    *value = base / own;
    return true;
}

/* The best limit with CacheExt; all warps with it are `cacheext` alone. */
VALUE(swl_cacheext_over_base)
{
    (void)subject;
    uint32_t best;
    double own, base;
    if (!best_of(r, row, SWL_CACHEEXT_2, SWL_CACHEEXT_8, CACHEEXT, &best, &own) ||
        !reproduction_number(r, row, versus, "cycles", &base) || own <= 0)
        return false;
    *value = base / own;
    return true;
}

VALUE(swl_cacheext_over_best_swl)
{
    double swl;
    if (!best_swl_over_base(r, row, SWL_8, BASE, &swl) || !swl_cacheext_over_base(r, row, subject, BASE, value) || swl <= 0)
        return false;
    (void)versus;
    *value /= swl;
    return true;
}

VALUE(miss_ratio)
{
    (void)versus;
    return paper_share(r, row, subject, "l1.misses", "l1.accesses", value);
}

/* A miss is taken for cold when `locality` knows no use of the line among the last 64 lines of its set: never before, or long ago.
 */
static bool cold_misses(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *cold, double *misses)
{
    if (!reproduction_number(r, row, column, "l1.misses", misses) ||
        !reproduction_number(r, row, column, "locality.distance.beyond", cold))
        return false;
    *cold = *cold > *misses ? *misses : *cold;
    return true;
}

VALUE(capacity_misses)
{
    (void)versus;
    double cold, misses, accesses;
    if (!cold_misses(r, row, subject, &cold, &misses) || !reproduction_number(r, row, subject, "l1.accesses", &accesses) ||
        accesses <= 0)
        return false;
    *value = 100 * (misses - cold) / accesses;
    return true;
}

VALUE(capacity_share)
{
    (void)versus;
    double cold, misses;
    if (!cold_misses(r, row, subject, &cold, &misses) || misses <= 0)
        return false;
    *value = 100 * (misses - cold) / misses;
    return true;
}

/* As the text divides: the mean of the one over the mean of the other. */
VALUE(capacity_share_of_means)
{
    double mean;
    if (!capacity_misses(r, row, subject, versus, value) || !paper_mean_of_rows(r, NULL, miss_ratio, subject, versus, &mean) ||
        mean <= 0)
        return false;
    *value *= 100 / mean;
    return true;
}

VALUE(mostly_capacity)
{
    double share;
    if (!capacity_share(r, row, subject, versus, &share))
        return false;
    *value = share > 70 ? 100 : 0;
    return true;
}

/* KB per SM and window. */
static bool per_window(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *const lines[],
                       double *kb)
{
    double sum = 0, n, windows;
    for (size_t i = 0; lines[i]; i++)
        sum += reproduction_number(r, row, column, lines[i], &n) ? n : 0;
    if (!reproduction_number(r, row, column, "locality.windows", &windows) || windows <= 0)
        return false;
    *kb = sum / windows / 8;
    return true;
}

VALUE(working_set)
{
    (void)versus;
    static const char *const top_four[] = { "locality.top_working_set_lines", NULL };
    return per_window(r, row, subject, top_four, value);
}

VALUE(working_set_exceeds_l1)
{
    double kb;
    if (!working_set(r, row, subject, versus, &kb))
        return false;
    *value = kb > 48 ? 100 : 0;
    return true;
}

VALUE(streaming)
{
    (void)versus;
    static const char *const lines[] = { "locality.streaming_lines", NULL };
    return per_window(r, row, subject, lines, value);
}

VALUE(streams)
{
    double kb;
    if (!streaming(r, row, subject, versus, &kb))
        return false;
    *value = kb > 16 ? 100 : 0;
    return true;
}

/* Of 256 KB, mean over the cycles of SMs with work. */
static bool registers_kb(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *counter,
                         double *kb)
{
    double registers, cycles;
    if (!reproduction_number(r, row, column, counter, &registers) || !reproduction_number(r, row, column, "sm.cycles", &cycles) ||
        cycles <= 0)
        return false;
    *kb = registers / cycles / 8;
    return true;
}

VALUE(static_unused)
{
    (void)versus;
    if (!registers_kb(r, row, subject, "sm.registers.allotted", value))
        return false;
    *value = 256 - *value;
    return true;
}

VALUE(dynamic_unused)
{
    (void)versus;
    return registers_kb(r, row, subject, "sm.registers.held_back", value);
}

/* Under the best limit; nothing when that is no limit. */
VALUE(dynamic_unused_best_swl_or_none)
{
    (void)subject, (void)versus;
    uint32_t best;
    double cycles;
    return best_of(r, row, SWL_1, SWL_8, BASE, &best, &cycles) && registers_kb(r, row, best, "sm.registers.held_back", value);
}

/* Of the programs that have any. */
VALUE(dynamic_unused_best_swl)
{
    return dynamic_unused_best_swl_or_none(r, row, subject, versus, value) && *value > 0;
}

/* The rest of the time no load is selected yet, or no partition fits. */
VALUE(unused_that_is_used)
{
    (void)versus;
    double space, cycles, allotted, held;
    if (!reproduction_number(r, row, subject, "linebacker.space.cycles", &space) ||
        !reproduction_number(r, row, subject, "sm.cycles", &cycles) ||
        !reproduction_number(r, row, subject, "sm.registers.allotted", &allotted) ||
        !reproduction_number(r, row, subject, "sm.registers.held_back", &held))
        return false;
    *value = 100 * space / (2048 * cycles - allotted + held);
    return cycles > 0;
}

VALUE(windows_to_select)
{
    (void)versus;
    double windows, kernels;
    if (!reproduction_number(r, row, subject, "linebacker.windows.monitored", &windows) ||
        !reproduction_number(r, row, subject, "linebacker.kernels.selected", &kernels))
        return false;
    *value = kernels > 0 ? windows / kernels : 0; /* 0: none was selected */
    return true;
}

/* Windows of 50 000 cycles that an SM sees in the whole run. */
VALUE(windows_per_run)
{
    (void)versus;
    double windows;
    if (!reproduction_number(r, row, subject, "linebacker.windows.all", &windows))
        return false;
    *value = windows / 16;
    return true;
}

VALUE(hits_l1_and_registers)
{
    (void)versus;
    static const char *const hits[] = { "l1.hits", "linebacker.victims.hits", NULL }, *const all[] = { "l1.accesses", NULL };
    return paper_share_of_sums(r, row, subject, hits, all, value);
}

VALUE(hits_registers)
{
    (void)versus;
    return paper_share(r, row, subject, "linebacker.victims.hits", "l1.accesses", value);
}

VALUE(hits_l1)
{
    (void)versus;
    return paper_share(r, row, subject, "l1.hits", "l1.accesses", value);
}

VALUE(bypassed)
{
    (void)versus;
    return paper_share(r, row, subject, "l1.bypassed", "l1.accesses", value);
}

VALUE(hits_best_swl)
{
    (void)subject;
    uint32_t best;
    double cycles;
    return best_of(r, row, SWL_1, SWL_8, BASE, &best, &cycles) && hits_l1(r, row, best, versus, value);
}

VALUE(more_conflicts)
{
    static const char *const names[] = { "sm.bank_conflicts", NULL };
    return paper_change_of_sums(r, row, subject, versus, names, value);
}

VALUE(more_traffic)
{
    static const char *const names[] = { "dram.reads", "dram.writes", NULL };
    return paper_change_of_sums(r, row, subject, versus, names, value);
}

VALUE(traffic)
{
    (void)versus;
    double writes;
    if (!reproduction_number(r, row, subject, "dram.reads", value) || !reproduction_number(r, row, subject, "dram.writes", &writes))
        return false;
    *value += writes;
    return true;
}

/* Of all programs together: one without traffic of its own counts for little. */
VALUE(more_traffic_of_all)
{
    double other;
    if (!traffic(r, row, subject, subject, value) || !paper_mean_of_rows(r, NULL, traffic, versus, versus, &other) || other <= 0)
        return false;
    *value = 100 * (*value / other - 1);
    return true;
}

VALUE(more_energy)
{
    static const char *const names[] = { "energy.total_j", NULL };
    return paper_change_of_sums(r, row, subject, versus, names, value);
}

/* Storage per SM. */
VALUE(storage_kb)
{
    (void)versus;
    enum { SMS = 16 };
    if (!reproduction_storage(r, row, subject, value))
        return false;
    *value /= 8 * 1024 * SMS;
    return true;
}

/* Of the run's own energy, which is the share of its power too. */
VALUE(power_of_structures)
{
    (void)versus;
    return paper_share(r, row, subject, "energy.components.policies", "energy.total_j", value);
}

/* Sectors of registers that are saved and restored: four for each. */
static bool backup(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *sectors)
{
    double saved, restored;
    if (!reproduction_number(r, row, column, "linebacker.registers.saved", &saved) ||
        !reproduction_number(r, row, column, "linebacker.registers.restored", &restored))
        return false;
    *sectors = 4 * (saved + restored);
    return true;
}

VALUE(backup_share)
{
    (void)versus;
    double sectors, all;
    if (!backup(r, row, subject, &sectors) || !traffic(r, row, subject, subject, &all) || all <= 0)
        return false;
    *value = 100 * sectors / all;
    return true;
}

VALUE(backup_share_of_all)
{
    (void)versus;
    double sectors, mean;
    if (!backup(r, row, subject, &sectors) || !paper_mean_of_rows(r, NULL, traffic, subject, subject, &mean) || mean <= 0)
        return false;
    *value = 100 * sectors / mean;
    return true;
}

/* ---- claims, figures ------------------------------------------------------------------------------------------------- */

static const struct paper_claim claims[] = {
#define CLAIM(...) { __VA_ARGS__, NULL },
#include "papers/claims_004.def"
#undef CLAIM
};

static const struct paper_figure figures[] = {
#include "papers/figures_004.def"
};

/* The inputs. A window has 50 000 cycles, and two are spent on monitoring: each program has an input with several in its longest
 * kernel. Matrices of a row per thread have rows enough to fill 16 SMs with warps. Their rows lie 11 lines apart: 32, the suite's,
 * fall into 3 of the 48 sets, and 192 KB instead of 48 change nothing, while the paper's class is of programs that gain 30 %. S1
 * and S2, whose CTAs share rows, are of that class with the suite's distance alone, and keep it. Long programs are stopped after so
 * many warp instructions. */
static const struct paper_row inputs[] = {
    { .label = "S2", .size = "paper", .instructions = 300000 },
    { .label = "BI", .shape = "rows=32768,columns=352,depth=256", .instructions = 500000 },
    { .label = "AT", .shape = "rows=32768,columns=352,depth=256", .instructions = 500000 },
    { .label = "S1", .size = "paper", .instructions = 300000 },
    { .label = "CF", .size = "medium", .instructions = 1200000 },
    { .label = "GE", .shape = "rows=32768,columns=256,pitch=352", .instructions = 350000 },
    { .label = "KM", .shape = "points=32768", .instructions = 600000 },
    { .label = "BC", .shape = "nodes=32768" },
    { .label = "MV", .shape = "rows=32768,columns=352,depth=256", .instructions = 400000 },
    { .label = "PF", .size = "medium", .shape = "frames=1", .instructions = 900000 },
    { .label = "BG", .size = "paper" },
    { .label = "SR2", .shape = "rows=320,iterations=1", .instructions = 3000000 },
    { .label = "BR", .shape = "nodes=65536" },
    { .label = "GA", .shape = "n=1536", .instructions = 2000000 },
    { .label = "SR1", .shape = "rows=1004,columns=500", .instructions = 5500000 },
    { .label = "LI", .shape = "rates=20,steps=10" },
    { .label = "SP", .size = "paper", .instructions = 1000000 },
    { .label = "FD", .shape = "rows=1280,steps=1", .instructions = 3200000 },
    { .label = "2D", .shape = "n=1536", .instructions = 3200000 },
    { .label = "HS", .shape = "n=768,launches=1", .instructions = 4000000 },
};

static uint32_t rows(struct paper_row all[PAPER_ROWS])
{
    const uint32_t count = paper_table_rows("004", all);
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
            if (strcmp(inputs[k].label, all[i].label) == 0) {
                all[i].size = inputs[k].size;
                all[i].shape = inputs[k].shape;
                all[i].instructions = inputs[k].instructions;
            }
    return count;
}

const struct paper paper_004 = {
    .name = "004",
    .title = "Linebacker: Preserving Victim Cache Lines in Idle Register Files of GPUs",
    .machine = "maxwell-48k",
    .rows = rows,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .claims = claims,
    .claim_count = sizeof claims / sizeof *claims,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};
