/* reproduce_print.c - a reproduction for people: claims and figures as tables, or as a page with the figures drawn. */
#include <string.h>

#include "base/terminal.h"
#include "study/report.h"
#include "study/report_texts.h"
#include "papers/reproduce.h"

static void format_number(char text[32], const json_t *number)
{
    const double v = json_number_value(number);
    if (json_is_number(number))
        (void)snprintf(text, 32, v >= 1000 ? "%.0f" : "%.3g", v);
    else
        (void)snprintf(text, 32, "-");
}

static void print_measured(const json_t *measured, FILE *out)
{
    char text[80], first[32], second[32];
    format_number(first, json_is_array(measured) ? json_array_get(measured, 0) : measured);
    format_number(second, json_array_get(measured, 1));
    (void)snprintf(text, sizeof text, json_is_array(measured) ? "%s / %s" : "%s%.0s", first, second);
    (void)fprintf(out, " %10s", text);
}

/* The longest text of a column of claims, its head included. */
static int column_width(const json_t *claims, const char *key)
{
    size_t width = strlen(key);
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const size_t length = strlen(json_string_value(json_object_get(json_array_get(claims, i), key)));
        width = length > width ? length : width;
    }
    return (int)width;
}

/* Two lines each: the numbers, and what they are. */
static void print_claims(const json_t *claims, FILE *out)
{
    const char *dim = terminal_colour(out, COLOUR_DIM), *end = terminal_colour(out, COLOUR_NONE);
    const int id = column_width(claims, "id"), where = column_width(claims, "where"), unit = column_width(claims, "unit");
    (void)fprintf(out, "%-*s %-*s %10s %10s %-*s %9s\n", id, "claim", where, "where", "claimed", "measured", unit, "unit", "diff.");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *c = json_array_get(claims, i), *claimed = json_object_get(c, "claimed"),
                     *difference = json_object_get(c, "difference_percent");
        (void)fprintf(out, "%-*s %-*s", id, json_string_value(json_object_get(c, "id")), where,
                      json_string_value(json_object_get(c, "where")));
        if (json_is_string(claimed))
            (void)fprintf(out, " %10s", json_string_value(claimed));
        else
            (void)fprintf(out, " %10.6g", json_number_value(claimed));
        print_measured(json_object_get(c, "measured"), out);
        (void)fprintf(out, " %-*s", unit, json_string_value(json_object_get(c, "unit")));
        if (json_is_number(difference))
            (void)fprintf(out, " %+8.1f%%", json_number_value(difference));
        (void)fprintf(out, "\n    %s%s%s\n", dim, json_string_value(json_object_get(c, "what")), end);
    }
}

enum { CELL = 18 };

static void print_cell(const json_t *value, FILE *out)
{
    if (json_is_number(value))
        (void)fprintf(out, " %*.3f", CELL, json_number_value(value));
    else
        (void)fprintf(out, " %*s", CELL, "-");
}

static void print_figure(const json_t *figure, FILE *out)
{
    const json_t *rows = json_object_get(figure, "rows"), *series = json_object_get(figure, "series");
    (void)fprintf(out, "\nfigure %s: %s\n%-16s", json_string_value(json_object_get(figure, "figure")),
                  json_string_value(json_object_get(figure, "title")), "");
    for (size_t s = 0; s < json_array_size(series); s++)
        (void)fprintf(out, " %*s", CELL, json_string_value(json_object_get(json_array_get(series, s), "name")));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *label = json_string_value(json_array_get(rows, i));
        (void)fprintf(out, "\n  %-14s", label);
        for (size_t s = 0; s < json_array_size(series); s++)
            print_cell(json_object_get(json_object_get(json_array_get(series, s), "values"), label), out);
    }
    (void)fprintf(out, "\n  %-14s", json_string_value(json_object_get(figure, "summary")));
    for (size_t s = 0; s < json_array_size(series); s++)
        print_cell(json_object_get(json_array_get(series, s), "mean"), out);
    (void)fputc('\n', out);
}

void reproduction_print(const json_t *json, FILE *out)
{
    const json_t *figures = json_object_get(json, "figures");
    json_t *sizes = json_object_get(json, "sizes"), *size;
    const char *label;
    (void)fprintf(out, "paper %s on %s, inputs of size %s", json_string_value(json_object_get(json, "paper")),
                  json_string_value(json_object_get(json, "config")), json_string_value(json_object_get(json, "size")));
    json_object_foreach(sizes, label, size)
        (void)fprintf(out, ", %s %s", label, json_string_value(size));
    (void)fprintf(out, "\n\n");
    print_claims(json_object_get(json, "claims"), out);
    for (size_t i = 0; i < json_array_size(figures); i++)
        print_figure(json_array_get(figures, i), out);
}

void reproduction_page(const json_t *json, struct text_buffer *html)
{
    report_page(json, "warpline reproduction", (const char *const[]){ reproduction_js, NULL }, html);
}
