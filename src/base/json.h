/* json.h - the JSON that warpline writes: jansson trees, written in one canonical way.
 *
 * Members keep their order of insertion, reals are the shortest text that reads back as the same number, lists of numbers stay
 * on one line. The same tree is always the same bytes. */
#ifndef WARPLINE_BASE_JSON_H
#define WARPLINE_BASE_JSON_H
#include <jansson.h>

#include "base/text.h"

/* The tree in a file. NULL with a sentence: the file cannot be read, or is not `what` ("a result"). */
json_t *json_read_file(const char *path, const char *what, struct error *err);
/* Appends the tree and a final newline. */
void json_write(const json_t *tree, struct text_buffer *out);
/* Text from outside (a path, a kernel's name) may hold any bytes, but JSON holds only UTF-8: a copy that JSON takes, with '?' for
 * what is no ASCII if the text is not UTF-8. The caller frees. */
char *json_clean_text(const char *text);

/* Sets root["a"]["b"]["c"] for the dotted name "a.b.c", making the objects on the way; takes ownership of `value`. A name
 * that is both a value and a group is a panic: two declarations clash. */
void json_set_dotted(json_t *root, const char *dotted, json_t *value);
/* The value at a dotted name, or NULL. */
json_t *json_get_dotted(const json_t *root, const char *dotted);
/* The number there, or `otherwise`. */
double json_number_dotted(const json_t *root, const char *dotted, double otherwise);
#endif
