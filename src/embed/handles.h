/* handles.h - what stands behind the public handles. Private to src/embed. */
#ifndef WARPLINE_EMBED_HANDLES_H
#define WARPLINE_EMBED_HANDLES_H
#include <jansson.h>

#include "base/text.h"
#include "warpline/warpline.h"

struct warpline_machine {
    char *config;              /* NULL: the defaults */
    struct text_list settings; /* "key=value" */
    struct text_list policies, plugins;
    unsigned long long max_cycles, max_instructions;
    warpline_progress *progress;
    void *progress_context;
    char error[1024];
};

struct warpline_result {
    json_t *tree;
    struct text_list names; /* of counters, in the order of the JSON */
    struct text_buffer text;
    bool stopped;
};

/* Takes the tree over. */
struct warpline_result *result_handle_new(json_t *tree, bool stopped);
#endif
