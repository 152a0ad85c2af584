/* The crossbar: latency derived from the reference's router step by step, throughput, fairness, back-pressure, jumping. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "mem/network.h"

static const struct net_config GTX480 = {
    .flit_bytes = 40, .injection_flits = 9, .input_flits = 64, .ejection_flits = 64, .boundary_flits = 16, .speedup = 2
};

static struct request read_request(void)
{
    return (struct request){ .bytes = 128, .kind = REQUEST_GLOBAL_READ }; /* 8 bytes: 1 flit */
}
static struct request write_request(void)
{
    return (struct request){ .bytes = 128, .kind = REQUEST_GLOBAL_WRITE, .write = true }; /* 136 bytes: 4 flits of 40 */
}
static struct request sector_reply(void)
{
    return (struct request){ .bytes = 32, .kind = REQUEST_GLOBAL_READ, .is_reply = true }; /* 40 bytes: 1 flit of 40, 2 of 32 */
}

static void defaults_are_the_gtx480(void **state)
{
    (void)state;
    struct net_config c = { 0 };
    param_defaults(net_params, &c);
    assert_memory_equal(&c, &GTX480, sizeof c);
}

/* Ticks from 0 until `r` comes out at `destination`; the tick after which it did. */
static uint64_t arrival(struct network *n, uint32_t destination, struct request *r, uint64_t from)
{
    for (uint64_t t = from; t < from + 1000; t++) {
        network_tick(n, t);
        if (network_peek(n, destination) == r)
            return t;
    }
    fail_msg("the packet did not arrive");
    return 0;
}

/* Reference: tick t sends the flit on the link, t+2 the router has it and allocates both, t+3 it crosses and leaves, t+5 it is out.
 */
static void one_flit_takes_five_cycles(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request r = read_request();
    network_push(n, 3, 7, &r, 0);
    assert_int_equal(arrival(n, 7, &r, 0), 5);
    assert_ptr_equal(network_pop(n, 7, 6), &r);
    assert_int_equal(network_packets(n), 0);
    assert_int_equal(network_counters(n)->packet_cycles, 6);
    network_free(n);
}

static void further_flits_follow_one_per_cycle(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request w = write_request(), s = sector_reply();
    network_push(n, 0, 0, &w, 0);
    assert_int_equal(arrival(n, 0, &w, 0), 5 + 3);
    network_free(n);
    struct net_config narrow = GTX480;
    narrow.flit_bytes = 32;
    n = network_new(&narrow, 12, 15);
    network_push(n, 0, 0, &s, 0);
    assert_int_equal(arrival(n, 0, &s, 0), 5 + 1);
    network_free(n);
}

static void a_router_without_speedup_is_slower_by_its_second_step(void **state)
{
    (void)state;
    struct net_config plain = GTX480;
    plain.speedup = 1;
    struct network *n = network_new(&plain, 4, 4);
    struct request r = read_request();
    network_push(n, 1, 2, &r, 0);
    /* Output given at 2, passed at 3, crossed at 4, out at 6. */
    assert_int_equal(arrival(n, 2, &r, 0), 6);
    network_free(n);
}

/* Sources push whenever there is room; the destination pops all it finds. Returns packets popped per source. */
static void saturate(struct network *n, uint32_t sources, uint32_t destination, struct request *r, uint64_t cycles,
                     uint32_t *popped_of)
{
    for (uint64_t t = 0; t < cycles; t++) {
        for (uint32_t s = 0; s < sources; s++)
            if (network_has_room(n, s, request_packet_bytes(&r[s])))
                network_push(n, s, destination, &r[s], t);
        network_tick(n, t);
        struct request *p;
        while ((p = network_pop(n, destination, t + 1)))
            popped_of[p - r]++;
    }
}

static void an_output_gives_one_flit_per_cycle(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request r[15];
    uint32_t popped[15] = { 0 }, total = 0;
    for (uint32_t s = 0; s < 15; s++)
        r[s] = read_request();
    saturate(n, 15, 4, r, 1005, popped);
    for (uint32_t s = 0; s < 15; s++)
        total += popped[s];
    assert_int_equal(total, 1000); /* the first comes out after tick 5, then one per tick */
    network_free(n);
}

static void sources_share_an_output_evenly(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request r[15];
    uint32_t popped[15] = { 0 };
    for (uint32_t s = 0; s < 15; s++)
        r[s] = read_request();
    saturate(n, 15, 4, r, 1505, popped);
    for (uint32_t s = 0; s < 15; s++)
        assert_int_equal(popped[s], 100);
    network_free(n);
}

static void a_source_sends_one_flit_per_cycle(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request r = write_request();
    uint32_t popped = 0;
    saturate(n, 1, 0, &r, 4 * 250 + 5, &popped);
    assert_in_range(popped, 249, 250);
    network_free(n);
}

static void round_robin_starts_after_the_last_one_served(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 4, 2);
    struct request r[4] = { read_request(), read_request(), read_request(), read_request() };
    network_push(n, 2, 1, &r[2], 0);
    for (uint64_t t = 0; t < 10; t++)
        network_tick(n, t);
    assert_ptr_equal(network_pop(n, 1, 10), &r[2]);
    for (uint32_t s = 0; s < 4; s++)
        network_push(n, s, 1, &r[s], 10);
    for (uint64_t t = 10; t < 30; t++)
        network_tick(n, t);
    const uint32_t expected[4] = { 3, 0, 1, 2 };
    for (uint32_t k = 0; k < 4; k++)
        assert_ptr_equal(network_pop(n, 1, 30), &r[expected[k]]);
    network_free(n);
}

/* Nobody pops: 16 flits in the boundary buffer, 64 behind it, 64 in the router's buffer, 9 in the injection queue. */
static void a_destination_that_does_not_pop_holds_up_its_source(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 15, 12);
    struct request *r = calloc(400, sizeof *r);
    uint32_t pushed = 0;
    for (uint64_t t = 0; t < 400; t++) {
        if (network_has_room(n, 0, 8)) {
            r[pushed] = read_request();
            network_push(n, 0, 0, &r[pushed++], t);
        }
        network_tick(n, t);
    }
    assert_int_equal(pushed, 16 + 64 + 64 + 9);
    assert_true(network_next_event(n, 400) == UINT64_MAX);
    assert_false(network_has_room(n, 0, 8));
    assert_true(network_has_room(n, 1, 8)); /* the other sources are free */
    for (uint64_t t = 400; t < 1000; t++) {
        struct request *p = network_pop(n, 0, t);
        if (p)
            assert_ptr_equal(p, r++); /* in order */
        network_tick(n, t);
    }
    assert_int_equal(network_packets(n), 0);
    network_free(n);
    free(r - pushed);
}

static void one_busy_destination_does_not_stop_the_others_traffic(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 2, 2);
    struct request a[200], b = read_request();
    uint64_t t = 0;
    for (uint32_t pushed = 0; t < 300; t++) {
        if (pushed < 200 && network_has_room(n, 0, 8)) {
            a[pushed] = read_request();
            network_push(n, 0, 0, &a[pushed++], t);
        }
        network_tick(n, t);
    }
    network_push(n, 1, 1, &b, t);
    assert_int_equal(arrival(n, 1, &b, t), t + 5);
    network_free(n);
}

static void a_dump_names_the_packet_that_waits(void **state)
{
    (void)state;
    struct network *n = network_new(&GTX480, 4, 2);
    struct request r = read_request();
    r.address = 0xC0FFEE00;
    r.sm = 3;
    network_push(n, 3, 1, &r, 17);
    char text[512] = { 0 };
    FILE *f = fmemopen(text, sizeof text, "w");
    network_dump(n, "request", f);
    fclose(f);
    assert_non_null(
        strstr(text, "request network, source 3: 1 packets (1 flits not yet sent, 0 in the router); first: read of 0xc0ffee00 "
                     "of SM 3 warp 0 to 1, pushed at 17"));
    network_free(n);
}

static uint32_t lcg(uint32_t *x)
{
    return *x = *x * 1664525u + 1013904223u;
}

/* Random traffic over a network with small buffers; `jump` skips the ticks that next_event says do nothing. Every pop is hashed
 * with its time. Destinations pop seldom, so that buffers fill. */
static uint64_t digest_of(const struct net_config *config, uint32_t sources, uint32_t destinations, bool jump, uint64_t *ticks)
{
    enum { PACKETS = 3000 };
    struct network *n = network_new(config, sources, destinations);
    struct request *r = calloc(PACKETS, sizeof *r);
    uint32_t pushed = 0, popped = 0, seed = 7;
    uint64_t digest = 1469598103934665603u, next = 0;
    for (uint64_t t = 0; popped < PACKETS; t++) {
        assert_true(t < 500000);
        const bool burst = t % 1000 < 300;
        for (uint32_t s = 0; burst && s < sources; s++) {
            const uint32_t x = lcg(&seed) >> 8;
            if (pushed == PACKETS || x % 4)
                continue;
            r[pushed] = x & 64 ? read_request() : write_request();
            if (!network_has_room(n, s, request_packet_bytes(&r[pushed])))
                continue;
            network_push(n, s, x / 128 % destinations, &r[pushed++], t);
            next = 0;
        }
        if (!jump || t >= next) {
            network_tick(n, t);
            next = network_next_event(n, t);
            ++*ticks;
        }
        for (uint32_t d = 0; d < destinations; d++) {
            struct request *p = (lcg(&seed) >> 8) % 3 == 0 ? network_pop(n, d, t) : NULL;
            if (!p)
                continue;
            popped++;
            next = 0;
            digest = (digest ^ (uint64_t)(p - r) ^ t << 20 ^ (uint64_t)d << 50) * 1099511628211u;
        }
    }
    assert_int_equal(network_packets(n), 0);
    assert_null(stat_check(&net_stat_group, network_counters(n)));
    network_free(n);
    free(r);
    return digest;
}

static void jumping_equals_ticking_every_cycle(void **state)
{
    (void)state;
    const struct net_config small = {
        .flit_bytes = 32, .injection_flits = 5, .input_flits = 6, .ejection_flits = 3, .boundary_flits = 5, .speedup = 2
    };
    const struct net_config *configs[2] = { &GTX480, &small };
    for (uint32_t c = 0; c < 2; c++) {
        uint64_t all = 0, some = 0;
        assert_true(digest_of(configs[c], 15, 12, false, &all) == digest_of(configs[c], 15, 12, true, &some));
        assert_true(some < all);
    }
}

static void buffers_of_one_flit_still_deliver_everything(void **state)
{
    (void)state;
    const struct net_config one = {
        .flit_bytes = 8, .injection_flits = 1, .input_flits = 1, .ejection_flits = 1, .boundary_flits = 1, .speedup = 1
    };
    uint64_t all = 0, some = 0;
    assert_true(digest_of(&one, 3, 2, false, &all) == digest_of(&one, 3, 2, true, &some));
}

static void more_than_64_nodes_work(void **state)
{
    (void)state;
    uint64_t all = 0, some = 0;
    assert_true(digest_of(&GTX480, 150, 70, false, &all) == digest_of(&GTX480, 150, 70, true, &some));
}

/* As a crossbar: a packet of any size is over in one cycle, each output takes one per cycle, inputs in turn. */
static void a_crossbar_takes_a_packet_per_output_and_cycle(void **state)
{
    (void)state;
    struct net_config c = GTX480;
    c.model = NET_CROSSBAR;
    c.injection_flits = c.boundary_flits = 512;
    struct network *n = network_new(&c, 80, 48);
    struct request a = write_request(), b = write_request(), other = write_request();
    network_push(n, 3, 7, &a, 0);
    network_push(n, 70, 7, &b, 0);
    network_push(n, 3, 40, &other, 0);
    assert_int_equal(network_next_event(n, 0), 1);
    network_tick(n, 1);
    assert_ptr_equal(network_pop(n, 7, 2), &a);
    assert_ptr_equal(network_pop(n, 40, 2), &other); /* behind the first, to a later output: in the same cycle */
    assert_null(network_peek(n, 7));
    network_tick(n, 2);
    assert_ptr_equal(network_pop(n, 7, 3), &b);
    assert_int_equal(network_packets(n), 0);
    assert_true(network_next_event(n, 3) == UINT64_MAX);
    network_free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(defaults_are_the_gtx480),
                                        cmocka_unit_test(one_flit_takes_five_cycles),
                                        cmocka_unit_test(further_flits_follow_one_per_cycle),
                                        cmocka_unit_test(a_router_without_speedup_is_slower_by_its_second_step),
                                        cmocka_unit_test(an_output_gives_one_flit_per_cycle),
                                        cmocka_unit_test(sources_share_an_output_evenly),
                                        cmocka_unit_test(a_source_sends_one_flit_per_cycle),
                                        cmocka_unit_test(round_robin_starts_after_the_last_one_served),
                                        cmocka_unit_test(a_destination_that_does_not_pop_holds_up_its_source),
                                        cmocka_unit_test(one_busy_destination_does_not_stop_the_others_traffic),
                                        cmocka_unit_test(a_dump_names_the_packet_that_waits),
                                        cmocka_unit_test(jumping_equals_ticking_every_cycle),
                                        cmocka_unit_test(buffers_of_one_flit_still_deliver_everything),
                                        cmocka_unit_test(more_than_64_nodes_work),
                                        cmocka_unit_test(a_crossbar_takes_a_packet_per_output_and_cycle) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
