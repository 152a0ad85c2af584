/* test_study_scaling.c - speed and energy over modules, computed from results made by hand. */
#include "../cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "study/scaling.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-6 * fabs((double)(b)))

/* A stored result: so many cycles at 1 MHz, DRAM requests and bytes over links of a package. */
static json_t *result(uint32_t modules, double cycles, double requests, double link_bytes)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "{\"config\": {\"gpu\": {\"core_clock\": \"1MHz\", \"modules\": %u}},"
                   " \"kernels\": [{\"cycles\": %.0f, \"sm\": {\"thread\": {}}, \"dram\": {\"requests\": %.0f}, \"link\": "
                   "{\"package_byte_hops\": %.0f}}],"
                   " \"totals\": {\"cycles\": %.0f, \"sm\": {\"thread\": {}}, \"dram\": {\"requests\": %.0f}, \"link\": "
                   "{\"package_byte_hops\": %.0f}}}",
                   modules, cycles, requests, link_bytes, cycles, requests, link_bytes);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

static double at(const json_t *json, size_t program, size_t step, const char *name)
{
    const json_t *p = json_array_get(json_object_get(json, "programs"), program);
    return json_number_dotted(json_array_get(json_object_get(p, "steps"), step), name, NAN);
}

static double mean(const json_t *json, size_t class, size_t step, const char *name)
{
    const json_t *m = json_array_get(json_object_get(json, "means"), class);
    return json_number_dotted(json_array_get(json_object_get(m, "steps"), step), name, NAN);
}

/* Table 6.4's bandwidth is that of a module, in and out. In a ring of two it has one link, of more two; to a switch one. */
static void a_module_s_bandwidth_is_divided_among_its_links(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        uint64_t of_2, of_4, of_16;
    } all[] = { { "ring", 128000, 64000, 64000 },
                { NULL, 128000, 64000, 64000 },
                { "switch", 128000, 128000, 128000 },
                { "mesh", 128000, 64000, 32000 } };
    for (uint32_t t = 0; t < sizeof all / sizeof *all; t++) {
        const struct scaling s = { .topology = all[t].topology, .bandwidth = 256000 };
        assert_int_equal(scaling_link_bandwidth(&s, 2), all[t].of_2);
        assert_int_equal(scaling_link_bandwidth(&s, 4), all[t].of_4);
        assert_int_equal(scaling_link_bandwidth(&s, 16), all[t].of_16);
    }
}

/* Two programs on one and two modules; a third failed. Constant power 60 W, half of the second module's shared: 60 and 90 W. */
static void stored_results_give_the_metrics(void **state)
{
    (void)state;
    struct scaling s = { .config = "m",
                         .modules = { 1, 2 },
                         .step_count = 2,
                         .topology = "ring",
                         .domain = "package",
                         .program_count = 3,
                         .programs = { { "a", "A", "C" }, { "b", "B", "M" }, { "c", "C", "M" } } };
    struct error err = { 0 };
    struct batch_run runs[6] = { 0 };
    assert_true(energy_table_load(&s.table, "package", "test", &err));
    s.runs = runs;
    runs[0].result = result(1, 4000, 1e6, 0);
    runs[1].result = result(2, 2000, 1e6, 1e9);
    runs[2].result = result(1, 1000, 0, 0);
    runs[3].result = result(2, 1000, 0, 0);
    runs[4].result = result(1, 1000, 0, 0);
    json_t *json = scaling_json(&s);
    /* A: 60 W x 4 ms + 1e6 x 5.4016 nJ; 90 W x 2 ms + the same + 8e9 bits x 0.54 pJ */
    const double one = 0.24 + 0.0054016, two = 0.18 + 0.0054016 + 0.00432;
    assert_near(at(json, 0, 0, "joules"), one);
    assert_near(at(json, 0, 1, "joules"), two);
    assert_near(at(json, 0, 1, "speedup"), 2);
    assert_near(at(json, 0, 1, "efficiency"), 100);
    assert_near(at(json, 0, 1, "energy"), two / one);
    assert_near(at(json, 0, 1, "edpse"), 100 * one * 4 / (2 * two * 2));
    assert_near(at(json, 0, 1, "ed2pse"), 100 * one * 16 / (4 * two * 4));
    assert_near(at(json, 0, 1, "components.link"), 0.00432 / one);
    assert_near(at(json, 0, 0, "edpse"), 100);
    /* B does not scale: 1.5 times the energy, half the efficiency. */
    assert_near(at(json, 1, 1, "energy"), 1.5);
    assert_near(at(json, 1, 1, "edpse"), 100 / 3.0);
    assert_near(mean(json, 0, 1, "speedup"), sqrt(2));
    assert_near(mean(json, 0, 1, "step_speedup"), sqrt(2)); /* of one step both are the same */
    assert_near(mean(json, 0, 1, "step_energy"), (two / one + 1.5) / 2);
    assert_near(mean(json, 0, 1, "energy"), (two / one + 1.5) / 2);
    assert_near(mean(json, 1, 1, "speedup"), 2);
    /* C has no second step: it is in no mean. */
    assert_true(isnan(at(json, 2, 0, "speedup")));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(json_object_get(json, "means"), 2), "programs")), 1);
    /* Another number of the table needs no other run. */
    assert_true(energy_table_change(&s.table, "constant.amortisation=0", "test", &err));
    json_t *apart = scaling_json(&s);
    assert_near(at(apart, 1, 1, "energy"), 2);
    assert_near(at(apart, 1, 1, "edpse"), 25);
    assert_false(energy_table_change(&s.table, "constant.amortization=0", "test", &err));
    json_decref(json);
    json_decref(apart);
    for (size_t i = 0; i < 6; i++)
        json_decref(runs[i].result);
}

/* From two modules to four, twice as fast at the same energy but for constant power: all of linear scaling, as from one to two. */
static void efficiency_is_over_the_first_step(void **state)
{
    (void)state;
    struct scaling s = {
        .config = "m", .modules = { 2, 4 }, .step_count = 2, .program_count = 1, .programs = { { "a", "A", "C" } }
    };
    struct error err = { 0 };
    struct batch_run runs[2] = { 0 };
    assert_true(energy_table_load(&s.table, "board", "test", &err));
    s.runs = runs;
    runs[0].result = result(2, 4000, 0, 0);
    runs[1].result = result(4, 2000, 0, 0);
    json_t *json = scaling_json(&s);
    assert_near(at(json, 0, 1, "efficiency"), 100);
    assert_near(at(json, 0, 1, "edpse"), 100);
    json_decref(json);
    json_decref(runs[0].result);
    json_decref(runs[1].result);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_module_s_bandwidth_is_divided_among_its_links),
                                        cmocka_unit_test(efficiency_is_over_the_first_step),
                                        cmocka_unit_test(stored_results_give_the_metrics) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
