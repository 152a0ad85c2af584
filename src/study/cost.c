/* cost.c - how many bits of storage a technique adds, structure by structure, and what they cost in energy. */
#include "study/cost.h"

#include "energy/energy.h"

struct sum { /* of bits */
    uint64_t sm, gpu;
};

static const char *const scope_name[] = { [PER_SM] = "SM", [PER_SLICE] = "L2 slice", [PER_GPU] = "GPU" };

static json_t *structure(const char *policy, const struct policy_hardware *h, const struct policy_geometry *g, struct sum *sum)
{
    const uint64_t bits = h->entries * h->bits;
    const uint64_t copies = h->scope == PER_SM ? g->sms : h->scope == PER_SLICE ? g->cache[LEVEL_L2].units : 1;
    const uint64_t per_sm = h->scope == PER_SM ? bits : 0;
    sum->sm += per_sm;
    sum->gpu += bits * copies;
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "policy", policy, "structure", h->name, "per", scope_name[h->scope],
                     "entries", (json_int_t)h->entries, "bits_per_entry", (json_int_t)h->bits, "bits_per_sm", (json_int_t)per_sm,
                     "bits_per_gpu", (json_int_t)(bits * copies));
}

/* Circuits that store nothing have an energy but no bits. */
static void add_energy(json_t *structures, const struct policy *p, const void *config, const struct policy_geometry *g,
                       const struct energy_table *table, size_t first)
{
    struct policy_structure s[POLICY_STRUCTURES_MAX];
    const uint32_t count = policy_structures(p, config, g, s);
    for (uint32_t i = 0; i < count; i++) {
        json_t *row = json_array_get(structures, first + i);
        const double bits = (double)s[i].entries * (double)s[i].bits;
        if (!row) {
            row = json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i}", "policy", p->name, "structure", s[i].name, "per", "SM",
                            "entries", 0, "bits_per_entry", 0, "bits_per_sm", 0, "bits_per_gpu", 0);
            (void)json_array_append_new(structures, row);
        }
        const double pj = s[i].use_pj > 0 ? s[i].use_pj : energy_structure_pj(table, (double)s[i].entries, (double)s[i].bits);
        const double mw = s[i].leakage_mw > 0 ? s[i].leakage_mw : 1e-6 * table->structure_leakage * bits;
        (void)json_object_set_new(row, "use_pj", json_real(pj));
        (void)json_object_set_new(row, "leakage_mw", json_real(mw * (double)s[i].copies));
        (void)json_object_set_new(row, "uses", json_string(s[i].uses));
    }
}

json_t *cost_of_policies(const struct policy_set *set, const struct machine_config *config, const struct policy_geometry *geometry,
                         struct error *err)
{
    const struct policy_geometry g = *geometry;
    struct energy_table table;
    if (!policy_set_fits(set, &g, err) ||
        !energy_table_load(&table, energy_table_names[config->gpu.energy_table], "energy.table", err))
        return NULL;
    json_t *names = json_array(), *structures = json_array();
    struct sum sum = { 0 };
    for (uint32_t i = 0; i < policy_set_count(set); i++) {
        const struct policy *p = policy_set_at(set, i);
        struct policy_hardware rows[POLICY_HARDWARE_MAX];
        const uint32_t count = p->hardware ? p->hardware(policy_set_config(set, i), &g, rows) : 0;
        const size_t first = json_array_size(structures);
        (void)json_array_append_new(names, json_string(p->name));
        for (uint32_t r = 0; r < count; r++)
            if (rows[r].entries) /* as policy_structures leaves them out */
                (void)json_array_append_new(structures, structure(p->name, &rows[r], &g, &sum));
        add_energy(structures, p, policy_set_config(set, i), &g, &table, first);
    }
    const struct policy_cache_geometry *l1 = &g.cache[g.cache[LEVEL_L1].units ? LEVEL_L1 : LEVEL_L2];
    const double l1_bits = 8.0 * l1->line_bytes * l1->ways * l1->sets * l1->units;
    return json_pack("{s:o, s:o, s:I, s:f, s:I, s:f, s:f}", "policies", names, "structures", structures, "bits_per_sm",
                     (json_int_t)sum.sm, "bytes_per_sm", (double)sum.sm / 8, "bits_per_gpu", (json_int_t)sum.gpu, "bytes_per_gpu",
                     (double)sum.gpu / 8, "share_of_l1_percent", l1_bits > 0 ? 100 * (double)sum.gpu / l1_bits : 0.0);
}
