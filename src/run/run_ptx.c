/* run_ptx.c - PTX and a launch file: load, fill the arrays, launch in order, keep and compare the outputs. */
#include "run/run_ptx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/seconds.h"
#include "base/text.h"
#include "run/launch_file.h"
#include "run/recording.h"
#include "run/result.h"

enum { PTX_LIMIT = 256 << 20 };

struct ptx_job {
    const struct ptx_run *run;
    const struct launch_file *file;
    struct session *session;
    struct ptx_module *module; /* the device's, once loaded */
    struct loaded_module *loaded;
    uint64_t *addresses; /* of the arrays */
};

static bool load_ptx(struct ptx_job *job, struct error *err)
{
    const struct ptx_run *run = job->run;
    size_t length = run->ptx_length;
    char *file = run->ptx_text ? NULL : text_read_file(run->ptx_path, PTX_LIMIT, &length, err);
    if (!run->ptx_text && !file)
        return false;
    job->module = device_parse(session_device(job->session), run->ptx_path, file ? file : run->ptx_text, length, err);
    free(file);
    if (job->module)
        job->loaded = device_load_module(session_device(job->session), job->module, err);
    return job->loaded != NULL;
}

static bool allocate_arrays(struct ptx_job *job, struct error *err)
{
    struct device *device = session_device(job->session);
    job->addresses = must_calloc(job->file->array_count + 1, sizeof *job->addresses);
    for (uint32_t i = 0; i < job->file->array_count; i++) {
        const struct launch_array *a = &job->file->arrays[i];
        job->addresses[i] = device_alloc(device, a->bytes);
        if (!job->addresses[i])
            return error_set(err,
                             "%s: arrays.%s: %llu bytes do not fit into the device's memory; raise it with --set device.memory=...",
                             job->run->launch_path, a->name, (unsigned long long)a->bytes);
        if (!device_write(device, job->addresses[i], a->contents, a->bytes, err))
            return false;
        session_host_copied(job->session, HOST_COPY_IN, job->addresses[i], a->bytes);
    }
    return true;
}

static bool pack_arguments(const struct ptx_job *job, const struct launch_step *step, const struct ptx_function *fn, uint8_t *block,
                           struct error *err)
{
    const char *path = job->run->launch_path;
    if (step->argument_count != fn->param_count)
        return error_set(err, "%s: %s takes %u arguments, %u are given", path, step->kernel, fn->param_count, step->argument_count);
    for (uint32_t i = 0; i < fn->param_count; i++) {
        const struct ptx_variable *v = &job->module->variables[fn->params[i]];
        const struct launch_argument *a = &step->arguments[i];
        const uint32_t bytes = a->array >= 0 ? 8 : launch_type_bytes(a->type);
        if (v->bytes != bytes)
            return error_set(err, "%s: %s: argument %u has %u bytes where the kernel's parameter %s has %llu", path, step->kernel,
                             i, bytes, v->name, (unsigned long long)v->bytes);
        const uint64_t pointer = a->array >= 0 ? job->addresses[a->array] + a->offset : 0;
        memcpy(block + v->offset, a->array >= 0 ? (const void *)&pointer : a->bits, bytes);
    }
    return true;
}

/* One launch into the list of results. */
static bool launch_one(struct ptx_job *job, const struct launch *launch, struct result_builder *builder, bool *complete,
                       struct error *err)
{
    struct kernel_result result = { 0 };
    const bool ok = session_launch(job->session, launch, &result, err);
    if (result.name)
        result_builder_add(builder, &result);
    *complete = result.complete;
    kernel_result_clear(&result);
    return ok;
}

static bool run_step(struct ptx_job *job, const struct launch_step *step, struct result_builder *builder, bool *complete,
                     struct error *err)
{
    struct kernel *kernel = device_find_kernel(session_device(job->session), job->loaded, step->kernel);
    if (!kernel)
        return error_set(err, "%s: %s has no kernel '%.100s'", job->run->launch_path, job->run->ptx_path, step->kernel);
    const struct ptx_function *fn = kernel_function(kernel);
    struct launch launch = { .kernel = kernel,
                             .dynamic_shared_bytes = step->shared_bytes,
                             .param_bytes = fn->param_bytes,
                             .static_shared_override = UINT32_MAX };
    memcpy(launch.grid, step->grid, sizeof launch.grid);
    memcpy(launch.block, step->block, sizeof launch.block);
    for (uint32_t i = 0; i < job->file->info_count; i++)
        if (strcmp(job->file->infos[i].kernel, step->kernel) == 0) {
            launch.registers_override = job->file->infos[i].registers;
            launch.static_shared_override = job->file->infos[i].shared_bytes;
        }
    uint8_t *block = must_calloc(1, fn->param_bytes ? fn->param_bytes : 1);
    launch.params = block;
    *complete = false;
    bool ok = pack_arguments(job, step, fn, block, err) && launch_one(job, &launch, builder, complete, err);
    free(block);
    while (ok && *complete && device_next_child(session_device(job->session), &launch, &block)) {
        ok = launch_one(job, &launch, builder, complete, err);
        free(block);
    }
    return ok;
}

static double element(const struct launch_array *a, const uint8_t *data, uint64_t i)
{
    float single;
    double real;
    int64_t whole = 0;
    const uint32_t bytes = launch_type_bytes(a->type);
    if (a->type == LAUNCH_F32)
        return memcpy(&single, data + i * 4, 4), (double)single;
    if (a->type == LAUNCH_F64)
        return memcpy(&real, data + i * 8, 8), real;
    memcpy(&whole, data + i * bytes, bytes);
    return (double)whole;
}

/* The first element that is further off than the tolerance; false with the error. */
static bool compare(const struct ptx_job *job, const struct launch_output *o, const uint8_t *data, struct error *err)
{
    const struct launch_array *a = &job->file->arrays[o->array];
    const uint32_t bytes = launch_type_bytes(a->type);
    for (uint64_t i = 0; i < a->count; i++) {
        if (memcmp(data + i * bytes, o->expected + i * bytes, bytes) == 0)
            continue;
        const double got = element(a, data, i), wanted = element(a, o->expected, i);
        const double allowed = o->tolerance * fmax(fabs(wanted), 1.0);
        if (!(fabs(got - wanted) <= allowed))
            return error_set_code(err, CODE_PROGRAM, "%s: output %s differs at %llu: %.9g instead of %.9g", job->run->launch_path,
                                  a->name, (unsigned long long)i, got, wanted);
    }
    return true;
}

static void dump_path(const struct ptx_job *job, const struct launch_output *o, struct text_buffer *path)
{
    text_append(path, "%s/%s.bin", job->run->dump_directory, job->file->arrays[o->array].name);
}

/* Checked before anything runs: otherwise a missing folder would be found after hours. */
static bool outputs_can_be_kept(const struct ptx_job *job, struct error *err)
{
    bool ok = true;
    for (uint32_t i = 0; i < job->file->output_count && ok; i++) {
        const struct launch_output *o = &job->file->outputs[i];
        ok = !o->file || atomic_file_check(o->file, err);
        if (ok && job->run->dump_directory) {
            struct text_buffer path = { 0 };
            dump_path(job, o, &path);
            ok = atomic_file_check(path.text, err);
            text_buffer_clear(&path);
        }
    }
    return ok;
}

static bool keep_output(const struct ptx_job *job, const struct launch_output *o, struct error *err)
{
    const struct launch_array *a = &job->file->arrays[o->array];
    uint8_t *data = must_calloc(1, a->bytes);
    bool ok = device_read(session_device(job->session), job->addresses[o->array], data, a->bytes, err);
    if (ok && o->file)
        ok = atomic_file_write(o->file, (const char *)data, a->bytes, err);
    if (ok && job->run->dump_directory) {
        struct text_buffer path = { 0 };
        dump_path(job, o, &path);
        ok = atomic_file_write(path.text, (const char *)data, a->bytes, err);
        text_buffer_clear(&path);
    }
    if (ok && o->expected)
        ok = compare(job, o, data, err);
    free(data);
    return ok;
}

static bool run_job(struct ptx_job *job, const struct session_setup *setup, json_t **result, bool *stopped, struct error *err)
{
    const double begin = seconds_now();
    struct result_run shape = { .target = job->run->target, .policies = &setup->policy_names, .space = setup->space };
    shape.groups = session_stat_groups(job->session, &shape.group_count);
    struct result_builder *builder = result_builder_new(&shape);
    result_builder_structures(builder, session_structures(setup));
    bool ok = true, complete = true;
    for (uint32_t i = 0; i < job->file->step_count && ok && complete; i++)
        ok = run_step(job, &job->file->steps[i], builder, &complete, err);
    const uint32_t threads = result_builder_threads(builder);
    *result = result_builder_finish(builder);
    result_set_host(*result, seconds_now() - begin, threads);
    *stopped = ok && !complete;
    for (uint32_t i = 0; i < job->file->output_count && ok && complete; i++)
        ok = keep_output(job, &job->file->outputs[i], err);
    return ok;
}

bool run_ptx(const struct ptx_run *run, const struct session_setup *setup, const struct session_options *options, json_t **result,
             bool *stopped, struct error *err)
{
    *result = NULL;
    *stopped = false;
    const uint64_t most_bytes = device_config_memory(&setup->device);
    struct launch_file *file = run->launch_text
                                   ? launch_file_parse(run->launch_path, "", run->launch_text, run->launch_length, most_bytes, err)
                                   : launch_file_read(run->launch_path, most_bytes, err);
    if (!file)
        return false;
    struct ptx_job job = { .run = run, .file = file };
    bool ok = false;
    if (outputs_can_be_kept(&job, err))
        job.session = session_new(setup, options, file->first_address, file->alignment, err);
    struct wlt_writer *writer = job.session ? recording_open(options, run->target, &ok, err) : NULL;
    if (ok)
        session_record(job.session, writer);
    ok = ok && load_ptx(&job, err) && allocate_arrays(&job, err) && run_job(&job, setup, result, stopped, err);
    session_free(job.session);
    struct error second; /* nothing is said of a failed run's recording */
    if (writer)
        ok &= wlt_writer_finish(writer, NULL, ok ? err : &second);
    free(job.addresses);
    launch_file_free(file);
    return ok;
}
