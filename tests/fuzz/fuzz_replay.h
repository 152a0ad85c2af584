/* fuzz_replay.h - steps a CTA of a trace as the machine would, in turn, until its warps end, wait for each other, or enough was
 * seen. */
#pragma once
#include "base/error.h"
#include "front/front.h"

enum { STEPS_MAX = 20000, CTAS_MAX = 4 };

static bool step_all(struct front *front, struct front_cta *cta, struct error *err)
{
    bool progress = true;
    for (uint32_t steps = 0; progress && steps < STEPS_MAX;) {
        progress = false;
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            struct warp_step step;
            if (!cta->warps[w]->next || cta->warps[w]->waiting)
                continue;
            if (!front->ops->step(front, cta, w, &step, err))
                return false;
            require(step.inst >= front->launch.code && step.inst < front->launch.code + front->launch.code_count);
            progress = true;
            steps++;
        }
    }
    return true;
}
