/* Pages, their modules, and addresses within them. */
#include "../cmocka_all.h"

#include "mem/address_map.h"
#include "mem/page_table.h"

static void pages_lie_one_after_another_in_their_module(void **state)
{
    (void)state;
    struct page_table *t = page_table_new(4096, 2);
    uint32_t module = 9;
    uint64_t inside = 0;
    assert_false(page_table_find(t, 0x5678, &module, &inside));
    page_table_add(t, 5, 1);
    page_table_add(t, 9, 0);
    page_table_add(t, 7, 1);
    page_table_add(t, 5, 0); /* it is there already */
    assert_true(page_table_find(t, 0x5678, &module, &inside));
    assert_int_equal(module, 1);
    assert_int_equal(inside, 0x678);
    assert_true(page_table_find(t, 0x7001, &module, &inside));
    assert_int_equal(module, 1);
    assert_int_equal(inside, 0x1001);
    assert_true(page_table_find(t, 0x9fff, &module, &inside));
    assert_int_equal(module, 0);
    assert_int_equal(inside, 0xfff);
    assert_int_equal(page_table_pages(t, 1), 2);
    for (uint64_t page = 100; page < 5000; page++) /* more than its first size */
        page_table_add(t, page, page % 2);
    for (uint64_t page = 100; page < 5000; page++) {
        assert_true(page_table_find(t, page * 4096, &module, &inside));
        assert_int_equal(module, page % 2);
    }
    assert_true(page_table_find(t, 0x5678, &module, &inside));
    page_table_free(t);
}

/* Two modules of two channels; 256 bytes go to a channel in turn. */
static void a_page_is_spread_over_the_channels_of_its_module(void **state)
{
    (void)state;
    struct address_map_config map = { 0 };
    param_defaults(address_map_params, &map);
    map.channels = 4;
    map.slices_per_channel = 1;
    map.modules = 2;
    struct page_table *t = page_table_new(4096, 2);
    page_table_add(t, 3, 0);
    page_table_add(t, 8, 1);
    page_table_add(t, 2, 1);
    map.pages = t;
    for (uint64_t at = 0; at < 4096; at += 32) {
        assert_int_equal(address_map_slice(&map, 8 * 4096 + at), 2 + at / 256 % 2);
        assert_int_equal(address_map_slice(&map, 3 * 4096 + at), at / 256 % 2);
        /* The second page of its module: 2048 bytes of each channel belong to the first. */
        assert_int_equal(address_map_in_channel(&map, 2 * 4096 + at), 2048 + at / 512 * 256 + at % 256);
        assert_int_equal(address_map_slice(&map, 20 * 4096 + at), at / 256 % 2 * 2 + at / 512 % 2); /* nobody's: as without pages */
    }
    page_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pages_lie_one_after_another_in_their_module),
                                        cmocka_unit_test(a_page_is_spread_over_the_channels_of_its_module) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
