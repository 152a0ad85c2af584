/* test_symbol.c - names of kernels read back from what a C++ compiler wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/symbol.h"

static void expect(const char *symbol, const char *plain)
{
    char out[128];
    symbol_plain_name(symbol, out, sizeof out);
    assert_string_equal(out, plain);
}

/* The symbols are clang's and nvcc's for the declarations beside them. */
static void names_come_back_as_in_the_source(void **state)
{
    (void)state;
    expect("_Z4vaddPKfS0_Pfi", "vadd");
    expect("_ZL6hiddenv", "hidden");                          /* static */
    expect("_ZN6solver4stepEPf", "solver::step");             /* in a namespace */
    expect("_ZN12_GLOBAL__N_15innerEv", "inner");             /* in one without a name */
    expect("_Z5applyIfZ4mainEUlfiE_EvPT_iT0_", "apply<...>"); /* with a lambda */
    expect("_ZN3foo3barIfLi3EEEvPT_", "foo::bar<...>");       /* with a type and a number */
    expect("_ZN4TreeIN2ns4NodeELb1EE4walkIiEEvv", "Tree<...>::walk<...>");
    expect("_ZN4listIA10_iE3runEv", "list<...>::run"); /* an array */
    expect("_ZN4listIPFviEE3runEv", "list<...>::run"); /* a pointer to a function as argument */
}

static void what_is_not_known_stays_as_it_is(void **state)
{
    (void)state;
    static const char *const symbols[] = { "vadd",
                                           "",
                                           "_Z",
                                           "_ZN",
                                           "_Z99short",
                                           "_ZN3fooI",
                                           "_ZN3foo3bar",
                                           "_ZNSt6vectorIiE4pushEv",
                                           "_Z999999999999999999999x",
                                           "_ZN3fooIS",
                                           "_ZNE",
                                           "_ZN3fooILi3",
                                           "_ZN3fooIS_T",
                                           "_ZN12_GLOBAL__N_1E" };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        expect(symbols[i], symbols[i]);
}

static void a_short_buffer_cuts_the_name(void **state)
{
    (void)state;
    char out[6];
    symbol_plain_name("_ZN6solver4stepEPf", out, sizeof out);
    assert_string_equal(out, "solve");
}

static void a_kernel_is_known_by_each_of_its_names(void **state)
{
    (void)state;
    assert_true(symbol_is_kernel("vadd", "vadd"));
    assert_true(symbol_is_kernel("_Z4vaddPKfS0_Pfi", "vadd"));
    assert_true(symbol_is_kernel("_Z4vaddPKfS0_Pfi", "_Z4vaddPKfS0_Pfi"));
    assert_true(symbol_is_kernel("_ZN6solver4stepIfEEvPT_", "step"));
    assert_true(symbol_is_kernel("_ZN6solver4stepIfEEvPT_", "solver::step"));
    assert_false(symbol_is_kernel("_Z5vadd2Pf", "vadd"));
    assert_false(symbol_is_kernel("_Z4vaddPf", "vadd2"));
    assert_false(symbol_is_kernel("_ZN6solver4stepEPf", "solver"));
    assert_false(symbol_is_kernel("_ZN6solver4stepEPf", "olver::step"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_back_as_in_the_source),
        cmocka_unit_test(what_is_not_known_stays_as_it_is),
        cmocka_unit_test(a_short_buffer_cuts_the_name),
        cmocka_unit_test(a_kernel_is_known_by_each_of_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
