/* Of clang's intermediate code: variables that C++ keeps private and the host still reaches are exposed, arguments are not promised
 * to be set, the rest is left alone. */
#include "../cmocka_all.h"

#include <stdlib.h>

#include "cuda/device_ir.h"

static void check(const char *module, const char *wanted)
{
    struct text_buffer out = { 0 };
    device_ir_mend(module, &out);
    assert_string_equal(out.text, wanted);
    text_buffer_clear(&out);
}

static void a_variable_of_an_unnamed_type_is_exposed(void **state)
{
    (void)state;
    check("; a line\n@params = internal addrspace(4) global %struct.anon zeroinitializer, align 4\n",
          "; a line\n@params = addrspace(4) externally_initialized global %struct.anon zeroinitializer, align 4\n");
}

static void a_variable_of_the_unnamed_namespace_is_exposed(void **state)
{
    (void)state;
    check("@_ZN12_GLOBAL__N_11xE = internal addrspace(1) global i32 7, align 4",
          "@_ZN12_GLOBAL__N_11xE = addrspace(1) externally_initialized global i32 7, align 4");
}

static void other_private_variables_stay_private(void **state)
{
    static const char *const lines[] = {
        "@_ZL5plain = internal addrspace(1) global i32 0, align 4\n", /* static: clang knows whether the host uses it */
        "@_ZZN12_GLOBAL__N_11fEvE1s = internal addrspace(1) global i32 0, align 4\n",             /* static in a function */
        "@_ZZ1kvE1s = internal addrspace(3) global [4 x i32] undef, align 4\n",                   /* shared */
        "@_ZN12_GLOBAL__N_15tableE = internal addrspace(4) constant [2 x i32] zeroinitializer\n", /* const: nobody may write it */
        "  store i32 0, i32 addrspace(1)* @x ; @params = internal addrspace(4) global i32\n",
        "@x = dso_local addrspace(1) externally_initialized global i32 0\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check(lines[i], lines[i]);
}

static void no_argument_is_promised_to_be_set(void **state)
{
    (void)state;
    check("define dso_local noundef i32 @f(i32 noundef %x) #0 {\n  %1 = call noundef i32 @g(i8* noundef \"a noundef\", i32 noundef "
          "%x)\n",
          "define dso_local i32 @f(i32 %x) #0 {\n  %1 = call i32 @g(i8* \"a noundef\", i32 %x)\n");
    check("@.str = private constant [9 x i8] c\" noundef\\00\"\n", "@.str = private constant [9 x i8] c\" noundef\\00\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_of_an_unnamed_type_is_exposed),
        cmocka_unit_test(a_variable_of_the_unnamed_namespace_is_exposed),
        cmocka_unit_test(no_argument_is_promised_to_be_set),
        cmocka_unit_test(other_private_variables_stay_private),
    };
    return cmocka_run_group_tests_name("device intermediate code", tests, NULL, NULL);
}
