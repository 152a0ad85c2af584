/* ptxas.h - a checked module as a machine runs it: what the assembler of a real tool chain would decide. */
#ifndef WARPLINE_PTXAS_PTXAS_H
#define WARPLINE_PTXAS_PTXAS_H
#include "ptx/ptx.h"

/* Fills `register_estimate` of every function, and spreads `uses_barriers` over calls. Once per module, before its kernels run. */
void ptxas_assign_resources(struct ptx_module *module);

/* Of the reference's ways, those that show in the timing view; see machine_code.c. */
struct ptx_slips {
    bool forget_operands, reference_calls;
};
/* The timing view of a function's code: class, space, registers. One `struct inst` per ptx_inst, from the arena.
 * PCs start at `base_pc`. */
struct inst *ptxas_machine_code(struct ptx_module *module, const struct ptx_function *fn, uint64_t base_pc, struct ptx_slips slips);
#endif
