/* warpline.h - the simulator as a library: what a program that embeds libwarpline may rely on.
 *
 * A machine is described step by step: a configuration, settings, policies. Then it runs PTX from memory, PTX files or traces, as
 * often as one likes; every run begins with a fresh machine of that description and gives a result of its own, with the numbers
 * of `warpline run --json` (docs/guide.md, "Results").
 *
 * Calls return 0 when all is well, else one of the codes below; warpline_error says in a sentence what was wrong. Nothing is
 * printed and nothing ends the process: when memory runs out, or when warpline finds itself broken, the call returns
 * WARPLINE_BROKEN, and what the run had allocated is lost. A machine and its results belong to one thread at a time; different
 * machines may be used by different threads. A run stays on the thread that asks for it, so that gpu.threads above 1 is refused:
 * when warpline finds itself broken on a thread of its own, that could not come back as WARPLINE_BROKEN. */
#ifndef WARPLINE_WARPLINE_H
#define WARPLINE_WARPLINE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

enum warpline_code {
    WARPLINE_OK = 0,
    WARPLINE_PROGRAM = 1, /* a kernel failed, or an output is not what the launch expects */
    WARPLINE_INPUT = 3,   /* a file, setting, policy or text is wrong */
    WARPLINE_BROKEN = 4   /* out of memory, or warpline itself is wrong */
};

/* "0.2.0": of the library that is linked, not of this header. */
const char *warpline_version(void);

/* ---- a machine ------------------------------------------------------------------------------------------------------ */

struct warpline_machine;
/* NULL: out of memory. */
struct warpline_machine *warpline_open(void);
void warpline_close(struct warpline_machine *machine);

/* A built-in configuration's name, or a file. Without one: the defaults. */
int warpline_config(struct warpline_machine *machine, const char *name);
/* `key` is a parameter's name (warpline list params). Settings are applied in their order, after the configuration. */
int warpline_set(struct warpline_machine *machine, const char *key, const char *value);
/* One or more: "gto,pric". */
int warpline_policies(struct warpline_machine *machine, const char *names);
/* A file with policies of one's own (docs/policies.md). */
int warpline_plugin(struct warpline_machine *machine, const char *path);
/* Stops runs after so many cycles or warp instructions; 0: no limit. */
void warpline_limit(struct warpline_machine *machine, unsigned long long cycles, unsigned long long warp_instructions);
/* Called about every thousand simulated cycles with what the run has done so far; another answer than 0 stops the run. */
typedef int warpline_progress(void *context, unsigned long long cycles, unsigned long long warp_instructions);
void warpline_on_progress(struct warpline_machine *machine, warpline_progress *progress, void *context);

/* Does the description make a machine? Runs ask this themselves. */
int warpline_check(struct warpline_machine *machine);
/* The sentence of the last call that did not return 0; "" when none failed. Valid until the next call. */
const char *warpline_error(const struct warpline_machine *machine);

/* ---- runs ----------------------------------------------------------------------------------------------------------- */

struct warpline_result;
/* Each leaves a result in *result, also of a run that was stopped or failed on the way; NULL when there is nothing to tell.
 * The texts need not end with a 0. `launch` is JSON (docs/running.md, "Launch files"). */
int warpline_run_ptx(struct warpline_machine *machine, const char *ptx, size_t ptx_length, const char *launch, size_t launch_length,
                     struct warpline_result **result);
int warpline_run_files(struct warpline_machine *machine, const char *ptx_path, const char *launch_path,
                       struct warpline_result **result);
/* A trace of `warpline record`, or Accel-Sim's kernelslist.g. */
int warpline_run_trace(struct warpline_machine *machine, const char *path, struct warpline_result **result);

/* ---- results -------------------------------------------------------------------------------------------------------- */

void warpline_result_free(struct warpline_result *result);
#define WARPLINE_TOTALS ((size_t)-1) /* as a kernel's number: all of them together */
size_t warpline_kernel_count(const struct warpline_result *result);
/* NULL: there is no such kernel. Valid until the result is freed, as all texts of a result. */
const char *warpline_kernel_name(const struct warpline_result *result, size_t kernel);
/* Was the run stopped by a limit, or by the progress callback? */
int warpline_stopped(const struct warpline_result *result);

/* Counters and ratios have dotted names: "cycles", "l1.hits", "dram.row_hits". */
size_t warpline_counter_count(const struct warpline_result *result);
const char *warpline_counter_name(const struct warpline_result *result, size_t counter);
/* NaN: no such kernel or counter, or a ratio without a value. */
double warpline_counter(const struct warpline_result *result, size_t kernel, const char *name);
/* The whole result as `warpline run --json` writes it. */
const char *warpline_json(struct warpline_result *result);

#ifdef __cplusplus
}
#endif
#endif
