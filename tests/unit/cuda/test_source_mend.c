/* Sources as clang wants them: what is moved, and what stays. */
#include "../cmocka_all.h"

#include <stdlib.h>

#include "cuda/source_mend.h"

static void expect(const char *text, const char *mended)
{
    char *got = source_mend_text(text);
    if (mended)
        assert_string_equal(got, mended);
    else
        assert_null(got);
    free(got);
}

static void alignas_goes_before_the_declaration(void **state)
{
    (void)state;
    expect("a; __shared__ alignas(16) float x[4];", "a; alignas(16) __shared__  float x[4];");
    expect("{ extern __shared__ alignas(128) char s[]; }", "{ alignas(128) extern __shared__  char s[]; }");
    expect("static __device__ alignas(sizeof(int) * (2)) int v;", "alignas(sizeof(int) * (2)) static __device__  int v;");
    expect("__shared__ alignas (T) int a; __shared__ alignas(U) int b;",
           "alignas (T) __shared__  int a; alignas(U) __shared__  int b;");
}

static void lines_keep_their_numbers(void **state)
{
    (void)state;
    expect("__shared__\n  alignas(16)\nint x;", "alignas(16) __shared__\n  \nint x;");
}

static void what_clang_takes_stays(void **state)
{
    (void)state;
    expect("", NULL);
    expect("alignas(16) __shared__ int x; struct alignas(8) s {}; static alignas(4) int y;", NULL);
    expect("my__shared__ alignas(16) int x; __shared__ my_alignas(16) y; __shared__ alignas", NULL);
    expect("__shared__ alignas(16", NULL);
}

static void special_registers_get_a_second_percent_sign(void **state)
{
    (void)state;
    expect("asm(\"mov.u32 %0, %smid;\" : \"=r\"(x));", "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x));");
    expect("asm volatile (\"mov.u64 %0, %globaltimer;\");", "asm volatile (\"mov.u64 %0, %%globaltimer;\");");
    expect("__asm__ __volatile__(\"mov.u32 %0, %tid.x;\");", "__asm__ __volatile__(\"mov.u32 %0, %%tid.x;\");");
    expect("asm(\"mov.u32 %0, %%smid; add.u32 %1, %0, 1;\"); f(\"%smid\"); plasma(\"%clock\");", NULL);
}

static void the_brackets_of_a_launch_come_together(void **state)
{
    (void)state;
    expect("k << < a, b >> >(c);", "k <<< a, b >>>(c);");
    expect("k < < < a\n>\n>> (c);", "k <<< a\n>>>\n (c);");
    expect("std::cout << x; f<g<h> >(1); a = b >> 2; s = \"<< <\"; // << <\n", NULL);
    expect("t<u<v<w> > > x;", NULL);
}

static void operands_get_their_commas(void **state)
{
    (void)state;
    expect("asm volatile(\"st [%1], %0;\" ::\"r\"(v(1)) \"l\"(p) : \"memory\");",
           "asm volatile(\"st [%1], %0;\" ::\"r\"(v(1)), \"l\"(p) : \"memory\");");
    expect("asm(\"a (b) \" \"c\" : \"=r\"(x), \"=r\"(y) : \"r\"(z)); f(g() \"t\");", NULL);
}

static void launches_of_kernels_become_objects(void **state)
{
    (void)state;
    expect("__global__ void p() { k<<<1, n>>>(a); }", "__global__ void p() { WARPLINE_LAUNCH(1, k)(1, n)(a); }");
    expect("template <class T> __device__ void f(T t) { if (t) { q::k<T, 4>\n <<<(1 > 0), b(2), 0, s>>>(t); } }",
           "template <class T> __device__ void f(T t) { if (t) { ::warpline_launch::kernel<decltype(&q::k<T, 4>), &q::k<T, 4>>(\n "
           "(1 > 0), b(2), 0, s)(t); } }");
    /* the host's stay, before and behind device code; so do comments, literals and what macros hold */
    expect(
        "void h() { k<<<1, 1>>>(); } __global__ void p() { x = \"k<<<1, 1>>>()\"; /* k<<<1, 1>>>() */ } int g() { k<<<1, 1>>>(); }",
        NULL);
    expect("__global__ void p() {\n#define L k<<<1, 1>>>()\n}", NULL);
    expect("__global__ void p(); void h() { k<<<1, 1>>>(); }", NULL);
    expect("__device__ int t[] = { 1 }; void h() { k<<<1, 1>>>(); }", NULL);
    expect("__global__ void p() { k<<<1, 1; }", NULL);
    expect("__global__ void p() { <<<1, 1>>>; }", NULL);
}

static void called_member_templates_are_called_so(void **state)
{
    (void)state;
    expect("f() {\n  a<T, b<U>>::c<n>(\n x); }", "f() {\n  a<T, b<U>>::template c<n>(\n x); }");
    expect("x = a<T>::c<1>(y);", "x = a<T>::template c<1>(y);");
    expect("return q::a<T>::c<1>(a<T>::d<2>());", "return q::a<T>::template c<1>(a<T>::template d<2>());");
    /* what is defined, what is a type or a value, and what has the word */
    expect("template <> void a<int>::c<1>(int) {} a<T>::c<1> x; y = a<T>::b; z = a<T>::template c<1>();", NULL);
    expect("/* a<T>::c<1>() */ s = \"; a<T>::c<1>()\"; a<T>::c<1", NULL);
}

static void kernels_are_chosen_by_their_arguments(void **state)
{
    (void)state;
    expect("__device__ void p() { k<<<1, 1>>>(); k<<<1, 1>>>(f(1, 2), \"a,b\", {3, 4}); k<<<1, 1>>> (','); }",
           "__device__ void p() { WARPLINE_LAUNCH(0, k)(1, 1)(); WARPLINE_LAUNCH(3, k)(1, 1)(f(1, 2), \"a,b\", {3, 4}); "
           "WARPLINE_LAUNCH(1, k)(1, 1) (','); }");
}

#define ZEROS(name) "__builtin_memset(" #name ", 0, sizeof " #name "); "
static void arrays_of_unknown_length_get_their_values_one_by_one(void **state)
{
    (void)state;
    expect("void f() { int n = 2; float a[n] = {1, g(2, 3)}; }",
           "void f() { int n = 2; float a[n]; " ZEROS(a) "a[0] = 1;  a[1] = g(2, 3); ; }");
    expect("void f(int n) { const std::uint8_t a[2][n + 1] = {{1}, /* \n */\n{2, 3}}; }",
           "void f(int n) {  std::uint8_t a[2][n + 1]; " ZEROS(a) "a[0][0] = 1;  \n\na[1][0] = 2;  a[1][1] = 3; ; }");
    expect("void f() { const int n = *max(p, q); if (n) { int a[n] = {}; } }",
           "void f() { const int n = *max(p, q); if (n) { int a[n]; " ZEROS(a) "; } }");
    expect("void f(int n) {\n // sizes\n#if 1\n int a[n] = {1};\n#endif\n}",
           "void f(int n) {\n // sizes\n#if 1\n int a[n]; " ZEROS(a) "a[0] = 1; ;\n#endif\n}");
}

static void arrays_of_known_length_stay(void **state)
{
    (void)state;
    expect("#define n 3\nvoid f() { int a[n] = {1}; }", NULL);
    expect("void f() { const int n = 3; constexpr int m = g(1); int a[n] = {1}, b[m] = {1}; int c[m] = {1}; }", NULL);
    expect("template <int n, int m> void f() { int a[n] = {1}; int b[m] = {1}; }", NULL);
    expect("int n = 3; int a[n] = {1}; struct s { int b[n] = {1}; };", NULL);                   /* not in a function */
    expect("void f(int n) { pair a[n] = {{1, 2}}; v[n] = {1}; static int b[n] = {1}; }", NULL); /* not numbers alone */
    expect("void f(int n) { int a[2][n] = {1, 2}; int b[n] = {{1}}; int c[n] = {1", NULL);      /* braces that are not as deep */
    expect("void f() { const int n = sizeof(int); int a[n] = {1}; }", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignas_goes_before_the_declaration),
        cmocka_unit_test(called_member_templates_are_called_so),
        cmocka_unit_test(kernels_are_chosen_by_their_arguments),
        cmocka_unit_test(launches_of_kernels_become_objects),
        cmocka_unit_test(lines_keep_their_numbers),
        cmocka_unit_test(operands_get_their_commas),
        cmocka_unit_test(special_registers_get_a_second_percent_sign),
        cmocka_unit_test(the_brackets_of_a_launch_come_together),
        cmocka_unit_test(what_clang_takes_stays),
        cmocka_unit_test(arrays_of_unknown_length_get_their_values_one_by_one),
        cmocka_unit_test(arrays_of_known_length_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
