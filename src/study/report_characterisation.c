/* report_characterisation.c - finds the characterisations among the runs of a database: sets of six runs that `warpline
 * characterize` made of one target on one machine. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "study/characterize.h"
#include "study/report.h"

struct finding {
    json_t *sets; /* what the six have in common -> { its words, "keys" and "runs": key and number of each scenario's run } */
    const json_t *targets;
};

/* What follows the target in the command that repeats the run: the program's own arguments. */
static const char *arguments_of(const struct run_record *r)
{
    const char *at = NULL;
    for (const char *p = r->command; (p = strstr(p, r->target)) != NULL; p += strlen(r->target))
        at = p;
    return at ? at + strlen(r->target) : r->command;
}

/* Later runs replace earlier ones: the simulator may have been rebuilt between them. */
static bool note_run(void *context, int64_t id, const struct run_record *r)
{
    struct finding *f = context;
    enum scenario scenario;
    size_t policies, settings;
    if (strcmp(r->status, "ok") != 0 || !json_object_get(f->targets, r->target) ||
        !characterization_scenario(r->policies, r->set, &scenario, &policies, &settings))
        return true;
    struct text_buffer name = { 0 };
    text_append(&name, "%s\n%s\n%s\n%.*s\n%.*s\n%s", r->target, r->size, r->config, (int)policies, r->policies, (int)settings,
                r->set, arguments_of(r));
    json_t *set = json_object_get(f->sets, name.text);
    if (!set) {
        set = json_pack("{s:s, s:s, s:s, s:s%, s:s%, s:s, s:[s, s, s, s, s, s]}", "target", r->target, "size", r->size, "config",
                        r->config, "policies", r->policies, policies, "set", r->set, settings, "arguments", arguments_of(r), "keys",
                        "", "", "", "", "", "");
        require(set);
        (void)json_object_set_new(set, "runs", json_pack("[i, i, i, i, i, i]", 0, 0, 0, 0, 0, 0));
        (void)json_object_set_new(f->sets, name.text, set);
    }
    (void)json_array_set_new(json_object_get(set, "keys"), scenario, json_string(r->key));
    (void)json_array_set_new(json_object_get(set, "runs"), scenario, json_integer(id));
    text_buffer_clear(&name);
    return true;
}

/* The tables of one set, or NULL when one of its runs is missing. */
static json_t *tables_of(struct database *database, const json_t *set)
{
    struct characterization c = { .subject.target = json_string_value(json_object_get(set, "target")),
                                  .runs = must_calloc(SCENARIO_COUNT, sizeof *c.runs) };
    for (uint32_t s = 0; s < SCENARIO_COUNT; s++)
        c.runs[s].result = database_result(database, json_string_value(json_array_get(json_object_get(set, "keys"), s)));
    struct error missing;
    json_t *tables = characterization_json(&c, &missing);
    characterization_clear(&c);
    return tables;
}

json_t *report_characterisations(struct database *database, const json_t *targets, struct error *err)
{
    struct finding f = { json_object(), targets };
    json_t *all = json_array(), *set;
    const char *name;
    const bool ok = database_each(database, NULL, note_run, &f, err);
    json_object_foreach(f.sets, name, set) {
        json_t *tables = tables_of(database, set);
        if (!tables)
            continue;
        (void)json_object_del(set, "keys");
        (void)json_object_set_new(set, "tables", tables);
        (void)json_array_append(all, set);
    }
    json_decref(f.sets);
    if (ok)
        return all;
    json_decref(all);
    return NULL;
}
