/* workload_list.c - the built-in workloads as data, and where their programs lie. */
#include "study/workload_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "install_places.h"

const struct workload workload_list[] = {
#define WORKLOAD(name, p000, p001, suite, class000, class001, kernels, dominates, kib, small, medium)                              \
    { #name, p000, p001, suite, class000, class001, kernels, dominates, kib, small, medium },
#include "../../workloads/workloads.def"
#undef WORKLOAD
    { .name = NULL }
};

const struct workload_row workload_rows[] = {
#define TABLE_ROW(paper, abbreviation, workload, class) { paper, abbreviation, #workload, class },
#include "../../workloads/tables.def"
#undef TABLE_ROW
    { .paper = NULL }
};

const char *const workload_sizes[] = { "tiny", "small", "medium", "paper", NULL };

/* "003:PTF" -> its workload's name; `name` itself when it has no such form. */
static const char *name_in_table(const char *name)
{
    const char *colon = strchr(name, ':');
    for (const struct workload_row *r = workload_rows; colon && r->paper; r++)
        if (strlen(r->paper) == (size_t)(colon - name) && !strncmp(r->paper, name, strlen(r->paper)) &&
            !strcasecmp(r->abbreviation, colon + 1))
            return r->workload;
    return name;
}

const struct workload *workload_find(const char *given)
{
    const char *name = name_in_table(given);
    for (const struct workload *w = workload_list; w->name; w++)
        if (!strcasecmp(w->name, name) || (*w->abbreviation_000 && !strcasecmp(w->abbreviation_000, name)) ||
            (*w->abbreviation_001 && !strcasecmp(w->abbreviation_001, name)))
            return w;
    return NULL;
}

const char *workload_likely(const char *name)
{
    struct text_nearest nearest = { .wanted = name };
    for (const struct workload *w = workload_list; w->name; w++)
        text_nearest_offer(&nearest, w->name);
    return text_nearest_likely(&nearest);
}

bool workload_program(const struct workload *workload, char path[PATH_MAX], struct error *err)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot find the running program in /proc");
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    const char *given = getenv("WARPLINE_WORKLOADS");
    const struct {
        const char *base, *below;
    } places[] = { { given, "" }, { self, "/workloads" }, { self, WARPLINE_LIBRARIES "/workloads" } };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!places[i].base)
            continue;
        const int n = snprintf(path, PATH_MAX, "%s%s/%s", places[i].base, places[i].below, workload->name);
        if (n > 0 && n < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return error_set(
        err, "the program of workload '%s' is not built; 'ninja -C build' makes it (clang is needed: see 'warpline doctor')",
        workload->name);
}
