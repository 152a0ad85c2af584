/* job.c - one run of a study as a command line, and the key under which its result is kept. */
#include "study/job.h"

#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/version.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "run/digest.h"
#include "run/elf_check.h"
#include "run/input_fact.h"
#include "run/run_cpu.h"
#include "run/run_trace.h"
#include "run/session.h"
#include "study/workload_list.h"
#include "trace/accelsim.h"

static void key_add_text(struct digest *k, const char *text)
{
    digest_add(k, text, strlen(text) + 1); /* with its end, so that "ab","c" and "a","bc" differ */
}

static bool key_add_file(struct digest *k, const char *path, struct error *err)
{
    struct digest file;
    const char *likely = workload_likely(path);
    if (access(path, F_OK) != 0 && likely)
        return error_set(err, "%.300s: no such workload or file; did you mean '%s'? (warpline list workloads)", path, likely);
    if (access(path, F_OK) != 0)
        return error_set(err, "%.300s: no such workload or file; 'warpline list workloads' shows the built-in ones", path);
    if (text_is_device(path) || text_is_pipe(path))
        return error_set(err, "%.300s: is a device or a pipe; give a file", path);
    if (!digest_file(path, &file, NULL))
        return error_set(err, "%.300s: cannot be read", path);
    digest_add(k, &file, sizeof file);
    return true;
}

/* An argument that names a file stands for the file's content. */
static void key_add_argument(struct digest *k, const char *argument)
{
    char fact[INPUT_FACT_BYTES];
    struct stat info;
    key_add_text(k, argument);
    if (stat(argument, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    input_fact(INPUT_FILE, argument, fact);
    key_add_text(k, fact);
}

/* The files that a list of Accel-Sim's names. They are too large to read for a key. Instead their sizes count, and when they
 * were written and last changed in any way, which no program can set back. */
static bool key_add_kernels(struct digest *k, const char *path, struct error *err)
{
    const struct accelsim_options options = { .code_room = 1 };
    struct accelsim_list *list = accelsim_open(path, &options, err);
    for (uint64_t i = 0; list && i < accelsim_event_count(list); i++) {
        struct stat info = { 0 };
        if (!accelsim_event(list, i).is_kernel || stat(accelsim_event_path(list, i), &info) != 0)
            continue;
        const int64_t facts[] = { (int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec, (int64_t)info.st_mtim.tv_nsec,
                                  (int64_t)info.st_ctim.tv_sec, (int64_t)info.st_ctim.tv_nsec };
        digest_add(k, facts, sizeof facts);
    }
    accelsim_free(list);
    return list != NULL;
}

static void add_param(void *context, const char *name, const struct param *row, const char *value)
{
    if (row->class == PARAM_HOST)
        return; /* the same result with any value */
    key_add_text(context, name);
    key_add_text(context, value);
}

/* In a study a setting applies to all runs that have its technique. batch_check_settings checks that at least one has. */
static bool apply_settings(struct job *job, struct param_space *space, struct error *err)
{
    struct text_list own = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < job->set.count; i++) {
        char *key = must_strdup(job->set.item[i]);
        key[strcspn(key, "=")] = '\0';
        const bool is_foreign = param_is_unused(space, key) && strchr(job->set.item[i], '=');
        free(key);
        ok = is_foreign || param_set_assignment(space, job->set.item[i], "--set", err);
        text_list_add(is_foreign ? &job->foreign : &own, job->set.item[i]);
    }
    text_list_clear(&job->set);
    job->set = own;
    return ok;
}

/* Every effective parameter, by the same code that a run uses, so that mistakes are found before anything is started. */
static bool key_add_config(struct digest *k, struct job *job, struct error *err)
{
    struct session_setup setup = { 0 };
    struct text_list names = { 0 };
    bool ok = !*job->policies || text_list_add_parts(&names, job->policies) ||
              error_set(err, "'%.100s' has an empty policy name in it", job->policies);
    const char *config = *job->config ? job->config : job->cpus ? CPU_DEFAULT_CONFIG : "";
    ok = ok && session_setup_init(&setup, &names, &job->plugins, err) && (!*config || param_load(setup.space, config, err));
    setup.cpus = job->cpus;
    ok = ok && apply_settings(job, setup.space, err);
    ok = ok && session_setup_check(&setup, err);
    if (ok)
        param_each(setup.space, add_param, k);
    for (size_t i = 0; ok && i < names.count; i++)
        key_add_text(k, names.item[i]);
    for (size_t i = 0; ok && i < setup.plugins.count; i++)
        ok = key_add_file(k, setup.plugins.item[i], err);
    text_list_clear(&job->plugins); /* a run may be started in another folder: absolute paths from here on */
    text_list_add_all(&job->plugins, &setup.plugins);
    text_list_clear(&names);
    session_setup_clear(&setup);
    return ok;
}

void job_init(struct job *job, const char *target, const char *size, const char *config, const char *policies)
{
    *job = (struct job){ .target = must_strdup(target),
                         .size = must_strdup(size ? size : ""),
                         .config = must_strdup(config ? config : ""),
                         .policies = must_strdup(policies ? policies : "") };
}

void job_clear(struct job *job)
{
    free(job->target);
    free(job->size);
    free(job->config);
    free(job->policies);
    text_list_clear(&job->arguments);
    text_list_clear(&job->set);
    text_list_clear(&job->foreign);
    text_list_clear(&job->plugins);
    *job = (struct job){ 0 };
}

static void write_key(const struct digest *k, char out[JOB_KEY_LENGTH + 1])
{
    (void)snprintf(out, JOB_KEY_LENGTH + 1, "%016llx%016llx", (unsigned long long)k->half[0], (unsigned long long)k->half[1]);
}

static void make_keys(struct job *job, struct digest *k)
{
    write_key(k, job->content);
    key_add_text(k, job->target);
    key_add_text(k, job->config);
    key_add_text(k, job->policies);
    for (size_t i = 0; i < job->set.count; i++)
        key_add_text(k, job->set.item[i]);
    write_key(k, job->key);
}

/* The files of a target that is a trace of a CPU, or several. */
static bool key_add_cpus(struct digest *k, struct job *job, struct error *err)
{
    struct text_list traces = { 0 };
    run_cpu_split(job->target, &traces);
    bool ok = true;
    for (size_t i = 0; i < traces.count && ok; i++)
        ok = (access(traces.item[i], R_OK) == 0 ||
              error_set(err,
                        "%.300s: there is no such trace; scripts/record-cpu-programs.sh FOLDER records those of 'cpu:NAME', and "
                        "WARPLINE_CPU_TRACES=FOLDER says where they are",
                        traces.item[i])) &&
             key_add_file(k, traces.item[i], err);
    job->cpus = (uint32_t)(traces.count + job->arguments.count);
    text_list_clear(&traces);
    return ok;
}

/* What a run would refuse at once is refused before the first run. The path is that of `run`: a name without a slash is in this
 * folder. */
static bool check_program(const char *target, struct error *err)
{
    char path[PATH_MAX];
    bool uses_cuda;
    (void)snprintf(path, sizeof path, "%s%s", strchr(target, '/') ? "" : "./", target);
    if (!elf_check_program(path, &uses_cuda, err))
        return false;
    return access(path, X_OK) == 0 || error_set(err, "%.300s cannot be started: it is not executable ('chmod +x')", path);
}

bool job_prepare(struct job *job, struct error *err)
{
    struct digest k = { { 1, 2 } };
    char program[PATH_MAX];
    const struct workload *workload = workload_find(job->target);
    if (workload && !workload_program(workload, program, err))
        return false;
    if (!workload && *job->size)
        *job->size = '\0'; /* only workloads have sizes */
    key_add_text(&k, WARPLINE_VERSION);
    if (!key_add_file(&k, "/proc/self/exe", err)) /* a rebuilt simulator is another simulator, whatever its version says */
        return false;
    key_add_text(&k, job->size);
    if (job->max_instructions)
        digest_add(&k, &job->max_instructions, sizeof job->max_instructions);
    for (size_t i = 0; i < job->arguments.count; i++)
        key_add_argument(&k, job->arguments.item[i]);
    const bool is_cpu = !workload && run_cpu_recognises(job->target);
    job->is_trace = is_cpu || (!workload && run_trace_recognises(job->target));
    if (!job->is_trace) /* a program sees its own name */
        key_add_text(&k, job->target);
    const size_t length = strlen(job->target);
    const bool is_list = !workload && length > 2 && strcmp(job->target + length - 2, ".g") == 0;
    if (!(is_cpu ? key_add_cpus(&k, job, err) : key_add_file(&k, workload ? program : job->target, err)) ||
        (is_list && !key_add_kernels(&k, job->target, err)) || (!workload && !job->is_trace && !check_program(job->target, err)) ||
        !key_add_config(&k, job, err))
        return false;
    make_keys(job, &k);
    return true;
}

/* The target and what is its own. Behind a workload's name options are ours, up to "--". */
static void target_words(const struct job *job, struct text_list *words)
{
    text_list_add(words, job->target);
    if (job->arguments.count && workload_find(job->target))
        text_list_add(words, "--");
    text_list_add_all(words, &job->arguments);
}

static void job_words(const struct job *job, struct text_list *words)
{
    text_list_add(words, "run");
    if (*job->config) {
        text_list_add(words, "--config");
        text_list_add(words, job->config);
    }
    for (size_t i = 0; i < job->set.count; i++) {
        text_list_add(words, "--set");
        text_list_add(words, job->set.item[i]);
    }
    for (size_t i = 0; i < job->plugins.count; i++) {
        text_list_add(words, "--plugin");
        text_list_add(words, job->plugins.item[i]);
    }
    if (*job->policies) {
        text_list_add(words, "--policy");
        text_list_add(words, job->policies);
    }
    if (job->max_instructions) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRIu64, job->max_instructions);
        text_list_add(words, "--max-instructions");
        text_list_add(words, number);
    }
    if (*job->size) {
        text_list_add(words, "--size");
        text_list_add(words, job->size);
    }
}

char **job_argv(const struct job *job)
{
    struct text_list words = { 0 };
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    require(length > 0);
    self[length] = '\0';
    text_list_add(&words, self);
    job_words(job, &words);
    text_list_add(&words, "--json");
    text_list_add(&words, "-");
    if (!job->is_trace)
        text_list_add(&words, "--inputs");
    target_words(job, &words);
    words.item = must_realloc(words.item, (words.count + 1) * sizeof *words.item);
    words.item[words.count] = NULL;
    return words.item;
}

/* Quoted for a shell where it must be. */
static void append_word(struct text_buffer *line, const char *word)
{
    if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") == strlen(word)) {
        text_append(line, " %s", word);
        return;
    }
    text_append(line, " '");
    for (; *word; word++)
        text_append(line, *word == '\'' ? "'\\''" : "%c", *word);
    text_append(line, "'");
}

char *job_command(const struct job *job)
{
    struct text_list words = { 0 };
    struct text_buffer line = { 0 };
    job_words(job, &words);
    target_words(job, &words);
    text_append(&line, "warpline");
    for (size_t i = 0; i < words.count; i++)
        append_word(&line, words.item[i]);
    text_list_clear(&words);
    return line.text;
}
