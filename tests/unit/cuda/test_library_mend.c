/* CUB's header as clang gets it: the policy is chosen when compiling, and what is not known stays. */
#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/library_mend.h"

static void the_compiler_chooses(void **state)
{
    (void)state;
    char *got =
        library_mend_policies("a\n  if (ptx_version < PTX_VERSION) {\n    return PrevPolicyT::Invoke(ptx_version, op);\n  }\n"
                              "  return op.template Invoke<PolicyT>();\n");
    assert_non_null(got);
    assert_non_null(strstr(
        got, "if constexpr (__CUDA_ARCH_LIST__ < PTX_VERSION) {\n    return PrevPolicyT::Invoke(ptx_version, op);\n  } else "));
    assert_non_null(strstr(got, "\n  return op.template Invoke<PolicyT>();\n"));
    assert_memory_equal(got, "a\n  ", 4);
    free(got);
}

static void another_version_stays(void **state)
{
    (void)state;
    static const char *const others[] = {
        "", "if (ptx_version < PTX_VERSION)", "if (ptx_version < PTX_VERSION) { return 1; } return 2;",
        "if (ptx_version < PTX_VERSION) { return PrevPolicyT::Invoke(ptx_version, op);",
        "if (ptx_version < PTX_VERSION) { return PrevPolicyT::Invoke(ptx_version, op); } more();"
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(library_mend_policies(others[i]));
}

static void vectors_get_lists(void **state)
{
    (void)state;
    char *got = library_mend_lists(
        "class device_vector;\n  class device_vector\n    : public B<T,Alloc>\n  {\n  private:\n  public:\n    int a;\n  };\n");
    assert_non_null(got);
    assert_non_null(strstr(got, "public: device_vector(::std::initializer_list<T> l) : Parent(l.begin(), l.end()) {}"));
    assert_non_null(strstr(got, "return *this; }\n    int a;"));
    free(got);
    assert_null(library_mend_lists("  class device_vector\n { public: device_vector(std::initializer_list<T> l); };"));
    assert_null(library_mend_lists("  class device_vector\n;"));
    assert_null(library_mend_lists("class vector\n { public: };"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_compiler_chooses), cmocka_unit_test(another_version_stays),
                                        cmocka_unit_test(vectors_get_lists) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
