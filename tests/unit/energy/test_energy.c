/* test_energy.c - tables of energies, the equation, and what structures of policies cost. */
#include "../cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "energy/energy.h"

/* Table 6.1b of paper 002, as it is printed. */
static const struct {
    const char *key;
    double nanojoules;
} printed[] = {
    { "thread.fp_add", 0.06 },  { "thread.fp_mul", 0.05 },  { "thread.fp_fma", 0.05 },    { "thread.int_add", 0.07 },
    { "thread.int_sub", 0.07 }, { "thread.and", 0.06 },     { "thread.or", 0.06 },        { "thread.xor", 0.06 },
    { "thread.sin", 0.10 },     { "thread.cos", 0.10 },     { "thread.int_mul", 0.13 },   { "thread.int_mad", 0.15 },
    { "thread.dp_add", 0.15 },  { "thread.dp_mul", 0.13 },  { "thread.dp_fma", 0.16 },    { "thread.sqrt", 0.02 },
    { "thread.log2", 0.03 },    { "thread.exp2", 0.08 },    { "thread.rcp", 0.31 },       { "transaction.shared", 5.45 },
    { "transaction.l1", 5.99 }, { "transaction.l2", 3.96 }, { "transaction.dram", 7.82 },
};
enum { PRINTED = sizeof printed / sizeof printed[0] };

static double number(const struct energy_table *table, const char *key)
{
    for (const struct param *row = energy_table_params; row->name; row++)
        if (!strcmp(row->name, key))
            return *(const double *)((const char *)table + row->offset);
    fail_msg("no key %s", key);
    return 0;
}

static struct energy_table load(const char *name)
{
    struct energy_table table;
    struct error err = { 0 };
    if (!energy_table_load(&table, name, "test", &err))
        fail_msg("%s", err.text);
    return table;
}

static void the_k40_is_table_6_1b(void **state)
{
    (void)state;
    const struct energy_table k40 = load("k40"), hbm = load("hbm");
    for (size_t i = 0; i < PRINTED; i++)
        assert_true(number(&k40, printed[i].key) == printed[i].nanojoules);
    /* pJ per bit as printed: 128 bytes at the first two, 32 at the others */
    assert_true(fabs(k40.shared * 1000 / 1024 - 5.32) < 0.005);
    assert_true(fabs(k40.l1 * 1000 / 1024 - 5.85) < 0.005);
    assert_true(fabs(k40.l2 * 1000 / 256 - 15.48) < 0.015);
    assert_true(fabs(k40.dram * 1000 / 256 - 30.55) < 0.005);
    assert_true(fabs(hbm.dram * 1000 / 256 - 21.1) < 1e-9);
    /* 6.4.1: on a package half of each further module's constant power is shared, on a board none; both have HBM. */
    const struct energy_table package = load("package"), board = load("board");
    assert_true(package.amortisation == 0.5 && board.amortisation == 0);
    assert_true(package.dram == hbm.dram && board.dram == hbm.dram);
    assert_true(k40.link_package == 0.54 && k40.link_board == 10 && k40.link_switch == 10); /* 6.1, and 6.4.3's footnote */
}

static void every_builtin_table_is_whole(void **state)
{
    (void)state;
    for (const struct param_builtin *b = energy_builtins; b->name; b++)
        (void)load(b->name);
}

static void a_table_with_a_gap_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/energy-table-XXXXXX.conf";
    const int fd = mkstemps(path, 5);
    const char text[] = "[thread]\nfp_add = 1\n";
    assert_true(write(fd, text, sizeof text - 1) == sizeof text - 1);
    close(fd);
    struct energy_table table;
    struct error err = { 0 };
    assert_false(energy_table_load(&table, path, "--table", &err));
    assert_non_null(strstr(err.text, "thread.fp_mul"));
    assert_non_null(strstr(err.text, "include = k40"));
    unlink(path);
    assert_false(energy_table_load(&table, "k4O", "--table", &err));
    assert_non_null(strstr(err.text, "did you mean"));
}

/* Two kernels at 1 MHz: 1000 and 3000 cycles. */
static json_t *two_kernels(void)
{
    json_t *result = json_loads(
        "{\"config\": {\"gpu\": {\"core_clock\": \"1MHz\"}},"
        "\"kernels\": ["
        "{\"cycles\": 1000, \"sm\": {\"thread\": {\"fp_fma\": 1000, \"rcp\": 10}, \"class\": {\"shared\": 7}, \"lsu\": "
        "{\"shared_bank\": 3},"
        " \"slots\": {\"idle\": 1, \"scoreboard\": 2, \"pipe\": 4}}, \"l1\": {\"accesses\": 12, \"bypassed\": 2, \"writes\": 5,"
        " \"write_bypassed\": 1}, \"l2\": {\"reads\": 8, \"writes\": 4}, \"dram\": {\"requests\": 6}},"
        "{\"cycles\": 3000, \"sm\": {\"thread\": {\"fp_fma\": 500, \"rcp\": 0}}}],"
        "\"totals\": {\"cycles\": 4000, \"sm\": {\"thread\": {\"fp_fma\": 1500, \"rcp\": 10}, \"class\": {\"shared\": 7},"
        " \"lsu\": {\"shared_bank\": 3}, \"slots\": {\"idle\": 1, \"scoreboard\": 2, \"pipe\": 4}}, \"l1\": {\"accesses\": 12,"
        " \"bypassed\": 2, \"writes\": 5, \"write_bypassed\": 1}, \"l2\": {\"reads\": 8, \"writes\": 4}, \"dram\": {\"requests\": "
        "6}}}",
        0, NULL);
    assert_non_null(result);
    return result;
}

static double at(const json_t *result, const char *name)
{
    const double value = json_number_dotted(result, name, NAN);
    if (isnan(value))
        fail_msg("no %s", name);
    return value;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-8 * fabs(b))

/* By hand with the K40's numbers. */
static void the_equation_is_6_4(void **state)
{
    (void)state;
    json_t *result = two_kernels();
    const struct energy_table k40 = load("k40");
    struct error err = { 0 };
    assert_true(energy_set(result, &k40, "k40", &err));
    const json_t *first = json_array_get(json_object_get(result, "kernels"), 0);
    assert_near(at(first, "energy.components.instructions"), (1000 * 0.05 + 10 * 0.31) * 1e-9);
    assert_near(at(first, "energy.components.shared"), 10 * 5.45e-9);
    assert_near(at(first, "energy.components.l1"), 14 * 5.99e-9);
    assert_near(at(first, "energy.components.l2"), 12 * 3.96e-9);
    assert_near(at(first, "energy.components.dram"), 6 * 7.82e-9);
    assert_near(at(first, "energy.components.stall"), 7 * 32 * 0.005e-9);
    assert_near(at(first, "energy.components.constant"), 60 * 1e-3);
    assert_near(at(result, "totals.energy.components.constant"), 60 * 4e-3);
    const double total = at(result, "totals.energy.total_j");
    assert_near(at(result, "totals.energy.edp_js"), total * 4e-3);
    assert_near(at(result, "totals.energy.ed2p_js2"), total * 16e-6);
    assert_near(at(result, "totals.energy.mean_w"), total / 4e-3);
    json_decref(result);
}

static void energy_is_additive(void **state)
{
    (void)state;
    json_t *result = two_kernels();
    const struct energy_table table = load("fermi");
    struct error err = { 0 };
    assert_true(energy_set(result, &table, "fermi", &err));
    double total = 0, parts = 0;
    json_t *kernels = json_object_get(result, "kernels");
    for (size_t i = 0; i < 2; i++)
        total += at(json_array_get(kernels, i), "energy.total_j");
    for (size_t c = 0; c < ENERGY_COMPONENTS; c++) {
        char name[96];
        (void)snprintf(name, sizeof name, "totals.energy.components.%s", energy_component_names[c]);
        parts += at(result, name);
    }
    assert_near(total, at(result, "totals.energy.total_j"));
    assert_near(parts, at(result, "totals.energy.total_j"));
    json_decref(result);
}

static void another_table_replaces_the_first(void **state)
{
    (void)state;
    json_t *result = two_kernels();
    struct energy_table k40 = load("k40"), hbm = load("hbm");
    struct error err = { 0 };
    assert_true(energy_set(result, &k40, "k40", &err) && energy_set(result, &hbm, "hbm", &err));
    assert_near(at(result, "totals.energy.components.dram"), 6 * 5.4016e-9);
    assert_string_equal(json_string_value(json_get_dotted(result, "totals.energy.table")), "hbm");
    json_decref(result);
}

/* What a module's L1.5 serves is a transaction of an L2, and a byte is eight bits on each link. */
static void modules_pay_for_their_caches_and_links(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int count;
    } counters[] = { { "l15.hits", 3 },
                     { "l15.merged", 2 },
                     { "l15.misses", 9 },
                     { "link.package_byte_hops", 100 },
                     { "link.board_byte_hops", 10 },
                     { "link.switch_bytes", 5 } };
    json_t *result = two_kernels();
    json_t *parts[] = { json_object_get(result, "totals"), json_array_get(json_object_get(result, "kernels"), 1) };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        for (size_t part = 0; part < 2; part++)
            json_set_dotted(parts[part], counters[i].name, json_integer(counters[i].count));
    const struct energy_table board = load("board");
    struct error err = { 0 };
    assert_true(energy_set(result, &board, "board", &err));
    assert_near(at(parts[1], "energy.components.l2"), 5 * 3.96e-9);
    assert_near(at(parts[0], "energy.components.l2"), 17 * 3.96e-9);
    assert_near(at(parts[0], "energy.components.link"), (100 * 0.54 + 10 * 10 + 5 * 10) * 8e-12);
    json_decref(result);
}

/* Of 4 modules with half amortised: 1 + 3 / 2 modules' constant power. */
static void modules_share_constant_power(void **state)
{
    (void)state;
    json_t *result = two_kernels();
    json_set_dotted(result, "config.gpu.modules", json_integer(4));
    struct energy_table k40 = load("k40");
    struct error err = { 0 };
    assert_true(energy_set(result, &k40, "k40", &err));
    assert_near(at(result, "totals.energy.components.constant"), 4 * 60 * 4e-3);
    k40.amortisation = 0.5;
    assert_true(energy_set(result, &k40, "k40", &err));
    assert_near(at(result, "totals.energy.components.constant"), 2.5 * 60 * 4e-3);
    json_decref(result);
}

/* CACTI 7 at 28 nm, itrs-hp: entries, bits, mean of a read and a write in pJ, leakage in mW. */
static void structures_cost_what_cacti_says(void **state)
{
    (void)state;
    static const struct {
        double entries, bits, pj, mw;
    } runs[] = { { 256, 72, 1.357, 0.633 },  { 152, 64, 0.972, 0.295 },  { 38, 256, 3.278, 0.348 },
                 { 1536, 24, 1.170, 1.211 }, { 128, 1024, 40.7, 3.885 }, { 512, 256, 9.408, 3.861 } };
    const struct energy_table k40 = load("k40");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const double pj = energy_structure_pj(&k40, runs[i].entries, runs[i].bits);
        assert_true(pj > 0.7 * runs[i].pj && pj < 1.3 * runs[i].pj);
        assert_true(fabs(1e-6 * k40.structure_leakage * runs[i].entries * runs[i].bits - runs[i].mw) < 0.15 * runs[i].mw);
    }
}

/* One by size, one with numbers of its own: 100 uses in 4 ms, 15 copies. */
static void policies_pay_for_their_structures(void **state)
{
    (void)state;
    json_t *result = two_kernels();
    struct energy_table k40 = load("k40");
    struct error err = { 0 };
    json_set_dotted(
        result, "structures",
        json_loads("[{\"policy\": \"p\", \"structure\": \"table\", \"uses\": \"l1.accesses+l1.writes\", \"entries\": 64,"
                   " \"bits\": 10, \"copies\": 15, \"use_pj\": 0.0, \"leakage_mw\": 0.0},"
                   "{\"policy\": \"p\", \"structure\": \"packer\", \"uses\": \"l2.reads\", \"entries\": 0, \"bits\": 0,"
                   " \"copies\": 15, \"use_pj\": 192.0, \"leakage_mw\": 0.000001}]",
                   0, NULL));
    assert_true(energy_set(result, &k40, "k40", &err));
    const double by_size = 17 * 1e-12 * 0.000465 * pow(10, 1.3) * pow(64, 0.47) + 31.8e-9 * 640 * 15 * 4e-3;
    const double own = 8 * 192e-12 + 1e-9 * 15 * 4e-3;
    assert_near(at(result, "totals.energy.components.policies"), by_size + own);
    json_decref(result);
}

static void results_without_the_counters_say_so(void **state)
{
    (void)state;
    const struct energy_table k40 = load("k40");
    struct error err = { 0 };
    json_t *old = json_loads("{\"config\": {}, \"kernels\": [], \"totals\": {\"cycles\": 1, \"sm\": {\"slots\": {}}}}", 0, NULL);
    assert_false(energy_set(old, &k40, "k40", &err));
    assert_non_null(strstr(err.text, "run it again"));
    json_t *functional = json_loads("{\"config\": {}, \"kernels\": [], \"totals\": {\"cycles\": 0}}", 0, NULL);
    assert_true(energy_set(functional, &k40, "k40", &err));
    assert_null(json_get_dotted(functional, "totals.energy"));
    json_decref(old);
    json_decref(functional);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_k40_is_table_6_1b),
        cmocka_unit_test(every_builtin_table_is_whole),
        cmocka_unit_test(a_table_with_a_gap_is_refused),
        cmocka_unit_test(the_equation_is_6_4),
        cmocka_unit_test(energy_is_additive),
        cmocka_unit_test(another_table_replaces_the_first),
        cmocka_unit_test(modules_pay_for_their_caches_and_links),
        cmocka_unit_test(modules_share_constant_power),
        cmocka_unit_test(structures_cost_what_cacti_says),
        cmocka_unit_test(policies_pay_for_their_structures),
        cmocka_unit_test(results_without_the_counters_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
