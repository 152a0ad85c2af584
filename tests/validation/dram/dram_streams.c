/* dram_streams.c - runs address streams through the scheduler and banks of a DRAM channel, as the reference's trace driver does.
 *
 *     dram_streams CONFIG BYTES Q STREAM
 *
 * CONFIG is a built-in configuration or a file; STREAM has one request a line, "0xADDRESS R|W", of BYTES bytes each. At most one
 * request is offered per clock and at most Q reads are outstanding; a write is done once it is accepted. Prints: requests, clocks,
 * reads, mean read latency in clocks, activates, row hits. The slices' queues and the fixed latency in front of a channel are left
 * out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/machine.h"
#include "mem/dram_scheduler.h"
#include "param/param.h"

struct stream {
    struct request *r;
    size_t count;
};

static bool read_stream(const char *path, uint32_t bytes, const struct address_map_config *map, struct stream *out)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t room = 0;
    uint64_t address;
    char kind;
    while (fscanf(f, "%" SCNx64 " %c", &address, &kind) == 2) {
        if (out->count == room)
            out->r = must_realloc(out->r, (room = room ? 2 * room : 1024) * sizeof *out->r);
        struct request *r = &out->r[out->count++];
        *r = (struct request){ .address = address,
                               .bytes = bytes,
                               .write = kind == 'W',
                               .kind = kind == 'W' ? REQUEST_L2_WRITEBACK : REQUEST_GLOBAL_READ };
        address_map_place(map, r);
    }
    fclose(f);
    return true;
}

struct result {
    uint64_t clocks, reads, latency;
};

static struct result run(const struct dram_config *config, const struct stream *stream, uint64_t most_reads,
                         struct dram_counters *counters)
{
    struct dram_core core;
    dram_core_init(&core, config, counters);
    const struct dram_scheduler_kind *kind = dram_scheduler_of(config);
    struct dram_scheduler *s = kind->make(&core);
    struct result out = { 0 };
    size_t offered = 0;
    uint64_t outstanding = 0, t = 0;
    for (;;) {
        struct dram_access done;
        if (dram_pipe_take(&core.pipe, t, &done) && done.r && !done.write) {
            outstanding--;
            out.reads++;
            out.latency += t - done.r->issued;
        }
        kind->tick(s, t);
        bool more = false;
        if (offered < stream->count) {
            struct request *r = &stream->r[offered];
            if (core.room[r->write] && (r->write || outstanding < most_reads)) {
                r->issued = t + 1;
                kind->add(s, r, t);
                outstanding += !r->write;
                offered++;
                more = true;
            }
        } else if (outstanding == 0)
            break;
        uint64_t next = kind->next_event(s, t);
        if (dram_pipe_due(&core.pipe) < next)
            next = dram_pipe_due(&core.pipe);
        t = more || next <= t ? t + 1 : next;
    }
    out.clocks = t;
    kind->release(s);
    dram_core_clear(&core);
    return out;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: dram_streams CONFIG BYTES Q STREAM\n");
        return CODE_USAGE;
    }
    struct error err;
    struct machine_config *machine = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(machine, space);
    bool ok = param_load(space, argv[1], &err);
    machine->map.channels = machine->map.slices_per_channel = 1;
    if (!ok || !machine_config_check(machine, &err)) {
        fprintf(stderr, "dram_streams: %s\n", err.text);
        return CODE_INPUT;
    }
    struct stream stream = { 0 };
    if (!read_stream(argv[4], (uint32_t)strtoul(argv[2], NULL, 10), &machine->map, &stream)) {
        perror(argv[4]);
        return CODE_INPUT;
    }
    struct dram_counters counters = { 0 };
    const struct result r = run(&machine->dram, &stream, strtoull(argv[3], NULL, 10), &counters);
    printf("%zu %" PRIu64 " %" PRIu64 " %.4f %" PRIu64 " %" PRIu64 "\n", stream.count, r.clocks, r.reads,
           r.reads ? (double)r.latency / (double)r.reads : 0.0, counters.activates, counters.row_hits);
    free(stream.r);
    param_space_free(space);
    machine_config_free(machine);
    return CODE_OK;
}
