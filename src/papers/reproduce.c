/* reproduce.c - reproduces a paper: which runs it takes, and each claim of the paper beside the number measured. */
#include "papers/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/symbol.h"
#include "run/result.h"

#define PAPER(name) extern const struct paper paper_##name;
#include "papers/papers.def"
#undef PAPER
static const struct paper *const papers[] = {
#define PAPER(name) &paper_##name,
#include "papers/papers.def"
#undef PAPER
};

const struct paper *paper_find(const char *name, struct error *err)
{
    struct text_buffer there = { 0 };
    const struct paper *found = NULL;
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        text_append(&there, "%s%s", i ? ", " : "", papers[i]->name);
        found = strcmp(papers[i]->name, name) == 0 ? papers[i] : found;
    }
    if (!found)
        (void)error_set(err, "there are no experiments of paper '%.40s' here; there are those of %s", name, there.text);
    text_buffer_clear(&there);
    return found;
}

/* ---- what is run ----------------------------------------------------------------------------------------------------- */

struct reproduced_run {
    const struct paper_row *row;
    uint32_t column, searched; /* searched: the value of the parameter that is searched; 0: none */
};

/* Is the row's class or label in the list "a|b|c"? */
static bool listed(const char *list, const struct paper_row *row)
{
    const char *const names[] = { row->class, row->label };
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, "|");
        for (size_t i = 0; i < 2; i++)
            if (length && strlen(names[i]) == length && strncmp(names[i], at, length) == 0)
                return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static const char *size_of(const struct reproduction *r, const struct paper_row *row)
{
    return r->size ? r->size : row->size ? row->size : "small";
}

static const char *shape_of(const struct reproduction *r, const struct paper_row *row)
{
    return row->shape && !r->size ? row->shape : "";
}

/* A row's own limit belongs to the row's own input: with another, it would cut what it is meant to reach. */
static uint64_t limit_of(const struct reproduction *r, const struct paper_row *row)
{
    return r->size && (row->size || row->shape) ? 0 : row->instructions;
}

/* Do two rows look at the same runs? Kernels of one program do, unless one of them has an input or an end of its own. */
static bool share_runs(const struct reproduction *r, const struct paper_row *a, const struct paper_row *b)
{
    return strcmp(a->target, b->target) == 0 && strcmp(size_of(r, a), size_of(r, b)) == 0 &&
           strcmp(shape_of(r, a), shape_of(r, b)) == 0 && limit_of(r, a) == limit_of(r, b);
}

/* The column after the paper's is the one that the user adds. */
static uint32_t column_count(const struct reproduction *r)
{
    return r->paper->column_count + (r->policies != NULL);
}

static struct paper_column column_at(const struct reproduction *r, uint32_t column)
{
    return column < r->paper->column_count ? r->paper->columns[column] : (struct paper_column){ .policies = r->policies };
}

static bool add_run(struct reproduction *r, const struct paper_row *row, uint32_t column, uint32_t searched, struct error *err)
{
    const struct paper_column c = column_at(r, column);
    r->runs = must_realloc(r->runs, (r->count + 1) * sizeof *r->runs);
    r->plan = must_realloc(r->plan, (r->count + 1) * sizeof *r->plan);
    r->runs[r->count] = (struct batch_run){ 0 };
    r->plan[r->count] = (struct reproduced_run){ row, column, searched };
    struct job *job = &r->runs[r->count++].job;
    job_init(job, row->target, size_of(r, row), c.config ? c.config : r->paper->machine, c.policies);
    job->max_instructions = limit_of(r, row);
    if (row->shape && !r->size) {
        text_list_add(&job->arguments, "--shape");
        text_list_add(&job->arguments, row->shape);
    }
    text_list_add_all(&job->plugins, r->plugins);
    for (size_t i = 0; i < PAPER_SETTINGS && c.set[i]; i++)
        text_list_add(&job->set, c.set[i]);
    if (searched) {
        char text[96];
        (void)snprintf(text, sizeof text, "%s=%u", c.searched, searched);
        text_list_add(&job->set, text);
    }
    return job_prepare(job, err);
}

static bool is_planned(const struct reproduction *r, const struct paper_row *row, uint32_t column)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->plan[i].column == column && share_runs(r, r->plan[i].row, row))
            return true;
    return false;
}

bool reproduction_prepare(struct reproduction *r, struct error *err)
{
    const struct paper_row *row = r->rows;
    r->row_count = r->paper->rows(r->rows);
    for (uint32_t i = 0; i < r->row_count; i++)
        for (uint32_t column = 0; column < column_count(r); column++) {
            const struct paper_column c = column_at(r, column);
            if ((c.rows && !listed(c.rows, &row[i])) || (c.searched && !r->search) || is_planned(r, &row[i], column))
                continue;
            const uint32_t first = c.searched ? 1 : 0, last = c.searched ? c.searched_to : 0;
            for (uint32_t value = first; value <= last; value++)
                if (!add_run(r, &row[i], column, value, err))
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

static json_t *result_of(const struct reproduction *r, const struct paper_row *row, uint32_t column, uint32_t searched)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->plan[i].column == column && r->plan[i].searched == searched && share_runs(r, r->plan[i].row, row))
            return r->runs[i].result;
    return NULL;
}

/* Over the launches of one kernel, or of all (NULL). */
static bool kernel_number(const json_t *result, const char *kernel, const char *name, double *value)
{
    const json_t *launches = json_object_get(result, "kernels");
    bool there = false;
    *value = 0;
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *launch = json_array_get(launches, i);
        const double v = !kernel || symbol_is_kernel(json_string_value(json_object_get(launch, "name")), kernel)
                             ? json_number_dotted(launch, name, NAN)
                             : NAN;
        there |= !isnan(v);
        *value += isnan(v) ? 0 : v;
    }
    return there;
}

bool reproduction_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                         double *value)
{
    json_t *result = result_of(r, row, column, 0);
    return result && (row->kernel ? kernel_number(result, row->kernel, name, value) : result_number(result, name, value));
}

bool reproduction_storage(const struct reproduction *r, const struct paper_row *row, uint32_t column, double *bits)
{
    const json_t *structures = json_object_get(result_of(r, row, column, 0), "structures");
    *bits = 0;
    for (size_t i = 0; i < json_array_size(structures); i++) {
        const json_t *s = json_array_get(structures, i);
        *bits += json_number_value(json_object_get(s, "entries")) * json_number_value(json_object_get(s, "bits")) *
                 json_number_value(json_object_get(s, "copies"));
    }
    return *bits > 0;
}

bool reproduction_span(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                       const char *without, double *intervals)
{
    const json_t *launch = json_array_get(json_object_get(result_of(r, row, column, 0), "kernels"), 0),
                 *counters = json_object_get(json_object_get(launch, "series"), "counters"),
                 *counted = json_object_get(counters, name), *left_out = json_object_get(counters, without);
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; left_out && i < json_array_size(counted); i++)
        if (json_integer_value(json_array_get(counted, i)) > json_integer_value(json_array_get(left_out, i))) {
            first = first == SIZE_MAX ? i : first;
            last = i;
        }
    *intervals = first == SIZE_MAX ? NAN : (double)(last - first + 1);
    return first != SIZE_MAX;
}

bool reproduction_launches(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name,
                           double *sum)
{
    const json_t *result = result_of(r, row, column, 0);
    return result && kernel_number(result, row->kernel, name, sum);
}

/* Number `name` of the launch in the row's run of a column; NAN: there is none. */
static double launch_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, size_t launch,
                            const char *name)
{
    const json_t *kernels = json_object_get(result_of(r, row, column, 0), "kernels");
    json_t *kernel = json_array_get(kernels, launch);
    return kernel ? json_number_dotted(kernel, name, NAN) : NAN;
}

bool reproduction_best_launches(const struct reproduction *r, const struct paper_row *row, const uint32_t columns[], uint32_t count,
                                const char *const names[], const uint32_t *from, double *sum)
{
    const size_t launches = json_array_size(json_object_get(result_of(r, row, columns[0], 0), "kernels"));
    *sum = 0;
    for (size_t k = 0; k < launches; k++) {
        uint32_t best = 0;
        double fewest = launch_number(r, row, columns[0], k, "cycles");
        for (uint32_t i = 1; i < count; i++) {
            const double cycles = launch_number(r, row, columns[i], k, "cycles");
            best = cycles < fewest ? i : best;
            fewest = cycles < fewest ? cycles : fewest;
        }
        *sum += launch_number(r, row, from ? *from : columns[best], k, names[best]);
    }
    return launches && !isnan(*sum);
}

uint32_t reproduction_best(const struct reproduction *r, const struct paper_row *row, uint32_t column)
{
    uint32_t best = 0;
    double fastest = 0, cycles;
    for (uint32_t value = 1; value <= r->paper->columns[column].searched_to; value++) {
        json_t *result = result_of(r, row, column, value);
        if (result && result_number(result, "cycles", &cycles) && (!best || cycles < fastest)) {
            best = value;
            fastest = cycles;
        }
    }
    return best;
}

/* ---- claims and figures ---------------------------------------------------------------------------------------------- */

struct summed {
    double value;
    uint32_t of; /* how many of the rows have a value */
    uint32_t rows;
};

static struct summed sum_up(const struct reproduction *r, const char *list, const struct paper_series *s,
                            enum paper_summary summary)
{
    struct summed m = { 0 };
    double sum = 0, inverse = 0, logarithm = 0, least = INFINITY, most = -INFINITY;
    const struct paper_row *row = r->rows;
    for (uint32_t i = 0; i < r->row_count; i++) {
        double v;
        if (!listed(list, &row[i]))
            continue;
        m.rows++;
        if (!s->value(r, &row[i], s->subject, s->versus, &v))
            continue;
        m.of++;
        sum += v;
        inverse += 1 / v; /* of a number that is not positive there is no harmonic or geometric mean: inf or nan, and so null */
        logarithm += log(v);
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (m.of)
        m.value = summary == HARMONIC_MEAN_OF_ROWS    ? m.of / inverse
                  : summary == GEOMETRIC_MEAN_OF_ROWS ? exp(logarithm / m.of)
                  : summary == LEAST_OF_ROWS          ? least
                  : summary == MOST_OF_ROWS           ? most
                  : summary == SUM_OF_ROWS            ? sum
                                                      : sum / m.of;
    return m;
}

static json_t *number_or_null(bool there, double value)
{
    return there && isfinite(value) ? json_real(value) : json_null();
}

static const struct paper_row *first_listed(const struct reproduction *r, const char *list)
{
    const struct paper_row *row = r->rows;
    for (uint32_t i = 0; i < r->row_count; i++)
        if (listed(list, &row[i]))
            return &row[i];
    return NULL;
}

static json_t *claim_json(const struct reproduction *r, const struct paper_claim *c)
{
    const struct summed m = sum_up(r, c->rows, &(struct paper_series){ c->id, c->value, c->subject, c->versus }, c->summary);
    struct text_buffer why = { 0 };
    json_t *value = number_or_null(m.of > 0, m.value);
    if (c->searched) {
        double best;
        const struct paper_row *row = first_listed(r, c->rows);
        const bool there = row && c->searched(r, row, c->subject, c->versus, &best);
        value = json_pack("[o, o]", there ? json_real(best) : json_null(), value);
        if (!there)
            text_append(&why, "the first number is found with --search; ");
    }
    if (!m.of)
        text_append(&why, "no run answers it (the technique did not act, or the runs failed); ");
    else if (m.of < m.rows)
        text_append(&why, "%u of %u programs have a value; ", m.of, m.rows);
    text_append(&why, "look at: %s", c->look_at);
    const bool plain = !c->searched && *c->claimed && strspn(c->claimed, "0123456789.") == strlen(c->claimed);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:s}", "id", c->id, "what", c->what, "where", c->where, "claimed",
                  plain ? json_real(c->number) : json_string(c->claimed), "measured", value, "unit", c->unit, "difference_percent",
                  number_or_null(m.of > 0, 100 * (m.value / c->number - 1)), "explanation", why.text);
    text_buffer_clear(&why);
    return json;
}

static json_t *series_json(const struct reproduction *r, const struct paper_figure *f, const struct paper_series *s)
{
    json_t *values = json_object();
    const struct paper_row *row = r->rows;
    for (uint32_t i = 0; i < r->row_count; i++) {
        double v;
        if (listed(f->rows, &row[i]) && s->value(r, &row[i], s->subject, s->versus, &v) && isfinite(v))
            (void)json_object_set_new(values, row[i].label, json_real(v));
    }
    const struct summed m = sum_up(r, f->rows, s, f->summary);
    return json_pack("{s:s, s:o, s:o}", "name", s->name, "values", values, "mean", number_or_null(m.of > 0, m.value));
}

static json_t *figure_json(const struct reproduction *r, const struct paper_figure *f)
{
    json_t *labels = json_array(), *series = json_array();
    const struct paper_row *row = r->rows;
    for (uint32_t i = 0; i < r->row_count; i++)
        if (listed(f->rows, &row[i]))
            (void)json_array_append_new(labels, json_string(row[i].label));
    for (const struct paper_series *s = f->series; s->name; s++)
        (void)json_array_append_new(series, series_json(r, f, s));
    if (r->policies && f->series[0].value == paper_speedup)
        (void)json_array_append_new(
            series,
            series_json(r, f, &(struct paper_series){ r->policies, paper_speedup, r->paper->column_count, f->series[0].versus }));
    static const char *const means[] = { "mean", "harmonic mean", "geometric mean", "least", "most", "sum" };
    return json_pack("{s:s, s:s, s:f, s:s, s:o, s:o}", "figure", f->name, "title", f->title, "unit_line", f->unit_line, "summary",
                     means[f->summary], "rows", labels, "series", series);
}

/* "small", "small rows=512", "paper, first 200000 warp instructions" */
static void describe_input(const struct reproduction *r, const struct paper_row *row, struct text_buffer *out)
{
    text_append(out, "%s", size_of(r, row));
    if (row->shape && !r->size)
        text_append(out, " %s", row->shape);
    if (limit_of(r, row))
        text_append(out, ", first %llu warp instructions", (unsigned long long)limit_of(r, row));
}

json_t *reproduction_json(const struct reproduction *r)
{
    json_t *claims = json_array(), *figures = json_array();
    for (uint32_t i = 0; i < r->paper->claim_count; i++)
        (void)json_array_append_new(claims, claim_json(r, &r->paper->claims[i]));
    for (uint32_t i = 0; i < r->paper->figure_count; i++)
        (void)json_array_append_new(figures, figure_json(r, &r->paper->figures[i]));
    const char *size = r->size ? r->size : "small";
    json_t *sizes = json_object();
    for (uint32_t i = 0; i < r->row_count; i++) {
        struct text_buffer input = { 0 };
        describe_input(r, &r->rows[i], &input);
        if (strcmp(input.text, size) != 0)
            (void)json_object_set_new(sizes, r->rows[i].label, json_string(input.text));
        text_buffer_clear(&input);
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:o}", "paper", r->paper->name, "title", r->paper->title, "size", size,
                     "sizes", sizes, "config", r->paper->machine, "claims", claims, "figures", figures);
}
