/* Links between modules: who is how far from whom, how long a packet takes, how many bytes a link carries, and that no load hangs
 * it. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/links.h"

enum { MODULES_MAX = 16, KHZ = 1000000 }; /* 1 GHz: n GB/s are n bytes per cycle */

struct sink {
    uint32_t got[MODULES_MAX];
    uint32_t refuse_every; /* 0: never */
    uint32_t asked, from_order_broken;
    uint64_t last[MODULES_MAX][MODULES_MAX][LINK_CLASSES];
};

/* The packet's number is in `pc`, its source in `sm`. */
static bool take(void *context, uint32_t module, enum link_class class, struct request *r)
{
    struct sink *s = context;
    if (s->refuse_every && ++s->asked % s->refuse_every)
        return false;
    s->got[module]++;
    s->from_order_broken += r->pc <= s->last[r->sm][module][class];
    s->last[r->sm][module][class] = r->pc;
    return true;
}

static struct link_config config_of(enum link_topology topology)
{
    struct link_config c = { 0 };
    param_defaults(link_params, &c);
    c.topology = topology;
    return c;
}

static void roads_are_the_shortest(void **state)
{
    (void)state;
    static const struct {
        enum link_topology topology;
        uint32_t modules, from, to, hops, links;
    } roads[] = {
        { LINK_RING, 2, 0, 1, 1, 2 },   { LINK_RING, 4, 0, 1, 1, 8 },     { LINK_RING, 4, 0, 2, 2, 8 },
        { LINK_RING, 4, 0, 3, 1, 8 },   { LINK_RING, 8, 1, 6, 3, 16 },    { LINK_MESH, 4, 0, 3, 2, 8 },
        { LINK_MESH, 8, 0, 7, 4, 20 },  { LINK_MESH, 16, 3, 12, 6, 48 },  { LINK_MESH, 2, 1, 0, 1, 2 },
        { LINK_SWITCH, 4, 0, 3, 2, 8 }, { LINK_SWITCH, 16, 5, 6, 2, 32 }, { LINK_RING, 5, 0, 3, 2, 10 },
    };
    for (uint32_t i = 0; i < sizeof roads / sizeof *roads; i++) {
        const struct link_config c = config_of(roads[i].topology);
        struct links *l = links_new(&c, roads[i].modules, KHZ);
        assert_int_equal(links_hops(l, roads[i].from, roads[i].to), roads[i].hops);
        assert_int_equal(links_count(l), roads[i].links);
        links_free(l);
    }
}

/* By counting: the most links that leave a module. */
static void a_module_has_so_many_links(void **state)
{
    (void)state;
    static const char *const names[] = { "ring", "mesh", "switch" };
    static const uint32_t sizes[] = { 2, 3, 4, 8, 9, 16 };
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
            const struct link_config c = config_of((enum link_topology)t);
            struct links *l = links_new(&c, sizes[n], KHZ);
            uint32_t leaving[MODULES_MAX + 1] = { 0 }, most = 0;
            for (uint32_t i = 0; i < links_count(l); i++)
                leaving[links_traffic(l, i).from]++;
            for (uint32_t m = 0; m < sizes[n]; m++)
                most = leaving[m] > most ? leaving[m] : most;
            assert_int_equal(links_of_module(names[t], sizes[n]), most);
            links_free(l);
        }
    assert_int_equal(links_of_module("ring", 32), 2);
    assert_int_equal(links_of_module("star", 32), 1); /* no such thing: not 0, for one divides by it */
}

static uint64_t cycles_of_one(struct links *l, uint32_t from, uint32_t to)
{
    struct sink sink = { 0 };
    struct request r = { .bytes = 32, .pc = 1, .sm = (uint16_t)from };
    uint64_t now = 100;
    links_move(l, now, take, &sink);
    links_push(l, from, to, LINK_REQUEST, &r, now);
    links_send(l, now);
    while (!sink.got[to]) {
        const uint64_t next = links_next_event(l, now);
        assert_true(next > now && next != UINT64_MAX);
        now = next; /* nothing is missed by jumping there */
        links_move(l, now, take, &sink);
        links_send(l, now);
    }
    return now - 100;
}

/* Table 5.3: 32 cycles per hop; a switch is two hops from everybody. */
static void a_packet_takes_32_cycles_per_hop(void **state)
{
    (void)state;
    static const enum link_topology all[] = { LINK_RING, LINK_MESH, LINK_SWITCH };
    for (uint32_t t = 0; t < 3; t++) {
        const struct link_config c = config_of(all[t]);
        struct links *l = links_new(&c, 8, KHZ);
        for (uint32_t to = 1; to < 8; to++)
            assert_int_equal(cycles_of_one(l, 0, to), 32 * links_hops(l, 0, to));
        links_free(l);
    }
}

/* A mesh cannot hang because all packets go along their row first. From corner to corner of two by two it is by module 1. */
static void a_mesh_goes_along_its_rows_first(void **state)
{
    (void)state;
    const struct link_config c = config_of(LINK_MESH);
    struct links *l = links_new(&c, 4, KHZ);
    (void)cycles_of_one(l, 0, 3);
    for (uint32_t i = 0; i < links_count(l); i++) {
        const struct link_traffic t = links_traffic(l, i);
        assert_int_equal(t.packets, (t.from == 0 && t.to == 1) || (t.from == 1 && t.to == 3));
    }
    links_free(l);
}

/* To the module across a ring of four both ways are two hops: even modules take one and odd ones the other, so that a packet from
 * each crosses every link once, and no direction has all of it. */
static void a_ring_uses_both_directions(void **state)
{
    (void)state;
    const struct link_config c = config_of(LINK_RING);
    struct links *l = links_new(&c, 4, KHZ);
    for (uint32_t m = 0; m < 4; m++)
        (void)cycles_of_one(l, m, (m + 2) % 4);
    for (uint32_t i = 0; i < links_count(l); i++)
        assert_int_equal(links_traffic(l, i).packets, 1);
    assert_int_equal(links_counters(l)->packet_cycles, 4 * 2 * 32);
    links_free(l);
}

/* Eight requests and eight replies wait for one link: they leave in turn, so that neither class keeps the other waiting. */
struct order {
    uint32_t count;
    enum link_class class[16];
};
static bool note_class(void *context, uint32_t module, enum link_class class, struct request *r)
{
    (void)module, (void)r;
    struct order *o = context;
    o->class[o->count++] = class;
    return true;
}
static void requests_and_replies_take_turns(void **state)
{
    (void)state;
    struct link_config c = config_of(LINK_SWITCH);
    c.bandwidth = 8000; /* 8 bytes per cycle */
    struct links *l = links_new(&c, 2, KHZ);
    struct request r[16] = { 0 };
    struct order order = { 0 };
    for (uint32_t i = 0; i < 16; i++) {
        r[i].is_reply = r[i].write = i >= 8; /* 8 bytes each */
        links_push(l, 0, 1, i < 8 ? LINK_REQUEST : LINK_REPLY, &r[i], 1);
    }
    for (uint64_t now = 1; order.count < 16 && now < 1000; now++) {
        links_move(l, now, note_class, &order);
        links_send(l, now);
    }
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(order.class[i], i % 2 ? LINK_REPLY : LINK_REQUEST);
    links_free(l);
}

/* 64 bytes per cycle carry 1.6 replies of 40 bytes: 1000 of them leave in 625 cycles. With requests of 8 bytes in turn, 1000 of
 * each take 750. The last one is there a hop's 32 cycles later, behind a switch two hops'. */
static void carry_a_thousand(enum link_topology topology, uint32_t classes)
{
    struct link_config c = config_of(topology);
    c.bandwidth = 64000;
    struct links *l = links_new(&c, 2, KHZ);
    static struct request r[2000];
    memset(r, 0, sizeof r);
    struct sink sink = { 0 };
    uint32_t pushed[2] = { 0 };
    uint64_t now = 0;
    for (; sink.got[1] < 1000 * classes; now++) {
        links_move(l, now, take, &sink);
        for (uint32_t k = 0; k < classes; k++)
            while (pushed[k] < 1000 && links_has_room(l, 0, 1, k ? LINK_REQUEST : LINK_REPLY)) {
                struct request *x = &r[1000 * k + pushed[k]++];
                *x = (struct request){ .bytes = 32, .pc = pushed[k], .is_reply = !k };
                links_push(l, 0, 1, k ? LINK_REQUEST : LINK_REPLY, x, now);
            }
        links_send(l, now);
    }
    const uint32_t hops = topology == LINK_SWITCH ? 2 : 1;
    const uint64_t expected = (classes == 1 ? 625 : 750) + 32 * hops;
    if (now < expected || now > expected + 3)
        fail_msg("topology %u, %u classes: %llu cycles, not %llu", topology, classes, (unsigned long long)now,
                 (unsigned long long)expected);
    const struct link_counters *k = links_counters(l);
    const uint64_t bytes = classes == 1 ? 40000 : 48000;
    assert_int_equal(k->reply_bytes, 40000);
    assert_int_equal(k->package_byte_hops, hops * bytes);
    assert_int_equal(k->board_byte_hops, 0);
    assert_int_equal(k->switch_bytes, topology == LINK_SWITCH ? bytes : 0);
    assert_int_equal(links_traffic(l, 0).packets, 1000 * classes);
    assert_null(stat_check(&link_stat_group, k));
    links_free(l);
}

static void a_link_carries_its_bandwidth(void **state)
{
    (void)state;
    static const enum link_topology all[] = { LINK_RING, LINK_MESH, LINK_SWITCH };
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t classes = 1; classes <= 2; classes++)
            carry_a_thousand(all[t], classes);
}

static uint32_t noise(uint32_t *x)
{
    *x = *x * 1664525 + 1013904223;
    return *x >> 8;
}

/* Every module sends to every other as fast as it can, through the smallest buffers, to receivers that often have no room. */
static void saturated(enum link_topology topology, uint32_t modules, uint32_t buffer, uint32_t refuse_every)
{
    enum { EACH = 400 };
    static struct request r[MODULES_MAX * EACH];
    memset(r, 0, sizeof r);
    struct link_config c = config_of(topology);
    c.buffer = buffer;
    c.bandwidth = 40000;
    struct links *l = links_new(&c, modules, KHZ);
    struct sink sink = { .refuse_every = refuse_every };
    uint32_t pushed[MODULES_MAX] = { 0 }, x = 1, got = 0;
    uint64_t now = 0, number = 0;
    for (; got < modules * EACH; now++) {
        if (now > 4000000)
            fail_msg("topology %u: %u of %u packets came", topology, got, modules * EACH);
        links_move(l, now, take, &sink);
        for (uint32_t m = 0; m < modules; m++)
            for (uint32_t tries = 0; tries < 4 && pushed[m] < EACH; tries++) {
                const uint32_t to = (m + 1 + noise(&x) % (modules - 1)) % modules;
                const enum link_class class = noise(&x) % 2 ? LINK_REPLY : LINK_REQUEST;
                if (!links_has_room(l, m, to, class))
                    continue;
                struct request *q = &r[m * EACH + pushed[m]++];
                *q = (struct request){ .bytes = 32, .pc = ++number, .sm = (uint16_t)m, .is_reply = class == LINK_REPLY };
                links_push(l, m, to, class, q, now);
            }
        links_send(l, now);
        got = 0;
        for (uint32_t m = 0; m < modules; m++)
            got += sink.got[m];
        assert_int_equal(links_counters(l)->packets_in - links_counters(l)->packets_out, links_packets(l));
    }
    assert_int_equal(links_packets(l), 0);
    assert_int_equal(sink.from_order_broken, 0);
    links_free(l);
}

static void full_buffers_do_not_hang(void **state)
{
    (void)state;
    static const enum link_topology all[] = { LINK_RING, LINK_MESH, LINK_SWITCH };
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t modules = 2; modules <= 16; modules *= 2)
            for (uint32_t buffer = 1; buffer <= 8; buffer *= 2) { /* of 1 are made 2 */
                saturated(all[t], modules, buffer, 0);
                saturated(all[t], modules, buffer, 7);
            }
}

/* Every module has something to send at all times, to anybody. What the links of a ring carry then is nearly all that they can:
 * packets that go on come before those that enter. (With one place left free in a lane, 16 modules carry 3 %.) */
static void a_saturated_ring_stays_at_its_bandwidth(void **state)
{
    (void)state;
    enum { CYCLES = 30000, PACKETS = 16384 };
    static struct request r[PACKETS];
    for (uint32_t modules = 4; modules <= 16; modules *= 2) {
        struct link_config c = config_of(LINK_RING);
        c.bandwidth = 128000;
        struct links *l = links_new(&c, modules, KHZ);
        struct sink sink = { 0 };
        uint32_t x = 1, number = 0, inside;
        for (uint64_t now = 0; now < CYCLES; now++) {
            links_move(l, now, take, &sink);
            for (uint32_t tries = 0; tries < 8 * modules; tries++) {
                const uint32_t from = noise(&x) % modules, to = (from + 1 + noise(&x) % (modules - 1)) % modules;
                if (!links_has_room(l, from, to, LINK_REPLY))
                    continue;
                struct request *q = &r[number++ % PACKETS]; /* far more than the lanes hold */
                *q = (struct request){ .bytes = 32, .pc = number, .sm = (uint16_t)from, .is_reply = true };
                links_push(l, from, to, LINK_REPLY, q, now);
            }
            links_send(l, now);
        }
        inside = links_packets(l);
        assert_true(inside < PACKETS);
        const double can = 128.0 * links_count(l) * CYCLES, did = (double)links_counters(l)->package_byte_hops;
        if (did < 0.8 * can)
            fail_msg("a ring of %u modules carries %.0f %% of its bandwidth", modules, 100 * did / can);
        links_free(l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(roads_are_the_shortest),
                                        cmocka_unit_test(a_module_has_so_many_links),
                                        cmocka_unit_test(a_packet_takes_32_cycles_per_hop),
                                        cmocka_unit_test(a_mesh_goes_along_its_rows_first),
                                        cmocka_unit_test(a_ring_uses_both_directions),
                                        cmocka_unit_test(requests_and_replies_take_turns),
                                        cmocka_unit_test(a_link_carries_its_bandwidth),
                                        cmocka_unit_test(full_buffers_do_not_hang),
                                        cmocka_unit_test(a_saturated_ring_stays_at_its_bandwidth) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
