#include "study/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/result.h"
#include "study/workload_list.h"

/* ---- what is run ----------------------------------------------------------------------------------------------------- */

enum column { BASE, DWT_PRIC, CCWS, MRPB, PRIC, UNBOUNDED, WAYS_16, WAYS_32, WAYS_64, WAYS_FULL, SWL, COLUMN_COUNT };

#define ALL "streaming|conflict|thrashing|thrashing+conflict|friendly"
#define CONTENTION "conflict|thrashing|thrashing+conflict"
#define CONFLICT "conflict|thrashing+conflict"

static const struct { const char *policies, *workloads; const char *set[7]; } columns[COLUMN_COUNT] = {
    [BASE] = { "", ALL, { NULL } },
    [DWT_PRIC] = { "dwt-pric", ALL, { NULL } },
    [CCWS] = { "ccws", CONTENTION, { NULL } },
    [MRPB] = { "mrpb", CONTENTION, { NULL } },
    [PRIC] = { "pric", CONFLICT, { NULL } },
    [UNBOUNDED] = { "", CONTENTION, { "l1.sets=1", "l1.ways=32768", "l2.sets=1", "l2.ways=65536", NULL } },
    [WAYS_16] = { "", CONFLICT, { "l1.sets=8", "l1.ways=16", NULL } },
    [WAYS_32] = { "", CONFLICT, { "l1.sets=4", "l1.ways=32", NULL } },
    [WAYS_64] = { "", CONFLICT, { "l1.sets=2", "l1.ways=64", NULL } },
    [WAYS_FULL] = { "", CONFLICT, { "l1.sets=1", "l1.ways=128", NULL } },
    [SWL] = { "pric,swl", "SpMV|KM|BFS|IIX|SYRK|GESUMMV", { NULL } }, /* one run per limit, with the index that dwt-pric has too */
};

enum { LIMITS = 24 }; /* warps of a scheduler in the paper's machine */
static const char machine[] = "gtx480-16k";

struct reproduced_run { const struct workload *workload; enum column column; uint32_t limit; };

/* Is the workload's class or abbreviation in the list "a|b|c"? */
static bool listed(const char *list, const struct workload *w)
{
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, "|");
        if ((strlen(w->class_000) == length && strncmp(w->class_000, at, length) == 0) ||
            (strlen(w->abbreviation_000) == length && length && strncmp(w->abbreviation_000, at, length) == 0))
            return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static bool add_run(struct reproduction *r, const struct workload *w, enum column column, uint32_t limit, struct error *err)
{
    r->runs = must_realloc(r->runs, (r->count + 1) * sizeof *r->runs);
    r->plan = must_realloc(r->plan, (r->count + 1) * sizeof *r->plan);
    r->runs[r->count] = (struct batch_run){ 0 };
    r->plan[r->count] = (struct reproduced_run){ w, column, limit };
    struct job *job = &r->runs[r->count++].job;
    job_init(job, w->name, r->size ? r->size : "small", machine, columns[column].policies);
    for (const char *const *set = columns[column].set; *set; set++)
        text_list_add(&job->set, *set);
    if (column == SWL) {
        char text[48];
        (void)snprintf(text, sizeof text, "policy.swl.limit=%u", limit);
        text_list_add(&job->set, text);
    }
    return job_prepare(job, err);
}

bool reproduction_prepare(struct reproduction *r, struct error *err)
{
    if (strcmp(r->paper, "000") != 0)
        return error_set(err, "there are no experiments of paper '%.40s' here; 000 is there", r->paper);
    for (const struct workload *w = workload_list; w->name; w++)
        for (uint32_t column = 0; column < COLUMN_COUNT; column++) {
            if (!listed(columns[column].workloads, w) || (column == SWL && !r->search))
                continue;
            const uint32_t last = column == SWL ? LIMITS : 1;
            for (uint32_t limit = 1; limit <= last; limit++)
                if (!add_run(r, w, (enum column)column, limit, err))
                    return false;
        }
    return true;
}

void reproduction_clear(struct reproduction *r)
{
    if (r->runs)
        batch_clear(r->runs, r->count);
    free(r->plan);
    r->runs = NULL;
    r->plan = NULL;
}

/* ---- numbers of runs ------------------------------------------------------------------------------------------------- */

static json_t *result_of(const struct reproduction *r, const struct workload *w, enum column column, uint32_t limit)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->plan[i].workload == w && r->plan[i].column == column && (column != SWL || r->plan[i].limit == limit))
            return r->runs[i].result;
    return NULL;
}

static bool number_of(const struct reproduction *r, const struct workload *w, enum column column, const char *name, double *value)
{
    json_t *result = result_of(r, w, column, 0);
    return result && result_number(result, name, value);
}

static bool speedup(const struct reproduction *r, const struct workload *w, enum column subject, enum column versus, double *value)
{
    double own, other;
    if (!number_of(r, w, subject, "cycles", &own) || !number_of(r, w, versus, "cycles", &other) || own <= 0)
        return false;
    *value = other / own;
    return true;
}

/* Misses per load, those that went past the cache counted as misses. */
static bool miss_rate(const struct reproduction *r, const struct workload *w, enum column column, double *value)
{
    double misses, bypassed, accesses;
    if (!number_of(r, w, column, "l1.misses", &misses) || !number_of(r, w, column, "l1.bypassed", &bypassed) ||
        !number_of(r, w, column, "l1.accesses", &accesses) || accesses <= 0)
        return false;
    *value = (misses + bypassed) / accesses;
    return true;
}

static bool miss_reduction(const struct reproduction *r, const struct workload *w, enum column subject, enum column versus, double *percent)
{
    double own, other;
    if (!miss_rate(r, w, subject, &own) || !miss_rate(r, w, versus, &other) || other <= 0)
        return false;
    *percent = 100 * (1 - own / other);
    return true;
}

static bool refused_per_kilocycle(const struct reproduction *r, const struct workload *w, enum column column, double *value)
{
    static const char *const causes[] = { "l1.refused.mshr_entry", "l1.refused.mshr_merge", "l1.refused.line_alloc", "l1.refused.miss_queue" };
    double cycles, sum = 0;
    if (!number_of(r, w, column, "cycles", &cycles) || cycles <= 0)
        return false;
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        double n = 0;
        (void)number_of(r, w, column, causes[i], &n);
        sum += n;
    }
    *value = 1000 * sum / cycles;
    return true;
}

static bool refused_reduction(const struct reproduction *r, const struct workload *w, enum column subject, enum column versus, double *percent)
{
    double own, other;
    if (!refused_per_kilocycle(r, w, subject, &own) || !refused_per_kilocycle(r, w, versus, &other) || other <= 0)
        return false;
    *percent = 100 * (1 - own / other);
    return true;
}

/* Cycles until the cores agreed, of launches that were sampled (a remembered number takes one period). */
static bool settle_cycles(const struct reproduction *r, const struct workload *w, double *cycles)
{
    double settled = 0, remembered = 0, sum = 0;
    if (!number_of(r, w, DWT_PRIC, "dwt_cs.settled", &settled) || !number_of(r, w, DWT_PRIC, "dwt_cs.remembered", &remembered) ||
        !number_of(r, w, DWT_PRIC, "dwt_cs.settle_cycles", &sum) || settled - remembered < 1 || remembered > 0)
        return false;
    *cycles = sum / settled;
    return true;
}

static uint32_t best_limit(const struct reproduction *r, const struct workload *w)
{
    uint32_t best = 0;
    double fastest = 0, cycles;
    for (uint32_t limit = 1; limit <= LIMITS; limit++) {
        json_t *result = result_of(r, w, SWL, limit);
        if (result && result_number(result, "cycles", &cycles) && (!best || cycles < fastest)) {
            best = limit;
            fastest = cycles;
        }
    }
    return best;
}

/* ---- claims ---------------------------------------------------------------------------------------------------------- */

enum measure { SPEEDUP, LIMIT, LEAST_MISS_REDUCTION, MOST_MISS_REDUCTION, REFUSED_REDUCTION, PERFORMANCE_SHARE, SETTLE_CYCLES };
enum mean { ARITHMETIC, HARMONIC };

struct claim {
    const char *id, *where, *claimed;
    double number;
    const char *unit;
    enum measure measure;
    const char *workloads;
    enum column subject, versus;
    enum mean mean;
    const char *look_at;
};

static const struct claim claims_000[] = {
#define CLAIM(...) { __VA_ARGS__ },
#include "study/claims_000.def"
#undef CLAIM
};

static bool one_value(const struct reproduction *r, const struct claim *c, const struct workload *w, double *value)
{
    switch (c->measure) {
    case SPEEDUP: return speedup(r, w, c->subject, c->versus, value);
    case PERFORMANCE_SHARE: return speedup(r, w, c->subject, c->versus, value);
    case LEAST_MISS_REDUCTION: case MOST_MISS_REDUCTION: return miss_reduction(r, w, c->subject, c->versus, value);
    case REFUSED_REDUCTION: return refused_reduction(r, w, c->subject, c->versus, value);
    case SETTLE_CYCLES: return settle_cycles(r, w, value);
    default: return number_of(r, w, c->subject, "dwt_cs.limit", value);
    }
}

struct measured { double value; uint32_t of, workloads; };

static struct measured measure(const struct reproduction *r, const struct claim *c)
{
    struct measured m = { 0 };
    double sum = 0, inverse = 0, least = INFINITY, most = -INFINITY;
    for (const struct workload *w = workload_list; w->name; w++) {
        double v;
        if (!listed(c->workloads, w))
            continue;
        m.workloads++;
        if (!one_value(r, c, w, &v))
            continue;
        m.of++;
        sum += v;
        inverse += v > 0 ? 1 / v : 0;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (!m.of)
        return m;
    m.value = c->measure == LEAST_MISS_REDUCTION ? least : c->measure == MOST_MISS_REDUCTION ? most
              : c->mean == HARMONIC && inverse > 0 ? m.of / inverse : sum / m.of;
    if (c->measure == PERFORMANCE_SHARE)
        m.value *= 100;
    return m;
}

static const struct workload *only_workload(const struct claim *c)
{
    for (const struct workload *w = workload_list; w->name; w++)
        if (listed(c->workloads, w))
            return w;
    return NULL;
}

static json_t *claim_json(const struct reproduction *r, const struct claim *c)
{
    const struct measured m = measure(r, c);
    struct text_buffer why = { 0 };
    json_t *value = m.of ? json_real(m.value) : json_null();
    if (c->measure == LIMIT) {
        const uint32_t best = best_limit(r, only_workload(c));
        value = json_pack("[o, o]", best ? json_integer(best) : json_null(), value);
        if (!best)
            text_append(&why, "the static limit is searched with --search; ");
    }
    if (!m.of)
        text_append(&why, "no run answers it (dwt-cs did not throttle, or the runs failed); ");
    else if (m.of < m.workloads)
        text_append(&why, "%u of %u workloads have a value; ", m.of, m.workloads);
    text_append(&why, "look at: %s", c->look_at);
    json_t *json = json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:s}", "id", c->id, "where", c->where, "claimed",
                             *c->claimed && c->measure != LIMIT && strspn(c->claimed, "0123456789.") == strlen(c->claimed)
                                 ? json_real(c->number) : json_string(c->claimed),
                             "measured", value, "unit", c->unit, "difference_percent",
                             m.of ? json_real(100 * (m.value / c->number - 1)) : json_null(), "explanation", why.text);
    text_buffer_clear(&why);
    return json;
}

/* ---- figures ---------------------------------------------------------------------------------------------------------- */

enum figure_value { FIGURE_SPEEDUP, FIGURE_MISSES, FIGURE_REFUSED };
static const struct figure { const char *name, *title, *workloads; enum figure_value value; enum column subject, versus; } figures[] = {
    { "8", "speedup of dwt-pric over the base machine", ALL, FIGURE_SPEEDUP, DWT_PRIC, BASE },
    { "9 base", "speedup of dwt-pric over the base machine, contention", CONTENTION, FIGURE_SPEEDUP, DWT_PRIC, BASE },
    { "9 ccws", "speedup of dwt-pric over ccws", CONTENTION, FIGURE_SPEEDUP, DWT_PRIC, CCWS },
    { "9 mrpb", "speedup of dwt-pric over mrpb", CONTENTION, FIGURE_SPEEDUP, DWT_PRIC, MRPB },
    { "10 dwt-pric", "reduction of the L1 miss rate by dwt-pric, %", CONTENTION, FIGURE_MISSES, DWT_PRIC, BASE },
    { "10 unbounded", "reduction of the L1 miss rate by unbounded caches, %", CONTENTION, FIGURE_MISSES, UNBOUNDED, BASE },
    { "11", "reduction of L1 refusals per kilocycle by dwt-pric, %", CONTENTION, FIGURE_REFUSED, DWT_PRIC, BASE },
    { "12 base", "speedup of pric over the base machine", CONFLICT, FIGURE_SPEEDUP, PRIC, BASE },
    { "12 16-way", "speedup of 16 ways over the base machine", CONFLICT, FIGURE_SPEEDUP, WAYS_16, BASE },
    { "12 32-way", "speedup of 32 ways over the base machine", CONFLICT, FIGURE_SPEEDUP, WAYS_32, BASE },
    { "12 64-way", "speedup of 64 ways over the base machine", CONFLICT, FIGURE_SPEEDUP, WAYS_64, BASE },
    { "12 full", "speedup of full associativity over the base machine", CONFLICT, FIGURE_SPEEDUP, WAYS_FULL, BASE },
};

static json_t *figure_json(const struct reproduction *r, const struct figure *f)
{
    json_t *values = json_object();
    for (const struct workload *w = workload_list; w->name; w++) {
        double v;
        const bool there = listed(f->workloads, w) && (f->value == FIGURE_SPEEDUP ? speedup(r, w, f->subject, f->versus, &v)
                                                       : f->value == FIGURE_MISSES ? miss_reduction(r, w, f->subject, f->versus, &v)
                                                                                   : refused_reduction(r, w, f->subject, f->versus, &v));
        if (there)
            (void)json_object_set_new(values, w->abbreviation_000, json_real(v));
    }
    return json_pack("{s:s, s:s, s:o}", "figure", f->name, "title", f->title, "values", values);
}

json_t *reproduction_json(const struct reproduction *r)
{
    json_t *claims = json_array(), *pictures = json_array();
    for (size_t i = 0; i < sizeof claims_000 / sizeof claims_000[0]; i++)
        (void)json_array_append_new(claims, claim_json(r, &claims_000[i]));
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        (void)json_array_append_new(pictures, figure_json(r, &figures[i]));
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "paper", r->paper, "size", r->size ? r->size : "small", "config", machine, "claims", claims,
                     "figures", pictures);
}
