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

struct wlt_writer *recording_open(const struct session_options *options, const char *target, bool *ok, struct error *err)
{
    *ok = true;
    if (!options->record_path[0])
        return NULL;
    struct wlt_writer *writer = wlt_writer_open(options->record_path, options->record_name, target, options->record_data, err);
    *ok = writer != NULL;
    return writer;
}

/* NULL with an error: there is no recording, or it is not whole. */
static struct wlt_reader *open_whole(const struct part_file *part, const char *name, struct wlt_totals *totals, struct error *err)
{
    struct stat made;
    const bool begun = fstat(part_file_fd(part), &made) == 0 && made.st_size > 0;
    struct wlt_reader *reader = begun ? wlt_reader_open(part_file_path(part), err) : NULL;
    if (reader)
        wlt_reader_totals(reader, totals);
    else
        (void)error_set_code(err, CODE_PROGRAM, "%.300s: not made: the program %s", name,
                             begun ? "ended before its recording did" : "never used the device");
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

bool recording_convert(struct part_file *part, const char *path, struct wlt_totals *totals, uint64_t *bytes, struct error *err)
{
    char *folder = part_file_spare_name(path);
    struct wlt_reader *reader = open_whole(part, path, totals, err);
    bool ok = reader != NULL;
    if (ok) {
        ok = mkdir(folder, 0777) == 0 || error_set(err, "%.300s: cannot be made: %s", folder, strerror(errno));
        ok = ok && accelsim_write(reader, folder, bytes, err);
        if (ok && rename(folder, path) != 0)
            ok = error_set(err, "%.300s: cannot be written: %s", path, strerror(errno));
        if (!ok)
            remove_folder(folder);
    }
    wlt_reader_free(reader);
    part_file_drop(part);
    free(folder);
    return ok;
}

bool recording_keep(struct part_file *part, const char *name, struct wlt_totals *totals, struct error *err)
{
    struct wlt_reader *reader = open_whole(part, name, totals, err);
    wlt_reader_free(reader);
    if (reader)
        return part_file_keep(part, err);
    part_file_drop(part);
    return false;
}
