/* trial.c - answers a policy's question which of several values is the best for what comes next (policy_machine.try_values), by
 * doing it: for each value a copy of the process simulates on, and tells through a pipe how far it came. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/gpu_state.h"

struct outcome {
    uint64_t instructions, cycles;
};

static uint64_t thread_instructions(const struct gpu *gpu)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        struct policy_totals totals;
        sm_policy_totals(gpu->sm[i], &totals);
        sum += totals.thread_instructions;
    }
    return sum;
}

/* A copy of the process has none of its other threads: what they do would be missing. */
static bool has_other_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    uint32_t count = 0;
    while (tasks && readdir(tasks))
        count++;
    if (tasks)
        (void)closedir(tasks);
    return count != 3; /* ".", ".." and this one */
}

/* What the child tells; it leaves without whatever the program does at its end. */
_Noreturn void gpu_trial_end(struct gpu *gpu, bool ok)
{
    const struct outcome mine = { thread_instructions(gpu) - gpu->trial.instructions,
                                  gpu->clocks.count[CLOCK_CORE] - gpu->trial.cycle };
    const bool told = ok && write(gpu->trial.tell, &mine, sizeof mine) == (ssize_t)sizeof mine;
    _exit(told ? 0 : 1);
}

/* What kernels print in a copy is not the program's output. */
static void print_nowhere(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(1);
    (void)close(nowhere);
}

static bool is_faster(struct outcome a, struct outcome b)
{
    return (unsigned __int128)a.instructions * b.cycles > (unsigned __int128)b.instructions * a.cycles;
}

/* In the child true, at once; in the parent false when the child has ended and told how far it came. */
static bool try_one(struct gpu *gpu, struct outcome *theirs)
{
    int ends[2];
    if (pipe(ends) != 0) {
        gpu->trial.failed = errno;
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        print_nowhere();
        gpu->trial = (struct gpu_trial){
            .inside = true, .tell = ends[1], .cycle = gpu->clocks.count[CLOCK_CORE], .instructions = thread_instructions(gpu)
        };
        return true;
    }
    int status = 0;
    gpu->trial.failed = child < 0 ? errno : 0;
    (void)close(ends[1]);
    ssize_t got = 0;
    while (child > 0 && (got = read(ends[0], theirs, sizeof *theirs)) < 0 && errno == EINTR)
        ;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    (void)close(ends[0]);
    if (child > 0 && (got != (ssize_t)sizeof *theirs || status != 0))
        gpu->trial.failed = ECHILD;
    return false;
}

uint32_t gpu_try_values(struct gpu *gpu, uint32_t count)
{
    struct outcome best = { 0, 1 };
    uint32_t chosen = 0;
    if (gpu->trial.inside)
        gpu_trial_end(gpu, true); /* the time of this child's value is over */
    if (gpu->worker_count > 1 || has_other_threads())
        gpu->trial.failed = EBUSY;
    for (uint32_t i = 0; i < count && count > 1 && !gpu->trial.failed; i++) {
        struct outcome theirs = { 0, 1 };
        if (try_one(gpu, &theirs))
            return i;
        if (is_faster(theirs, best)) {
            best = theirs;
            chosen = i;
        }
    }
    return chosen;
}

bool gpu_trial_failed(const struct gpu *gpu, struct error *err)
{
    const int why = gpu->trial.failed;
    if (!why)
        return false;
    (void)error_set_code(err, why == EBUSY ? CODE_USAGE : CODE_INTERNAL,
                         why == EBUSY
                             ? "a policy of this run tries values in copies of the process, which needs a process with one thread: "
                               "run it with --threads 1, and a program without threads of its own"
                         : why == ECHILD ? "a policy of this run tries values in copies of the process, and one of them failed"
                                         : "a policy of this run tries values in copies of the process, and none could be made: %s",
                         strerror(why));
    return true;
}
