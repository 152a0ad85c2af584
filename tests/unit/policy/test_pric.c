/* The papers' worked examples of the polynomial index, entry by entry. */
#include "fake_machine.h"

#include <string.h>

#include "policy/polynomial.h"

/* Figure 5(b): 64 addresses over 8 sets; row r, column c is the address in the r-th line of set c. */
static const uint8_t figure_5b[8][8] = {
    { 0, 4, 2, 6, 1, 5, 3, 7 },         { 13, 9, 15, 11, 12, 8, 14, 10 },   { 23, 19, 21, 17, 22, 18, 20, 16 },
    { 26, 30, 24, 28, 27, 31, 25, 29 }, { 35, 39, 33, 37, 34, 38, 32, 36 }, { 46, 42, 44, 40, 47, 43, 45, 41 },
    { 52, 48, 54, 50, 53, 49, 55, 51 }, { 57, 61, 59, 63, 56, 60, 58, 62 },
};

/* The figure's columns are the remainder modulo x^3 + x^2 + 1 with its bits in reverse order. */
static void figure_5b_is_the_remainder_modulo_13(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 8; row++)
        for (uint32_t set = 0; set < 8; set++) {
            const uint32_t r = polynomial_remainder(figure_5b[row][set], 13);
            const uint32_t reversed = (r & 1) << 2 | (r & 2) | r >> 2;
            assert_int_equal(reversed, set);
        }
}

/* Figure 7: for each bit of the index, the address bits that are added up. */
static const uint8_t figure_7[5][11] = {
    { 25, 24, 23, 22, 21, 18, 17, 15, 12, 7, 0 }, { 26, 25, 24, 23, 22, 19, 18, 16, 13, 8, 0 },
    { 26, 22, 21, 20, 19, 18, 15, 14, 12, 9, 0 }, { 23, 22, 21, 20, 19, 16, 15, 13, 10, 0, 0 },
    { 24, 23, 22, 21, 20, 17, 16, 14, 11, 0, 0 },
};

static uint32_t figure_7_index(uint64_t address)
{
    uint32_t index = 0;
    for (uint32_t bit = 0; bit < 5; bit++)
        for (const uint8_t *a = figure_7[bit]; *a; a++)
            index ^= (uint32_t)(address >> *a & 1) << bit;
    return index;
}

static uint32_t index_of(const struct bound *b, uint32_t level, uint64_t address)
{
    const struct cache_hooks *h = &b->instance->hooks.cache[level];
    const struct policy_access a = fake_load(level, 0, address, 32);
    return h->set_index.call(h->set_index.self, &a);
}

/* Every address bit alone (the index is linear), and many addresses to be sure of that. */
static void figure_7_is_the_index_of_32_sets(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pric", (const char *const[]){ "policy.pric.polynomial_l1=37", NULL });
    for (uint32_t bit = 0; bit < 27; bit++)
        assert_int_equal(index_of(&b, LEVEL_L1, 1ull << bit), figure_7_index(1ull << bit));
    uint64_t address = 1;
    for (uint32_t i = 0; i < 100000; i++) {
        address = address * 6364136223846793005u + 1442695040888963407u;
        assert_int_equal(index_of(&b, LEVEL_L1, address >> 37), figure_7_index(address >> 37));
    }
    unbind_policies(&b);
}

/* Above bit 26 the figure stops, the remainder goes on. */
static void all_address_bits_count(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pric", NULL);
    for (uint32_t bit = 7; bit < 64; bit++) {
        assert_int_not_equal(index_of(&b, LEVEL_L1, 1ull << bit), 0);
        assert_int_equal(index_of(&b, LEVEL_L1, 1ull << bit), polynomial_remainder(1ull << (bit - 7), 37));
    }
    unbind_policies(&b);
}

/* The paper lists the irreducible polynomials of degree 5; 37 is the smallest, so it is the default. */
static void irreducible_polynomials_of_degree_5(void **state)
{
    (void)state;
    static const uint32_t known[] = { 37, 41, 47, 55, 59, 61 };
    uint32_t found = 0;
    for (uint32_t p = 32; p < 64; p++)
        if (polynomial_is_irreducible(p))
            assert_int_equal(p, known[found++]);
    assert_int_equal(found, 6);
    assert_int_equal(polynomial_first_irreducible(5), 37);
    /* How many there are of each degree: 2, 1, 2, 3, 6, 9, 18, 30 (Gauss's formula). */
    static const uint32_t counts[] = { 2, 1, 2, 3, 6, 9, 18, 30 };
    for (uint32_t degree = 1; degree <= 8; degree++) {
        uint32_t count = 0;
        for (uint32_t p = 1u << degree; p < 2u << degree; p++)
            count += polynomial_is_irreducible(p);
        assert_int_equal(count, counts[degree - 1]);
    }
}

/* 32 rows, 32 lines apart, from an address aligned to 128 KiB: one set under the linear index, each its own under pric. */
static void a_row_stride_of_32_lines_uses_all_sets(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pric", NULL);
    uint32_t linear = 0, polynomial = 0;
    for (uint64_t row = 0; row < 32; row++) {
        const uint64_t address = 0x40000000 + row * 32 * 128;
        linear |= 1u << (address / 128 % 32);
        polynomial |= 1u << index_of(&b, LEVEL_L1, address);
    }
    assert_int_equal(linear, 1);
    assert_int_equal(polynomial, UINT32_MAX);
    unbind_policies(&b);
}

static void the_l2_has_its_own_polynomial(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pric", (const char *const[]){ "policy.pric.at=both", "policy.pric.polynomial_l2=91", NULL });
    for (uint64_t line = 0; line < 4096; line++) {
        assert_int_equal(index_of(&b, LEVEL_L2, line * 128), polynomial_remainder(line, 91));
        assert_int_equal(index_of(&b, LEVEL_L1, line * 128), polynomial_remainder(line, 37));
    }
    unbind_policies(&b);
}

/* A = V P + R: the bits above the index, which a linear index keeps as the tag, and the set are enough to know a line again. */
static void tags_need_no_more_bits_than_those_of_a_linear_index(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pric", NULL);
    for (uint64_t tag = 0; tag < 2048; tag++) {
        uint32_t sets = 0;
        for (uint64_t low = 0; low < 32; low++)
            sets |= 1u << index_of(&b, LEVEL_L1, (tag * 977 * 32 + low) * 128);
        assert_int_equal(sets, UINT32_MAX); /* 32 lines with one tag: each has a set of its own */
    }
    assert_null(b.instance->self[0].policy->hardware);
    unbind_policies(&b);
}

struct refusal {
    const char *assignment, *sentence;
};

static void bad_polynomials_are_refused(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        { "policy.pric.polynomial_l1=33",
          "policy 'pric': polynomial 33 is reducible: it would leave sets unevenly used (for example 37 is irreducible)" },
        { "policy.pric.polynomial_l1=11",
          "policy 'pric': polynomial 11 has degree 3, but the 32 sets of the L1 need degree 5 (for example 37)" },
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct error err = { 0 };
        struct policy_set *set = policy_set_new(NULL, "pric", &err);
        struct param_space *space = param_space_new();
        policy_set_add_params(set, space);
        assert_true(param_set_assignment(space, refusals[i].assignment, "test", &err));
        const struct policy_geometry g = fake_geometry();
        assert_null(policy_set_bind(set, &g, NULL, &err));
        assert_string_equal(err.text, refusals[i].sentence);
        assert_int_equal(err.code, CODE_INPUT);
        param_space_free(space);
        policy_set_free(set);
    }
}

static void sets_that_are_no_power_of_two_are_refused(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, "pric", &err);
    struct policy_geometry g = fake_geometry();
    g.cache[LEVEL_L1].sets = 48;
    assert_null(policy_set_bind(set, &g, NULL, &err));
    assert_string_equal(err.text, "policy 'pric': the L1 has 48 sets; a polynomial index needs a power of two, at least 2");
    policy_set_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_5b_is_the_remainder_modulo_13),
        cmocka_unit_test(figure_7_is_the_index_of_32_sets),
        cmocka_unit_test(all_address_bits_count),
        cmocka_unit_test(irreducible_polynomials_of_degree_5),
        cmocka_unit_test(a_row_stride_of_32_lines_uses_all_sets),
        cmocka_unit_test(the_l2_has_its_own_polynomial),
        cmocka_unit_test(tags_need_no_more_bits_than_those_of_a_linear_index),
        cmocka_unit_test(bad_polynomials_are_refused),
        cmocka_unit_test(sets_that_are_no_power_of_two_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
