/* timeline.c - what happened over time, for a trace viewer or as CSV. */
#include "run/timeline.h"

#include <string.h>

#include "base/atomic_file.h"
#include "base/json.h"

/* Tracks of the trace: counters that are read together, stacked by the viewer. */
static const struct track {
    const char *name;
    const char *part[6], *counter[6];
} tracks[] = {
    { "issue slots",
      { "issued", "waiting for a register", "pipe full", "no instruction" },
      { "sm.slots.issued", "sm.slots.scoreboard", "sm.slots.pipe", "sm.slots.idle" } },
    { "L1 loads", { "hit", "joined a miss", "missed", "bypassed" }, { "l1.hits", "l1.merged", "l1.misses", "l1.bypassed" } },
    { "L1 refusals",
      { "MSHR entries", "MSHR merges", "line allocation", "miss queue", "network" },
      { "l1.refused.mshr_entry", "l1.refused.mshr_merge", "l1.refused.line_alloc", "l1.refused.miss_queue",
        "l1.refused.network" } },
    { "L2 accesses", { "hit", "joined a miss", "missed" }, { "l2.hits", "l2.merged", "l2.misses" } },
    { "DRAM commands", { "reads", "writes", "activates" }, { "dram.reads", "dram.writes", "dram.activates" } },
    { "warp instructions", { "issued" }, { "sm.warp_instructions" } },
};

static json_int_t value_at(const json_t *counters, const char *name, size_t i)
{
    return json_integer_value(json_array_get(json_object_get(counters, name), i));
}

static size_t samples_of(json_t *counters)
{
    const char *name;
    json_t *values;
    json_object_foreach(counters, name, values)
        return json_array_size(values);
    return 0;
}

static bool is_machines(const char *name)
{
    static const char *const groups[] = { "sm.", "l1.", "l1i.", "l1c.", "l1t.", "l15.", "net.", "l2.", "dram.", "energy." };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strncmp(name, groups[i], strlen(groups[i])) == 0)
            return true;
    return false;
}

/* A technique's own counters: those whose names differ only in the last part share a track ("latte_cc.phases": none, low, high). */
static void add_techniques(json_t *events, json_t *counters, size_t i, json_int_t time)
{
    json_t *tracks_here = json_object(), *values, *parts;
    const char *name;
    json_object_foreach(counters, name, values) {
        const char *dot = strrchr(name, '.');
        char track[128];
        if (is_machines(name) || !dot)
            continue;
        (void)snprintf(track, sizeof track, "%.*s", (int)(dot - name), name);
        parts = json_object_get(tracks_here, track);
        if (!parts) {
            parts = json_object();
            json_object_set_new(tracks_here, track, parts);
        }
        json_object_set_new(parts, dot + 1, json_integer(json_integer_value(json_array_get(values, i))));
    }
    json_object_foreach(tracks_here, name, parts)
        json_array_append_new(events,
                              json_pack("{s:s, s:s, s:I, s:i, s:O}", "name", name, "ph", "C", "ts", time, "pid", 0, "args", parts));
    json_decref(tracks_here);
}

static void add_kernel(json_t *events, json_t *kernel)
{
    const json_int_t start = json_integer_value(json_object_get(kernel, "start_cycle"));
    json_array_append_new(events, json_pack("{s:s, s:s, s:I, s:I, s:i, s:i, s:{s:O, s:O, s:O}}", "name",
                                            json_string_value(json_object_get(kernel, "name")), "ph", "X", "ts", start, "dur",
                                            json_integer_value(json_object_get(kernel, "cycles")), "pid", 0, "tid", 0, "args",
                                            "grid", json_object_get(kernel, "grid"), "block", json_object_get(kernel, "block"),
                                            "ipc", json_object_get(kernel, "ipc")));
    json_t *counters = json_get_dotted(kernel, "series.counters");
    const json_int_t interval = json_integer_value(json_get_dotted(kernel, "series.interval"));
    for (size_t i = 0; i < samples_of(counters); i++) {
        add_techniques(events, counters, i, start + (json_int_t)i * interval);
        for (size_t t = 0; t < sizeof tracks / sizeof *tracks; t++) {
            json_t *parts = json_object();
            for (size_t p = 0; p < 6 && tracks[t].part[p]; p++)
                json_object_set_new(parts, tracks[t].part[p], json_integer(value_at(counters, tracks[t].counter[p], i)));
            json_array_append_new(events, json_pack("{s:s, s:s, s:I, s:i, s:o}", "name", tracks[t].name, "ph", "C", "ts",
                                                    start + (json_int_t)i * interval, "pid", 0, "args", parts));
        }
    }
}

void timeline_trace(json_t *result, struct text_buffer *out)
{
    json_t *events = json_array(), *kernel;
    size_t i;
    json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:{s:s}}", "name", "process_name", "ph", "M", "pid", 0, "args", "name",
                                            "GPU (1 us = 1 core cycle)"));
    json_array_foreach(json_object_get(result, "kernels"), i, kernel) add_kernel(events, kernel);
    json_t *all = json_pack("{s:o, s:s}", "traceEvents", events, "displayTimeUnit", "ns");
    json_write(all, out);
    json_decref(all);
}

void timeline_csv(json_t *result, struct text_buffer *out)
{
    json_t *names = json_object(), *kernel, *values; /* the union over kernels, in order of appearance */
    size_t k;
    const char *name;
    json_array_foreach(json_object_get(result, "kernels"), k, kernel)
        json_object_foreach(json_get_dotted(kernel, "series.counters"), name, values) json_object_set_new(names, name, json_true());
    text_append(out, "kernel,launch,cycle");
    json_object_foreach(names, name, values)
        text_append(out, ",%s", name);
    text_append(out, "\n");
    json_array_foreach(json_object_get(result, "kernels"), k, kernel)
    {
        json_t *counters = json_get_dotted(kernel, "series.counters");
        const json_int_t start = json_integer_value(json_object_get(kernel, "start_cycle")),
                         interval = json_integer_value(json_get_dotted(kernel, "series.interval"));
        for (size_t i = 0; i < samples_of(counters); i++) {
            text_append(out, "\"%s\",%zu,%lld", json_string_value(json_object_get(kernel, "name")), k,
                        (long long)(start + (json_int_t)i * interval));
            json_object_foreach(names, name, values)
                text_append(out, ",%lld", (long long)value_at(counters, name, i));
            text_append(out, "\n");
        }
    }
    json_decref(names);
}

bool timeline_write(json_t *result, const char *path, struct error *err)
{
    const char *dot = strrchr(path, '.');
    struct text_buffer text = { 0 };
    (dot && strcmp(dot, ".csv") == 0 ? timeline_csv : timeline_trace)(result, &text);
    const bool ok = atomic_file_write(path, text.text, text.length, err);
    text_buffer_clear(&text);
    return ok;
}
