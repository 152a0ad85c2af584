/* .wlt files: any bytes are replayed or refused in a sentence with the offset.
 *
 * Checks over every chunk keep damage out, and would keep the fuzzer out too: an input that begins with 'C' is taken as the
 * contents of a file's chunks (table of instructions, kernel, CTAs), which are put into a file with right checks; one that begins
 * with 'D' as those of a file with values, the pages that the host wrote after them. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "fuzz_replay.h"
#include "trace/wlt.h"
#include "trace/wlt_format.h"

static uint64_t put_chunk(struct bytes *file, enum wlt_chunk kind, const uint8_t *content, size_t count)
{
    const uint64_t place = file->count;
    const size_t bound = ZSTD_compressBound(count);
    uint8_t *packed = malloc(bound);
    struct wlt_chunk_header header = { .kind = kind,
                                       .bytes = (uint32_t)count,
                                       .stored = (uint32_t)ZSTD_compress(packed, bound, content, count, 1) };
    bytes_fixed(file, kind, 4);
    bytes_fixed(file, header.stored, 4);
    bytes_fixed(file, header.bytes, 4);
    bytes_fixed(file, wlt_chunk_check(&header, packed), 8);
    bytes_append(file, packed, header.stored);
    free(packed);
    return place;
}

static bool cut(struct cursor *in, struct cursor *part)
{
    uint8_t low, high;
    return cursor_byte(in, &low) && cursor_byte(in, &high) && cursor_slice(in, (uint64_t)low | (uint64_t)high << 8, part);
}

/* Code, launch (its name, dimensions and sizes), index, one block with all CTAs, pages; each led by its length in two bytes. */
static bool build(struct cursor in, bool data, struct bytes *file)
{
    struct cursor code, launch, index, block, pages = { 0 };
    if (!cut(&in, &code) || !cut(&in, &launch) || !cut(&in, &index) || !cut(&in, &block) || (data && !cut(&in, &pages)))
        return false;
    bytes_append(file, WLT_MAGIC, 8);
    bytes_fixed(file, WLT_VERSION, 4);
    bytes_fixed(file, data ? WLT_FLAG_DATA : 0, 4);
    const uint64_t memory_place = data ? put_chunk(file, WLT_MEMORY, pages.at, (size_t)(pages.end - pages.at)) : 0;
    const uint64_t code_place = put_chunk(file, WLT_CODE, code.at, (size_t)(code.end - code.at));
    const uint64_t block_place = put_chunk(file, WLT_BLOCK, block.at, (size_t)(block.end - block.at));
    struct bytes kernel = { 0 }, directory = { 0 };
    bytes_append(&kernel, launch.at, (size_t)(launch.end - launch.at));
    bytes_number(&kernel, code_place);
    bytes_number(&kernel, data);
    if (data)
        bytes_number(&kernel, memory_place);
    bytes_number(&kernel, 1);
    bytes_number(&kernel, block_place);
    bytes_append(&kernel, index.at, (size_t)(index.end - index.at));
    const uint64_t kernel_place = put_chunk(file, WLT_KERNEL, kernel.data, kernel.count);
    bytes_text(&directory, "fuzz");
    for (uint32_t i = 0; i < 5; i++)
        bytes_number(&directory, 0);
    bytes_number(&directory, 1);
    bytes_put(&directory, 1);
    bytes_number(&directory, kernel_place);
    const uint64_t place = put_chunk(file, WLT_DIRECTORY, directory.data, directory.count);
    bytes_append(file, WLT_END_MAGIC, 8);
    bytes_fixed(file, place, 8);
    bytes_fixed(file, wlt_place_check(place), 8);
    bytes_free(&kernel);
    bytes_free(&directory);
    return true;
}

static bool replay(struct wlt_reader *reader, uint64_t event, struct error *err)
{
    struct front *front = wlt_reader_launch(reader, event, err);
    bool ok = front != NULL;
    for (uint32_t c = 0; ok && c < front->launch.cta_count && c < CTAS_MAX; c++) {
        struct front_cta *cta = front->ops->cta_start(front, c, err);
        ok = cta && step_all(front, cta, err);
        if (cta)
            front->ops->cta_end(front, cta);
    }
    if (front)
        front->ops->destroy(front);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes file = { 0 };
    if (size && (data[0] == 'C' || data[0] == 'D')) {
        if (!build((struct cursor){ data + 1, data + size }, data[0] == 'D', &file)) {
            bytes_free(&file);
            return 0;
        }
    } else {
        bytes_append(&file, data, size);
    }
    const int fd = memfd_create("fuzz.wlt", 0);
    require(fd >= 0 && write(fd, file.data ? file.data : (const uint8_t *)"", file.count) == (ssize_t)file.count);
    bytes_free(&file);
    struct error err = { 0 };
    struct wlt_reader *reader = wlt_reader_open_fd(fd, "fuzz.wlt", &err);
    bool ok = reader != NULL;
    for (uint64_t i = 0; ok && i < wlt_reader_event_count(reader); i++)
        ok = !wlt_reader_event(reader, i).is_kernel || replay(reader, i, &err);
    if (!ok && (err.code != CODE_INPUT || !strstr(err.text, "offset ") || strchr(err.text, '\n')))
        panic("a refusal that does not say where the file is damaged: %s", err.text);
    wlt_reader_free(reader);
    return 0;
}
