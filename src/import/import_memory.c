/* import_memory.c - caches, the network, addresses and DRAM. */
#include "import/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "N:32:128:4,L:L:m:N:H,S:64:8,8:0,32": kind, sets, line, ways; victim, write, allocate, on write, index; MSHRs, their number,
 * merges; miss queue, results, port. The last two may be left out. */
enum { KIND, SETS, LINE, WAYS, VICTIM, WRITE, ALLOCATE, ON_WRITE, INDEX, MSHR_KIND, MSHRS, MERGES, MISS_QUEUE };
struct cache {
    struct parts at;
    unsigned long results, port; /* 0: not given */
    bool there;
};

static struct cache read_cache(struct import *in, const char *option)
{
    struct cache c = { 0 };
    const char *tail = import_text(in, option, NULL);
    if (tail && strcmp(tail, "none") == 0)
        return c;
    c.at = import_parts(in, option, NULL, ":,", MISS_QUEUE + 1, MISS_QUEUE + 3);
    c.there = c.at.count > MISS_QUEUE;
    if (!c.there)
        return c;
    for (unsigned commas = 0; *tail && commas < 3; tail++)
        commas += *tail == ','; /* now at the miss queue */
    const char *colon = strchr(tail, ':'), *comma = strchr(tail, ',');
    c.results = colon ? strtoul(colon + 1, NULL, 10) : 0;
    c.port = comma ? strtoul(comma + 1, NULL, 10) : 0;
    return c;
}

/* What all caches have. */
static void set_cache(struct import *in, const char *option, const char *cache, const struct cache *c)
{
    static const char *const victims[][2] = { { "L", "lru" }, { "F", "fifo" } };
    static const char *const indexes[][2] = { { "L", "linear" }, { "H", "fermi-hash" }, { "X", "xor" }, { "P", "ipoly" } };
    static const struct {
        unsigned part;
        const char *parameter;
    } numbers[] = { { SETS, "sets" },          { LINE, "line" },          { WAYS, "ways" },
                    { MSHRS, "mshr_entries" }, { MERGES, "mshr_merges" }, { MISS_QUEUE, "miss_queue" } };
    char parameter[40];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        (void)snprintf(parameter, sizeof parameter, "%s.%s", cache, numbers[i].parameter);
        import_set(in, option, parameter, "%s", c->at.text[numbers[i].part]);
    }
    const char *victim = NULL, *index = NULL;
    for (size_t i = 0; i < sizeof victims / sizeof victims[0]; i++)
        if (strcmp(c->at.text[VICTIM], victims[i][0]) == 0)
            victim = victims[i][1];
    for (size_t i = 0; i < sizeof indexes / sizeof indexes[0]; i++)
        if (strcmp(c->at.text[INDEX], indexes[i][0]) == 0)
            index = indexes[i][1];
    if (!victim || !index) {
        import_refuse(in, option, "has the %s '%s', which is not modelled", victim ? "index" : "victim",
                      c->at.text[victim ? INDEX : VICTIM]);
        return;
    }
    (void)snprintf(parameter, sizeof parameter, "%s.replacement", cache);
    import_set(in, option, parameter, "%s", victim);
    (void)snprintf(parameter, sizeof parameter, "%s.index", cache);
    import_set(in, option, parameter, "%s", index);
}

/* How stores are treated: kind, write, on write. */
struct stores {
    const char *letters, *name;
};
static const char *stores_of(const struct cache *c, const struct stores *list)
{
    const char letters[] = { c->at.text[KIND][0], c->at.text[WRITE][0], c->at.text[ON_WRITE][0], '\0' };
    for (; list->letters; list++)
        if (strcmp(letters, list->letters) == 0)
            return list->name;
    return NULL;
}

static bool allocates(struct import *in, const char *option, const struct cache *c)
{
    const char *how = c->at.text[ALLOCATE];
    if (strcmp(how, "m") != 0 && strcmp(how, "f") != 0)
        import_refuse(in, option, "allocates by '%s'; m (at the miss) and f (at the fill) are modelled", how);
    return *how == 'm';
}

static void l1(struct import *in)
{
    static const struct stores ways[] = { { "NLN", "evict" }, { "NTN", "through" }, { "NEN", "evict-all" },
                                          { "NBN", "back" },  { "STL", "stay" },    { NULL, NULL } };
    const char *option = "-gpgpu_cache:dl1", *skip = "-gpgpu_gmem_skip_L1D";
    const struct cache c = read_cache(in, option);
    const unsigned long coalescer = import_number(in, "-gpgpu_coalesce_arch", "13");
    const bool enabled = !import_number(in, skip, "0") && c.there;
    import_set(in, c.there ? skip : option, "l1.enabled", enabled ? "true" : "false");
    if (!c.there)
        return;
    set_cache(in, option, "l1", &c);
    const char *stores = stores_of(&c, ways);
    if (!stores)
        import_refuse(in, option, "treats stores in a way that is not modelled; see docs/validation-options.md, \"Caches\"");
    else
        import_set(in, option, "l1.stores", "%s", stores);
    const bool sectors = c.at.text[KIND][0] == 'S';
    import_set(in, option, "l1.sectored", sectors ? "true" : "false");
    import_set(in, option, "l1.allocate_on_miss", allocates(in, option, &c) ? "true" : "false");
    import_set(in, option, "l1.port_bytes", "%lu", c.port);
    if (coalescer < 20)
        import_refuse(in, "-gpgpu_coalesce_arch", "is modelled from 20 on");
    import_set(in, "-gpgpu_coalesce_arch", "l1.sector_requests", coalescer >= 40 && sectors ? "true" : "false");
}

/* An L1 that has what the shared memory of a kernel leaves. */
static void unified(struct import *in)
{
    const unsigned long adaptive = import_number(in, "-gpgpu_adaptive_cache_config", "0"),
                        whole = import_number(in, "-gpgpu_unified_l1d_size", "0");
    import_set(in, "-gpgpu_unified_l1d_size", "l1.unified", "%luKiB", adaptive ? whole : 0);
    const char *sizes = import_text(in, "-gpgpu_shmem_option", "0");
    if (adaptive)
        import_set(in, "-gpgpu_shmem_option", "l1.shared_sizes", "%s", sizes);
}

static void readonly(struct import *in, const char *option, const char *cache)
{
    const struct cache c = read_cache(in, option);
    char parameter[40];
    if (!c.there)
        return;
    set_cache(in, option, cache, &c);
    (void)snprintf(parameter, sizeof parameter, "%s.allocate_on_miss", cache);
    import_set(in, option, parameter, allocates(in, option, &c) ? "true" : "false");
}

/* Its MSHRs are queues: of fragments, of requests, of what waits in order, of results. */
static void texture(struct import *in)
{
    const char *option = "-gpgpu_tex_cache:l1";
    const struct cache c = read_cache(in, option);
    if (!c.there)
        return;
    static const char *const shape[] = { "l1t.sets", "l1t.line", "l1t.ways" };
    for (unsigned i = 0; i < 3; i++)
        import_set(in, option, shape[i], "%s", c.at.text[SETS + i]);
    import_set(in, option, "l1t.fragments", "%s", c.at.text[MSHRS]);
    import_set(in, option, "l1t.miss_queue", "%s", c.at.text[MERGES]);
    import_set(in, option, "l1t.reorder", "%s", c.at.text[MISS_QUEUE]);
    import_set(in, option, "l1t.results", "%lu", c.results);
}

static void l2(struct import *in)
{
    static const struct stores ways[] = { { "SBL", "allocate" }, { "SBN", "around" }, { "STN", "through" }, { NULL, NULL } };
    const char *option = "-gpgpu_cache:dl2", *queues = "-gpgpu_dram_partition_queues";
    const struct cache c = read_cache(in, option);
    if (!c.there) {
        import_refuse(in, option, "is no L2; the simulator ends without one");
        return;
    }
    set_cache(in, option, "l2", &c);
    const char *stores = stores_of(&c, ways);
    if (!stores || !allocates(in, option, &c))
        import_refuse(in, option, "treats stores in a way that is not modelled; S with B:m:L, B:m:N and T:m:N are");
    else
        import_set(in, option, "l2.stores", "%s", stores);
    import_set(in, option, "l2.port_bytes", "%lu", c.port);
    const struct parts p = import_parts(in, queues, "8:8:8:8", ":", 4, 4);
    static const char *const names[] = { "l2.input_queue", "dram.slice_in", "dram.slice_out", "l2.output_queue" };
    for (unsigned i = 0; i < p.count; i++)
        import_set(in, queues, names[i], "%s", p.text[i]);
    const char *hash = "-gpgpu_memory_partition_indexing", *which = import_text(in, hash, "0");
    if (strcmp(which, "0") != 0 && strcmp(which, "2") != 0)
        import_refuse(in, hash, "is modelled as 0 and 2");
    import_set(in, hash, "map.slice_hash", "%s", *which == '2' ? "ipoly" : "none");
}

/* A number of the network's file, which the simulator knows by name too. */
static void router(struct import *in)
{
    static const struct {
        const char *option, *otherwise, *value;
    } only[] = { { "icnt:topology", "torus", "fly" }, { "icnt:n", "2", "1" },
                 { "icnt:num_vcs", "16", "1" },       { "icnt:subnets", "1", "2" },
                 { "icnt:routing_delay", "1", "0" },  { "icnt:input_speedup", "1", "1" },
                 { "icnt:output_speedup", "1", "1" } };
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
        if (strcmp(import_text(in, only[i].option, only[i].otherwise), only[i].value) != 0)
            import_refuse(in, only[i].option, "is modelled as %s only", only[i].value);
    const char *buffers = import_text(in, "icnt:vc_buf_size", "8"), *flit = import_text(in, "icnt:flit_size", "32");
    if (strcmp(flit, import_text(in, "-icnt_flit_size", "32")) != 0)
        import_refuse(in, "icnt:flit_size", "differs from -icnt_flit_size");
    import_set(in, "icnt:vc_buf_size", "net.input_flits", "%s", buffers);
    import_set(in, "icnt:ejection_buffer_size", "net.ejection_flits", "%s", import_text(in, "icnt:ejection_buffer_size", buffers));
    import_set(in, "icnt:input_buffer_size", "net.injection_flits", "%s", import_text(in, "icnt:input_buffer_size", "9"));
    import_set(in, "icnt:boundary_buffer_size", "net.boundary_flits", "%s", import_text(in, "icnt:boundary_buffer_size", "16"));
    import_set(in, "icnt:internal_speedup", "net.speedup", "%.0f", strtod(import_text(in, "icnt:internal_speedup", "1.0"), NULL));
}

static void network(struct import *in)
{
    const unsigned long mode = import_number(in, "-network_mode", "1");
    const char *entry = import_text(in, "-icnt_in_buffer_limit", "64"), *exit = import_text(in, "-icnt_out_buffer_limit", "64");
    if (mode == 1)
        router(in);
    else if (mode == 2) {
        import_set(in, "-icnt_in_buffer_limit", "net.injection_flits", "%s", entry);
        import_set(in, "-icnt_out_buffer_limit", "net.boundary_flits", "%s", exit);
    } else
        import_refuse(in, "-network_mode", "is modelled as 1 and 2");
    import_set(in, "-network_mode", "net.model", mode == 2 ? "crossbar" : "router");
}

static void append_bit(struct text_buffer *list, unsigned bit)
{
    text_append(list, "%s%u", list->length ? "," : "", bit);
}

/* "dramid@8;0000RRRR...BBBCCCCB.CCSSSSSS": from the highest bit of the address within a channel to the lowest. */
static void addresses(struct import *in)
{
    const char *option = "-gpgpu_mem_addr_mapping", *text = import_text(in, option, "none");
    unsigned shift;
    int used = 0;
    if (sscanf(text, "dramid@%u;%n", &shift, &used) != 1 || !used) {
        import_refuse(in, option, "is modelled as dramid@BIT;BITS");
        return;
    }
    struct text_buffer banks = { 0 }, columns = { 0 };
    unsigned bit = 0, first_row = 0, rows = 0;
    bool ok = true;
    for (const char *at = text + strlen(text); at-- > text + used;) {
        if (*at == '.')
            continue;
        if (*at == 'B')
            append_bit(&banks, bit);
        else if (*at == 'C' || *at == 'S')
            append_bit(&columns, bit);
        else if (*at == 'R')
            first_row = rows++ ? first_row : bit;
        else
            ok &= *at == '0' && rows; /* channel bits among the others, say */
        ok &= *at != 'R' || first_row + rows == bit + 1;
        bit++;
    }
    if (!ok || !rows || !banks.length || !columns.length)
        import_refuse(in, option, "is modelled with R above all others and in one piece, B, C and S below");
    else {
        import_set(in, option, "map.channel_shift", "%u", shift);
        import_set(in, option, "map.bank_bits", "%s", banks.text);
        import_set(in, option, "map.column_bits", "%s", columns.text);
        import_set(in, option, "map.row_first_bit", "%u", first_row);
        import_set(in, option, "map.row_bits", "%u", rows);
    }
    text_buffer_clear(&banks);
    text_buffer_clear(&columns);
}

static void timings(struct import *in)
{
    static const char *const names[][2] = { { "nbk", "banks" },  { "CCD", "ccd" },   { "RRD", "rrd" }, { "RCD", "rcd" },
                                            { "RAS", "ras" },    { "RP", "rp" },     { "RC", "rc" },   { "CL", "cl" },
                                            { "WL", "wl" },      { "CDLR", "cdlr" }, { "WR", "wr" },   { "nbkgrp", "bank_groups" },
                                            { "CCDL", "ccd_l" }, { "RTPL", "rtp_l" } };
    enum { NAMES = sizeof names / sizeof names[0] };
    const char *option = "-gpgpu_dram_timing_opt";
    const struct parts p = import_parts(in, option, NULL, ":", NAMES, NAMES);
    for (unsigned i = 0; i < p.count; i++) {
        const char *equals = strchr(p.text[i], '=');
        const size_t length = equals ? (size_t)(equals - p.text[i]) : 0;
        unsigned k = 0;
        while (k < NAMES && (strlen(names[k][0]) != length || strncmp(names[k][0], p.text[i], length) != 0))
            k++;
        if (!equals || k == NAMES) {
            import_refuse(in, option, "has '%s'; timings are written NAME=NUMBER", p.text[i]);
            return;
        }
        char parameter[40];
        (void)snprintf(parameter, sizeof parameter, "dram.%s", names[k][1]);
        import_set(in, option, parameter, "%s", equals + 1);
    }
}

static void dram(struct import *in)
{
    static const char *const schedulers[] = { "fcfs", "frfcfs" };
    const char *which = "-gpgpu_dram_scheduler", *queue = "-gpgpu_frfcfs_dram_sched_queue_size",
               *banks = "-dram_bnk_indexing_policy", *groups = "-dram_bnkgrp_indexing_policy",
               *writes = "-dram_seperate_write_queue_enable", *marks = "-dram_write_queue_size"; /* spelt so there */
    const unsigned long scheduler = import_number(in, which, "1"), entries = import_number(in, queue, "0"),
                        burst = import_number(in, "-gpgpu_dram_burst_length", "4"),
                        rate = import_number(in, "-dram_data_command_freq_ratio", "2");
    import_set(in, "-gpgpu_dram_buswidth", "dram.bus_bytes", "%lu",
               import_number(in, "-gpgpu_dram_buswidth", "4") * import_number(in, "-gpgpu_n_mem_per_ctrlr", "1"));
    if (scheduler > 1)
        import_refuse(in, which, "is modelled as 0 and 1");
    else
        import_set(in, which, "dram.scheduler", "%s", schedulers[scheduler]);
    if (entries)
        import_set(in, queue, "dram.queue", "%lu", entries);
    else if (scheduler == 1)
        import_refuse(in, queue, "is 0, a queue without end; give it a size");
    import_set(in, "-gpgpu_dram_burst_length", "dram.rtp", "%lu", rate ? burst / rate : 0);
    if (import_number(in, banks, "0") > 1)
        import_refuse(in, banks, "is modelled as 0 and 1");
    import_set(in, banks, "map.bank_xor", "%s", import_text(in, banks, "0"));
    if (import_number(in, groups, "0") > 1)
        import_refuse(in, groups, "is modelled as 0 and 1");
    import_set(in, groups, "dram.group_bits", import_number(in, groups, "0") ? "low" : "high");
    const struct parts p = import_parts(in, marks, "32:28:16", ":", 3, 3);
    if (p.count == 3)
        import_set(in, marks, "dram.write_queue", import_number(in, writes, "0") ? "%s,%s,%s" : "0,0,0", p.text[0], p.text[1],
                   p.text[2]);
    timings(in);
}

void import_memory(struct import *in)
{
    l1(in);
    unified(in);
    readonly(in, "-gpgpu_cache:il1", "l1i");
    readonly(in, "-gpgpu_const_cache:l1", "l1c");
    texture(in);
    l2(in);
    network(in);
    addresses(in);
    dram(in);
}
