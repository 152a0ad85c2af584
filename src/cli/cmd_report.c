/* cmd_report.c - the results as a page to look at. */
#include "base/atomic_file.h"
#include "cli/common_options.h"
#include "study/report.h"

struct report_options {
    const char *database, *study, *output;
};

static const struct option_row report_rows[] = {
    OPTION_FILE_LETTER(struct report_options, output, 'o', "output", "FILE", "where to write it (default report.html)"),
    OPTION_TEXT(struct report_options, study, "study", "NAME", "only the runs of this study"),
    OPTION_FILE(struct report_options, database, "db", "FILE", "results database (default $WARPLINE_DB or warpline.db)"), OPTION_END
};
static const struct option_set report_sets[] = { { report_rows, 0 }, { NULL, 0 } };

static enum exit_code report_run(const struct command_call *call, struct error *err)
{
    const struct report_options *o = call->options;
    const char *path = o->output ? o->output : "report.html";
    struct text_buffer html = { 0 };
    struct database *d = database_open(o->database ? o->database : database_default_path(), DATABASE_READ, err);
    const bool ok = d && report_make(d, o->study, NULL, o->study ? o->study : "Results", NULL, &html, err) &&
                    atomic_file_write(path, html.text, html.length, err);
    if (ok)
        (void)fprintf(stderr, "%s: %.1f KB, open it in a browser\n", path, (double)html.length / 1000);
    text_buffer_clear(&html);
    database_close(d);
    return ok ? CODE_OK : err->code;
}

const struct command command_report = {
    .name = "report",
    .summary = "make one HTML page of the results",
    .details = "The page carries its data, its charts and the commands that repeat each run; it needs no network.",
    .examples =
        (const struct command_example[]){ { "warpline report --output report.html", "every run of the database" },
                                          { "warpline report --study paper1 --output paper1.html", "the runs of one study" },
                                          { NULL, NULL } },
    .option_sets = report_sets,
    .options_size = sizeof(struct report_options),
    .max_arguments = 0,
    .run = report_run,
};
