/* lsu.c - the load/store unit: one instruction at a time makes its accesses, one access per cycle. Replies and results of shared
 * memory take turns at the write-back register.
 *
 * Order in a cycle: write back; one reply into its cache; caches send a miss each; the access at the end of the L1's pipeline;
 * the dispatched instruction. */
#include "sm/sm_state.h"

#include "base/near.h"

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

enum { CLIENT_SHARED, CLIENT_TEXTURE, CLIENT_CONSTANT, CLIENT_UNCACHED, CLIENT_L1, CLIENT_COUNT };

void lsu_new(struct sm *sm)
{
    struct sm_lsu *lsu = &sm->lsu;
    lsu->shared_size = ring_size(sm->config->shared_latency);
    lsu->shared_op = near_calloc(lsu->shared_size.mask + 1, sizeof lsu->shared_op[0]);
    port_init(&lsu->responses, sm->config->response_buffer);
    lsu->responses.reader = sm->face.waker;
    lsu_make_queue(sm);
}

void lsu_free(struct sm *sm)
{
    near_free(sm->lsu.shared_op);
    port_clear(&sm->lsu.responses);
    for (uint32_t i = 0; i < sm->lsu.lanes; i++)
        near_free(sm->lsu.lane[i].queued);
    for (struct request *r = sm->lsu.delayed; r; r = sm->lsu.delayed) {
        sm->lsu.delayed = r->next;
        request_free(sm->pool, r);
    }
}

bool lsu_can_take(const struct sm *sm)
{
    return !sm->lsu.dispatch;
}

static bool returns_data(const struct sm_op *op)
{
    return op->inst->class == CLASS_LOAD || op->inst->class == CLASS_ATOMIC || op->inst->class == CLASS_TEXTURE;
}

/* A load that no register waits for, such as cp.async's: the warp stays until its data have come, as if it had a register. */
static bool is_waited_for_in_the_pipe(const struct sm_op *op)
{
    return !op->inst->ndst && op->inst->class != CLASS_ATOMIC && returns_data(op);
}

void lsu_take(struct sm *sm, struct sm_op *op)
{
    sm->lsu.dispatch = op;
    if (returns_data(op) && op->space != SPACE_SHARED)
        op->pending = op->access_count;
    sm->lsu.awaited += op->pending;
    sm->counters.transactions += op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL ? op->access_count : 0;
}

/* ---- write-back ---------------------------------------------------------------------------------------------------- */

void lsu_data_arrived(struct sm *sm, struct sm_op *op)
{
    require(op->pending);
    sm->lsu.awaited--;
    if (--op->pending || !op->dispatched)
        return;
    for (uint32_t i = 0; i < op->inst->ndst; i++)
        warp_release(sm, op->warp, op->inst->dst[i]);
    const uint32_t w = op->warp;
    const bool leaves = is_waited_for_in_the_pipe(op);
    op_free(sm, op);
    if (leaves)
        warp_leave_pipe(sm, w);
}

void sm_finish_atomic(struct sm *sm, uint32_t w, uint32_t lanes)
{
    if (sm->front->late_atomics)
        sm->front->ops->atomic(sm->front, sm->warp[w].cta, sm->warp[w].index, lanes);
}

static void atomics_done(struct sm *sm, uint32_t w, uint32_t lanes)
{
    struct sm_warp *warp = &sm->warp[w];
    const uint32_t n = lane_count(lanes);
    require(warp->atomics >= n);
    warp->atomics = (uint16_t)(warp->atomics - n);
    warp_look_at_waiting(sm, w);
}

static void write_registers(struct sm *sm)
{
    struct sm_lsu *lsu = &sm->lsu;
    struct sm_op *op = lsu->writeback;
    for (; lsu->writes_done < op->inst->nwrite; lsu->writes_done++)
        if (!operands_write(sm, op->warp, op->inst->write[lsu->writes_done]))
            return;
    lsu->writeback = NULL;
    if (op->space != SPACE_SHARED) {
        lsu_data_arrived(sm, op);
        return;
    }
    for (uint32_t i = 0; i < op->inst->ndst; i++)
        warp_release(sm, op->warp, op->inst->dst[i]);
    op_free(sm, op);
}

static struct sm_op *pop_shared(struct sm *sm, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    if (!lsu->shared.count || lsu->shared_op[lsu->shared.head]->first_cycle + sm->config->shared_latency > now)
        return NULL;
    struct sm_op *op = lsu->shared_op[lsu->shared.head];
    ring_drop(&lsu->shared, &lsu->shared_size, 1);
    if (op->inst->class == CLASS_ATOMIC) {
        sm_finish_atomic(sm, op->warp, op->executed);
        atomics_done(sm, op->warp, op->executed);
    }
    warp_leave_pipe(sm, op->warp);
    return op;
}

static struct sm_op *op_of_reply(struct sm *sm, struct request *r)
{
    struct sm_op *op = sm->op[r->slot];
    if (r->kind == REQUEST_ATOMIC)
        atomics_done(sm, r->warp, r->lanes);
    request_free(sm->pool, r);
    return op;
}

static struct sm_op *serve_client(struct sm *sm, uint32_t client, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    struct request *r = NULL;
    switch (client) {
    case CLIENT_SHARED: return pop_shared(sm, now);
    case CLIENT_TEXTURE:
        r = sm->texture ? texture_fifo_pop(sm->texture) : readonly_cache_pop_ready(sm->l1t);
        lsu->textures_out -= r != NULL;
        break;
    case CLIENT_CONSTANT:
        r = readonly_cache_pop_ready(sm->l1c);
        lsu->constants_out -= r != NULL;
        break;
    case CLIENT_UNCACHED:
        r = lsu->uncached;
        lsu->uncached = NULL;
        break;
    default: r = l1_pop_ready(sm->l1); break;
    }
    return r ? op_of_reply(sm, r) : NULL;
}

/* Those that may have something; bit per client. */
static uint32_t waiting_clients(const struct sm *sm)
{
    const struct sm_lsu *lsu = &sm->lsu;
    return (uint32_t)(lsu->shared.count != 0) << CLIENT_SHARED | (uint32_t)(lsu->textures_out != 0) << CLIENT_TEXTURE |
           (uint32_t)(lsu->constants_out != 0) << CLIENT_CONSTANT | (uint32_t)(lsu->uncached != NULL) << CLIENT_UNCACHED |
           (uint32_t)mshr_has_ready(sm->l1_mshr) << CLIENT_L1;
}

static void write_back(struct sm *sm, uint32_t waiting, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    if (lsu->writeback)
        write_registers(sm);
    for (uint32_t i = 0; waiting && !lsu->writeback && i < CLIENT_COUNT; i++) {
        const uint32_t client = in_turn(lsu->next_client, i, CLIENT_COUNT);
        if (!(waiting >> client & 1))
            continue;
        lsu->writeback = serve_client(sm, client, now);
        if (lsu->writeback) {
            lsu->writes_done = 0;
            lsu->next_client = (uint8_t)((client + 1) % CLIENT_COUNT);
            return;
        }
    }
}

/* ---- replies --------------------------------------------------------------------------------------------------------- */

bool sm_reply_full(const struct sm *sm)
{
    return port_full(&sm->lsu.responses);
}

void sm_take_reply(struct sm *sm, struct request *reply)
{
    require(!sm_reply_full(sm));
    port_push(&sm->lsu.responses, reply);
}

static void store_acknowledged(struct sm *sm, uint32_t w, uint32_t count)
{
    require(sm->warp[w].stores >= count);
    sm->warp[w].stores -= count;
    sm->lsu.awaited -= count;
    warp_check_finished(sm, w);
}

/* False: it must wait for a port or for the write-back of the reply before it. */
static bool take_reply_in(struct sm *sm, struct request *r, uint64_t now)
{
    if (r->kind == REQUEST_TEXTURE_READ) {
        if (sm->texture)
            texture_fifo_fill(sm->texture, r);
        else
            readonly_cache_fill(sm->l1t, r, now);
    } else if (r->kind == REQUEST_CONST_READ) {
        readonly_cache_fill(sm->l1c, r, now);
    } else if (r->kind == REQUEST_POLICY) {
        sm_take_injected(sm, r, now);
    } else if (r->write) {
        store_acknowledged(sm, r->warp, 1);
        request_free(sm->pool, r);
    } else if (r->bypass_l1) {
        if (sm->lsu.uncached)
            return false;
        sm->lsu.uncached = request_join_sectors(sm->pool, r);
    } else {
        if (!l1_fill_port_free(sm->l1, now))
            return false;
        l1_fill(sm->l1, r, now);
    }
    return true;
}

static void take_replies(struct sm *sm, uint64_t now)
{
    struct request *reply = port_peek(&sm->lsu.responses);
    if (reply && take_reply_in(sm, reply, now))
        (void)port_pop(&sm->lsu.responses);
}

/* ---- the pipeline in front of the L1 --------------------------------------------------------------------------------- */

static uint32_t store_acknowledgements(uint32_t bytes)
{
    return bytes > SECTOR_BYTES ? bytes / SECTOR_BYTES : 1;
}

static inline __attribute__((always_inline)) void access_l1(struct sm *sm, struct lsu_lane *lane, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    if (!lane->queue.count || lane->due > now)
        return;
    struct request *r = lane->queued[lane->queue.head];
    if (lane->refused) {
        if (l1_version(sm->l1) == lane->refused_version && cache_refusal_lasts(lane->refused_cause))
            return;
        l1_count_refusals(sm->l1, r, lane->refused_cause, now - 1 - lane->refused_since);
    }
    const struct l1_answer answer = l1_access(sm->l1, r, now);
    lane->refused = cache_refused(answer.outcome);
    if (lane->refused) {
        lane->refused_version = l1_version(sm->l1);
        lane->refused_since = now;
        lane->refused_cause = answer.outcome;
        if (!answer.recycle || !lsu_buffer_return(sm, r, answer.outcome))
            return;
        lane->refused = false;
    }
    ring_drop(&lane->queue, &lsu->queue_size, 1);
    lsu->before_l1--;
    lane->due = lane->queue.count ? max64(now + 1, lane->queued[lane->queue.head]->ready) : now + 1;
    if (cache_refused(answer.outcome))
        return;
    sm->warp[r->warp].unsent--;
    if (r->write) {
        if (!answer.sent) {
            store_acknowledged(sm, r->warp, store_acknowledgements(r->bytes));
            request_free(sm->pool, r);
        }
    } else if (answer.outcome == CACHE_HIT || answer.outcome == CACHE_SERVED) {
        if (seldom(sm->otherwise.load_hit))
            sm->otherwise.load_hit(sm, sm->op[r->slot]);
        if (!answer.later)
            lsu_data_later(sm, r, now + answer.extra_cycles, now);
    }
}

static __attribute__((noinline)) void access_other_banks(struct sm *sm, uint64_t now)
{
    for (uint32_t i = 1; i < sm->lsu.lanes; i++)
        access_l1(sm, &sm->lsu.lane[i], now);
}

/* ---- the dispatched instruction -------------------------------------------------------------------------------------- */

static uint8_t request_kind(const struct sm_op *op)
{
    const bool store = op->inst->class == CLASS_STORE;
    switch ((enum mem_space)op->space) {
    case SPACE_CONST:
    case SPACE_PARAM: return REQUEST_CONST_READ;
    case SPACE_TEXTURE: return REQUEST_TEXTURE_READ;
    case SPACE_LOCAL: return store ? REQUEST_LOCAL_WRITE : REQUEST_LOCAL_READ;
    default: return op->inst->class == CLASS_ATOMIC ? REQUEST_ATOMIC : store ? REQUEST_GLOBAL_WRITE : REQUEST_GLOBAL_READ;
    }
}

static struct request *make_request(struct sm *sm, const struct sm_op *op, uint64_t now)
{
    const struct sm_access *a = &op->access[op->access_count - 1];
    struct request *r = request_make(sm->pool);
    r->address = a->address;
    r->pc = op->inst->pc;
    r->issued = now;
    r->bytes = a->bytes;
    r->lanes = a->lanes;
    r->mask = a->mask;
    r->sectors = a->sectors;
    r->kind = request_kind(op);
    r->write = op->inst->class == CLASS_STORE;
    r->reply_needed = true;
    r->bypass_l1 = op->bypass_l1;
    r->bypass_l15 = op->inst->cache_op == CACHE_GLOBAL;
    r->no_allocate_l1 = !(sm->gate.allocate >> op->warp & 1);
    r->transactions = (uint8_t)op->transactions;
    r->sm = (uint16_t)sm->id;
    r->warp = op->warp;
    r->scheduler = op->scheduler;
    r->cta = sm->cta[sm->cta_of[op->warp]].id;
    r->slot = op->id;
    return r;
}

/* One access to the constant or texture cache. */
static bool read_only_step(struct sm *sm, struct sm_op *op, struct readonly_cache *cache, uint32_t *out, uint64_t *stall,
                           uint64_t now)
{
    if (!op->access_count)
        return true;
    if (readonly_cache_hit(cache, op->access[op->access_count - 1].address, now)) {
        op->access_count--;
        op->pending--;
        sm->lsu.awaited--;
    } else if (!readonly_cache_refuses(cache, op->access[op->access_count - 1].address)) {
        struct request *r = make_request(sm, op, now);
        if (cache_refused(readonly_cache_access(cache, r, now))) {
            request_free(sm->pool, r);
        } else {
            op->access_count--;
            ++*out;
        }
    }
    if (op->access_count)
        ++*stall;
    return !op->access_count;
}

/* The same when results come in order: hits have to wait, too. */
static bool texture_step(struct sm *sm, struct sm_op *op, uint64_t now)
{
    if (!op->access_count)
        return true;
    struct request *r = make_request(sm, op, now);
    if (cache_refused(texture_fifo_access(sm->texture, r, now))) {
        request_free(sm->pool, r);
    } else {
        op->access_count--;
        sm->lsu.textures_out++;
    }
    sm->counters.stall_texture += op->access_count != 0;
    return !op->access_count;
}

static bool send_uncached(struct sm *sm, struct sm_op *op, uint64_t now)
{
    if (op->inst->class == CLASS_ATOMIC &&
        !outlet_has_room(sm->out, REQUEST_CONTROL_BYTES + op->access[op->access_count - 1].bytes))
        return false; /* it may wait for many cycles, and need be no request in them */
    struct request *r = make_request(sm, op, now);
    if (!outlet_takes(sm->out, r)) {
        if (r->kind != REQUEST_ATOMIC)
            l1_count_refusals(sm->l1, r, CACHE_REFUSED_NETWORK, 1);
        request_free(sm->pool, r);
        return false;
    }
    if (r->write) {
        sm->warp[op->warp].stores++;
        sm->lsu.awaited++;
    }
    l1_count_bypass(sm->l1, r);
    sm->warp[r->warp].unsent--;
    outlet_push(sm->out, r);
    return true;
}

void lsu_enter_lane(struct sm *sm, struct lsu_lane *lane, struct request *r, uint64_t now)
{
    r->ready = now + lsu_pipeline_cycles(sm);
    if (!lane->queue.count)
        lane->due = max64(lane->due, r->ready);
    lane->queued[ring_add(&lane->queue, &sm->lsu.queue_size)] = r;
    sm->lsu.before_l1++;
}

static bool send_to_l1(struct sm *sm, struct sm_op *op, uint64_t now)
{
    const bool buffered = lsu_has_buffer(sm);
    struct lsu_lane *lane = lsu_lane_of(sm, op->access[op->access_count - 1].address);
    if (!buffered && lsu_lane_full(sm, lane))
        return false;
    struct request *r = make_request(sm, op, now);
    if (buffered && !lsu_buffer_push(sm, r, now)) {
        request_free(sm->pool, r);
        return false;
    }
    if (r->write) {
        sm->warp[op->warp].stores += store_acknowledgements(r->bytes);
        sm->lsu.awaited += store_acknowledgements(r->bytes);
    }
    if (!buffered)
        lsu_enter_lane(sm, lane, r, now);
    return true;
}

static void count_stall(struct sm *sm)
{
    sm->counters.stall_data++;
    if (!seldom(sm->config->probe_stalled))
        return;
    sm->lsu.hit_behind = lsu_hit_waits_behind(sm);
    sm->counters.stall_hit_behind += sm->lsu.hit_behind;
}

/* The next access meets none of this cycle in its bank of the L1. */
static bool next_has_own_bank(struct sm *sm, const struct sm_op *op, uint64_t now)
{
    const struct lsu_lane *lane = lsu_lane_of(sm, op->access[op->access_count - 1].address);
    const uint32_t last = lane->queue.count ? ring_place(&lane->queue, &sm->lsu.queue_size, lane->queue.count - 1) : 0;
    return !op->bypass_l1 && (!lane->queue.count || lane->queued[last]->ready != now + lsu_pipeline_cycles(sm));
}

/* In a cycle, one access for each bank of the L1, in order: one that meets another in its bank waits, and those behind it. */
static bool memory_step(struct sm *sm, struct sm_op *op, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    uint32_t sent = 0;
    if (!op->access_count)
        return true;
    do {
        if (op->bypass_l1 ? send_uncached(sm, op, now) : send_to_l1(sm, op, now))
            continue;
        if (sent)
            break;
        lsu->stalled =
            !op->bypass_l1 && !lsu_has_buffer(sm); /* the network or a policy may have room in the next cycle: no sleep */
        count_stall(sm);
        return false;
    } while (--op->access_count && seldom(++sent < lsu->lanes) && next_has_own_bank(sm, op, now));
    sm->counters.stall_coalescing += op->access_count != 0;
    return !op->access_count;
}

static bool accesses_step(struct sm *sm, struct sm_op *op, uint64_t now)
{
    if (!op->executed || op->inst->class == CLASS_FENCE)
        return true;
    switch ((enum mem_space)op->space) {
    case SPACE_SHARED:
        if (op->delay)
            op->delay--;
        sm->counters.stall_shared += op->delay != 0;
        return !op->delay;
    case SPACE_CONST:
    case SPACE_PARAM: return read_only_step(sm, op, sm->l1c, &sm->lsu.constants_out, &sm->counters.stall_constant, now);
    case SPACE_TEXTURE:
        if (sm->texture)
            return texture_step(sm, op, now);
        return read_only_step(sm, op, sm->l1t, &sm->lsu.textures_out, &sm->counters.stall_texture, now);
    default: return memory_step(sm, op, now);
    }
}

static void dispatched_step(struct sm *sm, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    struct sm_op *op = lsu->dispatch;
    lsu->stalled = false;
    if (!op || !accesses_step(sm, op, now))
        return;
    op_give_back_accesses(sm, op);
    if (returns_data(op) && op->space == SPACE_SHARED) {
        if (ring_full(&lsu->shared, &lsu->shared_size))
            return;
        op->first_cycle = now;
        lsu->shared_op[ring_add(&lsu->shared, &lsu->shared_size)] = op;
        lsu->dispatch = NULL;
        return;
    }
    lsu->dispatch = NULL;
    const uint32_t w = op->warp;
    op->dispatched = true;
    if (op->pending && is_waited_for_in_the_pipe(op))
        return;
    if (!op->pending) {
        if (returns_data(op))
            warp_release_all(sm, w, op->inst);
        op_free(sm, op);
    }
    warp_leave_pipe(sm, w);
}

/* True when nothing is in the LSU, and nothing is on its way back to it except what the L1 holds. */
static bool is_quiet(const struct sm *sm)
{
    const struct sm_lsu *lsu = &sm->lsu;
    return !lsu->dispatch && !lsu->writeback && !lsu->uncached && !lsu->delayed &&
           !(lsu->responses.ring.count | lsu->before_l1 | lsu->shared.count | lsu->constants_out | lsu->textures_out |
             lsu->buffered | sm->injections);
}

/* Not inline, so that a quiet cycle can be. */
static __attribute__((noinline)) void busy_cycle(struct sm *sm, uint64_t now)
{
    const uint32_t waiting = waiting_clients(sm);
    if (waiting || sm->lsu.writeback)
        write_back(sm, waiting, now);
    if (seldom(sm->lsu.delayed))
        lsu_deliver_delayed(sm, now);
    take_replies(sm, now);
    if (sm->lsu.textures_out && sm->texture)
        texture_fifo_cycle(sm->texture);
    else if (sm->lsu.textures_out)
        readonly_cache_cycle(sm->l1t, now);
    if (sm->lsu.constants_out)
        readonly_cache_cycle(sm->l1c, now);
    if (seldom(sm->injections))
        sm_send_injections(sm, true);
    l1_cycle(sm->l1, now);
    access_l1(sm, sm->lsu.lane, now);
    if (seldom(sm->lsu.lanes > 1))
        access_other_banks(sm, now);
    const bool fed = lsu_has_buffer(sm) && lsu_buffer_drain(sm, now);
    dispatched_step(sm, now);
    if (lsu_has_buffer(sm) && !fed)
        (void)lsu_buffer_drain(sm, now); /* a policy's buffer costs no cycle when nothing else goes to the L1 */
    if (seldom(sm->injections))
        sm_send_injections(sm, false);
}

void lsu_cycle(struct sm *sm, uint64_t now)
{
    if (!is_quiet(sm) || mshr_has_ready(sm->l1_mshr)) {
        busy_cycle(sm, now);
        return;
    }
    l1_cycle(sm->l1, now);
    sm->lsu.stalled = false;
}

static bool texture_ready(const struct sm *sm)
{
    return sm->texture ? texture_fifo_has_ready(sm->texture) : readonly_cache_has_ready(sm->l1t);
}

uint64_t lsu_next_event(const struct sm *sm, uint64_t now)
{
    const struct sm_lsu *lsu = &sm->lsu;
    if (lsu_moves(sm) || mshr_has_ready(sm->l1_mshr) || (lsu->constants_out && readonly_cache_has_ready(sm->l1c)) ||
        (lsu->textures_out && texture_ready(sm)))
        return now + 1;
    uint64_t next = min64(l1_next_event(sm->l1, now + 1), readonly_cache_next_event(sm->l1c, now + 1));
    if (lsu->textures_out)
        next =
            min64(next, sm->texture ? texture_fifo_next_event(sm->texture, now + 1) : readonly_cache_next_event(sm->l1t, now + 1));
    if (lsu->shared.count)
        next = min64(next, max64(now + 1, lsu->shared_op[lsu->shared.head]->first_cycle + sm->config->shared_latency));
    if (lsu->delayed)
        next = min64(next, max64(now + 1, lsu->delayed->ready));
    if (lsu->buffered && !lsu_lane_full(sm, lsu->lane))
        next = now + 1;
    uint32_t i = 0;
    do {
        const struct lsu_lane *lane = &lsu->lane[i];
        if (lane->queue.count &&
            !(lane->refused && l1_version(sm->l1) == lane->refused_version && cache_refusal_lasts(lane->refused_cause)))
            next = min64(next, max64(now + 1, lane->due));
    } while (seldom(++i < lsu->lanes));
    return next;
}

void lsu_settle(struct sm *sm, uint64_t cycles)
{
    if (!sm->lsu.stalled)
        return;
    sm->counters.stall_data += cycles;
    sm->counters.stall_hit_behind += sm->lsu.hit_behind ? cycles : 0; /* asleep: neither the tags nor what waits has changed */
}
