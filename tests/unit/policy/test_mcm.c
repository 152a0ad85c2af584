/* The policies of paper 002's chapter 5 by themselves: who gets which CTA, and which warp goes next. 15 SMs in three modules. */
#include "fake_machine.h"

static void a_module_gets_neighbouring_ctas_and_no_others(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "cta-distributed", NULL);
    struct policy_hooks *h = &b.instance->hooks;
    const struct policy_kernel k = { .name = "k", .cta_count = 70 };
    hooks_kernel_start(h, &k);
    uint64_t waiting[2] = { UINT64_MAX, 0x3f };
    /* 70 * m / 3: 0 to 22, 23 to 45, 46 to 69. */
    static const uint32_t first[4] = { 0, 23, 46, 70 };
    for (uint32_t turn = 0; turn < 24; turn++)
        for (uint32_t m = 0; m < 3; m++) {
            const uint32_t sm = 5 * m + turn % 5, cta = h->cta.call.choose(h->cta.self, sm, waiting, 70);
            const uint32_t expected = first[m] + turn < first[m + 1] ? first[m] + turn : NO_CTA;
            assert_int_equal(cta, expected);
            if (cta != NO_CTA)
                waiting[cta / 64] &= ~(1ull << cta % 64);
        }
    assert_int_equal(waiting[0] | waiting[1], 0);
    waiting[0] = UINT64_MAX; /* another launch: the same groups */
    waiting[1] = 0x3f;
    hooks_kernel_start(h, &k);
    assert_int_equal(h->cta.call.choose(h->cta.self, 14, waiting, 70), 46);
    unbind_policies(&b);
}

static void greedy_then_the_next_in_turn(void **state)
{
    (void)state;
    struct bound b;
    struct fake_view f;
    bind_policies(&b, "gtrr", NULL);
    fake_view_fill(&f, 0, 64, 0);
    const struct policy_hooks *h = &b.instance->hooks;
    assert_int_equal(h->order.call.pick(h->order.self, &f.view, 0, 0x15), 0);
    h->order.call.issued(h->order.self, &f.view, 0, 4);
    assert_int_equal(h->order.call.pick(h->order.self, &f.view, 0, 0x55), 4); /* greedy */
    assert_int_equal(h->order.call.pick(h->order.self, &f.view, 0, 0x45), 6); /* it stalls: the one after it */
    assert_int_equal(h->order.call.pick(h->order.self, &f.view, 0, 0x05), 0); /* round the end */
    h->order.call.issued(h->order.self, &f.view, 0, 62);
    assert_int_equal(h->order.call.pick(h->order.self, &f.view, 0, 0x05), 0);
    unbind_policies(&b);
}

static void a_page_is_its_toucher_s_or_its_number_s(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "first-touch", NULL);
    const struct policy_hooks *h = &b.instance->hooks;
    for (uint32_t m = 0; m < 3; m++)
        assert_int_equal(h->page.call.owner(h->page.self, 77, m), m);
    unbind_policies(&b);
    bind_policies(&b, "page-round-robin", NULL);
    h = &b.instance->hooks;
    for (uint32_t page = 0; page < 9; page++)
        assert_int_equal(h->page.call.owner(h->page.self, page, 2), page % 3);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_module_gets_neighbouring_ctas_and_no_others),
                                        cmocka_unit_test(greedy_then_the_next_in_turn),
                                        cmocka_unit_test(a_page_is_its_toucher_s_or_its_number_s) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
