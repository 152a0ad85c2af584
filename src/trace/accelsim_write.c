/* accelsim_write.c - writes a recording in Accel-Sim's trace format. */
#include "trace/accelsim_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "trace/accelsim_state.h"
#include "trace/wlt_format.h"

enum { CODE_BYTES_PER_LINE = 512, BINARY_VERSION = 70, SASS_REGISTERS = 255 };
/* Windows of the generic address space where no device of ours has memory. */
#define SHARED_BASE UINT64_C(0x00007f0000000000)
#define LOCAL_BASE UINT64_C(0x00007f0001000000)

/* An atomic by generic address that lies in shared memory is written as one on shared memory. Accel-Sim checks the window of
 * generic loads and stores, but takes every ATOM for global memory. */
enum static_kind { AS_IT_IS, IN_SHARED, STATIC_KINDS };

struct kernel_writer {
    FILE *file;
    const char *path;
    struct text_buffer warp; /* its lines, until their number is known */
    /* Per instruction and kind: registers, opcode, width; empty until it is first executed. */
    struct text_buffer (*statics)[STATIC_KINDS];
};

/* ---- what an instruction is called ---------------------------------------------------------------------------------- */

static enum static_kind kind_of(const struct warp_step *step)
{
    return step->inst->class == CLASS_ATOMIC && step->inst->space == SPACE_GENERIC && step->executed && step->space == SPACE_SHARED
               ? IN_SHARED
               : AS_IT_IS;
}

static const char *memory_root(const struct inst *inst, enum static_kind kind)
{
    static const char *const loads[] = {
        [SPACE_GENERIC] = "LD.E", [SPACE_GLOBAL] = "LDG.E", [SPACE_SHARED] = "LDS",  [SPACE_LOCAL] = "LDL",
        [SPACE_CONST] = "LDC",    [SPACE_PARAM] = "LDC",    [SPACE_TEXTURE] = "TEX", [SPACE_NONE] = "LDG.E"
    };
    static const char *const stores[] = {
        [SPACE_GENERIC] = "ST.E", [SPACE_GLOBAL] = "STG.E", [SPACE_SHARED] = "STS",    [SPACE_LOCAL] = "STL",
        [SPACE_CONST] = "STL",    [SPACE_PARAM] = "STL",    [SPACE_TEXTURE] = "STG.E", [SPACE_NONE] = "STG.E"
    };
    if (inst->class == CLASS_TEXTURE)
        return "TEX";
    if (inst->class == CLASS_ATOMIC)
        return inst->space == SPACE_SHARED || kind == IN_SHARED ? "ATOMS.ADD"
               : inst->space == SPACE_GLOBAL                    ? "ATOMG.E.ADD"
                                                                : "ATOM.E.ADD";
    return inst->class == CLASS_LOAD ? loads[inst->space] : stores[inst->space];
}

static const char *root_of(const struct inst *inst, enum static_kind kind, bool waits)
{
    static const char *const roots[CLASS_COUNT] = {
        [CLASS_INT_ADD] = "IADD3",   [CLASS_INT_MAX] = "IMNMX",       [CLASS_INT_MUL] = "IMUL",
        [CLASS_INT_MAD] = "IMAD",    [CLASS_INT_MUL24] = "IMUL",      [CLASS_INT_MAD24] = "IMAD",
        [CLASS_INT_DIV] = "IMAD.HI", [CLASS_SHFL] = "SHFL.IDX",       [CLASS_FP_ADD] = "FADD",
        [CLASS_FP_MAX] = "FMNMX",    [CLASS_FP_MUL] = "FMUL",         [CLASS_FP_MAD] = "FFMA",
        [CLASS_FP_DIV] = "MUFU.RCP", [CLASS_DP_ADD] = "DADD",         [CLASS_DP_MAX] = "DSETP",
        [CLASS_DP_MUL] = "DMUL",     [CLASS_DP_MAD] = "DFMA",         [CLASS_DP_DIV] = "MUFU.RCP64H",
        [CLASS_MOVE] = "MOV",        [CLASS_SFU] = "MUFU.EX2",        [CLASS_TENSOR] = "HMMA.884.F32.F32",
        [CLASS_BRANCH] = "BRA",      [CLASS_CALL] = "CALL.REL.NOINC", [CLASS_RETURN] = "RET.REL.NODEC",
        [CLASS_EXIT] = "EXIT",       [CLASS_FENCE] = "MEMBAR.SC.GPU", [CLASS_NOP] = "NOP",
        [CLASS_CONVERT] = "MOV", /* as Accel-Sim times it */
    };
    if (inst->class == CLASS_BARRIER)
        return waits ? "BAR.SYNC.DEFER_BLOCKING" : "BAR.ARV";
    return wlt_has_addresses(inst) ? memory_root(inst, kind) : roots[inst->class];
}

static uint32_t width_of(const struct inst *inst)
{
    const uint32_t bytes = wlt_value_bytes(inst);
    return bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes == 2 ? 2 : 1;
}

static const char *width_suffix(uint32_t bytes)
{
    return bytes == 16 ? ".128" : bytes == 8 ? ".64" : bytes == 2 ? ".U16" : bytes == 1 ? ".U8" : "";
}

static uint32_t sass_register(uint16_t number)
{
    return (uint32_t)(number - 1) % SASS_REGISTERS;
}

static void append_static(struct text_buffer *out, const struct inst *inst, enum static_kind kind, bool waits)
{
    uint32_t sources = 0;
    for (uint32_t i = 0; i < inst->nsrc; i++)
        sources += inst->src[i] != 0;
    sources = sources < 4 ? sources : 4;
    if (inst->ndst && inst->dst[0])
        text_append(out, "1 R%u ", sass_register(inst->dst[0]));
    else
        text_append(out, "0 ");
    const bool memory = wlt_has_addresses(inst);
    const uint32_t width = memory ? width_of(inst) : 0;
    text_append(out, "%s%s %u", root_of(inst, kind, waits), memory ? width_suffix(width) : "", sources);
    for (uint32_t i = 0, given = 0; given < sources; i++)
        if (inst->src[i]) {
            text_append(out, " R%u", sass_register(inst->src[i]));
            given++;
        }
    text_append(out, " %u", width);
}

/* ---- lines ------------------------------------------------------------------------------------------------------------ */

/* One address and a stride where lanes lie side by side in mask and memory, else one address and differences. */
static void append_addresses(struct text_buffer *out, uint32_t mask, const uint64_t *address, uint64_t base)
{
    if (!mask) {
        text_append(out, " 1 0x0 0");
        return;
    }
    const uint32_t first = (uint32_t)__builtin_ctz(mask), shifted = mask >> first;
    const bool neighbours = (shifted & (shifted + 1)) == 0 && mask != 1u << first;
    const int64_t stride = neighbours ? (int64_t)(address[first + 1] - address[first]) : 0;
    bool regular = neighbours && stride >= INT32_MIN && stride <= INT32_MAX;
    for (uint32_t left = mask & (mask - 1); left && regular; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        regular = address[lane] - address[lane - 1] == (uint64_t)stride;
    }
    text_append(out, " %d 0x%" PRIx64, regular ? 1 : 2, address[first] + base);
    if (regular) {
        text_append(out, " %" PRId64, stride);
        return;
    }
    uint64_t last = address[first];
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        text_append(out, " %" PRId64, (int64_t)(address[lane] - last));
        last = address[lane];
    }
}

static uint64_t own_number(const struct warp_step *step)
{
    uint64_t number = step->inst->guarded ? (uint64_t)step->active << OWN_ACTIVE_SHIFT : 0;
    if (step->inst->class == CLASS_BARRIER)
        number |=
            step->barrier == FRONT_NO_BARRIER ? OWN_NO_BARRIER : step->barrier | (uint64_t)step->barrier_warps << OWN_WARPS_SHIFT;
    return number;
}

static bool append_line(struct kernel_writer *w, const struct inst *code, const struct warp_step *step, struct error *err)
{
    const uint32_t index = (uint32_t)(step->inst - code);
    const enum static_kind kind = kind_of(step);
    struct text_buffer *fixed = &w->statics[index][kind];
    if (!fixed->text)
        append_static(fixed, step->inst, kind, step->barrier == FRONT_NO_BARRIER || step->barrier_waits);
    text_append(&w->warp, "%04x %08x %s", index * 16, step->executed, fixed->text);
    if (wlt_has_addresses(step->inst)) {
        uint64_t base = 0;
        if (step->inst->space == SPACE_GENERIC && step->executed && kind == AS_IT_IS) {
            if (step->space != SPACE_GLOBAL && step->space != SPACE_SHARED && step->space != SPACE_LOCAL)
                return error_set(err, "%.300s: a generic access to a space that Accel-Sim's traces have no window for", w->path);
            base = step->space == SPACE_SHARED ? SHARED_BASE : step->space == SPACE_LOCAL ? LOCAL_BASE : 0;
        }
        append_addresses(&w->warp, step->executed, step->address, base);
    }
    text_append(&w->warp, " %" PRIu64 "\n", own_number(step));
    return true;
}

static bool write_warp(struct kernel_writer *w, struct front *front, struct front_cta *cta, uint32_t warp, struct error *err)
{
    uint64_t count = 0;
    text_buffer_clear(&w->warp);
    for (struct warp_step step; cta->warps[warp]->next; count++)
        if (!front->ops->step(front, cta, warp, &step, err) || !append_line(w, front->launch.code, &step, err))
            return false;
    (void)fprintf(w->file, "warp = %u\ninsts = %" PRIu64 "\n%s\n", warp, count, w->warp.text ? w->warp.text : "");
    return true;
}

static bool write_block(struct kernel_writer *w, struct front *front, uint32_t number, struct error *err)
{
    const uint32_t *grid = front->launch.grid;
    struct front_cta *cta = front->ops->cta_start(front, number, err);
    if (!cta)
        return false;
    (void)fprintf(w->file, "#BEGIN_TB\n\nthread block = %u,%u,%u\n\n", number % grid[0], number / grid[0] % grid[1],
                  number / grid[0] / grid[1]);
    bool ok = true;
    for (uint32_t i = 0; i < cta->warp_count && ok; i++)
        ok = write_warp(w, front, cta, i, err);
    front->ops->cta_end(front, cta);
    (void)fprintf(w->file, "#END_TB\n\n");
    return ok;
}

/* ---- files ------------------------------------------------------------------------------------------------------------- */

static void write_code(FILE *file, const struct front_launch *launch)
{
    struct bytes code = { 0 };
    wlt_code_write(&code, launch->code, launch->code_count);
    for (size_t i = 0; i < code.count; i++) {
        if (i % CODE_BYTES_PER_LINE == 0)
            (void)fprintf(file, "%s-warpline code = ", i ? "\n" : "");
        (void)fprintf(file, "%02x", code.data[i]);
    }
    (void)fprintf(file, "\n");
    bytes_free(&code);
}

static void write_header(FILE *file, const struct front_launch *l, uint64_t number)
{
    (void)fprintf(file, "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n", l->kernel,
                  number, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
    (void)fprintf(file, "-shmem = %u\n-nregs = %u\n-binary version = %d\n-cuda stream id = 0\n", l->shared_bytes,
                  l->registers_per_thread < SASS_REGISTERS ? l->registers_per_thread : SASS_REGISTERS, BINARY_VERSION);
    (void)fprintf(file, "-shmem base_addr = 0x%016" PRIx64 "\n-local mem base_addr = 0x%016" PRIx64 "\n", SHARED_BASE, LOCAL_BASE);
    (void)fprintf(file, "-nvbit version = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n");
    (void)fprintf(file, "-warpline launch = %u,%u,%u\n", l->registers_per_thread, l->registers_wanted, l->local_bytes);
    write_code(file, l);
    (void)fprintf(file, "\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
                        "[mem_addresses] immediate\n\n");
}

static bool close_file(FILE *file, const char *path, uint64_t *bytes, bool ok, struct error *err)
{
    const long end = ftell(file);
    const bool failed = ferror(file) != 0;
    *bytes += end > 0 ? (uint64_t)end : 0;
    if ((fclose(file) != 0 || failed) && ok)
        return error_set(err, "%.300s: cannot be written: %s", path, strerror(errno));
    return ok;
}

static bool write_kernel(struct wlt_reader *reader, uint64_t event, uint64_t number, const char *path, uint64_t *bytes,
                         struct error *err)
{
    struct front *front = wlt_reader_launch(reader, event, err);
    if (!front)
        return false;
    struct kernel_writer w = { .file = fopen(path, "w"), .path = path };
    bool ok = w.file || error_set(err, "%.300s: cannot be written: %s", path, strerror(errno));
    if (ok) {
        w.statics = must_calloc(front->launch.code_count, sizeof *w.statics);
        write_header(w.file, &front->launch, number);
        for (uint32_t i = 0; i < front->launch.cta_count && ok; i++)
            ok = write_block(&w, front, i, err);
        for (uint32_t i = 0; i < front->launch.code_count; i++)
            for (uint32_t kind = 0; kind < STATIC_KINDS; kind++)
                text_buffer_clear(&w.statics[i][kind]);
        free(w.statics);
        text_buffer_clear(&w.warp);
        ok = close_file(w.file, path, bytes, ok, err);
    }
    front->ops->destroy(front);
    return ok;
}

bool accelsim_write(struct wlt_reader *reader, const char *folder, uint64_t *bytes, struct error *err)
{
    struct text_buffer path = { 0 }, list = { 0 };
    uint64_t kernels = 0;
    bool ok = true;
    *bytes = 0;
    for (uint64_t i = 0; i < wlt_reader_event_count(reader) && ok; i++) {
        const struct wlt_event event = wlt_reader_event(reader, i);
        if (!event.is_kernel) {
            text_append(&list, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", event.address, event.bytes);
            continue;
        }
        text_buffer_clear(&path);
        text_append(&path, "%s/kernel-%" PRIu64 ".traceg", folder, ++kernels);
        text_append(&list, "kernel-%" PRIu64 ".traceg\n", kernels);
        ok = write_kernel(reader, i, kernels, path.text, bytes, err);
    }
    text_buffer_clear(&path);
    text_append(&path, "%s/kernelslist.g", folder);
    FILE *file = ok ? fopen(path.text, "w") : NULL;
    if (ok && !file)
        ok = error_set(err, "%.300s: cannot be written: %s", path.text, strerror(errno));
    if (file) {
        (void)fputs(list.text ? list.text : "", file);
        ok = close_file(file, path.text, bytes, ok, err);
    }
    text_buffer_clear(&path);
    text_buffer_clear(&list);
    return ok;
}
