/* compare_finding.c - says in a sentence or two what a table of speedups shows: who wins on the mean, the largest gain and the
 * largest loss, and which workloads do not care. It reads all of this from the cells and assumes nothing. */
#include "study/compare.h"

#include <math.h>

/* A hundredth is less than the papers' own precision. Below it, a technique did nothing. */
static const double nothing = 0.01;

struct cell {
    size_t workload, column;
    double value;
};

/* The cell furthest above (or below) 1. The first column is the one that the others are compared with. False: there is none. */
static bool furthest(const struct comparison *c, bool above, struct cell *out)
{
    bool found = false;
    *out = (struct cell){ .value = 1 };
    for (size_t w = 0; w < c->workloads.count; w++)
        for (size_t p = 1; p < c->columns.count; p++) {
            double v;
            if (comparison_value(c, w, p, &v) && (above ? v > out->value : v < out->value)) {
                *out = (struct cell){ w, p, v };
                found = true;
            }
        }
    return found && fabs(out->value - 1) > nothing;
}

static void add_mean(const struct comparison *c, struct text_buffer *out)
{
    size_t best = 0;
    double most = 1, v;
    for (size_t p = 1; p < c->columns.count; p++)
        if (comparison_mean(c, p, MEAN_GEOMETRIC, &v) && v > most + nothing) {
            most = v;
            best = p;
        }
    if (best)
        text_append(out, "On the mean %s is fastest: %.2f times %s.", c->columns.item[best], most, c->columns.item[0]);
    else
        text_append(out, "On the mean nothing is faster than %s by more than 1 %%.", c->columns.item[0]);
}

static void add_extremes(const struct comparison *c, struct text_buffer *out)
{
    struct cell gain, loss;
    const bool gains = furthest(c, true, &gain), loses = furthest(c, false, &loss);
    if (gains)
        text_append(out, " The largest gain is %s on %s (%.2f)%s", c->columns.item[gain.column], c->workloads.item[gain.workload],
                    gain.value, loses ? "," : ".");
    if (loses)
        text_append(out, "%s largest loss %s%s on %s (%.2f).", gains ? " the" : " The", gains ? "" : "is ",
                    c->columns.item[loss.column], c->workloads.item[loss.workload], loss.value);
}

static bool does_not_care(const struct comparison *c, size_t workload)
{
    for (size_t p = 0; p < c->columns.count; p++) {
        double v;
        if (!comparison_value(c, workload, p, &v) || fabs(v - 1) > nothing)
            return false;
    }
    return true;
}

void comparison_finding(const struct comparison *c, struct text_buffer *out)
{
    double v;
    size_t indifferent = 0;
    if (!comparison_is_speedup(c) || c->columns.count < 2 || !comparison_mean(c, 0, MEAN_GEOMETRIC, &v))
        return;
    add_mean(c, out);
    add_extremes(c, out);
    for (size_t w = 0; w < c->workloads.count; w++)
        if (does_not_care(c, w))
            text_append(out, "%s%s", indifferent++ ? ", " : " Nothing changes by more than 1 %: ", c->workloads.item[w]);
    text_append(out, indifferent ? ".\n" : "\n");
}
