/* launch_reader.c - reads the launch files of tests/validation for the tests of src/exec. */
#include "launch_reader.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch_case {
    struct device *device;
    json_t *root;
    json_t *addresses; /* name -> device address */
};

static char *read_whole(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    (void)fseek(f, 0, SEEK_END);
    *length = (size_t)ftell(f);
    (void)fseek(f, 0, SEEK_SET);
    char *text = malloc(*length + 1);
    *length = fread(text, 1, *length, f);
    (void)fclose(f);
    return text;
}

static uint32_t integer(const json_t *o, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(o, key));
}

static double number(const json_t *o, const char *key, double otherwise)
{
    const json_t *v = json_object_get(o, key);
    return v ? json_number_value(v) : otherwise;
}

static uint32_t encode(double value, bool is_float)
{
    if (!is_float)
        return (uint32_t)(int64_t)value;
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void fill_array(const json_t *array, uint32_t *out, uint32_t n)
{
    bool is_float = strcmp(json_string_value(json_object_get(array, "type")), "f32") == 0;
    const json_t *mode = json_object_get(array, "mode");
    bool is_lcg = mode && strcmp(json_string_value(mode), "lcg") == 0;
    uint32_t a = integer(array, "A"), b = integer(array, "B"), s = integer(array, "S"), m = integer(array, "M"), u = b;
    float scale = (float)number(array, "scale", 1), off = (float)number(array, "off", 0);
    for (uint32_t i = 0; i < n; i++) {
        u = is_lcg ? u * a + 1013904223u : i * a + b;
        uint32_t v = m ? (u >> s) % m : u >> s;
        float f = (float)v * scale;
        f = f + off;
        if (is_float)
            memcpy(&out[i], &f, sizeof f);
        else
            out[i] = v;
    }
    size_t k;
    json_t *pair;
    json_array_foreach(json_object_get(array, "set"), k, pair) out[json_integer_value(json_array_get(pair, 0))] =
        encode(json_number_value(json_array_get(pair, 1)), is_float);
}

static bool make_arrays(struct launch_case *c, struct error *err)
{
    const char *name;
    json_t *array;
    json_object_foreach(json_object_get(c->root, "arrays"), name, array) {
        uint32_t n = integer(array, "n");
        uint32_t *data = calloc(n, sizeof *data);
        fill_array(array, data, n);
        uint64_t address = device_alloc(c->device, (uint64_t)n * 4);
        bool ok = address && device_write(c->device, address, data, (uint64_t)n * 4, err);
        free(data);
        if (!ok)
            return error_set(err, "cannot make array %s", name);
        (void)json_object_set_new(c->addresses, name, json_integer((json_int_t)address));
    }
    return true;
}

struct launch_case *launch_case_open(const char *folder, const char *name, bool fused, struct error *err)
{
    struct launch_case *c = calloc(1, sizeof *c);
    char path[4096];
    size_t length;
    const struct exec_options options = { .memory_bytes = UINT64_C(1) << 30, .heap_bytes = 1 << 20, .fused_fma = fused };
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, name);
    c->root = json_load_file(path, 0, NULL);
    c->addresses = json_object();
    c->device = device_new(&options, err);
    (void)snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    char *text = read_whole(path, &length);
    struct ptx_module *ptx = text ? ptx_parse(path, text, length, err) : NULL;
    free(text);
    if (!c->root || !c->device || !ptx || !device_load_module(c->device, ptx, err) || !make_arrays(c, err)) {
        launch_case_close(c);
        return NULL;
    }
    return c;
}

static void dimensions(const json_t *from, uint32_t to[3])
{
    for (size_t k = 0; k < 3; k++)
        to[k] = (uint32_t)json_integer_value(json_array_get(from, k));
}

static void place_arguments(const struct launch_case *c, const json_t *args, const struct ptx_function *fn,
                            const struct ptx_module *ptx, uint8_t *block)
{
    size_t k;
    json_t *arg;
    json_array_foreach(args, k, arg)
    {
        uint64_t offset = ptx->variables[fn->params[k]].offset;
        const json_t *array = json_object_get(arg, "array"), *real = json_object_get(arg, "f32");
        if (array) {
            uint64_t address = (uint64_t)json_integer_value(json_object_get(c->addresses, json_string_value(array)));
            memcpy(block + offset, &address, sizeof address);
        } else {
            uint32_t bits = real ? encode(json_number_value(real), true) : integer(arg, "i32");
            memcpy(block + offset, &bits, sizeof bits);
        }
    }
}

bool launch_case_run(struct launch_case *c, struct functional_result *total, struct error *err)
{
    size_t k;
    json_t *l;
    *total = (struct functional_result){ 0 };
    json_array_foreach(json_object_get(c->root, "launches"), k, l)
    {
        uint8_t params[4096] = { 0 };
        struct functional_result one;
        struct launch launch = { .params = params, .param_bytes = sizeof params, .static_shared_override = UINT32_MAX };
        launch.kernel = device_find_kernel(c->device, NULL, json_string_value(json_object_get(l, "kernel")));
        if (!launch.kernel)
            return error_set(err, "no kernel %s", json_string_value(json_object_get(l, "kernel")));
        dimensions(json_object_get(l, "grid"), launch.grid);
        dimensions(json_object_get(l, "block"), launch.block);
        launch.dynamic_shared_bytes = integer(l, "shared");
        place_arguments(c, json_object_get(l, "args"), kernel_function(launch.kernel), kernel_module(launch.kernel), params);
        struct front *front = exec_launch(c->device, &launch, NULL, err);
        if (!front)
            return false;
        bool ok = exec_run_functional(front, 0, &one, err);
        front->ops->destroy(front);
        if (!ok)
            return false;
        total->warp_instructions += one.warp_instructions;
        total->thread_instructions += one.thread_instructions;
    }
    return true;
}

uint8_t *launch_case_array(struct launch_case *c, const char *name, uint64_t *bytes)
{
    const json_t *array = json_object_get(json_object_get(c->root, "arrays"), name);
    if (!array)
        return NULL;
    *bytes = (uint64_t)integer(array, "n") * 4;
    uint8_t *data = malloc(*bytes);
    uint64_t address = (uint64_t)json_integer_value(json_object_get(c->addresses, name));
    if (!device_read(c->device, address, data, *bytes, NULL)) {
        free(data);
        return NULL;
    }
    return data;
}

void launch_case_close(struct launch_case *c)
{
    device_free(c->device);
    json_decref(c->root);
    json_decref(c->addresses);
    free(c);
}
