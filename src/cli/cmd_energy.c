/* cmd_energy.c - the energy of a stored result, by any table, without running it again. */
#include <string.h>

#include "base/json.h"
#include "cli/common_options.h"
#include "cli/fit_energy.h"
#include "energy/energy.h"
#include "run/result.h"

struct energy_options {
    const char *table, *result, *out;
    bool terms, tables, keys;
    struct text_list change;
    struct output_options output;
};

static const struct option_row energy_rows[] = {
    OPTION_TEXT(struct energy_options, table, "table", "NAME|FILE",
                "energies to compute with; otherwise those of the result's machine"),
    OPTION_REPEAT(struct energy_options, change, "energy", "KEY=VALUE", "change one number of the table, as constant.power=30"),
    OPTION_FLAG(struct energy_options, terms, "terms", "each term of the sum: how often, and what it costs"),
    OPTION_FILE(struct energy_options, result, "result", "FILE", "fit: a result of the same kernels, which tells what they did"),
    OPTION_FILE(struct energy_options, out, "out", "FILE", "fit: write the table there"),
    OPTION_FLAG(struct energy_options, tables, "tables", "list the tables that are built in"),
    OPTION_FLAG(struct energy_options, keys, "keys", "list the keys of a table, with the numbers of --table (k40)"),
    OPTION_END
};
static const struct option_set energy_sets[] = { { energy_rows, 0 },
                                                 { output_option_rows, offsetof(struct energy_options, output) },
                                                 { NULL, 0 } };

static enum exit_code list_tables(void)
{
    for (const struct param_builtin *b = energy_builtins; b->name; b++) {
        char summary[200];
        param_builtin_summary(b, summary, sizeof summary);
        (void)printf("%-12s %s\n", b->name, summary);
    }
    return CODE_OK;
}

static enum exit_code list_keys(const char *name, struct error *err)
{
    struct energy_table table;
    if (!energy_table_load(&table, name ? name : "k40", "--table", err))
        return err->code;
    for (const struct param *row = energy_table_params; row->name; row++)
        (void)printf("%-24s %10.5g %-3s %s\n", row->name, *(const double *)((const char *)&table + row->offset), row->unit,
                     row->help);
    return CODE_OK;
}

static void print_terms(const json_t *terms)
{
    (void)printf("%-20s %16s %12s %14s  %s\n", "term", "count", "each", "joules", "counters");
    for (size_t i = 0; i < json_array_size(terms); i++) {
        const json_t *t = json_array_get(terms, i);
        const double count = json_number_value(json_object_get(t, "count"));
        if (count > 0)
            (void)printf("%-20s %16.0f %9.5g %-2s %14.6g  %s\n", json_string_value(json_object_get(t, "key")), count,
                         json_number_value(json_object_get(t, "value")), json_string_value(json_object_get(t, "unit")),
                         json_number_value(json_object_get(t, "joules")), json_string_value(json_object_get(t, "counters")));
    }
}

static void print_energy(const json_t *energy)
{
    const double total = json_number_dotted(energy, "total_j", 0);
    const char *name;
    json_t *value;
    (void)printf("table %s: %.6g J in %.6g s, %.4g W; EDP %.6g J s, ED2P %.6g J s2\n",
                 json_string_value(json_object_get(energy, "table")), total, json_number_dotted(energy, "seconds", 0),
                 json_number_dotted(energy, "mean_w", 0), json_number_dotted(energy, "edp_js", 0),
                 json_number_dotted(energy, "ed2p_js2", 0));
    json_object_foreach(json_object_get(energy, "components"), name, value)
        (void)printf("  %-14s %14.6g J %6.1f %%\n", name, json_number_value(value),
                     total > 0 ? 100 * json_number_value(value) / total : 0);
}

static bool change_table(struct energy_table *table, const struct text_list *changes, struct error *err)
{
    for (size_t i = 0; i < changes->count; i++)
        if (!energy_table_change(table, changes->item[i], "--energy", err))
            return false;
    return true;
}

/* The result with its energy by the wanted table; NULL with a sentence. */
static json_t *evaluate(const char *path, const struct energy_options *o, struct energy_table *table, struct error *err)
{
    json_t *result = json_read_file(path, "a result", err);
    if (!result)
        return NULL;
    const char *own = json_string_value(json_get_dotted(json_object_get(result, "config"), "energy.table"));
    const char *name = o->table ? o->table : own ? own : "fermi";
    bool ok = json_is_object(json_object_get(result, "totals")) ||
              error_set(err, "%.300s: this JSON has no \"totals\"; write one with 'warpline run TARGET --json FILE'", path);
    ok = ok && energy_table_load(table, name, o->table ? "--table" : "energy.table", err) && change_table(table, &o->change, err) &&
         energy_set(result, table, name, err);
    if (ok && !json_get_dotted(result, "totals.energy"))
        ok = error_set(err, "%.300s: a functional run has no cycles, and so no energy", path);
    if (ok)
        return result;
    json_decref(result);
    return NULL;
}

static enum exit_code run_fit(const struct command_call *call, struct error *err)
{
    const struct energy_options *o = call->options;
    if (call->argument_count != 2 || !o->result) {
        (void)error_set_code(
            err, CODE_USAGE,
            "fit needs readings and what the kernels did: warpline energy fit MEASUREMENTS.csv --result RESULT.json");
        return err->code;
    }
    const struct fit_request request = { call->arguments[1], o->result, o->table ? o->table : "k40", o->out };
    return fit_energy(&request, err) ? CODE_OK : err->code;
}

static enum exit_code energy_run(const struct command_call *call, struct error *err)
{
    const struct energy_options *o = call->options;
    struct energy_table table;
    if (o->tables)
        return list_tables();
    if (o->keys)
        return list_keys(o->table, err);
    if (call->argument_count && !strcmp(call->arguments[0], "fit"))
        return run_fit(call, err);
    if (call->argument_count != 1) {
        (void)error_set_code(err, CODE_USAGE, "energy of what? Name one result: warpline energy RESULT.json");
        return err->code;
    }
    json_t *result = evaluate(call->arguments[0], o, &table, err);
    if (!result)
        return err->code;
    json_t *energy = json_get_dotted(result, "totals.energy"), *terms = energy_terms(result, &table);
    bool ok = true;
    if (o->output.json) {
        struct text_buffer text = { 0 };
        (void)json_object_set(energy, "terms", terms);
        json_write(energy, &text);
        ok = output_options_write(&o->output, text.text, text.length, err);
        text_buffer_clear(&text);
    } else {
        print_energy(energy);
        if (o->terms)
            print_terms(terms);
    }
    json_decref(terms);
    json_decref(result);
    return ok ? CODE_OK : err->code;
}

const struct command command_energy = {
    .name = "energy",
    .arguments = "RESULT.json | fit MEASUREMENTS.csv",
    .summary = "the energy of a stored result, by any table of energies",
    .details =
        "GPUJoule's equation (paper 002, chapter 6): energy per instruction and per transaction, per stall, and constant power. "
        "Every result has its energy by the table of its machine (energy.table). This command computes it again from the "
        "result's counters, with a table that is built in (--tables) or with a file of yours, which may say 'include = k40'. "
        "fit makes a table from power readings of a board (equation 6.5): a CSV file with the columns kernel, active_w, idle_w, "
        "seconds and, where a reading covers several, launches. The kernels are those of the workload joule, one per number, "
        "compiled for the board and run under warpline for --result. A number that no reading gives is taken from --table (k40).",
    .examples = (const struct command_example[]){ { "warpline energy result.json --table hbm", "as if the memory were HBM" },
                                                  { "warpline energy result.json --terms", "where it goes, term by term" },
                                                  { "warpline energy fit board.csv --result joule.json --out board.conf",
                                                    "a table of your own board" },
                                                  { NULL, NULL } },
    .option_sets = energy_sets,
    .options_size = sizeof(struct energy_options),
    .min_arguments = 0,
    .max_arguments = 2,
    .run = energy_run,
};
