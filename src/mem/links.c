/* links.c - the links between modules: which modules are joined, and packets on their way from one to the next. */
#include "mem/links.h"

#include <stdlib.h>
#include <string.h>

#include "mem/request_ring.h"

#define STAT_DEF "mem/link_counters.def"
#define STAT_NAME link
#include "stat/define.h"

static const char *const topology_names[] = { "ring", "mesh", "switch", NULL };
static const char *const domain_names[] = { "package", "board", NULL };

/* Defaults: table 5.3 of paper 002; 768 GB/s of a link are those of both its directions. */
const struct param link_params[] = {
    PARAM_CHOICE(struct link_config, topology, "link.topology", "ring", topology_names,
                 "how modules are joined: in a ring of both directions, in a mesh (rows first), or each to one switch"),
    PARAM_CHOICE(struct link_config, domain, "link.domain", "package", domain_names,
                 "where the links are: decides what a bit costs, not how long it takes"),
    PARAM_U64(struct link_config, bandwidth, "link.bandwidth", 384000, 1, 100000000, "MB/s",
              "10^6 bytes per second of one link in one direction"),
    PARAM_U32(struct link_config, latency, "link.latency", 32, 1, 100000, "network cycles", "from one module to the next"),
    PARAM_U32(struct link_config, buffer, "link.buffer", 0, 0, 1048576, "packets",
              "packets of a class that a link holds, those under way included; 0: enough to keep it busy"),
    PARAM_END
};

enum { FRACTION_BITS = 24, FEWEST_PLACES = 16, USUAL_PACKET = REQUEST_CONTROL_BYTES + SECTOR_BYTES };

struct lane {
    struct request_ring ring; /* oldest first; request.ready of those that were sent: when they are at the other end */
    uint32_t sent;            /* how many of them */
};

struct link {
    uint32_t from, to;
    struct lane lane[LINK_CLASSES];
    uint64_t free_at; /* when its last byte has been sent, in fractions of a cycle */
    uint32_t turn;    /* class whose turn it is */
    uint64_t packets, bytes;
};

struct links {
    struct link_config config;
    uint32_t modules, nodes, count, places;
    uint64_t byte_time; /* in fractions of a cycle */
    struct link *link;
    uint32_t *next; /* per node and module: the link to take */
    uint32_t packets;
    struct link_counters counters;
};

/* ---- who is joined to whom ------------------------------------------------------------------------------------------- */

static uint32_t add_link(struct links *l, uint32_t from, uint32_t to)
{
    struct link *k = &l->link[l->count];
    *k = (struct link){ .from = from, .to = to };
    for (uint32_t c = 0; c < LINK_CLASSES; c++)
        request_ring_init(&k->lane[c].ring, l->places);
    return l->count++;
}

static void set_next(struct links *l, uint32_t node, uint32_t to, uint32_t link)
{
    l->next[node * l->modules + to] = link;
}

/* The shorter way round. If both are equal, even modules go up and odd ones down. Two modules have one link each way. */
static void make_ring(struct links *l)
{
    const uint32_t n = l->modules;
    for (uint32_t i = 0; i < n; i++)
        (void)add_link(l, i, (i + 1) % n);
    for (uint32_t i = 0; i < n && n > 2; i++)
        (void)add_link(l, i, (i + n - 1) % n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t to = 0; to < n; to++) {
            const uint32_t up = (to + n - i) % n, down = n - up;
            set_next(l, i, to, n == 2 || up < down || (up == down && i % 2 == 0) ? i : n + i);
        }
}

/* As square as the number allows. */
static uint32_t mesh_columns(uint32_t modules)
{
    uint32_t columns = 1;
    for (uint32_t c = 1; c * c <= modules; c++)
        columns = modules % c == 0 ? modules / c : columns;
    return columns;
}

/* Along the row first, then along the column. */
static void make_mesh(struct links *l)
{
    const uint32_t n = l->modules, columns = mesh_columns(n), rows = n / columns;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = i % columns, y = i / columns;
        const uint32_t right = x + 1 < columns ? add_link(l, i, i + 1) : UINT32_MAX, left = x ? add_link(l, i, i - 1) : UINT32_MAX;
        const uint32_t up = y + 1 < rows ? add_link(l, i, i + columns) : UINT32_MAX,
                       down = y ? add_link(l, i, i - columns) : UINT32_MAX;
        for (uint32_t to = 0; to < n; to++)
            set_next(l, i, to, to % columns > x ? right : to % columns < x ? left : to / columns > y ? up : down);
    }
}

static void make_switch(struct links *l)
{
    const uint32_t n = l->modules;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t up = add_link(l, i, n), down = add_link(l, n, i);
        for (uint32_t to = 0; to < n; to++)
            set_next(l, i, to, up);
        set_next(l, n, i, down);
    }
}

/* Places that keep a link busy: twice what is under way when it sends sectors without a pause. Half of them is enough for that,
 * which is what packets that enter a ring may fill. */
static uint32_t enough_places(const struct link_config *config, uint64_t net_khz)
{
    const uint64_t bytes = config->bandwidth * 1000 * (config->latency + 1) / net_khz;
    const uint64_t places = 2 * bytes / USUAL_PACKET;
    return places < FEWEST_PLACES ? FEWEST_PLACES : (uint32_t)places;
}

struct links *links_new(const struct link_config *config, uint32_t modules, uint64_t net_khz)
{
    struct links *l = must_calloc(1, sizeof *l);
    l->config = *config;
    l->modules = modules;
    l->nodes = modules + (config->topology == LINK_SWITCH);
    l->places = config->buffer ? config->buffer : enough_places(config, net_khz);
    l->places = l->places < 2 ? 2 : l->places; /* a ring needs two, see links.h */
    l->byte_time = (net_khz << FRACTION_BITS) / (config->bandwidth * 1000);
    l->link = must_calloc(4ul * l->nodes, sizeof *l->link);
    l->next = must_calloc((size_t)l->nodes * modules, sizeof *l->next);
    switch ((enum link_topology)config->topology) {
    case LINK_RING: make_ring(l); break;
    case LINK_MESH: make_mesh(l); break;
    case LINK_SWITCH: make_switch(l); break;
    }
    return l;
}

void links_free(struct links *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t c = 0; c < LINK_CLASSES; c++)
            request_ring_clear(&l->link[i].lane[c].ring);
    free(l->link);
    free(l->next);
    free(l);
}

static struct link *next_link(const struct links *l, uint32_t node, uint32_t to)
{
    return &l->link[l->next[node * l->modules + to]];
}

static uint32_t neighbours_in_row(uint32_t length)
{
    return length > 2 ? 2 : length - 1;
}

uint32_t links_of_module(const char *topology, uint32_t modules)
{
    if (!strcmp(topology, topology_names[LINK_RING]))
        return neighbours_in_row(modules);
    if (!strcmp(topology, topology_names[LINK_MESH]))
        return neighbours_in_row(mesh_columns(modules)) + neighbours_in_row(modules / mesh_columns(modules));
    return 1;
}

uint32_t links_hops(const struct links *l, uint32_t from, uint32_t to)
{
    uint32_t hops = 0;
    for (uint32_t node = from; node != to; hops++)
        node = next_link(l, node, to)->to;
    return hops;
}

/* ---- packets --------------------------------------------------------------------------------------------------------- */

bool links_has_room(const struct links *l, uint32_t from, uint32_t to, enum link_class class)
{
    const struct request_ring *ring = &next_link(l, from, to)->lane[class].ring;
    return ring->count < (l->config.topology == LINK_RING ? ring->capacity / 2 : ring->capacity);
}

static uint32_t bytes_of(const struct request *r)
{
    return request_packet_bytes(r) - (r->shares_header ? REQUEST_CONTROL_BYTES : 0);
}

void links_push(struct links *l, uint32_t from, uint32_t to, enum link_class class, struct request *r, uint64_t now)
{
    require(from != to && to < l->modules && links_has_room(l, from, to, class));
    const uint32_t bytes = bytes_of(r);
    r->to_module = (uint8_t)to;
    r->entered_links = (uint32_t)now;
    request_ring_push(&next_link(l, from, to)->lane[class].ring, r);
    l->packets++;
    l->counters.packets_in++;
    l->counters.request_bytes += class == LINK_REQUEST ? bytes : 0;
    l->counters.reply_bytes += class == LINK_REPLY ? bytes : 0;
}

/* The oldest packet of the lane leaves it for the next one, or for its module; false: it has not come, or there is no room. */
static bool move_first(struct links *l, struct link *k, enum link_class class, uint64_t now, link_deliver *deliver, void *context)
{
    struct lane *lane = &k->lane[class];
    struct request *r = request_ring_peek(&lane->ring);
    if (!lane->sent || r->ready > now)
        return false;
    if (k->to == r->to_module) {
        if (!deliver(context, k->to, class, r))
            return false;
        l->packets--;
        l->counters.packets_out++;
        l->counters.packet_cycles += (uint32_t)now - r->entered_links;
    } else {
        struct request_ring *next = &next_link(l, k->to, r->to_module)->lane[class].ring;
        if (request_ring_full(next))
            return false;
        request_ring_push(next, r);
        l->counters.switch_bytes += k->to == l->modules ? bytes_of(r) : 0;
    }
    (void)request_ring_pop(&lane->ring);
    lane->sent--;
    return true;
}

void links_move(struct links *l, uint64_t now, link_deliver *deliver, void *context)
{
    if (!l->packets)
        return;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t c = 0; c < LINK_CLASSES; c++)
            while (move_first(l, &l->link[i], (enum link_class)c, now, deliver, context))
                continue;
}

static void send_one(struct links *l, struct link *k, struct lane *lane, uint64_t now)
{
    struct request *r = *request_ring_at(&lane->ring, lane->sent++);
    const uint32_t bytes = bytes_of(r);
    const uint64_t from = now << FRACTION_BITS;
    k->free_at = (k->free_at > from ? k->free_at : from) + bytes * l->byte_time;
    r->ready = (k->free_at >> FRACTION_BITS) + l->config.latency;
    k->packets++;
    k->bytes += bytes;
    l->counters.packet_hops++;
    *(l->config.domain == LINK_BOARD ? &l->counters.board_byte_hops : &l->counters.package_byte_hops) += bytes;
}

void links_send(struct links *l, uint64_t now)
{
    if (!l->packets)
        return;
    const uint64_t end = (now + 1) << FRACTION_BITS;
    for (uint32_t i = 0; i < l->count; i++) {
        struct link *k = &l->link[i];
        while (k->free_at < end) {
            struct lane *mine = &k->lane[k->turn], *other = &k->lane[!k->turn];
            struct lane *lane = mine->sent < mine->ring.count ? mine : other;
            if (lane->sent == lane->ring.count)
                break;
            k->turn = lane == mine ? !k->turn : k->turn;
            send_one(l, k, lane, now);
        }
    }
}

uint64_t links_next_event(const struct links *l, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < l->count && l->packets; i++)
        for (uint32_t c = 0; c < LINK_CLASSES; c++) {
            const struct lane *lane = &l->link[i].lane[c];
            if (lane->sent < lane->ring.count)
                return now + 1;
            const uint64_t at = lane->sent ? request_ring_peek(&lane->ring)->ready : UINT64_MAX;
            next = at < next ? at : next;
        }
    return next <= now ? now + 1 : next;
}

/* ---- views ----------------------------------------------------------------------------------------------------------- */

uint32_t links_packets(const struct links *l)
{
    return l->packets;
}

const struct link_counters *links_counters(const struct links *l)
{
    return &l->counters;
}

uint32_t links_count(const struct links *l)
{
    return l->count;
}

struct link_traffic links_traffic(const struct links *l, uint32_t i)
{
    const struct link *k = &l->link[i];
    return (struct link_traffic){ k->from, k->to, k->packets, k->bytes };
}

void links_dump(const struct links *l, FILE *out)
{
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t c = 0; c < LINK_CLASSES; c++)
            if (l->link[i].lane[c].ring.count)
                fprintf(out, "link %u to %u: %u %s, %u of them sent\n", l->link[i].from, l->link[i].to,
                        l->link[i].lane[c].ring.count, c == LINK_REQUEST ? "requests" : "replies", l->link[i].lane[c].sent);
}
