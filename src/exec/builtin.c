/* builtin.c - what the device runtime provides to every kernel: printf, assert, malloc, free, and launches. */
#include "exec/child.h"

#include <stdio.h>
#include <string.h>

/* nvcc's names for the runtime's calls in device code: `__cudaCDP2` and the name since CUDA 12, the name alone before; `_ptsz` with
 * streams per thread. */
static enum builtin find_runtime_call(const char *name)
{
    static const struct {
        const char *name;
        enum builtin builtin;
    } known[] = {
        { "GetParameterBufferV2", BUILTIN_PARAMETERS },
        { "LaunchDeviceV2", BUILTIN_LAUNCH },
        { "StreamCreateWithFlags", BUILTIN_NEW_STREAM },
        { "EventCreateWithFlags", BUILTIN_NEW_STREAM },
        { "StreamDestroy", BUILTIN_SUCCESS },
        { "StreamWaitEvent", BUILTIN_SUCCESS },
        { "EventRecord", BUILTIN_SUCCESS },
        { "EventDestroy", BUILTIN_SUCCESS },
        { "GetLastError", BUILTIN_TAKE_ERROR },
        { "PeekAtLastError", BUILTIN_PEEK_ERROR },
        { "Malloc", BUILTIN_DEVICE_MALLOC },
        { "Free", BUILTIN_DEVICE_FREE },
        { "MemcpyAsync", BUILTIN_COPY },
        { "MemsetAsync", BUILTIN_FILL },
        { "GraphSetConditional", BUILTIN_SET_CONDITION },
        { "GraphLaunch", BUILTIN_GRAPH_LAUNCH },
    };
    const size_t prefix = strncmp(name, "__cudaCDP2", 10) == 0 ? 10 : strncmp(name, "cuda", 4) == 0 ? 4 : 0;
    size_t length = strlen(name + prefix);
    if (length > 5 && strcmp(name + prefix + length - 5, "_ptsz") == 0)
        length -= 5;
    for (size_t i = 0; prefix && i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name + prefix, length) == 0)
            return known[i].builtin;
    return BUILTIN_NONE;
}

bool builtin_replaces(const char *name)
{
    return find_runtime_call(name) != BUILTIN_NONE;
}

enum builtin builtin_find(const char *name)
{
    static const struct {
        const char *name;
        enum builtin builtin;
    } known[] = {
        { "vprintf", BUILTIN_VPRINTF },
        { "__assertfail", BUILTIN_ASSERTFAIL },
        { "__assert_fail", BUILTIN_ASSERTFAIL },
        { "malloc", BUILTIN_MALLOC },
        { "free", BUILTIN_FREE },
    };
    if (builtin_replaces(name))
        return find_runtime_call(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].builtin;
    return BUILTIN_NONE;
}

bool device_provides(const char *function)
{
    return builtin_find(function) != BUILTIN_NONE;
}

static uint64_t argument(const struct warp *w, const struct call_site *site, uint32_t index, uint32_t lane)
{
    uint64_t value = 0;
    if (index >= site->argument_count)
        return 0;
    const struct param_slot *slot = &site->arguments[index];
    if (slot->is_register)
        return operand_lane(w, slot->value, lane);
    memcpy(&value, frame_params(w, w->level, lane) + slot->offset, slot->bytes < 8 ? slot->bytes : 8);
    return value;
}

static void give_result(struct warp *w, const struct call_site *site, uint32_t lane, uint64_t value)
{
    if (site->return_count == 0)
        return;
    const struct param_slot *slot = &site->returns[0];
    if (slot->is_register)
        frame_set_lane(w, slot->value.offset, slot->value.width, lane, value);
    else
        memcpy(frame_params(w, w->level, lane) + slot->offset, &value, slot->bytes < 8 ? slot->bytes : 8);
}

/* Copies a string that the lane can see, at most size - 1 characters. False: a fault was recorded. */
static bool read_text(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, char *text, size_t size)
{
    size_t n = 0;
    for (; n + 1 < size; n++) {
        const uint8_t *c = access_lane(w, x, lane, address + n, 1, SPACE_GENERIC, false);
        if (!c)
            return false;
        text[n] = (char)*c;
        if (*c == 0)
            return true;
    }
    text[n] = 0;
    return true;
}

static void print_text(const struct run *run, const char *text, size_t length)
{
    const struct exec_options *options = &run->device->options;
    if (options->print)
        options->print(options->print_context, text, length);
    else
        (void)fwrite(text, 1, length, stdout);
}

struct print_state {
    struct warp *w;
    const struct xop *x;
    uint32_t lane;
    uint64_t next; /* address of the next argument */
};

static bool next_argument(struct print_state *s, uint32_t bytes, uint64_t *value)
{
    s->next = (s->next + bytes - 1) / bytes * bytes;
    const uint8_t *at = access_lane(s->w, s->x, s->lane, s->next, bytes, SPACE_GENERIC, false);
    if (!at)
        return false;
    *value = 0;
    memcpy(value, at, bytes);
    s->next += bytes;
    return true;
}

/* `spec` is "%", flags, width and precision. Length and conversion are left out and put in anew, for the host's types. */
static bool print_one(struct print_state *s, char *spec, size_t used, size_t size, uint32_t longs, char conversion)
{
    char out[4096], text[2048];
    uint64_t value;
    uint32_t bytes = longs > 0 || strchr("sp", conversion) || strchr("aAeEfFgG", conversion) ? 8 : 4;
    int length;
    if (!next_argument(s, bytes, &value))
        return false;
    if (strchr("aAeEfFgG", conversion)) {
        double number;
        memcpy(&number, &value, sizeof number);
        (void)snprintf(spec + used, size - used, "%c", conversion);
        length = snprintf(out, sizeof out, spec, number);
    } else if (conversion == 's') {
        if (!read_text(s->w, s->x, s->lane, value, text, sizeof text))
            return false;
        (void)snprintf(spec + used, size - used, "s");
        length = snprintf(out, sizeof out, spec, text);
    } else if (conversion == 'c') {
        (void)snprintf(spec + used, size - used, "c");
        length = snprintf(out, sizeof out, spec, (int)value);
    } else if (conversion == 'p') {
        (void)snprintf(spec + used, size - used, "s");
        (void)snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
        length = snprintf(out, sizeof out, spec, text);
    } else {
        long long number =
            conversion == 'd' || conversion == 'i' ? (bytes == 4 ? (long long)(int32_t)value : (long long)value) : (long long)value;
        (void)snprintf(spec + used, size - used, "ll%c", conversion);
        length = snprintf(out, sizeof out, spec, number);
    }
    if (length > 0)
        print_text(s->w->run, out, (size_t)length < sizeof out ? (size_t)length : sizeof out - 1);
    return true;
}

/* One conversion from `at` (behind the '%'); returns the position behind it, NULL on a fault. */
static const char *print_conversion(struct print_state *s, const char *at)
{
    char spec[64] = "%";
    size_t used = 1;
    uint32_t longs = 0;
    while (*at && strchr("-+ #0123456789.*", *at)) {
        if (*at == '*') {
            uint64_t value;
            if (!next_argument(s, 4, &value))
                return NULL;
            used += (size_t)snprintf(spec + used, 16, "%d", (int32_t)value);
            at++;
        } else if (used < 40) {
            spec[used++] = *at++;
        } else {
            at++;
        }
    }
    spec[used] = 0;
    for (; *at && strchr("hljztL", *at); at++)
        longs += *at == 'l' || *at == 'j' || *at == 'z' || *at == 't';
    if (*at == '%') {
        print_text(s->w->run, "%", 1);
        return at + 1;
    }
    if (!*at || !strchr("diouxXcspaAeEfFgG", *at)) {
        print_text(s->w->run, spec, used); /* what printf does not know is shown as it is */
        return at;
    }
    return print_one(s, spec, used, sizeof spec, longs, *at) ? at + 1 : NULL;
}

static bool print_lane(struct warp *w, const struct xop *x, uint32_t lane)
{
    char format[2048];
    struct print_state s = { w, x, lane, argument(w, x->call, 1, lane) };
    if (!read_text(w, x, lane, argument(w, x->call, 0, lane), format, sizeof format))
        return false;
    for (const char *at = format; at && *at;) {
        size_t plain = strcspn(at, "%");
        if (plain)
            print_text(w->run, at, plain);
        at += plain;
        if (*at == '%' && !(at = print_conversion(&s, at + 1)))
            return false;
    }
    return true;
}

static void assert_failed(struct warp *w, const struct xop *x, uint32_t lane)
{
    char message[160], file[160], function[160], text[600];
    if (read_text(w, x, lane, argument(w, x->call, 0, lane), message, sizeof message) &&
        read_text(w, x, lane, argument(w, x->call, 1, lane), file, sizeof file) &&
        read_text(w, x, lane, argument(w, x->call, 3, lane), function, sizeof function)) {
        (void)snprintf(text, sizeof text, "%s:%u: %s: assertion `%s' failed", file, (uint32_t)argument(w, x->call, 2, lane),
                       function, message);
        fault_assert(w, x, lane, text);
    }
}

static void release_lane(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address)
{
    struct memory *m = &w->run->device->memory;
    const struct range *range = memory_find(m, address);
    const uint64_t bytes = range ? range->bytes : 0;
    if (address && !memory_heap_release(m, address))
        fault_plain(w, x, lane, "free of 0x%llx, which malloc did not return", (unsigned long long)address);
    else if (address)
        run_note_write(w->run, address, bytes); /* freed memory is wiped */
    run_forget_accesses(w->run);
}

/* An argument that is wider than a register. */
static void wide_argument(const struct warp *w, const struct call_site *site, uint32_t index, uint32_t lane, void *to, size_t bytes)
{
    memset(to, 0, bytes);
    if (index < site->argument_count && !site->arguments[index].is_register)
        memcpy(to, frame_params(w, w->level, lane) + site->arguments[index].offset,
               bytes < site->arguments[index].bytes ? bytes : site->arguments[index].bytes);
}

/* The handle of a graph's condition is the address of its word. */
static void set_condition(struct warp *w, const struct xop *x, uint32_t lane, uint64_t handle, uint32_t value)
{
    uint8_t *word = access_lane(w, x, lane, handle, sizeof value, SPACE_GENERIC, true);
    if (!word)
        return;
    memcpy(word, &value, sizeof value);
    if (w->run->space == SPACE_GLOBAL)
        run_note_write(w->run, handle, sizeof value);
}

/* What a call of the device's runtime answers. */
static uint64_t answer_call(struct warp *w, const struct xop *x, uint32_t lane)
{
    enum { MEMORY_ALLOCATION = 2 }; /* cudaErrorMemoryAllocation */
    const uint64_t first = argument(w, x->call, 0, lane);
    uint64_t value = 0;
    uint8_t *to;
    switch (x->call->builtin) {
    case BUILTIN_PARAMETERS: {
        struct child_shape shape = { .kernel = first, .shared_bytes = (uint32_t)argument(w, x->call, 3, lane) };
        wide_argument(w, x->call, 1, lane, shape.grid, sizeof shape.grid);
        wide_argument(w, x->call, 2, lane, shape.block, sizeof shape.block);
        return child_parameters(w, x, lane, &shape);
    }
    case BUILTIN_LAUNCH: return child_launch(w, x, lane, first, argument(w, x->call, 1, lane));
    case BUILTIN_GRAPH_LAUNCH: return child_graph(w->run->device, first, argument(w, x->call, 1, lane));
    case BUILTIN_COPY:
    case BUILTIN_FILL: {
        const uint64_t second = argument(w, x->call, 1, lane), bytes = argument(w, x->call, 2, lane);
        const bool is_copy = x->call->builtin == BUILTIN_COPY;
        return child_copy(w->run->device, first, is_copy ? second : 0, is_copy ? -1 : (int)(second & 0xff), bytes,
                          argument(w, x->call, is_copy ? 4 : 3, lane));
    }
    case BUILTIN_TAKE_ERROR:
    case BUILTIN_PEEK_ERROR: return child_last_error(w, lane, x->call->builtin == BUILTIN_TAKE_ERROR);
    case BUILTIN_NEW_STREAM: value = child_stream(w->run->device); break;
    case BUILTIN_DEVICE_MALLOC: value = memory_heap_alloc(&w->run->device->memory, argument(w, x->call, 1, lane)); break;
    case BUILTIN_DEVICE_FREE: release_lane(w, x, lane, first); return 0;
    case BUILTIN_SET_CONDITION: set_condition(w, x, lane, first, (uint32_t)argument(w, x->call, 1, lane)); return 0;
    default: return 0;
    }
    if (!(to = access_lane(w, x, lane, first, sizeof value, SPACE_GENERIC, true)))
        return 0;
    memcpy(to, &value, sizeof value);
    if (w->run->space == SPACE_GLOBAL)
        run_note_write(w->run, first, sizeof value);
    return value ? 0 : MEMORY_ALLOCATION;
}

static uint64_t runtime_call(struct warp *w, const struct xop *x, uint32_t lane)
{
    const uint64_t code = answer_call(w, x, lane);
    if (code && x->call->builtin != BUILTIN_PARAMETERS && x->call->builtin != BUILTIN_PEEK_ERROR &&
        x->call->builtin != BUILTIN_TAKE_ERROR)
        child_note_error(w, lane, (uint32_t)code);
    return code;
}

void builtin_call(struct warp *w, const struct xop *x, uint32_t mask)
{
    struct memory *m = &w->run->device->memory;
    for (uint32_t left = mask; left && !w->run->failed; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t first = argument(w, x->call, 0, lane);
        switch (x->call->builtin) {
        case BUILTIN_VPRINTF: give_result(w, x->call, lane, print_lane(w, x, lane) ? 1 : 0); break;
        case BUILTIN_ASSERTFAIL: assert_failed(w, x, lane); break;
        case BUILTIN_MALLOC: give_result(w, x->call, lane, memory_heap_alloc(m, first)); break;
        case BUILTIN_FREE: release_lane(w, x, lane, first); break;
        default: give_result(w, x->call, lane, runtime_call(w, x, lane)); break;
        }
    }
}
