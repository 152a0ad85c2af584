/* pric - pseudo-random interleaving: the set of a line is its address modulo an irreducible polynomial over GF(2)
 * (Khairy et al., GPGPU-8 2015, section 4.3, after Rau, ISCA 1991).
 *
 * The line address is read as a polynomial A(x); index = A(x) mod P(x), where P has degree log2(sets). Strides that are multiples
 * of the number of sets, which fall into one set under the linear index, are spread over all of them. The paper's machine has 32
 * sets and uses P = x^5 + x^2 + 1, "Poly(37)"; its figure 7 lists the XOR equations for address bits 7..26, and this covers
 * all bits. It names the L1's polynomial only, so `at` is l1 unless asked otherwise; at an L2 the address is the one inside the
 * slice, after the bits that choose the slice are gone.
 *
 * It stores nothing: the gates are all of its hardware. Tag and index are quotient and remainder, A = V P + R, so that V, which has
 * as many bits as the tag of a linear index, and the set tell every line apart. (The linear index's own tag does too: the low bits
 * of A go into R as they are.)
 *
 * The remainder is linear in the bits of A, so it is the XOR of one table entry per byte of the address. */
#include <stdio.h>

#include "policy/polynomial.h"
#include "policy/replacement.h"

struct config {
    uint32_t at, polynomial_l1, polynomial_l2;
};

enum { ADDRESS_BYTES = 8, DEGREE_MAX = 15 };
struct gpu {
    uint16_t remainder[LEVEL_COUNT][ADDRESS_BYTES][256];
};

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "l1", replacement_at, "cache level that it indexes"),
    PARAM_U32(
        struct config, polynomial_l1, "polynomial_l1", 0, 0, 65535, "",
        "irreducible polynomial for the L1, bit i the coefficient of x^i; 0: the smallest of the right degree (37 for 32 sets)"),
    PARAM_U32(struct config, polynomial_l2, "polynomial_l2", 0, 0, 65535, "", "the same for the L2's slices"), PARAM_END
};

static uint32_t levels(const void *config)
{
    return replacement_levels(((const struct config *)config)->at);
}

static bool check_level(const char *name, uint32_t sets, uint32_t polynomial, char *text, size_t size)
{
    if (sets < 2 || (sets & (sets - 1))) {
        (void)snprintf(text, size, "the %s has %u sets; a polynomial index needs a power of two, at least 2", name, sets);
        return false;
    }
    const uint32_t degree = bits_for(sets);
    if (degree > DEGREE_MAX) {
        (void)snprintf(text, size, "the %s has %u sets; polynomials go up to degree %d", name, sets, DEGREE_MAX);
        return false;
    }
    if (polynomial && polynomial_degree(polynomial) != degree) {
        (void)snprintf(text, size, "polynomial %u has degree %u, but the %u sets of the %s need degree %u (for example %u)",
                       polynomial, polynomial_degree(polynomial), sets, name, degree, polynomial_first_irreducible(degree));
        return false;
    }
    if (polynomial && !polynomial_is_irreducible(polynomial)) {
        (void)snprintf(text, size, "polynomial %u is reducible: it would leave sets unevenly used (for example %u is irreducible)",
                       polynomial, polynomial_first_irreducible(degree));
        return false;
    }
    return true;
}

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *c = config;
    return (c->at == REPLACE_L2 || check_level("L1", g->cache[LEVEL_L1].sets, c->polynomial_l1, text, size)) &&
           (c->at == REPLACE_L1 || check_level("L2", g->cache[LEVEL_L2].sets, c->polynomial_l2, text, size));
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct gpu);
}

static void start(struct policy_self *self)
{
    const struct config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++) {
        if (!(levels(c) >> level & 1))
            continue;
        const uint32_t given = level == LEVEL_L1 ? c->polynomial_l1 : c->polynomial_l2;
        const uint32_t p = given ? given : polynomial_first_irreducible(bits_for(self->geometry->cache[level].sets));
        for (uint32_t byte = 0; byte < ADDRESS_BYTES; byte++)
            for (uint32_t value = 0; value < 256; value++)
                gpu->remainder[level][byte][value] = (uint16_t)polynomial_remainder((uint64_t)value << (8 * byte), p);
    }
}

static uint32_t set_index(struct policy_self *self, const struct policy_access *a)
{
    const struct gpu *gpu = policy_gpu_state(self);
    uint32_t index = 0;
    uint64_t rest = a->line;
    for (uint32_t byte = 0; rest; byte++, rest >>= 8)
        index ^= gpu->remainder[a->level][byte][rest & 255];
    return index;
}

const struct policy policy_pric = {
    .name = "pric",
    .summary = "set index by polynomial modulus, which no stride defeats",
    .source = "Khairy et al., GPGPU-8 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .check = check,
    .sizes = sizes,
    .start = start,
    .levels = levels,
    .cache.set_index = set_index,
};
