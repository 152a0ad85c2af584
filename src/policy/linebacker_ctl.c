/* linebacker_ctl.c - the CTA throttling logic: which CTAs run, and the way of their registers to memory and back. See linebacker.c.
 */
#include "policy/linebacker.h"

/* ---- backup and restore ---------------------------------------------------------------------------------------------- */

static void begin_move(struct linebacker_sm *sm, uint32_t slot, enum cta_state state)
{
    sm->cta[slot].state = (uint8_t)state;
    sm->moving = slot;
    sm->moved = sm->done = 0;
}

/* The CTA that is next: one that wants to run goes before one that leaves. */
static void choose_move(const struct policy_self *self, uint32_t id)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    for (uint32_t slot = 0; slot < CTAS && sm->moving == NO_SLOT; slot++)
        if (sm->cta[slot].state == WAKING && !linebacker_registers_busy(sm) &&
            self->machine->take_registers(self->machine->gpu, id, slot))
            begin_move(sm, slot, RESTORING);
    for (uint32_t slot = 0; slot < CTAS && sm->moving == NO_SLOT; slot++)
        if (sm->cta[slot].state == DRAINED)
            begin_move(sm, slot, SAVING);
}

/* Moves one entry of the buffer a step on, if the banks or the network have room. */
static void push_entry(const struct policy_self *self, uint32_t id, uint32_t i)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    const struct policy_machine *m = self->machine;
    const uint32_t stage = sm->buffer[i].stage, index = sm->buffer[i].index;
    const uint64_t address = sm->cta[sm->moving].address + (uint64_t)index * LINE_BYTES, token = TOKEN(TOKEN_BUFFER, i);
    const uint32_t number = m->cta_registers(m->gpu, id, sm->moving).first + index;
    const bool gone = stage == TO_READ    ? m->access_register(m->gpu, id, number, false, 0, token)
                      : stage == TO_SEND  ? m->inject(m->gpu, id, address, LINE_BYTES, true, false, token)
                      : stage == TO_FETCH ? m->inject(m->gpu, id, address, LINE_BYTES, false, true, token)
                      : stage == TO_WRITE ? m->access_register(m->gpu, id, number, true, 0, token)
                                          : false;
    sm->buffer[i].stage = (uint8_t)(stage + gone);
}

static void pump(const struct policy_self *self, uint32_t id)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    if (sm->moving == NO_SLOT)
        choose_move(self, id);
    for (uint32_t i = 0; i < BUFFER && sm->moving != NO_SLOT; i++) {
        if (sm->buffer[i].stage == FREE && sm->moved < sm->cta_registers) {
            sm->buffer[i].stage = sm->cta[sm->moving].state == SAVING ? TO_READ : TO_FETCH;
            sm->buffer[i].index = sm->moved++;
        }
        push_entry(self, id, i);
    }
}

static void move_done(const struct policy_self *self, uint32_t id, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    struct linebacker_counters *count = policy_sm_counters(self, id);
    const uint32_t slot = sm->moving;
    sm->moving = NO_SLOT;
    if (sm->cta[slot].state == RESTORING) {
        sm->cta[slot].state = ACTIVE;
        count->restores++;
        self->machine->regate(self->machine->gpu, id);
    } else {
        self->machine->release_registers(self->machine->gpu, id, slot);
        sm->cta[slot].state = sm->cta[slot].wanted ? WAKING : SAVED;
        sm->cta[slot].wanted = false;
        count->backups++;
        linebacker_set_partitions(self, id, true, cycle);
    }
}

/* The entry's access or request is done. */
static void advance(const struct policy_self *self, uint32_t id, uint32_t i, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    struct linebacker_counters *count = policy_sm_counters(self, id);
    if (++sm->buffer[i].stage == TO_FETCH) { /* one state past SENDING and one past WRITING mean that it is done */
        count->registers_saved++;
        sm->buffer[i].stage = FREE;
    } else if (sm->buffer[i].stage > WRITING) {
        count->registers_restored++;
        sm->buffer[i].stage = FREE;
    }
    if (sm->buffer[i].stage == FREE && ++sm->done == sm->cta_registers)
        move_done(self, id, cycle);
}

void linebacker_injected(struct policy_self *self, const struct policy_sm_view *v, uint64_t token)
{
    if (token >> 48 != TOKEN_MARK)
        return;
    advance(self, v->sm, (uint32_t)token, v->cycle);
    pump(self, v->sm);
}

void linebacker_register_done(struct policy_self *self, const struct policy_sm_view *v, uint64_t token)
{
    struct linebacker_sm *sm = policy_sm_state(self, v->sm);
    const uint32_t kind = (uint32_t)(token >> 32 & 0xFFFF), i = (uint32_t)token;
    if (token >> 48 != TOKEN_MARK)
        return;
    if (kind == TOKEN_BUFFER) {
        advance(self, v->sm, i, v->cycle);
    } else if (kind == TOKEN_STORE) {
        sm->writes--;
        sm->in_flight[i]--;
    } else {
        self->machine->deliver(self->machine->gpu, v->sm, sm->read[i].request);
        sm->in_flight[sm->read[i].partition]--;
        sm->read[i].request = NULL;
        sm->reads--;
    }
    pump(self, v->sm);
}

/* ---- CTA throttling logic -------------------------------------------------------------------------------------------- */

/* BP: the first address at which no inactive CTA's registers are or will be. They lie like the stack, as in the paper, unless one
 * left it out of turn. */
static uint64_t backup_address(const struct policy_self *self, uint32_t id)
{
    const struct linebacker_sm *sm = policy_sm_state(self, id);
    const struct linebacker_config *c = self->config;
    const uint64_t bytes = (uint64_t)sm->cta_registers * LINE_BYTES, first = c->backup_base + id * CTAS * bytes;
    uint32_t taken = 0;
    for (uint32_t slot = 0; slot < CTAS; slot++)
        if (sm->cta[slot].state > ACTIVE)
            taken |= 1u << (sm->cta[slot].address - first) / bytes;
    return first + (uint32_t)__builtin_ctz(~taken) * bytes;
}

static void throttle_one(const struct policy_self *self, uint32_t id)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    if (ctas_in(sm, 1u << ACTIVE) < 2 || !sm->cta_registers)
        return; /* one always stays; a kernel without registers has nothing to give */
    uint32_t slot = CTAS - 1;
    while (sm->cta[slot].state != ACTIVE)
        slot--;
    sm->cta[slot].address = backup_address(self, id);
    sm->cta[slot].state = DRAINING;
    sm->cta[slot].windows = 0;
    sm->stack[sm->depth++] = (uint8_t)slot;
    sm->target = active_ctas(sm);
    ((struct linebacker_counters *)policy_sm_counters(self, id))->throttles++;
    self->machine->regate(self->machine->gpu, id);
    self->machine->drain_cta(self->machine->gpu, id, slot);
}

static uint32_t take_from_stack(struct linebacker_sm *sm, uint32_t at)
{
    const uint32_t slot = sm->stack[at];
    for (sm->depth--; at < sm->depth; at++)
        sm->stack[at] = sm->stack[at + 1];
    return slot;
}

/* The inactive CTA at this place of the stack runs again as soon as its registers are there. */
static void wake_at(const struct policy_self *self, uint32_t id, uint32_t at, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    const uint32_t slot = take_from_stack(sm, at);
    switch (sm->cta[slot].state) {
    case SAVED: sm->cta[slot].state = WAKING; break;
    case SAVING: sm->cta[slot].wanted = true; break;
    default: sm->cta[slot].state = ACTIVE; break; /* its registers have not begun to leave */
    }
    linebacker_set_partitions(self, id, false, cycle);
    self->machine->regate(self->machine->gpu, id);
    pump(self, id);
}

/* One CTA more: an inactive one, or room for a new one. */
static void wake_one(const struct policy_self *self, uint32_t id, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    sm->target = active_ctas(sm) + 1;
    if (sm->depth)
        wake_at(self, id, sm->depth - 1, cycle);
    else
        linebacker_set_partitions(self, id, false, cycle);
}

static void lose_patience(const struct policy_self *self, uint32_t id, uint64_t cycle)
{
    struct linebacker_sm *sm = policy_sm_state(self, id);
    const struct linebacker_config *c = self->config;
    for (uint32_t i = 0; i < sm->depth; i++)
        sm->cta[sm->stack[i]].windows++;
    if (!sm->depth || sm->cta[sm->stack[0]].windows < c->patience)
        return;
    sm->target = active_ctas(sm) + 1;
    wake_at(self, id, 0, cycle);
    ((struct linebacker_counters *)policy_sm_counters(self, id))->wakes_patience++;
}

/* What equation 1 says about the last window: above the upper bound (1), below the lower (-1), or between (0). */
static int ipc_change(const struct linebacker_config *c, uint64_t before, uint64_t now)
{
    if (!before)
        return 0;
    if (now * 100 > before * (100 + c->upper_percent))
        return 1;
    return now * 100 < before * (100 - c->lower_percent) ? -1 : 0;
}

void linebacker_control(const struct policy_self *self, uint32_t id, uint64_t instructions, uint64_t cycle)
{
    const struct linebacker_config *c = self->config;
    struct linebacker_sm *sm = policy_sm_state(self, id);
    int change = ipc_change(c, sm->before, instructions);
    if (c->forced) {
        sm->noise = sm->noise * 1664525u + 1013904223u;
        change = (int)(sm->noise >> 16) % 3 - 1;
    } else if (!sm->first_throttle) {
        sm->first_throttle = true;
        change = 1;
    }
    ((struct linebacker_counters *)policy_sm_counters(self, id))->alone += sm->depth && active_ctas(sm) == 1;
    lose_patience(self, id, cycle);
    if (change > 0)
        throttle_one(self, id);
    else if ((change < 0 || c->wake == WAKE_NOT_ABOVE) && (sm->depth || sm->target < sm->fit)) {
        ((struct linebacker_counters *)policy_sm_counters(self, id))->wakes_ipc += sm->depth != 0;
        wake_one(self, id, cycle);
    }
}

void linebacker_cta_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    (void)cta;
    struct linebacker_sm *sm = policy_sm_state(self, v->sm);
    for (uint32_t at = 0; at < sm->depth; at++)
        if (sm->stack[at] == cta_slot)
            (void)take_from_stack(sm, at); /* it was held back although all that it had left to do was to end */
    sm->cta[cta_slot].state = ABSENT;
    if (!sm->depth || active_ctas(sm) >= sm->target)
        return;
    ((struct linebacker_counters *)policy_sm_counters(self, v->sm))->wakes_end++;
    wake_at(self, v->sm, sm->depth - 1, v->cycle);
}

void linebacker_cta_drained(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    (void)cta;
    struct linebacker_sm *sm = policy_sm_state(self, v->sm);
    bool unfinished = false;
    for (uint64_t rest = v->resident; rest; rest &= rest - 1)
        unfinished |= v->cta[__builtin_ctzll(rest)] == cta_slot;
    if (sm->cta[cta_slot].state != DRAINING || !unfinished)
        return; /* woken meanwhile, or about to end */
    sm->cta[cta_slot].state = DRAINED;
    pump(self, v->sm);
}
