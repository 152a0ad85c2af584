/* warpwide.c - instructions through which the lanes of a warp see each other. Lanes of a warp run in step. If a member mask
 * names lanes that are elsewhere, nobody can wait for them, and the lanes that are here take part alone. For the exception see
 * spin.c. */
#include "exec/engine.h"

/* `lanes` get the result that the lanes of `members` make together. */
typedef void group_fn(struct warp *w, const struct xop *x, uint32_t lanes, uint32_t members);

/* Lanes that name different members, as the tiles of a warp do, form separate groups. `at` is the operand that names them. Whoever
 * is named and here takes part, whatever it names itself: programs give each lane the mask of those before it. */
static void for_groups(struct warp *w, const struct xop *x, uint32_t mask, uint32_t at, group_fn *fn)
{
    if (x->source_count <= at) {
        fn(w, x, mask, mask);
        return;
    }
    const uint32_t here = mask;
    while (mask) {
        const uint32_t named = (uint32_t)operand_lane(w, x->src[at], (uint32_t)__builtin_ctz(mask));
        uint32_t group = 0;
        for (uint32_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            group |= (uint32_t)((uint32_t)operand_lane(w, x->src[at], lane) == named) << lane;
        }
        fn(w, x, group, named & here);
        mask &= ~group;
    }
}

/* In a warp that spin.c has split, waits for the members that are elsewhere. */
static bool must_wait(struct warp *w, const struct xop *x, uint32_t mask, uint32_t at)
{
    uint32_t wanted = 0;
    if (!w->is_split || !x->inst->mod.sync || x->source_count <= at)
        return false;
    for (uint32_t left = mask; left; left &= left - 1)
        wanted |= (uint32_t)operand_lane(w, x->src[at], (uint32_t)__builtin_ctz(left));
    return spin_wait(w, wanted);
}

void warpwide_sync(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (w->is_split)
        (void)spin_wait(w, (uint32_t)operand_lane(w, x->src[0], (uint32_t)__builtin_ctz(mask)));
}

static void words_of(const struct warp *w, struct operand o, uint32_t to[LANES])
{
    if (o.width == 4)
        memcpy(to, operand_at(w, o), LANES * sizeof *to);
    for (uint32_t lane = 0; lane < LANES && o.width != 4; lane++)
        to[lane] = (uint32_t)operand_lane(w, o, lane);
}

/* The lane that each lane reads from; 32 is added where it would be outside its segment, and reads itself. */
static void shuffle_sources(uint8_t mode, const uint32_t *b, const uint32_t *c, uint32_t source[LANES])
{
#define EACH_LANE(from, is_inside)                                                                                                 \
    for (uint32_t lane = 0; lane < LANES; lane++) {                                                                                \
        const uint32_t segment = c[lane] >> 8 & 31, clamp = c[lane] & 31, shift = b[lane] & 31;                                    \
        const int32_t highest = (int32_t)((lane & segment) | (clamp & ~segment));                                                  \
        const int32_t at = (int32_t)(from);                                                                                        \
        source[lane] = (is_inside) ? (uint32_t)at & 31 : lane + LANES;                                                             \
    }                                                                                                                              \
    break
    switch (mode) {
    case SHFL_UP: EACH_LANE(lane - shift, at >= highest);
    case SHFL_DOWN: EACH_LANE(lane + shift, at <= highest);
    case SHFL_BFLY: EACH_LANE(lane ^ shift, at <= highest);
    default: EACH_LANE((lane & segment) | (shift & ~segment), at <= highest);
    }
#undef EACH_LANE
}

void warpwide_shuffle(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (must_wait(w, x, mask, 3))
        return;
    uint32_t result[LANES], source[LANES], b[LANES], c[LANES], found = 0;
    const uint32_t *from = operand_at(w, x->src[0]);
    words_of(w, x->src[1], b);
    words_of(w, x->src[2], c);
    shuffle_sources(x->inst->mod.mode, b, c, source);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t at = source[lane] & 31;
        result[lane] = mask >> at & 1 ? from[at] : 0; /* for a lane that is not here: zero */
        found |= (uint32_t)(source[lane] < LANES) << lane;
    }
    found &= mask;
    if (x->dst_width == 4) {
        uint32_t *to = frame_at(w, x->dst);
        for (uint32_t lane = 0; lane < LANES; lane++)
            to[lane] = mask >> lane & 1 ? result[lane] : to[lane];
    } else {
        for (uint32_t left = mask; left; left &= left - 1)
            frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), result[__builtin_ctz(left)]);
    }
    if (x->dst2) {
        uint32_t *predicate = frame_at(w, x->dst2);
        *predicate = (*predicate & ~mask) | found;
    }
}

static void vote(struct warp *w, const struct xop *x, uint32_t mask, uint32_t here)
{
    uint32_t yes = operand_predicate(w, x->src[0]) & here;
    if (x->inst->mod.mode == VOTE_BALLOT) {
        for (uint32_t left = mask; left; left &= left - 1)
            frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), yes);
        return;
    }
    bool value = x->inst->mod.mode == VOTE_ALL ? yes == here : x->inst->mod.mode == VOTE_ANY ? yes != 0 : yes == here || yes == 0;
    uint32_t *predicate = frame_at(w, x->dst);
    *predicate = (*predicate & ~mask) | (value ? mask : 0);
}

void warpwide_vote(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!must_wait(w, x, mask, 1))
        for_groups(w, x, mask, 1, vote);
}

static void match(struct warp *w, const struct xop *x, uint32_t mask, uint32_t here)
{
    uint32_t same[LANES] = { 0 }, all = 0;
    uint64_t values[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        values[lane] = operand_lane(w, x->src[0], lane);
    for (uint32_t left = here; left;) { /* all lanes with the value of the first that is left */
        const uint64_t value = values[__builtin_ctz(left)];
        uint32_t group = 0;
        for (uint32_t lane = 0; lane < LANES; lane++)
            group |= (uint32_t)(values[lane] == value) << lane;
        group &= here;
        for (uint32_t lane = 0; lane < LANES; lane++)
            same[lane] = group >> lane & 1 ? group : same[lane];
        all |= group == here ? here : 0;
        left &= ~group;
    }
    bool every = x->inst->mod.mode == MATCH_ALL;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        frame_set_lane(w, x->dst, x->dst_width, lane, every ? (all >> lane & 1 ? here : 0) : same[lane]);
    }
    if (x->dst2) {
        uint32_t *predicate = frame_at(w, x->dst2);
        *predicate = (*predicate & ~mask) | (all & mask);
    }
}

void warpwide_match(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!must_wait(w, x, mask, 1))
        for_groups(w, x, mask, 1, match);
}

void warpwide_active(struct warp *w, const struct xop *x, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1)
        frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), mask);
}

static uint32_t combine(uint32_t sum, uint32_t value, const struct ptx_inst *inst)
{
    bool is_signed = inst->type[0] == T_S32;
    switch (inst->mod.atomic) {
    case ATOMIC_ADD: return sum + value;
    case ATOMIC_MIN: return (is_signed ? (int32_t)value < (int32_t)sum : value < sum) ? value : sum;
    case ATOMIC_MAX: return (is_signed ? (int32_t)value > (int32_t)sum : value > sum) ? value : sum;
    case ATOMIC_AND: return sum & value;
    case ATOMIC_OR: return sum | value;
    default: return sum ^ value;
    }
}

static void reduce(struct warp *w, const struct xop *x, uint32_t mask, uint32_t here)
{
    const uint32_t *from = operand_at(w, x->src[0]);
    uint32_t sum = here ? from[__builtin_ctz(here)] : 0;
    for (uint32_t left = here & (here - 1); left; left &= left - 1)
        sum = combine(sum, from[__builtin_ctz(left)], x->inst);
    for (uint32_t left = mask; left; left &= left - 1)
        frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), sum);
}

void warpwide_reduce(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!must_wait(w, x, mask, 1))
        for_groups(w, x, mask, 1, reduce);
}

static void elect(struct warp *w, const struct xop *x, uint32_t mask, uint32_t here)
{
    uint32_t leader = here ? (uint32_t)__builtin_ctz(here) : 0;
    for (uint32_t left = mask; left; left &= left - 1)
        frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), leader);
    if (x->dst2) {
        uint32_t *predicate = frame_at(w, x->dst2);
        *predicate = (*predicate & ~mask) | (here ? 1u << leader : 0);
    }
}

void warpwide_elect(struct warp *w, const struct xop *x, uint32_t mask)
{
    for_groups(w, x, mask, 0, elect);
}
