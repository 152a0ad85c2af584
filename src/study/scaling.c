/* scaling.c - runs programs on one to many modules and says what speed and energy became. */
#include "study/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "energy/energy_metrics.h"
#include "gpu/machine.h"
#include "study/report.h"
#include "study/report_texts.h"

/* ---- runs ---- */

static void set_number(struct job *job, const char *key, uint64_t value)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s=%llu", key, (unsigned long long)value);
    text_list_add(&job->set, text);
}

static void set_text(struct job *job, const char *key, const char *value)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s=%s", key, value);
    text_list_add(&job->set, text);
}

/* Table 6.4 counts what goes in and out of a module; a link's parameter is of one direction. */
uint64_t scaling_link_bandwidth(const struct scaling *s, uint32_t modules)
{
    return s->bandwidth / (2ull * links_of_module(s->topology ? s->topology : "ring", modules));
}

static bool prepare_run(const struct scaling *s, const struct scaling_program *p, uint32_t modules, struct job *job,
                        struct error *err)
{
    char config[160];
    (void)snprintf(config, sizeof config, modules > 1 ? "%.120s-%u" : "%.120s", s->config, modules);
    job_init(job, p->target, s->size, config, modules > 1 ? s->policies : "");
    text_list_add_all(&job->plugins, s->plugins);
    for (size_t i = 0; s->set && i < s->set->count; i++)
        text_list_add(&job->set, s->set->item[i]);
    if (modules > 1) {
        if (s->topology)
            set_text(job, "link.topology", s->topology);
        if (s->domain)
            set_text(job, "link.domain", s->domain);
        if (s->bandwidth)
            set_number(job, "link.bandwidth", scaling_link_bandwidth(s, modules));
    }
    return job_prepare(job, err);
}

bool scaling_prepare(struct scaling *s, struct error *err)
{
    s->runs = must_calloc((size_t)s->program_count * s->step_count, sizeof *s->runs);
    for (uint32_t p = 0; p < s->program_count; p++)
        for (uint32_t i = 0; i < s->step_count; i++)
            if (!prepare_run(s, &s->programs[p], s->modules[i], &s->runs[p * s->step_count + i].job, err))
                return false;
    return true;
}

void scaling_clear(struct scaling *s)
{
    if (s->runs)
        batch_clear(s->runs, (size_t)s->program_count * s->step_count);
    s->runs = NULL;
}

/* ---- points ---- */

struct point {
    bool there;
    struct energy_point is;
    double components[ENERGY_COMPONENTS]; /* J */
    double speedup, energy, efficiency, edpse, ed2pse, step_speedup, step_energy;
};

/* What a run took, by the scaling's own table. */
static struct point measure(const struct scaling *s, json_t *result)
{
    struct point p = { 0 };
    struct error err;
    if (!result || !energy_set(result, &s->table, s->table_name, &err))
        return p;
    const json_t *energy = json_get_dotted(result, "totals.energy");
    p.is.joules = json_number_dotted(energy, "total_j", 0);
    p.is.seconds = json_number_dotted(energy, "seconds", 0);
    for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
        p.components[c] = json_number_value(json_object_get(json_object_get(energy, "components"), energy_component_names[c]));
    p.there = p.is.joules > 0 && p.is.seconds > 0;
    return p;
}

/* Over the first step and over the one before. */
static void compare(struct point *p, const struct point *first, const struct point *before, double n)
{
    p->speedup = first->is.seconds / p->is.seconds;
    p->energy = p->is.joules / first->is.joules;
    p->efficiency = energy_parallel_efficiency(first->is, p->is, n);
    p->edpse = energy_edpse(first->is, p->is, n, 1);
    p->ed2pse = energy_edpse(first->is, p->is, n, 2);
    p->step_speedup = before->is.seconds / p->is.seconds;
    p->step_energy = p->is.joules / before->is.joules;
    for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
        p->components[c] /= first->is.joules;
}

/* All steps of a program; false when one of them has no result. */
static bool measure_program(const struct scaling *s, uint32_t program, struct point points[SCALING_STEPS])
{
    bool whole = true;
    for (uint32_t i = 0; i < s->step_count; i++) {
        points[i] = measure(s, s->runs[program * s->step_count + i].result);
        whole &= points[i].there;
    }
    for (uint32_t i = 0; whole && i < s->step_count; i++)
        compare(&points[i], &points[0], &points[i ? i - 1 : 0], (double)s->modules[i] / s->modules[0]);
    return whole;
}

static json_t *point_json(const struct point *p, uint32_t modules, bool absolute)
{
    json_t *components = json_object();
    for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
        (void)json_object_set_new(components, energy_component_names[c], json_real(p->components[c]));
    json_t *json = json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "modules", (json_int_t)modules, "speedup", p->speedup,
                             "energy", p->energy, "efficiency", p->efficiency, "edpse", p->edpse, "ed2pse", p->ed2pse,
                             "step_speedup", p->step_speedup, "step_energy", p->step_energy, "components", components);
    if (absolute) {
        (void)json_object_set_new(json, "seconds", json_real(p->is.seconds));
        (void)json_object_set_new(json, "joules", json_real(p->is.joules));
    }
    return json;
}

/* ---- means ---- */

struct means {
    uint32_t programs;
    struct point sum[SCALING_STEPS];
};

static void add_to_means(struct means *m, const struct point *points, uint32_t steps)
{
    m->programs++;
    for (uint32_t i = 0; i < steps; i++) {
        struct point *sum = &m->sum[i];
        sum->speedup += log(points[i].speedup);
        sum->step_speedup += log(points[i].step_speedup);
        sum->energy += points[i].energy;
        sum->step_energy += points[i].step_energy;
        sum->efficiency += points[i].efficiency;
        sum->edpse += points[i].edpse;
        sum->ed2pse += points[i].ed2pse;
        for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
            sum->components[c] += points[i].components[c];
    }
}

static json_t *means_json(const struct scaling *s, const struct means *m, const char *class)
{
    json_t *steps = json_array();
    for (uint32_t i = 0; i < s->step_count; i++) {
        struct point p = m->sum[i];
        const double n = m->programs;
        p.speedup = exp(p.speedup / n);
        p.step_speedup = exp(p.step_speedup / n);
        p.energy /= n;
        p.step_energy /= n;
        p.efficiency /= n;
        p.edpse /= n;
        p.ed2pse /= n;
        for (size_t c = 0; c < ENERGY_COMPONENTS; c++)
            p.components[c] /= n;
        (void)json_array_append_new(steps, point_json(&p, s->modules[i], false));
    }
    return json_pack("{s:s, s:I, s:o}", "class", class, "programs", (json_int_t)m->programs, "steps", steps);
}

json_t *scaling_json(const struct scaling *s)
{
    static const char *const classes[] = { "all", "C", "M" };
    enum { CLASSES = sizeof classes / sizeof classes[0] };
    struct means means[CLASSES] = { 0 };
    json_t *programs = json_array(), *list = json_array(), *modules = json_array();
    for (uint32_t p = 0; p < s->program_count; p++) {
        struct point points[SCALING_STEPS];
        json_t *steps = json_array();
        const bool whole = measure_program(s, p, points);
        for (uint32_t i = 0; i < s->step_count; i++)
            (void)json_array_append_new(steps, whole ? point_json(&points[i], s->modules[i], true) : json_null());
        for (size_t c = 0; whole && c < CLASSES; c++)
            if (c == 0 || strcmp(s->programs[p].class, classes[c]) == 0)
                add_to_means(&means[c], points, s->step_count);
        (void)json_array_append_new(programs, json_pack("{s:s, s:s, s:s, s:o}", "target", s->programs[p].target, "label",
                                                        s->programs[p].label, "class", s->programs[p].class, "steps", steps));
    }
    for (size_t c = 0; c < CLASSES; c++)
        if (means[c].programs)
            (void)json_array_append_new(list, means_json(s, &means[c], classes[c]));
    for (uint32_t i = 0; i < s->step_count; i++)
        (void)json_array_append_new(modules, json_integer(s->modules[i]));
    return json_pack("{s:s, s:s, s:s?, s:s?, s:I, s:s, s:o, s:o, s:o}", "config", s->config, "size", s->size ? s->size : "small",
                     "topology", s->topology, "domain", s->domain, "bandwidth_mb_s", (json_int_t)s->bandwidth, "table",
                     s->table_name, "modules", modules, "programs", programs, "means", list);
}

/* ---- print ---- */

static double at(const json_t *point, const char *name)
{
    return json_number_value(json_object_get(point, name));
}

static void print_steps(const char *label, const json_t *steps, FILE *out)
{
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *p = json_array_get(steps, i);
        if (json_is_null(p)) {
            (void)fprintf(out, "%-14s a run failed\n", label);
            return;
        }
        (void)fprintf(out, "%-14s %7.0f %9.3f %9.1f %9.3f %9.1f %9.1f %9.1f %9.1f\n", i ? "" : label, at(p, "modules"),
                      at(p, "speedup"), at(p, "efficiency"), at(p, "energy"), at(p, "edpse"), at(p, "ed2pse"),
                      100 * (at(p, "step_speedup") - 1), 100 * (at(p, "step_energy") - 1));
    }
}

static void print_components(const json_t *steps, FILE *out)
{
    const char *name;
    json_t *value;
    (void)fprintf(out, "\n%-14s", "energy");
    for (size_t i = 0; i < json_array_size(steps); i++)
        (void)fprintf(out, " %8.0f", at(json_array_get(steps, i), "modules"));
    (void)fprintf(out, "   of the first step's energy\n");
    json_object_foreach(json_object_get(json_array_get(steps, 0), "components"), name, value) {
        (void)fprintf(out, "%-14s", name);
        for (size_t i = 0; i < json_array_size(steps); i++)
            (void)fprintf(out, " %8.4f", at(json_object_get(json_array_get(steps, i), "components"), name));
        (void)fputc('\n', out);
    }
}

void scaling_print(const json_t *json, FILE *out)
{
    const json_t *programs = json_object_get(json, "programs"), *means = json_object_get(json, "means");
    const char *topology = json_string_value(json_object_get(json, "topology")),
               *domain = json_string_value(json_object_get(json, "domain"));
    (void)fprintf(out, "%s, %s on the %s, %.0f MB/s in and out of a module, energies of %s\n",
                  json_string_value(json_object_get(json, "config")), topology ? topology : "links",
                  domain ? domain : "configuration's place", at(json, "bandwidth_mb_s"),
                  json_string_value(json_object_get(json, "table")));
    (void)fprintf(out, "%-14s %7s %9s %9s %9s %9s %9s %9s %9s\n", "program", "modules", "speedup", "par.eff %", "energy", "EDPSE %",
                  "ED2PSE %", "step sp %", "step en %");
    for (size_t i = 0; i < json_array_size(programs); i++) {
        const json_t *p = json_array_get(programs, i);
        print_steps(json_string_value(json_object_get(p, "label")), json_object_get(p, "steps"), out);
    }
    for (size_t i = 0; i < json_array_size(means); i++) {
        const json_t *m = json_array_get(means, i);
        char label[32];
        (void)snprintf(label, sizeof label, "mean of %s", json_string_value(json_object_get(m, "class")));
        print_steps(label, json_object_get(m, "steps"), out);
    }
    if (json_array_size(means))
        print_components(json_object_get(json_array_get(means, 0), "steps"), out);
}

void scaling_page(const json_t *settings, struct text_buffer *html)
{
    report_page(settings, "warpline scaling", (const char *const[]){ scaling_js, NULL }, html);
}
