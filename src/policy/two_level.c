/* two-level - a scheduler issues only from a few active warps, in turn; a warp that reads what a load wrote, or waits at a barrier,
 * leaves for the pending pool, and the pool's head takes its place (Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011).
 *
 * The two papers differ: Narasiman's fetch groups have fixed members, and the next group issues when all of one wait; Gebhart's
 * active warps change one by one. This is the second, as GPGPU-Sim has it, and papers that name the first on that simulator
 * (Sethia et al., HPCA 2015, section V) do not say that they wrote another.
 *
 * As the reference does it: the pool is a first-in first-out queue of all other slots, empty ones and ended warps included, so that
 * live warps may have to wait until those have passed; and a register keeps its mark of "written by a load" until arithmetic
 * writes it, so that a warp whose data have long come is demoted too, and gets one cycle each time it comes round. */
#include "policy/policy.h"

enum { SLOTS_MAX = 64 };
struct config {
    uint32_t active;
};
struct scheduler {
    uint8_t active[SLOTS_MAX], pending[SLOTS_MAX];
    uint32_t active_count, pending_count, pending_head;
    uint32_t turned_by; /* by the last issue, which was in the cycle before `turned_until` */
    uint64_t turned_until;
    bool ready;
};

static const struct param params[] = {
    PARAM_U32(struct config, active, "active", 6, 1, 64, "warps", "warps per scheduler that may issue"), PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct scheduler);
}

static void push_pending(struct scheduler *s, uint8_t slot)
{
    s->pending[(s->pending_head + s->pending_count++) % SLOTS_MAX] = slot;
}

static void begin(struct scheduler *s, uint64_t slots, uint32_t most)
{
    s->ready = true;
    for (; slots; slots &= slots - 1) {
        const uint8_t slot = (uint8_t)__builtin_ctzll(slots);
        if (s->active_count < most)
            s->active[s->active_count++] = slot;
        else
            push_pending(s, slot);
    }
}

static uint64_t who_leaves(const struct policy_sm_view *v)
{
    return ~v->resident | v->at_barrier | v->reads_loaded;
}

static void replace(struct scheduler *s, uint64_t leaves, uint32_t most)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->active_count; i++) {
        if (leaves >> s->active[i] & 1)
            push_pending(s, s->active[i]);
        else
            s->active[kept++] = s->active[i];
    }
    s->active_count = kept;
    while (s->active_count < most && s->pending_count) {
        s->active[s->active_count++] = s->pending[s->pending_head];
        s->pending_head = (s->pending_head + 1) % SLOTS_MAX;
        s->pending_count--;
    }
}

static void cycle(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler)
{
    struct scheduler *s = policy_scheduler_state(self, v->sm, scheduler);
    const uint32_t most = ((const struct config *)self->config)->active;
    if (!s->ready)
        begin(s, v->scheduler_slots[scheduler], most);
    replace(s, who_leaves(v), most);
}

/* While the SM sleeps the same warps leave in each cycle. As soon as each of the others has passed the head of the pool, and is
 * active, those that leave go round: after as many cycles as there are of them all is as before. */
static void slept(struct policy_self *self, const struct policy_sm_view *v, uint64_t cycles)
{
    const uint32_t most = ((const struct config *)self->config)->active;
    const uint64_t leaves = who_leaves(v);
    for (uint32_t scheduler = 0; scheduler < self->geometry->schedulers_per_sm; scheduler++) {
        struct scheduler *s = policy_scheduler_state(self, v->sm, scheduler);
        const uint32_t round = (uint32_t)__builtin_popcountll(v->scheduler_slots[scheduler] & leaves);
        uint64_t left = cycles;
        if (left > SLOTS_MAX)
            left = round ? SLOTS_MAX + (left - SLOTS_MAX) % round : 1;
        for (; left; left--)
            replace(s, leaves, most);
    }
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const struct scheduler *s = policy_scheduler_state(self, v->sm, scheduler);
    for (uint32_t i = 0; i < s->active_count; i++)
        if (candidates >> s->active[i] & 1)
            return s->active[i];
    return NO_SLOT;
}

/* The warp after it goes first in the next cycle. With its second instruction of a cycle the list turns as far again, as the
 * reference does it. */
static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    struct scheduler *s = policy_scheduler_state(self, v->sm, scheduler);
    uint8_t turned[SLOTS_MAX];
    uint32_t at = 0;
    while (at < s->active_count && s->active[at] != slot)
        at++;
    if (s->turned_until == v->cycle + 1)
        at = s->turned_by;
    s->turned_until = v->cycle + 1;
    s->turned_by = at;
    for (uint32_t i = 0; i < s->active_count; i++)
        turned[i] = s->active[(at + 1 + i) % s->active_count];
    for (uint32_t i = 0; i < s->active_count; i++)
        s->active[i] = turned[i];
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const uint32_t active = ((const struct config *)config)->active;
    const uint32_t warps = (g->warps_per_sm + g->schedulers_per_sm - 1) / g->schedulers_per_sm;
    rows[0] = (struct policy_hardware){ "active warps", PER_SM, (uint64_t)active * g->schedulers_per_sm, 6 };
    rows[1] = (struct policy_hardware){ "pending warps", PER_SM,
                                        (uint64_t)(warps > active ? warps - active : 0) * g->schedulers_per_sm, 6 };
    return 2;
}

const struct policy policy_two_level = {
    .name = "two-level",
    .summary = "issue from a few active warps; those that wait for loads or barriers leave",
    .source = "Narasiman et al., MICRO 2011",
    .params = params,
    .config_size = sizeof(struct config),
    .needs = NEED_LOADED,
    .sizes = sizes,
    .hardware = hardware,
    .order = { .pick = pick, .issued = issued, .cycle = cycle, .slept = slept },
};
