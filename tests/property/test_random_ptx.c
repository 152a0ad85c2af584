/* Random programs mean the same however their threads are grouped into warps, in whatever order warps are stepped, and in
 * every vector variant: one thread per block never diverges, so it is the reference for divergence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/prng.h"
#include "exec/exec.h"
#include "exec/lanes.h"
#include "random_ptx.h"

enum { THREADS = 192, WORDS = 256, PROGRAMS = 150, TEXT = 1 << 18 };

struct shape {
    uint32_t block;
    const char *lanes;
    uint64_t order; /* 0: the functional runner; else the seed of a random order of steps */
};

/* Steps random warps of all CTAs, as a machine might. */
static bool run_shuffled(struct front *front, uint64_t seed, struct error *err)
{
    struct front_cta *cta[THREADS];
    struct prng prng;
    struct warp_step step;
    uint32_t count = front->launch.cta_count, running = count;
    bool ok = true, is_running[THREADS];
    prng_seed(&prng, seed);
    for (uint32_t i = 0; i < count; i++) {
        cta[i] = front->ops->cta_start(front, i, err);
        is_running[i] = true;
    }
    while (ok && running) {
        uint32_t i = (uint32_t)prng_below(&prng, count), w = (uint32_t)prng_below(&prng, front->launch.warps_per_cta), left = 0;
        if (!is_running[i])
            continue;
        const struct front_warp *warp = cta[i]->warps[w];
        if (warp->next && !warp->waiting) {
            const struct inst *next = warp->next;
            uint32_t active = warp->active;
            ok = front->ops->step(front, cta[i], w, &step, err);
            assert_ptr_equal(step.inst, next);
            assert_int_equal(step.active, active);
            assert_int_equal(step.executed & ~active, 0);
        }
        for (uint32_t k = 0; k < front->launch.warps_per_cta; k++)
            left += cta[i]->warps[k]->next != NULL;
        if (left == 0) {
            is_running[i] = false;
            running--;
            front->ops->cta_end(front, cta[i]);
        }
    }
    return ok;
}

static bool run_program(const char *text, struct shape shape, uint32_t *out, struct error *err)
{
    const struct exec_options options = { .memory_bytes = 1 << 20, .fused_fma = true, .lanes = shape.lanes };
    struct device *device = device_new(&options, err);
    struct ptx_module *ptx = ptx_parse("random.ptx", text, strlen(text), err);
    if (!ptx || !device_load_module(device, ptx, err)) {
        device_free(device);
        return false;
    }
    uint32_t in[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = i * 2246822519u ^ i << 7;
    struct {
        uint64_t out, in;
        uint32_t n, pad;
    } params = { device_alloc(device, THREADS * 16), device_alloc(device, sizeof in), WORDS, 0 };
    struct functional_result result;
    struct launch launch = { .kernel = device_find_kernel(device, NULL, "k"),
                             .grid = { THREADS / shape.block, 1, 1 },
                             .block = { shape.block, 1, 1 },
                             .params = (const uint8_t *)&params,
                             .param_bytes = sizeof params,
                             .static_shared_override = UINT32_MAX };
    bool ok = device_write(device, params.in, in, sizeof in, err);
    struct front *front = ok ? exec_launch(device, &launch, NULL, err) : NULL;
    ok = front && (shape.order ? run_shuffled(front, shape.order, err) : exec_run_functional(front, 50000000, &result, err)) &&
         device_read(device, params.out, out, THREADS * 16, err);
    if (front)
        front->ops->destroy(front);
    device_free(device);
    return ok;
}

static void compare_shapes(const struct shape *shapes, size_t count, bool with_barriers, uint64_t first_seed)
{
    char *text = malloc(TEXT);
    for (uint64_t seed = first_seed; seed < first_seed + PROGRAMS; seed++) {
        uint32_t want[THREADS * 4], got[THREADS * 4];
        struct error err = { 0 };
        size_t used = random_ptx(seed, with_barriers, text, TEXT);
        assert_true(used < TEXT - 1);
        for (size_t i = 0; i < count; i++) {
            if (!lanes_choose(shapes[i].lanes))
                continue;
            if (!run_program(text, shapes[i], i ? got : want, &err))
                fail_msg("seed %llu, shape %zu: %s\n", (unsigned long long)seed, i, err.text);
            if (i && memcmp(want, got, sizeof want) != 0)
                fail_msg("seed %llu: shape %zu gives another result\n", (unsigned long long)seed, i);
        }
    }
    free(text);
}

static void threads_mean_the_same_alone_and_in_warps(void **state)
{
    static const struct shape shapes[] = { { 1, NULL, 0 }, { 32, NULL, 0 }, { 48, NULL, 0 }, { 192, NULL, 0 } };
    (void)state;
    compare_shapes(shapes, 4, false, 1000);
}

static void order_of_warps_does_not_matter(void **state)
{
    static const struct shape shapes[] = { { 64, NULL, 0 }, { 64, NULL, 1 }, { 64, NULL, 2 } };
    (void)state;
    compare_shapes(shapes, 3, true, 5000);
}

static void vector_variants_agree(void **state)
{
    static const struct shape shapes[] = { { 96, "portable", 0 }, { 96, "avx2", 0 }, { 96, "avx512", 0 } };
    (void)state;
    compare_shapes(shapes, 3, false, 9000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_mean_the_same_alone_and_in_warps),
        cmocka_unit_test(order_of_warps_does_not_matter),
        cmocka_unit_test(vector_variants_agree),
    };
    return cmocka_run_group_tests_name("random PTX", tests, NULL, NULL);
}
