/* reference.c - the switches: one for each mistake of GPGPU-Sim, all off by default. configs/gtx480-gpgpusim.conf sets every
 * one. */
#include "reference/reference.h"

#define SLIP(field_, help_)                                                                                                        \
    {                                                                                                                              \
        .name = "reference." #field_, .type = PARAM_TYPE_BOOL, .offset = PARAM_FIELD(struct reference_config, field_, bool),       \
        .dflt = "false", .unit = "", .help = help_, .class = PARAM_REFERENCE                                                       \
    }
const struct param reference_params[] = {
    SLIP(unfused_fma, "fma and mad round the product too"),
    SLIP(cut_integers, "integer constants in PTX keep their low 32 bits alone, extended by their sign"),
    SLIP(reconverge_late, "lanes of a branch that some path leaves by ret or exit meet again only at the function's end"),
    SLIP(never_yield, "lanes that spin never let other lanes of their warp go on; a lock within a warp then hangs"),
    SLIP(divergent_barriers,
         "a barrier that part of a warp reaches counts for all of it, as before Volta; otherwise it is an error"),
    SLIP(wake_arrived,
         "a barrier that completes wakes every warp that arrived there, also those of bar.arrive that wait at another one by now"),
    SLIP(calls_through_local,
         "parameters of functions pass through local memory, and scoreboards take a function's registers for its caller's"),
    SLIP(
        forget_operands,
        "scoreboards do not see an instruction's fourth register nor that vote writes one, and take a barrier's name for a result"),
    SLIP(last_space,
         "an access whose lanes point into several spaces goes to the space of the last lane, with the addresses that all of them "
         "have in their own"),
    SLIP(recount_vectors, "instructions of a kernel count a vector load that ends with a hit in the L1 once per register"),
    SLIP(first_turn,
         "with rrr, the first instruction that a scheduler issues is one of warp 0, whichever scheduler that belongs to"),
    SLIP(fences_wait,
         "with lrr, rrr and two-level, a fence that is over empties the L1 when its scheduler looks at the warp, not at once"),
    SLIP(late_atomics,
         "an atomic changes memory when its answer leaves the L2 (or the pipeline of shared memory), not when it is issued: "
         "the order of warps is then the memory's"),
    SLIP(mask_sets,
         "caches whose sets are no power of two use only those that a mask of one less leaves: of 48 sets 0 to 15 and 32 to 47"),
    SLIP(l1_blind_fills,
         "data fill the way of the L1 that their miss took, whatever it holds by then, and a load that joins a miss after its "
         "line has gone reserves one that nobody fills; without sectors a line's written bytes outlive it"),
    SLIP(misplace_writebacks, "a dirty line (local memory) of the L1 is written back to the slice of the miss that replaces it"),
    SLIP(l2_blind_fills,
         "data fill the way of the L2 that their miss took, whatever it holds by then, and a read that joins a miss after its "
         "line has gone reserves a sector that nobody fills; with l2.ways=1 a kernel may hang by it, as there"),
    SLIP(misplace_upper_half, "64-byte stores to the upper half of a line reach the line after it in the L2"),
    SLIP(constants_share_mshr,
         "both sectors of a 64-byte constant read wait for the first one's data in the L2, and the second is fetched again"),
    SLIP(masks_add_up,
         "the written bytes of a 128-byte store's sector count those of the sectors before it, so that a part-written sector "
         "with 32 in all passes for whole in the L2"),
    SLIP(copies,
         "copies from the device to the host leave their sectors in the L2, too, clean; memset and copies within the device "
         "or by a symbol's name do not"),
    SLIP(rounded_clocks, "clock periods are added up rounded to doubles; dram.latency and l2.rop_latency count core cycles"),
    SLIP(clocks_go_on, "a kernel does not begin with a tick of all clocks: they go on from where the last one ended (Accel-Sim)"),
    SLIP(follow_trace, "instructions are decoded in the order of the trace: a branch that is taken costs no fetch (Accel-Sim)"),
    SLIP(as_listed,
         "instructions of Accel-Sim's traces are what their lines say: a wide result keeps one register waiting, every barrier is "
         "the block's only one and is waited for, ATOM is of global memory, and warpline's own table in the header is passed over "
         "(Accel-Sim)"),
    SLIP(late_writebacks, "write-backs of the L2 that are under way when a kernel ends wait for the next kernel's clocks"),
    PARAM_END
};
#undef SLIP

const struct param_moved reference_moved[] = {
    { "exec.fma", "reference.unfused_fma" },
    { "exec.reconverge_late", "reference.reconverge_late" },
    { "exec.forget_operands", "reference.forget_operands" },
    { "exec.reference_calls", "reference.calls_through_local" },
    { "exec.divergent_barriers", "reference.divergent_barriers" },
    { "sm.recount_vectors", "reference.recount_vectors" },
    { "l1.blind_fills", "reference.l1_blind_fills" },
    { "l1.misplace_writebacks", "reference.misplace_writebacks" },
    { "l2.blind_fills", "reference.l2_blind_fills" },
    { "l2.misplace_upper_half", "reference.misplace_upper_half" },
    { "l2.constants_share_mshr", "reference.constants_share_mshr" },
    { "l2.masks_add_up", "reference.masks_add_up" },
    { "l2.reference_copies", "reference.copies" },
    { "gpu.late_atomics", "reference.late_atomics" },
    { "gpu.rounded_clocks", "reference.rounded_clocks" },
    { "gpu.late_writebacks", "reference.late_writebacks" },
    { NULL, NULL },
};

/* The scoreboard has no room for a fourth register that is not part of a vector. It treats the register that vote writes as one
 * that it reads, and the first register of a barrier as one that it writes. */
struct ptxas_view reference_view(const struct reference_config *config)
{
    return (struct ptxas_view){ .sources = config->forget_operands ? 3 : 0,
                                .vote_reads = config->forget_operands,
                                .barrier_writes = config->forget_operands,
                                .last_space = config->last_space,
                                .local_parameters = config->calls_through_local };
}
