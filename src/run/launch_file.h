/* launch_file.h - a launch file: what to run of a PTX file, on which data, without a program (docs/running.md).
 *
 *   arrays:   name -> { type, n, and how to fill it }      memory, in the order given
 *   launches: [ { kernel, grid, block, shared, args } ]    in order
 *   outputs:  [ name | { array, file, expect, tolerance } ] what to keep or compare afterwards
 *   kernel_info: kernel -> { regs, smem }                   what occupancy counts, instead of the PTX's own registers and shared
 * memory first_address, alignment                                where arrays lie (0xC0000000 and 256) */
#ifndef WARPLINE_RUN_LAUNCH_FILE_H
#define WARPLINE_RUN_LAUNCH_FILE_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

enum launch_type {
    LAUNCH_I8,
    LAUNCH_U8,
    LAUNCH_I16,
    LAUNCH_U16,
    LAUNCH_I32,
    LAUNCH_U32,
    LAUNCH_I64,
    LAUNCH_U64,
    LAUNCH_F32,
    LAUNCH_F64,
    LAUNCH_TYPES
};
uint32_t launch_type_bytes(enum launch_type type);

struct launch_array {
    char *name;
    enum launch_type type;
    uint64_t count, bytes;
    uint8_t *contents; /* bytes of them */
};
struct launch_argument {
    int64_t array;   /* index, or -1: a scalar */
    uint64_t offset; /* into the array, bytes */
    enum launch_type type;
    uint8_t bits[8]; /* the scalar */
};
struct launch_step {
    char *kernel;
    uint32_t grid[3], block[3], shared_bytes;
    struct launch_argument *arguments;
    uint32_t argument_count;
    int line; /* in the file, for messages; 0 unknown */
};
struct launch_output {
    uint32_t array;
    char *file;        /* NULL: none */
    uint8_t *expected; /* NULL: not compared; as long as the array */
    double tolerance;  /* relative, or absolute below 1 */
};
struct launch_kernel_info {
    char *kernel;
    uint32_t registers, shared_bytes; /* 0 and UINT32_MAX: not given */
};
struct launch_file {
    struct launch_array *arrays;
    struct launch_step *steps;
    struct launch_output *outputs;
    struct launch_kernel_info *infos;
    uint32_t array_count, step_count, output_count, info_count, alignment;
    uint64_t first_address;
};

/* Files that it names (arrays filled from files, expected outputs) are looked for beside it. An array of more than `most_bytes` is
 * refused before it is filled. */
struct launch_file *launch_file_read(const char *path, uint64_t most_bytes, struct error *err);
/* The same from text; `directory` for named files. */
struct launch_file *launch_file_parse(const char *path, const char *directory, const char *text, size_t length, uint64_t most_bytes,
                                      struct error *err);
void launch_file_free(struct launch_file *file);
#endif
