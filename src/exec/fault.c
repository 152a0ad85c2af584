/* fault.c - reports what a program did wrong, as compute-sanitizer would: kernel, block, thread, PTX line, address, and the
 * nearest allocation. The first fault of a run is kept and ends it. */
#include "exec/engine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int describe_place(const struct warp *w, const struct xop *x, uint32_t lane, char *text, size_t size)
{
    const struct run *run = w->run;
    const uint32_t *tid = (const uint32_t *)w->base[BASE_WARP];
    const struct routine *routine = &run->image->routines[w->frames[w->level].routine];
    return snprintf(text, size, "%s:%u: kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", routine->module->ptx->file, x->inst->line,
                    run->front.launch.kernel, w->cta->ctaid[0], w->cta->ctaid[1], w->cta->ctaid[2], tid[WARP_TID_X * LANES + lane],
                    tid[WARP_TID_Y * LANES + lane], tid[WARP_TID_Z * LANES + lane]);
}

static void record(struct warp *w, enum fault_kind kind, const char *place, const char *what)
{
    if (w->run->failed)
        return;
    w->run->failed = true;
    (void)error_set_fault(&w->run->fault, kind, "%s: %s", place, what);
}

void fault_plain(struct warp *w, const struct xop *x, uint32_t lane, const char *format, ...)
{
    char place[400], what[400];
    va_list args;
    (void)describe_place(w, x, lane, place, sizeof place);
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    record(w, FAULT_OTHER, place, what);
}

void fault_assert(struct warp *w, const struct xop *x, uint32_t lane, const char *text)
{
    char place[400];
    (void)describe_place(w, x, lane, place, sizeof place);
    record(w, FAULT_ASSERT, place, text);
}

void fault_misaligned(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write)
{
    char place[400], text[120];
    (void)describe_place(w, x, lane, place, sizeof place);
    (void)snprintf(text, sizeof text, "misaligned address: invalid %s of %u bytes at 0x%" PRIx64, write ? "write" : "read", bytes,
                   address);
    record(w, FAULT_MISALIGNED, place, text);
}

static void describe_range(const struct range *range, uint64_t address, char *text, size_t size)
{
    static const char *const kinds[] = { "allocation", "variable", "mapped host memory", "device heap block" };
    const uint64_t end = range->start + range->bytes, start = range->start + (range->kind == RANGE_HEAP ? HEAP_HEADER : 0);
    char where[64];
    if (address < start)
        (void)snprintf(where, sizeof where, "%" PRIu64 " bytes before", start - address);
    else if (address < end)
        (void)snprintf(where, sizeof where, "%" PRIu64 " bytes into", address - start);
    else
        (void)snprintf(where, sizeof where, "%" PRIu64 " bytes after the end of", address - end);
    (void)snprintf(text, size, "%s the %s%s%s of %" PRIu64 " bytes at 0x%" PRIx64, where, kinds[range->kind],
                   range->name ? " " : "", range->name ? range->name : "", end - start, start);
}

enum { MAX_WARNINGS = 20 };

static void warn(struct run *run, const char *place, const char *what)
{
    if (run->warnings++ < MAX_WARNINGS)
        (void)fprintf(stderr, "warpline: warning: %s: %s\n", place, what);
}

uint8_t *fault_access(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write,
                      const char *what)
{
    char place[400], near[300] = "", text[560];
    struct run *run = w->run;
    const struct memory *m = &run->device->memory;
    if (run->device->options.warn_out_of_bounds && run->warnings >= MAX_WARNINGS) /* reported often enough */
        return memset(run->nowhere, 0, sizeof run->nowhere);
    (void)describe_place(w, x, lane, place, sizeof place);
    if (!what) {
        const struct range *freed = memory_find_freed(m, address), *nearest = memory_nearest(m, address);
        what = freed ? "use after free" : address < NULL_PAGE_BYTES ? "null pointer" : "out of bounds";
        if (freed)
            describe_range(freed, address, near, sizeof near);
        else if (nearest)
            describe_range(nearest, address, near, sizeof near);
        else
            (void)snprintf(near, sizeof near, "nothing is allocated");
    }
    (void)snprintf(text, sizeof text, "%s: invalid %s of %u bytes at 0x%" PRIx64 "%s%s", what, write ? "write" : "read", bytes,
                   address, near[0] ? ", " : "", near);
    if (run->device->options.warn_out_of_bounds) {
        warn(run, place, text);
        return memset(run->nowhere, 0, sizeof run->nowhere);
    }
    const size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "; --set exec.out_of_bounds=warn goes on, with zeros");
    record(w, FAULT_ADDRESS, place, text);
    return NULL;
}

void fault_warn_unwritten(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes)
{
    char place[400], text[100];
    (void)describe_place(w, x, lane, place, sizeof place);
    (void)snprintf(text, sizeof text, "read of %u bytes at 0x%" PRIx64 " that were never written", bytes, address);
    warn(w->run, place, text);
}
