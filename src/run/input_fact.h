/* input_fact.h - one thing outside a program that decides what it does: a file, a folder, an environment variable.
 *
 * A fact is a short text that stays equal as long as the thing does. To reuse a result, the facts are taken again and compared.
 * The same code runs in the program's process (watch/watch_inputs.c), where a fact is taken before the program reads the thing,
 * and in warpline's. It allocates nothing and calls the kernel directly, so that it never sees itself. */
#ifndef WARPLINE_RUN_INPUT_FACT_H
#define WARPLINE_RUN_INPUT_FACT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum input_kind {
    INPUT_FILE = 'F',      /* what is in it; of a folder, the names in it */
    INPUT_STATUS = 'S',    /* whether it is there, what it is, its size */
    INPUT_VARIABLE = 'V',  /* of the environment */
    INPUT_VARIABLES = 'E', /* all variables whose names begin so; "" for the whole environment */
    INPUT_HERE = 'C',      /* the working folder; its name is "" */
};
enum { INPUT_FACT_BYTES = 80 };

/* What is true of this input now, in this process. Relative paths start at the working folder. */
void input_fact(enum input_kind kind, const char *name, char out[INPUT_FACT_BYTES]);
/* The fact of a variable with this value; NULL: not set. */
void input_fact_value(const char *value, char out[INPUT_FACT_BYTES]);

/* ---- the memory that warpline and the processes of one program share ------------------------------------------------------ */

/* Names the file to be mapped: set for the program, read by the preloaded library. */
#define INPUTS_ENVIRONMENT "WARPLINE_INPUTS"
#define INPUTS_MAGIC 0x31734e49u
enum { INPUTS_TABLE = 1 << 16, INPUTS_TEXT_BYTES = 24 << 20, INPUTS_PATH_BYTES = 4096 };

struct inputs_memory {
    uint32_t magic;
    int32_t program;                /* the first process */
    uint32_t program_seen;          /* it has loaded the library: what it reads is seen */
    uint32_t overflow;              /* there was more than fits: the list is not whole */
    uint64_t used;                  /* bytes of text */
    char folder[INPUTS_PATH_BYTES]; /* where the program was started */
    uint64_t noted[INPUTS_TABLE];   /* hashes of what is in the list already, and of files the program made itself */
    char text[INPUTS_TEXT_BYTES];   /* kind, name, 0, fact, 0; and again */
};
#endif
