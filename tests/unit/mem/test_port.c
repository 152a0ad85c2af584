/* A port tells both its ends what they wait for; an outlet knows the room behind it; a list of sleepers says who is to be visited.
 */
#include "../cmocka_all.h"

#include "mem/network.h"
#include "mem/port.h"
#include "mem/sleepers.h"

static void both_ends_are_woken(void **state)
{
    (void)state;
    struct request r[3] = { { 0 } };
    struct port p;
    uint64_t filled = 0, crowded = 0, reader[2] = { 0 }, writer = 0;
    port_init(&p, 2);
    p.filled = waker_of(&filled, 3);
    p.crowded = waker_of(&crowded, 4);
    p.reader = waker_of(reader, 69);
    p.writer = waker_of(&writer, 0);
    port_push(&p, &r[0]);
    assert_int_equal(filled, 8);
    assert_int_equal(reader[1], 32);
    assert_int_equal(crowded, 0);
    reader[1] = 0;
    port_push(&p, &r[1]);
    assert_true(port_full(&p));
    assert_int_equal(crowded, 16);
    assert_int_equal(reader[1], 32); /* at each push */
    assert_ptr_equal(port_pop(&p), &r[0]);
    assert_int_equal(crowded, 0);
    assert_int_equal(writer, 1);
    assert_int_equal(filled, 8); /* there is still one */
    writer = 0;
    assert_ptr_equal(port_pop(&p), &r[1]);
    assert_int_equal(writer, 0); /* there was room already */
    assert_int_equal(filled, 0);
    assert_null(port_pop(&p));
    port_clear(&p);
}

static void a_port_without_bits_tells_nobody(void **state)
{
    (void)state;
    struct request r = { 0 };
    struct port p;
    port_init(&p, 1);
    port_push(&p, &r);
    assert_ptr_equal(port_pop(&p), &r);
    assert_int_equal(p.nobody, 0);
    port_clear(&p);
}

/* Packets of 8 bytes are a flit, of 136 four. */
static struct network *network_behind(struct outlet *out, uint32_t injection_flits)
{
    const struct net_config config = { .flit_bytes = 40,
                                       .injection_flits = injection_flits,
                                       .input_flits = 1,
                                       .ejection_flits = 8,
                                       .boundary_flits = 8,
                                       .speedup = 1 };
    struct network *n = network_new(&config, 1, 1);
    network_open_outlet(n, 0, out);
    return n;
}

static void an_outlet_counts_the_flits_behind_it(void **state)
{
    (void)state;
    struct request read = { .bytes = 128 }, write = { .bytes = 128, .write = true }, more = { .bytes = 32 };
    struct outlet out = { 0 };
    struct network *n = network_behind(&out, 5);
    outlet_push(&out, &write);
    assert_true(outlet_takes(&out, &read));
    outlet_push(&out, &read);
    assert_false(outlet_takes(&out, &more)); /* five flits in the port, none behind it */
    for (struct request *r; (r = outlet_pop(&out));)
        network_push(n, 0, 0, r, 0);
    assert_false(outlet_takes(&out, &more)); /* none in the port, five behind it */
    network_tick(n, 1);
    assert_true(outlet_takes(&out, &more)); /* the first is on the link */
    assert_false(outlet_takes(&out, &write));
    port_clear(&out.port);
    network_free(n);
}

static void an_outlet_lets_in_what_is_larger_than_the_queue(void **state)
{
    (void)state;
    struct request write = { .bytes = 128, .write = true };
    struct outlet out = { 0 };
    struct network *n = network_behind(&out, 2);
    assert_true(outlet_takes(&out, &write));
    outlet_push(&out, &write);
    assert_false(outlet_takes(&out, &write));
    port_clear(&out.port);
    network_free(n);
}

static void an_outlet_notes_pages_without_an_owner(void **state)
{
    (void)state;
    struct page_table *pages = page_table_new(4096, 2);
    struct page_touches touches = { .table = pages };
    struct request r = { .address = 5 * 4096 + 32, .bytes = 32 };
    struct outlet out = { .touches = &touches };
    struct network *n = network_behind(&out, 9);
    assert_false(outlet_takes(&out, &r));
    assert_int_equal(touches.count, 1);
    assert_int_equal(touches.page[0], 5);
    page_table_add(pages, 5, 1);
    assert_true(outlet_takes(&out, &r));
    assert_int_equal(touches.count, 1);
    free(touches.page);
    port_clear(&out.port);
    page_table_free(pages);
    network_free(n);
}

static void sleepers_wake_in_their_time_and_not_before(void **state)
{
    (void)state;
    struct sleepers s;
    sleepers_init(&s, 70);
    sleepers_rouse(&s, 0); /* at first all have their time */
    assert_int_equal(s.awake[0], UINT64_MAX);
    for (uint32_t i = 0; i < 70; i++)
        sleepers_until(&s, i, UINT64_MAX);
    s.awake[0] = s.awake[1] = 0;
    s.next = UINT64_MAX;
    sleepers_visited(&s, 69, 9, 20);
    sleepers_visited(&s, 1, 9, 10); /* at once */
    assert_true(sleepers_any_awake(&s));
    assert_int_equal(s.awake[0], 2);
    s.awake[0] = 0;
    assert_int_equal(s.next, 20);
    sleepers_rouse(&s, 19);
    assert_false(sleepers_any_awake(&s));
    sleepers_rouse(&s, 20);
    assert_int_equal(s.awake[1], 32);
    assert_int_equal(s.next, UINT64_MAX);
    sleepers_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_ends_are_woken),
                                        cmocka_unit_test(a_port_without_bits_tells_nobody),
                                        cmocka_unit_test(an_outlet_counts_the_flits_behind_it),
                                        cmocka_unit_test(an_outlet_lets_in_what_is_larger_than_the_queue),
                                        cmocka_unit_test(an_outlet_notes_pages_without_an_owner),
                                        cmocka_unit_test(sleepers_wake_in_their_time_and_not_before) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
