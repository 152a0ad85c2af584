/* options.h - the options of a GPGPU-Sim configuration, as they were read. Inside src/import only. */
#ifndef WARPLINE_IMPORT_OPTIONS_H
#define WARPLINE_IMPORT_OPTIONS_H
#include <stdint.h>

#include "base/text.h"

struct option {
    char *name, *value, *where; /* "-gpgpu_n_mem", "6", "gpgpusim.config:12" */
    bool known;                 /* somebody has asked for it */
};
struct options {
    struct option *option;
    size_t count;
};

/* Both put what they read behind what is there; `where` stands for the file in errors. */
typedef bool options_parser(struct options *all, const char *where, const char *text, struct error *err);
/* "-name value...", with # to the end of a line. Values in quotes go over several lines, and lose their blanks. */
options_parser options_parse;
/* The file of the network: "name = value;" with // to the end of a line. Names get "icnt:" in front. */
options_parser options_parse_network;
bool options_read(struct options *all, const char *path, options_parser *parse, struct error *err);
void options_clear(struct options *all);

/* The last of that name, as there the last one counts; NULL: none. */
struct option *options_find(const struct options *all, const char *name);
#endif
