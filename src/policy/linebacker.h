/* linebacker.h - what the three files of linebacker share: the load monitor and the accesses (linebacker.c, which says what it is
 * and what was decided), the victim tag table (linebacker_victims.c), the CTA throttling logic (linebacker_ctl.c). */
#ifndef WARPLINE_POLICY_LINEBACKER_H
#define WARPLINE_POLICY_LINEBACKER_H
#include "policy/policy.h"

enum { LOADS = 32, CTAS = 32, BUFFER = 6, PARTITIONS = 32, LINE_BYTES = 128, PARTITION_LINES = 192, KNOWN = 8 };
enum { READS_MAX = 40, WRITES_MAX = 16 }; /* with the buffer not more than POLICY_ACCESS_MAX */
enum match { MATCH_SET, MATCH_LOAD };
enum wake { WAKE_BELOW, WAKE_NOT_ABOVE };
enum select { SELECT_LOADS, SELECT_ALL };
struct linebacker_config {
    uint64_t window, backup_base;
    uint32_t hit_percent, upper_percent, lower_percent, match, wake, select;
    uint32_t ways, offset, partition_cycles, patience, forced;
    bool throttle, merged_hits, miss_waits, keep;
};

enum phase { MONITORING, CACHING, OFF };
enum cta_state { ABSENT, ACTIVE, DRAINING, DRAINED, SAVING, SAVED, WAKING, RESTORING };
enum stage { FREE, TO_READ, READING, TO_SEND, SENDING, TO_FETCH, FETCHING, TO_WRITE, WRITING };

struct linebacker_victim {
    uint64_t address, stamp;
    bool valid;
};
struct linebacker_sm {
    enum phase phase;
    struct {
        uint32_t hits, misses;
    } load[LOADS];         /* the load monitor; its PC field would tell nothing here */
    uint64_t searched_for; /* address + 1 of the miss for which the tags were searched when its victim left; 0: none */
    bool tag_found;        /* by that search */
    uint32_t high, high_before, selected; /* bit per hashed PC: the 2-bit valid fields, and what came of them */
    uint32_t windows;                     /* of this kernel */
    uint64_t instructions, before;        /* IPC monitor: at the window's beginning; of the window before */
    bool first_throttle;
    struct {
        uint8_t state, wanted; /* enum cta_state; wanted: woken while its registers leave */
        uint32_t windows;      /* inactive for so many */
        uint64_t address;      /* BA: where its registers are */
    } cta[CTAS];
    uint8_t stack[CTAS];                               /* inactive CTAs, the last one on top */
    uint32_t depth, target, fit, cta_registers, noise; /* fit: CTAs of this kernel that have room on an SM */
    uint32_t moving, moved, done; /* the CTA whose registers pass through the buffer, how many have begun and how many are done;
                                   * NO_SLOT: none */
    struct {
        uint8_t stage;
        uint32_t index;
    } buffer[BUFFER];
    uint32_t active; /* bit per partition */
    uint64_t active_since;
    uint32_t in_flight[PARTITIONS], reads, writes; /* accesses to victim registers under way */
    struct {
        struct request *request;
        uint32_t partition;
    } read[READS_MAX];
    struct {
        uint64_t kernel;
        uint32_t selected;
    } known[KNOWN];
    uint64_t kernel, clock;            /* clock: of the victims' stamps */
    struct linebacker_victim victim[]; /* by partition, set and way: equation 2 without its offset */
};

#define STAT_DEF "policy/linebacker_counters.def"
#define STAT_NAME linebacker
#include "stat/declare.h"

struct linebacker_shape {
    uint32_t sets, ways, partitions;
};

static inline struct linebacker_shape shape_of(const struct linebacker_config *c, const struct policy_geometry *g)
{
    const uint32_t sets = g->cache[LEVEL_L1].sets, registers = g->registers_per_sm / 32;
    const uint32_t fit = sets ? PARTITION_LINES / sets : 0, ways = c->ways ? c->ways : fit ? fit : 1;
    const uint32_t above = registers > c->offset ? registers - c->offset : 0, partitions = sets ? above / (sets * ways) : 0;
    return (struct linebacker_shape){ sets, ways, partitions < PARTITIONS ? partitions : PARTITIONS };
}

static inline uint32_t lines_of(const struct linebacker_shape *s)
{
    return s->sets * s->ways;
}

/* Equation 2. */
static inline uint32_t register_number(const struct linebacker_config *c, const struct linebacker_shape *s, uint32_t partition,
                                       uint32_t set, uint32_t way)
{
    return c->offset + partition * lines_of(s) + set * s->ways + way;
}

static inline struct linebacker_victim *victim_at(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t partition,
                                                  uint32_t set, uint32_t way)
{
    return &sm->victim[partition * lines_of(s) + set * s->ways + way];
}

/* Partitions that may hold tags now. */
static inline uint32_t partitions_of(const struct linebacker_sm *sm, const struct linebacker_shape *s)
{
    return sm->phase == MONITORING ? (uint32_t)((1ull << s->partitions) - 1) : sm->active;
}

/* The CTAs in one of these states. */
static inline uint32_t ctas_in(const struct linebacker_sm *sm, uint32_t states)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < CTAS; i++)
        n += states >> sm->cta[i].state & 1;
    return n;
}

/* CTAs that run, or that will run without any further decision. */
static inline uint32_t active_ctas(const struct linebacker_sm *sm)
{
    uint32_t n = ctas_in(sm, 1u << ACTIVE | 1u << WAKING | 1u << RESTORING);
    for (uint32_t i = 0; i < CTAS; i++)
        n += sm->cta[i].state == SAVING && sm->cta[i].wanted;
    return n;
}

/* linebacker_victims.c. `searched`: partitions that were looked at, the one that has it included. */
struct linebacker_found {
    struct linebacker_victim *victim;
    uint32_t partition, way, searched;
};

struct linebacker_found linebacker_find(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t set, uint64_t address);
struct linebacker_found linebacker_place(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t set);
void linebacker_forget(struct linebacker_sm *sm, const struct linebacker_shape *s, uint32_t partitions);
void linebacker_set_partitions(const struct policy_self *self, uint32_t id, bool open, uint64_t cycle);
bool linebacker_registers_busy(const struct linebacker_sm *sm);

/* linebacker_ctl.c. At the end of a window: one CTA more or less. */
void linebacker_control(const struct policy_self *self, uint32_t id, uint64_t instructions, uint64_t cycle);
void linebacker_cta_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta);
void linebacker_cta_drained(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta);
void linebacker_injected(struct policy_self *self, const struct policy_sm_view *v, uint64_t token);
void linebacker_register_done(struct policy_self *self, const struct policy_sm_view *v, uint64_t token);

enum { TOKEN_READ = 1, TOKEN_STORE, TOKEN_BUFFER };
#define TOKEN(kind, i) (0x4C42000000000000ull | (uint64_t)(kind) << 32 | (i)) /* "LB" */
#define TOKEN_MARK 0x4C42ull

#endif
