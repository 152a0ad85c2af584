/* program.c - small PTX programs around one instruction, and running them. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prologue[] =
    ".visible .entry k(.param .u64 OUT, .param .u64 IN, .param .u32 N)\n{\n"
    ".reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<20>;\n.reg .b64 %q<40>;\n.reg .f64 %g<10>;\n"
    ".reg .b32 %i, %t;\n.reg .b64 %out, %in, %outs, %ins;\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmad.lo.u32 %i, %r0, %r1, %t;\n"
    "ld.param.u64 %outs, [OUT];\nld.param.u64 %ins, [IN];\nmul.wide.u32 %q0, %i, 4;\nadd.s64 %out, %outs, %q0;\nadd.s64 %in, %ins, "
    "%q0;\n";

static bool launch_program(struct program *p, struct device *device)
{
    uint64_t params[3] = { device_alloc(device, sizeof p->out), device_alloc(device, sizeof p->in), PROGRAM_WORDS };
    struct launch launch = { .kernel = device_find_kernel(device, NULL, "k"),
                             .grid = { p->grid ? p->grid : 1, 1, 1 },
                             .block = { p->block ? p->block : 32, 1, 1 },
                             .dynamic_shared_bytes = p->shared_bytes,
                             .params = (const uint8_t *)params,
                             .param_bytes = sizeof params,
                             .static_shared_override = UINT32_MAX,
                             .cooperative = p->cooperative };
    if (!launch.kernel || !device_write(device, params[0], p->out, sizeof p->out, &p->err) ||
        !device_write(device, params[1], p->in, sizeof p->in, &p->err))
        return false;
    if (p->prepare)
        p->prepare(device, p->context);
    struct front *front = exec_launch(device, &launch, NULL, &p->err);
    if (!front)
        return false;
    bool ok = exec_run_functional(front, 10000000, &p->result, &p->err);
    front->ops->destroy(front);
    return ok && device_read(device, params[0], p->out, sizeof p->out, &p->err);
}

bool program_run(struct program *p)
{
    static const char header[] = ".version 7.8\n.target sm_80\n.address_size 64\n";
    size_t size = sizeof header + sizeof prologue + strlen(p->body) + (p->before ? strlen(p->before) : 0) + 64;
    char *text = malloc(size);
    if (p->options.memory_bytes == 0) {
        p->options.memory_bytes = 1 << 22;
        p->options.heap_bytes = 1 << 16;
        p->options.fused_fma = true;
    }
    (void)snprintf(text, size, "%s%s%s%s\nret;\n}\n", header, p->before ? p->before : "", prologue, p->body);
    struct device *device = device_new(&p->options, &p->err);
    struct ptx_module *ptx = ptx_parse("program.ptx", text, strlen(text), &p->err);
    bool ok = device && ptx && device_load_module(device, ptx, &p->err) && launch_program(p, device);
    device_free(device);
    free(text);
    return ok;
}
