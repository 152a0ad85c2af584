/* remap_count.h - counting for remap, srrip-perd and srrip-mac. Before it: #define REMAP_COUNTERS struct NAME_counters. */
static void count_insertion(struct policy_self *self, const struct policy_access *a, const struct remap_line *l)
{
    REMAP_COUNTERS *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    uint64_t *const perd[] = { &k->dead, &k->far, &k->intermediate, &k->near };
    uint64_t *const mac[] = { &k->mac0, &k->mac1, &k->mac2, &k->mac3 };
    ++*perd[l->perd];
    if (!a->write)
        ++*mac[l->mac];
}

/* The true latency of what was estimated. */
static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    REMAP_COUNTERS *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    struct remap_line *l = remap_line_at(self, a->unit, a->set, way);
    if (!l->pending)
        return;
    const uint64_t cycles = a->cycle - l->asked;
    uint64_t *const count[] = { &k->filled0, &k->filled1, &k->filled2, &k->filled3 };
    uint64_t *const sum[] = { &k->cycles0, &k->cycles1, &k->cycles2, &k->cycles3 };
    uint64_t *const bin[4][4] = { { &k->below25_0, &k->below50_0, &k->below100_0, &k->more_0 },
                                  { &k->below25_1, &k->below50_1, &k->below100_1, &k->more_1 },
                                  { &k->below25_2, &k->below50_2, &k->below100_2, &k->more_2 },
                                  { &k->below25_3, &k->below50_3, &k->below100_3, &k->more_3 } };
    l->pending = false;
    ++*count[l->mac];
    *sum[l->mac] += cycles;
    ++*bin[l->mac][cycles < 25 ? 0 : cycles < 50 ? 1 : cycles < 100 ? 2 : 3];
}
