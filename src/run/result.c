/* result.c - the JSON tree of a result: kernels as they end, totals, the host's part. */
#include "run/result.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/json.h"
#include "base/log.h"
#include "base/symbol.h"
#include "base/text.h"
#include "base/version.h"
#include "energy/energy.h"
#include "param/param_json.h"
#include "run/channel.h"
#include "stat/stat_json.h"

struct result_builder {
    const struct result_run *run;
    json_t *result, *kernels;
    struct kernel_result sum;
};

static json_t *triple(const uint32_t v[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        (void)json_array_append_new(array, json_integer(v[i]));
    return array;
}

static void add(json_t *object, const char *name, json_t *value)
{
    if (json_object_set_new(object, name, value) != 0)
        panic("result member '%s' has no value", name); /* text that is not UTF-8 */
}

static json_t *text_to_json(const char *text)
{
    char *clean = json_clean_text(text);
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

struct result_builder *result_builder_new(const struct result_run *run)
{
    struct result_builder *b = must_calloc(1, sizeof *b);
    b->run = run;
    b->result = json_object();
    b->kernels = json_array();
    b->sum.counters = must_calloc(run->group_count, sizeof *b->sum.counters);
    for (uint32_t g = 0; g < run->group_count; g++)
        b->sum.counters[g] = must_calloc(1, run->groups[g]->size);
    json_t *policies = json_array();
    for (size_t i = 0; run->policies && i < run->policies->count; i++)
        (void)json_array_append_new(policies, text_to_json(run->policies->item[i]));
    add(b->result, "warpline", json_string(WARPLINE_VERSION));
    add(b->result, "schema", json_integer(RESULT_SCHEMA));
    add(b->result, "target", text_to_json(run->target));
    add(b->result, "policies", policies);
    add(b->result, "config", param_to_json(run->space));
    add(b->result, "kernels", b->kernels);
    return b;
}

void result_builder_structures(struct result_builder *b, json_t *structures)
{
    add(b->result, "structures", structures);
}

static void add_measures(json_t *object, const struct result_run *run, const struct kernel_result *k)
{
    add(object, "cycles", json_integer((json_int_t)k->cycles));
    add(object, "warp_instructions", json_integer((json_int_t)k->warp_instructions));
    add(object, "thread_instructions", json_integer((json_int_t)k->thread_instructions));
    add(object, "ipc", stat_ratio_to_json((double)k->thread_instructions, (double)k->cycles));
    add(object, "warp_ipc", stat_ratio_to_json((double)k->warp_instructions, (double)k->cycles));
    for (uint32_t g = 0; g < run->group_count; g++)
        json_set_dotted(object, run->groups[g]->name, stat_to_json(run->groups[g], k->counters[g]));
}

/* Every kernel of a run has the machine's links, in the same order. */
static void add_links(struct kernel_result *sum, const struct kernel_result *k)
{
    if (k->link_count && !sum->links) {
        sum->links = must_calloc(k->link_count, sizeof sum->links[0]);
        sum->link_count = k->link_count;
    }
    for (uint32_t i = 0; i < k->link_count; i++) {
        const uint64_t packets = sum->links[i].packets, bytes = sum->links[i].bytes;
        require(k->link_count == sum->link_count);
        sum->links[i] = k->links[i];
        sum->links[i].packets += packets;
        sum->links[i].bytes += bytes;
    }
}

static json_t *links_to_json(const struct kernel_result *sum)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < sum->link_count; i++) {
        const struct kernel_link *l = &sum->links[i];
        (void)json_array_append_new(list, json_pack("{s:I, s:I, s:I, s:I}", "from", (json_int_t)l->from, "to", (json_int_t)l->to,
                                                    "packets", (json_int_t)l->packets, "bytes", (json_int_t)l->bytes));
    }
    return list;
}

void result_builder_add(struct result_builder *b, const struct kernel_result *k)
{
    json_t *object = json_object();
    add(object, "name", text_to_json(k->name));
    add(object, "grid", triple(k->grid));
    add(object, "block", triple(k->block));
    if (k->ctas_per_sm)
        add(object, "ctas_per_sm", json_integer(k->ctas_per_sm));
    add(object, "complete", json_boolean(k->complete));
    add(object, "start_cycle", json_integer((json_int_t)k->start_cycle));
    add_measures(object, b->run, k);
    if (k->series.count)
        add(object, "series", stat_series_to_json(b->run->groups, b->run->group_count, &k->series));
    (void)json_array_append_new(b->kernels, object);
    add_links(&b->sum, k);
    b->sum.cycles += k->cycles;
    b->sum.threads = k->threads > b->sum.threads ? k->threads : b->sum.threads;
    b->sum.warp_instructions += k->warp_instructions;
    b->sum.thread_instructions += k->thread_instructions;
    for (uint32_t g = 0; g < b->run->group_count; g++)
        stat_add(b->run->groups[g], b->sum.counters[g], k->counters[g]);
}

void result_builder_race(struct result_builder *b, const char *kernel, const char *text)
{
    json_t *list = json_object_get(b->result, "races"), *object = json_object();
    if (!list) {
        list = json_array();
        add(b->result, "races", list);
    }
    add(object, "kernel", text_to_json(kernel));
    add(object, "text", text_to_json(text));
    (void)json_array_append_new(list, object);
}

/* "refused" is there when something was. */
void result_builder_refuse(struct result_builder *b, const struct refusal *refusal)
{
    json_t *list = json_object_get(b->result, "refused"), *object = json_object();
    if (!list) {
        list = json_array();
        add(b->result, "refused", list);
    }
    add(object, refusal->is_launch ? "kernel" : "call", text_to_json(refusal->name));
    add(object, "reason", text_to_json(refusal->reason));
    add(object, refusal->is_launch ? "dynamic_shared_bytes" : "bytes", json_integer((json_int_t)refusal->bytes));
    if (refusal->is_launch) {
        add(object, "grid", triple(refusal->grid));
        add(object, "block", triple(refusal->block));
    }
    (void)json_array_append_new(list, object);
}

static bool was_launched(const json_t *kernels, const char *name)
{
    for (size_t i = 0; i < json_array_size(kernels); i++)
        if (symbol_is_kernel(json_string_value(json_object_get(json_array_get(kernels, i), "name")), name))
            return true;
    return false;
}

/* A value for a kernel that never ran is most likely a typing mistake. */
static void name_missing_kernels(const struct result_builder *b)
{
    const struct param_kernel_list *list = param_kernels(b->run->space);
    for (size_t i = 0; list && i < list->count; i++)
        if (!was_launched(b->kernels, list->setting[i].kernel))
            log_warn("%s:%s: no kernel '%s' was launched, and nothing was changed by it", list->setting[i].kernel,
                     list->setting[i].key, list->setting[i].kernel);
}

uint32_t result_builder_threads(const struct result_builder *b)
{
    return b->sum.threads ? b->sum.threads : 1;
}

json_t *result_builder_finish(struct result_builder *b)
{
    json_t *result = b->result, *totals = json_object();
    name_missing_kernels(b);
    add(totals, "kernels", json_integer((json_int_t)json_array_size(b->kernels)));
    add_measures(totals, b->run, &b->sum);
    add(result, "totals", totals);
    if (b->sum.link_count)
        add(result, "links", links_to_json(&b->sum));
    energy_set_own(result);
    for (uint32_t g = 0; g < b->run->group_count; g++)
        free(b->sum.counters[g]);
    free(b->sum.counters);
    free(b->sum.links);
    free(b);
    return result;
}

void result_set_exit_code(json_t *result, int exit_code)
{
    add(result, "exit_code", json_integer(exit_code));
}

void result_set_host(json_t *result, double wall_seconds, uint32_t threads)
{
    struct rusage usage = { 0 };
    (void)getrusage(RUSAGE_SELF, &usage);
    json_t *host = json_object();
    add(host, "wall_seconds", json_real(wall_seconds));
    add(host, "warp_instructions_per_second",
        stat_ratio_to_json(json_number_dotted(result, "totals.warp_instructions", 0), wall_seconds));
    add(host, "cycles_per_second", stat_ratio_to_json(json_number_dotted(result, "totals.cycles", 0), wall_seconds));
    add(host, "threads", json_integer(threads));
    add(host, "peak_rss_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
    add(result, "host", host);
}

void result_write(const json_t *result, struct text_buffer *out)
{
    json_write(result, out);
}

bool result_number(json_t *result, const char *name, double *value)
{
    *value = json_number_dotted(json_object_get(result, "totals"), name, NAN);
    return !isnan(*value);
}
