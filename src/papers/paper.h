/* paper.h - one paper's experiments as data: what is run, what its text claims, what its figures show.
 *
 * A paper is one file, src/papers/paper_NNN.c, that defines `const struct paper paper_NNN`, and one line in papers.def.
 * Its rows are what its figures have along the horizontal axis, its columns are machines and policies; a run is a row in a column.
 * A list of rows is written "a|b|c": classes or labels. */
#ifndef WARPLINE_PAPERS_PAPER_H
#define WARPLINE_PAPERS_PAPER_H
#include <stdbool.h>
#include <stdint.h>

struct reproduction;

enum { PAPER_ROWS = 64 };
struct paper_row {
    const char *target;        /* what is run: name of a workload */
    const char *label, *class; /* as the paper has them */
    const char *kernel;        /* of the target: its launches alone; NULL: the whole program */
    const char *size;          /* of its input when the user names none; NULL: small */
    const char *shape; /* numbers of its input that are others than the size's: "rows=512,steps=1"; NULL: none. Not with a size that
                          the user names */
    uint32_t instructions; /* of warps, after which its run is stopped, as in papers that do so; 0: to completion. Of a row with a
                              size or shape of its own: not with a size that the user names */
};

enum { PAPER_SETTINGS = 8 };
struct paper_column {
    const char *policies;
    const char *rows;   /* that are run in it; NULL: all */
    const char *config; /* NULL: the paper's machine */
    const char *set[PAPER_SETTINGS];
    const char *searched; /* a parameter: one run for each of its values 1..searched_to, with --search alone; NULL: one run */
    uint32_t searched_to;
};

/* A number of one row, from the runs of up to two columns; false when there is none. */
typedef bool paper_value(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                         double *value);

enum paper_summary { MEAN_OF_ROWS, HARMONIC_MEAN_OF_ROWS, GEOMETRIC_MEAN_OF_ROWS, LEAST_OF_ROWS, MOST_OF_ROWS, SUM_OF_ROWS };

enum { PAPER_WHAT = 100 };
struct paper_claim {
    const char *id;
    const char *what; /* what the number is, for a reader who does not know the id: a phrase of at most PAPER_WHAT characters */
    const char *where, *claimed; /* claimed: as printed */
    double number;
    const char *unit;
    paper_value *value;
    const char *rows;
    uint32_t subject, versus;
    enum paper_summary summary;
    const char *look_at;   /* the counters that explain a difference */
    paper_value *searched; /* a claim of two numbers, found by search and by hardware: the first. NULL: one number */
};

enum { PAPER_SERIES = 10 };
struct paper_series {
    const char *name; /* NULL ends the list */
    paper_value *value;
    uint32_t subject, versus;
};
struct paper_figure {
    const char *name, *title, *rows;
    double unit_line; /* drawn across: 1 for speedups, 0 for reductions */
    enum paper_summary summary;
    struct paper_series series[PAPER_SERIES];
};

struct paper {
    const char *name, *title, *machine;
    bool
        per_instruction; /* runs that are stopped are compared by cycles and joules per warp instruction: they stop a little late */
    uint32_t (*rows)(struct paper_row rows[PAPER_ROWS]); /* fills them in, returns how many */
    const struct paper_column *columns;
    uint32_t column_count;
    const struct paper_claim *claims;
    uint32_t claim_count;
    const struct paper_figure *figures;
    uint32_t figure_count;
};

/* A total of a row's run ("cycles", "l1.misses"), or the sum over its kernel's launches: a counter, not a ratio. */
bool reproduction_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                         double *value);
/* The sum over the row's launches of a number that a launch has and a run has not ("ctas_per_sm"). */
bool reproduction_launches(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                           double *sum);
/* For each launch of the row's program, the one of these columns in which it took the fewest cycles, i: adds up the number names[i]
 * of that run, or of the run of column *from, over all launches. */
bool reproduction_best_launches(const struct reproduction *r, const struct paper_row *row, const uint32_t columns[], uint32_t count,
                                const char *const names[], const uint32_t *from, double *sum);
/* Bits of storage that the policies of a row's run add to the whole GPU. */
bool reproduction_storage(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *bits);
/* Of the first launch of a row's run with gpu.interval=N: how many intervals from the first to the last in which counter `name`
 * grew by more than counter `without`, both included. */
bool reproduction_span(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                       const char *without, double *intervals);
/* The value of a searched column's parameter that takes the fewest cycles; 0: not searched. */
uint32_t reproduction_best(const struct reproduction *r, const struct paper_row *row, uint32_t column);

/* The same, divided by the warp instructions of the run if it was stopped and the paper compares such runs so. */
bool paper_work_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name, double *value);

/* The input that a paper's program is run with: how large, and where its runs stop. */
struct paper_input {
    const char *target, *size;
    uint32_t instructions;
};
/* Gives rows the inputs of their targets, and takes out those that the list has not; it ends with a target of NULL. Returns how
 * many rows there are then. */
uint32_t paper_give_inputs(struct paper_row rows[], uint32_t count, const struct paper_input inputs[]);

/* The rows of a paper's table, as workloads/tables.def has them; `paper` may be a chapter ("002.3"). */
uint32_t paper_table_rows(const char *paper, struct paper_row rows[PAPER_ROWS]);
/* The same, but inputs of one program that stand below each other are one row: the first. */
uint32_t paper_table_programs(const char *paper, struct paper_row rows[PAPER_ROWS]);

/* Values that more than one paper states. */
paper_value paper_speedup; /* cycles in `versus` over cycles in `subject` */
paper_value paper_gain;    /* the same as a gain in percent: 1.2 is 20 */
paper_value paper_energy;  /* energy of `subject` over that of `versus`, as a change in percent: less is negative */
/* The part of that change in one component, in percent of the energy of `versus`: the parts add up to the whole. */
paper_value paper_energy_instructions, paper_energy_l1, paper_energy_l2, paper_energy_dram, paper_energy_constant,
    paper_energy_policies, paper_energy_others; /* others: shared memory, stalls, links */
paper_value paper_not_measured;                 /* of what no run here can answer: the claim's `look_at` says why */

/* The mean of a value over the rows of a class (NULL: over all); false when one of them has none. A row's value over such a mean
 * has the quotient of two means as its mean: for texts that divide means instead of taking the mean of quotients. */
bool paper_mean_of_rows(const struct reproduction *r, const char *class, paper_value *value, uint32_t subject, uint32_t versus,
                        double *mean);

/* 100 x one counter over another of a row's run; of sums of counters, each list ending with NULL. */
bool paper_share(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *part, const char *whole,
                 double *percent);
bool paper_share_of_sums(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *const parts[],
                         const char *const wholes[], double *percent);
/* How many percent more than in `versus` a sum of counters is in `subject`: fewer is negative. */
bool paper_change_of_sums(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          const char *const names[], double *percent);
/* The same of some components of the energy, in percent of all energy of `versus`. */
bool paper_energy_part(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       const char *const names[], double *percent);
#endif
