/* host_poll.c - finds kernels that wait for the host. A launch runs to its end before the host goes on. So a word of mapped or
 * managed memory that the host would set after the launch never changes, and the kernel waits for ever. That cannot be helped
 * here, but it can be reported. */
#include "exec/engine.h"

#include <inttypes.h>
#include <stdio.h>

/* Looking costs time. So it begins after a while, and pauses when nothing is found. */
enum { LOOKS = 100000, REST = 16 << 20, ENOUGH = 1000 };

void host_poll_look(struct warp *w, const struct xop *x)
{
    struct run *run = w->run;
    struct host_poll *p = &run->poll;
    if (++p->looks % LOOKS == 0)
        p->from = run->instructions + REST;
    if (x->inst->op == OP_ST || x->inst->op == OP_ATOM || x->inst->op == OP_RED) { /* it does something else as well */
        p->count = 0;
        return;
    }
    if (x->inst->op != OP_LD || run->space != SPACE_GLOBAL || !w->executed)
        return;
    const uint64_t address = run->address[__builtin_ctz(w->executed)];
    const struct range *range = memory_find(&run->device->memory, address);
    if (!range || range->kind != RANGE_HOST || address != p->address || x != p->at) {
        p->address = address;
        p->at = x;
        p->count = 0;
        return;
    }
    if (++p->count < ENOUGH)
        return;
    p->from = UINT64_MAX;
    (void)fprintf(stderr,
                  "warpline: kernel %s has done %" PRIu64 " warp instructions and reads the host's word at 0x%" PRIx64
                  " over and over (%s:%u): a launch runs to its end before the host goes on, so what the host would set after it "
                  "stays as it is\n",
                  run->front.launch.kernel, run->instructions, address, run->image->routines[0].module->ptx->file, x->inst->line);
}
