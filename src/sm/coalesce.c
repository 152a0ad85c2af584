/* coalesce.c - from lanes' addresses to transactions: the rules of compute capability 2.x as GPGPU-Sim has them.
 *
 * Lanes are grouped by segment (128 B; 64 for 2-byte elements, 32 for bytes and for whatever goes past the L1), and a group
 * shrinks to the half or quarter that it touches. Atomics that touch the same bytes are separate transactions. Vectors count as
 * their first element, as in GPGPU-Sim. */
#include <string.h>

#include "sm/sm_state.h"

static uint32_t lanes_from(uint32_t first, uint32_t count)
{
    return (uint32_t)((1ull << count) - 1) << first;
}

static inline void mask_add(struct byte_mask *m, uint32_t first, uint32_t bytes)
{
    if (first % 64 + bytes <= 64) { /* always, for aligned elements of up to 16 bytes */
        m->word[first / 64] |= ((bytes < 64 ? 1ull << bytes : 0) - 1) << (first % 64);
        return;
    }
    for (uint32_t i = first; i < first + bytes && i < 128; i++)
        m->word[i / 64] |= 1ull << (i % 64);
}
static inline bool mask_touches(const struct byte_mask *m, uint32_t first, uint32_t bytes)
{
    for (uint32_t i = first; i < first + bytes && i < 128; i++)
        if (m->word[i / 64] >> (i % 64) & 1)
            return true;
    return false;
}

/* While lanes are added, an access is a whole segment. Accesses are kept in order of address; those of one segment in order of
 * their making. */
static struct sm_access *find_segment(struct sm_op *op, uint64_t segment, uint32_t segment_bytes, uint32_t first, uint32_t bytes,
                                      bool atomic)
{
    struct sm_access *accesses = op->access;
    uint32_t at = op->access_count;
    while (at && accesses[at - 1].address > segment)
        at--;
    uint32_t same = at;
    while (same && accesses[same - 1].address == segment)
        same--;
    for (uint32_t i = same; i < at; i++)
        if (!atomic || !mask_touches(&accesses[i].mask, first, bytes))
            return &accesses[i];
    require(op->access_count < SM_ACCESSES_MAX);
    for (uint32_t i = op->access_count++; i > at; i--)
        accesses[i] = accesses[i - 1];
    accesses[at] = (struct sm_access){ .address = segment, .bytes = (uint16_t)segment_bytes };
    return &accesses[at];
}

/* `last` is where the lane before went. This lane mostly goes to the same place. */
static inline struct sm_access *add_lane(struct sm_op *op, struct sm_access *last, uint32_t segment_bytes, uint64_t address,
                                         uint32_t bytes, uint32_t lane, bool atomic)
{
    const uint32_t offset = (uint32_t)(address & 127);
    const uint64_t segment = address & ~(uint64_t)(segment_bytes - 1);
    struct sm_access *a =
        last && !atomic && last->address == segment ? last : find_segment(op, segment, segment_bytes, offset, bytes, atomic);
    a->sectors = (uint8_t)(a->sectors | 1u << (offset / 32));
    a->lanes |= 1u << lane;
    mask_add(&a->mask, offset, bytes);
    return a;
}

/* A segment becomes the half or quarter of it that lanes touch. */
static void shrink(struct sm_access *a)
{
    const uint32_t first = (uint32_t)(a->address & 127) / 32; /* chunk of the 128 B in which the segment begins */
    uint32_t halves = a->sectors >> first;
    if (a->bytes == 128) {
        if (!(halves & 12)) {
            a->bytes = 64;
        } else if (!(halves & 3)) {
            a->bytes = 64;
            a->address += 64;
            halves >>= 2;
        }
    }
    if (a->bytes == 64) {
        if (!(halves & 2)) {
            a->bytes = 32;
        } else if (!(halves & 1)) {
            a->bytes = 32;
            a->address += 32;
        }
    }
}

static uint32_t segment_bytes(const struct sm *sm, const struct sm_op *op)
{
    if (op->bypass_l1 || !sm->l1_config->enabled || sm->l1_config->sector_requests ||
        op->inst->element_bytes == 1) /* off for global memory: local accesses are cut in the same way */
        return 32;
    const uint32_t bytes = op->inst->element_bytes == 2 ? 64 : 128, line = sm->l1_config->line_bytes;
    return bytes < line ? bytes : line; /* an access to the L1 lies in one line */
}

/* The words of threads' local memory lie side by side: first those of a CTA's threads, then SMs, then CTA slots. */
static uint64_t local_address(const struct sm *sm, const struct sm_op *op, uint32_t lane, uint64_t offset)
{
    const uint64_t padded = (uint64_t)sm->warps_per_cta * 32;
    const uint64_t thread = (uint64_t)op->warp * 32 + lane;
    const uint64_t base = 4 * (padded * (sm->id + sm->sms * (thread / padded)) + thread % padded);
    return offset / 4 * (padded * sm->max_ctas * sm->sms) * 4 + offset % 4 + base + SM_LOCAL_BASE;
}

/* A whole warp that accesses 32 words in order: the host compares several lanes at once. */
static bool are_words_in_order(const struct warp_step *step, uint32_t bytes)
{
    const uint64_t first = step->address[0];
    if (step->executed != UINT32_MAX || bytes != 4 || first & 3)
        return false;
    uint64_t differs = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        differs |= step->address[lane] ^ (first + lane * 4);
    return !differs;
}

/* The transaction for `words` of these from `address` on, the first of them that of lane `lane`; none beyond the segment. */
static struct sm_access access_to_words(uint64_t address, uint32_t words, uint32_t lane)
{
    const uint32_t from = (uint32_t)(address & 127), bytes = words * 4;
    const unsigned __int128 touched = ~(unsigned __int128)0 >> (128 - bytes) << from;
    struct sm_access a = { .address = address & ~127ull,
                           .bytes = 128,
                           .mask = { { (uint64_t)touched, (uint64_t)(touched >> 64) } },
                           .lanes = (uint32_t)((1ull << words) - 1) << lane };
    for (uint32_t chunk = from / 32; chunk <= (from + bytes - 1) / 32; chunk++)
        a.sectors = (uint8_t)(a.sectors | 1u << chunk);
    shrink(&a);
    return a;
}

/* They lie in one segment or in two. */
static void coalesce_words(struct sm_op *op, uint64_t first)
{
    const uint32_t words = (uint32_t)(128 - (first & 127)) / 4;
    op->access[0] = access_to_words(first, words, 0);
    if (words < 32)
        op->access[1] = access_to_words(first + words * 4, 32 - words, words);
    op->access_count = op->transactions = words < 32 ? 2 : 1;
}

/* All lanes in one 128-byte segment: the usual case. False: they are not. */
static bool coalesce_segment(struct sm_op *op, const struct warp_step *step)
{
    const uint32_t bytes = op->inst->element_bytes;
    const uint64_t base = step->address[__builtin_ctz(step->executed)] & ~127ull, ones = (1ull << bytes) - 1;
    struct sm_access a = { .address = base, .bytes = 128, .lanes = step->executed };
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint64_t offset = step->address[__builtin_ctz(lanes)] - base;
        if (offset >= 128 || (offset & 63) + bytes > 64) /* another segment, below it too; or not aligned */
            return false;
        a.mask.word[offset / 64] |= ones << (offset & 63);
    }
    for (uint32_t chunk = 0; chunk < 4; chunk++)
        a.sectors = (uint8_t)(a.sectors | (byte_mask_sector(&a.mask, chunk) ? 1u << chunk : 0));
    shrink(&a);
    op->access[0] = a;
    op->access_count = op->transactions = 1;
    return true;
}

/* Lanes that point into several spaces and count with the addresses that they have there (front.h). In local memory words are
 * apart; a lane elsewhere has no second word, and GPGPU-Sim takes the address 0 for it. Local memory lies between the variables of
 * modules and the heap there: ABOVE keeps that order. */
static void coalesce_mixed(const struct sm *sm, struct sm_op *op, const struct warp_step *step)
{
    static const uint64_t ABOVE = UINT64_C(1) << 48;
    struct sm_access *last = NULL;
    const uint32_t bytes = op->inst->element_bytes, segment = segment_bytes(sm, op);
    const bool in_words = op->space == SPACE_LOCAL && bytes > 4;
    op->access_count = 0;
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const bool local = step->local_lanes >> lane & 1;
        for (uint32_t word = 0; word < (in_words ? bytes : 1); word += 4) {
            const uint64_t own = word && !local ? 0 : step->address[lane] + word;
            const uint64_t address = local ? local_address(sm, op, lane, own) : own;
            last = add_lane(op, last, segment, address + (local || own >= SM_HEAP_BASE ? ABOVE : 0), in_words ? 4 : bytes, lane,
                            false);
        }
    }
    for (uint32_t i = 0; i < op->access_count; i++) {
        op->access[i].address &= ~ABOVE;
        shrink(&op->access[i]);
    }
    op->transactions = op->access_count;
}

static void coalesce_memory(const struct sm *sm, struct sm_op *op, const struct warp_step *step)
{
    if (seldom(step->local_lanes)) {
        coalesce_mixed(sm, op, step);
        return;
    }
    if (segment_bytes(sm, op) == 128 && op->space != SPACE_LOCAL && op->inst->class != CLASS_ATOMIC) {
        if (are_words_in_order(step, op->inst->element_bytes)) {
            coalesce_words(op, step->address[0]);
            return;
        }
        if (coalesce_segment(op, step))
            return;
    }
    struct sm_access *last = NULL;
    op->access_count = 0;
    const uint32_t bytes = op->inst->element_bytes, segment = segment_bytes(sm, op);
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const uint64_t address = step->address[lane];
        if (op->space != SPACE_LOCAL) {
            last = add_lane(op, last, segment, address, bytes, lane, op->inst->class == CLASS_ATOMIC);
            continue;
        }
        for (uint32_t word = 0; word < bytes; word += 4)
            last = add_lane(op, last, segment, local_address(sm, op, lane, address + word), bytes < 4 ? bytes : 4, lane, false);
    }
    for (uint32_t i = 0; i < op->access_count; i++)
        shrink(&op->access[i]);
    op->transactions = op->access_count;
}

/* One part of the warp after the other, none of which shares a transaction with another part. */
static void coalesce_parts(const struct sm *sm, struct sm_op *op, const struct warp_step *step)
{
    struct sm_access made[SM_ACCESSES_MAX];
    uint32_t count = 0;
    const uint32_t lanes = 32 / sm->config->warp_parts;
    for (uint32_t first = 0; first < 32; first += lanes) {
        struct warp_step part = *step;
        part.executed &= lanes_from(first, lanes);
        if (!part.executed)
            continue;
        coalesce_memory(sm, op, &part);
        require(count + op->access_count <= SM_ACCESSES_MAX);
        memcpy(made + count, op->access, op->access_count * sizeof *made);
        count += op->access_count;
    }
    memcpy(op->access, made, count * sizeof *made);
    op->access_count = op->transactions = (uint8_t)count;
}

/* True when every lane reads the line that the first lane reads. */
static bool one_line(const struct warp_step *step, uint32_t line_bytes)
{
    const uint64_t first = step->address[__builtin_ctz(step->executed)];
    uint64_t differs = 0;
    if (step->executed == UINT32_MAX)
        for (uint32_t lane = 0; lane < 32; lane++) /* several at once, on most hosts */
            differs |= step->address[lane] ^ first;
    else
        for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1)
            differs |= step->address[__builtin_ctz(lanes)] ^ first;
    return differs < line_bytes;
}

/* Constants, parameters and textures: one transaction per line. */
static void coalesce_lines(struct sm_op *op, const struct warp_step *step, uint32_t line_bytes)
{
    struct sm_access *last = NULL;
    op->access_count = 0;
    uint32_t each = step->executed;
    if (one_line(step, line_bytes)) {
        const uint64_t line = step->address[__builtin_ctz(each)] & ~(uint64_t)(line_bytes - 1);
        op->access[op->access_count++] = (struct sm_access){ .address = line, .bytes = (uint16_t)line_bytes, .lanes = each };
        each = 0;
    }
    for (uint32_t lanes = each; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const uint64_t line = step->address[lane] & ~(uint64_t)(line_bytes - 1);
        if (!last || last->address != line)
            last = find_segment(op, line, line_bytes, 0, 0, false);
        last->lanes |= 1u << lane;
    }
    const uint32_t sectors = line_bytes >= 128 ? 15u : (1u << (line_bytes / SECTOR_BYTES)) - 1;
    for (uint32_t i = 0; i < op->access_count; i++) {
        struct sm_access *a = &op->access[i];
        a->mask = (struct byte_mask){ { UINT64_MAX, UINT64_MAX } };
        a->sectors = (uint8_t)(sectors << (a->address % 128 / SECTOR_BYTES));
    }
    op->transactions = op->access_count;
}

/* True when no two lanes use one bank: the usual case, which is quickly seen when the banks are a power of two. */
static bool banks_differ(const struct sm *sm, const struct warp_step *step)
{
    const uint32_t mask = sm->config->shared_banks - 1;
    uint64_t seen = 0;
    if (sm->config->shared_banks & mask)
        return false;
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint64_t bit = 1ull << (step->address[__builtin_ctz(lanes)] / 4 & mask);
        if (seen & bit)
            return false;
        seen |= bit;
    }
    return true;
}

/* Cycles that shared memory needs: the most distinct words in one bank, or the most lanes where each has its turn. */
static uint32_t shared_cycles(const struct sm *sm, const struct sm_op *op, const struct warp_step *step)
{
    const bool in_turn = op->inst->class == CLASS_ATOMIC && sm->config->shared_atomics_in_turn;
    if ((sm->config->shared_banks >= 32 && are_words_in_order(step, 4)) || banks_differ(sm, step))
        return 1;
    uint64_t word[32];
    int8_t last[64], previous[32];
    uint8_t depth[64] = { 0 };
    uint32_t most = 1;
    for (uint32_t b = 0; b < sm->config->shared_banks; b++)
        last[b] = -1;
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        word[lane] = step->address[lane] / 4;
        const uint32_t bank = (uint32_t)(word[lane] % sm->config->shared_banks);
        int other = last[bank];
        while (other >= 0 && (in_turn || word[other] != word[lane]))
            other = previous[other];
        if (other >= 0)
            continue;
        previous[lane] = last[bank];
        last[bank] = (int8_t)lane;
        if (++depth[bank] > most)
            most = depth[bank];
    }
    return most;
}

/* Lanes in local memory count with the banks of their places in memory. */
static uint32_t shared_cycles_mixed(const struct sm *sm, const struct sm_op *op, const struct warp_step *step)
{
    uint64_t address[32];
    struct warp_step flat = *step;
    flat.address = address;
    for (uint32_t lanes = step->executed; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const bool local = step->local_lanes >> lane & 1;
        address[lane] = local ? local_address(sm, op, lane, step->address[lane]) : step->address[lane];
    }
    return shared_cycles(sm, op, &flat);
}

static uint32_t shared_cycles_parts(const struct sm *sm, const struct sm_op *op, const struct warp_step *step)
{
    uint32_t cycles = 0;
    const uint32_t lanes = 32 / sm->config->warp_parts;
    for (uint32_t first = 0; first < 32; first += lanes) {
        struct warp_step part = *step;
        part.executed &= lanes_from(first, lanes);
        if (part.executed)
            cycles += seldom(step->local_lanes) ? shared_cycles_mixed(sm, op, &part) : shared_cycles(sm, op, &part);
    }
    return cycles;
}

void coalesce(const struct sm *sm, struct sm_op *op, const struct warp_step *step)
{
    const bool in_parts = seldom(sm->config->warp_parts > 1);
    switch ((enum mem_space)op->space) {
    case SPACE_SHARED:
        if (in_parts)
            op->delay = (uint16_t)shared_cycles_parts(sm, op, step);
        else
            op->delay = (uint16_t)(seldom(step->local_lanes) ? shared_cycles_mixed(sm, op, step) : shared_cycles(sm, op, step));
        break;
    case SPACE_CONST: coalesce_lines(op, step, sm->l1c_config->line_bytes); break;
    case SPACE_PARAM:
        if (op->inst->class == CLASS_LOAD)
            coalesce_lines(op, step, sm->l1c_config->line_bytes);
        break; /* stores to a call's parameters cost an issue slot and nothing else */
    case SPACE_TEXTURE: coalesce_lines(op, step, sm->l1t_config->line_bytes); break;
    default:
        op->bypass_l1 = !sm->l1_config->enabled || op->inst->class == CLASS_ATOMIC || op->inst->cache_op == CACHE_GLOBAL;
        if (op->space == SPACE_LOCAL && op->inst->cache_op != CACHE_GLOBAL)
            op->bypass_l1 = false; /* spills stay in the L1 when it is off for global memory */
        if (in_parts)
            coalesce_parts(sm, op, step);
        else
            coalesce_memory(sm, op, step);
    }
}
