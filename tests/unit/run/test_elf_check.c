/* Programs that can run, and those that cannot, told from ELF files made by hand. */
#include "../cmocka_all.h"
#include "crafted.h"
#include "run/elf_check.h"

#include <elf.h>
#include <stdbool.h>

enum { ROOM = 16384, SECTIONS = 5 };
struct program {
    _Alignas(8) uint8_t bytes[ROOM];
    size_t size;
};

static const char section_names[] = "\0.shstrtab\0.dynamic\0.dynstr\0.nv_fatbin";

/* `needed`: the name of its libcudart, or NULL; `fatbin`: contents of .nv_fatbin, or NULL. */
static void make(struct program *p, const char *needed, const struct crafted *fatbin)
{
    memset(p, 0, sizeof *p);
    Elf64_Ehdr *header = (void *)p->bytes;
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_type = ET_DYN;
    header->e_machine = EM_X86_64;
    header->e_shoff = 64;
    header->e_shnum = SECTIONS;
    header->e_shentsize = sizeof(Elf64_Shdr);
    header->e_shstrndx = 1;
    Elf64_Shdr *s = (void *)(p->bytes + 64);
    size_t at = 64 + SECTIONS * sizeof(Elf64_Shdr);
    s[1] = (Elf64_Shdr){ .sh_name = 1, .sh_offset = at, .sh_size = sizeof section_names };
    memcpy(p->bytes + at, section_names, sizeof section_names);
    at = (at + sizeof section_names + 7) & ~(size_t)7;
    s[2] = (Elf64_Shdr){ .sh_name = 11, .sh_offset = at, .sh_size = 2 * sizeof(Elf64_Dyn) };
    Elf64_Dyn *dynamic = (void *)(p->bytes + at);
    if (needed)
        dynamic[0] = (Elf64_Dyn){ .d_tag = DT_NEEDED, .d_un = { .d_val = 1 } };
    at += 2 * sizeof(Elf64_Dyn);
    s[3] = (Elf64_Shdr){ .sh_name = 20, .sh_offset = at, .sh_size = 64 };
    if (needed)
        strcpy((char *)p->bytes + at + 1, needed);
    at += 64;
    if (fatbin) {
        s[4] = (Elf64_Shdr){ .sh_name = 28, .sh_offset = at, .sh_size = fatbin->size };
        memcpy(p->bytes + at, fatbin->bytes, fatbin->size);
        at += fatbin->size;
    }
    p->size = at;
}

static bool check(const struct program *p, bool *uses, struct error *err)
{
    return elf_check_bytes("app", p->bytes, p->size, uses, err);
}

static void accepts_shared_runtime_with_ptx(void **state)
{
    (void)state;
    struct program p;
    struct crafted c;
    struct error err;
    bool uses;
    crafted_begin(&c);
    crafted_add(&c, 2, 75, "machine code", CRAFTED_PLAIN);
    crafted_add(&c, 1, 75, ".version 7.0\n.target sm_75\n", CRAFTED_ZSTD);
    static const char *const names[] = { "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0" };
    for (size_t i = 0; i < 3; i++) {
        make(&p, names[i], &c);
        assert_true(check(&p, &uses, &err));
        assert_true(uses);
    }
    make(&p, NULL, NULL);
    assert_true(check(&p, &uses, &err));
    assert_false(uses);
}

static void refuses_with_the_flags_that_help(void **state)
{
    (void)state;
    struct program p;
    struct crafted c;
    struct error err;
    bool uses;
    crafted_begin(&c);
    crafted_add(&c, 2, 75, "machine code", CRAFTED_PLAIN);
    make(&p, "libcudart.so.13", &c);
    assert_false(check(&p, &uses, &err));
    assert_non_null(strstr(err.text, "no PTX"));
    assert_non_null(strstr(err.text, "-arch=compute_75"));
    make(&p, NULL, &c);
    assert_false(check(&p, &uses, &err));
    assert_non_null(strstr(err.text, "-cudart shared"));
    make(&p, "libcudart.so.9.0", NULL);
    assert_false(check(&p, &uses, &err));
    assert_non_null(strstr(err.text, "libcudart.so.9.0"));
    assert_int_equal(err.code, CODE_INPUT);
}

static void refuses_what_is_no_program(void **state)
{
    (void)state;
    struct error err;
    bool uses;
    assert_false(elf_check_bytes("s", (const unsigned char *)"#!/bin/sh\nexit 0\n", 17, &uses, &err));
    assert_non_null(strstr(err.text, "script"));
    assert_false(elf_check_bytes("k.ptx", (const unsigned char *)".version 7.0\n", 13, &uses, &err));
    assert_non_null(strstr(err.text, "--ptx"));
    assert_false(elf_check_program("/nonexistent/app", &uses, &err));
    assert_false(elf_check_program("/", &uses, &err));
}

static void survives_damage(void **state)
{
    (void)state;
    struct program p;
    struct crafted c;
    struct error err;
    bool uses;
    crafted_begin(&c);
    crafted_add(&c, 1, 75, ".version 7.0\n.target sm_75\n", CRAFTED_LZ4);
    make(&p, "libcudart.so.13", &c);
    for (size_t size = 0; size < p.size; size += 3) {
        uint8_t *copy = aligned_alloc(8, (size + 8) & ~(size_t)7);
        memcpy(copy, p.bytes, size);
        (void)elf_check_bytes("app", copy, size, &uses, &err);
        free(copy);
    }
    for (size_t at = 0; at < p.size; at++) {
        const uint8_t kept = p.bytes[at];
        p.bytes[at] = (uint8_t)~kept;
        (void)check(&p, &uses, &err);
        p.bytes[at] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(accepts_shared_runtime_with_ptx),
                                        cmocka_unit_test(refuses_with_the_flags_that_help),
                                        cmocka_unit_test(refuses_what_is_no_program), cmocka_unit_test(survives_damage) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
