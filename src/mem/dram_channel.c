/* dram_channel.c - one DRAM channel: requests in, commands to banks, data back in the order of the commands. */
#include "mem/dram_channel.h"

#include "base/near.h"
#include "mem/dram_scheduler.h"

#define STAT_DEF "mem/dram_counters.def"
#define STAT_NAME dram
#include "stat/define.h"

struct slice_ports { /* to one slice */
    struct port in, out;
};

struct dram_channel {
    /* What every tick asks comes first. */
    uint64_t counted; /* clocks up to here are in the counters */
    uint64_t ticked;
    /* Bit per slice. */
    uint64_t waiting;     /* with a request in the queue from it */
    uint64_t out_full;    /* without room in the queue to it */
    uint64_t private_out; /* the one request that it may always have in the channel is out */
    uint32_t requests;    /* between the queues from and to slices */
    bool moved;           /* a queue to or from a slice moved in the last tick, at `ticked` */
    bool refreshes;
    uint32_t slices;                   /* a power of two */
    uint32_t last_slice;               /* round robin */
    uint32_t shared_out, shared_limit; /* requests beyond each slice's first one, and how many may be */
    struct slice_ports *port;
    const struct dram_scheduler_kind *kind;
    struct dram_scheduler *scheduler;
    struct request_ring delay; /* the fixed latency: request->ready is the clock at which it is over */
    uint64_t delay_over;       /* for its first */
    struct request_ring back;  /* return queue */
    struct dram_core core;
    struct dram_counters counters;
    uint64_t delay_clocks;
    dram_delay *delay_by; /* NULL: delay_clocks */
    void *delay_context;
    dram_retire *retire;
    void *context;
    struct dram_config config;
    uint32_t bank_requests[64]; /* between the queues from slices and the data bus */
};

struct dram_channel *dram_channel_new(const struct dram_config *config, uint32_t slices, uint64_t core_khz, uint64_t dram_khz,
                                      dram_retire *retire, void *context)
{
    struct dram_channel *c = near_calloc(1, sizeof *c);
    c->config = *config;
    c->refreshes = config->refi && !config->latency_only;
    require((slices & (slices - 1)) == 0 && slices <= 64);
    c->slices = slices;
    c->last_slice = slices - 1;
    c->retire = retire;
    c->context = context;
    c->delay_clocks = (config->latency * dram_khz + core_khz - 1) / core_khz;
    /* The reference: as many requests as the scheduler's queues and the return queue hold, of which each slice has one of its own.
     */
    const uint32_t inside = config->queue + config->return_queue + (uint32_t)config->write_queue.value[0];
    c->shared_limit = inside > slices ? inside - (slices - 1) : 0;
    request_ring_init(&c->delay, c->shared_limit + slices);
    request_ring_init(&c->back, config->return_queue);
    c->port = near_calloc(slices, sizeof *c->port);
    for (uint32_t s = 0; s < slices; s++) {
        port_init(&c->port[s].in, config->slice_in);
        port_init(&c->port[s].out, config->slice_out);
        c->port[s].in.filled = waker_of(&c->waiting, s);
        c->port[s].out.crowded = waker_of(&c->out_full, s);
    }
    dram_core_init(&c->core, config, &c->counters);
    c->kind = dram_scheduler_of(config);
    c->scheduler = c->kind->make(&c->core);
    return c;
}

void dram_channel_free(struct dram_channel *c)
{
    if (!c)
        return;
    for (uint32_t s = 0; s < c->slices; s++) {
        port_clear(&c->port[s].in);
        port_clear(&c->port[s].out);
    }
    near_free(c->port);
    request_ring_clear(&c->delay);
    request_ring_clear(&c->back);
    c->kind->release(c->scheduler);
    dram_core_clear(&c->core);
    near_free(c);
}

void dram_channel_delay_by(struct dram_channel *c, dram_delay *delay, void *context)
{
    c->delay_by = delay;
    c->delay_context = context;
}

void dram_channel_move_delays(struct dram_channel *c, dram_delay *moved, void *context)
{
    for (uint32_t i = 0; i < c->delay.count; i++) {
        struct request *r = *request_ring_at(&c->delay, i);
        r->ready = moved(context, r->ready);
    }
    if (c->delay.count)
        c->delay_over = request_ring_peek(&c->delay)->ready;
}

struct port *dram_channel_in(const struct dram_channel *c, uint32_t slice)
{
    return &c->port[slice].in;
}
struct port *dram_channel_out(const struct dram_channel *c, uint32_t slice)
{
    return &c->port[slice].out;
}

uint32_t dram_channel_bank_requests(const struct dram_channel *c, uint32_t bank)
{
    uint32_t sum = c->bank_requests[bank];
    for (uint32_t s = 0; s < c->slices; s++)
        for (uint32_t i = 0; i < c->port[s].in.ring.count; i++)
            sum += (*request_ring_at(&c->port[s].in.ring, i))->bank == bank;
    return sum;
}

uint32_t dram_channel_requests(const struct dram_channel *c)
{
    uint32_t sum = c->requests;
    for (uint32_t s = 0; s < c->slices; s++)
        sum += c->port[s].in.ring.count + c->port[s].out.ring.count;
    return sum;
}

/* Credits limit what is between the slices' queues: each slice has one of its own, and the rest are shared. */
static uint64_t slices_with_credit(const struct dram_channel *c)
{
    return c->shared_out < c->shared_limit ? UINT64_MAX : ~c->private_out;
}

static void take_credit(struct dram_channel *c, uint64_t slice)
{
    c->shared_out += (c->private_out & slice) != 0;
    c->private_out |= slice;
}

static void give_credit(struct dram_channel *c, uint64_t slice)
{
    c->shared_out -= (c->private_out & slice) == 0;
    c->private_out &= ~slice;
}

static uint32_t slice_of(const struct dram_channel *c, const struct request *r)
{
    return r->slice & (c->slices - 1);
}

/* Clocks that passed without a tick: nothing moved in them. */
static void account(struct dram_channel *c, uint64_t until)
{
    if (until <= c->counted || until == UINT64_MAX) /* UINT64_MAX: the clock before the first */
        return;
    const uint64_t clocks = until - c->counted;
    c->counters.clocks += clocks;
    c->counters.queue_clocks += clocks * c->core.waiting;
    if (c->delay.count && c->delay_over <= until && !c->core.room[request_ring_peek(&c->delay)->write]) {
        const uint64_t from = c->delay_over > c->counted + 1 ? c->delay_over : c->counted + 1;
        c->counters.queue_full += until - from + 1;
    }
    c->counted = until;
}

/* The steps of a clock. Each says whether anything moved. */
static bool return_to_slice(struct dram_channel *c)
{
    struct request *r = request_ring_peek(&c->back);
    if (!r)
        return false;
    const uint32_t s = slice_of(c, r);
    const uint64_t bit = UINT64_C(1) << s;
    if (c->out_full & bit)
        return false;
    port_push(&c->port[s].out, request_ring_pop(&c->back));
    c->requests--;
    give_credit(c, bit);
    return true;
}

static void take_from_bus(struct dram_channel *c, uint64_t now)
{
    struct dram_access done;
    if (request_ring_full(&c->back))
        c->core.pipe.stalls++;
    else if (dram_pipe_take(&c->core.pipe, now, &done) && done.r) {
        c->bank_requests[done.bank]--;
        if (done.kind == REQUEST_L1_WRITEBACK || done.kind == REQUEST_L2_WRITEBACK) {
            give_credit(c, UINT64_C(1) << slice_of(c, done.r));
            c->counters.retired++;
            c->requests--;
            c->retire(c->context, done.r);
        } else {
            done.r->is_reply = true;
            c->counters.replies++;
            request_ring_push(&c->back, done.r);
        }
    }
}

/* The slice after the last one served, cyclically, that has a request, a credit, and room for its answers: UINT32_MAX none. */
static uint32_t slice_to_serve(const struct dram_channel *c)
{
    const uint64_t able = c->waiting & ~c->out_full & slices_with_credit(c);
    if (!able)
        return UINT32_MAX;
    const uint64_t after = able & (UINT64_MAX << 1 << c->last_slice);
    const uint32_t s = (uint32_t)__builtin_ctzll(after ? after : able);
    if (!c->core.room[0] == !c->core.room[1]) /* mostly, and the request need not be looked at */
        return c->core.room[0] ? s : UINT32_MAX;
    return c->core.room[port_peek(&c->port[s].in)->write] ? s : UINT32_MAX;
}

static bool take_from_slice(struct dram_channel *c, uint64_t now)
{
    const uint32_t s = slice_to_serve(c);
    if (s == UINT32_MAX)
        return false;
    struct request *r = port_pop(&c->port[s].in);
    c->requests++;
    c->bank_requests[r->bank]++;
    r->ready = c->delay_by ? c->delay_by(c->delay_context, now) : now + c->delay_clocks;
    if (!c->delay.count)
        c->delay_over = r->ready;
    request_ring_push(&c->delay, r);
    take_credit(c, UINT64_C(1) << s);
    c->last_slice = s;
    return true;
}

static void feed_scheduler(struct dram_channel *c, uint64_t now)
{
    if (!c->delay.count || c->delay_over > now || !c->core.room[request_ring_peek(&c->delay)->write])
        return;
    c->counters.requests++;
    c->kind->add(c->scheduler, request_ring_pop(&c->delay), now);
    if (c->delay.count)
        c->delay_over = request_ring_peek(&c->delay)->ready;
}

/* dram.latency_only: the first request whose latency is over is done. It counts as one that found its row open. */
static bool answer(struct dram_channel *c, uint64_t now)
{
    if (!c->delay.count || c->delay_over > now)
        return false;
    struct request *r = request_ring_peek(&c->delay);
    const uint32_t s = slice_of(c, r);
    const uint64_t bit = UINT64_C(1) << s;
    const bool ends_here = r->kind == REQUEST_L1_WRITEBACK || r->kind == REQUEST_L2_WRITEBACK;
    if (!ends_here && c->out_full & bit)
        return false;
    request_ring_pop(&c->delay);
    if (c->delay.count)
        c->delay_over = request_ring_peek(&c->delay)->ready;
    c->counters.requests++;
    c->counters.scheduled++;
    c->counters.row_hits++;
    c->bank_requests[r->bank]--;
    c->requests--;
    give_credit(c, bit);
    if (ends_here) {
        c->counters.retired++;
        c->retire(c->context, r);
    } else {
        c->counters.replies++;
        r->is_reply = true;
        port_push(&c->port[s].out, r);
    }
    return true;
}

void dram_channel_tick(struct dram_channel *c, uint64_t now)
{
    if (now > c->counted + 1) {
        if (request_ring_full(&c->back))
            c->core.pipe.stalls += now - 1 - c->counted;
        account(c, now - 1);
    }
    if (c->config.latency_only && (c->requests || c->waiting)) {
        c->moved = answer(c, now);
        c->moved |= take_from_slice(c, now);
        c->ticked = now;
    } else if (c->requests || c->waiting || c->refreshes) {
        c->moved = return_to_slice(c);
        take_from_bus(c, now);
        c->kind->tick(c->scheduler, now);
        c->moved |= take_from_slice(c, now);
        feed_scheduler(c, now);
        c->ticked = now;
    }
    account(c, now);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t dram_channel_next_event(const struct dram_channel *c, uint64_t now)
{
    if (!c->requests && !c->waiting && !c->refreshes)
        return UINT64_MAX;
    if (c->moved && c->ticked == now) /* more of the same is likely, and trying is cheaper than predicting */
        return now + 1;
    const struct request *r = request_ring_peek(&c->back);
    if (r && !(c->out_full >> slice_of(c, r) & 1))
        return now + 1;
    if (slice_to_serve(c) != UINT32_MAX)
        return now + 1;
    uint64_t at = !request_ring_full(&c->back) ? dram_pipe_due(&c->core.pipe) : UINT64_MAX;
    if (c->delay.count && c->core.room[request_ring_peek(&c->delay)->write])
        at = earlier(at, c->delay_over);
    at = earlier(at, c->kind->next_event(c->scheduler, now));
    return at > now ? at : now + 1;
}

const struct dram_counters *dram_channel_counters(struct dram_channel *c, uint64_t now)
{
    account(c, now);
    return &c->counters;
}

static void dump_queue(const char *name, const struct request_ring *q, FILE *out)
{
    if (q->count)
        fprintf(out, "  %s: %u of %u; first: %s of 0x%llx\n", name, q->count, q->capacity, q->first->write ? "write" : "read",
                (unsigned long long)q->first->address);
}

void dram_channel_dump(const struct dram_channel *c, uint32_t index, FILE *out)
{
    const uint32_t requests = dram_channel_requests(c);
    if (!requests)
        return;
    fprintf(out, "DRAM channel %u: %u requests, %u wait in the scheduler, %u bursts under way\n", index, requests, c->core.waiting,
            c->core.pipe.ring.count);
    for (uint32_t s = 0; s < c->slices; s++) {
        dump_queue("from a slice", &c->port[s].in.ring, out);
        dump_queue("to a slice", &c->port[s].out.ring, out);
    }
    dump_queue("in the fixed latency", &c->delay, out);
    dump_queue("return queue", &c->back, out);
}
