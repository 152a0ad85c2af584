/* cmd_cost.c - what a technique costs in storage and energy, from the rows it declares. */
#include <stdlib.h>

#include "base/json.h"
#include "cli/common_options.h"
#include "study/cost.h"
#include "run/run_cpu.h"
#include "run/session.h"

struct cost_options {
    struct machine_options machine;
    struct output_options output;
    uint64_t cpus;
};

static const struct option_row cost_rows[] = {
    OPTION_NUMBER(struct cost_options, cpus, "cpu", "N", "on a chip of N CPU cores ('run --cpu') instead of a GPU"), OPTION_END
};

static const struct option_set cost_sets[] = { { cost_rows, 0 },
                                               { machine_option_rows, offsetof(struct cost_options, machine) },
                                               { output_option_rows, offsetof(struct cost_options, output) },
                                               { NULL, 0 } };

static json_int_t number(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(row, name));
}

static void print_costs(const json_t *cost, bool cpu)
{
    const json_t *structures = json_object_get(cost, "structures");
    if (!json_array_size(json_object_get(cost, "structures"))) {
        (void)printf("these techniques declare no structures: what they decide, they decide with what the machine has\n");
        return;
    }
    (void)printf("%-14s %-40s %-8s %8s %6s %12s %12s %9s %9s  %s\n", "policy", "structure", "per", "entries", "bits", "B per SM",
                 "B per GPU", "pJ a use", "leaks mW", "used by");
    for (size_t i = 0; i < json_array_size(structures); i++) {
        const json_t *row = json_array_get(structures, i);
        (void)printf("%-14s %-40s %-8s %8lld %6lld %12.1f %12.1f %9.3g %9.3g  %s\n",
                     json_string_value(json_object_get(row, "policy")), json_string_value(json_object_get(row, "structure")),
                     json_string_value(json_object_get(row, "per")), (long long)number(row, "entries"),
                     (long long)number(row, "bits_per_entry"), (double)number(row, "bits_per_sm") / 8,
                     (double)number(row, "bits_per_gpu") / 8, json_number_value(json_object_get(row, "use_pj")),
                     json_number_value(json_object_get(row, "leakage_mw")), json_string_value(json_object_get(row, "uses")));
    }
    (void)printf("%-80s %12.1f %12.1f\n", "total", json_number_value(json_object_get(cost, "bytes_per_sm")),
                 json_number_value(json_object_get(cost, "bytes_per_gpu")));
    (void)printf("%.2f %% of the data in %s\n", json_number_value(json_object_get(cost, "share_of_l1_percent")),
                 cpu ? "the shared cache" : "all L1s");
}

/* The caller frees what is in *space, *config, *set and *library, whatever is returned. */
struct subject {
    struct policy_library *library;
    struct policy_set *set;
    struct machine_config *config;
    struct device_config device; /* costs nothing, but may stand in a result that is given as the configuration */
    struct param_space *space;
};

static json_t *cost_of(struct subject *s, const struct command_call *call, struct error *err)
{
    const struct cost_options *options = call->options;
    if (!call->arguments[0][0] || options->machine.policy)
        return error_set_code(err, CODE_USAGE, "cost: name the techniques behind the command, as in 'warpline cost ccws,pric'"),
               NULL;
    s->library = machine_options_library(&options->machine, err);
    s->set = s->library ? policy_set_new(s->library, call->arguments[0], err) : NULL;
    if (!s->set)
        return NULL;
    s->config = machine_config_new();
    s->space = param_space_new();
    machine_config_bind(s->config, s->space);
    device_config_bind(&s->device, s->space);
    policy_set_add_params(s->set, s->space);
    policy_set_add_unused(s->set, s->library, s->space);
    if (options->cpus > CMP_CORES_MAX)
        return error_set_code(err, CODE_USAGE, "--cpu: at most %d cores", CMP_CORES_MAX), NULL;
    if ((options->cpus && !options->machine.config && !param_load(s->space, CPU_DEFAULT_CONFIG, err)) ||
        !machine_options_apply(&options->machine, s->space, err) || (!options->cpus && !machine_config_check(s->config, err)) ||
        (options->cpus && !cmp_config_check(&s->device.cmp, err)))
        return NULL;
    const struct policy_geometry geometry =
        options->cpus ? cmp_policy_geometry(&s->device.cmp, (uint32_t)options->cpus) : machine_policy_geometry(s->config);
    return cost_of_policies(s->set, s->config, &geometry, err);
}

static enum exit_code cost_run(const struct command_call *call, struct error *err)
{
    const struct cost_options *options = call->options;
    struct subject subject = { 0 };
    json_t *cost = cost_of(&subject, call, err);
    bool ok = cost != NULL;
    if (ok && options->output.json) {
        struct text_buffer text = { 0 };
        json_write(cost, &text);
        ok = output_options_write(&options->output, text.text, text.length, err);
        text_buffer_clear(&text);
    } else if (ok) {
        print_costs(cost, options->cpus);
    }
    json_decref(cost);
    policy_set_free(subject.set);
    policy_library_free(subject.library);
    if (subject.config)
        machine_config_free(subject.config);
    if (subject.space)
        param_space_free(subject.space);
    return ok ? CODE_OK : err->code;
}

const struct command command_cost = {
    .name = "cost",
    .arguments = "POLICY[,POLICY...]",
    .completes = "@policies",
    .summary = "storage and energy that techniques add, by structure",
    .details =
        "Every policy declares the structures it adds as entries x bits. They are summed per SM and for the whole GPU, and "
        "compared with "
        "the data of the L1s. What a use of a structure costs, what all of its copies leak and which counters count its uses are "
        "beside it (docs/energy.md). Sizes follow the machine (--config, --set) and the policy's parameters (--set "
        "policy.NAME.KEY=VALUE).",
    .examples = (const struct command_example[]){ { "warpline cost ccws", "victim tags, scores and counters of CCWS" },
                                                  { "warpline cost remap --cpu 1", "a technique of a CPU's shared cache" },
                                                  { "warpline cost dwt-pric --json -",
                                                    "all three techniques of the first paper, for scripts" },
                                                  { NULL, NULL } },
    .option_sets = cost_sets,
    .options_size = sizeof(struct cost_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .run = cost_run,
};
