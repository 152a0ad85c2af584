/* recording.c - where a recording goes while it is made, and what becomes of it at the end. */
#include "run/recording.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/accelsim_write.h"

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

/* NULL with an error: there is no recording, or it is not whole. */
static struct wlt_reader *open_whole(const char *path, const char *temporary, struct wlt_totals *totals, struct error *err)
{
    struct wlt_reader *reader = access(temporary, F_OK) == 0 ? wlt_reader_open(temporary, err) : NULL;
    if (reader)
        wlt_reader_totals(reader, totals);
    else if (access(temporary, F_OK) != 0)
        (void)error_set_code(err, CODE_PROGRAM, "%.300s: not made: the program never used the device", path);
    else
        (void)error_set_code(err, CODE_PROGRAM, "%.300s: not made: the program ended before its recording did", path);
    return reader;
}

/* A folder of files, no folders in it. */
static void remove_folder(const char *folder)
{
    DIR *files = opendir(folder);
    for (const struct dirent *file; files && (file = readdir(files)) != NULL;) {
        struct text_buffer path = { 0 };
        text_append(&path, "%s/%s", folder, file->d_name);
        (void)unlink(path.text);
        text_buffer_clear(&path);
    }
    if (files)
        (void)closedir(files);
    (void)rmdir(folder);
}

bool recording_convert(const char *path, struct wlt_totals *totals, uint64_t *bytes, struct error *err)
{
    char *temporary = recording_temporary(path), *folder = recording_temporary(temporary);
    struct wlt_reader *reader = open_whole(path, temporary, totals, err);
    bool ok = reader != NULL;
    if (ok) {
        remove_folder(folder); /* what a killed one left */
        ok = mkdir(folder, 0777) == 0 || error_set(err, "%.300s: cannot be made: %s", folder, strerror(errno));
        ok = ok && accelsim_write(reader, folder, bytes, err);
        if (ok && rename(folder, path) != 0)
            ok = error_set(err, "%.300s: cannot be written: %s", path, strerror(errno));
        if (!ok)
            remove_folder(folder);
    }
    wlt_reader_free(reader);
    (void)unlink(temporary);
    free(temporary);
    free(folder);
    return ok;
}

bool recording_keep(const char *path, struct wlt_totals *totals, struct error *err)
{
    char *temporary = recording_temporary(path);
    struct wlt_reader *reader = open_whole(path, temporary, totals, err);
    bool ok = reader != NULL;
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
