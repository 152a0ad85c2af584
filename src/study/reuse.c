/* reuse.c - looks up a stored result and takes the facts of its inputs again. */
#include "study/reuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/input_fact.h"

struct reuse {
    json_t *facts; /* kind and name: the fact now */
};

struct looking {
    struct reuse *reuse;
    struct database *database;
    const struct job *job;
    json_t *inputs;
    char key[JOB_KEY_LENGTH + 1];
};

struct reuse *reuse_new(void)
{
    struct reuse *r = must_calloc(1, sizeof *r);
    r->facts = json_object();
    return r;
}

void reuse_free(struct reuse *r)
{
    json_decref(r->facts);
    free(r);
}

static const char *fact_now(struct reuse *r, char kind, const char *name)
{
    struct text_buffer id = { 0 };
    text_append(&id, "%c%s", kind, name);
    const char *known = json_string_value(json_object_get(r->facts, id.text));
    if (!known) {
        char fact[INPUT_FACT_BYTES] = "";
        input_fact((enum input_kind)kind, name, fact);
        (void)json_object_set_new(r->facts, id.text, json_string(fact));
        known = json_string_value(json_object_get(r->facts, id.text));
    }
    text_buffer_clear(&id);
    return known;
}

static bool holds(void *context, char kind, const char *name, const char *fact)
{
    struct looking *l = context;
    const char *now = fact_now(l->reuse, kind, name);
    (void)json_array_append_new(l->inputs, json_pack("[s#, s, s]", &kind, 1, name, fact));
    return now && strcmp(now, fact) == 0;
}

static bool accept(void *context, int64_t id, const char *key)
{
    struct looking *l = context;
    (void)json_array_clear(l->inputs);
    (void)snprintf(l->key, sizeof l->key, "%s", key);
    return database_each_input(l->database, id, holds, l);
}

bool reuse_find(struct reuse *reuse, struct database *database, const struct job *job, struct reuse_found *found)
{
    struct looking l = { .reuse = reuse, .database = database, .job = job, .inputs = json_array() };
    json_t *result = database_find_content(database, job->content, accept, &l) ? database_result(database, l.key) : NULL;
    const bool there = result != NULL;
    if (found && there) {
        *found = (struct reuse_found){ .result = json_incref(result), .inputs = json_incref(l.inputs) };
        memcpy(found->key, l.key, sizeof found->key);
    }
    json_decref(result);
    json_decref(l.inputs);
    return there;
}
