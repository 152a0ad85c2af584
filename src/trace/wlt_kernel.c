/* wlt_kernel.c - the CTAs of a kernel in a .wlt file, as the replaying front end asks for them. */
#include "trace/replay.h"
#include "trace/wlt_reader.h"

struct file_source {
    struct cta_source source;
    struct wlt_reader *reader;
    struct wlt_kernel kernel;
};

static bool file_fetch(struct cta_source *source, uint32_t cta_id, struct bytes *out, struct error *err)
{
    struct file_source *f = (struct file_source *)source;
    return wlt_reader_cta(f->reader, &f->kernel, cta_id, out, err);
}

static bool file_damaged(struct cta_source *source, uint32_t cta_id, const char *what, struct error *err)
{
    const struct file_source *f = (const struct file_source *)source;
    const uint64_t block = f->kernel.blocks[f->kernel.ctas[cta_id].block];
    return error_set(err, "%.300s: offset %llu: kernel %.200s, CTA %u: %s; the file is damaged: record it again",
                     wlt_reader_name(f->reader), (unsigned long long)block, f->kernel.name, cta_id, what);
}

static void file_destroy(struct cta_source *source)
{
    struct file_source *f = (struct file_source *)source;
    wlt_kernel_clear(&f->kernel);
    code_slots_clear(&source->slots);
    free(f);
}

struct front *wlt_reader_launch(struct wlt_reader *reader, uint64_t index, struct error *err)
{
    struct file_source *f = must_calloc(1, sizeof *f);
    if (!wlt_reader_kernel(reader, index, &f->kernel, err) || !wlt_reader_memory(reader, &f->kernel, err)) {
        wlt_kernel_clear(&f->kernel);
        free(f);
        return NULL;
    }
    f->reader = reader;
    f->source = (struct cta_source){ file_fetch, file_damaged, file_destroy, .launch = f->kernel.launch,
                                     .image = wlt_reader_image(reader) };
    code_slots_init(&f->source.slots, f->kernel.launch.code_count);
    for (uint32_t i = 0; i < f->kernel.launch.code_count; i++)
        if (wlt_has_addresses(&f->kernel.code[i]))
            (void)code_slots_of(&f->source.slots, i);
    return replay_new(&f->source);
}
