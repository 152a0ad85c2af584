/* accelsim.c - the list of a trace, and its kernels' thread blocks as the machine asks for them. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "trace/accelsim_state.h"

bool accelsim_error(const struct kernel_text *k, struct error *err, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(err, "%.300s:%llu: %s", k->path, (unsigned long long)text_stream_number(k->stream), what);
}

static void count_odd(struct accelsim_list *list, enum accelsim_oddity what, const char *path, uint64_t line)
{
    if (list->oddities[what]++)
        return;
    const char *slash = strrchr(path, '/');
    text_append(&list->first[what], "%s:%llu", slash ? slash + 1 : path, (unsigned long long)line);
}

void accelsim_odd(const struct kernel_text *k, enum accelsim_oddity what)
{
    count_odd(k->list, what, k->path, text_stream_number(k->stream));
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static bool is_kernel_name(const char *name)
{
    return ends_with(name, ".traceg") || ends_with(name, ".traceg.xz") || ends_with(name, ".traceg.gz") ||
           ends_with(name, ".traceg.zst");
}

bool accelsim_recognise(const char *path)
{
    return access(path, F_OK) == 0 && (ends_with(path, ".g") || is_kernel_name(path));
}

/* ---- the list ------------------------------------------------------------------------------------------------------ */

#define MOST_COPIED_BYTES (128ull << 30)

static struct list_event *add_event(struct accelsim_list *list)
{
    list->events = must_realloc(list->events, (list->event_count + 1) * sizeof *list->events);
    list->events[list->event_count] = (struct list_event){ 0 };
    return &list->events[list->event_count++];
}

/* A kernel's file beside the list; packed files may have been named without their last part. */
static char *find_kernel(const char *list_path, const char *name)
{
    static const char *const endings[] = { "", ".xz", ".gz", ".zst" };
    const char *slash = strrchr(list_path, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - list_path + 1) : 0;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct text_buffer path = { 0 };
        text_append(&path, "%.*s%s%s", folder, list_path, name, endings[i]);
        if (access(path.text, R_OK) == 0)
            return path.text;
        text_buffer_clear(&path);
    }
    return NULL;
}

static bool list_line(struct accelsim_list *list, char *line, uint64_t number, struct error *err)
{
    unsigned long long address, bytes;
    int length = 0;
    if (strncmp(line, "MemcpyHtoD", 10) == 0) {
        if (sscanf(line, "MemcpyHtoD,0x%llx,%llu%n", &address, &bytes, &length) != 2 || line[length] != '\0')
            return error_set(err, "%.300s:%llu: 'MemcpyHtoD,0xADDRESS,BYTES' is expected, not '%.60s'", list->path,
                             (unsigned long long)number, line);
        if (bytes > MOST_COPIED_BYTES || address + bytes < address)
            return error_set(err, "%.300s:%llu: a copy of %llu bytes to 0x%llx is impossible; no device has more than %llu GiB",
                             list->path, (unsigned long long)number, bytes, address, MOST_COPIED_BYTES >> 30);
        struct list_event *event = add_event(list);
        event->address = address;
        event->bytes = bytes;
        return true;
    }
    if (!is_kernel_name(line)) {
        count_odd(list, ODD_LIST_LINES, list->path, number);
        return true;
    }
    char *path = find_kernel(list->path, line);
    if (!path)
        return error_set(err, "%.300s:%llu: there is no file '%.200s' beside the list", list->path, (unsigned long long)number,
                         line);
    struct list_event *event = add_event(list);
    event->is_kernel = true;
    event->path = path;
    return true;
}

static bool read_list_file(struct accelsim_list *list, struct error *err)
{
    struct text_stream *stream = text_stream_open(list->path, list->options.interrupted, err);
    char *line, *end;
    if (!stream)
        return false;
    bool ok = true;
    while (ok && text_stream_filled_line(stream, &line, &end, err)) {
        while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        ok = line == end || list_line(list, line, text_stream_number(stream), err);
    }
    text_stream_free(stream);
    if (!ok || err->text[0])
        return false;
    for (uint64_t i = 0; i < list->event_count; i++)
        if (list->events[i].is_kernel)
            return true;
    return error_set(err, "%.300s: the list names no kernel: a line for each, such as 'kernel-1.traceg', is expected", list->path);
}

static void code_blank(struct accelsim_list *list, uint32_t index)
{
    list->code[index] = (struct inst){ .class = CLASS_NOP, .timing = CLASS_NOP, .index = index, .pc = 8 * (uint64_t)index };
}

void accelsim_code_grow(struct accelsim_list *list, uint32_t count)
{
    for (; list->code_count < count; list->code_count++)
        code_blank(list, list->code_count);
}

void accelsim_code_clear(struct accelsim_list *list)
{
    for (uint32_t i = 0; i < list->used_count; i++) {
        const uint32_t index = list->used[i];
        free(list->lines[index].text);
        list->lines[index] = (struct static_line){ 0 };
        code_blank(list, index);
    }
    list->used_count = 0;
}

struct accelsim_list *accelsim_open(const char *path, const struct accelsim_options *options, struct error *err)
{
    struct accelsim_list *list = must_calloc(1, sizeof *list);
    list->path = must_strdup(path);
    list->options = *options;
    list->options.code_room = options->code_room ? options->code_room : SASS_CODE_ROOM;
    list->code = must_calloc(list->options.code_room, sizeof *list->code);
    list->lines = must_calloc(list->options.code_room, sizeof *list->lines);
    list->used = must_calloc(list->options.code_room, sizeof *list->used);
    accelsim_code_grow(list, 1);
    if (is_kernel_name(path)) {
        struct list_event *event = add_event(list);
        event->is_kernel = true;
        event->path = must_strdup(path);
        return list;
    }
    if (read_list_file(list, err))
        return list;
    accelsim_free(list);
    return NULL;
}

void accelsim_free(struct accelsim_list *list)
{
    if (!list)
        return;
    accelsim_code_clear(list);
    for (uint64_t i = 0; i < list->event_count; i++)
        free(list->events[i].path);
    for (uint32_t i = 0; i < list->unknown_count; i++)
        free(list->unknown[i].name);
    for (uint32_t i = 0; i < ODD_COUNT; i++)
        text_buffer_clear(&list->first[i]);
    free(list->unknown);
    free(list->events);
    free(list->code);
    free(list->lines);
    free(list->used);
    free(list->path);
    free(list);
}

uint64_t accelsim_event_count(const struct accelsim_list *list)
{
    return list->event_count;
}
uint64_t accelsim_instruction_lines(const struct accelsim_list *list)
{
    return list->instruction_lines;
}

struct accelsim_event accelsim_event(const struct accelsim_list *list, uint64_t index)
{
    const struct list_event *e = &list->events[index];
    return (struct accelsim_event){ e->is_kernel, e->address, e->bytes };
}

const char *accelsim_event_path(const struct accelsim_list *list, uint64_t index)
{
    return list->events[index].path;
}

/* ---- thread blocks ------------------------------------------------------------------------------------------------- */

static bool starts_with(const char *line, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - line) >= length && memcmp(line, word, length) == 0;
}

static bool read_setting(const char *line, char *end, const char *format, uint32_t *out)
{
    int length = 0;
    *end = '\0';
    return sscanf(line, format, out, &length) == 1 && line + length == end;
}

static bool unexpected(const struct kernel_text *k, const char *line, const char *end, const char *wanted, struct error *err)
{
    return accelsim_error(k, err, "%s is expected, not '%.*s'", wanted, (int)(end - line < 60 ? end - line : 60), line);
}

/* False without an error: the file has no further block. */
static bool find_block(struct kernel_text *k, struct error *err)
{
    char *line, *end;
    while (text_stream_filled_line(k->stream, &line, &end, err)) {
        if (starts_with(line, end, "#BEGIN_TB"))
            return true;
        if (*line != '#')
            return unexpected(k, line, end, "#BEGIN_TB", err);
    }
    return false;
}

static bool read_position(struct kernel_text *k, char *line, char *end, struct error *err)
{
    uint32_t at[3];
    int length = 0;
    *end = '\0';
    if (sscanf(line, "thread block = %u,%u,%u%n", &at[0], &at[1], &at[2], &length) != 3 || line + length != end)
        return unexpected(k, line, end, "'thread block = x,y,z'", err);
    for (uint32_t d = 0; d < 3; d++)
        if (at[d] >= k->header.grid[d])
            return accelsim_error(k, err, "thread block %u,%u,%u lies outside the grid", at[0], at[1], at[2]);
    return true;
}

static bool read_warp(struct kernel_text *k, uint32_t warp, struct error *err)
{
    char *line, *end;
    uint32_t count;
    if (warp >= k->source.launch.warps_per_cta)
        return accelsim_error(k, err, "warp %u: a block of %u threads has %u warps", warp, k->source.launch.threads_per_cta,
                              k->source.launch.warps_per_cta);
    if (!text_stream_filled_line(k->stream, &line, &end, err))
        return err->text[0] ? false : accelsim_error(k, err, "the file ends inside a thread block");
    if (!read_setting(line, end, "insts = %u%n", &count))
        return unexpected(k, line, end, "'insts = n'", err);
    for (uint32_t i = 0; i < count; i++) {
        if (!text_stream_filled_line(k->stream, &line, &end, err))
            return err->text[0] ? false : accelsim_error(k, err, "the file ends after %u of %u instructions of a warp", i, count);
        if (!accelsim_line_read(k, &k->warps[warp], line, end, err))
            return false;
    }
    return true;
}

static bool read_block(struct kernel_text *k, struct error *err)
{
    char *line, *end;
    uint32_t warp;
    for (uint32_t i = 0; i < k->source.launch.warps_per_cta; i++)
        warp_encoder_start(&k->warps[i]);
    while (text_stream_filled_line(k->stream, &line, &end, err)) {
        bool ok = true;
        if (starts_with(line, end, "#END_TB"))
            return true;
        if (starts_with(line, end, "thread block"))
            ok = read_position(k, line, end, err);
        else if (starts_with(line, end, "cluster"))
            accelsim_odd(k, ODD_CLUSTER_LINES);
        else if (read_setting(line, end, "warp = %u%n", &warp))
            ok = read_warp(k, warp, err);
        else if (*line != '#')
            ok = unexpected(k, line, end, "'warp = w' or #END_TB", err);
        if (!ok)
            return false;
    }
    return err->text[0] ? false : accelsim_error(k, err, "the file ends inside a thread block");
}

static bool text_fetch(struct cta_source *source, uint32_t cta_id, struct bytes *out, struct error *err)
{
    struct kernel_text *k = (struct kernel_text *)source;
    struct error problem = { 0 };
    if (!find_block(k, &problem) || !read_block(k, &problem)) {
        if (!problem.text[0])
            (void)accelsim_error(k, &problem, "the file ends after %u thread blocks; the grid has %u", cta_id,
                                 source->launch.cta_count);
        if (err)
            *err = problem;
        return false;
    }
    k->blocks_read++;
    if (!k->own_code)
        source->launch.code_count = k->list->code_count;
    warp_encoders_join(k->warps, source->launch.warps_per_cta, false, out);
    return true;
}

static bool text_damaged(struct cta_source *source, uint32_t cta_id, const char *what, struct error *err)
{
    (void)source;
    return error_set_code(err, CODE_INTERNAL, "thread block %u as encoded here: %s", cta_id, what);
}

static void text_destroy(struct cta_source *source)
{
    struct kernel_text *k = (struct kernel_text *)source;
    struct error err = { 0 };
    if (k->blocks_read == source->launch.cta_count)
        while (find_block(k, &err))
            accelsim_odd(k, ODD_EXTRA_BLOCKS);
    for (uint32_t i = 0; k->warps && i < source->launch.warps_per_cta; i++)
        warp_encoder_free(&k->warps[i]);
    free(k->warps);
    code_slots_clear(&source->slots);
    accelsim_code_clear(k->list);
    text_stream_free(k->stream);
    bytes_free(&k->header.own_code);
    free(k->own_code);
    free(k->header.name);
    free(k->path);
    free(k);
}

static void fill_launch(struct kernel_text *k)
{
    const struct kernel_header *h = &k->header;
    struct front_launch *l = &k->source.launch;
    l->kernel = h->name;
    memcpy(l->grid, h->grid, sizeof l->grid);
    memcpy(l->block, h->block, sizeof l->block);
    l->cta_count = h->grid[0] * h->grid[1] * h->grid[2];
    l->threads_per_cta = h->block[0] * h->block[1] * h->block[2];
    l->warps_per_cta = (l->threads_per_cta + 31) / 32;
    l->registers_per_thread = (uint32_t)h->registers;
    l->shared_bytes = (uint32_t)h->shared_bytes;
    if (k->own_code) {
        l->registers_per_thread = h->own_launch[0];
        l->registers_wanted = h->own_launch[1];
        l->local_bytes = h->own_launch[2];
        l->code = k->own_code;
        l->code_count = k->own_code_count;
        return;
    }
    /* The machine sizes its scoreboard from the table before the first block is read. So one entry names the highest register
     * until the instruction that belongs there is read. */
    l->code = k->list->code;
    l->code_count = 1;
    k->list->code[0].ndst = 1;
    k->list->code[0].dst[0] = SASS_TOP_REGISTER;
}

struct front *accelsim_launch(struct accelsim_list *list, uint64_t index, struct error *err)
{
    struct kernel_text *k = must_calloc(1, sizeof *k);
    struct error problem = { 0 };
    k->list = list;
    k->path = must_strdup(list->events[index].path);
    k->next_other = list->options.code_room;
    k->source.fetch = text_fetch;
    k->source.damaged = text_damaged;
    k->source.destroy = text_destroy;
    code_slots_init(&k->source.slots, 1);
    k->stream = text_stream_open(k->path, list->options.interrupted, &problem);
    if (!k->stream || !accelsim_header_read(k, &problem)) {
        k->blocks_read = UINT32_MAX; /* nothing to look for behind the last block */
        text_destroy(&k->source);
        if (err)
            *err = problem;
        return NULL;
    }
    k->code_shift = k->header.binary_version >= 70 ? 4 : 3;
    fill_launch(k);
    k->warps = must_calloc(k->source.launch.warps_per_cta, sizeof *k->warps);
    return replay_new(&k->source);
}

/* ---- what was odd -------------------------------------------------------------------------------------------------- */

void accelsim_report(const struct accelsim_list *list, void (*line)(void *context, const char *text), void *context)
{
    static const char *const names[ODD_COUNT] = {
        [ODD_LIST_LINES] = "lines of the list that are neither MemcpyHtoD nor a kernel's file were left out",
        [ODD_LONG_ADDRESSES] =
            "instructions have more addresses than lanes in their mask (listed before predication): the first were taken",
        [ODD_NO_ADDRESSES] = "memory instructions come without addresses: taken as moves",
        [ODD_SAME_PC] = "instructions share their PC with another one: kept apart",
        [ODD_REGISTERS] = "headers have an impossible nregs: taken as 255",
        [ODD_CLUSTER_LINES] = "lines about clusters were left out: clusters are not modelled",
        [ODD_UNKNOWN_KEYS] = "header lines have a key that is not known: left out",
        [ODD_WIDTHS] = "memory instructions have a width that is not their opcode's: the opcode's was taken",
        [ODD_BARRIERS] = "barriers are of part of their block, without their number: taken as barrier 0 of the whole block",
        [ODD_EXTRA_BLOCKS] = "thread blocks lie beyond the grid: left out",
    };
    char text[512];
    for (uint32_t i = 0; i < ODD_COUNT; i++) {
        if (!list->oddities[i])
            continue;
        (void)snprintf(text, sizeof text, "%.200s: %llu %s; the first is at %.100s", list->path,
                       (unsigned long long)list->oddities[i], names[i], list->first[i].text);
        line(context, text);
    }
    for (uint32_t i = 0; i < list->unknown_count; i++) {
        (void)snprintf(text, sizeof text, "%.200s: unknown opcode %.60s executed %llu times, as a move", list->path,
                       list->unknown[i].name, (unsigned long long)list->unknown[i].count);
        line(context, text);
    }
}
