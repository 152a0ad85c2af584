/* A small machine with one parameter of every type, for the tests of this room. */
#ifndef WARPLINE_TESTS_SAMPLE_TABLE_H
#define WARPLINE_TESTS_SAMPLE_TABLE_H
#include "param/param.h"

struct sample {
    uint32_t sets;
    uint64_t limit;
    int64_t offset;
    double threshold;
    uint64_t size, clock, latency;
    bool hashed;
    uint32_t replacement;
    struct param_list ways;
};

static const char *const replacements[] = { "lru", "fifo", "random", NULL };
static const struct param sample_table[] = {
    PARAM_U32(struct sample, sets, "l1.sets", 32, 1, 4096, "sets", "sets of the L1"),
    PARAM_U64(struct sample, limit, "l1.limit", 5000000000, 0, 10000000000, "cycles", "more than 32 bits"),
    { .name = "l1.offset",
      .type = PARAM_TYPE_I64,
      .offset = offsetof(struct sample, offset),
      .dflt = "-3",
      .min = "-10",
      .max = "10",
      .unit = "",
      .help = "signed" },
    PARAM_REAL(struct sample, threshold, "l1.threshold", 0.85, 0, 1, "", "a share"),
    PARAM_SIZE(struct sample, size, "l1.size", "16KiB", "128", "1MiB", "bytes in all"),
    PARAM_FREQUENCY(struct sample, clock, "sm.clock", "700MHz", "core clock"),
    PARAM_TIME(struct sample, latency, "dram.latency", "13.75ns", "0", "1us", "a timing"),
    PARAM_BOOL(struct sample, hashed, "l1.hashed", true, "hashed index"),
    PARAM_CHOICE(struct sample, replacement, "l1.replacement", "lru", replacements, "who goes"),
    PARAM_LIST(struct sample, ways, "l1.ways", "1,2,4", "", "a list"),
    PARAM_END
};

/* A space with the table in it, anew for each test. */
struct fixture {
    struct sample sample;
    struct param_space *space;
    struct error err;
};

static int setup(void **state)
{
    static struct fixture f;
    f = (struct fixture){ .space = param_space_new() };
    param_defaults(sample_table, &f.sample);
    param_space_add(f.space, "", sample_table, &f.sample);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    param_space_free(((struct fixture *)*state)->space);
    return 0;
}
#endif
