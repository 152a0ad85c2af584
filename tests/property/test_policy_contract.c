/* Every registered policy, every preset and the policies of the plug-ins given as arguments through one contract
 * (src/policy/policy.h), driven by a random but repeatable machine:
 *  - its declaration is whole;
 *  - a victim is a candidate, a set index is a set, a gate lets somebody run, an answer only asks for more;
 *  - no hook changes what it was shown;
 *  - the same calls give the same answers, also after an instance was thrown away;
 *  - its own invariants hold at every step. */
#include "../unit/policy/fake_machine.h"
#include "mem/l1.h"
#include "mem/l2_slice.h"
#include "sm/sm.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 30000, LIVE_REQUESTS = 64 };

struct drive {
    struct bound b;
    uint64_t random, digest, cycle, next_kernel;
    struct {
        uint64_t address;
        bool valid;
    } tags[LEVEL_COUNT][16][64][16];
    uint8_t queued[LIVE_REQUESTS]; /* which handles are inside the policy's LSU queue */
};

static uint64_t draw(struct drive *d, uint64_t below)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 7;
    d->random ^= d->random << 17;
    return (d->random >> 11) % below;
}

static void note(struct drive *d, uint64_t answer)
{
    d->digest = (d->digest ^ answer) * 0x100000001b3u;
}

static struct policy_access draw_access(struct drive *d, uint32_t level)
{
    const uint32_t unit = (uint32_t)draw(d, level == LEVEL_L1 ? 4 : 3);
    /* Half of the accesses to a small working set, half to a stream. */
    const uint64_t address = draw(d, 2) ? draw(d, 300) * 128 : 0x100000 + d->cycle * 128;
    struct policy_access a = fake_load(level, unit, address, d->b.instance->geometry.cache[level].sets);
    a.cycle = d->cycle;
    a.pc = draw(d, 8) * 8;
    a.warp = (uint16_t)draw(d, 48);
    a.cta = a.warp / 6u;
    a.write = draw(d, 5) == 0;
    a.atomic = !a.write && draw(d, 30) == 0;
    a.local = !a.atomic && draw(d, 10) == 0;
    a.sectors = (uint8_t)(1 + draw(d, 15));
    a.transactions = (uint8_t)(1 + draw(d, 32));
    a.request = (struct request *)(uintptr_t)(64 + (LIVE_REQUESTS + draw(d, LIVE_REQUESTS)) * 64); /* none that an LSU holds */
    return a;
}

/* The access as shown must be as it was. */
#define SHOWN(call_)                                                                                                               \
    do {                                                                                                                           \
        const struct policy_access before_ = a;                                                                                    \
        call_;                                                                                                                     \
        assert_memory_equal(&before_, &a, sizeof a);                                                                               \
    } while (0)

static uint32_t choose_way(struct drive *d, const struct cache_hooks *h, const struct policy_access *shown, uint32_t ways)
{
    struct policy_access a = *shown;
    uint64_t candidates[1] = { 0 };
    for (uint32_t w = 0; w < ways; w++) {
        if (!d->tags[a.level][a.unit][a.set][w].valid)
            return w;
        candidates[0] |= (uint64_t)(draw(d, 4) != 0) << w; /* some ways are reserved */
    }
    if (!candidates[0])
        return NO_WAY;
    if (!h->replacement.owner)
        return (uint32_t)__builtin_ctzll(candidates[0]);
    bool declined = false, again = false;
    if (h->replacement.call.declines) {
        SHOWN(declined = h->replacement.call.declines(h->replacement.self, &a, candidates));
        SHOWN(again = h->replacement.call.declines(h->replacement.self, &a, candidates));
        assert_int_equal(declined, again); /* asking changes nothing */
    }
    note(d, declined);
    if (declined)
        return NO_WAY;
    uint32_t way = NO_WAY;
    SHOWN(way = h->replacement.call.victim(h->replacement.self, &a, candidates));
    assert_true(way < ways && (candidates[0] >> way & 1));
    note(d, way);
    return way;
}

static void evict(struct drive *d, const struct cache_hooks *h, const struct policy_access *by, uint32_t way, uint8_t reason)
{
    const struct policy_evicted e = { .address = d->tags[by->level][by->unit][by->set][way].address,
                                      .line = d->tags[by->level][by->unit][by->set][way].address / 128,
                                      .cycle = d->cycle,
                                      .unit = by->unit,
                                      .set = by->set,
                                      .way = way,
                                      .level = by->level,
                                      .reason = reason,
                                      .sectors_used = 1,
                                      .by = by };
    if (h->replacement.owner)
        h->replacement.call.removed(h->replacement.self, &e);
    hooks_evicted(h, &e);
    d->tags[by->level][by->unit][by->set][way].valid = false;
}

static void touch_cache(struct drive *d, uint32_t level)
{
    const struct cache_hooks *h = &d->b.instance->hooks.cache[level];
    const struct policy_cache_geometry *g = &d->b.instance->geometry.cache[level];
    struct policy_access a = draw_access(d, level);
    if (h->set_index.owner) {
        uint32_t set = 0;
        SHOWN(set = h->set_index.call(h->set_index.self, &a));
        assert_true(set < g->sets);
        a.set = set;
        note(d, a.set);
    }
    struct policy_lookup lookup = { .fill_bytes = 128 };
    SHOWN(hooks_before_lookup(h, &a, &lookup));
    assert_true(lookup.fill_bytes == 32 || lookup.fill_bytes == 64 || lookup.fill_bytes == 128);
    note(d, lookup.bypass * 2u + lookup.no_allocate);
    uint32_t way = NO_WAY;
    for (uint32_t w = 0; w < g->ways; w++)
        if (d->tags[level][a.unit][a.set][w].valid && d->tags[level][a.unit][a.set][w].address == a.address)
            way = w;
    if (a.write) {
        SHOWN(hooks_accessed(h, &a, way == NO_WAY ? OUTCOME_WRITE_MISS : OUTCOME_WRITE_HIT, way));
        if (way != NO_WAY && level == LEVEL_L1)
            evict(d, h, &a, way, EVICTED_BY_STORE);
        return;
    }
    if (a.atomic || lookup.bypass || (way == NO_WAY && lookup.no_allocate)) {
        SHOWN(hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY));
        return;
    }
    if (way != NO_WAY) {
        const bool pending = draw(d, 6) == 0;
        if (h->replacement.owner)
            SHOWN(h->replacement.call.promoted(h->replacement.self, &a, way, pending));
        SHOWN(hooks_accessed(h, &a, pending ? OUTCOME_MERGED : OUTCOME_HIT, way));
        return;
    }
    if (draw(d, 10) == 0) {
        const enum policy_cause cause = (enum policy_cause)draw(d, CAUSE_COUNT);
        enum policy_refusal answer = REFUSAL_WAIT;
        SHOWN(answer = hooks_refused(h, &a, cause));
        note(d, answer);
        SHOWN(hooks_refused_end(h, &a, cause, draw(d, 100)));
        if (answer == REFUSAL_BYPASS) {
            SHOWN(hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY));
            return;
        }
    }
    way = choose_way(d, h, &a, g->ways);
    if (way == NO_WAY) {
        SHOWN(hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY));
        return;
    }
    if (d->tags[level][a.unit][a.set][way].valid)
        evict(d, h, &a, way, EVICTED_BY_FILL);
    d->tags[level][a.unit][a.set][way].address = a.address;
    d->tags[level][a.unit][a.set][way].valid = true;
    if (h->replacement.owner)
        SHOWN(h->replacement.call.inserted(h->replacement.self, &a, way));
    SHOWN(hooks_accessed(h, &a, OUTCOME_MISS, way));
    SHOWN(hooks_filled(h, &a, way));
}

static void touch_sm(struct drive *d)
{
    const struct policy_hooks *h = &d->b.instance->hooks;
    const uint32_t sm = (uint32_t)draw(d, 4);
    struct fake_view f;
    fake_view_fill(&f, sm, 48, d->cycle);
    f.view.resident &= ~(draw(d, 256) << draw(d, 40));
    f.view.at_barrier = f.view.resident & draw(d, 4096) & ~1ull;
    f.view.memory_next = draw(d, 1ull << 48);
    d->b.machine.warp[draw(d, 48)] =
        (struct policy_warp){ .wait = (uint8_t)draw(d, WAIT_DONE + 1), .unsent = (uint32_t)draw(d, 3) };
    const struct fake_view shown = f;
    struct policy_gate gate;
    hooks_warp_gate(h, &f.view, &gate);
    assert_true((gate.run & gate.memory & gate.loads & f.view.resident & ~f.view.at_barrier) != 0 ||
                (f.view.resident & ~f.view.at_barrier) == 0 || (gate.loads & f.view.at_barrier) != 0);
    note(d, gate.run & f.view.resident);
    note(d, gate.loads & f.view.resident);
    note(d, hooks_cta_gate(h, &f.view, 8));
    const uint32_t scheduler = (uint32_t)draw(d, 2);
    const uint64_t candidates = f.view.resident & f.view.scheduler_slots[scheduler];
    if (h->order.owner && candidates) {
        if (h->order.call.cycle)
            h->order.call.cycle(h->order.self, &f.view, scheduler);
        const uint32_t slot = h->order.call.pick(h->order.self, &f.view, scheduler, candidates);
        assert_true(slot == NO_SLOT || (slot < 64 && (candidates >> slot & 1)));
        note(d, slot);
        if (h->order.call.issued && slot != NO_SLOT)
            h->order.call.issued(h->order.self, &f.view, scheduler, slot);
    }
    const struct inst inst = { .class = CLASS_LOAD, .space = SPACE_GLOBAL };
    hooks_issued(h, &f.view, (uint32_t)draw(d, 48), &inst, UINT32_MAX);
    if (draw(d, 50) == 0)
        hooks_warp_event(&h->warp_start, &f.view, (uint32_t)draw(d, 48));
    assert_memory_equal(&shown, &f, sizeof f);
}

/* What is pushed comes out once; what is refused stays inside. */
static void touch_lsu(struct drive *d)
{
    const struct policy_hooks *h = &d->b.instance->hooks;
    if (!h->lsu.owner)
        return;
    struct policy_access a = draw_access(d, LEVEL_L1);
    a.unit = a.sm = 0;
    const size_t handle = draw(d, LIVE_REQUESTS);
    a.request = (struct request *)(uintptr_t)(64 + handle * 64);
    bool pushed = false;
    if (!d->queued[handle]) {
        SHOWN(pushed = h->lsu.call.push(h->lsu.self, &a));
        d->queued[handle] = pushed;
        note(d, pushed);
    }
    struct request *r = h->lsu.call.next(h->lsu.self, 0, d->cycle);
    if (!r)
        return;
    const size_t given = (size_t)(uintptr_t)r / 64 - 1;
    assert_true(given < LIVE_REQUESTS && d->queued[given]);
    note(d, given);
    if (draw(d, 4) == 0)
        return; /* the pipeline before the L1 has no room */
    h->lsu.call.taken(h->lsu.self, 0, r);
    if (h->lsu.call.returned && draw(d, 2)) {
        h->lsu.call.returned(h->lsu.self, 0, r, CAUSE_MSHR_ENTRY);
        return;
    }
    a.request = r;
    SHOWN(hooks_accessed(&h->cache[LEVEL_L1], &a, OUTCOME_HIT, 0));
    d->queued[given] = 0;
}

static void touch_serial(struct drive *d)
{
    struct policy_hooks *h = &d->b.instance->hooks;
    if (h->page.owner) {
        const uint64_t page = draw(d, 1000);
        const uint32_t from = (uint32_t)draw(d, fake_geometry().modules), to = h->page.call.owner(h->page.self, page, from);
        assert_true(to < fake_geometry().modules);
        note(d, to);
    }
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++) {
        struct policy_totals *t = &d->b.machine.totals[sm];
        t->thread_instructions += draw(d, 3000);
        t->l1_misses += draw(d, 100);
        d->b.machine.occupancy[sm].mshr_entries = (uint32_t)draw(d, 33);
        d->b.machine.occupancy[sm].texture_free = (uint32_t)draw(d, 5);
    }
    if (d->cycle >=
        d->next_kernel) { /* long enough for dwt-cs to find a limit, then soon enough to forget it in the midst of a search */
        const struct policy_kernel k = { .name = d->next_kernel % 2 ? "first" : "second", .cycle = d->cycle };
        d->next_kernel += d->next_kernel % 2 ? 79000 : 29001;
        if (d->cycle)
            hooks_kernel_end(h, &k);
        hooks_kernel_start(h, &k);
    }
    if (d->cycle >= h->next_period)
        hooks_serial(h, d->cycle);
}

/* The counters of a policy are in the digest too; a preset has several, which the machine's laws cover. */
static uint64_t drive_policies(const struct policy_library *library, const char *names, const struct policy *p)
{
    static struct drive d;
    memset(&d, 0, sizeof d);
    d.random = 88172645463325252u;
    bind_policies_of(&d.b, library, names, NULL);
    for (uint32_t step = 0; step < STEPS; step++) {
        touch_serial(&d);
        touch_cache(&d, LEVEL_L1);
        touch_cache(&d, LEVEL_L2);
        touch_sm(&d);
        touch_lsu(&d);
        d.cycle += 1 + draw(&d, 10);
        const char *which = NULL;
        if (step % 997 == 0)
            assert_null(policy_instance_broken(d.b.instance, &which));
    }
    if (p && p->counters) {
        static uint64_t counters[1024];
        assert_true(p->counters->size <= sizeof counters);
        policy_instance_counters(d.b.instance, 0, counters);
        assert_null(stat_check(p->counters, counters));
        for (size_t i = 0; i < p->counters->size / 8; i++)
            note(&d, counters[i]);
    }
    unbind_policies(&d.b);
    return d.digest;
}

static void same_calls_same_answers(void **state)
{
    (void)state;
    for (const struct policy *const *p = policy_all(); *p; p++)
        assert_int_equal(drive_policies(NULL, (*p)->name, *p), drive_policies(NULL, (*p)->name, *p));
    for (const struct policy_preset *p = policy_presets(); p->name; p++)
        assert_int_equal(drive_policies(NULL, p->name, NULL), drive_policies(NULL, p->name, NULL));
}

static void plugins_keep_it_too(void **state)
{
    const struct policy_library *library = *state;
    const struct policy *p;
    uint32_t count = 0;
    for (; (p = policy_library_at(library, count)); count++)
        assert_int_equal(drive_policies(library, p->name, p), drive_policies(library, p->name, p));
    assert_true(count > 0);
}

static void declarations_are_whole(void **state)
{
    (void)state;
    const struct policy_geometry g = fake_geometry();
    for (const struct policy *const *list = policy_all(); *list; list++) {
        const struct policy *p = *list;
        assert_true(p->name && p->name[0] && p->summary && p->summary[0] && p->source && p->source[0]);
        for (const char *c = p->name; *c; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
        assert_ptr_equal(policy_find(NULL, p->name), p);
        assert_int_equal(p->params != NULL, p->config_size != 0);
        assert_true(!p->gpu.every_cycles || p->cycle_period);
        assert_true(!p->cache.every_accesses || p->access_period);
        if (p->counters) {
            char expected[64];
            (void)snprintf(expected, sizeof expected, "%s", p->name);
            for (char *c = expected; *c; c++)
                *c = *c == '-' ? '_' : *c;
            assert_string_equal(p->counters->name, expected);
        }
        struct error err = { 0 };
        struct policy_set *set = policy_set_new(NULL, p->name, &err);
        struct policy_hardware rows[POLICY_HARDWARE_MAX];
        const uint32_t count = p->hardware ? p->hardware(policy_set_config(set, 0), &g, rows) : 0;
        assert_true(count <= POLICY_HARDWARE_MAX);
        for (uint32_t i = 0; i < count; i++)
            assert_true(rows[i].name && rows[i].entries > 0 && rows[i].bits > 0);
        policy_set_free(set);
    }
}

static bool in_group(const struct stat_group *group, const char *name)
{
    const size_t length = group ? strlen(group->name) : 0;
    if (!group || strncmp(name, group->name, length) || name[length] != '.')
        return false;
    for (const struct stat_counter *c = group->counters; c->name; c++)
        if (!strcmp(c->name, name + length + 1))
            return true;
    return false;
}

/* Every name of a sum "a.b+c.d" is a counter of the machine or of the policy. */
static bool are_counters(const struct policy *p, const char *uses)
{
    for (const char *at = uses; *at;) {
        char name[96];
        const size_t length = strcspn(at, "+-");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (strcmp(name, "warp_instructions") && strcmp(name, "cycles") && !in_group(&l1_stat_group, name) &&
            !in_group(&l2_stat_group, name) && !in_group(&sm_stat_group, name) && !in_group(p->counters, name))
            return false;
        at += length + (at[length] != '\0');
    }
    return *uses != '\0';
}

/* A structure without an energy is an error here, not a zero in a result. */
static void every_structure_has_an_energy(void **state)
{
    (void)state;
    const struct policy_geometry g = fake_geometry();
    for (const struct policy *const *list = policy_all(); *list; list++) {
        const struct policy *p = *list;
        struct error err = { 0 };
        struct policy_set *set = policy_set_new(NULL, p->name, &err);
        struct policy_structure s[POLICY_STRUCTURES_MAX];
        const uint32_t count = policy_structures(p, policy_set_config(set, 0), &g, s);
        for (uint32_t k = 0; k < count; k++) {
            if (!s[k].uses || !are_counters(p, s[k].uses))
                fail_msg("%s: '%s' is used by '%s', which is not made of counters", p->name, s[k].name, s[k].uses ? s[k].uses : "");
            if (!s[k].entries && s[k].use_pj <= 0)
                fail_msg("%s: '%s' is no structure of its hardware rows and has no energy of its own", p->name, s[k].name);
        }
        for (const struct policy_energy *e = p->energy; e && e->structure; e++)
            if ((e->use_pj > 0 || e->leakage_mw > 0) && !e->source)
                fail_msg("%s: '%s' has a number without a source", p->name, e->structure);
        policy_set_free(set);
    }
}

static void presets_can_be_bound(void **state)
{
    (void)state;
    for (const struct policy_preset *p = policy_presets(); p->name; p++) {
        struct bound b;
        bind_policies(&b, p->name, NULL);
        assert_null(policy_find(NULL, p->name));
        unbind_policies(&b);
    }
}

int main(int argc, char **argv)
{
    struct policy_library *library = policy_library_new();
    struct error err = { 0 };
    for (int i = 1; i < argc; i++)
        if (!policy_library_load(library, argv[i], &err)) {
            (void)fprintf(stderr, "%s\n", err.text);
            return 1;
        }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_whole),
        cmocka_unit_test(every_structure_has_an_energy),
        cmocka_unit_test(presets_can_be_bound),
        cmocka_unit_test(same_calls_same_answers),
        cmocka_unit_test_prestate(plugins_keep_it_too, library),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    policy_library_free(library);
    return failed;
}
