/* linebacker where its rules end: what monitoring leaves behind, the arbiter's room, CTAs that end or wake out of turn, machines
 * other than the paper's. */
#include "linebacker_bench.h"

#define NO_THROTTLE "policy.linebacker.throttle=false"
#define ALL_LINES "policy.linebacker.select=all"

/* ---- load monitor ---- */

/* The tags of monitoring have no data behind them: what they name is not served once lines are kept. */
static void tags_of_monitoring_are_no_lines(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ NO_THROTTLE, NULL });
    tell(&b, 8, 5, OUTCOME_MISS, 0);
    evict(&b, 5, 0);
    select_load(&b);
    assert_false(ask(&b, 5).served);
    close_bench(&b);
}

/* Only the first two windows can switch it off: a load was found in the second, so windows without any go by. */
static void later_windows_without_loads_do_not_end_it(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    static const uint32_t hits[] = { 0, 50, 0, 0, 0, 50, 50 };
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(counters(&b)->selected, 0);
        count(&b, 8, hits[i], 50);
        end_window(&b, 1000);
    }
    assert_int_equal(counters(&b)->off, 0);
    assert_int_equal(counters(&b)->windows_monitored, 7);
    assert_int_equal(counters(&b)->selected, 1);
    close_bench(&b);
}

static void joined_misses_can_count_as_misses(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.merged_hits=false", NULL });
    tell(&b, 8, 5, OUTCOME_MERGED, 0);
    assert_int_equal(counters(&b)->monitor_hits, 0);
    assert_int_equal(counters(&b)->monitor_misses, 1);
    tell(&b, 8, 5, OUTCOME_BYPASSED, NO_WAY); /* of a warp without a token: the L1 has nothing to do with it */
    assert_int_equal(counters(&b)->monitor_misses, 1);
    close_bench(&b);
}

/* What one kernel selected is not taken over by another that has its place in the table. */
static void another_kernel_takes_nothing_over(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.keep=true", NULL });
    select_load(&b);
    char name[] = "a";
    while (policy_name_hash(name) % 8 != policy_name_hash("k") % 8 || name[0] == 'k')
        name[0]++;
    const struct policy_kernel k = {
        .name = name, .cycle = b.cycle, .warps_per_cta = 3, .registers_per_thread = 16, .max_ctas_per_sm = 4
    };
    hooks_kernel_end(&b.b.instance->hooks, &k);
    hooks_kernel_start(&b.b.instance->hooks, &k);
    assert_int_equal(counters(&b)->kept, 0);
    for (uint32_t i = 0; i < 4; i++)
        b.b.machine.registers[i].count = 0;
    close_bench(&b);
}

/* ---- victim tag table ---- */

static void lines_that_stores_and_flushes_drop_are_not_kept(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ ALL_LINES, NO_THROTTLE, NULL });
    struct policy_evicted e = { .address = 3 * 128, .line = 3, .set = 3, .sectors_held = 15, .reason = EVICTED_BY_STORE };
    hooks_evicted(l1(&b), &e);
    e.reason = EVICTED_BY_FLUSH;
    hooks_evicted(l1(&b), &e);
    assert_false(ask(&b, 3).served);
    assert_int_equal(counters(&b)->stored, 0);
    close_bench(&b);
}

static void a_line_that_leaves_again_keeps_its_register(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ ALL_LINES, NO_THROTTLE, NULL });
    evict(&b, 5, 0);
    evict(&b, 5 + 48, 0);
    evict(&b, 5, 0);
    const struct fake_machine *m = &b.b.machine;
    assert_int_equal(m->access_number[2], m->access_number[0]);
    for (uint64_t i = 2; i < 32; i++) {
        (void)serve_registers(&b);
        evict(&b, 5 + 48 * i, 0);
    }
    assert_int_equal(counters(&b)->replaced, 0);
    (void)serve_registers(&b);
    evict(&b, 5 + 48 * 32, 0); /* the set is full: the oldest goes */
    assert_int_equal(counters(&b)->replaced, 1);
    assert_false(ask(&b, 5 + 48).served);
    assert_true(ask(&b, 5).served);
    (void)serve_registers(&b);
    close_bench(&b);
}

/* 16 writes and 40 reads may be under way. A line more is dropped; a load that found its line waits, any other may miss. */
static void the_arbiter_has_room_for_so_many(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ ALL_LINES, NO_THROTTLE, NULL });
    for (uint64_t line = 0; line < 17; line++)
        evict(&b, line, 0);
    assert_int_equal(counters(&b)->stored, 16);
    assert_int_equal(counters(&b)->crowded_out, 1);
    assert_int_equal(serve_registers(&b), 16);
    const struct policy_access here = load(8, 3), elsewhere = load(8, 1000);
    for (uint32_t i = 0; i < 40; i++) {
        assert_true(ask(&b, 3).served);
        assert_true(hooks_may_miss(l1(&b), &here));
        struct policy_access a = here;
        a.request = (struct request *)(void *)&b; /* any */
        hooks_accessed(l1(&b), &a, OUTCOME_ELSEWHERE, NO_WAY);
    }
    assert_int_equal(counters(&b)->hits, 40);
    assert_int_equal(counters(&b)->partitions_searched, 40);
    assert_false(ask(&b, 3).served);
    assert_false(hooks_may_miss(l1(&b), &here));
    assert_true(hooks_may_miss(l1(&b), &elsewhere));
    assert_int_equal(serve_registers(&b), 40);
    assert_true(ask(&b, 3).served);
    tell(&b, 8, 1000, OUTCOME_MISS, 0); /* all eight were looked at */
    assert_int_equal(counters(&b)->searches, 41);
    assert_int_equal(counters(&b)->partitions_searched, 48);
    close_bench(&b);
}

/* What table 3's energy is spent on. While monitoring, all eight partitions are searched; a tag that is found ends the search. */
static void every_use_of_the_tags_counts(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ NO_THROTTLE, NULL });
    tell(&b, 8, 5, OUTCOME_MISS, 0);
    assert_int_equal(counters(&b)->tag_uses, 8);
    miss(&b, 8, 5 + 48, 0, 5); /* searched in vain, and the victim's tag stored */
    assert_int_equal(counters(&b)->tag_uses, 17);
    miss(&b, 8, 5, 0, 5 + 48); /* in the first partition */
    assert_int_equal(counters(&b)->tag_uses, 19);
    tell(&b, 8, 5, OUTCOME_HIT, 0);
    assert_int_equal(counters(&b)->tag_uses, 19);
    struct policy_access a = load(8, 7);
    a.write = true;
    hooks_accessed(l1(&b), &a, OUTCOME_WRITE_MISS, NO_WAY);
    assert_int_equal(counters(&b)->tag_uses, 27);
    close_bench(&b);
    open_bench(&b, 4, (const char *const[]){ ALL_LINES, NO_THROTTLE, NULL });
    evict(&b, 5, 0);
    tell(&b, 8, 5, OUTCOME_ELSEWHERE, NO_WAY);
    tell(&b, 8, 6, OUTCOME_MISS, 0);
    assert_int_equal(counters(&b)->tag_uses, 1 + 1 + 8);
    (void)serve_registers(&b);
    close_bench(&b);
}

static void a_miss_need_not_wait_for_the_search(void **state)
{
    (void)state;
    for (uint32_t waits = 0; waits < 2; waits++) {
        struct bench b;
        open_bench(&b, 4,
                   (const char *const[]){ ALL_LINES, NO_THROTTLE,
                                          waits ? "policy.linebacker.miss_waits=true" : "policy.linebacker.miss_waits=false",
                                          NULL });
        assert_int_equal(ask(&b, 3).cycles, waits ? 24 : 0);
        close_bench(&b);
    }
}

/* Ten CTAs end at register 480. A partition that begins there is free. */
static void a_partition_may_begin_where_the_last_cta_ends(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 10, (const char *const[]){ ALL_LINES, NO_THROTTLE, "policy.linebacker.offset=480", NULL });
    assert_int_equal(counters(&b)->partitions_opened, 8 * FAKE_SMS);
    close_bench(&b);
}

/* 24 KB in whole ways of the L1's sets: figure 14's caches. */
static void partitions_of_other_caches(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = { { 16, 12, 8 }, { 48, 4, 8 }, { 64, 3, 8 }, { 96, 2, 8 }, { 128, 1, 12 }, { 256, 1, 6 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct bound b;
        struct policy_geometry g = fake_geometry();
        g.registers_per_sm = 65536;
        g.ctas_per_sm = 32;
        g.cache[LEVEL_L1].sets = sizes[i][0];
        bind_policies_on(&b, NULL, &g, "linebacker", (const char *const[]){ ALL_LINES, NO_THROTTLE, NULL });
        const struct policy_self *self = &b.instance->self[0];
        struct policy_hardware rows[POLICY_HARDWARE_MAX];
        (void)self->policy->hardware(self->config, self->geometry, rows);
        assert_int_equal(rows[5].entries, sizes[i][0] * sizes[i][1] * sizes[i][2]);
        const struct policy_kernel k = { .name = "k", .warps_per_cta = 1, .max_ctas_per_sm = 1 };
        struct linebacker_counters sum;
        hooks_kernel_start(&b.instance->hooks, &k);
        policy_instance_counters(b.instance, 0, &sum);
        assert_int_equal(sum.partitions_opened, sizes[i][2] * FAKE_SMS);
        unbind_policies(&b);
    }
}

/* ---- CTA throttling logic ---- */

/* IPC_Var of a window after one in which nothing was issued has no value: nobody is throttled or woken. */
static void a_window_after_an_idle_one_decides_nothing(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    end_window(&b, 0);
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    end_window(&b, 1000);
    assert_int_equal(counters(&b)->throttles, 1);
    close_bench(&b);
}

/* Two are inactive; the one that still runs its last instructions ends. It is neither woken nor does another take its place, since
 * as many run as should. */
static void an_inactive_cta_that_ends_leaves_the_stack(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    end_window(&b, 1200);
    drain_of(&b, 3);
    move_all(&b);
    b.b.machine.registers[2].count = 0;
    hooks_cta_event(&b.b.instance->hooks.cta_end, &b.v.view, 2, 2);
    assert_int_equal(counters(&b)->wakes_end, 0);
    end_window(&b, 1000);
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    move_all(&b);
    assert_int_equal(running(&b) & WARPS_OF(3), WARPS_OF(3));
    end_window(&b, 800); /* nobody is left to be woken */
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    close_bench(&b);
}

/* The drained CTA has no warp that is not at its end: nothing is backed up. */
static void a_cta_that_is_about_to_end_keeps_its_registers(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    b.v.view.resident &= ~WARPS_OF(3);
    drain_of(&b, 3);
    assert_int_equal(b.b.machine.accesses, 0);
    close_bench(&b);
}

static void a_kernel_without_registers_is_not_throttled(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    const struct policy_kernel k = { .name = "k", .warps_per_cta = 3, .max_ctas_per_sm = 4 };
    hooks_kernel_start(&b.b.instance->hooks, &k);
    for (uint32_t i = 0; i < 4; i++) {
        b.b.machine.registers[i].count = 0;
        hooks_cta_event(&b.b.instance->hooks.cta_start, &b.v.view, i, i);
    }
    select_load(&b);
    assert_int_equal(counters(&b)->throttles, 0);
    close_bench(&b);
}

/* It counts among those that run, so that no new one comes for it. */
static void nobody_takes_the_place_of_a_cta_that_comes_back(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    drain_of(&b, 3);
    (void)serve_registers(&b);
    end_window(&b, 500); /* woken while its registers leave */
    assert_int_equal(hooks_cta_gate(&b.b.instance->hooks, &b.v.view, 8), 4);
    move_all(&b);
    close_bench(&b);
}

/* A new CTA would get registers of a partition that is closed for it, and into which a line is still being written: it waits. */
static void a_new_cta_waits_for_accesses_to_its_registers(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 16, NULL);
    const struct policy_hooks *h = &b.b.instance->hooks;
    select_load(&b); /* CTA 15 is made inactive, and ends */
    uint64_t ipc = 1000;
    for (uint32_t slot = 15; slot > 12; slot--) {
        b.b.machine.draining = 0;
        b.b.machine.registers[slot].count = 0;
        hooks_cta_event(&h->cta_end, &b.v.view, slot, slot);
        end_window(&b, ipc = ipc * 12 / 10);
    }
    drain_of(&b, 12);
    move_all(&b);
    assert_int_equal(counters(&b)->backups, 1);
    assert_int_equal(counters(&b)->partitions_opened, 7); /* 12 CTAs have 576 registers: all but the first */
    tell(&b, 8, 5, OUTCOME_MISS, 0);
    evict(&b, 5, 0); /* on its way into partition 1, from 704 on */
    assert_int_equal(b.b.machine.access_number[0], 704 + 5 * 4);
    for (uint32_t i = 0; i < 2; i++) /* CTA 12 comes back, and room is made for one more */
        end_window(&b, ipc = ipc * 8 / 10);
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 32), 14);
    b.b.machine.registers[13] = (struct policy_registers){ 13 * REGISTERS, REGISTERS };
    hooks_cta_event(&h->cta_start, &b.v.view, 13, 13);
    assert_int_equal(counters(&b)->partitions_closed, 0);
    end_window(&b, ipc * 8 / 10); /* the 15th needs register 704 */
    assert_int_equal(counters(&b)->partitions_closed, 1);
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 32), 14);
    move_all(&b);
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 32), 15);
    close_bench(&b);
}

static uint64_t backed_up_at(struct bench *b, uint32_t slot)
{
    drain_of(b, slot);
    assert_int_equal(serve_registers(b), 6);
    const uint64_t address = b->b.machine.inject_address[0];
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(b->b.machine.inject_address[i], address + i * 128);
    move_all(b);
    return address;
}

/* Backups lie one after the other, and a CTA that comes back out of turn leaves its place alone free. */
static void every_backup_has_a_place_of_its_own(void **state)
{
    (void)state;
    struct bench b;
    const uint64_t base = 1ull << 37, bytes = REGISTERS * 128;
    open_bench(&b, 5, (const char *const[]){ "policy.linebacker.patience=4", NULL });
    select_load(&b);
    assert_int_equal(backed_up_at(&b, 4), base);
    end_window(&b, 1200);
    assert_int_equal(backed_up_at(&b, 3), base + bytes);
    end_window(&b, 1500);
    assert_int_equal(backed_up_at(&b, 2), base + 2 * bytes);
    end_window(&b, 1500);
    end_window(&b, 1500);
    assert_int_equal(counters(&b)->wakes_patience, 1); /* CTA 4, which was the first */
    assert_int_equal(b.b.machine.inject_address[0], base);
    move_all(&b);
    end_window(&b, 2000); /* CTA 3 comes back for want of patience, and CTA 4 leaves again */
    assert_int_equal(counters(&b)->wakes_patience, 2);
    move_all(&b);
    assert_int_equal(backed_up_at(&b, 4), base);
    close_bench(&b);
}

/* ---- figure 11's parts ---- */

/* "Victim Caching": every line from the first cycle on. "Selective Victim Caching": lines of selected loads. Neither throttles. */
static void the_parts_of_linebacker(void **state)
{
    (void)state;
    for (uint32_t selective = 0; selective < 2; selective++) {
        struct bench b;
        open_named(&b, selective ? "svc" : "victim-caching", 4, NULL);
        evict(&b, 3, 0);
        assert_int_equal(ask(&b, 3).served, !selective);
        (void)serve_registers(&b);
        for (uint32_t i = 0; i < 3; i++) {
            count(&b, 8, 30, 70);
            end_window(&b, 1000 + 500 * i); /* the IPC rises */
        }
        assert_int_equal(counters(&b)->selected, selective);
        tell(&b, 8, 4, OUTCOME_MISS, 1);
        evict(&b, 4, 1);
        assert_true(ask(&b, 4).served);
        tell(&b, 16, 5, OUTCOME_MISS, 2); /* a load without locality */
        evict(&b, 5, 2);
        assert_int_equal(ask(&b, 5).served, !selective);
        assert_int_equal(counters(&b)->throttles, 0);
        (void)serve_registers(&b);
        close_bench(&b);
    }
}

/* Selective victim caching has no throttling logic but #reg and LRN; victim caching no load monitor, either. What a part lacks
 * costs no energy. */
static void the_parts_have_their_own_storage(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t structures, bits;
    } parts[] = { { "linebacker", 7, (240 + 392 + 12 + 180 + 4608 + 792) * 8 + 54 },
                  { "svc", 4, (240 + 392 + 4608) * 8 + 22 },
                  { "victim-caching", 2, 4608 * 8 + 22 } };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct bench b;
        open_named(&b, parts[i].name, 4, NULL);
        const struct policy_self *self = &b.b.instance->self[0];
        struct policy_structure s[POLICY_STRUCTURES_MAX];
        const uint32_t count = policy_structures(self->policy, self->config, self->geometry, s);
        uint64_t bits = 0;
        for (uint32_t k = 0; k < count; k++)
            bits += s[k].entries * s[k].bits;
        assert_int_equal(count, parts[i].structures);
        assert_int_equal(bits, parts[i].bits);
        close_bench(&b);
    }
}

/* ---- figure 6 ---- */

/* Section 3.2's example: four CTAs, two windows of monitoring (P0, P1), CTA 3 is throttled; in P2 the IPC rises, CTA 2 is
 * throttled; in P3 it does not, CTA 2 comes back in P4; in P5 CTA 0 ends, CTA 3 comes back. By section 3.2's rule of waking. */
static void figure_6(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.wake=not-above", NULL });
    select_load(&b); /* P0, P1 */
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(3));
    drain_of(&b, 3);
    move_all(&b);
    end_window(&b, 1150); /* P2 */
    assert_int_equal(running(&b), WARPS_OF(0) | WARPS_OF(1));
    drain_of(&b, 2);
    move_all(&b);
    end_window(&b, 1200); /* P3 */
    move_all(&b);
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(3));
    b.b.machine.registers[0].count = 0; /* in P5 */
    hooks_cta_event(&b.b.instance->hooks.cta_end, &b.v.view, 0, 0);
    b.v.view.resident &= ~WARPS_OF(0);
    move_all(&b);
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(0));
    assert_int_equal(counters(&b)->backups, 2);
    assert_int_equal(counters(&b)->restores, 2);
    close_bench(&b);
}

/* ---- table 3 ---- */

static void energies_are_the_papers(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    static const struct {
        const char *begins;
        double pj;
    } table_3[] = { { "hashed PC", 0.09 }, { "load monitor", 0.32 }, { "per-CTA info", 1.94 }, { "victim tags", 2.05 } };
    uint32_t found = 0;
    for (const struct policy_energy *e = b.b.instance->self[0].policy->energy; e->structure; e++)
        for (size_t i = 0; i < sizeof table_3 / sizeof *table_3; i++)
            if (strncmp(e->structure, table_3[i].begins, strlen(table_3[i].begins)) == 0) {
                assert_float_equal(e->use_pj, table_3[i].pj, 1e-9);
                found++;
            }
    assert_int_equal(found, 4);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_of_monitoring_are_no_lines),
        cmocka_unit_test(later_windows_without_loads_do_not_end_it),
        cmocka_unit_test(joined_misses_can_count_as_misses),
        cmocka_unit_test(another_kernel_takes_nothing_over),
        cmocka_unit_test(lines_that_stores_and_flushes_drop_are_not_kept),
        cmocka_unit_test(a_line_that_leaves_again_keeps_its_register),
        cmocka_unit_test(the_arbiter_has_room_for_so_many),
        cmocka_unit_test(every_use_of_the_tags_counts),
        cmocka_unit_test(a_miss_need_not_wait_for_the_search),
        cmocka_unit_test(a_partition_may_begin_where_the_last_cta_ends),
        cmocka_unit_test(partitions_of_other_caches),
        cmocka_unit_test(a_window_after_an_idle_one_decides_nothing),
        cmocka_unit_test(an_inactive_cta_that_ends_leaves_the_stack),
        cmocka_unit_test(a_cta_that_is_about_to_end_keeps_its_registers),
        cmocka_unit_test(a_kernel_without_registers_is_not_throttled),
        cmocka_unit_test(nobody_takes_the_place_of_a_cta_that_comes_back),
        cmocka_unit_test(a_new_cta_waits_for_accesses_to_its_registers),
        cmocka_unit_test(every_backup_has_a_place_of_its_own),
        cmocka_unit_test(the_parts_of_linebacker),
        cmocka_unit_test(the_parts_have_their_own_storage),
        cmocka_unit_test(figure_6),
        cmocka_unit_test(energies_are_the_papers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
