/* runtime.c - the state of our libcudart, its start, its lock and its errors. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/channel.h"
#include "run/profile.h"
#include "run/recording.h"
#include "run/run_program.h"

/* The one mutable global of the library: the API has no handle to keep it behind. */
static struct runtime the_runtime = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                      .result_fd = -1,
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

void runtime_report(struct runtime *r, const struct error *failure)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "warpline: %s\n", failure->text);
    if (r->result_fd >= 0)
        (void)channel_send_failure(r->result_fd, failure);
}

void runtime_refused(struct runtime *r, const struct refusal *refusal)
{
    enum { MOST = 100 };
    if (r->result_fd >= 0 && r->refusals++ < MOST)
        (void)channel_send_refusal(r->result_fd, refusal);
}

static char *read_request(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || info.st_size <= 0)
        return NULL;
    char *text = must_calloc((size_t)info.st_size + 1, 1);
    if (pread(fd, text, (size_t)info.st_size, 0) == info.st_size)
        return text;
    free(text);
    return NULL;
}

/* What to simulate: as `warpline run` asks, or values only when the program was started by itself. */
static bool read_setup(struct runtime *r, struct error *err)
{
    const char *descriptors = getenv(SESSION_ENVIRONMENT);
    int request_fd, result_fd;
    /* A program started by one that has its results on the way already is on its own: the descriptors were not passed on. */
    if (descriptors && sscanf(descriptors, "%d,%d", &request_fd, &result_fd) == 2 && fcntl(request_fd, F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(result_fd, F_SETFD, FD_CLOEXEC) == 0) {
        char *text = read_request(request_fd);
        if (!text)
            return error_set_code(err, CODE_INTERNAL, "the settings of 'warpline run' cannot be read");
        r->result_fd = result_fd;
        const bool ok = session_request_read(text, &r->setup, &r->options, err);
        free(text);
        return ok;
    }
    (void)fprintf(stderr, "warpline: this program was started by itself: its kernels run for their values only. "
                          "For cycles and counters, start it with 'warpline run'.\n");
    r->options.functional = true;
    return session_setup_init(&r->setup, NULL, NULL, err);
}

/* At the program's end: a recording is whole only then, for a program may launch until its last line. */
static void finish_recording(void)
{
    struct runtime *r = runtime_enter();
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

static cudaError_t start_session(struct runtime *r)
{
    struct error err = { .code = CODE_INTERNAL };
    if (!r->setup.space && !read_setup(r, &err)) {
        runtime_report(r, &err);
        return cudaErrorInitializationError;
    }
    if (r->heap_limit)
        r->setup.device.heap_bytes = r->heap_limit;
    r->options.interrupted = &r->interrupted;
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
