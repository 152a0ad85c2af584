/* x86_inst.h - one x86-64 instruction as a trace has it: class, kind of branch, registers. Addresses come from the run. */
#ifndef WARPLINE_RUN_QEMU_X86_INST_H
#define WARPLINE_RUN_QEMU_X86_INST_H
#include "trace/cpu_trace.h"

struct x86_decoder;
struct x86_decoder *x86_decoder_new(void); /* NULL: no decoder in this capstone */
/* Fills all of `out` but its addresses. *repeats: a string instruction with a rep prefix. */
void x86_decode(struct x86_decoder *d, uint64_t pc, const uint8_t *code, size_t bytes, struct cpu_inst *out, bool *repeats);
#endif
