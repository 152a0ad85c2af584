/* lanes_body.h - the rows of lanes.def as code; included once by each variant, which defines LANES_VARIANT (the name of its
 * table), LANES_NAME and LANES_TARGET (the attribute that lets the compiler use an instruction set), and what it has for
 * matrices: LANES_FLOATS, how many a vector of the host holds, LANES_FUSED, which multiplies one by many and adds, LANES_CANONICAL,
 * LANES_CAN_MULTIPLY, which is false where LANES_FUSED would round twice, and a few conversions. */
#include "exec/half_math.h"
#include "exec/lane_math.h"
#include "exec/lanes.h"

/* A destination may be one of the sources, lane for lane: no iteration reads what another wrote. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* integer division stays scalar */
#define FOR_LANES _Pragma("clang loop vectorize(assume_safety)") for (uint32_t i = 0; i < LANES; i++)
#else
#define FOR_LANES _Pragma("GCC ivdep") for (uint32_t i = 0; i < LANES; i++)
#endif

/* Vectors of a few elements, whatever the host's own are. */
#define LANES_VECTOR(T, count) __attribute__((vector_size(sizeof(T) * (count)), aligned(sizeof(T)), may_alias))
typedef float eight_floats LANES_VECTOR(float, 8);
typedef uint32_t four_words LANES_VECTOR(uint32_t, 4);
typedef uint32_t eight_words LANES_VECTOR(uint32_t, 8);
typedef int32_t eight_integers LANES_VECTOR(int32_t, 8);
typedef int16_t sixteen_shorts LANES_VECTOR(int16_t, 16);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-conversion"

#define LANES_WRITE(result, expression)                                                                                            \
    if (mask == FULL_MASK) {                                                                                                       \
        FOR_LANES                                                                                                                  \
        {                                                                                                                          \
            LANES_OPERANDS d[i] = (result)(expression);                                                                            \
        }                                                                                                                          \
    } else {                                                                                                                       \
        FOR_LANES                                                                                                                  \
        {                                                                                                                          \
            LANES_OPERANDS result r = (result)(expression);                                                                        \
            d[i] = mask >> i & 1 ? r : d[i];                                                                                       \
        }                                                                                                                          \
    }

#define UNARY(name, result, A, expression)                                                                                         \
    LANES_TARGET static void name##_lanes(struct warp *w, const struct xop *x, uint32_t mask)                                      \
    {                                                                                                                              \
        result *d = frame_at(w, x->dst);                                                                                           \
        const A *pa = operand_at(w, x->src[0]);                                                                                    \
        LANES_WRITE(result, expression)                                                                                            \
    }
#define BINARY(name, result, A, B, expression)
#define TERNARY(name, result, A, B, C, expression)
#define SELECT(name, T)
#define COMPARE(name, T, expression)
#define LANES_OPERANDS const __typeof__(*pa) a = pa[i];
#include "exec/lanes.def"
#undef LANES_OPERANDS
#undef UNARY
#undef BINARY
#define UNARY(name, result, A, expression)
#define BINARY(name, result, A, B, expression)                                                                                     \
    LANES_TARGET static void name##_lanes(struct warp *w, const struct xop *x, uint32_t mask)                                      \
    {                                                                                                                              \
        result *d = frame_at(w, x->dst);                                                                                           \
        const A *pa = operand_at(w, x->src[0]);                                                                                    \
        const B *pb = operand_at(w, x->src[1]);                                                                                    \
        LANES_WRITE(result, expression)                                                                                            \
    }
#define LANES_OPERANDS                                                                                                             \
    const __typeof__(*pa) a = pa[i];                                                                                               \
    const __typeof__(*pb) b = pb[i];
#include "exec/lanes.def"
#undef LANES_OPERANDS
#undef BINARY
#undef TERNARY
#define BINARY(name, result, A, B, expression)
#define TERNARY(name, result, A, B, C, expression)                                                                                 \
    LANES_TARGET static void name##_lanes(struct warp *w, const struct xop *x, uint32_t mask)                                      \
    {                                                                                                                              \
        result *d = frame_at(w, x->dst);                                                                                           \
        const A *pa = operand_at(w, x->src[0]);                                                                                    \
        const B *pb = operand_at(w, x->src[1]);                                                                                    \
        const C *pc = operand_at(w, x->src[2]);                                                                                    \
        LANES_WRITE(result, expression)                                                                                            \
    }
#define LANES_OPERANDS                                                                                                             \
    const __typeof__(*pa) a = pa[i];                                                                                               \
    const __typeof__(*pb) b = pb[i];                                                                                               \
    const __typeof__(*pc) c = pc[i];
#include "exec/lanes.def"
#undef LANES_OPERANDS
#undef TERNARY
#undef SELECT
#undef COMPARE
#define TERNARY(name, result, A, B, C, expression)
#define SELECT(name, T)                                                                                                            \
    LANES_TARGET static void name##_lanes(struct warp *w, const struct xop *x, uint32_t mask)                                      \
    {                                                                                                                              \
        T *d = frame_at(w, x->dst);                                                                                                \
        const T *pa = operand_at(w, x->src[0]);                                                                                    \
        const T *pb = operand_at(w, x->src[1]);                                                                                    \
        uint32_t choice = operand_predicate(w, x->src[2]);                                                                         \
        LANES_WRITE(T, choice >> i & 1 ? pa[i] : pb[i])                                                                            \
    }
#define COMPARE(name, T, expression)                                                                                               \
    LANES_TARGET static uint32_t name##_compare(const void *va, const void *vb)                                                    \
    {                                                                                                                              \
        const T *pa = va, *pb = vb;                                                                                                \
        uint32_t bits = 0;                                                                                                         \
        for (uint32_t i = 0; i < LANES; i++) {                                                                                     \
            const T a = pa[i], b = pb[i];                                                                                          \
            bits |= (uint32_t)(expression) << i;                                                                                   \
        }                                                                                                                          \
        return bits;                                                                                                               \
    }                                                                                                                              \
    LANES_TARGET static void name##_lanes(struct warp *w, const struct xop *x, uint32_t mask)                                      \
    {                                                                                                                              \
        uint32_t *d = frame_at(w, x->dst);                                                                                         \
        *d = (*d & ~mask) | (name##_compare(operand_at(w, x->src[0]), operand_at(w, x->src[1])) & mask);                           \
    }
#define LANES_OPERANDS
#include "exec/lanes.def"
#undef LANES_OPERANDS
#undef UNARY
#undef BINARY
#undef TERNARY
#undef SELECT
#undef COMPARE
#pragma GCC diagnostic pop

/* Fills run->address with base + offset; true when every executing lane lies inside the site's last allocation, aligned.
 * t and limit - t are both non-negative exactly when 0 <= t <= limit, so one OR over the lanes finds any that does not. */
LANES_TARGET static inline bool addresses_in_cache(struct warp *w, const struct xop *x, uint32_t mask, uint32_t bytes)
{
    const struct site *site = x->site;
    const struct access_cache *cache = &w->run->caches[site->cache];
    const uint64_t *base = operand_at(w, site->base);
    uint64_t *address = w->run->address;
    const uint64_t offset = (uint64_t)site->offset, low = cache->low, limit = cache->bytes - bytes, align = bytes - 1;
    uint64_t bad = 0;
    if (cache->bytes < bytes)
        return false;
    if (mask == FULL_MASK) {
        FOR_LANES
        {
            uint64_t t = base[i] + offset - low;
            address[i] = t + low;
            bad |= ((t | (limit - t)) & (UINT64_C(1) << 63)) | ((t + low) & align);
        }
    } else {
        FOR_LANES
        {
            uint64_t t = base[i] + offset - low;
            address[i] = t + low;
            bad |= mask >> i & 1 ? ((t | (limit - t)) & (UINT64_C(1) << 63)) | ((t + low) & align) : 0;
        }
    }
    return bad == 0;
}

LANES_TARGET static inline bool is_contiguous(const uint64_t *address, uint64_t step)
{
    uint64_t difference = 0, first = address[0];
    FOR_LANES
    {
        difference |= address[i] ^ (first + i * step);
    }
    return difference == 0;
}

#define LANES_LOAD(name, T)                                                                                                        \
    LANES_TARGET static void name(struct warp *w, const struct xop *x, uint32_t mask)                                              \
    {                                                                                                                              \
        if (!addresses_in_cache(w, x, mask, sizeof(T))) {                                                                          \
            access_load(w, x, mask);                                                                                               \
            return;                                                                                                                \
        }                                                                                                                          \
        struct run *run = w->run;                                                                                                  \
        const struct access_cache *cache = &run->caches[x->site->cache];                                                           \
        const uint64_t *address = run->address;                                                                                    \
        const uintptr_t host = (uintptr_t)cache->host - cache->low; /* wraps: host + a device address is a host address */         \
        T *d = frame_at(w, x->dst);                                                                                                \
        if (mask == FULL_MASK && is_contiguous(address, sizeof(T)))                                                                \
            memcpy(d, (const void *)(host + address[0]), LANES * sizeof(T));                                                       \
        else if (mask == FULL_MASK)                                                                                                \
            for (uint32_t i = 0; i < LANES; i++)                                                                                   \
                d[i] = *(const T *)(host + address[i]);                                                                            \
        else                                                                                                                       \
            for (uint32_t left = mask; left; left &= left - 1) {                                                                   \
                uint32_t i = (uint32_t)__builtin_ctz(left);                                                                        \
                d[i] = *(const T *)(host + address[i]);                                                                            \
            }                                                                                                                      \
        run->space = SPACE_GLOBAL;                                                                                                 \
    }
LANES_LOAD(load_32_lanes, uint32_t)
LANES_LOAD(load_64_lanes, uint64_t)
#undef LANES_LOAD

#define LANES_STORE(name, T)                                                                                                       \
    LANES_TARGET static void name(struct warp *w, const struct xop *x, uint32_t mask)                                              \
    {                                                                                                                              \
        if (!addresses_in_cache(w, x, mask, sizeof(T))) {                                                                          \
            access_store(w, x, mask);                                                                                              \
            return;                                                                                                                \
        }                                                                                                                          \
        struct run *run = w->run;                                                                                                  \
        const struct access_cache *cache = &run->caches[x->site->cache];                                                           \
        const uint64_t *address = run->address;                                                                                    \
        const uintptr_t host = (uintptr_t)cache->host - cache->low;                                                                \
        const T *s = operand_at(w, x->site->value[0]);                                                                             \
        if (mask == FULL_MASK && is_contiguous(address, sizeof(T)))                                                                \
            memcpy((void *)(host + address[0]), s, LANES * sizeof(T));                                                             \
        else                                                                                                                       \
            for (uint32_t left = mask; left; left &= left - 1) {                                                                   \
                uint32_t i = (uint32_t)__builtin_ctz(left);                                                                        \
                *(T *)(host + address[i]) = s[i];                                                                                  \
            }                                                                                                                      \
        run->space = SPACE_GLOBAL;                                                                                                 \
        run->store_data = s;                                                                                                       \
    }
LANES_STORE(store_32_lanes, uint32_t)
LANES_STORE(store_64_lanes, uint64_t)
#undef LANES_STORE

/* Shared memory: offsets within the block's own, from 32-bit or 64-bit registers. */
LANES_TARGET static inline bool shared_addresses(struct warp *w, const struct xop *x, uint32_t mask, uint32_t bytes)
{
    const struct site *site = x->site;
    uint64_t *address = w->run->address;
    const uint64_t offset = (uint64_t)site->offset, limit = (uint64_t)w->run->shared_bytes - bytes, align = bytes - 1;
    uint64_t bad = 0;
    if (w->run->shared_bytes < bytes)
        return false;
    if (site->base.width == 8) {
        const uint64_t *base = operand_at(w, site->base);
        FOR_LANES
        {
            uint64_t t = base[i] + offset;
            address[i] = t;
            bad |= mask >> i & 1 ? ((t | (limit - t)) & (UINT64_C(1) << 63)) | (t & align) : 0;
        }
    } else {
        const uint32_t *base = operand_at(w, site->base);
        FOR_LANES
        {
            uint64_t t = (base[i] + offset) & UINT32_MAX;
            address[i] = t;
            bad |= mask >> i & 1 ? ((limit - t) & (UINT64_C(1) << 63)) | (t & align) : 0;
        }
    }
    return bad == 0;
}

#define LANES_SHARED(load, store, T)                                                                                               \
    LANES_TARGET static void load(struct warp *w, const struct xop *x, uint32_t mask)                                              \
    {                                                                                                                              \
        if (!shared_addresses(w, x, mask, sizeof(T))) {                                                                            \
            access_load(w, x, mask);                                                                                               \
            return;                                                                                                                \
        }                                                                                                                          \
        const uint64_t *address = w->run->address;                                                                                 \
        const uint8_t *host = w->cta->shared;                                                                                      \
        T *d = frame_at(w, x->dst);                                                                                                \
        if (mask == FULL_MASK)                                                                                                     \
            for (uint32_t i = 0; i < LANES; i++)                                                                                   \
                d[i] = *(const T *)(host + address[i]);                                                                            \
        else                                                                                                                       \
            for (uint32_t left = mask; left; left &= left - 1) {                                                                   \
                uint32_t i = (uint32_t)__builtin_ctz(left);                                                                        \
                d[i] = *(const T *)(host + address[i]);                                                                            \
            }                                                                                                                      \
        w->run->space = SPACE_SHARED;                                                                                              \
    }                                                                                                                              \
    LANES_TARGET static void store(struct warp *w, const struct xop *x, uint32_t mask)                                             \
    {                                                                                                                              \
        if (!shared_addresses(w, x, mask, sizeof(T))) {                                                                            \
            access_store(w, x, mask);                                                                                              \
            return;                                                                                                                \
        }                                                                                                                          \
        const uint64_t *address = w->run->address;                                                                                 \
        uint8_t *host = w->cta->shared;                                                                                            \
        const T *s = operand_at(w, x->site->value[0]);                                                                             \
        for (uint32_t left = mask; left; left &= left - 1) {                                                                       \
            uint32_t i = (uint32_t)__builtin_ctz(left);                                                                            \
            *(T *)(host + address[i]) = s[i];                                                                                      \
        }                                                                                                                          \
        w->run->space = SPACE_SHARED;                                                                                              \
        w->run->store_data = s;                                                                                                    \
    }
LANES_SHARED(load_shared_32_lanes, store_shared_32_lanes, uint32_t)
LANES_SHARED(load_shared_64_lanes, store_shared_64_lanes, uint64_t)
#undef LANES_SHARED

/* For generic addresses and vectors: the host's address of device or shared address 0, with run->address and run->space filled
 * in. 0 when the lanes are neither all in the site's last allocation nor all in the block's shared memory. */
LANES_TARGET static inline uintptr_t any_place(struct warp *w, const struct xop *x, uint32_t mask, uint32_t bytes)
{
    const struct site *site = x->site;
    struct run *run = w->run;
    if (site->space == SPACE_SHARED) {
        run->space = SPACE_SHARED;
        return shared_addresses(w, x, mask, bytes) ? (uintptr_t)w->cta->shared : 0;
    }
    const uint64_t *base = operand_at(w, site->base);
    const uint64_t offset = (uint64_t)site->offset - SHARED_WINDOW, limit = (uint64_t)run->shared_bytes - bytes, align = bytes - 1;
    if (site->space == SPACE_GENERIC && base[__builtin_ctz(mask)] + offset < SHARED_WINDOW_BYTES && run->shared_bytes >= bytes) {
        uint64_t *address = run->address, bad = 0;
        FOR_LANES
        {
            const uint64_t t = base[i] + offset;
            address[i] = t;
            bad |= mask >> i & 1 ? ((t | (limit - t)) & (UINT64_C(1) << 63)) | (t & align) : 0;
        }
        run->space = SPACE_SHARED;
        return bad ? 0 : (uintptr_t)w->cta->shared;
    }
    const struct access_cache *cache = &run->caches[site->cache];
    run->space = SPACE_GLOBAL;
    return addresses_in_cache(w, x, mask, bytes) ? (uintptr_t)cache->host - cache->low : 0;
}

/* Four words of four lanes, and the same four words of each lane together; the other way round it is the same. */
#define TURN_FOUR(v)                                                                                                               \
    do {                                                                                                                           \
        const four_words ac = __builtin_shufflevector(v[0], v[2], 0, 4, 1, 5),                                                     \
                         bd = __builtin_shufflevector(v[1], v[3], 0, 4, 1, 5),                                                     \
                         eg = __builtin_shufflevector(v[0], v[2], 2, 6, 3, 7),                                                     \
                         fh = __builtin_shufflevector(v[1], v[3], 2, 6, 3, 7);                                                     \
        v[0] = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);                                                                        \
        v[1] = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);                                                                        \
        v[2] = __builtin_shufflevector(eg, fh, 0, 4, 1, 5);                                                                        \
        v[3] = __builtin_shufflevector(eg, fh, 2, 6, 3, 7);                                                                        \
    } while (0)

LANES_TARGET static void load_fours(struct warp *w, const struct site *site, uintptr_t host)
{
    const uint64_t *address = w->run->address;
    for (uint32_t i = 0; i < LANES; i += 4) {
        four_words v[4];
        for (uint32_t k = 0; k < 4; k++)
            v[k] = *(const four_words *)(host + address[i + k]);
        TURN_FOUR(v);
        for (uint32_t e = 0; e < 4; e++)
            *(four_words *)((uint32_t *)frame_at(w, site->value[e].offset) + i) = v[e];
    }
}

LANES_TARGET static void collect_fours(const struct warp *w, const struct site *site, uint8_t *data)
{
    for (uint32_t i = 0; i < LANES; i += 4) {
        four_words v[4];
        for (uint32_t e = 0; e < 4; e++)
            v[e] = *(const four_words *)((const uint32_t *)operand_at(w, site->value[e]) + i);
        TURN_FOUR(v);
        for (uint32_t k = 0; k < 4; k++)
            *(four_words *)(void *)(data + (i + k) * 16) = v[k];
    }
}
#undef TURN_FOUR

#define COPY_ELEMENT(T)                                                                                                            \
    if (mask == FULL_MASK)                                                                                                         \
        for (uint32_t i = 0; i < LANES; i++)                                                                                       \
            ((T *)d)[i] = *(const T *)(host + address[i] + at);                                                                    \
    else                                                                                                                           \
        for (uint32_t left = mask; left; left &= left - 1) {                                                                       \
            const uint32_t i = (uint32_t)__builtin_ctz(left);                                                                      \
            ((T *)d)[i] = *(const T *)(host + address[i] + at);                                                                    \
        }
LANES_TARGET static void load_any_lanes(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    const uintptr_t host = any_place(w, x, mask, (uint32_t)site->bytes * site->elements);
    if (!host) {
        access_load(w, x, mask);
        return;
    }
    const uint64_t *address = w->run->address;
    if (mask == FULL_MASK && site->bytes == 4 && site->elements == 4 &&
        !(site->sink[0] | site->sink[1] | site->sink[2] | site->sink[3])) {
        load_fours(w, site, host);
        return;
    }
    for (uint32_t e = 0, at = 0; e < site->elements; e++, at += site->bytes) {
        void *d = frame_at(w, site->value[e].offset);
        if (site->sink[e])
            continue;
        if (site->bytes == 4) {
            COPY_ELEMENT(uint32_t)
        } else {
            COPY_ELEMENT(uint64_t)
        }
    }
}
#undef COPY_ELEMENT

/* What is stored stands lane after lane in run->data, where the machine looks for it. */
#define COLLECT_ELEMENT(T)                                                                                                         \
    for (uint32_t i = 0; i < LANES; i++) {                                                                                         \
        __asm__("" : "+r"(i)); /* one by one: a scatter is slower */                                                               \
        *(T *)(void *)(data + i * bytes + at) = ((const T *)s)[i];                                                                 \
    }
LANES_TARGET static void store_any_lanes(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    const uint32_t bytes = (uint32_t)site->bytes * site->elements;
    const uintptr_t host = any_place(w, x, mask, bytes);
    if (!host) {
        access_store(w, x, mask);
        return;
    }
    const uint64_t *address = w->run->address;
    uint8_t *data = w->run->data;
    const bool fours = site->bytes == 4 && site->elements == 4;
    if (fours)
        collect_fours(w, site, data);
    for (uint32_t e = 0, at = 0; e < site->elements && !fours; e++, at += site->bytes) {
        const void *s = operand_at(w, site->value[e]);
        if (site->bytes == 4) {
            COLLECT_ELEMENT(uint32_t)
        } else {
            COLLECT_ELEMENT(uint64_t)
        }
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        if (bytes == 16)
            memcpy((void *)(host + address[i]), data + i * 16, 16);
        else if (bytes == 8)
            memcpy((void *)(host + address[i]), data + i * 8, 8);
        else
            memcpy((void *)(host + address[i]), data + i * bytes, bytes);
    }
    w->run->store_data = data;
}
#undef COLLECT_ELEMENT

#include "exec/lanes_matrix.h"
#include "exec/lanes_product.h"
#include "exec/lanes_texture.h"

const struct lanes LANES_VARIANT = {
    .name = LANES_NAME,
    .execute = {
#define UNARY(name, ...) [LANE_##name] = name##_lanes,
#define BINARY(name, ...) [LANE_##name] = name##_lanes,
#define TERNARY(name, ...) [LANE_##name] = name##_lanes,
#define SELECT(name, ...) [LANE_##name] = name##_lanes,
#define COMPARE(name, ...) [LANE_##name] = name##_lanes,
#include "exec/lanes.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef SELECT
#undef COMPARE
    },
    .compare = {
#define UNARY(name, ...)
#define BINARY(name, ...)
#define TERNARY(name, ...)
#define SELECT(name, ...)
#define COMPARE(name, ...) [LANE_##name] = name##_compare,
#include "exec/lanes.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef SELECT
#undef COMPARE
    },
    .load_32 = load_32_lanes, .load_64 = load_64_lanes, .store_32 = store_32_lanes, .store_64 = store_64_lanes,
    .load_shared_32 = load_shared_32_lanes, .load_shared_64 = load_shared_64_lanes,
    .store_shared_32 = store_shared_32_lanes, .store_shared_64 = store_shared_64_lanes,
    .load_any = load_any_lanes, .store_any = store_any_lanes, .sample = sample_lanes,
    .product = product_lanes, .product_of_doubles = product_of_doubles_lanes, .deal = deal_lanes, .turn_words = turn_words_lanes,
};
