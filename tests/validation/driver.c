/* driver.c - runs one kernel of tests/validation (its .json launch file and .ptx) on the machine and prints the result as JSON.
 *
 *     validation_driver FILE.json [--policy NAMES] [key=value]... */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/exec.h"
#include "gpu/gpu.h"
#include "policy/policy_set.h"
#include "study/result.h"

_Noreturn static void die(const char *where, const char *what)
{
    fprintf(stderr, "%s: %s\n", where, what);
    exit(1);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path, "cannot be read");
    char *text = NULL;
    *length = 0;
    for (size_t n = 1; n;) {
        text = must_realloc(text, *length + 65536);
        n = fread(text + *length, 1, 65536, f);
        *length += n;
    }
    fclose(f);
    return text;
}

static double number(const json_t *object, const char *key, double dflt)
{
    const json_t *v = json_object_get(object, key);
    return v ? json_number_value(v) : dflt;
}

static uint32_t *make_array(const json_t *spec, uint32_t *count)
{
    const uint32_t n = (uint32_t)number(spec, "n", 0), a = (uint32_t)number(spec, "A", 0), b = (uint32_t)number(spec, "B", 0);
    const uint32_t shift = (uint32_t)number(spec, "S", 0), modulus = (uint32_t)number(spec, "M", 0);
    const float scale = (float)number(spec, "scale", 1), off = (float)number(spec, "off", 0);
    const bool lcg = !strcmp(json_string_value(json_object_get(spec, "mode")), "lcg");
    const bool real = !strcmp(json_string_value(json_object_get(spec, "type")), "f32");
    uint32_t *data = must_calloc(n, 4), u = b;
    for (uint32_t i = 0; i < n; i++) {
        u = lcg ? u * a + 1013904223u : i * a + b;
        uint32_t v = u >> shift;
        if (modulus)
            v %= modulus;
        const float f = (float)v * scale + off;
        if (real)
            memcpy(&data[i], &f, 4);
        else
            data[i] = v;
    }
    size_t k;
    json_t *pair;
    json_array_foreach(json_object_get(spec, "set"), k, pair) {
        const uint32_t at = (uint32_t)json_number_value(json_array_get(pair, 0));
        const double value = json_number_value(json_array_get(pair, 1));
        const float f = (float)value;
        if (real)
            memcpy(&data[at], &f, 4);
        else
            data[at] = (uint32_t)(int64_t)value;
    }
    *count = n;
    return data;
}

struct run {
    struct device *device;
    struct gpu *gpu;
    struct loaded_module *module;
    const json_t *spec;
    json_t *addresses;
    struct result_builder *builder;
};

static void make_arrays(struct run *run)
{
    const char *name;
    json_t *array;
    struct error err = { 0 };
    json_object_foreach(json_object_get(run->spec, "arrays"), name, array) {
        uint32_t n;
        uint32_t *data = make_array(array, &n);
        const uint64_t address = device_alloc(run->device, 4ull * n);
        if (!device_write(run->device, address, data, 4ull * n, &err))
            die(name, err.text);
        gpu_memcpy_to_device(run->gpu, address, 4ull * n);
        json_object_set_new(run->addresses, name, json_integer((json_int_t)address));
        free(data);
    }
}

static size_t make_params(const struct run *run, const json_t *launch, uint8_t *block)
{
    size_t at = 0, i;
    json_t *arg;
    json_array_foreach(json_object_get(launch, "args"), i, arg) {
        const json_t *array = json_object_get(arg, "array");
        const size_t bytes = array ? 8 : 4;
        at = (at + bytes - 1) / bytes * bytes;
        if (array) {
            const uint64_t address = (uint64_t)json_integer_value(json_object_get(run->addresses, json_string_value(array)));
            memcpy(block + at, &address, 8);
        } else if (json_object_get(arg, "f32")) {
            const float f = (float)number(arg, "f32", 0);
            memcpy(block + at, &f, 4);
        } else {
            const int32_t v = (int32_t)number(arg, "i32", 0);
            memcpy(block + at, &v, 4);
        }
        at += bytes;
    }
    return at;
}

static void run_launch(struct run *run, const json_t *spec)
{
    struct error err = { 0 };
    const char *name = json_string_value(json_object_get(spec, "kernel"));
    const json_t *info = json_object_get(json_object_get(run->spec, "kernel_info"), name);
    uint8_t block[4096] = { 0 };
    struct launch launch = { .kernel = device_find_kernel(run->device, run->module, name), .params = block,
                             .dynamic_shared_bytes = (uint32_t)number(spec, "shared", 0),
                             .registers_override = (uint32_t)number(info, "regs", 0),
                             .static_shared_override = info ? (uint32_t)number(info, "smem", 0) : UINT32_MAX };
    if (!launch.kernel)
        die(name, "no such kernel");
    for (uint32_t d = 0; d < 3; d++) {
        launch.grid[d] = (uint32_t)json_integer_value(json_array_get(json_object_get(spec, "grid"), d));
        launch.block[d] = (uint32_t)json_integer_value(json_array_get(json_object_get(spec, "block"), d));
    }
    launch.param_bytes = make_params(run, spec, block);
    struct front *front = exec_launch(run->device, &launch, gpu_clock(run->gpu), &err);
    struct kernel_result result;
    if (!front || !gpu_run(run->gpu, front, NULL, &result, &err))
        die(name, err.text);
    result_builder_add(run->builder, &result);
    kernel_result_clear(&result);
    front->ops->destroy(front);
}

static void load_kernels(struct run *run, const char *json_path)
{
    char path[4096];
    const char *slash = strrchr(json_path, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - json_path + 1) : 0, json_path,
             json_string_value(json_object_get(run->spec, "ptx")));
    struct error err = { 0 };
    size_t length;
    char *text = read_file(path, &length);
    struct ptx_module *module = ptx_parse(path, text, length, &err);
    if (!module || !(run->module = device_load_module(run->device, module, &err)))
        die(path, err.text);
    free(text);
}

int main(int argc, char **argv)
{
    struct error err = { 0 };
    const char *policies = "";
    for (int i = 2; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--policy"))
            policies = argv[i + 1];
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    struct policy_set *set = policy_set_new(NULL, policies, &err);
    if (!set)
        die("--policy", err.text);
    machine_config_bind(config, space);
    policy_set_add_params(set, space);
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--policy"))
            i++;
        else if (!param_set_assignment(space, argv[i], "--set", &err))
            die(argv[i], err.text);
    }
    size_t length;
    char *text = read_file(argv[1], &length);
    json_error_t json_err;
    struct run run = { .spec = json_loadb(text, length, 0, &json_err), .addresses = json_object() };
    if (!run.spec)
        die(argv[1], json_err.text);
    const struct exec_options options = { .memory_bytes = 2ull << 30, .first_address = 0xC0000000ull, .alignment = 256 };
    run.device = device_new(&options, &err);
    run.gpu = gpu_new(config, set, &err);
    if (!run.device || !run.gpu)
        die(argv[1], err.text);
    struct result_run described = { .target = argv[1], .space = space };
    described.groups = gpu_stat_groups(run.gpu, &described.group_count);
    run.builder = result_builder_new(&described);
    load_kernels(&run, argv[1]);
    make_arrays(&run);
    const clock_t start = clock();
    size_t i;
    json_t *launch;
    json_array_foreach(json_object_get(run.spec, "launches"), i, launch)
        run_launch(&run, launch);
    json_t *result = result_builder_finish(run.builder);
    json_object_set_new(result, "cpu_seconds", json_real((double)(clock() - start) / CLOCKS_PER_SEC));
    json_object_del(result, "config");
    json_dumpf(result, stdout, JSON_INDENT(1));
    putchar('\n');
    return 0;
}
