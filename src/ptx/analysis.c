/* analysis.c - runs the analyses over a module. */
#include "ptx/analysis.h"

void analysis_run(struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        struct ptx_function *fn = &module->functions[f];
        if (!fn->is_defined)
            continue;
        struct flow *flow = flow_new(fn);
        flow_set_reconvergence(flow, fn);
        flow_free(flow);
    }
}
