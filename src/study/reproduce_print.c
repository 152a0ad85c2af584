/* A reproduction for people: claims as a table, figures as bars. */
#include "study/reproduce.h"

enum { BAR = 40 };

static void print_measured(const json_t *measured, FILE *out)
{
    char text[32] = "-";
    const json_t *found = json_is_array(measured) ? json_array_get(measured, 1) : measured;
    if (json_is_array(measured) && json_is_integer(json_array_get(measured, 0)) && json_is_number(found))
        (void)snprintf(text, sizeof text, "%lld / %.3g", (long long)json_integer_value(json_array_get(measured, 0)), json_number_value(found));
    else if (json_is_number(found))
        (void)snprintf(text, sizeof text, json_number_value(found) >= 1000 ? "%.0f" : "%.3g", json_number_value(found));
    (void)fprintf(out, " %10s", text);
}

static void print_claims(const json_t *claims, FILE *out)
{
    (void)fprintf(out, "%-20s %-22s %10s %10s %-7s %9s\n", "claim", "where", "claimed", "measured", "unit", "diff.");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *c = json_array_get(claims, i), *claimed = json_object_get(c, "claimed"), *difference = json_object_get(c, "difference_percent");
        (void)fprintf(out, "%-20s %-22s", json_string_value(json_object_get(c, "id")), json_string_value(json_object_get(c, "where")));
        if (json_is_string(claimed))
            (void)fprintf(out, " %10s", json_string_value(claimed));
        else
            (void)fprintf(out, " %10.6g", json_number_value(claimed));
        print_measured(json_object_get(c, "measured"), out);
        (void)fprintf(out, " %-7s", json_string_value(json_object_get(c, "unit")));
        if (json_is_number(difference))
            (void)fprintf(out, " %+8.1f%%", json_number_value(difference));
        (void)fprintf(out, "\n");
    }
}

static void print_figure(const json_t *figure, FILE *out)
{
    const json_t *values = json_object_get(figure, "values");
    const char *name;
    json_t *value;
    double most = 0;
    if (!json_object_size(values))
        return;
    (void)fprintf(out, "\nfigure %s: %s\n", json_string_value(json_object_get(figure, "figure")), json_string_value(json_object_get(figure, "title")));
    json_object_foreach((json_t *)(uintptr_t)values, name, value)
        most = json_number_value(value) > most ? json_number_value(value) : most;
    json_object_foreach((json_t *)(uintptr_t)values, name, value)
    {
        const double v = json_number_value(value);
        (void)fprintf(out, "  %-10s %9.3f ", name, v);
        for (int i = 0; v > 0 && i < (int)(BAR * v / most + 0.5); i++)
            (void)fputc('#', out);
        (void)fputc('\n', out);
    }
}

void reproduction_print(const json_t *json, FILE *out)
{
    const json_t *figures = json_object_get(json, "figures");
    (void)fprintf(out, "paper %s on %s, inputs of size %s\n\n", json_string_value(json_object_get(json, "paper")),
                  json_string_value(json_object_get(json, "config")), json_string_value(json_object_get(json, "size")));
    print_claims(json_object_get(json, "claims"), out);
    for (size_t i = 0; i < json_array_size(figures); i++)
        print_figure(json_array_get(figures, i), out);
}
