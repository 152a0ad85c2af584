/* cmd_record_cpu.c - records what a CPU's program executes, for `run --cpu`. */
#include <string.h>

#include "cli/cli.h"
#include "run/record_cpu.h"

struct record_cpu_options {
    const char *output, *from;
    uint64_t skip, count, thread;
};

static const struct option_row rows[] = {
    OPTION_FILE_LETTER(struct record_cpu_options, output, 'o', "output", "FILE",
                       "where the trace goes: FILE.wct is our own format, any other name ChampSim's (packed with .xz, .gz, .zst)"),
    OPTION_NUMBER_FROM_0(struct record_cpu_options, skip, "skip", "N", "instructions to pass over before the recording begins"),
    OPTION_NUMBER(struct record_cpu_options, count, "count", "N", "instructions to record; then the program is ended"),
    OPTION_NUMBER_FROM_0(struct record_cpu_options, thread, "thread", "N", "which thread to record: 0, the default, is the first"),
    OPTION_FILE(struct record_cpu_options, from, "from", "TRACE", "copy a trace (ours or ChampSim's) instead of running a program"),
    OPTION_END
};
static const struct option_set sets[] = { { rows, 0 }, { NULL, 0 } };

static enum exit_code record_cpu_run(const struct command_call *call, struct error *err)
{
    const struct record_cpu_options *o = call->options;
    const struct cpu_recording recording = { .output = o->output,
                                             .skip = o->skip,
                                             .count = o->count,
                                             .thread = (uint32_t)o->thread,
                                             .program = o->from ? NULL : call->arguments,
                                             .from = o->from };
    struct cpu_recorded got;
    if (!o->output)
        return error_set_code(err, CODE_USAGE, "say where the trace goes: -o FILE.wct"), CODE_USAGE;
    if (!o->from == !call->argument_count)
        return error_set_code(err, CODE_USAGE, "name a program behind --, or a trace with --from"), CODE_USAGE;
    if (o->thread > 4095)
        return error_set_code(err, CODE_USAGE, "--thread: at most 4095"), CODE_USAGE;
    if (!record_cpu(&recording, &got, err))
        return err->code;
    (void)printf("%s: %llu instructions (%llu with loads, %llu with stores, %llu branches) in %llu bytes: %.3f bytes per "
                 "instruction\n",
                 o->output, (unsigned long long)got.instructions, (unsigned long long)got.loads, (unsigned long long)got.stores,
                 (unsigned long long)got.branches, (unsigned long long)got.bytes, (double)got.bytes / (double)got.instructions);
    return CODE_OK;
}

const struct command command_record_cpu = {
    .name = "record-cpu",
    .arguments = "[--] PROGRAM [ARG...]",
    .summary = "run an ordinary x86-64 program and keep what its CPU executed in a trace, which 'warpline run --cpu' takes",
    .details = "The program runs under qemu-x86_64 (Debian package qemu-user) with warpline's plug-in: every instruction of one "
               "thread with its registers,\n"
               "the lines of memory that it touches and the way its branches go. Its output is its own.",
    .examples =
        (const struct command_example[]){
            { "warpline record-cpu -o bzip2.wct --skip 300000000 --count 30000000 -- bzip2 -9 -c FILE",
              "thirty million instructions of bzip2" },
            { "warpline record-cpu -o mcf.champsim.xz --from mcf.wct", "a trace for ChampSim" },
            { NULL, NULL } },
    .option_sets = sets,
    .options_size = sizeof(struct record_cpu_options),
    .max_arguments = SIZE_MAX,
    .stop_at_first_argument = true,
    .run = record_cpu_run,
};
