/* paper_values.c - what several papers measure of their rows: speedups, shares of counters, the rows of a table. */
#include "papers/paper.h"

#include <string.h>

#include "papers/reproduce.h"
#include "study/workload_list.h"

uint32_t paper_table_rows(const char *paper, struct paper_row rows[PAPER_ROWS])
{
    uint32_t count = 0;
    for (const struct workload_row *w = workload_rows; w->paper && count < PAPER_ROWS; w++)
        if (!strcmp(w->paper, paper))
            rows[count++] = (struct paper_row){ .target = w->workload, .label = w->abbreviation, .class = w->class };
    return count;
}

uint32_t paper_table_programs(const char *paper, struct paper_row rows[PAPER_ROWS])
{
    const uint32_t count = paper_table_rows(paper, rows);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!n || strcmp(rows[n - 1].target, rows[i].target) != 0)
            rows[n++] = rows[i];
    return n;
}

uint32_t paper_give_inputs(struct paper_row rows[], uint32_t count, const struct paper_input inputs[])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        for (const struct paper_input *in = inputs; in->target; in++)
            if (!strcmp(in->target, rows[i].target)) {
                rows[n] = rows[i];
                rows[n].size = in->size;
                rows[n++].instructions = in->instructions;
            }
    return n;
}

bool paper_work_number(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *name, double *value)
{
    double work = 1;
    if (!reproduction_number(r, row, column, name, value) ||
        (r->paper->per_instruction && row->instructions &&
         (!reproduction_number(r, row, column, "warp_instructions", &work) || work <= 0)))
        return false;
    *value /= work;
    return true;
}

bool paper_speedup(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    double own, other;
    if (!paper_work_number(r, row, subject, "cycles", &own) || !paper_work_number(r, row, versus, "cycles", &other) || own <= 0)
        return false;
    *value = other / own;
    return true;
}

bool paper_gain(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)
{
    double speedup;
    if (!paper_speedup(r, row, subject, versus, &speedup))
        return false;
    *percent = 100 * (speedup - 1);
    return true;
}

bool paper_mean_of_rows(const struct reproduction *r, const char *class, paper_value *value, uint32_t subject, uint32_t versus,
                        double *mean)
{
    double sum = 0, one;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->row_count; i++) {
        if (class && strcmp(r->rows[i].class, class) != 0)
            continue;
        if (!value(r, &r->rows[i], subject, versus, &one))
            return false;
        sum += one;
        count++;
    }
    *mean = count ? sum / count : 0;
    return count > 0;
}

bool paper_share(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *part, const char *whole,
                 double *percent)
{
    double of, all;
    if (!reproduction_number(r, row, column, part, &of) || !reproduction_number(r, row, column, whole, &all) || all <= 0)
        return false;
    *percent = 100 * of / all;
    return true;
}

bool paper_share_of_sums(const struct reproduction *r, const struct paper_row *row, uint32_t column, const char *const parts[],
                         const char *const wholes[], double *percent)
{
    double of = 0, all = 0, v;
    for (size_t i = 0; parts[i]; i++)
        of += reproduction_number(r, row, column, parts[i], &v) ? v : 0;
    for (size_t i = 0; wholes[i]; i++)
        all += reproduction_number(r, row, column, wholes[i], &v) ? v : 0;
    *percent = 100 * of / all;
    return all > 0;
}

bool paper_change_of_sums(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                          const char *const names[], double *percent)
{
    double now = 0, before = 0, v;
    bool ran = false;
    for (size_t i = 0; names[i]; i++) {
        if (reproduction_number(r, row, subject, names[i], &v)) {
            ran = true;
            now += v;
        }
        before += reproduction_number(r, row, versus, names[i], &v) ? v : 0;
    }
    *percent = 100 * (now / before - 1);
    return ran && before > 0;
}

bool paper_energy_part(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus,
                       const char *const names[], double *percent)
{
    double all, own, other, change = 0;
    if (!paper_work_number(r, row, versus, "energy.total_j", &all) || all <= 0)
        return false;
    for (size_t i = 0; names[i]; i++) {
        if (!paper_work_number(r, row, subject, names[i], &own) || !paper_work_number(r, row, versus, names[i], &other))
            return false;
        change += own - other;
    }
    *percent = 100 * change / all;
    return true;
}

#define ENERGY(function, ...)                                                                                                      \
    bool function(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *percent)   \
    {                                                                                                                              \
        static const char *const names[] = { __VA_ARGS__, NULL };                                                                  \
        return paper_energy_part(r, row, subject, versus, names, percent);                                                         \
    }
ENERGY(paper_energy, "energy.total_j")
ENERGY(paper_energy_instructions, "energy.components.instructions")
ENERGY(paper_energy_l1, "energy.components.l1")
ENERGY(paper_energy_l2, "energy.components.l2")
ENERGY(paper_energy_dram, "energy.components.dram")
ENERGY(paper_energy_constant, "energy.components.constant")
ENERGY(paper_energy_policies, "energy.components.policies")
ENERGY(paper_energy_others, "energy.components.shared", "energy.components.stall", "energy.components.link")
#undef ENERGY

/* Values of the text that no run here can answer: their claims say why. */
bool paper_not_measured(const struct reproduction *r, const struct paper_row *row, uint32_t subject, uint32_t versus, double *value)
{
    (void)r, (void)row, (void)subject, (void)versus, (void)value;
    return false;
}
