/* cmd_scale.c - programs on one to many modules: speed, energy, and how well both scale. */
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "cli/common_options.h"
#include "study/scaling.h"
#include "study/workload_list.h"

/* Section 6.4.1: the placement of CTAs and pages of chapter 5. */
#define SCALE_POLICIES "cta-distributed,first-touch"

struct scale_options {
    const char *modules, *topology, *bandwidth, *domain, *table, *workloads, *size, *config, *policy, *html;
    struct text_list energy, set;
    struct study_options study;
    struct output_options output;
};

static const char *const domains[] = { "package", "board", NULL };
static const struct option_row scale_rows[] = {
    OPTION_TEXT(struct scale_options, modules, "modules", "1,2,4", "numbers of modules (default 1,2,4,8,16,32)"),
    OPTION_TEXT(struct scale_options, topology, "topology", "ring,switch", "how modules are joined (default ring)"),
    OPTION_TEXT(struct scale_options, bandwidth, "bandwidth", "1x,2x,4x",
                "of table 6.4: 128, 256 and 512 GB/s in and out of a module, all its links together, or so many MB/s (default 2x)"),
    OPTION_CHOICE(struct scale_options, domain, "domain", "WHERE", domains,
                  "where the modules are (default: 1x on a board, faster links on a package)"),
    OPTION_TEXT(struct scale_options, table, "table", "NAME|FILE", "energies (default: that of the domain)"),
    OPTION_REPEAT(struct scale_options, energy, "energy", "KEY=VALUE",
                  "change one energy, as link.board=40 or constant.amortisation=0.25"),
    OPTION_TEXT(struct scale_options, workloads, "workloads", "X,Y", "programs (default: those of table 6.2)"),
    OPTION_CHOICE(struct scale_options, size, "size", "SIZE", size_choices, "input size of built-in workloads (default small)"),
    OPTION_TEXT(struct scale_options, config, "config", "NAME", "the machine of one module; NAME-N is that of N (default gpm-k40)"),
    OPTION_TEXT(struct scale_options, policy, "policy", "A,B,...",
                "techniques of the machines of several modules, or none (default " SCALE_POLICIES ")"),
    OPTION_REPEAT(struct scale_options, set, "set", "KEY=VALUE", "change one parameter ('warpline list params')"),
    OPTION_FILE(struct scale_options, html, "html", "FILE", "draw figures 6.2 and 6.5 to 6.9"),
    OPTION_END
};
static const struct option_set scale_sets[] = { { scale_rows, 0 },
                                                { study_option_rows, offsetof(struct scale_options, study) },
                                                { output_option_rows, offsetof(struct scale_options, output) },
                                                { NULL, 0 } };

static bool read_modules(const char *text, struct scaling *s, struct error *err)
{
    struct text_list parts = { 0 };
    bool ok = text_list_add_parts(&parts, text) && parts.count && parts.count <= SCALING_STEPS;
    for (size_t i = 0; ok && i < parts.count; i++) {
        char *end;
        const unsigned long n = strtoul(parts.item[i], &end, 10);
        ok = *parts.item[i] && !*end && n >= 1 && n <= 64 && (!i || n > s->modules[i - 1]);
        s->modules[s->step_count++] = (uint32_t)n;
    }
    text_list_clear(&parts);
    return ok || error_set_code(err, CODE_USAGE, "--modules: '%.60s' is not a list of at most %d rising numbers, as 1,2,4,8", text,
                                SCALING_STEPS);
}

/* Table 6.4, "per-GPM I/O bandwidth". */
static bool read_bandwidth(const char *word, struct scaling *s, struct error *err)
{
    static const struct {
        const char *name;
        uint64_t mb_s;
        const char *domain;
    } known[] = { { "1x", 128000, "board" }, { "2x", 256000, "package" }, { "4x", 512000, "package" } };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(word, known[i].name)) {
            s->bandwidth = known[i].mb_s;
            s->domain = s->domain ? s->domain : known[i].domain;
            return true;
        }
    char *end;
    s->bandwidth = strtoull(word, &end, 10);
    s->domain = s->domain ? s->domain : "package";
    return (*word && !*end && s->bandwidth) ||
           error_set_code(err, CODE_USAGE, "--bandwidth: '%.40s' is none of 1x, 2x, 4x and no number of MB/s", word);
}

static bool read_programs(const char *text, struct text_list *names, struct scaling *s, struct error *err)
{
    if (text) {
        if (!text_list_add_parts(names, text) || !names->count || names->count > SCALING_PROGRAMS)
            return error_set_code(err, CODE_USAGE, "--workloads: '%.100s' has an empty name in it, or too many", text);
    } else {
        for (const struct workload_row *r = workload_rows; r->paper; r++)
            if (!strcmp(r->paper, "002.6"))
                text_list_add(names, r->abbreviation);
    }
    for (size_t i = 0; i < names->count; i++) {
        struct scaling_program p = { names->item[i], names->item[i], "" };
        bool there = false;
        for (const struct workload_row *r = workload_rows; r->paper; r++)
            if (!strcmp(r->paper, "002.6") && (!strcmp(r->workload, p.target) || !strcmp(r->abbreviation, p.target)))
                p = (struct scaling_program){ r->workload, p.label, r->class };
        for (uint32_t k = 0; k < s->program_count; k++) /* two sizes of one program are one here */
            there |= !strcmp(s->programs[k].target, p.target);
        if (!there)
            s->programs[s->program_count++] = p;
    }
    return true;
}

static bool read_energies(const struct scale_options *o, struct scaling *s, struct error *err)
{
    const char *name = o->table ? o->table : s->domain;
    (void)snprintf(s->table_name, sizeof s->table_name, "%s", name);
    bool ok = energy_table_load(&s->table, name, "--table", err);
    for (size_t i = 0; ok && i < o->energy.count; i++)
        ok = energy_table_change(&s->table, o->energy.item[i], "--energy", err);
    return ok;
}

/* Runs that several settings share are made once: all of them use the machine of one module. */
static bool run_setting(const struct scale_options *o, struct scaling *s, struct database **d, struct batch_summary *sum,
                        struct error *err)
{
    struct batch_summary summary = { 0 };
    const struct batch_options batch = study_options_batch(&o->study, "scale");
    if (!*d) /* not before, so that a mistake leaves no empty database */
        *d = study_options_open(&o->study, err);
    const bool ok = *d && batch_run_all(*d, s->runs, (size_t)s->program_count * s->step_count, &batch, &summary, err);
    sum->run += summary.run;
    sum->there += summary.there;
    sum->failed += summary.failed;
    sum->not_started += summary.not_started;
    return ok;
}

static bool add_setting(const struct scale_options *o, const char *topology, const char *bandwidth, struct text_list *names,
                        struct database **d, json_t *settings, struct batch_summary *sum, struct error *err)
{
    const char *policies = o->policy ? o->policy : SCALE_POLICIES;
    struct scaling s = { .config = o->config ? o->config : "gpm-k40",
                         .size = o->size,
                         .policies = strcmp(policies, "none") ? policies : "",
                         .topology = topology,
                         .domain = o->domain,
                         .set = &o->set,
                         .plugins = &o->study.plugin };
    const bool ok = read_modules(o->modules ? o->modules : "1,2,4,8,16,32", &s, err) && read_bandwidth(bandwidth, &s, err) &&
                    read_programs(o->workloads, names, &s, err) && read_energies(o, &s, err) && scaling_prepare(&s, err) &&
                    run_setting(o, &s, d, sum, err);
    if (ok) {
        char name[64];
        json_t *json = scaling_json(&s);
        (void)snprintf(name, sizeof name, "%s %s, %s", bandwidth, topology, s.domain);
        (void)json_object_set_new(json, "name", json_string(name));
        (void)json_array_append_new(settings, json);
    }
    scaling_clear(&s);
    return ok;
}

static bool deliver(const struct scale_options *o, const json_t *settings, struct error *err)
{
    const json_t *list = json_object_get(settings, "settings");
    for (size_t i = 0; i < json_array_size(list) && !output_options_take_stdout(&o->output); i++) {
        if (i)
            (void)putchar('\n');
        scaling_print(json_array_get(list, i), stdout);
    }
    struct text_buffer html = { 0 };
    bool ok = output_options_write_json(&o->output, settings, err);
    if (ok && o->html) {
        scaling_page(settings, &html);
        ok = atomic_file_write(o->html, html.text, html.length, err);
    }
    text_buffer_clear(&html);
    return ok;
}

static enum exit_code scale_run(const struct command_call *call, struct error *err)
{
    const struct scale_options *o = call->options;
    struct text_list topologies = { 0 }, bandwidths = { 0 }, names = { 0 };
    struct batch_summary sum = { 0 };
    json_t *settings = json_pack("{s:[]}", "settings"), *list = json_object_get(settings, "settings");
    bool ok = (text_list_add_parts(&topologies, o->topology ? o->topology : "ring") &&
               text_list_add_parts(&bandwidths, o->bandwidth ? o->bandwidth : "2x")) ||
              error_set_code(err, CODE_USAGE, "--topology and --bandwidth are lists without empty words");
    ok = ok && (!o->html || atomic_file_check(o->html, err));
    struct database *d = NULL;
    for (size_t t = 0; ok && t < topologies.count; t++)
        for (size_t b = 0; ok && b < bandwidths.count; b++) {
            ok = add_setting(o, topologies.item[t], bandwidths.item[b], &names, &d, list, &sum, err);
            text_list_clear(&names);
        }
    if (ok) {
        ok = deliver(o, settings, err);
        (void)fprintf(stderr, "%zu runs now, %zu already there, %zu failed\n", sum.run, sum.there, sum.failed);
    }
    json_decref(settings);
    database_close(d);
    text_list_clear(&topologies);
    text_list_clear(&bandwidths);
    return !ok ? err->code : sum.failed || sum.not_started ? CODE_PROGRAM : CODE_OK;
}

const struct command command_scale = {
    .name = "scale",
    .arguments = "[--modules 1,2,4] [--topology ring,switch] [--bandwidth 1x,2x,4x]",
    .summary = "speed and energy of programs on one to many modules, and EDP scaling efficiency",
    .details =
        "Runs programs on machines of more and more modules (paper 002, chapter 6) and prints speedup, parallel efficiency, "
        "energy, "
        "EDPSE and ED2PSE over one module, and speedup and energy over the step before. Energies are computed from the runs' "
        "counters: another table, link energy or amortisation (--table, --energy) needs no other run.",
    .examples =
        (const struct command_example[]){ { "warpline scale --modules 1,2,4 --workloads backprop,srad --size tiny", "a small one" },
                                          { "warpline scale --bandwidth 1x,2x,4x --html scale.html", "figures 6.5 to 6.7 and 6.9" },
                                          { "warpline scale --bandwidth 1x --topology ring,switch", "figure 6.8" },
                                          { "warpline scale --bandwidth 1x --energy link.board=40", "four times the link energy" },
                                          { NULL, NULL } },
    .option_sets = scale_sets,
    .options_size = sizeof(struct scale_options),
    .max_arguments = 0,
    .run = scale_run,
};
