/* test_fatbin.c - PTX inside the containers that compilers make, and damaged containers. */
#include "../cmocka_all.h"
#include "crafted.h"
#include "run/fatbin.h"

static const char old_text[] = ".version 6.0\n.target sm_50\n.address_size 64\n";
static const char new_text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n// a longer one, so that there is something to pack pack pack pack\n";

static void reads_each_packing(void **state)
{
    (void)state;
    for (int packing = CRAFTED_PLAIN; packing <= CRAFTED_ZSTD; packing++) {
        struct crafted c;
        struct fatbin_ptx ptx;
        struct error err;
        crafted_begin(&c);
        crafted_add(&c, 1, 75, new_text, (enum crafted_packing)packing);
        assert_int_equal(fatbin_size(c.bytes), c.size);
        assert_true(fatbin_read(c.bytes, c.size, &ptx, &err));
        assert_string_equal(ptx.text, new_text);
        assert_int_equal(ptx.length, strlen(new_text));
        assert_int_equal(ptx.architecture, 75);
        free(ptx.text);
    }
}

static void takes_the_newest_architecture(void **state)
{
    (void)state;
    struct crafted c;
    struct fatbin_ptx ptx;
    struct error err;
    crafted_begin(&c);
    crafted_add(&c, 2, 90, "machine code", CRAFTED_PLAIN);
    crafted_add(&c, 1, 50, old_text, CRAFTED_PLAIN);
    crafted_add(&c, 1, 75, new_text, CRAFTED_ZSTD);
    crafted_add(&c, 1, 60, old_text, CRAFTED_LZ4);
    assert_true(fatbin_read(c.bytes, c.size, &ptx, &err));
    assert_string_equal(ptx.text, new_text);
    assert_int_equal(ptx.entries, 4);
    assert_int_equal(ptx.machine_code_entries, 1);
    free(ptx.text);
}

static void says_when_there_is_no_ptx(void **state)
{
    (void)state;
    struct crafted c;
    struct fatbin_ptx ptx;
    struct error err;
    crafted_begin(&c);
    assert_true(fatbin_read(c.bytes, c.size, &ptx, &err)); /* empty, as in device-linked programs */
    assert_null(ptx.text);
    assert_int_equal(ptx.entries, 0);
    crafted_add(&c, 2, 75, "machine code", CRAFTED_PLAIN);
    assert_true(fatbin_read(c.bytes, c.size, &ptx, &err));
    assert_null(ptx.text);
    assert_int_equal(ptx.machine_code_entries, 1);
}

static void takes_plain_text_of_clang(void **state)
{
    (void)state;
    struct fatbin_ptx ptx;
    struct error err;
    assert_int_equal(fatbin_size(old_text), strlen(old_text));
    assert_true(fatbin_read(old_text, sizeof old_text, &ptx, &err));
    assert_string_equal(ptx.text, old_text);
    free(ptx.text);
    assert_false(fatbin_read("not PTX at all", 14, &ptx, &err));
    assert_false(fatbin_read("", 0, &ptx, &err));
}

/* Every truncation and every single damaged byte of the headers is read or refused, never overrun (ASan builds watch). */
static void survives_damage(void **state)
{
    (void)state;
    struct crafted c;
    struct fatbin_ptx ptx;
    struct error err;
    crafted_begin(&c);
    crafted_add(&c, 1, 75, new_text, CRAFTED_ZSTD);
    crafted_add(&c, 1, 50, old_text, CRAFTED_LZ4);
    for (size_t size = 0; size < c.size; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        memcpy(copy, c.bytes, size);
        assert_false(fatbin_read(copy, size, &ptx, &err));
        assert_null(ptx.text);
        free(copy);
    }
    for (size_t at = 4; at < 96; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t *copy = malloc(c.size);
            memcpy(copy, c.bytes, c.size);
            copy[at] ^= (uint8_t)(1u << bit);
            if (fatbin_read(copy, c.size, &ptx, &err))
                free(ptx.text);
            free(copy);
        }
}

static void refuses_unknown_packing(void **state)
{
    (void)state;
    struct crafted c;
    struct fatbin_ptx ptx;
    struct error err;
    crafted_begin(&c);
    crafted_add(&c, 1, 75, new_text, CRAFTED_ZSTD);
    crafted_put(&c, 16 + 0x28, 0x11, 8);
    assert_false(fatbin_read(c.bytes, c.size, &ptx, &err));
    assert_non_null(strstr(err.text, "-compress=false"));
    crafted_put(&c, 16 + 0x28, 0x8011, 8);
    crafted_put(&c, 16 + 0x38, UINT64_MAX, 8);
    assert_false(fatbin_read(c.bytes, c.size, &ptx, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_packing),        cmocka_unit_test(takes_the_newest_architecture),
        cmocka_unit_test(says_when_there_is_no_ptx), cmocka_unit_test(takes_plain_text_of_clang),
        cmocka_unit_test(survives_damage),           cmocka_unit_test(refuses_unknown_packing)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
