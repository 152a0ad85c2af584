/* cmd_doctor.c - tells what this machine has of what warpline can use, and what does not work when a piece is missing. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/json.h"
#include "base/terminal.h"
#include "base/version.h"
#include "cli/common_options.h"

struct tool {
    const char *program;   /* looked for in PATH */
    const char *elsewhere; /* a path tried when it is not there; NULL none */
    const char *use, *without, *package;
};

static const struct tool tools[] = {
    { "clang++", NULL, "compiles CUDA programs and the built-in workloads",
      "'warpline cc' and running workloads by name do not work; PTX files, programs made by nvcc and traces do", "clang" },
    { "qemu-x86_64", NULL, "records programs of CPUs ('warpline record-cpu')",
      "'warpline record-cpu' does not work; traces that are there run", "qemu-user" },
    { "sbatch", NULL, "spreads sweeps over a Slurm cluster", "sweeps run on this machine only (--engine local)", "slurm-client" },
    { "nvcc", "/usr/local/cuda/bin/nvcc", "compiles CUDA programs the NVIDIA way (not needed)",
      "nothing is lost: 'warpline cc' takes its place", NULL },
    { NULL, NULL, NULL, NULL, NULL }
};

static bool find_program(const char *name, char *out, size_t room)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        (void)snprintf(out, room, "%.*s/%s", (int)length, path, name);
        if (length && access(out, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool find_tool(const struct tool *t, char *path, size_t room)
{
    if (find_program(t->program, path, room))
        return true;
    if (!t->elsewhere || access(t->elsewhere, X_OK) != 0)
        return false;
    (void)snprintf(path, room, "%s", t->elsewhere);
    return true;
}

static bool write_json(const struct output_options *output, struct error *err)
{
    json_t *rows = json_array(), *all = json_pack("{s:s, s:i, s:o}", "warpline", WARPLINE_VERSION, "processors",
                                                  (int)sysconf(_SC_NPROCESSORS_ONLN), "tools", rows);
    for (const struct tool *t = tools; t->program; t++) {
        char path[4096];
        const bool found = find_tool(t, path, sizeof path);
        (void)json_array_append_new(rows, json_pack("{s:s, s:b, s:s?, s:s, s:s, s:s?}", "program", t->program, "found", (int)found,
                                                    "path", found ? path : NULL, "use", t->use, "without", t->without, "package",
                                                    t->package));
    }
    struct text_buffer text = { 0 };
    json_write(all, &text);
    json_decref(all);
    const bool ok = output_options_write(output, text.text, text.length, err);
    text_buffer_clear(&text);
    return ok;
}

static enum exit_code doctor_run(const struct command_call *call, struct error *err)
{
    const struct output_options *output = call->options;
    if (output->json)
        return write_json(output, err) ? CODE_OK : err->code;
    unsigned missing = 0;
    (void)printf("warpline %s, %ld processors\n", WARPLINE_VERSION, sysconf(_SC_NPROCESSORS_ONLN));
    for (const struct tool *t = tools; t->program; t++) {
        char path[4096];
        const bool found = find_tool(t, path, sizeof path);
        const char *colour = terminal_colour(stdout, found ? COLOUR_GREEN : COLOUR_YELLOW),
                   *end = terminal_colour(stdout, COLOUR_NONE);
        if (found) {
            (void)printf("%s%-8s%s %-11s %s: %s\n", colour, "found", end, t->program, path, t->use);
            continue;
        }
        missing++;
        (void)printf("%s%-8s%s %-11s %s; without it: %s", colour, "missing", end, t->program, t->use, t->without);
        if (t->package)
            (void)printf(" (apt install %s)", t->package);
        (void)putchar('\n');
    }
    (void)printf(missing ? "%u missing; everything else works.\n" : "Nothing is missing.\n", missing);
    return CODE_OK;
}

static const struct option_set doctor_sets[] = { { output_option_rows, 0 }, { NULL, 0 } };

const struct command command_doctor = {
    .name = "doctor",
    .summary = "tell which optional tools are missing, and what does not work without them",
    .examples = (const struct command_example[]){ { "warpline doctor", "look for clang, QEMU, Slurm and nvcc" }, { NULL, NULL } },
    .option_sets = doctor_sets,
    .options_size = sizeof(struct output_options),
    .run = doctor_run,
};
