/* run_program.c - starts a CUDA program with our libcudart in place and collects what its kernels did. */
#include "run/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/seconds.h"
#include "run/elf_check.h"
#include "run/inputs.h"
#include "run/places.h"
#include "run/channel.h"
#include "run/result.h"

/* The setup as text in a file without a name, behind the board. -1 on failure. */
static int write_request(const struct session_setup *setup, const struct session_options *options)
{
    struct text_buffer text = { 0 };
    session_request_write(setup, options, &text);
    const int fd = memfd_create("warpline-request", MFD_CLOEXEC);
    const bool ok = fd >= 0 && pwrite(fd, text.text, text.length, CHANNEL_BOARD_BYTES) == (ssize_t)text.length;
    text_buffer_clear(&text);
    if (ok || fd < 0)
        return fd;
    (void)close(fd);
    return -1;
}

/* `trouble_fd` closes when the program begins; until then it takes the reason why it does not. */
static _Noreturn void become_program(const struct program_run *run, const char *library_dir, struct inputs *inputs,
                                     const struct channel_address *address, int trouble_fd)
{
    char place[96];
    struct text_buffer path = { 0 };
    const char *old = getenv("LD_LIBRARY_PATH");
    channel_address_print(address, place, sizeof place);
    text_append(&path, "%s%s%s", library_dir, old && old[0] ? ":" : "", old ? old : "");
    (void)setenv(SESSION_ENVIRONMENT, place, 1);
    (void)setenv("LD_LIBRARY_PATH", path.text, 1);
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        (void)setenv(BINARY_ENVIRONMENT, self, 1);
    }
    if (inputs)
        inputs_become_watched(inputs, library_dir);
    /* When we are killed the program is killed too, so that nothing runs unseen. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    const int nowhere = run->silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere >= 0)
        (void)dup2(nowhere, STDOUT_FILENO);
    else if (run->stdout_to_stderr)
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(run->path, run->arguments);
    const int reason = errno;
    (void)!write(trouble_fd, &reason, sizeof reason);
    _exit(127);
}

/* What we keep of a started program. Both ends of the pipe are ours alone; the program's libcudart opens it when it has
 * something to say. */
struct started {
    pid_t child;
    int request_fd, result_fds[2], ended_fd;
};

static void close_started(const struct started *s)
{
    const int all[] = { s->request_fd, s->result_fds[0], s->result_fds[1], s->ended_fd };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] >= 0)
            (void)close(all[i]);
}

/* Reads records until the program has ended, whatever children it has left. */
static bool collect(const struct started *s, struct result_builder *builder, const struct result_run *shape,
                    struct program_outcome *out, struct error *err)
{
    for (;;) {
        struct channel_event event;
        channel_receive(s->result_fds[0], s->ended_fd, shape->groups, shape->group_count, &event);
        switch (event.kind) {
        case CHANNEL_END: return true;
        case CHANNEL_KERNEL:
            result_builder_add(builder, &event.kernel);
            kernel_result_clear(&event.kernel);
            break;
        case CHANNEL_FAILURE:
            if (!out->failure.text[0])
                out->failure = event.error;
            break;
        case CHANNEL_REFUSAL: result_builder_refuse(builder, &event.refusal); break;
        case CHANNEL_RACE: result_builder_race(builder, event.race.kernel, event.race.text); break;
        case CHANNEL_DAMAGED: *err = event.error; return false;
        }
    }
}

/* The kernel that was running when the program ended: its numbers are lost. Or the program could not tell all. */
static void note_board(const struct started *s, struct program_outcome *out)
{
    struct channel_board *board = out->failure.text[0] ? NULL : channel_board_map(s->request_fd);
    if (!board) /* or what stopped the kernel has been told */
        return;
    if (board->lost[0])
        (void)error_set_code(&out->failure, CODE_PROGRAM, "%.*s", (int)sizeof board->lost - 1, board->lost);
    (void)snprintf(out->unfinished, sizeof out->unfinished, "%.*s", (int)sizeof board->running - 1, board->running);
    (void)munmap(board, CHANNEL_BOARD_BYTES);
}

/* The exit code as a shell gives it, where a signal and an exit code above 128 look alike; `signal` is 0 for the latter. */
static int wait_for(pid_t child, int *signal_number)
{
    int status;
    *signal_number = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    *signal_number = WTERMSIG(status);
    return 128 + *signal_number;
}

/* The simulator's memory belongs to the program's process, which has ended by now. */
static void note_childs_memory(json_t *result)
{
    struct rusage usage;
    json_t *host = json_object_get(result, "host");
    if (getrusage(RUSAGE_CHILDREN, &usage) == 0 && host)
        (void)json_object_set_new(host, "peak_rss_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
}

/* Waits until the program has begun. False, with a sentence, when it cannot. */
static bool has_begun(const struct program_run *run, pid_t child, int trouble_fd, struct error *err)
{
    int reason, signal_number;
    ssize_t got;
    do
        got = read(trouble_fd, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof reason)
        return true;
    (void)wait_for(child, &signal_number);
    if (reason == EACCES)
        return error_set(err, "cannot start %.300s: %s; is it executable ('chmod +x')?", run->path, strerror(reason));
    return error_set(err, "cannot start %.300s: %s", run->path, strerror(reason));
}

static bool start(const struct program_run *run, const struct session_setup *setup, const struct session_options *options,
                  struct inputs *inputs, struct started *s, struct error *err)
{
    struct cuda_places places;
    if (!cuda_places_find(&places, err) || (inputs && !inputs_can_watch(places.library_dir, err)))
        return false;
    s->request_fd = write_request(setup, options);
    if (s->request_fd < 0 || pipe2(s->result_fds, O_CLOEXEC) != 0)
        return error_set_code(err, CODE_INTERNAL, "cannot make the pipe for results: %s", strerror(errno));
    (void)fcntl(s->result_fds[0], F_SETFL, O_NONBLOCK);
    const struct channel_address address = channel_address_of(s->request_fd, s->result_fds[1]);
    int trouble[2];
    if (pipe2(trouble, O_CLOEXEC) != 0)
        return error_set_code(err, CODE_INTERNAL, "cannot make a pipe: %s", strerror(errno));
    (void)fflush(NULL);
    s->child = fork();
    const int fork_reason = errno;
    if (s->child == 0)
        become_program(run, places.library_dir, inputs, &address, trouble[1]);
    (void)close(trouble[1]);
    const bool begun = s->child > 0 && has_begun(run, s->child, trouble[0], err);
    (void)close(trouble[0]);
    if (s->child < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot start a process: %s", strerror(fork_reason));
    if (!begun)
        return false;
    s->ended_fd = (int)syscall(SYS_pidfd_open, s->child, 0);
    if (s->ended_fd >= 0)
        return true;
    const int reason = errno;
    (void)kill(s->child, SIGKILL);
    int signal_number;
    (void)wait_for(s->child, &signal_number);
    return error_set_code(err, CODE_INTERNAL, "cannot wait for the program's end (pidfd_open, Linux 5.3): %s", strerror(reason));
}

/* NVIDIA's libraries bring machine code and no PTX. */
static void warn_of_libraries(const char *path)
{
    static const char *const brought[] = { "libcublas", "libcufft", "libcusparse", "libcusolver", "libcurand",
                                           "libcudnn",  "libnpp",   "libnccl",     NULL };
    char name[128];
    if (elf_needs_library(path, brought, name, sizeof name))
        log_line(LOG_WARN, "%s is linked with NVIDIA's %s: kernels of that library are no PTX and will not run", path, name);
}

bool run_program(const struct program_run *run, const struct session_setup *setup, const struct session_options *options,
                 struct program_outcome *out, struct error *err)
{
    *out = (struct program_outcome){ 0 };
    bool uses_cuda;
    if (!elf_check_program(run->path, &uses_cuda, err))
        return false;
    if (!uses_cuda)
        log_line(LOG_WARN, "%s does not link with libcudart: unless it loads or starts something that does, no kernel will run",
                 run->path);
    warn_of_libraries(run->path);
    /* A machine of our own tells which counters to expect, and refuses a bad configuration before anything is started. */
    struct session *shape_session = session_new(setup, options, 0, 0, err);
    if (!shape_session)
        return false;
    struct result_run shape = { .target = run->target, .policies = &setup->policy_names, .space = setup->space };
    shape.groups = session_stat_groups(shape_session, &shape.group_count);
    const volatile int *interrupted = interrupt_catch();
    const double begin = seconds_now();
    struct started started = { .request_fd = -1, .result_fds = { -1, -1 }, .ended_fd = -1 };
    struct inputs *inputs = run->watch_inputs ? inputs_new(err) : NULL;
    bool ok = (inputs || !run->watch_inputs) && start(run, setup, options, inputs, &started, err);
    if (ok) {
        interrupt_pass_on(started.child); /* the simulator is in the program's process: it stops there and reports */
        struct result_builder *builder = result_builder_new(&shape);
        result_builder_structures(builder, session_structures(setup));
        ok = collect(&started, builder, &shape, out, err);
        out->exit_code = wait_for(started.child, &out->signal);
        interrupt_pass_on(0);
        note_board(&started, out);
        const uint32_t threads = result_builder_threads(builder);
        out->result = result_builder_finish(builder);
        out->interrupted = *interrupted != 0;
        result_set_exit_code(out->result, out->exit_code);
        result_set_host(out->result, seconds_now() - begin, threads);
        note_childs_memory(out->result);
        if (out->unfinished[0])
            (void)error_set_code(&out->failure, CODE_PROGRAM, "the program ended while its kernel %s was running", out->unfinished);
        if (out->failure.text[0])
            (void)json_object_set_new(out->result, "failure", json_string(out->failure.text));
        if (inputs)
            (void)json_object_set_new(out->result, "inputs", inputs_json(inputs, run->path, run->ours_to_pass));
    }
    close_started(&started);
    inputs_free(inputs);
    session_free(shape_session);
    return ok;
}
