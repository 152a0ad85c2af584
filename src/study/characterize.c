/* characterize.c - what a program is to a cache: runs it on a few machines and reads off locality, contention and sensitivity. */
#include "study/characterize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "run/result.h"
#include "run/session.h"

static const char *const scenario_name[SCENARIO_COUNT] = { "no_cache",  "no_l1",       "bounded", "fully_associative_l1",
                                                           "unbounded", "unbounded_l2" };
static const char *const scenario_policies[SCENARIO_COUNT] = { "bypass-all", "bypass-l1", "locality,divergence",
                                                               "",           "locality",  "locality" };

/* More lines than any input here touches: 4 MiB per L1, 8 MiB per slice. */
static const char *const unbounded_set[] = { "l1.sets=1", "l1.ways=32768", "l1.index=linear",
                                             "l2.sets=1", "l2.ways=65536", "l2.index=linear",
                                             NULL };
static const char *const *const unbounded_l2_set = unbounded_set + 3;

/* ---- the runs ------------------------------------------------------------------------------------------------------ */

/* Ways of a fully associative L1 of the configured size. */
static bool l1_lines(const struct characterization *c, uint32_t *lines, struct error *err)
{
    struct machine_config *machine = machine_config_new();
    const bool ok = subject_machine(&c->subject, machine, err);
    *lines = machine->l1.sets * machine->l1.ways;
    machine_config_free(machine);
    return ok;
}

bool characterization_prepare(struct characterization *c, struct error *err)
{
    uint32_t lines;
    if (!l1_lines(c, &lines, err))
        return false;
    c->runs = must_calloc(SCENARIO_COUNT, sizeof *c->runs);
    for (uint32_t s = 0; s < SCENARIO_COUNT; s++) {
        struct job *job = &c->runs[s].job;
        char ways[64];
        subject_job(&c->subject, scenario_policies[s], job);
        for (const char *const *more = unbounded_set; s == SCENARIO_UNBOUNDED && *more; more++)
            text_list_add(&job->set, *more);
        for (const char *const *more = unbounded_l2_set; s == SCENARIO_UNBOUNDED_L2 && *more; more++)
            text_list_add(&job->set, *more);
        if (s == SCENARIO_ASSOCIATIVE) {
            (void)snprintf(ways, sizeof ways, "l1.ways=%u", lines);
            text_list_add(&job->set, "l1.sets=1");
            text_list_add(&job->set, "l1.index=linear");
            text_list_add(&job->set, ways);
        }
        if (!job_prepare(job, err))
            return false;
    }
    return batch_check_settings(c->runs, SCENARIO_COUNT, err);
}

/* Length of `text` without its last words `end` (after `separator`, or all of it); SIZE_MAX: it does not end with them. */
static size_t length_before(const char *text, char separator, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    if (length < tail || strcmp(text + length - tail, end) != 0)
        return SIZE_MAX;
    if (!tail || length == tail)
        return length - tail;
    return text[length - tail - 1] == separator ? length - tail - 1 : SIZE_MAX;
}

static size_t settings_before(const char *settings, const char *const *set)
{
    struct text_buffer words = { 0 };
    for (const char *const *more = set; *more; more++)
        text_append(&words, "%s%s", more == set ? "" : " ", *more);
    const size_t length = length_before(settings, ' ', words.text);
    text_buffer_clear(&words);
    return length;
}

static size_t settings_before_associative(const char *settings)
{
    const char *ways = strstr(settings, "l1.sets=1 l1.index=linear l1.ways=");
    if (!ways || strchr(ways + strlen("l1.sets=1 l1.index=linear l1.ways="), ' ') || (ways > settings && ways[-1] != ' '))
        return SIZE_MAX;
    return ways > settings ? (size_t)(ways - settings) - 1 : 0;
}

bool characterization_scenario(const char *policies, const char *settings, enum scenario *scenario, size_t *policies_length,
                               size_t *settings_length)
{
    const size_t unbounded = settings_before(settings, unbounded_set), unbounded_l2 = settings_before(settings, unbounded_l2_set);
    const size_t associative = settings_before_associative(settings);
    for (uint32_t s = 0; s < SCENARIO_COUNT; s++) {
        *scenario = (enum scenario)s;
        *policies_length = length_before(policies, ',', scenario_policies[s]);
        *settings_length = s == SCENARIO_UNBOUNDED      ? unbounded /* asked before the L2 alone, with which it ends too */
                           : s == SCENARIO_UNBOUNDED_L2 ? unbounded_l2
                           : s == SCENARIO_ASSOCIATIVE  ? associative
                           : unbounded_l2 == SIZE_MAX   ? strlen(settings)
                                                        : SIZE_MAX;
        if (*policies_length != SIZE_MAX && *settings_length != SIZE_MAX)
            return true;
    }
    return false;
}

void characterization_clear(struct characterization *c)
{
    if (c->runs)
        batch_clear(c->runs, SCENARIO_COUNT);
    c->runs = NULL;
}

/* ---- the numbers ---------------------------------------------------------------------------------------------------- */

static double number(const struct characterization *c, enum scenario s, const char *name)
{
    double value = 0;
    (void)result_number(c->runs[s].result, name, &value);
    return value;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double l1_miss_rate(const struct characterization *c, enum scenario s)
{
    const double misses = number(c, s, "l1.misses");
    return ratio(misses, misses + number(c, s, "l1.hits") + number(c, s, "l1.merged"));
}

static json_t *performance(const struct characterization *c)
{
    json_t *all = json_object();
    const double bounded = number(c, SCENARIO_BOUNDED, "cycles");
    for (uint32_t s = 0; s < SCENARIO_COUNT; s++) {
        const double cycles = number(c, (enum scenario)s, "cycles");
        (void)json_object_set_new(all, scenario_name[s],
                                  json_pack("{s:f, s:f}", "cycles", cycles, "speedup", ratio(bounded, cycles)));
    }
    return all;
}

static json_t *numbers(const struct characterization *c, enum scenario s, const char *prefix, const char *const *names,
                       double divide_by)
{
    json_t *object = json_object();
    for (; *names; names++) {
        char name[96];
        (void)snprintf(name, sizeof name, "%s%s", prefix, *names);
        (void)json_object_set_new(object, *names, json_real(ratio(number(c, s, name), divide_by)));
    }
    return object;
}

static const char *const reuse_names[] = { "intra_thread", "inter_thread", "intra_block", "intra_core",
                                           "inter_core",   "inter_kernel", NULL };
static const char *const distance_names[] = { "0_3", "4_7", "8_15", "16_31", "32_63", "beyond", NULL };
static const char *const between_names[] = { "0_15", "16_127", "128_1023", "1024_8191", "beyond", NULL };
static const char *const count_names[] = { "0", "1", "2", "3_4", "5_8", "more", NULL };
static const char *const sector_names[] = { "1", "2", "3", "4", NULL };
static const char *const cause_names[] = { "mshr_entry", "mshr_merge", "line_alloc", "miss_queue", NULL };

/* Shares of all loads that looked, by class of reuse; the rest missed. */
static json_t *locality(const struct characterization *c)
{
    json_t *all = json_object();
    static const enum scenario both[2] = { SCENARIO_BOUNDED, SCENARIO_UNBOUNDED };
    static const enum scenario at_l2[2] = { SCENARIO_BOUNDED, SCENARIO_UNBOUNDED_L2 }; /* "evaluated while L1 cache is bounded" */
    json_t *l1 = json_object(), *l2 = json_object();
    for (uint32_t i = 0; i < 2; i++) {
        const double loads = number(c, both[i], "l1.accesses") - number(c, both[i], "l1.bypassed");
        (void)json_object_set_new(l1, scenario_name[both[i]], numbers(c, both[i], "locality.l1.reuse.", reuse_names, loads));
        (void)json_object_set_new(l2, scenario_name[both[i]],
                                  numbers(c, at_l2[i], "locality.l2.reuse.", reuse_names, number(c, at_l2[i], "l2.reads")));
    }
    (void)json_object_set_new(all, "l1", l1);
    (void)json_object_set_new(all, "l2", l2);
    return all;
}

static double sum_of(const json_t *object)
{
    double sum = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
        sum += json_number_value(value);
    return sum;
}

/* As shares of their sum. */
static json_t *histogram(const struct characterization *c, const char *prefix, const char *const *names)
{
    json_t *counts = numbers(c, SCENARIO_BOUNDED, prefix, names, 1), *shares = json_object();
    const double sum = sum_of(counts);
    for (; *names; names++)
        (void)json_object_set_new(shares, *names, json_real(ratio(json_number_value(json_object_get(counts, *names)), sum)));
    json_decref(counts);
    return shares;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

/* Cold: what unbounded caches miss too. Conflict: what a fully associative L1 of the size does not miss. Capacity: the rest. */
static json_t *misses(const struct characterization *c)
{
    const double all = number(c, SCENARIO_BOUNDED, "l1.misses"), cold = number(c, SCENARIO_UNBOUNDED, "l1.misses");
    const double associative = number(c, SCENARIO_ASSOCIATIVE, "l1.misses");
    return json_pack("{s:f, s:f, s:f, s:f}", "all", all, "cold", cold < all ? cold : all, "conflict", positive(all - associative),
                     "capacity", positive((associative < all ? associative : all) - cold));
}

/* ---- the classes ---------------------------------------------------------------------------------------------------- */

static json_t *class_of(const char *paper, const char *name, const char *rule, json_t *decided_by)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "paper", paper, "class", name, "rule", rule, "numbers", decided_by);
}

static double mpki(const struct characterization *c)
{
    return ratio(1000 * number(c, SCENARIO_BOUNDED, "l1.misses"), number(c, SCENARIO_BOUNDED, "thread_instructions"));
}

static json_t *class_000(const struct characterization *c)
{
    const double unbounded_misses = l1_miss_rate(c, SCENARIO_UNBOUNDED), m = mpki(c);
    const double slower = ratio(number(c, SCENARIO_BOUNDED, "cycles"), number(c, SCENARIO_UNBOUNDED, "cycles"));
    const double line = number(c, SCENARIO_BOUNDED, "l1.refused.line_alloc"),
                 mshr = number(c, SCENARIO_BOUNDED, "l1.refused.mshr_entry");
    const bool thrashing = m > 10, conflict = line > mshr;
    const char *name = unbounded_misses > 0.7  ? "streaming"
                       : slower <= 1.25        ? "friendly"
                       : thrashing && conflict ? "thrashing and conflict"
                       : thrashing             ? "thrashing"
                                               : "conflict";
    return class_of(
        "000", name,
        "streaming: an unbounded L1 misses more than 70 % (section 5 calls 70 % a conflict program's still); friendly: at most "
        "1.25 times the "
        "cycles of unbounded caches; of the rest thrashing: more than 10 misses per kilo thread instruction (table 4), conflict: "
        "refused for want of a way more often than of an MSHR (figure 4)",
        json_pack("{s:f, s:f, s:f, s:f, s:f}", "unbounded_miss_rate", unbounded_misses, "slowdown_to_unbounded", slower, "mpki", m,
                  "refused_line_alloc", line, "refused_mshr_entry", mshr));
}

static json_t *class_001(const struct characterization *c)
{
    /* Its leuko-1 misses in the texture cache alone, and has 28 instructions per miss in the paper's table III. */
    const double misses = number(c, SCENARIO_BOUNDED, "l1.misses") + number(c, SCENARIO_BOUNDED, "l1t.misses");
    const double per_miss = ratio(number(c, SCENARIO_BOUNDED, "warp_instructions"), misses);
    const bool no_misses = misses <= 0;
    return class_of("001", no_misses || per_miss > 30 ? "compute intensive" : "memory intensive",
                    "compute intensive: more than 30 warp instructions per miss of the L1 and texture caches (section IV-A)",
                    json_pack("{s:f}", "warp_instructions_per_miss", per_miss));
}

static json_t *class_003(const struct characterization *c)
{
    const double speedup = ratio(number(c, SCENARIO_BOUNDED, "cycles"), number(c, SCENARIO_NO_L1, "cycles"));
    return class_of("003",
                    speedup > 1.05   ? "cache unfriendly"
                    : speedup < 0.95 ? "cache friendly"
                                     : "cache insensitive",
                    "unfriendly: more than 5 % faster when all loads bypass the L1; friendly: more than 5 % slower; else "
                    "insensitive (table 1, whose "
                    "margin is not stated)",
                    json_pack("{s:f}", "speedup_without_l1", speedup));
}

json_t *characterization_json(const struct characterization *c, struct error *err)
{
    for (uint32_t s = 0; s < SCENARIO_COUNT; s++)
        if (!c->runs[s].result) {
            (void)error_set_code(err, CODE_PROGRAM, "the run '%s' %s: %.300s", scenario_name[s], run_status_name(c->runs[s].status),
                                 c->runs[s].log ? c->runs[s].log : "");
            return NULL;
        }
    const double kilocycles = number(c, SCENARIO_BOUNDED, "sm.cycles") / 1000;
    json_t *all = json_object();
    (void)json_object_set_new(all, "target", json_string(c->subject.target));
    (void)json_object_set_new(all, "performance", performance(c));
    (void)json_object_set_new(all, "l1_miss_rate",
                              json_pack("{s:f, s:f, s:f}", "bounded", l1_miss_rate(c, SCENARIO_BOUNDED), "fully_associative_l1",
                                        l1_miss_rate(c, SCENARIO_ASSOCIATIVE), "unbounded", l1_miss_rate(c, SCENARIO_UNBOUNDED)));
    (void)json_object_set_new(all, "reuse_by_class", locality(c));
    (void)json_object_set_new(all, "refused_per_sm_kilocycle",
                              numbers(c, SCENARIO_BOUNDED, "l1.refused.", cause_names, kilocycles));
    (void)json_object_set_new(all, "mpki", json_real(mpki(c)));
    (void)json_object_set_new(all, "misses", misses(c));
    (void)json_object_set_new(all, "reuse_distance", histogram(c, "locality.distance.", distance_names));
    (void)json_object_set_new(all, "reuse_distance_in_accesses", histogram(c, "locality.accesses_between.", between_names));
    (void)json_object_set_new(all, "reuse_count", histogram(c, "locality.reused.", count_names));
    (void)json_object_set_new(all, "sectors_used", histogram(c, "locality.sectors.", sector_names));
    (void)json_object_set_new(all, "working_set_lines_per_window",
                              json_real(number(c, SCENARIO_BOUNDED, "locality.working_set_lines_per_window")));
    (void)json_object_set_new(all, "streaming_lines_per_window",
                              json_real(number(c, SCENARIO_BOUNDED, "locality.streaming_lines_per_window")));
    const json_int_t line_bytes = json_integer_value(json_get_dotted(c->runs[SCENARIO_BOUNDED].result, "config.l1.line"));
    json_t *loads = characterize_loads(c->runs[SCENARIO_BOUNDED].result, (uint32_t)line_bytes);
    const double kib_per_line = (double)line_bytes / 1024;
    (void)json_object_set_new(all, "working_set_kib_of_top_four_loads", json_real(characterize_top_four_kib(loads)));
    (void)json_object_set_new(all, "streaming_kib",
                              json_real(kib_per_line * number(c, SCENARIO_BOUNDED, "locality.streaming_lines_per_window")));
    (void)json_object_set_new(all, "loads", loads);
    (void)json_object_set_new(all, "divergence", characterize_divergence(c->runs[SCENARIO_BOUNDED].result));
    json_t *classes = json_array();
    (void)json_array_append_new(classes, class_000(c));
    (void)json_array_append_new(classes, class_001(c));
    (void)json_array_append_new(classes, class_003(c));
    (void)json_object_set_new(all, "classes", classes);
    return all;
}

/* ---- text ----------------------------------------------------------------------------------------------------------- */

static void print_shares(FILE *out, const char *title, const json_t *shares)
{
    const char *key;
    json_t *value;
    (void)fprintf(out, "%-26s", title);
    json_object_foreach((json_t *)(uintptr_t)shares, key, value)
        (void)fprintf(out, "  %s %.1f %%", key, 100 * json_number_value(value));
    (void)fputc('\n', out);
}

static void print_values(FILE *out, const char *title, const json_t *values)
{
    const char *key;
    json_t *value;
    (void)fprintf(out, "%-26s", title);
    json_object_foreach((json_t *)(uintptr_t)values, key, value)
        (void)fprintf(out, "  %s %.6g", key, json_number_value(value));
    (void)fputc('\n', out);
}

static void print_classes(FILE *out, const json_t *classes)
{
    for (size_t i = 0; i < json_array_size(classes); i++) {
        const json_t *k = json_array_get(classes, i);
        (void)fprintf(out, "\npaper %s calls it: %s\n", json_string_value(json_object_get(k, "paper")),
                      json_string_value(json_object_get(k, "class")));
        (void)fprintf(out, "  rule: %s\n", json_string_value(json_object_get(k, "rule")));
        print_values(out, "  numbers:", json_object_get(k, "numbers"));
    }
}

void characterization_print(const json_t *json, FILE *out)
{
    const char *key;
    json_t *value;
    (void)fprintf(out, "%s\n\n%-26s %14s %9s\n", json_string_value(json_object_get(json, "target")), "caches", "cycles", "speedup");
    json_object_foreach(json_object_get(json, "performance"), key, value)
        (void)fprintf(out, "%-26s %14.0f %8.3fx\n", key, json_number_value(json_object_get(value, "cycles")),
                      json_number_value(json_object_get(value, "speedup")));
    (void)fputc('\n', out);
    print_shares(out, "L1 miss rate", json_object_get(json, "l1_miss_rate"));
    json_t *reuse = json_object_get(json, "reuse_by_class");
    print_shares(out, "L1 reuse, bounded", json_object_get(json_object_get(reuse, "l1"), "bounded"));
    print_shares(out, "L1 reuse, unbounded", json_object_get(json_object_get(reuse, "l1"), "unbounded"));
    print_shares(out, "L2 reuse, bounded", json_object_get(json_object_get(reuse, "l2"), "bounded"));
    print_shares(out, "L2 reuse, unbounded", json_object_get(json_object_get(reuse, "l2"), "unbounded"));
    print_values(out, "refused per SM kilocycle", json_object_get(json, "refused_per_sm_kilocycle"));
    (void)fprintf(out, "%-26s  %.3f per kilo thread instruction\n", "L1 misses", json_number_value(json_object_get(json, "mpki")));
    print_values(out, "L1 misses by kind", json_object_get(json, "misses"));
    print_shares(out, "reuse distance in a set", json_object_get(json, "reuse_distance"));
    print_shares(out, "reuse distance in accesses", json_object_get(json, "reuse_distance_in_accesses"));
    print_shares(out, "reuses of a line", json_object_get(json, "reuse_count"));
    print_shares(out, "sectors used of a line", json_object_get(json, "sectors_used"));
    (void)fprintf(out, "%-26s  working set %.0f, streaming %.0f lines per SM and window\n", "loads in a window",
                  json_number_value(json_object_get(json, "working_set_lines_per_window")),
                  json_number_value(json_object_get(json, "streaming_lines_per_window")));
    (void)fprintf(out, "%-26s  working set of the four most frequent %.2f KiB, streaming %.2f KiB\n", "the same as sizes",
                  json_number_value(json_object_get(json, "working_set_kib_of_top_four_loads")),
                  json_number_value(json_object_get(json, "streaming_kib")));
    characterize_print_loads(json_object_get(json, "loads"), out);
    characterize_print_divergence(json_object_get(json, "divergence"), out);
    print_classes(out, json_object_get(json, "classes"));
}
