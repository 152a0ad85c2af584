/* program_test.h - small PTX programs that must run, or must fail with certain words. */
#ifndef WARPLINE_TESTS_PROGRAM_TEST_H
#define WARPLINE_TESTS_PROGRAM_TEST_H
#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Inputs are zeros. The caller frees. */
static inline struct program *new_program(const char *before, const char *body)
{
    struct program *p = calloc(1, sizeof *p);
    p->before = before;
    p->body = body;
    return p;
}

static inline void must_run(struct program *p)
{
    if (!program_run(p))
        fail_msg("%s", p->err.text);
}

/* Frees it. */
static inline void must_fail(struct program *p, const char *with)
{
    assert_false(program_run(p));
    if (!strstr(p->err.text, with))
        fail_msg("the error should say \"%s\": %s", with, p->err.text);
    free(p);
}
#endif
