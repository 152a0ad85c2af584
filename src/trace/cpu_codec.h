/* cpu_codec.h - instructions of a CPU as few bytes: encoder and decoder of the blocks of a .wct file.
 *
 * Both sides keep the same tables. Every distinct instruction (address, kind, direction of a branch, registers) has a number,
 * given in order of first appearance. Two things are guessed about each next instruction. Which one it is: the one that followed
 * last time, or, if that was wrong before, the one that followed after the same last branches. And where its memory operands
 * are: last address + last stride. A block is a chain of "this many right guesses" and "one instruction that was guessed wrong,
 * and how". */
#ifndef WARPLINE_TRACE_CPU_CODEC_H
#define WARPLINE_TRACE_CPU_CODEC_H
#include "trace/cpu_trace.h"

enum { CPU_BLOCK_INSTRUCTIONS = 1 << 20 };

struct cpu_codec;
struct cpu_codec *cpu_codec_new(void);
void cpu_codec_free(struct cpu_codec *codec);

/* Bytes of a block so far; grows. */
struct cpu_block {
    uint8_t *data;
    size_t count, room;
};
/* Adds an instruction. cpu_codec_end closes the block: call it before its bytes are taken. */
void cpu_codec_add(struct cpu_codec *codec, const struct cpu_inst *inst, struct cpu_block *block);
void cpu_codec_end(struct cpu_codec *codec, struct cpu_block *block);

/* Reading: a cursor into one block's bytes. Decodes `count` instructions; false when the bytes cannot be a block's. */
struct cpu_cursor {
    const uint8_t *at, *end;
    uint64_t run; /* right guesses still to come; UINT64_MAX before the block's first */
};
bool cpu_codec_decode(struct cpu_codec *codec, struct cpu_cursor *cursor, struct cpu_inst *out, size_t count);
#endif
