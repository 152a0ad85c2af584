/* compression.h - a compressed L1, shared by the policies that choose what is compressed and how (compressed-l1, latte-cc,
 * adaptive-cmp). After Arunkumar, 2018, sections 4.2.2 and 4.3.
 *
 * A set has the bytes of the plain cache and four times its tags; a line takes sub-blocks of 32 bytes. A hit on a compressed line
 * waits for the decompressor: its cycles x (position in its queue + 1), equation 4.3. Sizes are of the values that memory holds
 * when the line is filled.
 *
 * Where the text leaves a choice:
 *  - A miss in a compressing mode reserves a tag and one sub-block (`reserve` least): the size is known when the data come, and
 *    only then do others make room. `line` reserves the whole line, so that a set never holds more than its bytes less one line.
 *    Where nothing is compressed a miss reserves what it will take, the line.
 *  - A line that would save no sub-block is kept as it is, and costs nothing to read. Lines of local memory (spills) are kept as
 *    they are: they are written in place.
 *  - There is one decompressor for each algorithm in each SM (`decompressor` queue); `pipeline` takes a line in every cycle.
 *  - Compression takes 2 cycles (BDI) and 6 (SC), as printed; for the others nothing is printed, and they have SC's 6. Loads that
 *    wait for the data have them at once; a hit before the line is compressed waits.
 *  - SC's tables are one for the GPU (`tables`): the printed 15.5 KB are 6.45 % of fifteen L1s. Its phases are then of the GPU:
 *    `phase_accesses` for each SM on average. It learns the values of the lines that are filled, in the first phase of all and in
 *    the last of each period; then there are new codes, and lines with old ones are dropped (only those: `drop` all empties the
 * L1).
 *  - Loads and stores that the L1 takes are accesses of a phase (`stores`). Phases run on from kernel to kernel. */
#ifndef WARPLINE_POLICY_COMPRESSION_H
#define WARPLINE_POLICY_COMPRESSION_H
#include "compress/compress.h"
#include "policy/policy.h"

enum algorithm { ALGORITHM_NONE, ALGORITHM_BDI, ALGORITHM_FPC, ALGORITHM_CPACK, ALGORITHM_BPC, ALGORITHM_SC, ALGORITHMS };
extern const char *const algorithm_names[];

enum compression_effect { EFFECT_BOTH, EFFECT_CAPACITY, EFFECT_LATENCY };
enum compression_decompressor { DECOMPRESSOR_QUEUE, DECOMPRESSOR_PIPELINE };
enum compression_reserve { RESERVE_LEAST, RESERVE_LINE };
enum compression_tables { TABLES_GPU, TABLES_SM };
enum compression_drop { DROP_CODED, DROP_ALL };
extern const char *const compression_effect_names[], *const compression_decompressor_names[],
                                                         *const compression_reserve_names[], *const compression_tables_names[],
                                                                                                 *const compression_drop_names[];

enum { SUB_BLOCK_BYTES = 32, TAGS_PER_WAY = 4, STAGE_LINES = 64 };

struct compression_config { /* the first member of each policy's */
    uint32_t effect, decompressor, reserve, tables, drop;
    uint32_t phase_accesses, period_phases;
    uint64_t table_cycles;
    bool stores;
    struct param_list compress_cycles, decompress_cycles; /* bdi, fpc, cpack, bpc, sc */
};

#define COMPRESSION_PARAMS(T)                                                                                                      \
    PARAM_CHOICE(T, base.effect, "effect", "both", compression_effect_names,                                                       \
                 "what compression does: both, only its capacity at no latency, or only its latency with lines of full size"),     \
        PARAM_CHOICE(T, base.decompressor, "decompressor", "queue", compression_decompressor_names,                                \
                     "a decompressor takes one line after the other, or one in every cycle"),                                      \
        PARAM_CHOICE(T, base.reserve, "reserve", "least", compression_reserve_names,                                               \
                     "what a miss reserves while the size of its line is not known: the least that it may take, or a whole line"), \
        PARAM_CHOICE(T, base.tables, "tables", "gpu", compression_tables_names,                                                    \
                     "whether SC's tables are one for the GPU, or one for each SM"),                                               \
        PARAM_CHOICE(T, base.drop, "drop", "coded", compression_drop_names,                                                        \
                     "what goes when SC has new codes: lines with the old ones, or all lines"),                                    \
        PARAM_U32(T, base.phase_accesses, "phase_accesses", 256, 1, 1000000, "accesses", "an experimental phase of an L1"),        \
        PARAM_U32(T, base.period_phases, "period_phases", 10, 3, 1000, "phases", "a period, after which SC has new codes"),        \
        PARAM_U64(T, base.table_cycles, "table_cycles", 32, 1, 64, "cycles",                                                       \
                  "how often the tables of the GPU are brought up to date"),                                                       \
        PARAM_BOOL(T, base.stores, "stores", true, "stores are accesses of a phase too"),                                          \
        PARAM_LIST(T, base.compress_cycles, "compress_cycles", "2,6,6,6,6", "cycles", "of bdi, fpc, cpack, bpc, sc"),              \
        PARAM_LIST(T, base.decompress_cycles, "decompress_cycles", "2,5,8,11,14", "cycles", "of bdi, fpc, cpack, bpc, sc")

/* The rows that every policy's counters begin with. */
#define STAT_DEF "policy/compression_counters.def"
#define STAT_NAME compression
#include "stat/declare.h"

struct sc_unit {         /* SC's tables: of the GPU, or of an SM */
    uint64_t phase;      /* since the run began */
    uint32_t generation; /* of the codes; 0: none yet */
    bool learning;
    struct sc_table table;
    struct sc_codes codes;
};

struct compression_gpu {
    uint32_t units;
    struct sc_unit unit[];
};

struct compression_sm {           /* the first member of each policy's */
    uint64_t accesses;            /* of phases */
    uint64_t resident;            /* lines that hold data */
    uint64_t free_at[ALGORITHMS]; /* when each decompressor is */
    uint32_t staged;
    uint8_t stage[STAGE_LINES][LINE_MOST_BYTES]; /* filled since the tables were brought up to date */
};

struct compression_line { /* the first member of each policy's */
    uint64_t address;
    uint32_t generation; /* of SC's codes */
    uint8_t algorithm;   /* ALGORITHM_NONE: kept as it is */
    bool valid;
};

bool compression_check(const void *config, const struct policy_geometry *g, char *text, size_t size);
void compression_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out);
void compression_start(struct policy_self *self);
const char *compression_broken(const struct policy_self *self);
uint64_t compression_cycle_period(const void *config);

/* Bits of a line under an algorithm. A debug build unpacks the line again and compares. `codes` for SC. */
uint32_t compression_bits(enum algorithm algorithm, const struct sc_codes *codes, const uint8_t *line, uint32_t bytes);
/* Gives the line's values to SC's tables, from the SM that filled it. False: they are not learning. */
bool compression_learn(struct policy_self *self, uint32_t sm, const uint8_t *line);
const struct sc_codes *compression_codes(const struct policy_self *self, uint32_t sm);
uint32_t compression_decompress_cycles(const struct compression_config *c, enum algorithm algorithm);

/* Hooks, with the algorithm as a further argument. */
uint32_t compression_tags_per_set(struct policy_self *self, uint32_t level);
uint32_t compression_set_bytes(struct policy_self *self, uint32_t level);
uint32_t compression_stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched,
                                  bool filled, enum algorithm algorithm);
uint32_t compression_fill_cycles(struct policy_self *self, const struct policy_access *a, uint32_t way);
uint32_t compression_hit_cycles(struct policy_self *self, const struct policy_access *a, uint32_t way);
/* True for an access that belongs to a phase. It is counted then. */
bool compression_accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome);
void compression_filled(struct policy_self *self, const struct policy_access *a, uint32_t way);
void compression_evicted(struct policy_self *self, const struct policy_evicted *e);
void compression_serial(struct policy_self *self, uint64_t cycle);
/* SC's part alone: brings the tables up to date. `new_codes`, when given, is called for SMs whose codes are new. Returns how
 * often there were new ones. */
uint32_t compression_update_tables(struct policy_self *self,
                                   void (*new_codes)(struct policy_self *self, uint32_t sm, uint32_t generation));

/* Section 4.3.3: pJ of compressing and decompressing a line. The text prints none for the other algorithms, which count as 0. */
#define COMPRESSION_ENERGY(group)                                                                                                  \
    {                                                                                                                              \
        { "BDI compressor", group ".compressions.bdi", 192, 0, "Arunkumar, 2018, section 4.3.3" },                                 \
            { "BDI decompressor", group ".decompressions.bdi", 56, 0, "Arunkumar, 2018, section 4.3.3" },                          \
            { SC_TABLE_ROW, group ".codes.learnt", 0, 0, NULL },                                                                   \
            { SC_CODES_ROW, group ".compressions.sc", 420, 0, "Arunkumar, 2018, section 4.3.3" },                                  \
            { SC_DECODER_ROW, group ".decompressions.sc", 336, 0, "Arunkumar, 2018, section 4.3.3" },                              \
        {                                                                                                                          \
            NULL, NULL, 0, 0, NULL                                                                                                 \
        }                                                                                                                          \
    }
#define SC_TABLE_ROW "SC: value-frequency table (value, count)"
#define SC_CODES_ROW "SC: compressor (codes)"
#define SC_DECODER_ROW "SC: decompressor (values)"

/* Structures of a compressed L1, and those of SC where it is used; returns how many rows. */
uint32_t compression_hardware(const struct compression_config *c, const struct policy_geometry *g, bool sc,
                              struct policy_hardware rows[]);
#endif
