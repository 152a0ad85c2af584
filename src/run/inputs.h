/* inputs.h - the list of what a program read from outside, from the side of `warpline run --inputs`. */
#ifndef WARPLINE_RUN_INPUTS_H
#define WARPLINE_RUN_INPUTS_H
#include <jansson.h>

#include "base/error.h"
#include "run/input_fact.h"

struct inputs;
/* Memory for the list; the environment as it is now is the one that the program starts from. */
struct inputs *inputs_new(struct error *err);
void inputs_free(struct inputs *inputs);
/* In the child, before exec: preloads `library` and tells it where to write. */
void inputs_become_watched(struct inputs *inputs, const char *library);
/* `program`: the file that was started. { "seen": whether the list is whole, "list": [[kind, name, fact], ...] }, sorted. Of the
 * environment only what came from ours is in it: a value that the program set for what it starts follows from the rest.
 * `ours_to_pass`: a file of our own that only takes something from one run to the next; NULL: none. */
json_t *inputs_json(const struct inputs *inputs, const char *program, const char *ours_to_pass);
#endif
