/* cpu_trace.h - what a CPU's program executed, instruction by instruction: read and written in two formats.
 *
 * .wct, our own: usually under half a byte per instruction. ChampSim's: records of 64 bytes, plain or packed with xz, gzip or zstd,
 * told from ours by the first bytes. ChampSim's has no class of instruction; everything there is CPU_ALU.
 *
 * A .wct file is a header and blocks, each packed with zstd and with a check of its own, and a last block that says how many
 * instructions there are. A file without it was cut off. Inside (cpu_codec.c) an instruction is coded as "what the predictor
 * said" wherever it can be. */
#ifndef WARPLINE_TRACE_CPU_TRACE_H
#define WARPLINE_TRACE_CPU_TRACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum cpu_class { CPU_ALU, CPU_MULTIPLY, CPU_DIVIDE, CPU_FLOAT, CPU_FLOAT_DIVIDE, CPU_CLASSES };
enum { CPU_BRANCH = 1, CPU_CLASS_SHIFT = 4 }; /* of cpu_inst.kind */
enum { CPU_STORES = 2, CPU_LOADS = 4 };
/* Registers by the numbers that ChampSim's tools use. Other numbers have no special meaning. 0: none. */
enum { CPU_REG_SP = 6, CPU_REG_FLAGS = 25, CPU_REG_IP = 26 };

/* The layout is that of a ChampSim record, except for the class in `kind`. */
struct cpu_inst {
    uint64_t pc;
    uint8_t kind;  /* CPU_BRANCH, and enum cpu_class << CPU_CLASS_SHIFT */
    uint8_t taken; /* of a branch: 0 or 1 */
    uint8_t dest[2], source[4];
    uint64_t address[CPU_STORES + CPU_LOADS]; /* of memory that it writes, then of memory that it reads; 0: none */
};
_Static_assert(sizeof(struct cpu_inst) == 64, "a record of ChampSim's is 64 bytes");

static inline uint32_t cpu_inst_class(const struct cpu_inst *i)
{
    return i->kind >> CPU_CLASS_SHIFT;
}

/* Ours by its first bytes, or ChampSim's by its name: NAME.champsim or NAME.champsimtrace, with .xz, .gz or .zst or without. */
bool cpu_trace_recognises(const char *path);

struct cpu_trace;
/* A file that is not ours is taken for ChampSim's. */
struct cpu_trace *cpu_trace_open(const char *path, struct error *err);
void cpu_trace_free(struct cpu_trace *trace);
/* Up to `room` more instructions; *count is 0 only at the end. False, with one sentence: the file is damaged, cut off or
 * foreign. */
bool cpu_trace_read(struct cpu_trace *trace, struct cpu_inst *out, size_t room, size_t *count, struct error *err);
/* From the beginning again. */
bool cpu_trace_rewind(struct cpu_trace *trace, struct error *err);

/* Ours when the name ends with .wct, ChampSim's otherwise; the bytes go to `path`. */
struct cpu_trace_writer;
struct cpu_trace_writer *cpu_trace_writer_open(const char *path, const char *name, struct error *err);
bool cpu_trace_write(struct cpu_trace_writer *writer, const struct cpu_inst *insts, size_t count, struct error *err);
/* Completes and frees it, in every case. */
bool cpu_trace_writer_close(struct cpu_trace_writer *writer, struct error *err);
#endif
