/* machine.h - options on their way to parameters. Inside src/import only. */
#ifndef WARPLINE_IMPORT_MACHINE_H
#define WARPLINE_IMPORT_MACHINE_H
#include "import/import.h"
#include "import/options.h"

struct import {
    struct options *options;
    struct import_result *result;
    bool trace; /* instructions come from a trace, and their latencies from Accel-Sim's trace.config */
    bool failed;
    struct error *err;
};

enum { PARTS = 16, PART_BYTES = 40 };
struct parts {
    unsigned count;
    char text[PARTS][PART_BYTES];
};

/* The whole conversion, once all files are read. */
bool import_machine(struct options *options, bool exact, struct import_result *result, struct error *err);

/* The text of an option, or what it is there when no file gives it; NULL: there is no useful default. */
const char *import_text(struct import *in, const char *option, const char *otherwise);
unsigned long import_number(struct import *in, const char *option, const char *otherwise);
/* The text cut at any of `separators`; refused unless it has `least` to `most` parts. */
struct parts import_parts(struct import *in, const char *option, const char *otherwise, const char *separators, unsigned least,
                          unsigned most);
/* Writes "parameter = value", with the option as a comment. */
void import_set(struct import *in, const char *option, const char *parameter, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* This setting has no counterpart here. The first refusal is the one that is told. */
void import_refuse(struct import *in, const char *option, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* import_plain.c: options that are parameters by another name, that must have one value, or that have no bearing on cycles. */
void import_plain(struct import *in);
/* import_sm.c */
void import_sm(struct import *in);
/* import_memory.c: caches, network, addresses, DRAM. */
void import_memory(struct import *in);
#endif
