/* accelsim_header.c - the "-key = value" lines that a kernel file begins with. */
#include <inttypes.h>
#include <stdio.h>

#include "trace/accelsim_state.h"

enum { MOST_REGISTERS = 255 };
#define MOST_SHARED_BYTES (UINT64_C(1) << 20)

static bool parse_triple(const char *value, uint32_t out[3])
{
    int length = 0;
    return sscanf(value, "(%" SCNu32 ",%" SCNu32 ",%" SCNu32 ")%n", &out[0], &out[1], &out[2], &length) == 3 &&
           value[length] == '\0' && out[0] && out[1] && out[2];
}

static bool parse_whole(const char *value, uint64_t *out)
{
    char *end;
    if (*value < '0' || *value > '9')
        return false;
    *out = strtoull(value, &end, 0);
    return *end == '\0';
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Lines that we add when we write a trace. */
static bool set_own_key(struct kernel_header *h, const char *key, const char *value)
{
    int length = 0;
    if (strcmp(key, "launch") == 0)
        return sscanf(value, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 "%n", &h->own_launch[0], &h->own_launch[1], &h->own_launch[2],
                      &length) == 3 &&
               value[length] == '\0';
    if (strcmp(key, "code") != 0)
        return false;
    for (; *value; value += 2) {
        const int high = hex_value(value[0]), low = high < 0 ? -1 : hex_value(value[1]);
        if (low < 0)
            return false;
        bytes_put(&h->own_code, (uint8_t)(high << 4 | low));
    }
    return true;
}

static bool set_key(struct kernel_text *k, const char *key, const char *value, bool *known)
{
    struct kernel_header *h = &k->header;
    const struct {
        const char *key;
        uint64_t *number;
    } numbers[] = {
        { "shmem", &h->shared_bytes },
        { "nregs", &h->registers },
        { "binary version", &h->binary_version },
        { "shmem base_addr", &h->shared_base },
        { "local mem base_addr", &h->local_base },
        { "accelsim tracer version", &h->tracer_version },
        { "enable lineinfo", &h->line_info },
    };
    *known = true;
    if (strncmp(key, "warpline ", 9) == 0)
        return set_own_key(h, key + 9, value);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return parse_whole(value, numbers[i].number);
    if (strcmp(key, "kernel name") == 0) {
        free(h->name);
        h->name = must_strdup(value);
        return *value != '\0';
    }
    if (strcmp(key, "grid dim") == 0)
        return parse_triple(value, h->grid);
    if (strcmp(key, "block dim") == 0)
        return parse_triple(value, h->block);
    *known = strcmp(key, "kernel id") == 0 || strcmp(key, "cuda stream id") == 0 || strcmp(key, "nvbit version") == 0;
    return true;
}

/* "-key = value", cut in place. */
static bool read_key(struct kernel_text *k, char *line, char *end, struct error *err)
{
    bool known;
    *end = '\0';
    char *equals = strstr(line, " =");
    if (!equals)
        return accelsim_error(k, err, "'-key = value' is expected in the header, not '%.60s'", line);
    *equals = '\0';
    char *value = equals + 2;
    while (*value == ' ')
        value++;
    for (char *last = end; last > value && last[-1] == ' ';)
        *--last = '\0';
    if (!set_key(k, line + 1, value, &known))
        return accelsim_error(k, err, "'%.60s' cannot be '%.60s'", line + 1, value);
    if (!known)
        accelsim_odd(k, ODD_UNKNOWN_KEYS);
    return true;
}

static bool check(struct kernel_text *k, struct error *err)
{
    struct kernel_header *h = &k->header;
    if (!h->name || !h->grid[0] || !h->block[0])
        return accelsim_error(k, err, "the header ends without %s",
                              !h->name      ? "a kernel name"
                              : !h->grid[0] ? "a grid dim"
                                            : "a block dim");
    const uint64_t threads = (uint64_t)h->block[0] * h->block[1] * h->block[2];
    const uint64_t blocks = (uint64_t)h->grid[0] * h->grid[1];
    if (h->block[0] > 1024 || h->block[1] > 1024 || threads > 1024 || blocks > UINT32_MAX || blocks * h->grid[2] > UINT32_MAX)
        return accelsim_error(k, err, "a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads is impossible", h->grid[0], h->grid[1],
                              h->grid[2], h->block[0], h->block[1], h->block[2]);
    if (h->shared_bytes > MOST_SHARED_BYTES)
        return accelsim_error(k, err, "shmem = %llu is impossible", (unsigned long long)h->shared_bytes);
    if (h->registers > MOST_REGISTERS) {
        h->registers = MOST_REGISTERS;
        accelsim_odd(k, ODD_REGISTERS);
    }
    if (h->own_code.count && !k->list->options.as_listed) {
        struct cursor in = cursor_of(&h->own_code);
        k->own_code = wlt_code_read(&in, &k->own_code_count);
        if (!k->own_code || k->own_code_count > k->list->options.code_room || h->tracer_version != 5 ||
            h->own_launch[0] > UINT16_MAX || h->own_launch[1] > UINT16_MAX)
            return accelsim_error(k, err, "the lines '-warpline' make no sense: write the trace again, or take them out");
    }
    if (h->tracer_version > 5)
        return accelsim_error(k, err, "tracer version %llu is newer than the format that is known here (5)",
                              (unsigned long long)h->tracer_version);
    return true;
}

bool accelsim_header_read(struct kernel_text *k, struct error *err)
{
    char *line, *end;
    while (text_stream_filled_line(k->stream, &line, &end, err)) {
        if (*line == '#')
            return check(k, err);
        if (*line != '-')
            return accelsim_error(k, err, "'-key = value' or '#' is expected in the header, not '%.*s'",
                                  (int)(end - line < 60 ? end - line : 60), line);
        if (!read_key(k, line, end, err))
            return false;
    }
    return err->text[0] ? false : accelsim_error(k, err, "the file ends inside its header");
}
