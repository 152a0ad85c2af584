/* ptx_text.h - PTX for tests: a module around a body, files of the tree, and what the parser says about them. */
#ifndef WARPLINE_TESTS_PTX_TEXT_H
#define WARPLINE_TESTS_PTX_TEXT_H
#include "../cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ptxas/ptxas.h"

#define PTX_HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
/* A kernel with registers of every size: %p predicates, %h 16 bits, %r 32 bits, %f floats, %d 64 bits, %q 128 bits. */
#define PTX_KERNEL(body)                                                                                                           \
    PTX_HEAD ".extern .shared .align 16 .b8 dyn[];\n.global .texref tex0;\n.global .surfref surf0;\n.global .u32 var0;\n"          \
             ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"                                                                \
             ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<33>; .reg .f32 %f<9>; .reg .b64 %d<33>; .reg .f64 %e<9>;\n"          \
             ".reg .b128 %q<3>;\n.param .b64 lp;\n" body "\n}\n"

static inline struct ptx_module *parse_text(const char *text, struct error *err)
{
    *err = (struct error){ 0 };
    return ptx_parse("t.ptx", text, strlen(text), err);
}

/* A module that must parse. */
static inline struct ptx_module *must_parse(const char *text)
{
    struct error err;
    struct ptx_module *m = parse_text(text, &err);
    if (!m)
        fail_msg("%s\n%s", err.text, text);
    ptxas_assign_resources(m);
    return m;
}

/* A module that must be refused, with these words in the sentence. */
static inline void must_refuse(const char *text, const char *words)
{
    struct error err;
    struct ptx_module *m = parse_text(text, &err);
    if (m) {
        ptx_free(m);
        fail_msg("accepted, where '%s' was expected:\n%s", words, text);
    }
    if (!strstr(err.text, words))
        fail_msg("said '%s', where '%s' was expected", err.text, words);
}

static inline char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *length = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(*length + 1);
    assert_int_equal(fread(text, 1, *length, f), *length);
    text[*length] = '\0';
    fclose(f);
    return text;
}
#endif
