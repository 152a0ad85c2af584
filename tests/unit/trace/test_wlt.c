/* The parts of a .wlt file: addresses of lanes, the table of instructions, barriers of a replay; and a small file as a whole. */
#include "../cmocka_all.h"

#include <string.h>
#include <unistd.h>

#include "base/prng.h"
#include "trace/cta_barriers.h"
#include "trace/lane_addresses.h"
#include "trace/wlt_format.h"

static size_t round_trip(struct lane_memory *writer, struct lane_memory *reader, uint32_t lanes, const uint64_t address[32])
{
    struct bytes out = { 0 };
    uint64_t got[32];
    uint8_t space = 0;
    lane_addresses_write(&out, writer, lanes, address, SPACE_GLOBAL);
    struct cursor in = cursor_of(&out);
    assert_true(lane_addresses_read(&in, reader, lanes, got, &space));
    assert_ptr_equal(in.at, in.end);
    assert_int_equal(space, SPACE_GLOBAL);
    for (uint32_t left = lanes; left; left &= left - 1)
        assert_true(got[__builtin_ctz(left)] == address[__builtin_ctz(left)]);
    assert_memory_equal(writer, reader, sizeof *writer);
    const size_t count = out.count;
    bytes_free(&out);
    return count;
}

static void rows_are_short(void **state)
{
    (void)state;
    struct lane_memory writer = { 0 }, reader = { 0 };
    uint64_t address[32];
    for (uint32_t turn = 0; turn < 4; turn++) {
        for (uint32_t i = 0; i < 32; i++)
            address[i] = 0x10000000 + turn * 4096 + i * 4;
        const size_t bytes = round_trip(&writer, &reader, UINT32_MAX, address);
        if (turn >= 2) /* shape and move are known: one byte */
            assert_int_equal(bytes, 1);
    }
}

static void blocks_of_rows_have_a_shape(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 32; width *= 2) {
        struct lane_memory writer = { 0 }, reader = { 0 };
        uint64_t address[32];
        for (uint32_t i = 0; i < 32; i++)
            address[i] = 0x7000 + i % width * 4 + i / width * 1024;
        assert_in_range(round_trip(&writer, &reader, UINT32_MAX, address), 1, 12);
    }
}

static void lanes_that_sleep_do_not_matter(void **state)
{
    (void)state;
    struct lane_memory writer = { 0 }, reader = { 0 };
    uint64_t address[32];
    for (uint32_t i = 0; i < 32; i++)
        address[i] = i % 2 ? 0xdeadbeef : 0x100 + 8 * i;
    (void)round_trip(&writer, &reader, 0x55555555, address);
    for (uint32_t i = 0; i < 32; i++)
        address[i] = 0x100 + 8 * i;
    assert_int_equal(round_trip(&writer, &reader, 1u << 31, address), 2); /* same shape, it did not move */
}

static void anything_comes_back(void **state)
{
    (void)state;
    struct prng random;
    prng_seed(&random, 7);
    struct lane_memory writer = { 0 }, reader = { 0 };
    for (uint32_t turn = 0; turn < 20000; turn++) {
        uint64_t address[32];
        const uint32_t lanes = (uint32_t)prng_next(&random) | 1u << (turn % 32);
        const uint32_t kind = (uint32_t)prng_next(&random) % 4, shift = (uint32_t)prng_next(&random) % 64;
        const uint64_t base = prng_next(&random), step = prng_next(&random) >> shift;
        for (uint32_t i = 0; i < 32; i++)
            address[i] = kind == 0   ? prng_next(&random) >> shift
                         : kind == 1 ? base + i * step
                         : kind == 2 ? base + i / 8 * step
                                     : base;
        (void)round_trip(&writer, &reader, lanes, address);
    }
}

static void short_bytes_are_noticed(void **state)
{
    (void)state;
    struct bytes out = { 0 };
    uint64_t address[32], got[32];
    uint8_t space;
    for (uint32_t i = 0; i < 32; i++)
        address[i] = i * i * 1000;
    struct lane_memory writer = { 0 };
    lane_addresses_write(&out, &writer, UINT32_MAX, address, SPACE_LOCAL);
    for (size_t length = 0; length < out.count; length++) {
        struct lane_memory reader = { 0 };
        struct cursor in = { out.data, out.data + length };
        assert_false(lane_addresses_read(&in, &reader, UINT32_MAX, got, &space));
    }
    bytes_free(&out);
}

static void tables_come_back(void **state)
{
    (void)state;
    struct inst code[40];
    for (uint32_t i = 0; i < 40; i++) {
        code[i] = (struct inst){ .class = CLASS_NOP, .timing = CLASS_NOP, .index = i, .pc = 0x100 + 8 * i };
        if (i % 7 == 0 || i == 39)
            code[i] = (struct inst){ .class = CLASS_LOAD,
                                     .timing = CLASS_LOAD,
                                     .space = SPACE_SHARED,
                                     .index = i,
                                     .pc = 0x100 + 8 * i,
                                     .line = 9 + i / 2,
                                     .element_bytes = 4,
                                     .elements = 2,
                                     .guarded = i % 2,
                                     .ndst = 2,
                                     .dst = { 5, 300 },
                                     .nsrc = 1,
                                     .src = { 65535 },
                                     .nvalue = 1,
                                     .nread = 1,
                                     .read = { 3 },
                                     .nwrite = 1,
                                     .write = { 4 } };
    }
    struct bytes out = { 0 };
    wlt_code_write(&out, code, 40);
    struct cursor in = { out.data, out.data + out.count };
    uint32_t count;
    struct inst *got = wlt_code_read(&in, &count);
    assert_non_null(got);
    assert_int_equal(count, 40);
    for (uint32_t i = 0; i < 40; i++)
        assert_memory_equal(&got[i], &code[i], sizeof code[i]);
    free(got);
    for (size_t length = 0; length < out.count; length++) {
        in = (struct cursor){ out.data, out.data + length };
        assert_null(wlt_code_read(&in, &count));
    }
    bytes_free(&out);
}

static void barriers_wait_for_all(void **state)
{
    (void)state;
    struct front_warp warp[3] = { 0 }, *warps[3] = { &warp[0], &warp[1], &warp[2] };
    struct cta_barriers b = { .live = 7, .rule = front_barrier_complete };
    barriers_arrive(&b, 0, 0, true, 0, warps);
    barriers_arrive(&b, 0, 0, true, 1, warps);
    assert_true(warp[0].waiting && warp[1].waiting);
    barriers_arrive(&b, 0, 0, true, 2, warps);
    assert_false(warp[0].waiting || warp[1].waiting || warp[2].waiting);
    /* an ended warp counts as arrived */
    barriers_arrive(&b, 0, 0, true, 0, warps);
    barriers_arrive(&b, 0, 0, true, 1, warps);
    barriers_warp_ended(&b, 2, warps);
    assert_false(warp[0].waiting || warp[1].waiting);
    /* counted: the one that arrives goes on, the one that waits is set free by it */
    barriers_arrive(&b, 3, 2, true, 0, warps);
    assert_true(warp[0].waiting);
    barriers_arrive(&b, 3, 2, false, 1, warps);
    assert_false(warp[0].waiting || warp[1].waiting);
}

/* A buffer that never held a byte has no memory; reading it is not an error until a byte is asked for. */
static void nothing_can_be_read(void **state)
{
    (void)state;
    const struct bytes empty = { 0 };
    struct cursor in = cursor_of(&empty), none;
    assert_non_null(in.at);
    assert_ptr_equal(in.at, in.end);
    assert_true(cursor_slice(&in, 0, &none));
    uint8_t byte;
    assert_false(cursor_byte(&in, &byte));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_short),
        cmocka_unit_test(blocks_of_rows_have_a_shape),
        cmocka_unit_test(lanes_that_sleep_do_not_matter),
        cmocka_unit_test(anything_comes_back),
        cmocka_unit_test(short_bytes_are_noticed),
        cmocka_unit_test(nothing_can_be_read),
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(barriers_wait_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
