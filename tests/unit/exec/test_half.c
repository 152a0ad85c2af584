/* f16 and bf16 against exact arithmetic: integers of 128 bits that count units of 2^-60. */
#include "../cmocka_all.h"

#include <stdint.h>

#include "exec/half_math.h"
#include "exec/scalar.h"

__extension__ typedef __int128 exact;
enum { UNIT = 60 };

/* A finite value in units. */
static exact units_of(float value)
{
    int exponent;
    const float fraction = frexpf(value, &exponent);
    const exact mantissa = (exact)(fraction * 0x1p24f);
    const int shift = exponent - 24 + UNIT;
    assert_true(shift < 100);
    return shift >= 0 ? mantissa * ((exact)1 << shift) : mantissa / ((exact)1 << -shift);
}

/* The format's value nearest to an exact one: among `from` and its neighbours, by distance, then by an even last bit. */
static uint16_t nearest(exact value, uint16_t from, float (*widen)(uint16_t))
{
    uint16_t best = from;
    for (int step = -2; step <= 2; step++) {
        const uint16_t candidate = (uint16_t)(from + step);
        const float f = widen(candidate);
        if ((candidate ^ from) & 0x8000 || f - f != 0)
            continue;
        const exact near = units_of(widen(best)) - value, here = units_of(f) - value;
        const exact old = near < 0 ? -near : near, new = here < 0 ? -here : here;
        if (new < old || (new == old && (candidate & 1) == 0 && (best & 1)))
            best = candidate;
    }
    return best;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* The exponents are drawn so that products and addends meet, cancel, and end far below each other's last bit. */
static uint16_t draw(uint64_t *state, bool is_bf16)
{
    const uint32_t bits = next_random(state);
    if (is_bf16)
        return (uint16_t)((bits & 0x8000) | (127u - 18 + bits % 40) << 7 | (bits >> 20 & 0x7f));
    return (uint16_t)(bits & 0x8000 ? 0xfbff & bits : 0x7bff & bits);
}

static void check_fma(uint16_t a, uint16_t b, uint16_t c, bool is_bf16)
{
    float (*widen)(uint16_t) = is_bf16 ? bf16_to_float : half_to_float;
    const float fa = widen(a), fb = widen(b), fc = widen(c);
    if (fa - fa != 0 || fb - fb != 0 || fc - fc != 0)
        return;
    const uint16_t got = (uint16_t)(is_bf16 ? fma_bf16(a, b, c) : fma_f16(a, b, c));
    if (widen(got) - widen(got) != 0)
        return; /* overflow */
    /* the product's units are counted from its factors' mantissas, so that nothing is lost */
    int ea, eb;
    const exact ma = (exact)(frexpf(fa, &ea) * 0x1p11f), mb = (exact)(frexpf(fb, &eb) * 0x1p11f);
    const int shift = ea + eb - 22 + UNIT;
    if (shift < 0)
        return;
    const exact sum = ma * mb * ((exact)1 << shift) + units_of(fc);
    if (sum == 0)
        assert_int_equal(got & 0x7fff, 0);
    else
        assert_int_equal(got, nearest(sum, got, widen));
}

static void a_fused_product_and_sum_is_rounded_once(void **state)
{
    (void)state;
    uint64_t random = 7;
    assert_int_equal(fma_bf16(0x3f81, 0x3fc0, 0xa180), 0x3fc1); /* 1.0078125 * 1.5 is a tie; -2^-60 decides it */
    assert_int_equal(fma_bf16(0x3f81, 0x3fc0, 0x2180), 0x3fc2);
    assert_int_equal(fma_bf16x2(0x3f813f81, 0x3fc03fc0, 0xa1802180), 0x3fc13fc2);
    for (int i = 0; i < 400000; i++)
        check_fma(draw(&random, i & 1), draw(&random, i & 1), draw(&random, i & 1), i & 1);
    /* every tie of a product, with the smallest addends of both signs */
    for (uint32_t m = 0x80; m < 0x100; m++)
        for (uint32_t n = 0x80; n < 0x100; n++)
            for (uint32_t s = 0; s < 2; s++)
                check_fma((uint16_t)(0x3f80 + (m & 0x7f)), (uint16_t)(0x3f80 + (n & 0x7f)), (uint16_t)(s << 15 | 97u << 7), true);
}

static void sums_products_and_conversions_are_those_of_double(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        assert_int_equal(bits_of(float_of_f16(bits)), bits_of(half_to_float((uint16_t)bits)));
        const bool is_nan = (bits & 0x7fff) > 0x7c00;
        assert_int_equal(f16_of_float(float_of_f16(bits)), is_nan ? 0x7fff : bits);
    }
    for (int i = 0; i < 400000; i++) {
        const uint32_t word = next_random(&random) << 1 ^ next_random(&random), other = next_random(&random);
        const uint16_t a = (uint16_t)word, b = (uint16_t)other;
        const double ha = (double)half_to_float(a), hb = (double)half_to_float(b), ba = (double)bf16_to_float(a),
                     bb = (double)bf16_to_float(b);
        assert_int_equal(add_f16(a, b), half_from_double(ha + hb, ROUND_RN));
        assert_int_equal(sub_f16(a, b), half_from_double(ha - hb, ROUND_RN));
        assert_int_equal(mul_f16(a, b), half_from_double(ha * hb, ROUND_RN));
        assert_int_equal(mul_bf16(a, b), bf16_from_double(ba * bb, ROUND_RN));
        assert_int_equal(f16_of_float(float_of(word)), half_from_double((double)float_of(word), ROUND_RN));
        assert_int_equal(bf16_of_float(float_of(word)), bf16_from_double((double)float_of(word), ROUND_RN));
    }
}

/* Of all numbers of eight bits the nearest, and of two equally near the one with an even last bit; what is larger than the largest
 * becomes that. */
static uint8_t nearest_eighth(double value, bool is_e5m2)
{
    const uint8_t most = is_e5m2 ? 0x7b : 0x7e, sign = signbit(value) ? 0x80 : 0;
    uint8_t best = 0;
    for (uint8_t bits = 0; bits <= most; bits++) {
        const double here = fabs((double)eighth_to_float(bits, is_e5m2) - fabs(value)),
                     least = fabs((double)eighth_to_float(best, is_e5m2) - fabs(value));
        if (here < least || (here == least && !(bits & 1)))
            best = bits;
    }
    return sign | best;
}

static void numbers_of_eight_bits_are_the_nearest(void **state)
{
    (void)state;
    uint64_t random = 3;
    static const struct {
        uint8_t bits;
        float e4m3, e5m2;
    } known[] = { { 0x00, 0, 0 },
                  { 0x01, 0x1p-9f, 0x1p-16f },
                  { 0x07, 7 * 0x1p-9f, 0x1.cp-14f },
                  { 0x38, 1, 0.5f },
                  { 0xc0, -2, -2 },
                  { 0x7e, 448, 0 /* a NaN */ },
                  { 0x7b, 352, 57344 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(eighth_to_float(known[i].bits, false) == known[i].e4m3);
        assert_true(known[i].bits == 0x7e || eighth_to_float(known[i].bits, true) == known[i].e5m2);
    }
    for (int e = 0; e < 2; e++) {
        for (uint32_t bits = 0; bits < 0x100; bits++) {
            const float value = eighth_to_float((uint8_t)bits, e);
            if (value == value && value - value == 0)
                assert_int_equal(eighth_from_double((double)value, e), bits);
        }
        for (int i = 0; i < 20000; i++) {
            const uint32_t word = next_random(&random);
            const double value = ldexp(1 + (word >> 8 & 0xffff) / 65536.0, (int)(word & 31) - 20) * (word & 32 ? -1 : 1);
            assert_int_equal(eighth_from_double(value, e), nearest_eighth(value, e));
            const double middle = ((double)eighth_to_float(word & 0x6f, e) + (double)eighth_to_float((word & 0x6f) + 1, e)) / 2;
            assert_int_equal(eighth_from_double(middle, e), nearest_eighth(middle, e));
        }
        assert_int_equal(eighth_from_double(NAN, e), 0x7f);
        assert_int_equal(eighth_from_double(-INFINITY, e), e ? 0xfb : 0xfe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fused_product_and_sum_is_rounded_once),
        cmocka_unit_test(sums_products_and_conversions_are_those_of_double),
        cmocka_unit_test(numbers_of_eight_bits_are_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
