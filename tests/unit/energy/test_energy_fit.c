/* test_energy_fit.c - a table of energies from power readings, exact and noisy. */
#include "../cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "energy/energy_fit.h"

/* Kernels as the workload joule has them: each does mostly one thing, with a loop around it, and a chase through a level moves
 * lines through the levels above. */
static const struct {
    const char *name;
    const char *counters;
} kernels[] = {
    { "_Z12joule_fp_addPfiff", "\"sm\": {\"thread\": {\"fp_add\": 500000, \"int_add\": 20000, \"move\": 30000}}" },
    { "_Z12joule_fp_fmaPfiff", "\"sm\": {\"thread\": {\"fp_fma\": 500000, \"int_add\": 20000, \"move\": 30000}}" },
    { "_Z13joule_int_addPiiii", "\"sm\": {\"thread\": {\"int_add\": 520000, \"move\": 30000}}" },
    { "_Z10joule_sqrtPfiff", "\"sm\": {\"thread\": {\"sqrt\": 500000, \"int_add\": 20000, \"move\": 30000},"
                             " \"slots\": {\"scoreboard\": 90000}}" },
    { "_Z8joule_l1PKiPiii", "\"sm\": {\"thread\": {\"int_add\": 300000}}, \"l1\": {\"accesses\": 100000}" },
    { "_Z8joule_l2PKiPiii",
      "\"sm\": {\"thread\": {\"int_add\": 300000}}, \"l1\": {\"accesses\": 100000}, \"l2\": {\"reads\": 400000}" },
    { "_Z10joule_dramPKiPiii",
      "\"sm\": {\"thread\": {\"int_add\": 300000}}, \"l1\": {\"accesses\": 100000}, \"l2\": {\"reads\": 400000},"
      " \"dram\": {\"requests\": 390000}" },
    { "_Z15joule_mix_floatPfiff", "\"sm\": {\"thread\": {\"fp_add\": 400000, \"fp_fma\": 700000, \"int_add\": 20000}}" },
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };
static const char *const names[KERNELS] = { "joule_fp_add", "joule_fp_fma", "joule_int_add", "joule_sqrt",
                                            "joule_l1",     "joule_l2",     "joule_dram",    "joule_mix_float" };

static json_t *counts(void)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"kernels\": [");
    for (size_t i = 0; i < KERNELS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"name\": \"%s\", %s}", i ? "," : "", kernels[i].name,
                                 kernels[i].counters);
    (void)snprintf(text + used, sizeof text - used, "]}");
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

static struct energy_table load(const char *name)
{
    struct energy_table table;
    struct error err = { 0 };
    assert_true(energy_table_load(&table, name, "test", &err));
    return table;
}

/* Readings of a board that obeys the table, each off by up to `noise`; kernels run 1000 times in a reading. */
static void make_readings(struct energy_reading *readings, const json_t *result, const struct energy_table *truth, double noise)
{
    static const double errors[KERNELS] = { 0.7, -1, 0.4, -0.6, 1, -0.3, 0.9, -0.8 };
    for (size_t i = 0; i < KERNELS; i++) {
        const json_t *kernel = json_array_get(json_object_get(result, "kernels"), i);
        double joules = 0;
        for (uint32_t t = 0; t < energy_term_count(); t++)
            joules += 1000 * energy_term_joules(t, kernel) * energy_term_number(truth, t);
        readings[i] = (struct energy_reading){ .idle_w = 61, .seconds = 2, .launches = 1000 };
        (void)snprintf(readings[i].kernel, sizeof readings[i].kernel, "%s", names[i]);
        readings[i].active_w = 61 + joules * (1 + noise * errors[i]) / 2;
        readings[i].measured_j = (readings[i].active_w - readings[i].idle_w) * readings[i].seconds;
    }
}

/* Starts where nothing of what is fitted is known. */
static struct energy_table unknown(void)
{
    struct energy_table start = load("k40");
    start.thread[WORK_FP_ADD] = start.thread[WORK_FP_FMA] = start.thread[WORK_INT_ADD] = start.thread[WORK_SQRT] = 0;
    start.l1 = start.l2 = start.dram = 0;
    return start;
}

static void check(const struct energy_table *fit, double tolerance)
{
    const struct energy_table k40 = load("k40");
    const double pairs[][2] = { { fit->thread[WORK_FP_ADD], k40.thread[WORK_FP_ADD] },
                                { fit->thread[WORK_FP_FMA], k40.thread[WORK_FP_FMA] },
                                { fit->thread[WORK_INT_ADD], k40.thread[WORK_INT_ADD] },
                                { fit->thread[WORK_SQRT], k40.thread[WORK_SQRT] },
                                { fit->l1, k40.l1 },
                                { fit->l2, k40.l2 },
                                { fit->dram, k40.dram } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (fabs(pairs[i][0] / pairs[i][1] - 1) > tolerance)
            fail_msg("number %zu: %g instead of %g", i, pairs[i][0], pairs[i][1]);
}

static void exact_readings_give_the_table_back(void **state)
{
    (void)state;
    json_t *result = counts();
    struct energy_reading readings[KERNELS];
    const struct energy_table k40 = load("k40");
    struct energy_table fit = unknown();
    struct error err = { 0 };
    make_readings(readings, result, &k40, 0);
    assert_true(energy_fit(readings, KERNELS, result, &fit, &err));
    check(&fit, 1e-9);
    assert_true(fabs(fit.constant_power - 61) < 1e-9);
    assert_string_equal(readings[5].key, "transaction.l2");
    assert_string_equal(readings[7].key, "");
    assert_true(fabs(readings[7].model_j / readings[7].measured_j - 1) < 1e-9);
    json_decref(result);
}

/* A percent of noise; the square root, of which half is stalls that the table knows, feels it double. */
static void noisy_readings_come_near_it(void **state)
{
    (void)state;
    json_t *result = counts();
    struct energy_reading readings[KERNELS];
    const struct energy_table k40 = load("k40");
    struct energy_table fit = unknown();
    struct error err = { 0 };
    make_readings(readings, result, &k40, 0.01);
    assert_true(energy_fit(readings, KERNELS, result, &fit, &err));
    check(&fit, 0.04);
    for (size_t i = 0; i < KERNELS; i++)
        assert_true(fabs(readings[i].model_j / readings[i].measured_j - 1) < 0.02);
    json_decref(result);
}

static void readings_are_read(void **state)
{
    (void)state;
    static struct energy_reading readings[ENERGY_READINGS_MAX];
    struct error err = { 0 };
    const char text[] = "idle_w, kernel ,seconds,active_w\n60,joule_l1, 2, 100.5\r\n\n60,joule_l2,1,90\n";
    assert_int_equal(energy_readings_parse(text, "r.csv", readings, &err), 2);
    assert_string_equal(readings[0].kernel, "joule_l1");
    assert_true(readings[0].measured_j == 81 && readings[0].launches == 1 && readings[1].idle_w == 60);
    static const char *const bad[][2] = {
        { "kernel,active_w,idle_w\n", "seconds is missing" },
        { "kernel,active_w,idle_w,seconds,joules\n", "no column is called 'joules'" },
        { "kernel,active_w,idle_w,seconds\n", "no readings" },
        { "kernel,active_w,idle_w,seconds\na,1,b,1\n", "r.csv:2: idle_w is 'b'" },
        { "kernel,active_w,idle_w,seconds\na,1\n", "idle_w is missing" },
        { "kernel,active_w,idle_w,seconds\na,50,60,1\n", "no more than the idle board" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(energy_readings_parse(bad[i][0], "r.csv", readings, &err), 0);
        if (!strstr(err.text, bad[i][1]))
            fail_msg("'%s' instead of '%s'", err.text, bad[i][1]);
    }
}

static void what_cannot_be_told_is_said(void **state)
{
    (void)state;
    json_t *result = counts();
    struct energy_table table = unknown();
    struct error err = { 0 };
    struct energy_reading other = { .kernel = "my_kernel", .measured_j = 1, .launches = 1 };
    assert_false(energy_fit(&other, 1, result, &table, &err));
    assert_non_null(strstr(err.text, "joule_fp_add"));
    struct energy_reading absent = { .kernel = "joule_rcp", .measured_j = 1, .launches = 1 };
    assert_false(energy_fit(&absent, 1, result, &table, &err));
    assert_non_null(strstr(err.text, "no kernel 'joule_rcp'"));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_readings_give_the_table_back),
        cmocka_unit_test(noisy_readings_come_near_it),
        cmocka_unit_test(readings_are_read),
        cmocka_unit_test(what_cannot_be_told_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
