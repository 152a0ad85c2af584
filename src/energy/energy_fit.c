/* energy_fit.c - solves power readings of microbenchmarks for the numbers of a table. */
#include "energy/energy_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/symbol.h"

/* ---- readings ---- */

enum column { KERNEL, ACTIVE, IDLE, SECONDS, LAUNCHES, COLUMNS };
static const char *const column_names[COLUMNS] = { "kernel", "active_w", "idle_w", "seconds", "launches" };

/* The next cell of a line, without blanks around it; false at the line's end. */
static bool next_cell(const char **at, const char *end, char out[64])
{
    if (*at > end)
        return false;
    const char *first = *at, *stop = memchr(first, ',', (size_t)(end - first));
    stop = stop ? stop : end;
    *at = stop + 1;
    while (first < stop && (*first == ' ' || *first == '\t'))
        first++;
    while (stop > first && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
        stop--;
    (void)snprintf(out, 64, "%.*s", (int)(stop - first), first);
    return true;
}

static bool parse_head(const char *line, const char *end, const char *where, int places[COLUMNS], struct error *err)
{
    char cell[64];
    for (int c = 0; c < COLUMNS; c++)
        places[c] = -1;
    for (int place = 0; next_cell(&line, end, cell); place++) {
        int found = -1;
        for (int c = 0; c < COLUMNS; c++)
            found = strcmp(cell, column_names[c]) ? found : c;
        if (found < 0)
            return error_set(err, "%s:1: no column is called '%.40s'; there are kernel, active_w, idle_w, seconds and launches",
                             where, cell);
        places[found] = place;
    }
    for (int c = 0; c < LAUNCHES; c++)
        if (places[c] < 0)
            return error_set(err, "%s:1: the column %s is missing; the first line is kernel,active_w,idle_w,seconds[,launches]",
                             where, column_names[c]);
    return true;
}

static bool parse_number(const char *cell, double least, double *out)
{
    char *end;
    *out = strtod(cell, &end);
    return *cell && !*end && isfinite(*out) && *out >= least;
}

static bool parse_line(const char *line, const char *end, const char *where, unsigned number, const int places[COLUMNS],
                       struct energy_reading *r, struct error *err)
{
    char cell[64];
    double values[COLUMNS] = { [LAUNCHES] = 1 };
    bool there[COLUMNS] = { [LAUNCHES] = true };
    *r = (struct energy_reading){ 0 };
    for (int place = 0; next_cell(&line, end, cell); place++)
        for (int c = 0; c < COLUMNS; c++) {
            if (places[c] != place)
                continue;
            there[c] = true;
            if (c == KERNEL)
                (void)snprintf(r->kernel, sizeof r->kernel, "%s", cell);
            else if (!parse_number(cell, c == LAUNCHES ? 1 : 0, &values[c]))
                return error_set(err, "%s:%u: %s is '%.40s', not a number%s", where, number, column_names[c], cell,
                                 c == LAUNCHES ? " of at least 1" : "");
        }
    for (int c = 0; c < COLUMNS; c++)
        if (!there[c])
            return error_set(err, "%s:%u: %s is missing", where, number, column_names[c]);
    r->active_w = values[ACTIVE];
    r->idle_w = values[IDLE];
    r->seconds = values[SECONDS];
    r->launches = values[LAUNCHES];
    r->measured_j = (r->active_w - r->idle_w) * r->seconds;
    if (r->measured_j <= 0)
        return error_set(err, "%s:%u: %s draws no more than the idle board, or takes no time: there is nothing to learn from it",
                         where, number, r->kernel);
    return true;
}

size_t energy_readings_parse(const char *text, const char *where, struct energy_reading readings[ENERGY_READINGS_MAX],
                             struct error *err)
{
    int places[COLUMNS] = { 0 };
    size_t count = 0;
    unsigned number = 0;
    for (const char *line = text; *line; number++) {
        const char *end = strchrnul(line, '\n');
        const bool blank = strspn(line, " \t\r") >= (size_t)(end - line);
        if (number == 0 && !parse_head(line, end, where, places, err))
            return 0;
        if (number > 0 && !blank) {
            if (count == ENERGY_READINGS_MAX) {
                (void)error_set(err, "%s: more than %d readings", where, ENERGY_READINGS_MAX);
                return 0;
            }
            if (!parse_line(line, end, where, number + 1, places, &readings[count], err))
                return 0;
            count++;
        }
        line = *end ? end + 1 : end;
    }
    if (!count)
        (void)error_set(err, "%s: there are no readings in it", where);
    return count;
}

/* ---- what is solved ---- */

static const json_t *kernel_of(const json_t *counts, const char *kernel)
{
    const json_t *kernels = json_object_get(counts, "kernels");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        const char *symbol = json_string_value(json_object_get(k, "name"));
        if (symbol && symbol_is_kernel(symbol, kernel))
            return k;
    }
    return NULL;
}

enum { UNKNOWNS_MAX = WORK_COUNT + 16 };
struct system {
    uint32_t term[UNKNOWNS_MAX]; /* of energy_term_at */
    uint32_t count;
    double normal[UNKNOWNS_MAX][UNKNOWNS_MAX + 1]; /* of the least squares; the last column is the right side */
};

/* The term that a microbenchmark of this name is for; energy_term_count() for none. */
static uint32_t term_of(const char *kernel)
{
    static const char *const groups[] = { "thread.", "transaction." };
    const char *what = strncmp(kernel, "joule_", 6) == 0 ? kernel + 6 : kernel;
    for (uint32_t t = 0; t < energy_term_count(); t++)
        for (size_t g = 0; g < 2; g++) {
            const char *key = energy_term_key(t);
            const size_t length = strlen(groups[g]);
            if (!strncmp(key, groups[g], length) && !strcmp(key + length, what))
                return t;
        }
    return energy_term_count();
}

static bool name_unknowns(struct system *s, struct energy_reading *readings, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t t = term_of(readings[i].kernel);
        bool known = t == energy_term_count();
        for (uint32_t u = 0; u < s->count; u++)
            known |= s->term[u] == t;
        if (t < energy_term_count())
            (void)snprintf(readings[i].key, sizeof readings[i].key, "%s", energy_term_key(t));
        if (!known && s->count < UNKNOWNS_MAX)
            s->term[s->count++] = t;
    }
    return s->count || error_set(err, "no reading is of a microbenchmark for one number: name them as the kernels of the workload "
                                      "'joule', joule_fp_add for thread.fp_add");
}

/* Joules that one unit of the term's number makes of these counters. */
static double weight_of(const json_t *kernel, uint32_t term, double launches)
{
    return launches * energy_term_joules(term, kernel);
}

static bool add_equation(struct system *s, const struct energy_reading *r, const json_t *counts, const struct energy_table *table,
                         struct error *err)
{
    const json_t *kernel = kernel_of(counts, r->kernel);
    if (!kernel)
        return error_set(err, "there is no kernel '%s' in the result that tells what kernels did", r->kernel);
    double row[UNKNOWNS_MAX] = { 0 }, rest = r->measured_j;
    for (uint32_t t = 0; t < energy_term_count(); t++) {
        uint32_t u = 0;
        while (u < s->count && s->term[u] != t)
            u++;
        if (u < s->count)
            row[u] = weight_of(kernel, t, r->launches);
        else
            rest -= weight_of(kernel, t, r->launches) * energy_term_number(table, t);
    }
    const double weight = 1 / (r->measured_j * r->measured_j); /* the same relative error everywhere */
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t k = 0; k < s->count; k++)
            s->normal[i][k] += weight * row[i] * row[k];
        s->normal[i][s->count] += weight * row[i] * rest;
    }
    return true;
}

/* Gaussian elimination with pivots from the diagonal, which is enough for a system of least squares. */
static bool solve(struct system *s, struct error *err)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->normal[i][i] <= 0)
            return error_set(err,
                             "the readings do not tell %s: its microbenchmark does none of it, or does always the same beside it",
                             energy_term_key(s->term[i]));
        for (uint32_t k = 0; k < s->count; k++) {
            const double factor = k == i ? 0 : s->normal[k][i] / s->normal[i][i];
            for (uint32_t c = i; factor != 0 && c <= s->count; c++)
                s->normal[k][c] -= factor * s->normal[i][c];
        }
    }
    return true;
}

static double model_of(const struct energy_reading *r, const json_t *counts, const struct energy_table *table)
{
    double sum = 0;
    for (uint32_t t = 0; t < energy_term_count(); t++)
        sum += weight_of(kernel_of(counts, r->kernel), t, r->launches) * energy_term_number(table, t);
    return sum;
}

bool energy_fit(struct energy_reading *readings, size_t count, const json_t *counts, struct energy_table *table, struct error *err)
{
    struct system *s = must_calloc(1, sizeof *s);
    bool ok = name_unknowns(s, readings, count, err);
    for (size_t i = 0; i < count && ok; i++)
        ok = add_equation(s, &readings[i], counts, table, err);
    ok = ok && solve(s, err);
    for (uint32_t u = 0; ok && u < s->count; u++) {
        const double value = s->normal[u][s->count] / s->normal[u][u];
        energy_term_set(table, s->term[u], value > 0 ? value : 0); /* noise may push a small number below zero */
    }
    double idle = 0;
    for (size_t i = 0; ok && i < count; i++) {
        readings[i].model_j = model_of(&readings[i], counts, table);
        idle += readings[i].idle_w / (double)count;
    }
    if (ok)
        table->constant_power = idle;
    free(s);
    return ok;
}
