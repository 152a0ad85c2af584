/* channel.h - how results leave the program's process: records over a pipe, one per kernel, failure or refusal.
 *
 * The program inherits no descriptor: it may close all of them, and children that it leaves behind must not hold the pipe open.
 * Its libcudart learns where `warpline run` has the pipe and opens it through /proc for each record.
 *
 * Sent as they happen, so that a program that crashes or is killed loses nothing that was known. Both ends are the same build
 * of warpline; a record whose sizes disagree with the reader's own counters is refused. */
#ifndef WARPLINE_RUN_CHANNEL_H
#define WARPLINE_RUN_CHANNEL_H
#include "gpu/gpu.h"

/* Whose descriptors, and which pipe it must be: a process of that number may be another one by then. */
struct channel_address {
    int owner, request_fd, result_fd;
    uint64_t pipe;
};
struct channel_address channel_address_of(int request_fd, int result_fd); /* of this process */
void channel_address_print(const struct channel_address *address, char *text, size_t size);
bool channel_address_parse(const char *text, struct channel_address *address);
int channel_open_request(const struct channel_address *address); /* -1: not there */
int channel_open_result(const struct channel_address *address);  /* for writing; -1: nobody listens any more */

/* The request's file begins with a page that the program's process writes and we read when it has ended, however it did: the
 * kernel that is running, "" between kernels, and why something could not be told over the pipe, "" when all was. The request's
 * text follows it. */
enum { CHANNEL_BOARD_BYTES = 4096 };
struct channel_board {
    char running[256], lost[512];
};
struct channel_board *channel_board_map(int request_fd); /* NULL: cannot be had */

bool channel_send_kernel(int fd, const struct kernel_result *kernel, const struct stat_group *const *groups, uint32_t group_count);
bool channel_send_failure(int fd, const struct error *failure);

/* A call that the program made and that was refused. The program may have ignored the error, so the result must tell. */
struct refusal {
    bool is_launch;              /* else an allocation */
    char name[256], reason[512]; /* the kernel or the call, and why */
    uint32_t grid[3], block[3];  /* of a launch */
    uint64_t bytes;              /* of an allocation, or the launch's dynamic shared memory */
};
bool channel_send_refusal(int fd, const struct refusal *refusal);
/* What the race detector says. */
struct race_report {
    char kernel[256], text[1000];
};
bool channel_send_race(int fd, const struct race_report *race);

enum channel_event_kind { CHANNEL_END, CHANNEL_KERNEL, CHANNEL_FAILURE, CHANNEL_REFUSAL, CHANNEL_RACE, CHANNEL_DAMAGED };
struct channel_event {
    enum channel_event_kind kind;
    struct kernel_result kernel; /* KERNEL: the receiver clears it */
    struct refusal refusal;
    struct race_report race;
    struct error error; /* FAILURE: what was sent; DAMAGED: what is wrong */
};
/* Waits for the next record, or until the process behind `ended_fd` (of pidfd_open) ends; `fd` does not block. */
void channel_receive(int fd, int ended_fd, const struct stat_group *const *groups, uint32_t group_count, struct channel_event *out);
#endif
