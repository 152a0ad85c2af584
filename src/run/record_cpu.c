/* record_cpu.c - records a CPU's program: starts qemu-x86_64 with our plug-in, or copies a trace, and counts what came of it. */
#include "run/record_cpu.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/part_file.h"
#include "base/text.h"
#include "run/places.h"
#include "trace/cpu_trace.h"

enum { BATCH = 4096 };
#define PLUGIN "libwarpline_record_cpu.so"

/* Finds the program as a shell would, since QEMU itself does not look along PATH. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    if (strchr(name, '/')) {
        (void)snprintf(path, PATH_MAX, "%s", name);
        return access(path, X_OK) == 0;
    }
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at;) {
        const int length = (int)strcspn(at, ":");
        (void)snprintf(path, PATH_MAX, "%.*s/%s", length, at, name);
        if (length && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static _Noreturn void become_qemu(const struct cpu_recording *r, const char *qemu, const char *plugin, const char *program,
                                  const char *part)
{
    struct text_list words = { 0 };
    char with[PATH_MAX + 128];
    /* libc shall copy by plain moves: QEMU would report each round of a `rep movsb` as an instruction of its own. */
    static const char tunables[] =
        "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000";
    (void)snprintf(with, sizeof with, "%s,skip=%llu,count=%llu,thread=%u", plugin, (unsigned long long)r->skip,
                   (unsigned long long)(r->count ? r->count : UINT64_MAX), r->thread);
    const char *const fixed[] = { qemu,      "-cpu", "max",  "-E", tunables, "-U", "WARPLINE_RECORD_TO,WARPLINE_RECORD_AS",
                                  "-plugin", with,   program };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        text_list_add(&words, fixed[i]);
    for (size_t i = 1; r->program[i]; i++)
        text_list_add(&words, r->program[i]);
    words.item = must_realloc(words.item, (words.count + 1) * sizeof *words.item);
    words.item[words.count] = NULL;
    (void)setenv("WARPLINE_RECORD_TO", part, 1);
    (void)setenv("WARPLINE_RECORD_AS", r->output, 1);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    execv(qemu, words.item);
    (void)fprintf(stderr, "warpline: cannot start %s: %s\n", qemu, strerror(errno));
    _exit(127);
}

static bool interrupted_error(struct error *err)
{
    return error_set_code(err, CODE_PROGRAM, "interrupted: nothing was recorded");
}

/* The end of QEMU. A signal to us ends it at once, whatever the program would do with the signal: half a trace is none. */
static int wait_for_qemu(pid_t child, const volatile int *interrupted)
{
    int status = 0;
    interrupt_pass_on(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (*interrupted)
            (void)kill(child, SIGKILL);
    interrupt_pass_on(0);
    return status;
}

/* `code` is the program's own exit code. */
static bool record_program(const struct cpu_recording *r, const char *part, const volatile int *interrupted, int *code,
                           struct error *err)
{
    struct cuda_places places;
    char qemu[PATH_MAX], program[PATH_MAX], plugin[PATH_MAX + 64];
    if (!find_program("qemu-x86_64", qemu))
        return error_set(err, "qemu-x86_64 is not installed: it runs the program that is recorded (Debian package qemu-user)");
    if (!find_program(r->program[0], program))
        return error_set(err, "there is no program '%.300s'", r->program[0]);
    if (!cuda_places_find(&places, err))
        return false;
    (void)snprintf(plugin, sizeof plugin, "%s/" PLUGIN, places.library_dir);
    if (access(plugin, R_OK) != 0)
        return error_set(err, "%s is not there: warpline was built without Debian's libcapstone-dev; install it and build again",
                         plugin);
    if (strchr(plugin, ','))
        return error_set(err, "warpline lies in a folder with a comma in its name, which QEMU's -plugin cannot take");
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become_qemu(r, qemu, plugin, program, part);
    if (child < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot start a process: %s", strerror(errno));
    const int status = wait_for_qemu(child, interrupted);
    if (*interrupted)
        return interrupted_error(err);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    struct stat made; /* the plug-in leaves nothing of a trace that it could not write to its end */
    if (*code && stat(part, &made) == 0 && made.st_size == 0)
        return error_set(err, "%s could not be recorded: the reason is above", r->program[0]);
    if (*code)
        log_line(LOG_WARN, "%s ended with exit code %d", r->program[0], *code);
    if (WIFSIGNALED(status))
        return error_set_code(err, CODE_PROGRAM, "%s was ended by signal %d (%s) while it was recorded", r->program[0],
                              WTERMSIG(status), strsignal(WTERMSIG(status)));
    return true;
}

static bool copy_trace(const struct cpu_recording *r, const char *part, const volatile int *interrupted, struct error *err)
{
    struct cpu_trace *in = cpu_trace_open(r->from, err);
    struct cpu_trace_writer *out = in ? cpu_trace_writer_open(part, r->output, err) : NULL;
    struct cpu_inst *batch = must_calloc(BATCH, sizeof *batch);
    uint64_t passed = 0, left = r->count ? r->count : UINT64_MAX;
    bool ok = out != NULL;
    for (size_t count = 1; ok && count && left;) {
        ok = cpu_trace_read(in, batch, BATCH, &count, err);
        const size_t skipped = r->skip - passed < count ? (size_t)(r->skip - passed) : count;
        passed += skipped;
        const size_t taken = ok ? (count - skipped < left ? count - skipped : (size_t)left) : 0;
        ok = ok && cpu_trace_write(out, batch + skipped, taken, err) && (!*interrupted || interrupted_error(err));
        left -= taken;
    }
    if (out)
        ok = cpu_trace_writer_close(out, ok ? err : NULL) && ok;
    cpu_trace_free(in);
    free(batch);
    return ok;
}

/* Reads the trace once: it must be readable, and its instructions are counted. */
static bool count_trace(const char *path, struct cpu_recorded *out, struct error *err)
{
    struct stat info;
    struct cpu_trace *trace = cpu_trace_open(path, err);
    struct cpu_inst *batch = must_calloc(BATCH, sizeof *batch);
    bool ok = trace != NULL;
    *out = (struct cpu_recorded){ 0 };
    for (size_t count = 1; ok && count;) {
        ok = cpu_trace_read(trace, batch, BATCH, &count, err);
        for (size_t i = 0; ok && i < count; i++) {
            out->instructions++;
            out->branches += batch[i].kind & CPU_BRANCH;
            out->stores += batch[i].address[0] != 0;
            out->loads += batch[i].address[CPU_STORES] != 0;
        }
    }
    out->bytes = stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
    cpu_trace_free(trace);
    free(batch);
    return ok;
}

bool record_cpu(const struct cpu_recording *r, struct cpu_recorded *out, struct error *err)
{
    const volatile int *interrupted = interrupt_catch();
    int code = 0;
    struct part_file *part = part_file_open(r->output, err);
    if (!part)
        return false;
    const char *path = part_file_path(part);
    bool ok = r->program ? record_program(r, path, interrupted, &code, err) : copy_trace(r, path, interrupted, err);
    if (ok && !count_trace(path, out, err))
        ok = error_set(err, "nothing was recorded: are there more than --skip %llu instructions%s?", (unsigned long long)r->skip,
                       r->thread ? ", and a thread of that number" : "");
    if (ok)
        return part_file_keep(part, err);
    part_file_drop(part);
    return false;
}
