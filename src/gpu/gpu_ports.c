/* gpu_ports.c - SMs that share a port of the networks (gpu.sms_per_port). A port is one queue into the network, so it matters who
 * puts into it first: in each cycle in which the port has work, the next of its SMs. CTAs, too, go to its SMs in turn, at most one
 * per cycle to a port. */
#include <stdlib.h>

#include "gpu/gpu_state.h"

void gpu_ports_new(struct gpu *gpu)
{
    const uint32_t sharers = gpu->config.gpu.sms_per_port, count = gpu->sm_count / sharers;
    if (sharers == 1)
        return;
    gpu->ports = must_calloc(count, sizeof *gpu->ports);
    for (uint32_t p = 0; p < count; p++)
        gpu->ports[p].last = sharers - 1;
}

/* Turns go on from one kernel to the next. In a kernel a port has work from the beginning until its last CTA has ended, and while
 * CTAs are left that it might get: in all cycles up to that one. */
void gpu_ports_start_kernel(struct gpu *gpu)
{
    const uint32_t sharers = gpu->config.gpu.sms_per_port;
    for (uint32_t p = 0; gpu->ports && gpu->launches && p < gpu->sm_count / sharers; p++) {
        struct gpu_port *port = &gpu->ports[p];
        const uint64_t until = port->ended > gpu->ports_last_cta ? port->ended : gpu->ports_last_cta;
        port->turn = (uint32_t)((port->turn + (until - gpu->ports_from) + 1) % sharers);
    }
    gpu->ports_from = gpu->ports_last_cta = gpu->clocks.count[CLOCK_CORE];
}

/* The n-th SM that is asked whether it has room: port by port from the one after the last, and in a port from the SM after the
 * port's last. */
uint32_t gpu_ports_nth(const struct gpu *gpu, uint32_t first, uint32_t n)
{
    const uint32_t sharers = gpu->config.gpu.sms_per_port, ports = gpu->sm_count / sharers;
    const uint32_t port = ((first + sharers - 1) / sharers + n / sharers) % ports;
    return port * sharers + (gpu->ports[port].last + 1 + n) % sharers;
}

void gpu_ports_got_cta(struct gpu *gpu, uint32_t sm, uint64_t now)
{
    const uint32_t sharers = gpu->config.gpu.sms_per_port;
    gpu->ports[sm / sharers].last = sm % sharers;
    gpu->ports_last_cta = now;
}

uint32_t gpu_ports_first(const struct gpu *gpu, uint32_t port, uint64_t now)
{
    if (!gpu->config.gpu.ports_in_turn)
        return 0;
    return (uint32_t)((gpu->ports[port].turn + (now - gpu->ports_from)) % gpu->config.gpu.sms_per_port);
}
