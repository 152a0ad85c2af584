/* Texts that no compiler writes: as large as a file may be, with blocks in the worst order, with the extremes of every number. They
 * must load, in seconds: what grows with the square of the text took minutes on each of the large ones here. */
#include "ptx_text.h"

#include <stdarg.h>
#include <time.h>

enum { MOST_SECONDS = 20 }; /* of the processor, in a build with sanitizers on a slow host; a release build takes a fifth of one */

struct text {
    char *start;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    if (t->room < t->length + 256) {
        t->room = 2 * t->room + 4096;
        t->start = realloc(t->start, t->room);
        assert_non_null(t->start);
    }
    va_list values;
    va_start(values, format);
    int n = vsnprintf(t->start + t->length, t->room - t->length, format, values);
    va_end(values);
    assert_in_range(n, 0, t->room - t->length - 1);
    t->length += (size_t)n;
}

static struct text kernel(uint32_t words, uint32_t doubles)
{
    struct text t = { 0 };
    add(&t, PTX_HEAD ".entry k(.param .u64 a)\n{\n.reg .pred %%p<9>; .reg .b32 %%r<%u>; .reg .b64 %%d<%u>;\n", words, doubles);
    return t;
}

/* The estimate for kernel k. */
static uint32_t load(struct text *t)
{
    add(t, "ret;\n}\n");
    const clock_t start = clock();
    struct ptx_module *m = must_parse(t->start);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    const uint32_t registers = ptx_find_function(m, "k")->register_estimate;
    ptx_free(m);
    free(t->start);
    if (seconds > MOST_SECONDS)
        fail_msg("%.1f seconds", seconds);
    return registers;
}

/* Every block leads to the one in front of it: what lives must be known at once, not a block further in every round. */
static void blocks_in_reverse(void **state)
{
    enum { BLOCKS = 50000, WORDS = 60 };
    (void)state;
    struct text t = kernel(WORDS + 1, 2);
    add(&t, "bra L0;\n");
    for (uint32_t i = BLOCKS; i-- > 0;)
        add(&t, "L%u: add.s32 %%r%u, %%r%u, %%r%u; bra L%u;\n", i, i % WORDS, (i + 1) % WORDS, i * 7 % WORDS, i + 1);
    add(&t, "L%u: st.global.u32 [%%d1], %%r5;\n", BLOCKS);
    assert_in_range(load(&t), 32, 70);
}

/* A chain of 64-bit values, each calculated from one that is written after it. */
static void values_in_reverse(void **state)
{
    enum { VALUES = 60000 };
    (void)state;
    struct text t = kernel(2, VALUES + 4);
    for (uint32_t i = 0; i < VALUES; i++)
        add(&t, "add.s64 %%d%u, %%d%u, %%d%u;\n", i + 1, i + 2, i + 2);
    add(&t, "st.global.u64 [%%d1], %%d1;\n");
    assert_int_equal(load(&t), 255); /* all live together */
}

/* A large function, called from as many places. */
static void many_calls(void **state)
{
    enum { CALLS = 50000 };
    (void)state;
    struct text t = { 0 };
    add(&t, PTX_HEAD ".func f(.reg .b32 %%i)\n{\n.reg .b32 %%r<4>;\n");
    for (uint32_t i = 0; i < CALLS; i++)
        add(&t, "add.s32 %%r1, %%r1, %%i;\n");
    add(&t, "st.global.u32 [0], %%r1; ret;\n}\n.entry k()\n{\n.reg .b32 %%r<2>;\n");
    for (uint32_t i = 0; i < CALLS; i++)
        add(&t, "call f, (%%r1);\n");
    assert_int_equal(load(&t), 24);
}

/* As many functions as indirect calls, each of which may reach all. */
static void many_indirect_calls(void **state)
{
    enum { FUNCTIONS = 40000 };
    (void)state;
    struct text t = { 0 };
    add(&t, PTX_HEAD);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        add(&t, ".func f%u() { .reg .b64 %%d<2>; P: .callprototype _ (); call %%d1, (), P; ret; }\n", i);
    add(&t, ".entry k()\n{\ncall f%u;\n", FUNCTIONS - 1);
    assert_int_equal(load(&t), 24);
}

/* Exact quotients cut a block into stretches, which are ordered one by one. */
static void many_stretches(void **state)
{
    enum { STRETCHES = 120000 };
    (void)state;
    struct text t = kernel(9, 2);
    for (uint32_t i = 0; i < STRETCHES; i++)
        add(&t, "rcp.rn.f32 %%r1, %%r2; add.f32 %%r2, %%r1, %%r3; add.f32 %%r3, %%r2, %%r1;\n");
    add(&t, "st.global.f32 [%%d1], %%r3;\n");
    assert_in_range(load(&t), 8, 24);
}

/* One list of targets, named by many branches. */
static void many_targets(void **state)
{
    enum { LABELS = 3000 };
    (void)state;
    struct text t = kernel(9, 2);
    add(&t, "T: .branchtargets L0");
    for (uint32_t i = 1; i < LABELS; i++)
        add(&t, ", L%u", i);
    add(&t, ";\n");
    for (uint32_t i = 0; i < LABELS; i++)
        add(&t, "L%u: brx.idx %%r1, T;\n", i);
    add(&t, "}\n");
    must_refuse(t.start, "the indirect branches of this function have more than 4194304 targets");
    free(t.start);
}

#define LOOP_FROM(start, step, test)                                                                                               \
    PTX_KERNEL("mov.u64 %d2, " start "; L: st.global.u64 [%d1], %d2; xor.b32 %r1, %r1, %r2; xor.b32 %r2, %r1, %r3;" step           \
               "; setp." test "; @%p1 bra L; ret;")

static uint32_t estimate(const char *text)
{
    struct ptx_module *m = must_parse(text);
    uint32_t registers = ptx_find_function(m, "k")->register_estimate;
    ptx_free(m);
    return registers;
}

/* Counts that no number holds, or that are as many as there are numbers: such loops are not laid out in full. */
static void extreme_counters(void **state)
{
    (void)state;
    const uint32_t some = estimate(LOOP_FROM("0", "add.s64 %d2, %d2, 1", "lt.s64 %p1, %d2, 100000007")); /* a prime: not unrolled */
    assert_in_range(estimate(LOOP_FROM("0x8000000000000000", "add.s64 %d2, %d2, -1", "ne.s64 %p1, %d2, 0")), some, some + 9);
    assert_in_range(estimate(LOOP_FROM("0", "add.s64 %d2, %d2, -1", "ne.s64 %p1, %d2, 0x8000000000000000")), some, some + 9);
    assert_in_range(estimate(LOOP_FROM("0", "sub.s64 %d2, %d2, 0x8000000000000000", "ne.s64 %p1, %d2, 0")), some, some + 9);
    /* 2^64 / 3 times a body of three: a product that wraps is small */
    assert_in_range(estimate(LOOP_FROM("0", "add.s64 %d2, %d2, 1", "lt.s64 %p1, %d2, 6148914691236517206")), some, 40);
}

/* Addresses wrap: these are the same places, whichever way they were reached. */
static void extreme_offsets(void **state)
{
    (void)state;
#define FAR(to)                                                                                                                    \
    "add.s64 %d2, %d1, 0x7fffffffffffffff; add.s64 %d3, %d2, 0x7fffffffffffffff; sub.s64 %d4, %d3, 0x8000000000000000;" to
    assert_in_range(estimate(PTX_KERNEL(
                        "mov.u64 %d1, %clock64;" FAR("ld.global.u32 %r1, [%d3+2147483647]; st.global.u32 [%d4+-2147483648], %r1;"
                                                     "ld.global.u32 %r2, [%d2]; st.global.u32 [%d1], %r2; ret;"))),
                    6, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_in_reverse),   cmocka_unit_test(values_in_reverse), cmocka_unit_test(many_calls),
        cmocka_unit_test(many_indirect_calls), cmocka_unit_test(many_stretches),    cmocka_unit_test(many_targets),
        cmocka_unit_test(extreme_counters),    cmocka_unit_test(extreme_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
