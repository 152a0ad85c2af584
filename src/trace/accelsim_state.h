/* accelsim_state.h - the inside of the reader of Accel-Sim's traces. */
#ifndef WARPLINE_TRACE_ACCELSIM_STATE_H
#define WARPLINE_TRACE_ACCELSIM_STATE_H
#include "base/text.h"
#include "trace/accelsim.h"
#include "trace/replay.h"
#include "trace/text_stream.h"

enum {
    SASS_CODE_ROOM = 1 << 18,    /* WLT_MOST_CODE; accelsim_options.code_room when it is 0 */
    SASS_WINDOW_BYTES = 1 << 24, /* shared and local memory each have a window of 16 MiB in the generic address space */
    SASS_NO_RESULT = 384,        /* registers from here on, 96 of them, stand for the results of loads that have none */
    SASS_TOP_REGISTER = 511,     /* no register's number is higher */
};

struct list_event {
    bool is_kernel;
    uint64_t address, bytes;
    char *path;
};

struct unknown_opcode {
    char *name;
    uint64_t count;
};

/* The static part of an instruction line: as long as a line's text equals it, nothing of it is parsed again. */
struct static_line {
    char *text; /* NULL: not seen yet */
    uint32_t length;
    uint32_t other; /* another instruction at the same address; 0 none */
    bool has_addresses, arrives, copies, bulk;
    uint32_t unknown; /* 1 + place in unknown_opcodes; 0: known */
};

struct accelsim_list {
    char *path;
    struct accelsim_options options;
    struct list_event *events;
    uint64_t event_count;
    uint64_t oddities[ODD_COUNT];
    struct text_buffer first[ODD_COUNT]; /* where each came up first: file and line */
    struct unknown_opcode *unknown;
    uint32_t unknown_count;
    uint64_t instruction_lines;
    struct inst *code;         /* options.code_room entries, used by one kernel at a time */
    struct static_line *lines; /* the same */
    uint32_t *used;            /* which entries the kernel has filled */
    uint32_t used_count;
    uint32_t code_count; /* entries of `code` that are made; the rest of the room costs no memory */
};

/* What a kernel file's header says. */
struct kernel_header {
    char *name;
    uint32_t grid[3], block[3];
    uint64_t shared_bytes, registers, binary_version, tracer_version, line_info;
    uint64_t shared_base, local_base;
    /* Of traces that we wrote (accelsim_write.h); `own_code` is empty in others. */
    struct bytes own_code;
    uint32_t own_launch[3]; /* registers per thread, registers wanted, local bytes */
};

struct kernel_text {
    struct cta_source source;
    struct accelsim_list *list;
    char *path;
    struct text_stream *stream;
    struct kernel_header header;
    struct warp_encoder *warps;
    struct inst *own_code; /* the table in the header of a trace that we wrote, else NULL; the lines' static parts say less */
    uint32_t own_code_count;
    uint32_t code_shift; /* log2 of an instruction's bytes: 16 from Volta on, 8 before */
    uint32_t next_other; /* where the next instruction with a used address goes, from the top of the table down */
    uint32_t blocks_read;
};

bool accelsim_error(const struct kernel_text *k, struct error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));
void accelsim_odd(const struct kernel_text *k, enum accelsim_oddity what);
/* accelsim_header.c: reads up to the first line of the body. */
bool accelsim_header_read(struct kernel_text *k, struct error *err);
/* accelsim_line.c: one instruction line, [at, end), into the encoder. */
bool accelsim_line_read(struct kernel_text *k, struct warp_encoder *warp, const char *at, const char *end, struct error *err);
/* Empties the table for the next kernel. */
void accelsim_code_clear(struct accelsim_list *list);
/* Makes the entries up to `count`. */
void accelsim_code_grow(struct accelsim_list *list, uint32_t count);
#endif
