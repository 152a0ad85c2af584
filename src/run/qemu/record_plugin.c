/* record_plugin.c - the plug-in that `warpline record-cpu` puts into qemu-x86_64: writes what a program executes into a trace.
 *
 * Each translated block is decoded once into a template. When the block runs, the template is copied behind what there is, and the
 * memory accesses that QEMU tells fill in its addresses. Whether its last branch was taken is known when the next block begins.
 * Several accesses of an instruction to one line of 64 bytes are one. QEMU runs each round of a `rep` as a block: rounds that stay
 * in the same lines are one instruction.
 *
 * The environment variable WARPLINE_RECORD_TO says where the bytes go, WARPLINE_RECORD_AS what the file will be called; the
 * arguments are skip=N, count=N, thread=N. QEMU gives its callbacks no context, so the state is one static struct; there is one
 * recording per process. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "run/qemu/qemu_plugin_abi.h"
#include "run/qemu/x86_inst.h"
#include "trace/cpu_trace.h"

enum { BUFFER = 65536, BLOCK_MAX = 1024, BUCKETS = 1 << 18, LINE_BYTES = 64 };

struct block {
    struct block *next; /* in its bucket */
    uint64_t address, digest;
    uint32_t count;
    uint8_t last_bytes; /* length of its last instruction */
    bool repeats;
    struct cpu_inst inst[];
};

static struct {
    qemu_plugin_id_t id;
    uint64_t skip, count, skipped, done;
    unsigned thread;
    bool finished, resetting;
    struct x86_decoder *decoder;
    struct cpu_trace_writer *writer;
    struct block *bucket[BUCKETS];
    struct cpu_inst buffer[BUFFER + BLOCK_MAX];
    uint32_t filled;
    const struct block *block; /* that runs */
    struct cpu_inst *first;    /* where it lies in the buffer */
} rec;

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

/* Half a trace in ChampSim's form looks like a whole one, so nothing is left of it. */
static void give_up(const struct error *err)
{
    (void)fprintf(stderr, "warpline: %s\n", err->text);
    (void)!truncate(getenv("WARPLINE_RECORD_TO"), 0);
    _exit(CODE_INPUT);
}

static void write_out(uint32_t count)
{
    struct error err;
    if (!cpu_trace_write(rec.writer, rec.buffer, count, &err))
        give_up(&err);
}

static void finish(void)
{
    struct error err;
    if (rec.finished)
        return;
    rec.finished = true;
    if (rec.done > rec.count)
        rec.filled -= (uint32_t)(rec.done - rec.count);
    write_out(rec.filled);
    if (!cpu_trace_writer_close(rec.writer, &err))
        give_up(&err);
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
    (void)id, (void)data;
    finish();
}

/* ---- what runs ---- */

static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    if (cpu != rec.thread || rec.finished || !rec.first)
        return;
    const bool store = qemu_plugin_mem_is_store(info);
    uint64_t *place = rec.first[(uintptr_t)data].address + (store ? 0 : CPU_STORES);
    for (uint32_t i = 0; i < (store ? CPU_STORES : CPU_LOADS); i++) {
        if (!place[i])
            place[i] = address;
        if (place[i] / LINE_BYTES == address / LINE_BYTES)
            return;
    }
}

static bool same_lines(const struct cpu_inst *a, const struct cpu_inst *b)
{
    for (uint32_t i = 0; i < CPU_STORES + CPU_LOADS; i++)
        if (a->address[i] / LINE_BYTES != b->address[i] / LINE_BYTES)
            return false;
    return true;
}

static bool has_no_access(const struct cpu_inst *inst)
{
    for (uint32_t i = 0; i < CPU_STORES + CPU_LOADS; i++)
        if (inst->address[i])
            return false;
    return true;
}

/* The block before has run. Now the direction of its last branch is known, and whether it repeated the instruction before it. */
static void close_block(uint64_t next)
{
    struct cpu_inst *last = rec.first + rec.block->count - 1;
    if (last->kind & CPU_BRANCH)
        last->taken = next != last->pc + rec.block->last_bytes;
    if (rec.block->repeats && last > rec.buffer && last[-1].pc == last->pc && (has_no_access(last) || same_lines(last, last - 1))) {
        rec.filled--;
        rec.done--;
    }
}

static void on_block(unsigned cpu, void *data)
{
    const struct block *b = data;
    if (cpu != rec.thread || rec.finished)
        return;
    if (rec.block)
        close_block(b->address);
    if (rec.done >= rec.count) {
        finish();
        _exit(0);
    }
    if (rec.filled >= BUFFER) { /* the last one stays: a repetition may follow */
        const struct cpu_inst last = rec.buffer[rec.filled - 1];
        write_out(rec.filled - 1);
        rec.buffer[0] = last;
        rec.filled = 1;
    }
    rec.first = rec.buffer + rec.filled;
    memcpy(rec.first, b->inst, b->count * sizeof *b->inst);
    rec.filled += b->count;
    rec.done += b->count;
    rec.block = b;
}

/* ---- translation ---- */

static uint64_t digest_of(const struct qemu_plugin_tb *tb, size_t count)
{
    uint64_t h = count;
    for (size_t i = 0; i < count; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        h = hash_bytes(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn), h);
    }
    return h;
}

/* QEMU translates the same code again and again; the templates are kept, since blocks that are still linked point to them. */
static const struct block *block_of(const struct qemu_plugin_tb *tb)
{
    const size_t count = qemu_plugin_tb_n_insns(tb);
    require(count <= BLOCK_MAX);
    const uint64_t address = qemu_plugin_tb_vaddr(tb), digest = digest_of(tb, count);
    struct block **bucket = &rec.bucket[hash_mix(address) % BUCKETS];
    for (struct block *b = *bucket; b; b = b->next)
        if (b->address == address && b->digest == digest)
            return b;
    struct block *b = must_calloc(1, sizeof *b + count * sizeof *b->inst);
    *b = (struct block){ .next = *bucket, .address = address, .digest = digest, .count = (uint32_t)count };
    for (size_t i = 0; i < count; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        bool repeats;
        b->last_bytes = (uint8_t)qemu_plugin_insn_size(insn);
        x86_decode(rec.decoder, qemu_plugin_insn_vaddr(insn), qemu_plugin_insn_data(insn), b->last_bytes, &b->inst[i], &repeats);
        b->repeats = repeats;
    }
    *bucket = b;
    return b;
}

static void translate_recorded(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const struct block *b = block_of(tb);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)b);
    for (uint32_t i = 0; i < b->count; i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         (void *)(uintptr_t)i);
}

static void start_recording(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate_recorded);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
}

/* While it skips, a block costs one call. Afterwards everything is translated anew. */
static void on_skipped_block(unsigned cpu, void *data)
{
    if (cpu != rec.thread)
        return;
    rec.skipped += (uintptr_t)data;
    if (rec.skipped >= rec.skip && !rec.resetting) {
        rec.resetting = true;
        qemu_plugin_reset(rec.id, start_recording);
    }
}

static void translate_skipped(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_skipped_block, QEMU_PLUGIN_CB_NO_REGS,
                                         (void *)(uintptr_t)qemu_plugin_tb_n_insns(tb));
}

static bool read_arguments(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        uint64_t v;
        if (sscanf(argv[i], "skip=%" SCNu64, &v) == 1)
            rec.skip = v;
        else if (sscanf(argv[i], "count=%" SCNu64, &v) == 1)
            rec.count = v;
        else if (sscanf(argv[i], "thread=%" SCNu64, &v) == 1)
            rec.thread = (unsigned)v;
        else
            return false;
    }
    return rec.count > 0;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    struct error err;
    const char *path = getenv("WARPLINE_RECORD_TO"), *name = getenv("WARPLINE_RECORD_AS");
    rec.id = id;
    if (strcmp(info->target_name, "x86_64") != 0 || !path || !name || !read_arguments(argc, argv))
        return -1;
    rec.decoder = x86_decoder_new();
    rec.writer = rec.decoder ? cpu_trace_writer_open(path, name, &err) : NULL;
    if (!rec.writer)
        return -1;
    if (rec.skip) {
        qemu_plugin_register_vcpu_tb_trans_cb(id, translate_skipped);
        qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    } else {
        start_recording(id);
    }
    return 0;
}
