#include "study/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *recording_temporary(const char *path)
{
    struct text_buffer name = { 0 };
    text_append(&name, "%s.part", path);
    return name.text;
}

struct wlt_writer *recording_open(const struct session_options *options, const char *target, bool *ok, struct error *err)
{
    *ok = true;
    if (!options->record_path[0])
        return NULL;
    char *temporary = recording_temporary(options->record_path);
    struct wlt_writer *writer = wlt_writer_open(temporary, target, options->record_data, err);
    free(temporary);
    *ok = writer != NULL;
    return writer;
}

bool recording_keep(const char *path, struct wlt_totals *totals, struct error *err)
{
    char *temporary = recording_temporary(path);
    struct wlt_reader *reader = access(temporary, F_OK) == 0 ? wlt_reader_open(temporary, err) : NULL;
    bool ok = reader != NULL;
    if (ok)
        wlt_reader_totals(reader, totals);
    else if (access(temporary, F_OK) != 0)
        (void)error_set_code(err, CODE_PROGRAM, "%.300s: not made: the program never used the device", path);
    else
        (void)error_set_code(err, CODE_PROGRAM, "%.300s: not made: the program ended before its recording did", path);
    wlt_reader_free(reader);
    if (ok && rename(temporary, path) != 0)
        ok = error_set(err, "%.300s: cannot be written: %s", path, strerror(errno));
    if (!ok)
        (void)unlink(temporary);
    free(temporary);
    return ok;
}

void recording_drop(const char *path)
{
    char *temporary = recording_temporary(path);
    (void)unlink(temporary);
    free(temporary);
}
