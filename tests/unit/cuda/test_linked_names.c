/* Names of files that are linked: the registration becomes our libcudart's, suffixes of statics go, all else stays. */
#include "../cmocka_all.h"

#include "cuda/linked_names.h"

static void check(const char *text, const char *wanted)
{
    struct text_buffer out = { 0 };
    linked_names_mend(text, &out);
    assert_string_equal(out.text, wanted);
    text_buffer_clear(&out);
}

static void the_registration_is_ours(void **state)
{
    (void)state;
    check("\tjmp\t__cudaRegisterLinkedBinary__nv_6e7f2979237331fd@PLT # TAILCALL\n",
          "\tjmp\t__cudaWarplineLinked@PLT # TAILCALL\n");
}

static void statics_keep_their_plain_names(void **state)
{
    (void)state;
    check(".weak .entry _ZL5localPi__intern__ef65d5958420cdcf(", ".weak .entry _ZL5localPi(");
    check("_ZL1x__static__0123456789abcdef_param_0", "_ZL1x_param_0");
    check(".asciz \"_ZL1x.static.0123456789abcdef\"", ".asciz \"_ZL1x\"");
    check("_ZL4tellPf__intern__123456789abcdef(", "_ZL4tellPf("); /* a leading zero is not written */
}

static void other_names_stay(void **state)
{
    (void)state;
    check("a__static__b __static__ x__intern__12 ld.static.u32 _", "a__static__b __static__ x__intern__12 ld.static.u32 _");
    check("x__static__0123456789abcdef0", "x__static__0123456789abcdef0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_registration_is_ours),
        cmocka_unit_test(statics_keep_their_plain_names),
        cmocka_unit_test(other_names_stay),
    };
    return cmocka_run_group_tests_name("linked names", tests, NULL, NULL);
}
