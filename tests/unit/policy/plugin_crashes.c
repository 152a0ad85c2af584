/* A plug-in that crashes in the way that its parameter says: when a kernel starts, or on the last SM, which is another thread's
 * when there are several. */
#include <stdlib.h>

#include "policy/policy.h"

static const char *const ways[] = { "null", "abort", "divide", "recursion", "library", "last-sm", NULL };
enum way { NULL_POINTER, ABORT, DIVIDE, RECURSION, LIBRARY, LAST_SM };
struct config {
    uint32_t way;
};
static const struct param params[] = { PARAM_CHOICE(struct config, way, "way", "null", ways, "how it crashes"), PARAM_END };

static volatile int zero, ten = 10, depth;
static volatile char *volatile nowhere;
static int deeper(volatile const int *above)
{
    volatile int here[64] = { *above };
    depth++;
    return depth > 0 ? deeper(here) + here[depth % 64] : 0; /* for ever, though no compiler can tell */
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    switch (((const struct config *)self->config)->way) {
    case NULL_POINTER: *nowhere = 1; break;
    case ABORT: abort();
    case DIVIDE: zero = ten / zero; break;
    case RECURSION: zero = deeper(&zero); break;
    case LAST_SM: break;
    default: zero = atoi((const char *)nowhere); /* inside the C library */
    }
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    (void)gate;
    if (((const struct config *)self->config)->way == LAST_SM && v->resident && v->sm + 1 == self->geometry->sms)
        *nowhere = 1;
}

static const struct policy crashes = { .name = "crashes",
                                       .summary = "for tests",
                                       .source = "here",
                                       .params = params,
                                       .config_size = sizeof(struct config),
                                       .gpu.kernel_start = kernel_start,
                                       .sm.warp_gate = warp_gate };
POLICY_PLUGIN(&crashes);
