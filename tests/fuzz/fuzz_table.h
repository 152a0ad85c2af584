/* One parameter of every type, for the targets that read configurations. */
#ifndef WARPLINE_TESTS_FUZZ_TABLE_H
#define WARPLINE_TESTS_FUZZ_TABLE_H
#include "param/param.h"

struct fuzz_machine {
    uint64_t limit, size, clock, latency;
    int64_t offset;
    double threshold;
    struct param_list ways;
    uint32_t sets, replacement;
    bool hashed;
};

static const char *const fuzz_choices[] = { "lru", "fifo", NULL };
static const struct param fuzz_table[] = {
    PARAM_U32(struct fuzz_machine, sets, "l1.sets", 32, 1, 4096, "sets", "sets"),
    PARAM_U64(struct fuzz_machine, limit, "l1.limit", 0, 0, 18446744073709551615, "cycles", "limit"),
    { .name = "l1.offset",
      .type = PARAM_TYPE_I64,
      .offset = offsetof(struct fuzz_machine, offset),
      .dflt = "0",
      .unit = "",
      .help = "o" },
    PARAM_REAL(struct fuzz_machine, threshold, "l1.threshold", 0.5, -1e300, 1e300, "", "threshold"),
    PARAM_SIZE(struct fuzz_machine, size, "l1.size", "16KiB", "0", "1TiB", "size"),
    PARAM_FREQUENCY(struct fuzz_machine, clock, "sm.clock", "700MHz", "clock"),
    PARAM_TIME(struct fuzz_machine, latency, "dram.latency", "13.75ns", "0", "1000s", "latency"),
    PARAM_BOOL(struct fuzz_machine, hashed, "l1.hashed", true, "hashed"),
    PARAM_CHOICE(struct fuzz_machine, replacement, "l1.replacement", "lru", fuzz_choices, "replacement"),
    PARAM_LIST(struct fuzz_machine, ways, "l1.ways", "1,2", "", "ways"),
    PARAM_END
};
#endif
