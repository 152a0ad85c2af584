/* run_options.h - what `run` and `record` share: the choice of a target and how to run it. */
#ifndef WARPLINE_CLI_RUN_OPTIONS_H
#define WARPLINE_CLI_RUN_OPTIONS_H
#include "cli/common_options.h"
#include "run/session.h"

struct run_options {
    struct machine_options machine;
    struct output_options output;
    const char *ptx, *launch, *dump, *size, *timeline, *unknown_opcode, *profile, *record_profile;
    uint64_t max_cycles, max_instructions, threads;
    bool functional, quiet, inputs, races, cpu;
    bool first_of_two; /* a first run that only records a profile for the run that follows, and prints nothing */
};
/* --ptx, --launch, --size, --unknown-opcode: which target. */
extern const struct option_row target_option_rows[];

/* What becomes of the run's warps: see record_path, record_name and record_data of session_options. */
struct run_recording {
    const char *path, *name;
    bool data;
};
/* Runs the target that options and arguments name. `recording` NULL: none. */
enum exit_code run_options_run(const struct run_options *o, const struct command_call *call, const struct run_recording *recording,
                               struct error *err);
#endif
