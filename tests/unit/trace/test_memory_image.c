/* What a trace knows of device memory: the image of pages, and the chunks that bring it from one kernel to the next. */
#include "../cmocka_all.h"

#include <string.h>

#include "base/prng.h"
#include "trace/wlt_memory.h"

enum { SPACE_BYTES = 1 << 16 };

static void reads_give_what_was_written(void **state)
{
    (void)state;
    struct memory_image *image = memory_image_new();
    static uint8_t model[SPACE_BYTES], got[600], data[600];
    const uint64_t base = (UINT64_C(1) << 40) - SPACE_BYTES / 2; /* across the border of an extent */
    struct prng random;
    prng_seed(&random, 3);
    for (uint32_t turn = 0; turn < 2000; turn++) {
        const uint64_t at = prng_next(&random) % (SPACE_BYTES - sizeof data), bytes = prng_next(&random) % sizeof data;
        memset(data, (int)turn, sizeof data);
        memory_image_write(image, base + at, data, bytes);
        memcpy(model + at, data, bytes);
        const uint64_t from = prng_next(&random) % (SPACE_BYTES - sizeof got);
        memory_image_read(image, base + from, sizeof got, got);
        assert_memory_equal(got, model + from, sizeof got);
    }
    memory_image_free(image);
}

static void pages_are_found_in_order(void **state)
{
    (void)state;
    struct memory_image *image = memory_image_new();
    const uint64_t pages[] = { 7, 511, 512, 100000, UINT64_MAX / IMAGE_PAGE_BYTES };
    for (uint32_t i = 5; i-- > 0;)
        (void)memory_image_make_page(image, pages[i]);
    uint64_t found = 0;
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(memory_image_next(image, i ? pages[i - 1] + 1 : 0, &found));
        assert_int_equal(found, pages[i]);
    }
    assert_false(memory_image_next(image, pages[4] + 1, &found));
    assert_null(memory_image_page(image, 8));
    memory_image_free(image);
}

/* A front end that is nothing but memory: two stretches, one of which can be freed. */
struct memory_front {
    struct front front;
    uint8_t *bytes;
    bool freed;
};
enum { FIRST = 0x1f00, FIRST_BYTES = 0x300, SECOND = 0x900000, SECOND_BYTES = 3 << 20 };

static bool next_memory(struct front *front, uint64_t from, uint64_t *start, uint64_t *bytes)
{
    const struct memory_front *m = (const struct memory_front *)front;
    if (from >= SECOND + SECOND_BYTES || (m->freed && from >= FIRST + FIRST_BYTES))
        return false;
    *start = from < FIRST + FIRST_BYTES ? FIRST : SECOND;
    *bytes = from < FIRST + FIRST_BYTES ? FIRST_BYTES : SECOND_BYTES;
    return true;
}

static void read_memory(struct front *front, uint64_t address, uint32_t bytes, void *out)
{
    const struct memory_front *m = (const struct memory_front *)front;
    for (uint32_t i = 0; i < bytes; i++) {
        const uint64_t at = address + i;
        const bool live = (at >= FIRST && at < FIRST + FIRST_BYTES) || (!m->freed && at >= SECOND && at < SECOND + SECOND_BYTES);
        ((uint8_t *)out)[i] = live ? m->bytes[at] : 0;
    }
}

struct collected {
    struct wlt_memory_sink sink;
    struct memory_image *copy;
    uint32_t chunks;
};

static void apply(struct wlt_memory_sink *sink, const struct bytes *content)
{
    struct collected *c = (struct collected *)sink;
    c->chunks++;
    assert_true(wlt_memory_apply(c->copy, (struct cursor){ content->data, content->data + content->count }));
    for (size_t length = content->count > 64 ? content->count - 64 : 1; length < content->count; length++) {
        struct memory_image *other = memory_image_new();
        const bool ok = wlt_memory_apply(other, (struct cursor){ content->data, content->data + length });
        assert_true(!ok || content->data[length - 1] == 0); /* a chunk may end after a page of zeros */
        memory_image_free(other);
    }
}

static void same_memory(struct front *front, struct memory_image *copy)
{
    uint8_t live[IMAGE_PAGE_BYTES], kept[IMAGE_PAGE_BYTES];
    for (uint64_t at = 0; at < SECOND + SECOND_BYTES + IMAGE_PAGE_BYTES; at += IMAGE_PAGE_BYTES) {
        read_memory(front, at, sizeof live, live);
        memory_image_read(copy, at, sizeof kept, kept);
        assert_memory_equal(live, kept, sizeof live);
    }
}

static void changes_travel_in_chunks(void **state)
{
    (void)state;
    static const struct front_ops ops = { .read_memory = read_memory, .next_memory = next_memory };
    struct memory_front m = { .front.ops = &ops, .bytes = calloc(1, SECOND + SECOND_BYTES) };
    struct memory_image *image = memory_image_new();
    struct collected c = { { apply }, memory_image_new(), 0 };
    struct prng random;
    prng_seed(&random, 5);
    for (uint32_t i = 0; i < SECOND + SECOND_BYTES; i++)
        m.bytes[i] = (uint8_t)prng_next(&random);
    assert_int_equal(wlt_memory_collect(image, &m.front, &c.sink), 2 + SECOND_BYTES / IMAGE_PAGE_BYTES);
    assert_in_range(c.chunks, 3, 4); /* of a little over 1 MiB */
    same_memory(&m.front, c.copy);
    assert_int_equal(wlt_memory_collect(image, &m.front, &c.sink), 0);
    m.bytes[FIRST] ^= 1;
    m.bytes[SECOND + 12345] ^= 1;
    assert_int_equal(wlt_memory_collect(image, &m.front, &c.sink), 2);
    same_memory(&m.front, c.copy);
    m.freed = true; /* reads as zeros from now on */
    assert_int_equal(wlt_memory_collect(image, &m.front, &c.sink), SECOND_BYTES / IMAGE_PAGE_BYTES);
    same_memory(&m.front, c.copy);
    memory_image_free(image);
    memory_image_free(c.copy);
    free(m.bytes);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct memory_image *image = memory_image_new();
    const uint8_t form[] = { 5, 2 }, cut[] = { 5, 1, 0, 0 }, no_form[] = { 5 };
    uint8_t far[12];
    memset(far, 0xff, 9);
    far[9] = 1;
    far[10] = 0;
    assert_false(wlt_memory_apply(image, (struct cursor){ form, form + sizeof form }));
    assert_false(wlt_memory_apply(image, (struct cursor){ cut, cut + sizeof cut }));
    assert_false(wlt_memory_apply(image, (struct cursor){ no_form, no_form + 1 }));
    assert_false(wlt_memory_apply(image, (struct cursor){ far, far + 11 })); /* past the last page */
    memory_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_give_what_was_written),
        cmocka_unit_test(pages_are_found_in_order),
        cmocka_unit_test(changes_travel_in_chunks),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
