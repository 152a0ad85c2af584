/* energy.c - the energy of a result, kernel by kernel, from the counters that its JSON has. */
#include "energy/energy.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"
#include "stat/stat_json.h"

const char *const energy_component_names[ENERGY_COMPONENTS] = {
    [ENERGY_INSTRUCTIONS] = "instructions",
    [ENERGY_SHARED] = "shared",
    [ENERGY_L1] = "l1",
    [ENERGY_L2] = "l2",
    [ENERGY_DRAM] = "dram",
    [ENERGY_LINK] = "link",
    [ENERGY_STALL] = "stall",
    [ENERGY_CONSTANT] = "constant",
    [ENERGY_POLICIES] = "policies",
};

/* One product of the equation: a number of the table, and what it is multiplied with. */
struct term {
    const char *key, *counters, *unit;
    size_t offset; /* of the number in struct energy_table */
    double joules; /* of one unit */
    enum energy_component component;
};
static const struct term terms[] = {
#define WORK(id, name, help)                                                                                                       \
    { "thread." name, "sm.thread." name, "nJ", offsetof(struct energy_table, thread[WORK_##id]), 1e-9, ENERGY_INSTRUCTIONS },
#include "front/work.def"
#undef WORK
#define TERM(field, key, component, counters, joules, unit, help)                                                                  \
    { key, counters, unit, offsetof(struct energy_table, field), joules, ENERGY_##component },
#include "energy/energy_terms.def"
#undef TERM
};
enum { TERM_COUNT = sizeof terms / sizeof terms[0] };

/* The machine as far as energy depends on it. */
struct machine {
    double clock_hz, modules;
    const json_t *structures;
};

/* A sum of counters, "a.b+c.d-e"; what a machine does not have counts nothing. */
static double sum_of(const json_t *measures, const char *counters)
{
    double sum = 0, sign = 1;
    for (const char *at = counters; *at;) {
        char name[96];
        const size_t length = strcspn(at, "+-");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        sum += sign * json_number_dotted(measures, name, 0);
        at += length;
        sign = *at == '-' ? -1 : 1;
        at += *at != '\0';
    }
    return sum;
}

static double number_of(const struct energy_table *table, const struct term *t)
{
    return *(const double *)((const char *)table + t->offset);
}

uint32_t energy_term_count(void)
{
    return TERM_COUNT;
}

const char *energy_term_key(uint32_t term)
{
    return terms[term].key;
}

double energy_term_joules(uint32_t term, const json_t *measures)
{
    return terms[term].joules * sum_of(measures, terms[term].counters);
}

double energy_term_number(const struct energy_table *table, uint32_t term)
{
    return number_of(table, &terms[term]);
}

void energy_term_set(struct energy_table *table, uint32_t term, double number)
{
    *(double *)((char *)table + terms[term].offset) = number;
}

double energy_structure_pj(const struct energy_table *table, double entries, double bits)
{
    return table->structure_use * pow(bits, 1.3) * pow(entries, 0.47);
}

/* Of one structure of a policy: its uses, and what it leaks in all its copies. */
static double structure_joules(const json_t *s, const json_t *measures, const struct energy_table *table, double seconds)
{
    const double entries = json_number_dotted(s, "entries", 0), bits = json_number_dotted(s, "bits", 0);
    const double own_pj = json_number_dotted(s, "use_pj", 0), own_mw = json_number_dotted(s, "leakage_mw", 0);
    const double pj = own_pj > 0 ? own_pj : energy_structure_pj(table, entries, bits);
    const double watts = own_mw > 0 ? 1e-3 * own_mw : 1e-9 * table->structure_leakage * entries * bits;
    const char *uses = json_string_value(json_object_get(s, "uses"));
    return 1e-12 * pj * sum_of(measures, uses ? uses : "") + watts * json_number_dotted(s, "copies", 0) * seconds;
}

struct energy {
    double seconds, total, component[ENERGY_COMPONENTS];
};

static struct energy energy_of(const json_t *measures, const struct energy_table *table, const struct machine *m)
{
    struct energy e = { .seconds = json_number_dotted(measures, "cycles", 0) / m->clock_hz };
    for (size_t i = 0; i < TERM_COUNT; i++)
        e.component[terms[i].component] += number_of(table, &terms[i]) * terms[i].joules * sum_of(measures, terms[i].counters);
    e.component[ENERGY_CONSTANT] = table->constant_power * (1 + (m->modules - 1) * (1 - table->amortisation)) * e.seconds;
    for (size_t i = 0; i < json_array_size(m->structures); i++)
        e.component[ENERGY_POLICIES] += structure_joules(json_array_get(m->structures, i), measures, table, e.seconds);
    for (size_t i = 0; i < ENERGY_COMPONENTS; i++)
        e.total += e.component[i];
    return e;
}

static void add(json_t *object, const char *name, double value)
{
    (void)json_object_set_new(object, name, stat_ratio_to_json(value, 1));
}

static json_t *energy_json(const struct energy *e, const char *name)
{
    json_t *json = json_object(), *components = json_object();
    (void)json_object_set_new(json, "table", json_string(name));
    add(json, "seconds", e->seconds);
    add(json, "total_j", e->total);
    (void)json_object_set_new(json, "mean_w", stat_ratio_to_json(e->total, e->seconds));
    add(json, "edp_js", e->total * e->seconds);
    add(json, "ed2p_js2", e->total * e->seconds * e->seconds);
    for (size_t i = 0; i < ENERGY_COMPONENTS; i++)
        add(components, energy_component_names[i], e->component[i]);
    (void)json_object_set_new(json, "components", components);
    return json;
}

/* The law of energy.h; 1e-9 of the sum is what adding doubles in another order may change. */
static void check_law(const struct energy *totals, const struct energy *sum)
{
    for (size_t i = 0; i < ENERGY_COMPONENTS; i++)
        if (fabs(totals->component[i] - sum->component[i]) > 1e-9 * (totals->total + 1e-12))
            panic("energy is not additive over kernels: %s is %g J in the totals, %g J in their sum", energy_component_names[i],
                  totals->component[i], sum->component[i]);
}

static bool machine_of(const json_t *result, struct machine *m, struct error *err)
{
    const json_t *config = json_object_get(result, "config");
    const char *clock = json_string_value(json_get_dotted(config, "gpu.core_clock"));
    const char *why;
    uint64_t khz = 0;
    if (!clock || !units_parse_frequency(clock, &khz, &why) || !khz)
        return error_set(err, "the result's configuration has no gpu.core_clock");
    m->clock_hz = 1e3 * (double)khz;
    m->modules = json_number_dotted(config, "gpu.modules", 1);
    m->structures = json_object_get(result, "structures");
    return true;
}

static bool has_counters(const json_t *measures)
{
    return json_is_object(json_object_get(measures, "sm"));
}

bool energy_set(json_t *result, const struct energy_table *table, const char *name, struct error *err)
{
    json_t *totals = json_object_get(result, "totals"), *kernels = json_object_get(result, "kernels");
    struct machine m;
    struct energy sum = { 0 };
    if (!has_counters(totals))
        return true;
    if (!json_get_dotted(totals, "sm.thread"))
        return error_set(err, "the result was made by a warpline without counters for energy (sm.thread.*): run it again");
    if (!machine_of(result, &m, err))
        return false;
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        json_t *kernel = json_array_get(kernels, i);
        const struct energy e = energy_of(kernel, table, &m);
        for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
            sum.component[c] += e.component[c];
        (void)json_object_set_new(kernel, "energy", energy_json(&e, name));
    }
    const struct energy e = energy_of(totals, table, &m);
    check_law(&e, &sum);
    (void)json_object_set_new(totals, "energy", energy_json(&e, name));
    return true;
}

void energy_set_own(json_t *result)
{
    struct energy_table table;
    struct error err = { 0 };
    const char *name = json_string_value(json_get_dotted(json_object_get(result, "config"), "energy.table"));
    if (name && (!energy_table_load(&table, name, "energy.table", &err) || !energy_set(result, &table, name, &err)))
        panic("a new result has no energy: %s", err.text);
}

/* The structures that policies added, each as a term. */
static void add_structures(json_t *list, const json_t *result, const struct energy_table *table)
{
    const json_t *totals = json_object_get(result, "totals"), *structures = json_object_get(result, "structures");
    const double seconds = json_number_dotted(totals, "energy.seconds", 0);
    for (size_t i = 0; i < json_array_size(structures); i++) {
        const json_t *s = json_array_get(structures, i);
        const char *uses = json_string_value(json_object_get(s, "uses"));
        const double count = sum_of(totals, uses ? uses : ""), own = json_number_dotted(s, "use_pj", 0);
        const double pj =
            own > 0 ? own : energy_structure_pj(table, json_number_dotted(s, "entries", 0), json_number_dotted(s, "bits", 0));
        char key[160];
        (void)snprintf(key, sizeof key, "%s: %s", json_string_value(json_object_get(s, "policy")),
                       json_string_value(json_object_get(s, "structure")));
        (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:f, s:s, s:o}", "key", key, "component", "policies",
                                                    "counters", uses ? uses : "", "count", stat_ratio_to_json(count, 1), "value",
                                                    pj, "unit", "pJ", "joules",
                                                    stat_ratio_to_json(structure_joules(s, totals, table, seconds), 1)));
    }
}

json_t *energy_terms(const json_t *result, const struct energy_table *table)
{
    json_t *list = json_array();
    const json_t *totals = json_object_get(result, "totals");
    for (size_t i = 0; i < TERM_COUNT; i++) {
        const struct term *t = &terms[i];
        const double count = sum_of(totals, t->counters), value = number_of(table, t);
        (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:f, s:s, s:o}", "key", t->key, "component",
                                                    energy_component_names[t->component], "counters", t->counters, "count",
                                                    stat_ratio_to_json(count, 1), "value", value, "unit", t->unit, "joules",
                                                    stat_ratio_to_json(count * value * t->joules, 1)));
    }
    add_structures(list, result, table);
    return list;
}
