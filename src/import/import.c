/* import.c - from option files to the text of a configuration; what the rest of the room shares. */
#include "import/import.h"

#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/machine.h"

const char *import_text(struct import *in, const char *option, const char *otherwise)
{
    struct option *o = options_find(in->options, option);
    if (!o)
        return otherwise;
    o->known = true;
    return o->value;
}

unsigned long import_number(struct import *in, const char *option, const char *otherwise)
{
    const char *text = import_text(in, option, otherwise);
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (!*text || *end || *text == '-')
        import_refuse(in, option, "is '%.60s', which is no number", text);
    return value;
}

struct parts import_parts(struct import *in, const char *option, const char *otherwise, const char *separators, unsigned least,
                          unsigned most)
{
    struct parts p = { 0 };
    const char *text = import_text(in, option, otherwise);
    if (!text) {
        import_refuse(in, option, "is of no use");
        return p;
    }
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, separators);
        if (p.count == PARTS || length >= PART_BYTES || !length) {
            import_refuse(in, option, "is '%.100s', which cannot be read", text);
            return (struct parts){ 0 };
        }
        memcpy(p.text[p.count++], at, length);
        at += length;
        if (!*at)
            break;
    }
    if (p.count >= least && p.count <= most)
        return p;
    import_refuse(in, option, "is '%.100s': %u numbers or names where %u are expected", text, p.count, least);
    return (struct parts){ 0 };
}

void import_set(struct import *in, const char *option, const char *parameter, const char *format, ...)
{
    char value[160];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(value, sizeof value, format, list);
    va_end(list);
    if (length >= (int)sizeof value || strchr(value, ' '))
        import_refuse(in, option, "is '%.60s', which is too much for one setting", value);
    text_append(&in->result->config, "%s = %s # %s%s\n", parameter, value, options_find(in->options, option) ? "" : "default of ",
                option);
}

void import_refuse(struct import *in, const char *option, const char *format, ...)
{
    if (in->failed)
        return;
    const struct option *o = options_find(in->options, option);
    char what[400];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    in->failed = true;
    if (o)
        (void)error_set(in->err, "%s: %s %s", o->where, option, what);
    else
        (void)error_set(in->err, "no file gives %s, whose default there %s", option, what);
}

/* The network's file lies beside the one that names it. */
static bool read_network_file(struct options *options, struct error *err)
{
    const struct option *mode = options_find(options, "-network_mode"), *name = options_find(options, "-inter_config_file");
    if ((mode && strcmp(mode->value, "1") != 0) || !name)
        return true;
    char *beside = must_strdup(name->where);
    *strrchr(beside, ':') = '\0';
    struct text_buffer path = { 0 };
    if (name->value[0] != '/')
        text_append(&path, "%s/", dirname(beside));
    text_append(&path, "%s", name->value);
    const bool ok = options_read(options, path.text, options_parse_network, err);
    text_buffer_clear(&path);
    free(beside);
    return ok;
}

static bool all_known(struct import *in)
{
    for (size_t i = 0; i < in->options->count && !in->failed; i++) {
        const struct option *o = &in->options->option[i];
        const bool again = options_find(in->options, o->name) != o; /* a later one counts */
        if (!o->known && !again && strncmp(o->name, "icnt:", 5) != 0)
            import_refuse(in, o->name,
                          "is not known here; docs/validation-options.md lists what is. Remove it if it has no "
                          "bearing on cycles");
    }
    return !in->failed;
}

bool import_machine(struct options *options, bool exact, struct import_result *result, struct error *err)
{
    struct import in = { .options = options, .result = result, .err = err };
    in.trace = options_find(options, "-trace_opcode_latency_initiation_int") != NULL;
    text_append(&result->config, "include = %s%s\n", in.trace ? "titanv" : "gtx480",
                !exact     ? ""
                : in.trace ? "-accelsim"
                           : "-gpgpusim");
    import_plain(&in);
    import_sm(&in);
    import_memory(&in);
    return all_known(&in);
}

bool import_gpgpusim(const struct text_list *paths, bool exact, struct import_result *result, struct error *err)
{
    struct options options = { 0 };
    bool ok = true;
    for (size_t i = 0; i < paths->count && ok; i++)
        ok = options_read(&options, paths->item[i], options_parse, err);
    ok = ok && read_network_file(&options, err) && import_machine(&options, exact, result, err);
    options_clear(&options);
    return ok;
}
