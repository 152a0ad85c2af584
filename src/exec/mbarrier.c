/* mbarrier.c - barriers in shared memory: a word of 64 bits that threads arrive at, and that waiting threads ask.
 *
 * PTX leaves the word's inside open. Here it holds the arrivals that are still missing, how many a phase has, the bytes that
 * asynchronous copies have yet to bring, and the phase's parity. A token (`state`) is the word as it was before the arrival.
 * Nobody waits inside: test_wait and try_wait answer at once, and programs ask again in a loop, which takes the time of a load of
 * shared memory each time. */
#include "exec/engine.h"

#include <inttypes.h>
#include <stdio.h>

enum { COUNT_BITS = 20, TX_BITS = 22, COUNT_LIMIT = 1 << COUNT_BITS, TX_LIMIT = 1 << 20, TELL_AFTER = 1 << 20 };
#define PHASE_BIT UINT64_C(0x8000000000000000)
#define VALID_BIT UINT64_C(0x4000000000000000) /* between init and inval */

struct state {
    uint32_t pending, expected;
    int32_t tx;
    bool phase;
};

static uint64_t pack(struct state s)
{
    const uint64_t tx = (uint64_t)(uint32_t)s.tx & ((1u << TX_BITS) - 1);
    return s.pending | (uint64_t)s.expected << COUNT_BITS | tx << 2 * COUNT_BITS | VALID_BIT | (s.phase ? PHASE_BIT : 0);
}

static struct state unpack(uint64_t word)
{
    const uint32_t tx = (uint32_t)(word >> 2 * COUNT_BITS) & ((1u << TX_BITS) - 1);
    return (struct state){ .pending = (uint32_t)word & (COUNT_LIMIT - 1),
                           .expected = (uint32_t)(word >> COUNT_BITS) & (COUNT_LIMIT - 1),
                           .tx = (int32_t)(tx << (32 - TX_BITS)) >> (32 - TX_BITS),
                           .phase = word & PHASE_BIT };
}

static bool find_words(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!access_resolve(w, x, mask))
        return false;
    if (w->run->space == SPACE_SHARED && !w->run->mixed)
        return true;
    fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "an mbarrier lies in the block's shared memory, and this one does not");
    return false;
}

/* The phase ends when nobody and nothing is missing. */
static void end_phase_if_complete(struct warp *w, struct state *s)
{
    if (s->pending || s->tx)
        return;
    s->phase = !s->phase;
    s->pending = s->expected;
    w->cta->epoch++; /* it orders accesses as a barrier of the block does */
    w->cta->mbarrier_polls = 0;
}

static bool arrive(struct warp *w, const struct xop *x, uint32_t lane, struct state *s, uint32_t count)
{
    const bool completes = x->inst->mod.mode2 != MBARRIER_NO_COMPLETE;
    if (count == 0 || count > s->pending || (count == s->pending && !completes)) {
        fault_plain(w, x, lane,
                    count > s->pending ? "%u threads arrive at an mbarrier that waits for %u"
                                       : "%u arrivals at an mbarrier that waits for %u are not allowed here",
                    count, s->pending);
        return false;
    }
    s->pending -= count;
    end_phase_if_complete(w, s);
    return true;
}

/* How many arrivals, or bytes, the instruction names. */
static uint32_t amount(const struct warp *w, const struct xop *x, uint32_t lane)
{
    return x->source_count ? (uint32_t)operand_lane(w, x->src[0], lane) : 1;
}

/* So many bytes more, or less, are to come. */
static bool change_bytes(struct warp *w, const struct xop *x, uint32_t lane, struct state *s, uint32_t n, bool more)
{
    const int64_t tx = s->tx + (more ? (int64_t)n : -(int64_t)n);
    if (tx >= TX_LIMIT || tx <= -TX_LIMIT) {
        fault_plain(w, x, lane, "an mbarrier cannot wait for %" PRId64 " bytes: %d are the most", tx, TX_LIMIT - 1);
        return false;
    }
    s->tx = (int32_t)tx;
    return true;
}

/* What one lane does to the word; false: a fault. */
static bool change(struct warp *w, const struct xop *x, uint32_t lane, struct state *s)
{
    const uint32_t n = amount(w, x, lane);
    const bool is_copy = x->inst->op == OP_CP;
    switch (is_copy ? (uint8_t)MBARRIER_ARRIVE : x->inst->mod.mode) {
    case MBARRIER_ARRIVE_DROP:
        if (x->inst->mod.mode2 != MBARRIER_EXPECT_TX && n <= s->expected)
            s->expected -= n;
        else if (x->inst->mod.mode2 == MBARRIER_EXPECT_TX && s->expected)
            s->expected--;
        break;
    case MBARRIER_EXPECT: return change_bytes(w, x, lane, s, n, true);
    case MBARRIER_COMPLETE:
        if (!change_bytes(w, x, lane, s, n, false))
            return false;
        end_phase_if_complete(w, s);
        return true;
    default: break;
    }
    /* Copies have been made when they were issued. Without .noinc one more arrival is waited for, and comes at once. */
    if (is_copy && x->inst->mod.mode2 != MBARRIER_NO_INCREMENT)
        return true;
    if (!is_copy && x->inst->mod.mode2 == MBARRIER_EXPECT_TX && !change_bytes(w, x, lane, s, n, true))
        return false;
    return arrive(w, x, lane, s, !is_copy && x->inst->mod.mode2 == MBARRIER_EXPECT_TX ? 1 : is_copy ? 1 : n);
}

static bool is_valid(struct warp *w, const struct xop *x, uint32_t lane, uint64_t word)
{
    if (word & VALID_BIT)
        return true;
    fault_plain(w, x, lane, "no mbarrier is there: it was not made by mbarrier.init, or mbarrier.inval has ended it");
    return false;
}

void mbarrier_change(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct run *run = w->run;
    if (!find_words(w, x, mask))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t word;
        memcpy(&word, run->host[lane], sizeof word);
        const uint64_t token = word;
        struct state s = unpack(word);
        if (!is_valid(w, x, lane, word) || !change(w, x, lane, &s))
            return;
        word = pack(s);
        memcpy(run->host[lane], &word, sizeof word);
        if (x->dst_width)
            frame_set_lane(w, x->dst, x->dst_width, lane, token);
    }
}

void mbarrier_set(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!find_words(w, x, mask))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left), n = amount(w, x, lane);
        uint64_t word = 0;
        if (x->inst->mod.mode == MBARRIER_INIT) {
            if (n == 0 || n >= COUNT_LIMIT) {
                fault_plain(w, x, lane, "an mbarrier for %u arrivals: 1 to %d are possible", n, COUNT_LIMIT - 1);
                return;
            }
            word = pack((struct state){ .pending = n, .expected = n });
        }
        memcpy(w->run->host[lane], &word, sizeof word);
    }
}

/* Polls that find nothing new for very long are most likely in vain, but nobody can know: it is said once. */
static void note_poll(struct warp *w, const struct xop *x, uint32_t lane, struct state s)
{
    struct cta *cta = w->cta;
    struct run *run = w->run;
    if (++cta->mbarrier_polls < TELL_AFTER || run->told_mbarrier)
        return;
    run->told_mbarrier = true;
    (void)fprintf(stderr,
                  "warpline: kernel %s, block (%u,%u,%u): warp %u has asked for long whether the mbarrier at 0x%" PRIx64
                  " of shared memory is complete (%s:%u): %u of %u arrivals and %d bytes are missing\n",
                  run->front.launch.kernel, cta->ctaid[0], cta->ctaid[1], cta->ctaid[2], w->index, run->address[lane],
                  run->image->routines[0].module->ptx->file, x->inst->line, s.pending, s.expected, s.tx);
}

void mbarrier_ask(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct run *run = w->run;
    uint32_t complete = 0;
    if (!find_words(w, x, mask))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint64_t asked = operand_lane(w, x->src[0], lane);
        uint64_t word;
        memcpy(&word, run->host[lane], sizeof word);
        if (!is_valid(w, x, lane, word))
            return;
        const bool phase = x->inst->mod.mode2 == MBARRIER_PARITY ? asked & 1 : (asked & PHASE_BIT) != 0;
        const struct state s = unpack(word);
        complete |= (uint32_t)(s.phase != phase) << lane;
        if (s.phase == phase && !(left & (left - 1)))
            note_poll(w, x, lane, s);
    }
    uint32_t *answer = frame_at(w, x->dst);
    *answer = (*answer & ~mask) | complete;
}

void mbarrier_count(struct warp *w, const struct xop *x, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        frame_set_lane(w, x->dst, x->dst_width, lane, unpack(operand_lane(w, x->src[0], lane)).pending);
    }
}
