/* mascar_mode.h - Mascar's two ways of scheduling (Sethia et al., HPCA 2015, sections III-A and III-B), shared by `mascar` and
 * `mascar-schedule`. mascar_mode.c lists what the text leaves open and how it was decided. */
#ifndef WARPLINE_POLICY_MASCAR_MODE_H
#define WARPLINE_POLICY_MASCAR_MODE_H
#include "policy/policy.h"

enum mascar_forced { MASCAR_AUTO, MASCAR_EQUAL, MASCAR_MEMORY };
enum mascar_others { MASCAR_OTHERS_STALL, MASCAR_OTHERS_READY };
enum mascar_heir { MASCAR_READY_FIRST, MASCAR_QUEUE_FIRST };
enum mascar_relief { MASCAR_BY_FLAG, MASCAR_BY_QUEUE };
extern const char *const mascar_forced_names[], *const mascar_others_names[], *const mascar_heir_names[],
                                                                                  *const mascar_relief_names[];

struct mascar_mode_config {
    uint32_t mshr_free, mshr_free_off, miss_queue_free, miss_queue_free_off, readonly_free, forced, others, heir, relief;
};

#define MASCAR_MODE_PARAMS(type, field)                                                                                            \
    PARAM_U32(type, field.mshr_free, "mshr_free", 50, 0, 100, "percent",                                                           \
              "free MSHRs at which the L1 counts as saturated (half: what one load may need of table I's 64)"),                    \
        PARAM_U32(type, field.mshr_free_off, "mshr_free_off", 0, 0, 100, "percent",                                                \
                  "free MSHRs up to which it stays so; less than mshr_free: as that (the text has one threshold)"),                \
        PARAM_U32(type, field.miss_queue_free, "miss_queue_free", 2, 0, 65536, "entries",                                          \
                  "free places of the miss queue at which it does (two: what a miss may need)"),                                   \
        PARAM_U32(type, field.miss_queue_free_off, "miss_queue_free_off", 0, 0, 65536, "entries",                                  \
                  "free places up to which it stays so; less than miss_queue_free: as that (the text has one threshold)"),         \
        PARAM_U32(type, field.readonly_free, "readonly_free", 0, 0, 65536, "misses",                                               \
                  "the same for the texture and constant caches (none: the text gives no number)"),                                \
        PARAM_CHOICE(type, field.forced, "mode", "auto", mascar_forced_names, "follow the saturation, or stay in one mode"),       \
        PARAM_CHOICE(                                                                                                              \
            type, field.others, "others", "stall", mascar_others_names,                                                            \
            "warps beside the owner: held back (section III-A's stall bits), or those that were ready before it may issue")
/* Of the policy that has a queue as well. */
#define MASCAR_MODE_AND_QUEUE_PARAMS(type, field)                                                                                  \
    PARAM_CHOICE(type, field.heir, "heir", "ready", mascar_heir_names,                                                             \
                 "who owns next: warps that are ready before the queue, as in the text, or not"),                                  \
        PARAM_CHOICE(type, field.relief, "relief", "flag", mascar_relief_names,                                                    \
                     "memory priority ends with the saturation, as in the text, or when the re-execution queue is empty as well")

/* Rows: mascar_mode_counters.def, for a counters struct with the member `mode`. */
struct mascar_mode_counters {
    uint64_t ep_cycles, mp_cycles, mode_switches, owners, owners_from_queue, misses_refused, hits_of_others;
};

/* Of an SM. */
struct mascar_mode {
    uint64_t cycle; /* of the last look */
    uint16_t owner; /* NO_WARP: none */
    bool looked, saturated, textures;
    bool open;         /* at the last look, every warp was allowed to issue to memory */
    uint64_t admitted; /* slots whose memory instruction was ready at that time */
};

void mascar_mode_clear(struct mascar_mode *mode);
/* Called once per cycle, before its first pick; further calls in the cycle do nothing. `head`: the warp at the head of the
 * re-execution queue, or NO_WARP; `held`: slots that may not issue to memory on account of that queue. */
void mascar_mode_look(struct policy_self *self, const struct policy_sm_view *view, const struct mascar_mode_config *config,
                      struct mascar_mode *mode, struct mascar_mode_counters *count, uint16_t head, uint64_t held);
/* For cycles in which nothing in the SM changed. Mode and owner did not change either. */
void mascar_mode_slept(const struct mascar_mode *mode, struct mascar_mode_counters *count, uint64_t cycles);
uint32_t mascar_mode_pick(const struct policy_self *self, const struct policy_sm_view *view,
                          const struct mascar_mode_config *config, struct mascar_mode *mode, uint32_t scheduler,
                          uint64_t candidates);
/* The warp in `slot` has issued `inst`. Without an owner, a memory instruction makes the warp the owner. */
void mascar_mode_issued(struct mascar_mode *mode, struct mascar_mode_counters *count, uint32_t slot, const struct inst *inst);
void mascar_mode_own(struct mascar_mode *mode, struct mascar_mode_counters *count, uint16_t warp);
/* True when the access belongs to a warp other than the owner. A miss is then refused. */
bool mascar_mode_is_anothers(const struct mascar_mode *mode, const struct policy_access *access);
uint32_t mascar_mode_hardware(const struct policy_geometry *geometry, struct policy_hardware rows[]);
#endif
