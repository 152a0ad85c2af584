/* wlt.h - warpline's own trace: what every warp of a run executed, small enough to keep and quick enough to replay.
 *
 * A file is a header, chunks and a trailer (docs/traces.md has every field). Chunks are compressed (zstd) and checked; blocks of
 * CTAs lie in the order in which CTAs ended, and each kernel's index says where a CTA is, so that a replay reads CTAs as they are
 * dispatched and holds a few blocks at a time.
 *
 * Recording is a front end around another: it forwards every call and writes down what each step returned. Replaying is a front
 * end of its own: divergence comes from the recorded masks, barriers are counted again, so that the machine's timing decides
 * which warp waits for which. */
#ifndef WARPLINE_TRACE_WLT_H
#define WARPLINE_TRACE_WLT_H
#include "base/error.h"
#include "front/front.h"

struct wlt_totals {
    uint64_t kernels, copies, warp_instructions;
    uint64_t file_bytes;
    uint64_t data_bytes;   /* values of stores and atomics, as they lie in the file before compression */
    uint64_t memory_bytes; /* what the host wrote, likewise */
    bool has_data;
};

struct wlt_writer;
/* The file is complete only after wlt_writer_finish: a reader refuses it before. `name` is what messages call it. `data`: values
 * are kept too: what stores and atomics leave in device memory, and what it holds when a kernel begins. Front ends without values
 * cannot be recorded then. */
struct wlt_writer *wlt_writer_open(const char *path, const char *name, const char *target, bool data, struct error *err);
/* The host wrote device memory. */
void wlt_writer_copy(struct wlt_writer *writer, uint64_t address, uint64_t bytes);
/* A front end that does what `inner` does and records it. It owns `inner`. Kernels are recorded one at a time. */
struct front *wlt_writer_record(struct wlt_writer *writer, struct front *inner);
/* Writes the directory and closes; false when something could not be written or a kernel did not run to its end. Frees the writer.
 */
bool wlt_writer_finish(struct wlt_writer *writer, struct wlt_totals *totals, struct error *err);

struct wlt_reader;
struct wlt_reader *wlt_reader_open(const char *path, struct error *err);
/* The same from an open file that the reader then owns; `name` for messages. */
struct wlt_reader *wlt_reader_open_fd(int fd, const char *name, struct error *err);
void wlt_reader_free(struct wlt_reader *reader);
void wlt_reader_totals(const struct wlt_reader *reader, struct wlt_totals *out);

/* What happened, in order. */
struct wlt_event {
    bool is_kernel;
    uint64_t address, bytes; /* copies */
};
uint64_t wlt_reader_event_count(const struct wlt_reader *reader);
struct wlt_event wlt_reader_event(const struct wlt_reader *reader, uint64_t index);
/* The front end of a kernel event; destroy it before the reader. With values, launch kernels in order and each once: device
 * memory is as the events before left it. */
struct front *wlt_reader_launch(struct wlt_reader *reader, uint64_t index, struct error *err);

/* True when the file begins like one of ours. */
bool wlt_recognise(const char *path);
#endif
