/* runtime.c - the state of our libcudart, its start, its lock and its errors. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "policy/plugin_fault.h"
#include "run/channel.h"
#include "run/profile.h"
#include "run/recording.h"
#include "run/run_program.h"

/* The one mutable global of the library: the API has no handle to keep it behind. */
static struct runtime the_runtime = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                      .stack_limit = 1024,
                                      .printf_limit = 1 << 20,
                                      .next_page = HOST_PAGES_FIRST,
                                      .pool = { .access = cudaMemAccessFlagsProtReadWrite },
                                      .pool_in_use = &the_runtime.pool };
static _Thread_local struct runtime_thread this_thread;

struct runtime *runtime_state(void)
{
    return &the_runtime;
}
struct runtime_thread *runtime_thread(void)
{
    return &this_thread;
}
struct device *runtime_device(struct runtime *r)
{
    return session_device(r->session);
}

struct runtime *runtime_enter(void)
{
    (void)pthread_mutex_lock(&the_runtime.lock);
    return &the_runtime;
}

cudaError_t runtime_leave(cudaError_t code)
{
    if (code != cudaSuccess && code != cudaErrorNotReady)
        this_thread.last_error = code;
    (void)pthread_mutex_unlock(&the_runtime.lock);
    return code;
}

/* What cannot go over the pipe is at least known to be missing. */
static void note_lost(const struct runtime *r, int reason)
{
    if (!r->board || r->board->lost[0] || reason == ENOENT ||
        reason == ESRCH) /* `warpline run` has ended: nobody is missing them */
        return;
    (void)snprintf(r->board->lost, sizeof r->board->lost,
                   "results are lost, because the program cannot open the pipe to 'warpline run': %s", strerror(reason));
    (void)fprintf(stderr, "warpline: %s\n", r->board->lost);
}

int runtime_results(const struct runtime *r)
{
    const int fd = r->results.owner ? channel_open_result(&r->results) : -1;
    if (fd < 0 && r->results.owner)
        note_lost(r, errno);
    return fd;
}

/* When the program is loaded, before it may have used up its descriptors. */
__attribute__((constructor)) static void map_board(void)
{
    const char *place = getenv(SESSION_ENVIRONMENT);
    struct channel_address address;
    const int fd = place && channel_address_parse(place, &address) ? channel_open_request(&address) : -1;
    if (fd < 0)
        return;
    the_runtime.board = channel_board_map(fd);
    (void)close(fd);
}

void runtime_report(struct runtime *r, const struct error *failure)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "warpline: %s\n", failure->text);
    const int fd = runtime_results(r);
    if (fd >= 0) {
        (void)channel_send_failure(fd, failure);
        (void)close(fd);
    }
}

void runtime_refused(struct runtime *r, const struct refusal *refusal)
{
    enum { MOST = 100 };
    const int fd = r->refusals++ < MOST ? runtime_results(r) : -1;
    if (fd >= 0) {
        (void)channel_send_refusal(fd, refusal);
        (void)close(fd);
    }
}

/* The text of the request, and the board that stands before it. */
static char *read_request(struct runtime *r, const struct channel_address *address)
{
    struct stat info;
    const int fd = channel_open_request(address);
    char *text = NULL;
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > CHANNEL_BOARD_BYTES) {
        const size_t bytes = (size_t)info.st_size - CHANNEL_BOARD_BYTES;
        text = must_calloc(bytes + 1, 1);
        if (pread(fd, text, bytes, CHANNEL_BOARD_BYTES) != (ssize_t)bytes) {
            free(text);
            text = NULL;
        }
    }
    if (text)
        r->board_process = getpid();
    else if (r->board)
        (void)snprintf(r->board->lost, sizeof r->board->lost, "no kernel ran: the program cannot read its settings: %s",
                       strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return text;
}

void runtime_show_running(const struct runtime *r, const char *kernel)
{
    if (r->board && r->board_process == getpid())
        (void)snprintf(r->board->running, sizeof r->board->running, "%s", kernel);
}

static void send_fault(void *context, const struct error *fault)
{
    const int fd = runtime_results(context);
    if (fd >= 0)
        (void)channel_send_failure(fd, fault);
}

/* What to simulate: what `warpline run` asks for, or only values when the program was started by itself. */
static bool read_setup(struct runtime *r, struct error *err)
{
    const char *place = getenv(SESSION_ENVIRONMENT);
    struct channel_address address;
    if (place && channel_address_parse(place, &address)) {
        char *text = read_request(r, &address);
        if (!text)
            return error_set_code(err, CODE_PROGRAM, "the settings of 'warpline run' cannot be read: %s", strerror(errno));
        r->results = address;
        /* A program that this one starts gets no simulation of its own: the results of the two would be mixed. */
        (void)setenv(SESSION_ENVIRONMENT, SESSION_TAKEN, 1);
        const bool ok = session_request_read(text, &r->setup, &r->options, err);
        free(text);
        if (ok && r->setup.plugins.count) {
            plugin_fault_tell(send_fault, r);
            plugin_fault_catch_crashes();
        }
        return ok;
    }
    if (place && strcmp(place, SESSION_TAKEN) == 0)
        (void)fprintf(stderr,
                      "warpline: this program was started by one that had used the device before: its kernels run for their "
                      "values only. For cycles and counters, start it with 'warpline run' itself.\n");
    else
        (void)fprintf(stderr, "warpline: this program was started by itself: its kernels run for their values only. "
                              "For cycles and counters, start it with 'warpline run'.\n");
    r->options.functional = true;
    return session_setup_init(&r->setup, NULL, NULL, err);
}

/* At the program's end. Only then is a recording whole, since a program may launch until its last line. */
static void finish_recording(void)
{
    /* Another thread may be in a kernel, which may never end: then the recording is not whole, and `warpline run` sees that. */
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    if (pthread_mutex_clocklock(&the_runtime.lock, CLOCK_MONOTONIC, &until) != 0)
        return;
    struct runtime *r = &the_runtime;
    struct error err = { .code = CODE_INTERNAL };
    const bool ours = r->recording_process == getpid();
    if (r->recorder && ours && !wlt_writer_finish(r->recorder, NULL, &err))
        runtime_report(r, &err);
    if (ours && !profile_write(r->options.profile, &err))
        runtime_report(r, &err);
    r->recorder = NULL;
    (void)runtime_leave(cudaSuccess);
}

/* A program that resets its device goes on in the same recording. */
static bool start_recording(struct runtime *r, struct error *err)
{
    bool ok = true;
    if (!r->recorder) {
        r->recorder = recording_open(&r->options, program_invocation_short_name, &ok, err);
        r->recording_process = getpid();
        if (r->recorder || r->options.profile)
            (void)atexit(finish_recording);
    }
    if (ok)
        session_record(r->session, r->recorder);
    return ok;
}

static void tell_race(void *context, const char *kernel, const char *text)
{
    const struct runtime *r = context;
    struct race_report race = { 0 };
    (void)snprintf(race.kernel, sizeof race.kernel, "%s", kernel);
    (void)snprintf(race.text, sizeof race.text, "%s", text);
    const int fd = runtime_results(r);
    if (fd >= 0) {
        (void)channel_send_race(fd, &race);
        (void)close(fd);
    }
}

static cudaError_t start_session(struct runtime *r)
{
    struct error err = { .code = CODE_INTERNAL };
    if (!r->setup.space && !read_setup(r, &err)) {
        runtime_report(r, &err);
        return r->sticky = cudaErrorInitializationError; /* said once, not with every call that follows */
    }
    if (r->heap_limit)
        r->setup.device.heap_bytes = r->heap_limit;
    r->options.interrupted = &r->interrupted;
    r->options.race = tell_race;
    r->options.race_context = r;
    bool ok = true;
    if (!r->options.profile) /* a program that resets its device goes on in the same profile */
        r->options.profile = profile_open(&r->setup, &r->options, &ok, &err);
    if (ok)
        r->session = session_new(&r->setup, &r->options, 0, 0, &err);
    if (r->session && start_recording(r, &err))
        return cudaSuccess;
    runtime_report(r, &err);
    return cudaErrorInitializationError;
}

struct runtime *runtime_enter_device(cudaError_t *code)
{
    struct runtime *r = runtime_enter();
    *code = r->sticky;
    if (*code == cudaSuccess && !r->session)
        *code = start_session(r);
    return r;
}
