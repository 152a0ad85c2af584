/* Control flow: where branches reconverge, in shapes worked out by hand. */
#include "ptx_text.h"

static const struct ptx_function *kernel(struct ptx_module *m)
{
    return ptx_find_function(m, "k");
}

/* The bodies name instructions by number in their comments; branches are checked as {instruction, where it reconverges}. */
struct branch {
    uint32_t at, meets;
};

static void check(const char *text, const struct branch *branches, size_t count)
{
    struct ptx_module *m = must_parse(text);
    const struct ptx_function *k = kernel(m);
    for (size_t i = 0; i < count; i++) {
        assert_true(k->code[branches[i].at].op == OP_BRA || k->code[branches[i].at].op == OP_BRX);
        if (k->code[branches[i].at].reconverge != branches[i].meets)
            fail_msg("branch %u meets at %d, expected %d in\n%s", branches[i].at, (int)k->code[branches[i].at].reconverge,
                     (int)branches[i].meets, text);
    }
    ptx_free(m);
}
#define CHECK(text, ...)                                                                                                           \
    check(PTX_KERNEL(text), (const struct branch[]){ __VA_ARGS__ },                                                                \
          sizeof((const struct branch[]){ __VA_ARGS__ }) / sizeof(struct branch))

static void test_if_and_else(void **state)
{
    (void)state;
    CHECK("@%p1 bra ELSE;"           /* 0 */
          "mov.u32 %r1, 1; bra END;" /* 1 2 */
          "ELSE: mov.u32 %r1, 2;"    /* 3 */
          "END: ret;",
          { 0, 4 }, { 2, 4 });
    CHECK("@%p1 bra END; mov.u32 %r1, 1; END: ret;", { 0, 2 });
}

static void test_nested(void **state)
{
    (void)state;
    CHECK("@%p1 bra A;"                                    /* 0 */
          "@%p2 bra B; mov.u32 %r1, 1; B: mov.u32 %r2, 2;" /* 1 2 3 */
          "A: ret;",
          { 0, 4 }, { 1, 3 });
}

static void test_loops(void **state)
{
    (void)state;
    /* for (;;) { if (p1) break; if (p2) continue; x; } */
    CHECK("L: @%p1 bra END;" /* 0 */
          "@%p2 bra L;"      /* 1 */
          "mov.u32 %r1, 1;"  /* 2 */
          "bra L;"           /* 3 */
          "END: ret;",
          { 0, 4 }, { 1, 0 }, { 3, 0 });
    CHECK("L: add.s32 %r1, %r1, 1; @%p1 bra L; ret;", { 1, 2 });
}

static void test_short_circuit(void **state)
{
    (void)state;
    CHECK("@%p1 bra BODY; @%p2 bra BODY; bra END; BODY: mov.u32 %r1, 1; END: ret;", { 0, 4 }, { 1, 4 });
}

static void test_switch(void **state)
{
    (void)state;
    CHECK("T: .branchtargets A, B, C; brx.idx %r1, T;"       /* 0 */
          "A: mov.u32 %r2, 1; bra END;"                      /* 1 2 */
          "B: mov.u32 %r2, 2; C: mov.u32 %r2, 3; END: ret;", /* 3 4 5 */
          { 0, 5 });
}

/* Lanes that leave early are not waited for: the others meet at the next common point. */
static void test_early_exits(void **state)
{
    (void)state;
    CHECK("@%p1 bra OUT;"         /* 0 */
          "@%p2 bra SKIP;"        /* 1 */
          "exit;"                 /* 2 */
          "SKIP: mov.u32 %r1, 1;" /* 3 */
          "OUT: bar.sync 0;"      /* 4 */
          "ret;",
          { 0, 4 }, { 1, 3 });
    CHECK("@%p1 bra A; mov.u32 %r1, 1; ret; A: mov.u32 %r1, 2; ret;", { 0, 3 });
    CHECK("@%p1 exit; @%p2 bra A; mov.u32 %r1, 1; A: ret;", { 1, 3 });
    CHECK("@%p1 bra A; @%p2 ret; mov.u32 %r1, 1; A: bar.sync 0; ret;", { 0, 3 });
    /* the early exit is inside a loop: the other lanes meet behind the branch, in each turn */
    CHECK("L: @%p1 bra A;"          /* 0 */
          "@%p2 exit;"              /* 1 */
          "A: add.s32 %r1, %r1, 1;" /* 2 */
          "@%p3 bra L; ret;",
          { 0, 2 }, { 3, 4 });
}

static void test_endless_and_unreachable(void **state)
{
    (void)state;
    CHECK("L: @%p1 bra A; mov.u32 %r1, 1; A: bra L; mov.u32 %r1, 9; ret;", { 0, 2 });
    CHECK("bra END; DEAD: @%p1 bra DEAD; mov.u32 %r1, 1; END: ret;", { 0, 3 }, { 1, 2 });
    CHECK("@%p1 bra L; ret; L: bra L;", { 0, 1 });
    CHECK("L: @%p1 bra A; A: bra L;", { 0, 1 });
}

static const struct ptx_reg *reg_named(const struct ptx_function *fn, const char *name)
{
    for (uint32_t r = 0; r < fn->reg_count; r++)
        if (strcmp(fn->regs[r].name, name) == 0)
            return &fn->regs[r];
    fail_msg("no register %s", name);
    return NULL;
}

static bool begins_as_zero(const struct ptx_function *fn, const char *name)
{
    return reg_named(fn, name)->begins_as_zero;
}

/* A register is zeroed for a kernel only when some path reads it first. */
static void test_zeros(void **state)
{
    (void)state;
    struct ptx_module *m =
        must_parse(PTX_KERNEL("mov.u32 %r1, 1;"
                              "setp.eq.u32 %p1, %r1, 1;"
                              "@%p1 mov.u32 %r2, 2;" /* the other lanes keep what was there */
                              "@%p1 bra ELSE; mov.u32 %r3, 3; mov.u32 %r4, 4; bra END;"
                              "ELSE: mov.u32 %r3, 5;" /* written on both ways; %r4 on one */
                              "END: add.u32 %r5, %r2, %r3; add.u32 %r6, %r4, %r5;"
                              "L: add.u32 %r7, %r7, 1; @%p1 bra L;"            /* read before its own write */
                              "shfl.sync.idx.b32 %r8, %r1, 0, 31, -1; ret;")); /* lanes that never wrote it may be asked */
    static const struct {
        const char *name;
        bool zero;
    } expected[] = { { "%r1", true },  { "%r2", true }, { "%r3", false }, { "%r4", true },
                     { "%r5", false }, { "%r7", true }, { "%r8", false }, { "%p1", false } };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (begins_as_zero(kernel(m), expected[i].name) != expected[i].zero)
            fail_msg("%s should%s begin as zero", expected[i].name, expected[i].zero ? "" : " not");
    ptx_free(m);
}

/* From the first write to the last read, and through the whole of a loop for what it needs again. */
static void test_live_ranges(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_KERNEL("mov.u32 %r1, 1;"           /* 0: needed in every turn of the loop */
                                                 "mov.u32 %r2, 0;"           /* 1: carried from turn to turn */
                                                 "L: add.u32 %r3, %r1, %r2;" /* 2: a value of one turn */
                                                 "add.u32 %r2, %r3, 1;"      /* 3 */
                                                 "setp.lt.u32 %p1, %r2, 9;"  /* 4 */
                                                 "mov.u32 %r4, 7;"           /* 5: never read */
                                                 "@%p1 bra L;"               /* 6 */
                                                 "mov.u32 %r5, %r2; ret;")); /* 7 8 */
    static const struct {
        const char *name;
        uint32_t first, last;
    } expected[] = { { "%r1", 0, 6 }, { "%r2", 1, 7 }, { "%r3", 2, 3 }, { "%p1", 4, 6 }, { "%r4", 5, 5 }, { "%r5", 7, 7 } };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct ptx_reg *r = reg_named(kernel(m), expected[i].name);
        if (r->first_live != expected[i].first || r->last_live != expected[i].last)
            fail_msg("%s lives from %u to %u, expected %u to %u", r->name, r->first_live, r->last_live, expected[i].first,
                     expected[i].last);
    }
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live_ranges), cmocka_unit_test(test_zeros),       cmocka_unit_test(test_if_and_else),
        cmocka_unit_test(test_nested),      cmocka_unit_test(test_loops),       cmocka_unit_test(test_short_circuit),
        cmocka_unit_test(test_switch),      cmocka_unit_test(test_early_exits), cmocka_unit_test(test_endless_and_unreachable),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
