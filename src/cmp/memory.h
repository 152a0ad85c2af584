/* memory.h - the chip's side of DRAM: lines go to the channels of src/mem and come back; cycles are the chip's. */
#ifndef WARPLINE_CMP_MEMORY_H
#define WARPLINE_CMP_MEMORY_H
#include "mem/dram_channel.h"
#include "policy/policy.h"

struct cmp_machine;
struct cmp_memory;
/* Told for each line that was read, in order of time. */
typedef void cmp_arrived(void *context, uint32_t fetch, uint64_t cycle);
struct cmp_memory *cmp_memory_new(const struct cmp_machine *machine, cmp_arrived *arrived, void *context);
void cmp_memory_free(struct cmp_memory *m);

/* `fetch` comes back with the line; writes do not come back. `cycle` never goes down. */
void cmp_memory_send(struct cmp_memory *m, uint64_t address, bool write, uint32_t fetch, uint64_t cycle);
/* The cycle of the next thing that happens; UINT64_MAX: nothing will. */
uint64_t cmp_memory_next(const struct cmp_memory *m);
void cmp_memory_step(struct cmp_memory *m); /* does what happens then */
/* Bank, row and who waits there, as a policy asks. */
void cmp_memory_view(const struct cmp_memory *m, uint64_t address, struct policy_dram_view *out);
void cmp_memory_counters(struct cmp_memory *m, struct dram_counters *out);
#endif
