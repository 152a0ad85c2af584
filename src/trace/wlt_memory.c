/* wlt_memory.c - packs what the host changed in device memory into chunks of a trace, and applies them on replay. */
#include "trace/wlt_memory.h"

/* Content of a chunk, page after page upwards: number of pages skipped, form (a byte), the page unless it is all zero. */
enum page_form { PAGE_ZERO, PAGE_GIVEN };
enum { CHUNK_BYTES = 1 << 20 }; /* a chunk is closed when it has grown past this */

static const uint8_t zeros[IMAGE_PAGE_BYTES];

static void flush(struct bytes *content, struct wlt_memory_sink *sink)
{
    if (content->count)
        sink->chunk(sink, content);
    content->count = 0;
}

static void put_page(struct bytes *content, uint64_t gap, const uint8_t *now)
{
    const bool zero = memcmp(now, zeros, IMAGE_PAGE_BYTES) == 0;
    bytes_number(content, gap);
    bytes_put(content, zero ? PAGE_ZERO : PAGE_GIVEN);
    if (!zero)
        bytes_append(content, now, IMAGE_PAGE_BYTES);
}

/* The first page from `page` on that the device or the image knows. Memory that was freed is zero again. */
static bool next_page(const struct memory_image *image, struct front *front, uint64_t page, uint64_t *found)
{
    uint64_t start, bytes, known;
    const bool live = front->ops->next_memory(front, page * IMAGE_PAGE_BYTES, &start, &bytes);
    *found = !live ? UINT64_MAX : start / IMAGE_PAGE_BYTES > page ? start / IMAGE_PAGE_BYTES : page;
    if (memory_image_next(image, page, &known) && known < *found)
        *found = known;
    return *found != UINT64_MAX;
}

uint64_t wlt_memory_collect(struct memory_image *image, struct front *front, struct wlt_memory_sink *sink)
{
    struct bytes content = { 0 };
    uint8_t now[IMAGE_PAGE_BYTES];
    uint64_t count = 0, expected = 0;
    for (uint64_t page = 0; page <= UINT64_MAX / IMAGE_PAGE_BYTES && next_page(image, front, page, &page); page++) {
        front->ops->read_memory(front, page * IMAGE_PAGE_BYTES, IMAGE_PAGE_BYTES, now);
        const uint8_t *before = memory_image_page(image, page);
        if (memcmp(now, before ? before : zeros, IMAGE_PAGE_BYTES) == 0)
            continue;
        if (content.count > CHUNK_BYTES) {
            flush(&content, sink);
            expected = 0;
        }
        put_page(&content, page - expected, now);
        expected = page + 1;
        memcpy(memory_image_make_page(image, page), now, IMAGE_PAGE_BYTES);
        count++;
    }
    flush(&content, sink);
    bytes_free(&content);
    return count;
}

bool wlt_memory_apply(struct memory_image *image, struct cursor in)
{
    for (uint64_t page = 0; in.at < in.end; page++) {
        uint64_t gap;
        uint8_t form;
        struct cursor content;
        if (!cursor_number(&in, &gap) || gap > UINT64_MAX / IMAGE_PAGE_BYTES - page || !cursor_byte(&in, &form) ||
            form > PAGE_GIVEN)
            return false;
        page += gap;
        uint8_t *known = memory_image_page(image, page);
        if (form == PAGE_ZERO && known)
            memset(known, 0, IMAGE_PAGE_BYTES);
        if (form == PAGE_ZERO)
            continue;
        if (!cursor_slice(&in, IMAGE_PAGE_BYTES, &content))
            return false;
        memcpy(memory_image_make_page(image, page), content.at, IMAGE_PAGE_BYTES);
    }
    return true;
}
