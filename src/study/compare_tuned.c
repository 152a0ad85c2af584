/* compare_tuned.c - a column of a comparison whose limit of warps is searched for each workload: `gto+best-swl` is `gto,swl` with
 * the limit that is fastest there (the papers' Best-SWL). Powers of two are tried, and no limit; `warpline tune swl` tries every
 * number. */
#include "study/compare_tuned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/result.h"
#include "study/tune.h"

static const char name[] = "best-swl";
static const char setting[] = "policy.swl.limit=";

/* Where `best-swl` stands in the column, as a whole name; NULL: nowhere. */
static const char *place(const char *column)
{
    const size_t length = sizeof name - 1;
    for (const char *p = strstr(column, name); p; p = strstr(p + 1, name))
        if ((p == column || p[-1] == '+') && (p[length] == '\0' || p[length] == '+'))
            return p;
    return NULL;
}

bool column_is_tuned(const char *column)
{
    return place(column) != NULL;
}

char *column_with_plain_swl(const char *column)
{
    const char *at = place(column);
    struct text_buffer out = { 0 };
    text_append(&out, "%.*sswl%s", (int)(at - column), column, at + sizeof name - 1);
    return out.text;
}

bool tuned_limits(const struct study_subject *subject, struct tuned_limits *out, struct error *err)
{
    uint32_t all;
    if (!tuning_count_limits(subject, &all, err))
        return false;
    out->count = 0;
    for (uint32_t limit = 1; limit < all && out->count < TUNED_LIMITS_MAX - 1; limit *= 2)
        out->limit[out->count++] = limit;
    out->limit[out->count++] = all;
    return true;
}

void job_set_limit(struct job *job, uint32_t limit)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s%u", setting, limit);
    text_list_add(&job->set, text);
}

uint32_t job_limit(const struct job *job)
{
    const char *last = job->set.count ? job->set.item[job->set.count - 1] : "";
    return strncmp(last, setting, sizeof setting - 1) == 0 ? (uint32_t)strtoul(last + sizeof setting - 1, NULL, 10) : 0;
}

void tuned_take_best(struct batch_run *cell, struct batch_run *others, size_t count)
{
    double fastest, cycles;
    size_t best = count;
    bool any = cell->result && result_number(cell->result, "cycles", &fastest);
    for (size_t i = 0; i < count; i++)
        if (others[i].result && result_number(others[i].result, "cycles", &cycles) && (!any || cycles < fastest)) {
            fastest = cycles;
            best = i;
            any = true;
        }
    if (best < count) {
        const struct batch_run swapped = *cell;
        *cell = others[best];
        others[best] = swapped;
    }
}
