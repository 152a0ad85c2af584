/* run_cpu.c - runs traces of CPUs and makes a result of what their cores did. */
#include "run/run_cpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"
#include "gpu/machine.h"
#include "run/result.h"

/* "cpu:NAME" is one of the programs that scripts/record-cpu-programs.sh records. */
#define NAMED "cpu:"

static void add_part(struct text_list *traces, const char *part)
{
    const char *folder = getenv("WARPLINE_CPU_TRACES");
    struct text_buffer path = { 0 };
    if (strncmp(part, NAMED, strlen(NAMED)) == 0)
        text_append(&path, "%s/%s.wct", folder ? folder : "cpu-traces", part + strlen(NAMED));
    text_list_add(traces, path.text ? path.text : part);
    text_buffer_clear(&path);
}

void run_cpu_split(const char *target, struct text_list *traces)
{
    char *rest = must_strdup(target), *state = NULL;
    if (access(target, F_OK) == 0) /* a file may have a plus in its name */
        text_list_add(traces, target);
    else
        for (char *part = strtok_r(rest, "+", &state); part; part = strtok_r(NULL, "+", &state))
            add_part(traces, part);
    free(rest);
}

bool run_cpu_recognises(const char *target)
{
    struct text_list parts = { 0 };
    run_cpu_split(target, &parts);
    const bool is = parts.count && (strncmp(target, NAMED, strlen(NAMED)) == 0 || cpu_trace_recognises(parts.item[0]));
    text_list_clear(&parts);
    return is;
}

struct cmp_machine run_cpu_machine(const struct session_setup *setup)
{
    return (struct cmp_machine){
        .cmp = setup->device.cmp, .dram = setup->machine->dram, .map = setup->machine->map, .dram_khz = setup->machine->gpu.dram_khz
    };
}

static struct kernel_result new_part(const struct stat_group *const *groups, uint32_t count, const char *name)
{
    struct kernel_result part = { .name = must_strdup(name), .counter_count = count, .complete = true };
    part.counters = must_calloc(count, sizeof *part.counters);
    for (uint32_t g = 0; g < count; g++)
        part.counters[g] = must_calloc(1, groups[g]->size);
    return part;
}

static bool laws_hold(const struct stat_group *const *groups, const struct kernel_result *part, struct error *err)
{
    for (uint32_t g = 0; g < part->counter_count; g++) {
        const struct stat_law *law = stat_check(groups[g], part->counters[g]);
        if (law)
            return error_set_code(err, CODE_INTERNAL, "%s: the law '%s' of %s does not hold (%s): a fault of warpline's",
                                  part->name, law->name, groups[g]->name, law->text);
    }
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool add_results(struct cmp *cmp, const struct text_list *traces, const struct result_run *shape,
                        struct result_builder *builder, bool *stopped, struct error *err)
{
    bool ok = true;
    for (uint32_t i = 0; i < traces->count && ok; i++) {
        struct kernel_result part = new_part(shape->groups, shape->group_count, base_name(traces->item[i]));
        const struct cmp_core_result core = cmp_core_counters(cmp, i, part.counters);
        part.cycles = core.cycles;
        part.warp_instructions = part.thread_instructions = core.instructions;
        part.complete = core.complete;
        *stopped |= !core.complete;
        result_builder_add(builder, &part);
        ok = !core.complete || laws_hold(shape->groups, &part, err);
        kernel_result_clear(&part);
    }
    struct kernel_result chip = new_part(shape->groups, shape->group_count, "(shared)");
    cmp_chip_counters(cmp, chip.counters);
    result_builder_add(builder, &chip);
    ok = ok && (*stopped || laws_hold(shape->groups, &chip, err));
    kernel_result_clear(&chip);
    return ok;
}

/* "A.wct+B.wct": how the target is named in the result. */
static void join(const struct text_list *traces, struct text_buffer *out)
{
    for (size_t i = 0; i < traces->count; i++)
        text_append(out, "%s%s", i ? "+" : "", traces->item[i]);
}

bool run_cpu(const struct text_list *traces, const struct session_setup *setup, const struct session_options *options,
             json_t **result, bool *stopped, struct error *err)
{
    struct cpu_trace *trace[CMP_CORES_MAX] = { 0 };
    const struct cmp_machine machine = run_cpu_machine(setup);
    const struct cmp_limits limits = { .functional = options->functional, .interrupted = options->interrupted };
    *result = NULL;
    *stopped = false;
    if (traces->count > CMP_CORES_MAX)
        return error_set(err, "%zu traces: at most %d cores", traces->count, CMP_CORES_MAX);
    bool ok = true;
    for (size_t i = 0; i < traces->count && ok; i++)
        ok = (trace[i] = cpu_trace_open(traces->item[i], err)) != NULL;
    struct cmp *cmp = ok ? cmp_new(&machine, setup->policies, trace, (uint32_t)traces->count, &limits, err) : NULL;
    ok = cmp != NULL;
    if (ok) {
        const double begin = seconds_now();
        struct text_buffer target = { 0 };
        join(traces, &target);
        struct result_run shape = { .target = target.text, .policies = &setup->policy_names, .space = setup->space };
        shape.groups = cmp_stat_groups(cmp, &shape.group_count);
        struct result_builder *builder = result_builder_new(&shape);
        ok = cmp_run(cmp, err);
        ok = ok && add_results(cmp, traces, &shape, builder, stopped, err);
        const uint32_t threads = result_builder_threads(builder);
        *result = result_builder_finish(builder);
        result_set_host(*result, seconds_now() - begin, threads);
        if (!ok) { /* a trace that cannot be read to its end: there is nothing to show */
            json_decref(*result);
            *result = NULL;
        }
        text_buffer_clear(&target);
    }
    cmp_free(cmp);
    for (size_t i = 0; i < traces->count; i++)
        cpu_trace_free(trace[i]);
    return ok;
}
