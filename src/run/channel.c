/* channel.c - messages from the program's process to `warpline run`: kernels that ended, failures, and what was refused. */
#include "run/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAGIC 0x4c4e5257u /* "WRNL" */
enum { NAME_MAX_BYTES = 1 << 16 };

struct record_header {
    uint32_t magic, kind;
    uint64_t bytes; /* that follow */
};
struct kernel_record {
    uint32_t grid[3], block[3];
    uint64_t cycles, warp_instructions, thread_instructions, start_cycle;
    uint64_t interval;
    uint32_t complete, group_count, name_bytes, has_counters, series_columns, series_count;
};
struct failure_record {
    uint32_t code, text_bytes;
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

/* False at the end of the stream, or in the middle of a record. */
static bool read_all(int fd, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        const ssize_t done = read(fd, at, bytes);
        if (done < 0 && errno == EINTR)
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
                               .group_count = group_count,
                               .name_bytes = (uint32_t)strlen(k->name),
                               .has_counters = k->counters != NULL,
                               .interval = k->series.period,
                               .series_columns = k->series.columns,
                               .series_count = k->series.count };
    memcpy(r.grid, k->grid, sizeof r.grid);
    memcpy(r.block, k->block, sizeof r.block);
    const size_t counters = k->counters ? counter_bytes(groups, group_count) : 0;
    const size_t series = series_bytes(&r);
    const struct record_header header = { RECORD_MAGIC, CHANNEL_KERNEL, sizeof r + r.name_bytes + counters + series };
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

static void damaged(struct channel_event *out, const char *what)
{
    out->kind = CHANNEL_DAMAGED;
    (void)error_set_code(&out->error, CODE_INTERNAL, "the program's results cannot be read: %s", what);
}

static void receive_kernel(int fd, uint64_t bytes, const struct stat_group *const *groups, uint32_t group_count,
                           struct channel_event *out)
{
    struct kernel_record r;
    if (!read_all(fd, &r, sizeof r))
        return damaged(out, "a record is cut short");
    const size_t counters = r.has_counters ? counter_bytes(groups, group_count) : 0;
    if (r.name_bytes > NAME_MAX_BYTES || (r.has_counters && r.group_count != group_count) ||
        r.series_columns > counters / sizeof(uint64_t) || bytes != sizeof r + r.name_bytes + counters + series_bytes(&r))
        return damaged(out, "its libcudart is of another build of warpline");
    struct kernel_result *k = &out->kernel;
    *k = (struct kernel_result){ .cycles = r.cycles,
                                 .warp_instructions = r.warp_instructions,
                                 .thread_instructions = r.thread_instructions,
                                 .start_cycle = r.start_cycle,
                                 .complete = r.complete != 0,
                                 .name = must_calloc(r.name_bytes + 1, 1) };
    memcpy(k->grid, r.grid, sizeof k->grid);
    memcpy(k->block, r.block, sizeof k->block);
    bool ok = read_all(fd, k->name, r.name_bytes);
    if (r.has_counters) {
        k->counters = must_calloc(group_count, sizeof *k->counters);
        k->counter_count = group_count;
        for (uint32_t i = 0; i < group_count; i++) {
            k->counters[i] = must_calloc(1, groups[i]->size);
            ok = ok && read_all(fd, k->counters[i], groups[i]->size);
        }
    }
    if (r.series_count) {
        k->series = (struct stat_intervals){ r.interval, r.series_columns, r.series_count, must_calloc(1, series_bytes(&r)) };
        ok = ok && read_all(fd, k->series.values, series_bytes(&r));
    }
    out->kind = CHANNEL_KERNEL;
    if (!ok) {
        kernel_result_clear(k);
        damaged(out, "a record is cut short");
    }
}

static void receive_failure(int fd, struct channel_event *out)
{
    struct failure_record r;
    if (!read_all(fd, &r, sizeof r) || r.text_bytes >= sizeof out->error.text)
        return damaged(out, "a record is cut short");
    out->error.code = (enum exit_code)r.code;
    if (!read_all(fd, out->error.text, r.text_bytes))
        return damaged(out, "a record is cut short");
    out->error.text[r.text_bytes] = 0;
    out->kind = CHANNEL_FAILURE;
}

static void receive_refusal(int fd, uint64_t bytes, struct channel_event *out)
{
    if (bytes != sizeof out->refusal || !read_all(fd, &out->refusal, sizeof out->refusal))
        return damaged(out, "a record is cut short");
    out->refusal.name[sizeof out->refusal.name - 1] = 0;
    out->refusal.reason[sizeof out->refusal.reason - 1] = 0;
    out->kind = CHANNEL_REFUSAL;
}

void channel_receive(int fd, const struct stat_group *const *groups, uint32_t group_count, struct channel_event *out)
{
    *out = (struct channel_event){ .kind = CHANNEL_END };
    struct record_header header;
    if (!read_all(fd, &header, sizeof header))
        return;
    if (header.magic != RECORD_MAGIC)
        damaged(out, "something else was written to the pipe");
    else if (header.kind == CHANNEL_KERNEL)
        receive_kernel(fd, header.bytes, groups, group_count, out);
    else if (header.kind == CHANNEL_FAILURE)
        receive_failure(fd, out);
    else if (header.kind == CHANNEL_REFUSAL)
        receive_refusal(fd, header.bytes, out);
    else
        damaged(out, "an unknown kind of record");
}
