/* Tokens: numbers in every notation, names, words, strings, comments, and what is refused. */
#include "ptx_text.h"

#include "ptx/lexer.h"

static struct token first_token(const char *text)
{
    struct lexer lexer;
    struct token token;
    lexer_start(&lexer, text, strlen(text));
    lexer_next(&lexer, &token);
    return token;
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
        bool is_unsigned;
    } cases[] = { { "0", 0, false },
                  { "42", 42, false },
                  { "42U", 42, true },
                  { "0x1F", 31, false },
                  { "0XffU", 255, true },
                  { "017", 15, false },
                  { "0b101", 5, false },
                  { "18446744073709551615", UINT64_MAX, false },
                  { "0xffffffffffffffff", UINT64_MAX, false } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct token t = first_token(cases[i].text);
        assert_int_equal(t.kind, TOKEN_INTEGER);
        assert_int_equal(t.value, cases[i].value);
        assert_int_equal(t.is_unsigned, cases[i].is_unsigned);
    }
}

static void test_floats(void **state)
{
    (void)state;
    struct token t = first_token("0f3F800000");
    assert_int_equal(t.kind, TOKEN_F32);
    assert_int_equal(t.value, 0x3F800000);
    t = first_token("0d3FF0000000000000");
    assert_int_equal(t.kind, TOKEN_F64);
    assert_int_equal(t.value, 0x3FF0000000000000);
    static const struct {
        const char *text;
        double value;
    } decimal[] = { { "1.5", 1.5 }, { "2.", 2.0 }, { "1e3", 1000.0 }, { "1.25e-2", 0.0125 }, { "3E+2", 300.0 } };
    for (size_t i = 0; i < sizeof decimal / sizeof *decimal; i++) {
        double value;
        t = first_token(decimal[i].text);
        assert_int_equal(t.kind, TOKEN_F64);
        memcpy(&value, &t.value, sizeof value);
        assert_true(value == decimal[i].value);
    }
}

static void test_bad_literals(void **state)
{
    (void)state;
    static const char *const texts[] = { "0f3F80",  "0d3FF0", "0f3F80000G", "99999999999999999999", "12z", "08", "0x", "\"open",
                                         "/* open", "\x01",   ". " };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct token t = first_token(texts[i]);
        assert_int_equal(t.kind, TOKEN_BAD);
        assert_non_null(t.problem);
    }
}

static void test_names_and_words(void **state)
{
    (void)state;
    struct token t = first_token("%rd12.x");
    assert_int_equal(t.kind, TOKEN_NAME);
    assert_true(token_is_word(&t, "%rd12"));
    t = first_token("$L__BB0_2:");
    assert_true(token_is_word(&t, "$L__BB0_2"));
    t = first_token(".L2::128B.u32");
    assert_int_equal(t.kind, TOKEN_DOT_WORD);
    assert_true(token_is_word(&t, "L2::128B"));
    t = first_token("\"a \\\" b\"");
    assert_int_equal(t.kind, TOKEN_STRING);
    assert_true(token_is_word(&t, "a \\\" b"));
    t = first_token("% 3");
    assert_int_equal(t.kind, TOKEN_PUNCTUATION);
}

static void test_positions(void **state)
{
    (void)state;
    struct token t = first_token("// a\n/* b\n c */  \tx");
    assert_int_equal(t.line, 3);
    assert_int_equal(t.column, 9);
    assert_true(token_is_word(&t, "x"));
}

static void test_opcode_text(void **state)
{
    (void)state;
    const char *text = "ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1}";
    struct lexer lexer;
    struct token token;
    lexer_start(&lexer, text, strlen(text));
    lexer_next(&lexer, &token);
    lexer_extend_opcode(&lexer, &token);
    assert_true(token_is_word(&token, "ld.global.nc.L1::no_allocate.L2::128B.v4.f32"));
    lexer_next(&lexer, &token);
    assert_int_equal(token.punctuation, '{');
}

static void test_trailing_nuls_are_not_text(void **state)
{
    (void)state;
    struct lexer lexer;
    struct token token;
    lexer_start(&lexer, "x\0\0\0", 4);
    lexer_next(&lexer, &token);
    assert_int_equal(token.kind, TOKEN_NAME);
    lexer_next(&lexer, &token);
    assert_int_equal(token.kind, TOKEN_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_bad_literals),
        cmocka_unit_test(test_names_and_words),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_opcode_text),
        cmocka_unit_test(test_trailing_nuls_are_not_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
