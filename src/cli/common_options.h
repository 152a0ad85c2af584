/* common_options.h - options that several commands share, declared once and applied in one way. */
#ifndef WARPLINE_CLI_COMMON_OPTIONS_H
#define WARPLINE_CLI_COMMON_OPTIONS_H
#include "cli/cli.h"
#include "param/param.h"
#include "policy/policy_set.h"
#include "study/batch.h"
#include "study/subject.h"

/* --config NAME|FILE, --set key=value, --policy a,b, --plugin FILE.so */
struct machine_options {
    const char *config;
    struct text_list set;
    const char *policy;
    struct text_list plugin;
};
extern const struct option_row machine_option_rows[];

/* Writes --config and then each --set into the space, whose tables must be bound already. */
bool machine_options_apply(const struct machine_options *options, struct param_space *space, struct error *err);
/* The policies asked for, in order: from --policy, or else from the result given to --config. None if neither names any. */
bool machine_options_policies(const struct machine_options *options, struct text_list *names, struct error *err);

/* The plug-ins asked for, loaded; NULL with a sentence when one cannot be. */
struct policy_library *machine_options_library(const struct machine_options *options, struct error *err);

/* Sizes of built-in workloads, for OPTION_CHOICE. */
extern const char *const size_choices[];

/* --plugin, --jobs, --timeout, --fresh, --db: for the commands that run many simulations and keep their results */
struct study_options {
    struct text_list plugin;
    uint64_t jobs, timeout;
    bool fresh;
    const char *database;
};
extern const struct option_row study_option_rows[];
/* How a batch is to be run; catches interrupts from here on. `study`: name under which its runs are found again, or NULL. */
struct batch_options study_options_batch(const struct study_options *options, const char *study);
struct database *study_options_open(const struct study_options *options, struct error *err);

/* --json FILE|- */
struct output_options {
    const char *json;
};
extern const struct option_row output_option_rows[];
/* Refuses a file that could not be written. Asked before a long run, not after it. */
bool output_options_check(const struct output_options *options, struct error *err);
/* "-": stdout; a file is written whole or not at all. Without --json, does nothing. */
bool output_options_write(const struct output_options *options, const char *text, size_t length, struct error *err);
/* True when --json - uses standard output, so that nothing else may be printed there. */
bool output_options_take_stdout(const struct output_options *options);
bool output_options_write_json(const struct output_options *options, const json_t *json, struct error *err);

/* --size, --config, --policy, --set and all of the above, for the commands that run one target in many ways */
struct target_options {
    const char *size, *config, *policy;
    struct text_list set;
    struct study_options study;
    struct output_options output;
};
extern const struct option_row subject_option_rows[]; /* --size, --config, --policy, --set */
extern const struct option_set target_option_sets[];
/* The target is the argument numbered `at`. The arguments behind it belong to the program and are put into `arguments`. */
struct study_subject target_options_subject(const struct target_options *options, const struct command_call *call, size_t at,
                                            struct text_list *arguments);
/* Runs what the database does not have yet. */
bool target_options_run(const struct target_options *options, struct batch_run *runs, uint32_t count, struct batch_summary *summary,
                        struct error *err);
#endif
