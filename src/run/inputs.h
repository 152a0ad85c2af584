/* inputs.h - the list of what a program read from outside, from the side of `warpline run --inputs`. */
#ifndef WARPLINE_RUN_INPUTS_H
#define WARPLINE_RUN_INPUTS_H
#include <jansson.h>

#include "base/error.h"
#include "run/input_fact.h"

struct inputs;
/* Memory for the list. The environment at this moment is the one that the program starts with. */
struct inputs *inputs_new(struct error *err);
void inputs_free(struct inputs *inputs);
/* False with a sentence when the library that watches is not in this folder. */
bool inputs_can_watch(const char *library_dir, struct error *err);
/* In the child, before exec: preloads that library and tells it where to write. */
void inputs_become_watched(struct inputs *inputs, const char *library_dir);
/* `program`: the file that was started. { "seen": whether the list is whole, "list": [[kind, name, fact], ...] }, sorted. Only
 * variables that came from our environment are in it: values that the program set for its children follow from the rest.
 * `ours_to_pass`: a file of our own that only carries something from one run to the next; NULL: none. */
json_t *inputs_json(const struct inputs *inputs, const char *program, const char *ours_to_pass);
#endif
