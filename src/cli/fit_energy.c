/* fit_energy.c - reads power readings, fits a table, prints how well it fits and writes it. */
#include "cli/fit_energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/text.h"
#include "energy/energy_fit.h"

/* The new table as a file: what was fitted, over the table that it started from. */
static void write_table(const struct fit_request *q, const struct energy_reading *readings, size_t count,
                        const struct energy_table *table, struct text_buffer *out)
{
    const char *groups[] = { "thread.", "transaction." };
    text_append(out, "# Fitted by 'warpline energy fit' to %zu readings of %s\ninclude = %s\n", count, q->readings, q->base);
    for (size_t g = 0; g < 2; g++) {
        text_append(out, "\n[%.*s]\n", (int)strlen(groups[g]) - 1, groups[g]);
        for (uint32_t t = 0; t < energy_term_count(); t++) {
            const char *key = energy_term_key(t);
            bool fitted = false;
            for (size_t i = 0; i < count; i++)
                fitted |= !strcmp(readings[i].key, key);
            if (fitted && !strncmp(key, groups[g], strlen(groups[g])))
                text_append(out, "%s = %.6g\n", key + strlen(groups[g]), energy_term_number(table, t));
        }
    }
    text_append(out, "\n[constant]\npower = %.6g # the mean of idle_w\n", table->constant_power);
}

static void print_fit(const struct energy_reading *readings, size_t count, const struct energy_table *table)
{
    double worst = 0, sum = 0;
    (void)printf("%-24s %-20s %12s %14s %14s %8s\n", "kernel", "number", "nJ", "measured J", "model J", "error");
    for (size_t i = 0; i < count; i++) {
        const struct energy_reading *r = &readings[i];
        const double error = 100 * (r->model_j / r->measured_j - 1);
        char value[32] = "-";
        for (uint32_t t = 0; t < energy_term_count(); t++)
            if (!strcmp(r->key, energy_term_key(t)))
                (void)snprintf(value, sizeof value, "%.5g", energy_term_number(table, t));
        (void)printf("%-24s %-20s %12s %14.6g %14.6g %+7.2f %%\n", r->kernel, *r->key ? r->key : "(mix)", value, r->measured_j,
                     r->model_j, error);
        worst = fmax(worst, fabs(error));
        sum += fabs(error);
    }
    (void)printf("mean error %.2f %%, largest %.2f %%; idle power %.4g W\n", sum / (double)count, worst, table->constant_power);
}

static bool fit(const struct fit_request *q, const char *text, json_t *counts, struct energy_reading *readings, struct error *err)
{
    struct energy_table table;
    const size_t count = energy_readings_parse(text, q->readings, readings, err);
    if (!count || !energy_table_load(&table, q->base, "--table", err) || !energy_fit(readings, count, counts, &table, err))
        return false;
    print_fit(readings, count, &table);
    if (!q->out)
        return true;
    struct text_buffer out = { 0 };
    write_table(q, readings, count, &table, &out);
    const bool ok = atomic_file_write(q->out, out.text, out.length, err);
    text_buffer_clear(&out);
    return ok;
}

bool fit_energy(const struct fit_request *q, struct error *err)
{
    size_t length;
    char *text = text_read_file(q->readings, 1 << 20, &length, err);
    if (!text)
        return false;
    json_t *counts = json_read_file(q->result, "a result", err);
    struct energy_reading *readings = must_calloc(ENERGY_READINGS_MAX, sizeof *readings);
    const bool ok = counts && fit(q, text, counts, readings, err);
    json_decref(counts);
    free(readings);
    free(text);
    return ok;
}
