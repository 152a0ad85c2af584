/* pool.c - runs many processes side by side, a few at a time, and stops them when asked. */
#include "study/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seconds.h"
#include "base/terminal.h"

enum { LOG_BYTES = 32 << 10, POLL_MILLISECONDS = 100, MAX_JOBS = 256 };

struct running {
    struct pool_task *task;
    size_t index;
    pid_t pid;
    int out, log; /* read ends; -1 once closed */
    double started;
};

struct pool {
    struct pool_task *tasks;
    size_t count, next, ended;
    const struct pool_options *options;
    struct running running[MAX_JOBS];
    uint32_t running_count, jobs;
    bool stopping;
    struct progress progress;
};

uint32_t pool_default_jobs(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_JOBS ? MAX_JOBS : (uint32_t)cores;
}

static uint64_t available_memory(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %llu", &kib) != 1)
        ;
    if (f)
        (void)fclose(f);
    return kib ? kib * 1024 : UINT64_MAX;
}

static _Noreturn void become(struct pool_task *task, int out, int log)
{
    /* When a sweep is killed its workers are killed too, so that nothing runs unseen. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)setpgid(0, 0); /* a group of its own: Ctrl-C reaches only the parent, which then stops us and our children in its own
                          * order */
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(log, 2) < 0)
        _exit(127);
    execvp(task->argv[0], task->argv);
    (void)fprintf(stderr, "cannot start %s: %s\n", task->argv[0], strerror(errno));
    _exit(127);
}

static bool start(struct pool *pool, struct error *err)
{
    int out[2], log[2];
    /* Reading never waits, because a grandchild may hold a pipe open long after its parent has ended. */
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set_code(err, CODE_INTERNAL, "cannot make a pipe for a worker: %s", strerror(errno));
    if (pipe2(log, O_CLOEXEC) != 0) {
        (void)close(out[0]);
        (void)close(out[1]);
        return error_set_code(err, CODE_INTERNAL, "cannot make a pipe for a worker: %s", strerror(errno));
    }
    struct pool_task *task = &pool->tasks[pool->next];
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        become(task, out[1], log[1]);
    (void)close(out[1]);
    (void)close(log[1]);
    if (pid < 0) {
        (void)close(out[0]);
        (void)close(log[0]);
        return error_set_code(err, CODE_INTERNAL, "cannot start a worker: %s", strerror(errno));
    }
    (void)fcntl(out[0], F_SETFL, O_NONBLOCK);
    (void)fcntl(log[0], F_SETFL, O_NONBLOCK);
    (void)setpgid(pid, pid); /* both sides do it, so that it is done before either needs it */
    pool->running[pool->running_count++] = (struct running){ task, pool->next++, pid, out[0], log[0], seconds_now() };
    return true;
}

enum drained { DRAIN_MORE, DRAIN_EMPTY, DRAIN_END };

/* Keeps as much as fits: all of stdout, and the end of stderr. */
static enum drained drain(int fd, struct text_buffer *into, size_t keep)
{
    char chunk[16384];
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n <= 0)
        return n < 0 && errno == EINTR ? DRAIN_MORE : n < 0 && errno == EAGAIN ? DRAIN_EMPTY : DRAIN_END;
    text_append_bytes(into, chunk, (size_t)n);
    if (keep && into->length > 2 * keep) {
        memmove(into->text, into->text + into->length - keep, keep + 1);
        into->length = keep;
    }
    return DRAIN_MORE;
}

static void read_pipes(struct pool *pool)
{
    struct pollfd fds[2 * MAX_JOBS];
    for (uint32_t i = 0; i < pool->running_count; i++) {
        fds[2 * i] = (struct pollfd){ .fd = pool->running[i].out, .events = POLLIN };
        fds[2 * i + 1] = (struct pollfd){ .fd = pool->running[i].log, .events = POLLIN };
    }
    if (poll(fds, 2 * pool->running_count, POLL_MILLISECONDS) <= 0)
        return;
    for (uint32_t i = 0; i < pool->running_count; i++) {
        struct running *r = &pool->running[i];
        if (fds[2 * i].revents && drain(r->out, &r->task->out, 0) == DRAIN_END) {
            (void)close(r->out);
            r->out = -1;
        }
        if (fds[2 * i + 1].revents && drain(r->log, &r->task->log, LOG_BYTES) == DRAIN_END) {
            (void)close(r->log);
            r->log = -1;
        }
    }
}

static void stop_all(struct pool *pool)
{
    pool->stopping = true;
    for (uint32_t i = 0; i < pool->running_count; i++)
        (void)kill(-pool->running[i].pid, SIGKILL);
}

static void show_progress(struct pool *pool)
{
    char now[96] = "";
    for (uint32_t i = 0; i < pool->running_count && i < 3; i++) {
        const size_t used = strlen(now);
        (void)snprintf(now + used, sizeof now - used, "%s%.24s", used ? ", " : "", pool->running[i].task->label);
    }
    progress_update(&pool->progress, pool->ended, now);
}

static void reap(struct pool *pool, uint32_t at, int status, const struct rusage *usage)
{
    struct running r = pool->running[at];
    pool->running[at] = pool->running[--pool->running_count];
    while (r.out >= 0 && drain(r.out, &r.task->out, 0) == DRAIN_MORE)
        ;
    while (r.log >= 0 && drain(r.log, &r.task->log, LOG_BYTES) == DRAIN_MORE)
        ;
    if (r.out >= 0)
        (void)close(r.out);
    if (r.log >= 0)
        (void)close(r.log);
    r.task->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    r.task->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    r.task->wall_seconds = seconds_now() - r.started;
    r.task->peak_rss_bytes = (uint64_t)usage->ru_maxrss * 1024;
    pool->ended++;
    if (pool->stopping)
        r.task->not_started = true; /* we stopped it: it has no result, as if it had never run */
    else if (pool->options->done && !pool->options->done(pool->options->context, r.index, r.task))
        stop_all(pool);
}

static void collect_ended(struct pool *pool)
{
    for (uint32_t i = 0; i < pool->running_count;) {
        int status;
        struct rusage usage;
        if (wait4(pool->running[i].pid, &status, WNOHANG, &usage) == pool->running[i].pid)
            reap(pool, i, status, &usage);
        else
            i++;
    }
}

static void kill_late(struct pool *pool)
{
    if (!pool->options->timeout_seconds)
        return;
    const double now = seconds_now();
    for (uint32_t i = 0; i < pool->running_count; i++)
        if (now - pool->running[i].started > pool->options->timeout_seconds && !pool->running[i].task->timed_out) {
            pool->running[i].task->timed_out = true;
            (void)kill(-pool->running[i].pid, SIGKILL);
        }
}

static bool may_start(const struct pool *pool)
{
    if (pool->stopping || pool->next == pool->count || pool->running_count >= pool->jobs)
        return false;
    const uint64_t need = pool->tasks[pool->next].memory_bytes;
    return pool->running_count == 0 || need == 0 || need < available_memory() / 2;
}

bool pool_run(struct pool_task *tasks, size_t count, const struct pool_options *options, struct error *err)
{
    struct pool *pool = must_calloc(1, sizeof *pool);
    *pool = (struct pool){ .tasks = tasks, .count = count, .options = options };
    pool->jobs = options->jobs ? options->jobs < MAX_JOBS ? options->jobs : MAX_JOBS : pool_default_jobs();
    progress_start(&pool->progress, options->progress ? stderr : NULL, "runs", count);
    bool ok = true;
    while (ok && (pool->running_count || (pool->next < count && !pool->stopping))) {
        if (options->interrupted && *options->interrupted && !pool->stopping)
            stop_all(pool);
        while (ok && may_start(pool))
            ok = start(pool, err);
        if (!ok)
            stop_all(pool);
        read_pipes(pool);
        collect_ended(pool);
        kill_late(pool);
        show_progress(pool);
    }
    while (pool->running_count) /* only after a failed start */
        collect_ended(pool);
    for (size_t i = pool->next; i < count; i++)
        tasks[i].not_started = true;
    progress_end(&pool->progress);
    free(pool);
    return ok;
}

void pool_task_clear(struct pool_task *task)
{
    for (char **a = task->argv; a && *a; a++)
        free(*a);
    free(task->argv);
    text_buffer_clear(&task->out);
    text_buffer_clear(&task->log);
    *task = (struct pool_task){ 0 };
}
