/* ptxas.h - a checked module as a machine runs it: what the assembler of a real tool chain would decide. */
#ifndef WARPLINE_PTXAS_PTXAS_H
#define WARPLINE_PTXAS_PTXAS_H
#include "ptx/ptx.h"

/* Fills `register_estimate` of every function, and spreads `uses_barriers` over calls. Once per module, before its kernels run. */
void ptxas_assign_resources(struct ptx_module *module);

/* How a machine sees code differently from what it is. All 0: it sees the code as it is. */
struct ptxas_view {
    uint32_t sources;      /* the scoreboard sees only this many register sources that are not vectors; 0: all */
    bool vote_reads;       /* and it treats the register that vote writes as one that it reads */
    bool barrier_writes;   /* the other way round: the register that names a barrier is one that bar.sync and bar.arrive write */
    bool last_space;       /* lanes of an access that point into several spaces count for the space of the last one */
    bool local_parameters; /* parameters of functions pass through local memory, and each function numbers its registers from 1 */
};
/* The timing view of a function's code: class, space, registers. One `struct inst` per ptx_inst, from the arena.
 * PCs start at `base_pc`. */
struct inst *ptxas_machine_code(struct ptx_module *module, const struct ptx_function *fn, uint64_t base_pc, struct ptxas_view view);
#endif
