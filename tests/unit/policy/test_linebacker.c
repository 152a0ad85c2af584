/* linebacker on a machine that the test plays: equation 2, the rules of the load monitor case by case, who is throttled and woken
 * in which order, and the way of a CTA's registers to memory and back. */
#include "linebacker_bench.h"

/* ---- load monitor ---- */

static void the_same_loads_in_two_windows_are_selected(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        count(&b, 8, 30, 70);
        count(&b, 16, 90, 10);
        count(&b, 24, 5, 95);
        assert_int_equal(counters(&b)->selected, 0);
        end_window(&b, 1000);
    }
    assert_int_equal(counters(&b)->selected, 1);
    assert_int_equal(counters(&b)->loads, 2);
    assert_int_equal(counters(&b)->windows_monitored, 2);
    close_bench(&b);
}

static void a_subset_selects_none_and_monitoring_goes_on(void **state)
{
    (void)state;
    for (uint32_t by_load = 0; by_load < 2; by_load++) {
        struct bench b;
        open_bench(&b, 4, by_load ? (const char *const[]){ "policy.linebacker.match=load", NULL } : NULL);
        count(&b, 8, 30, 70);
        count(&b, 16, 30, 70);
        end_window(&b, 1000);
        count(&b, 8, 30, 70);
        end_window(&b, 1000);
        assert_int_equal(counters(&b)->selected, by_load); /* section 4: each load by its own two bits */
        assert_int_equal(counters(&b)->off, 0);
        if (!by_load) {
            count(&b, 8, 30, 70); /* now the same set twice */
            end_window(&b, 1000);
            assert_int_equal(counters(&b)->selected, 1);
            assert_int_equal(counters(&b)->loads, 1);
            assert_int_equal(counters(&b)->windows_monitored, 3);
        }
        close_bench(&b);
    }
}

static void no_load_in_the_first_two_windows_ends_it(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    for (uint32_t i = 0; i < 4; i++) {
        count(&b, 8, i < 2 ? 20 : 90, i < 2 ? 80 : 10); /* 20 % is not above 20 % */
        end_window(&b, 1000);
    }
    assert_int_equal(counters(&b)->off, 1);
    assert_int_equal(counters(&b)->selected, 0);
    assert_int_equal(counters(&b)->windows_monitored, 2);
    assert_int_equal(counters(&b)->throttles, 0);
    close_bench(&b);
}

static void a_load_in_the_second_window_keeps_it_going(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        count(&b, 8, i ? 21 : 0, 79);
        end_window(&b, 1000);
    }
    assert_int_equal(counters(&b)->off, 0);
    assert_int_equal(counters(&b)->selected, 1);
    close_bench(&b);
}

static void a_new_kernel_is_monitored_anew_unless_kept(void **state)
{
    (void)state;
    for (uint32_t keep = 0; keep < 2; keep++) {
        struct bench b;
        open_bench(&b, 4, keep ? (const char *const[]){ "policy.linebacker.keep=true", NULL } : NULL);
        select_load(&b);
        const struct policy_kernel k = {
            .name = "k", .cycle = b.cycle, .warps_per_cta = 3, .registers_per_thread = 16, .max_ctas_per_sm = 4
        };
        hooks_kernel_end(&b.b.instance->hooks, &k);
        hooks_kernel_start(&b.b.instance->hooks, &k);
        assert_int_equal(counters(&b)->kept, keep);
        tell(&b, 8, 7, OUTCOME_MISS, 0);
        evict(&b, 7, 0);
        assert_int_equal(ask(&b, 7).served, keep); /* tags alone, or lines */
        for (uint32_t i = 0; i < 4; i++)
            b.b.machine.registers[i].count = 0;
        close_bench(&b);
    }
}

static void hits_in_the_victim_tags_count_and_joined_misses_too(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    tell(&b, 8, 5, OUTCOME_MISS, 0);
    evict(&b, 5, 0);
    assert_false(ask(&b, 5).served); /* there is no data yet */
    tell(&b, 8, 5, OUTCOME_MISS, 0); /* a hit in the tags */
    tell(&b, 8, 5, OUTCOME_MERGED, 0);
    assert_int_equal(counters(&b)->monitor_tag_hits, 1);
    assert_int_equal(counters(&b)->monitor_hits, 2);
    assert_int_equal(counters(&b)->monitor_misses, 1);
    tell(&b, 8, 5, OUTCOME_MISS, 0); /* its tag went with the hit */
    assert_int_equal(counters(&b)->monitor_misses, 2);
    close_bench(&b);
}

/* 40 lines of one set, one after the other: 8 in the L1 and 32 in the tags. The line that a miss asks for is the tags' oldest: it
 * is found before the tag of the line that it evicts comes in. With a 41st line nothing is ever found. */
static void the_tags_are_searched_before_the_victim_comes_in(void **state)
{
    (void)state;
    for (uint64_t lines = 40; lines <= 41; lines++) {
        struct bench b;
        open_bench(&b, 4, NULL);
        for (uint64_t i = 0; i < 8; i++)
            tell(&b, 8, 5 + 48 * i, OUTCOME_MISS, (uint32_t)i);
        for (uint64_t i = 8; i < 3 * lines; i++)
            miss(&b, 8, 5 + 48 * (i % lines), i % 8, 5 + 48 * ((i - 8) % lines));
        assert_int_equal(counters(&b)->monitor_tag_hits, lines == 40 ? 80 : 0);
        assert_int_equal(counters(&b)->monitor_misses, 3 * lines - counters(&b)->monitor_tag_hits);
        close_bench(&b);
    }
}

/* ---- victim tag table ---- */

/* Equation 2: register = 512 + partition x 192 + set x 4 + way; the partitions before are searched first, at 3 cycles each. */
static void a_line_lies_in_the_register_of_equation_2(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.throttle=false", NULL });
    select_load(&b);
    struct fake_machine *m = &b.b.machine;
    for (uint32_t i = 0; i < 32; i++) { /* 8 partitions x 4 ways of set 47, in order */
        tell(&b, 8, 47 + 48 * i, OUTCOME_MISS, 2);
        evict(&b, 47 + 48 * i, 2);
        assert_int_equal(m->access_number[0], 512 + i / 4 * 192 + 47 * 4 + i % 4);
        assert_true(m->access_write[0]);
        assert_int_equal(m->access_delay[0], 0);
        assert_int_equal(serve_registers(&b), 1);
    }
    assert_int_equal(m->access_number[0], 512 + 1535); /* the last one: 2047 */
    for (uint32_t i = 0; i < 32; i += 5) {
        assert_true(ask(&b, 47 + 48 * i).served && ask(&b, 47 + 48 * i).later);
        tell(&b, 16, 47 + 48 * i, OUTCOME_ELSEWHERE, NO_WAY);
        assert_int_equal(m->access_number[0], 512 + i / 4 * 192 + 47 * 4 + i % 4);
        assert_false(m->access_write[0]);
        assert_int_equal(m->access_delay[0], 3 * (i / 4 + 1));
        const uint32_t delivered = m->delivered;
        assert_int_equal(serve_registers(&b), 1);
        assert_int_equal(m->delivered, delivered + 1);
    }
    assert_false(ask(&b, 47 + 48 * 40).served);
    assert_int_equal(ask(&b, 47 + 48 * 40).cycles, 24); /* all eight were searched in vain */
    evict(&b, 47 + 48 * 40, 2);                         /* line 1 was used longest ago: 0 was read */
    (void)serve_registers(&b);
    assert_false(ask(&b, 47 + 48).served);
    assert_true(ask(&b, 47).served);
    close_bench(&b);
}

static void only_lines_of_selected_loads_are_kept(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.throttle=false", NULL });
    select_load(&b);
    tell(&b, 16, 3, OUTCOME_MISS, 1);
    evict(&b, 3, 1);
    assert_int_equal(counters(&b)->passed_over, 1);
    tell(&b, 16, 3, OUTCOME_MISS, 1);
    tell(&b, 8, 3, OUTCOME_HIT, 1); /* the load that touched it last */
    evict(&b, 3, 1);
    assert_int_equal(counters(&b)->stored, 1);
    assert_true(ask(&b, 3).served);
    close_bench(&b);
}

/* All 32 bits of the PC are folded into five: these are one load to the monitor, and line 4's is another. */
static void pcs_are_folded_into_five_bits(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.throttle=false", NULL });
    select_load(&b); /* 8 */
    const uint64_t pc[] = { 8ull << 5, 8ull << 20, 3ull << 30 | 0xB, 0x8ull << 10 | 9ull << 15 | 9 };
    for (uint64_t i = 0; i < 4; i++) {
        tell(&b, pc[i], i, OUTCOME_MISS, 1);
        evict(&b, i, 1);
        assert_true(ask(&b, i).served);
        (void)serve_registers(&b);
    }
    tell(&b, 8ull << 5 | 1, 4, OUTCOME_MISS, 1);
    evict(&b, 4, 1);
    assert_false(ask(&b, 4).served);
    close_bench(&b);
}

/* The victim cache is never dirty, and holds whole lines. */
static void dirty_and_partial_lines_are_not_kept(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.select=all", "policy.linebacker.throttle=false", NULL });
    struct policy_evicted e = { .address = 3 * 128, .line = 3, .set = 3, .way = 1, .sectors_held = 15, .dirty = true };
    hooks_evicted(l1(&b), &e);
    e.dirty = false;
    e.sectors_held = 7;
    hooks_evicted(l1(&b), &e);
    assert_int_equal(counters(&b)->passed_over, 2);
    assert_false(ask(&b, 3).served);
    e.sectors_held = 15;
    hooks_evicted(l1(&b), &e);
    assert_true(ask(&b, 3).served);
    (void)serve_registers(&b);
    close_bench(&b);
}

/* A set is full. A store drops its youngest line, and the next one takes that register, not the oldest line's. */
static void an_invalid_entry_is_taken_first(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.select=all", "policy.linebacker.throttle=false", NULL });
    for (uint32_t i = 0; i < 32; i++) {
        evict(&b, 5 + 48 * i, 0);
        (void)serve_registers(&b);
    }
    struct policy_access a = load(8, 5 + 48 * 31);
    a.write = true;
    hooks_accessed(l1(&b), &a, OUTCOME_WRITE_MISS, NO_WAY);
    evict(&b, 5 + 48 * 32, 0);
    assert_int_equal(b.b.machine.access_number[0], 512 + 7 * 192 + 5 * 4 + 3);
    (void)serve_registers(&b);
    assert_true(ask(&b, 5).served);
    assert_int_equal(counters(&b)->replaced, 0);
    close_bench(&b);
}

static void stores_and_flushes_drop_victim_lines(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.select=all", "policy.linebacker.throttle=false", NULL });
    for (uint64_t line = 1; line < 4; line++)
        evict(&b, line, 0);
    struct policy_access a = load(8, 1);
    a.write = true;
    hooks_accessed(l1(&b), &a, OUTCOME_WRITE_MISS, NO_WAY);
    assert_false(ask(&b, 1).served);
    assert_true(ask(&b, 2).served);
    assert_int_equal(counters(&b)->dropped_by_store, 1);
    hooks_flushed(l1(&b), LEVEL_L1, 0);
    assert_false(ask(&b, 2).served);
    close_bench(&b);
}

/* ---- CTA throttling logic ---- */

static void the_largest_slot_goes_first_and_the_last_comes_back_first(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b); /* and the first throttle, whatever the IPC */
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(3));
    end_window(&b, 1100); /* + 10 % is not above */
    assert_int_equal(counters(&b)->throttles, 1);
    end_window(&b, 1211);
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(3) & ~WARPS_OF(2));
    end_window(&b, 1400);
    assert_int_equal(running(&b), WARPS_OF(0));
    end_window(&b, 2000); /* one always stays */
    assert_int_equal(counters(&b)->throttles, 3);
    end_window(&b, 1800); /* - 10 % is not below */
    assert_int_equal(counters(&b)->wakes_ipc, 0);
    end_window(&b, 1619);
    assert_int_equal(running(&b), WARPS_OF(0) | WARPS_OF(1)); /* not drained yet: it just goes on */
    end_window(&b, 1400);
    assert_int_equal(running(&b), 0xFFF & ~WARPS_OF(3));
    assert_int_equal(counters(&b)->wakes_ipc, 2);
    close_bench(&b);
}

static void section_3_2_wakes_already_when_the_ipc_does_not_rise(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.wake=not-above", NULL });
    select_load(&b);
    end_window(&b, 1050);
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    assert_int_equal(running(&b), 0xFFF);
    close_bench(&b);
}

static void a_cta_that_ends_lets_an_inactive_one_in(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    drain_of(&b, 3);
    move_all(&b);
    const struct policy_hooks *h = &b.b.instance->hooks;
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 4), 4); /* four are resident: no room */
    b.b.machine.registers[0].count = 0;
    hooks_cta_event(&h->cta_end, &b.v.view, 0, 0);
    assert_int_equal(counters(&b)->wakes_end, 1);
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 4), 3); /* no new one beside it */
    move_all(&b);
    assert_int_equal(counters(&b)->restores, 1);
    assert_true(running(&b) & WARPS_OF(3));
    b.b.machine.registers[1].count = 0;
    hooks_cta_event(&h->cta_end, &b.v.view, 1, 1);
    assert_int_equal(hooks_cta_gate(h, &b.v.view, 4), 3); /* nobody is inactive: one new one */
    close_bench(&b);
}

/* Ten CTAs are all that fit, and have registers 0 to 479: all eight partitions are free, and stay so when the IPC falls although
 * nobody is inactive. An eleventh CTA, for whom the first of them would be needed, never comes. */
static void nobody_is_waited_for_when_all_that_fit_are_there(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 10, NULL);
    select_load(&b);
    assert_int_equal(counters(&b)->partitions_opened, 8);
    end_window(&b, 800); /* the one that was made inactive goes on */
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    end_window(&b, 600);
    end_window(&b, 400);
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    assert_int_equal(counters(&b)->partitions_closed, 0);
    close_bench(&b);
}

/* 16 CTAs have registers 0 to 767: partitions 2 to 7 are free. The registers of the last leave by six at a time. */
static void registers_leave_before_lines_come_and_come_back_before_warps_run(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 16, NULL);
    select_load(&b);
    struct fake_machine *m = &b.b.machine;
    assert_int_equal(counters(&b)->partitions_opened, 6);
    drain_of(&b, 15);
    for (uint32_t sent = 0; sent < REGISTERS; sent += 6) {
        assert_int_equal(m->accesses, 6);
        assert_int_equal(m->access_number[0], 15 * REGISTERS + sent);
        assert_int_equal(serve_registers(&b), 6);
        assert_int_equal(m->accesses, 0); /* the buffer is full until memory has them */
        assert_int_equal(m->injections, 6);
        assert_true(m->inject_write[0] && !m->inject_first[0]);
        assert_int_equal(counters(&b)->backups, 0);
        assert_int_equal(m->registers[15].count, REGISTERS);
        assert_int_equal(counters(&b)->partitions_opened, 6);
        assert_int_equal(serve_memory(&b), 6);
    }
    assert_int_equal(counters(&b)->backups, 1);
    assert_int_equal(counters(&b)->registers_saved, REGISTERS);
    assert_int_equal(m->registers[15].count, 0);
    assert_int_equal(counters(&b)->partitions_opened, 6); /* 720 registers are in use: partition 1 begins at 704 */
    end_window(&b, 2000);
    drain_of(&b, 14);
    move_all(&b);
    assert_int_equal(counters(&b)->partitions_opened, 7); /* 672 are in use */

    tell(&b, 8, 5, OUTCOME_MISS, 0);
    evict(&b, 5, 0);      /* a line is on its way into partition 1 */
    end_window(&b, 1000); /* wake one */
    assert_int_equal(counters(&b)->wakes_ipc, 1);
    assert_int_equal(counters(&b)->partitions_closed, 1);
    assert_int_equal(m->injections, 0); /* not before that access is through */
    assert_int_equal(serve_registers(&b), 1);
    assert_int_equal(m->injections, 6);
    assert_true(!m->inject_write[0] && m->inject_first[0]);
    for (uint32_t back = 0; back < REGISTERS; back += 6) {
        assert_false(running(&b) & WARPS_OF(14));
        assert_int_equal(serve_memory(&b), 6);
        assert_true(m->access_write[0]);
        assert_int_equal(m->access_number[0], 14 * REGISTERS + back);
        assert_int_equal(serve_registers(&b), 6);
    }
    assert_int_equal(running(&b) & WARPS_OF(14), WARPS_OF(14));
    assert_int_equal(counters(&b)->restores, 1);
    close_bench(&b);
}

static void an_inactive_cta_that_could_issue_is_found(void **state)
{
    (void)state;
    static const struct inst any = { 0 };
    struct bench b;
    const char *which;
    open_bench(&b, 4, NULL);
    select_load(&b);
    b.b.machine.warp[0] = (struct policy_warp){ .next = &any, .cta_slot = 3, .wait = WAIT_NONE };
    assert_null(policy_instance_broken(b.b.instance, &which)); /* its instructions are still on their way */
    drain_of(&b, 3);
    assert_string_equal(policy_instance_broken(b.b.instance, &which), "a warp of an inactive CTA may issue");
    b.b.machine.warp[0].wait = WAIT_GATED;
    assert_null(policy_instance_broken(b.b.instance, &which));
    move_all(&b);
    end_window(&b, 100); /* wakes it: its registers come back first */
    b.b.machine.warp[0].wait = WAIT_PIPE;
    assert_string_equal(policy_instance_broken(b.b.instance, &which), "a warp of an inactive CTA may issue");
    move_all(&b);
    assert_null(policy_instance_broken(b.b.instance, &which));
    close_bench(&b);
}

static void a_cta_woken_while_its_registers_leave_gets_them_back(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    select_load(&b);
    drain_of(&b, 3);
    (void)serve_registers(&b);
    end_window(&b, 500); /* woken in the middle */
    assert_false(running(&b) & WARPS_OF(3));
    move_all(&b);
    assert_int_equal(counters(&b)->backups, 1);
    assert_int_equal(counters(&b)->restores, 1);
    assert_true(running(&b) & WARPS_OF(3));
    close_bench(&b);
}

/* 16 CTAs have registers 0 to 767. The last two are inactive: when the one has been backed up, the other still has registers 672 to
 * 719, and partition 1, which begins at 704, waits for them. */
static void a_partition_waits_for_all_that_have_registers_in_it(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 16, NULL);
    select_load(&b);
    end_window(&b, 1200);
    assert_int_equal(counters(&b)->throttles, 2);
    assert_int_equal(counters(&b)->partitions_opened, 6);
    drain_of(&b, 15);
    move_all(&b);
    assert_int_equal(counters(&b)->backups, 1);
    assert_int_equal(counters(&b)->partitions_opened, 6);
    drain_of(&b, 14);
    assert_int_equal(counters(&b)->partitions_opened, 6);
    move_all(&b);
    assert_int_equal(counters(&b)->backups, 2);
    assert_int_equal(counters(&b)->partitions_opened, 7);
    close_bench(&b);
}

/* 15 CTAs: the last one's registers are in partition 1. What lay there is gone when they have come back and left again. */
static void a_partition_that_closes_forgets_its_lines(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 15, NULL);
    select_load(&b);
    drain_of(&b, 14);
    move_all(&b);
    assert_int_equal(counters(&b)->partitions_opened, 7);
    tell(&b, 8, 5, OUTCOME_MISS, 0);
    evict(&b, 5, 0);
    assert_int_equal(b.b.machine.access_number[0], 512 + 192 + 5 * 4);
    (void)serve_registers(&b);
    assert_true(ask(&b, 5).served);
    end_window(&b, 500); /* woken */
    move_all(&b);
    assert_int_equal(counters(&b)->partitions_closed, 1);
    end_window(&b, 1000);
    drain_of(&b, 14);
    move_all(&b);
    assert_int_equal(counters(&b)->partitions_opened, 8);
    assert_false(ask(&b, 5).served);
    close_bench(&b);
}

/* CTA 3 has been backed up, 2 is on its way out and 1 waits behind it when 3 is woken: 3 comes back before 1 leaves. */
static void who_comes_back_goes_before_who_leaves(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.patience=3", NULL });
    select_load(&b);
    drain_of(&b, 3);
    move_all(&b);
    end_window(&b, 1200);
    drain_of(&b, 2);
    end_window(&b, 1500);
    drain_of(&b, 1);
    end_window(&b, 1500);
    assert_int_equal(counters(&b)->wakes_patience, 1);
    while (!counters(&b)->restores)
        assert_true(serve_registers(&b) + serve_memory(&b));
    assert_int_equal(counters(&b)->backups, 2);
    move_all(&b);
    assert_int_equal(counters(&b)->backups, 3);
    close_bench(&b);
}

static void patience_ends(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, (const char *const[]){ "policy.linebacker.patience=3", NULL });
    select_load(&b);
    for (uint32_t i = 0; i < 2; i++) {
        end_window(&b, 1000);
        assert_int_equal(counters(&b)->wakes_patience, 0);
    }
    end_window(&b, 1000);
    assert_int_equal(counters(&b)->wakes_patience, 1);
    assert_int_equal(running(&b), 0xFFF);
    close_bench(&b);
}

/* ---- storage ---- */

static void its_storage_is_the_papers_row_by_row(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL);
    const struct policy_self *self = &b.b.instance->self[0];
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    const uint32_t n = self->policy->hardware(self->config, self->geometry, rows);
    static const uint64_t bits[] = { 240 * 8, 392 * 8, 12 * 8, 54, 180 * 8, 4608 * 8, 792 * 8 };
    assert_int_equal(n, sizeof bits / sizeof *bits);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(rows[i].entries * rows[i].bits, bits[i]);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_loads_in_two_windows_are_selected),
        cmocka_unit_test(a_subset_selects_none_and_monitoring_goes_on),
        cmocka_unit_test(no_load_in_the_first_two_windows_ends_it),
        cmocka_unit_test(a_load_in_the_second_window_keeps_it_going),
        cmocka_unit_test(a_new_kernel_is_monitored_anew_unless_kept),
        cmocka_unit_test(hits_in_the_victim_tags_count_and_joined_misses_too),
        cmocka_unit_test(the_tags_are_searched_before_the_victim_comes_in),
        cmocka_unit_test(a_line_lies_in_the_register_of_equation_2),
        cmocka_unit_test(only_lines_of_selected_loads_are_kept),
        cmocka_unit_test(pcs_are_folded_into_five_bits),
        cmocka_unit_test(dirty_and_partial_lines_are_not_kept),
        cmocka_unit_test(an_invalid_entry_is_taken_first),
        cmocka_unit_test(stores_and_flushes_drop_victim_lines),
        cmocka_unit_test(the_largest_slot_goes_first_and_the_last_comes_back_first),
        cmocka_unit_test(section_3_2_wakes_already_when_the_ipc_does_not_rise),
        cmocka_unit_test(a_cta_that_ends_lets_an_inactive_one_in),
        cmocka_unit_test(nobody_is_waited_for_when_all_that_fit_are_there),
        cmocka_unit_test(registers_leave_before_lines_come_and_come_back_before_warps_run),
        cmocka_unit_test(an_inactive_cta_that_could_issue_is_found),
        cmocka_unit_test(a_cta_woken_while_its_registers_leave_gets_them_back),
        cmocka_unit_test(a_partition_waits_for_all_that_have_registers_in_it),
        cmocka_unit_test(a_partition_that_closes_forgets_its_lines),
        cmocka_unit_test(who_comes_back_goes_before_who_leaves),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(its_storage_is_the_papers_row_by_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
