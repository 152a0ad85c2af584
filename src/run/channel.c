/* channel.c - messages from the program's process to `warpline run`: kernels that ended, failures, and what was refused. */
#include "run/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RECORD_MAGIC 0x4c4e5257u /* "WRNL" */
enum { NAME_MAX_BYTES = 1 << 16 };

enum { LINKS_MAX = 65536 }; /* more than any machine has: such a record is damaged */
struct record_header {
    uint32_t magic, kind;
    uint64_t bytes; /* that follow */
};
struct kernel_record {
    uint32_t grid[3], block[3];
    uint64_t cycles, warp_instructions, thread_instructions, start_cycle;
    uint64_t interval, ctas_per_sm;
    uint32_t complete, threads, group_count, name_bytes, has_counters, series_columns, series_count, link_count;
};
struct failure_record {
    uint32_t code, text_bytes;
};

struct channel_address channel_address_of(int request_fd, int result_fd)
{
    struct stat info = { 0 };
    (void)fstat(result_fd, &info);
    return (struct channel_address){ (int)getpid(), request_fd, result_fd, (uint64_t)info.st_ino };
}

void channel_address_print(const struct channel_address *a, char *text, size_t size)
{
    (void)snprintf(text, size, "%d,%d,%d,%" PRIu64, a->owner, a->request_fd, a->result_fd, a->pipe);
}

bool channel_address_parse(const char *text, struct channel_address *a)
{
    return sscanf(text, "%d,%d,%d,%" SCNu64, &a->owner, &a->request_fd, &a->result_fd, &a->pipe) == 4;
}

/* By the system call itself: the program's open may be watched (src/run/watch), and this is not an input of the program. */
static int open_path(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

/* The program may have used up its descriptors. The system lets it have more than it has been set, so we take one for a moment. */
static int open_above_limit(const char *path, int flags)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) {
        errno = EMFILE;
        return -1;
    }
    const struct rlimit more = { limit.rlim_cur + 1, limit.rlim_max };
    (void)setrlimit(RLIMIT_NOFILE, &more);
    const int fd = open_path(path, flags), reason = errno;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    errno = reason;
    return fd;
}

static int open_of(const struct channel_address *a, int fd, int flags)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", a->owner, fd);
    const int opened = open_path(path, flags);
    return opened < 0 && errno == EMFILE ? open_above_limit(path, flags) : opened;
}

int channel_open_request(const struct channel_address *a)
{
    return open_of(a, a->request_fd, O_RDWR);
}

struct channel_board *channel_board_map(int request_fd)
{
    void *map = mmap(NULL, CHANNEL_BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, request_fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

int channel_open_result(const struct channel_address *a)
{
    struct stat info;
    const int fd = open_of(a, a->result_fd, O_WRONLY);
    if (fd < 0 || (fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) && (uint64_t)info.st_ino == a->pipe))
        return fd;
    (void)close(fd);
    errno = ESRCH;
    return -1;
}

struct channel_end {
    int fd, ended_fd;
};

static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t done = write(fd, at, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Waits until there is something to read. False: the process has ended, and all that it wrote has been read. */
static bool wait_for_data(const struct channel_end *end)
{
    struct pollfd both[] = { { .fd = end->fd, .events = POLLIN }, { .fd = end->ended_fd, .events = POLLIN } };
    while (poll(both, 2, -1) < 0)
        if (errno != EINTR)
            return false;
    return (both[0].revents & POLLIN) != 0;
}

/* False at the end of the stream, or in the middle of a record. */
static bool read_all(const struct channel_end *end, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        const ssize_t done = read(end->fd, at, bytes);
        if (done < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_data(end))))
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

static size_t counter_bytes(const struct stat_group *const *groups, uint32_t count)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += groups[i]->size;
    return bytes;
}

static size_t series_bytes(const struct kernel_record *r)
{
    return (size_t)r->series_columns * r->series_count * sizeof(uint64_t);
}

bool channel_send_kernel(int fd, const struct kernel_result *k, const struct stat_group *const *groups, uint32_t group_count)
{
    struct kernel_record r = { .cycles = k->cycles,
                               .warp_instructions = k->warp_instructions,
                               .thread_instructions = k->thread_instructions,
                               .start_cycle = k->start_cycle,
                               .complete = k->complete,
                               .threads = k->threads,
                               .group_count = group_count,
                               .name_bytes = (uint32_t)strlen(k->name),
                               .has_counters = k->counters != NULL,
                               .interval = k->series.period,
                               .series_columns = k->series.columns,
                               .series_count = k->series.count,
                               .ctas_per_sm = k->ctas_per_sm,
                               .link_count = k->link_count };
    memcpy(r.grid, k->grid, sizeof r.grid);
    memcpy(r.block, k->block, sizeof r.block);
    const size_t counters = k->counters ? counter_bytes(groups, group_count) : 0;
    const size_t series = series_bytes(&r), links = k->link_count * sizeof k->links[0];
    const struct record_header header = { RECORD_MAGIC, CHANNEL_KERNEL, sizeof r + r.name_bytes + counters + series + links };
    char *record = must_calloc(1, sizeof header + header.bytes), *at = record;
    memcpy(at, &header, sizeof header);
    memcpy(at += sizeof header, &r, sizeof r);
    memcpy(at += sizeof r, k->name, r.name_bytes);
    at += r.name_bytes;
    for (uint32_t i = 0; i < group_count && k->counters; i++) {
        memcpy(at, k->counters[i], groups[i]->size);
        at += groups[i]->size;
    }
    if (series)
        memcpy(at, k->series.values, series);
    if (links)
        memcpy(at + series, k->links, links);
    const bool ok = write_all(fd, record, sizeof header + header.bytes);
    free(record);
    return ok;
}

bool channel_send_failure(int fd, const struct error *failure)
{
    const struct failure_record r = { (uint32_t)failure->code, (uint32_t)strlen(failure->text) };
    const struct record_header header = { RECORD_MAGIC, CHANNEL_FAILURE, sizeof r + r.text_bytes };
    return write_all(fd, &header, sizeof header) && write_all(fd, &r, sizeof r) && write_all(fd, failure->text, r.text_bytes);
}

bool channel_send_refusal(int fd, const struct refusal *refusal)
{
    const struct record_header header = { RECORD_MAGIC, CHANNEL_REFUSAL, sizeof *refusal };
    return write_all(fd, &header, sizeof header) && write_all(fd, refusal, sizeof *refusal);
}

bool channel_send_race(int fd, const struct race_report *race)
{
    const struct record_header header = { RECORD_MAGIC, CHANNEL_RACE, sizeof *race };
    return write_all(fd, &header, sizeof header) && write_all(fd, race, sizeof *race);
}

static void damaged(struct channel_event *out, const char *what)
{
    out->kind = CHANNEL_DAMAGED;
    (void)error_set_code(&out->error, CODE_INTERNAL, "the program's results cannot be read: %s", what);
}

static void receive_kernel(const struct channel_end *end, uint64_t bytes, const struct stat_group *const *groups,
                           uint32_t group_count, struct channel_event *out)
{
    struct kernel_record r;
    if (!read_all(end, &r, sizeof r))
        return damaged(out, "a record is cut short");
    const size_t counters = r.has_counters ? counter_bytes(groups, group_count) : 0;
    if (r.name_bytes > NAME_MAX_BYTES || (r.has_counters && r.group_count != group_count) ||
        r.series_columns > counters / sizeof(uint64_t) || r.link_count > LINKS_MAX ||
        bytes != sizeof r + r.name_bytes + counters + series_bytes(&r) + r.link_count * sizeof(struct kernel_link))
        return damaged(out, "its libcudart is of another build of warpline");
    struct kernel_result *k = &out->kernel;
    *k = (struct kernel_result){ .cycles = r.cycles,
                                 .warp_instructions = r.warp_instructions,
                                 .thread_instructions = r.thread_instructions,
                                 .start_cycle = r.start_cycle,
                                 .complete = r.complete != 0,
                                 .ctas_per_sm = (uint32_t)r.ctas_per_sm,
                                 .threads = r.threads,
                                 .name = must_calloc(r.name_bytes + 1, 1) };
    memcpy(k->grid, r.grid, sizeof k->grid);
    memcpy(k->block, r.block, sizeof k->block);
    bool ok = read_all(end, k->name, r.name_bytes);
    if (r.has_counters) {
        k->counters = must_calloc(group_count, sizeof *k->counters);
        k->counter_count = group_count;
        for (uint32_t i = 0; i < group_count; i++) {
            k->counters[i] = must_calloc(1, groups[i]->size);
            ok = ok && read_all(end, k->counters[i], groups[i]->size);
        }
    }
    if (r.series_count) {
        k->series = (struct stat_intervals){ r.interval, r.series_columns, r.series_count, must_calloc(1, series_bytes(&r)) };
        ok = ok && read_all(end, k->series.values, series_bytes(&r));
    }
    if (r.link_count) {
        k->link_count = r.link_count;
        k->links = must_calloc(r.link_count, sizeof k->links[0]);
        ok = ok && read_all(end, k->links, r.link_count * sizeof k->links[0]);
    }
    out->kind = CHANNEL_KERNEL;
    if (!ok) {
        kernel_result_clear(k);
        damaged(out, "a record is cut short");
    }
}

static void receive_failure(const struct channel_end *end, struct channel_event *out)
{
    struct failure_record r;
    if (!read_all(end, &r, sizeof r) || r.text_bytes >= sizeof out->error.text)
        return damaged(out, "a record is cut short");
    out->error.code = (enum exit_code)r.code;
    if (!read_all(end, out->error.text, r.text_bytes))
        return damaged(out, "a record is cut short");
    out->error.text[r.text_bytes] = 0;
    out->kind = CHANNEL_FAILURE;
}

static void receive_refusal(const struct channel_end *end, uint64_t bytes, struct channel_event *out)
{
    if (bytes != sizeof out->refusal || !read_all(end, &out->refusal, sizeof out->refusal))
        return damaged(out, "a record is cut short");
    out->refusal.name[sizeof out->refusal.name - 1] = 0;
    out->refusal.reason[sizeof out->refusal.reason - 1] = 0;
    out->kind = CHANNEL_REFUSAL;
}

static void receive_race(const struct channel_end *end, uint64_t bytes, struct channel_event *out)
{
    if (bytes != sizeof out->race || !read_all(end, &out->race, sizeof out->race))
        return damaged(out, "a record is cut short");
    out->race.kernel[sizeof out->race.kernel - 1] = 0;
    out->race.text[sizeof out->race.text - 1] = 0;
    out->kind = CHANNEL_RACE;
}

void channel_receive(int fd, int ended_fd, const struct stat_group *const *groups, uint32_t group_count, struct channel_event *out)
{
    *out = (struct channel_event){ .kind = CHANNEL_END };
    const struct channel_end both = { fd, ended_fd }, *end = &both;
    struct record_header header;
    if (!read_all(end, &header, sizeof header))
        return;
    if (header.magic != RECORD_MAGIC)
        damaged(out, "something else was written to the pipe");
    else if (header.kind == CHANNEL_KERNEL)
        receive_kernel(end, header.bytes, groups, group_count, out);
    else if (header.kind == CHANNEL_FAILURE)
        receive_failure(end, out);
    else if (header.kind == CHANNEL_REFUSAL)
        receive_refusal(end, header.bytes, out);
    else if (header.kind == CHANNEL_RACE)
        receive_race(end, header.bytes, out);
    else
        damaged(out, "an unknown kind of record");
}
