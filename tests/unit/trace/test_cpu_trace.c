/* Traces of CPUs: what is written is read again, in both formats and all packings; what is cut, damaged or foreign is refused. */
#include "../cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../test_folder.h"
#include "base/prng.h"
#include "trace/cpu_codec.h"
#include "trace/cpu_trace.h"

enum { COUNT = 1200000 }; /* more than a block */

/* A loop with a stride, a branch that follows a pattern, a load from anywhere, and now and then something new. */
static void make(struct cpu_inst *out, uint32_t count, bool classes)
{
    struct prng random;
    prng_seed(&random, 7);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step = i % 8;
        struct cpu_inst *inst = &out[i];
        *inst = (struct cpu_inst){ .pc = 0x401000 + step * 4, .dest = { (uint8_t)(3 + step) }, .source = { 3, 4 } };
        if (step == 1)
            inst->address[CPU_STORES] = 0x7f0000000000 + (uint64_t)i * 8;
        if (step == 2)
            inst->address[0] = 0x10000000 + prng_below(&random, 1 << 20) * 64;
        if (step == 3 && classes)
            inst->kind = CPU_DIVIDE << CPU_CLASS_SHIFT;
        if (step == 7) {
            inst->kind = CPU_BRANCH;
            inst->taken = i % 24 != 23;
        }
        if (i % 1000 == 999)
            inst->pc += 0x1000 + i;
    }
}

static void write_trace(const char *path, const struct cpu_inst *insts, size_t count)
{
    struct error err = { 0 };
    struct cpu_trace_writer *w = cpu_trace_writer_open(path, path, &err);
    assert_non_null(w);
    assert_true(cpu_trace_write(w, insts, count / 3, &err));
    assert_true(cpu_trace_write(w, insts + count / 3, count - count / 3, &err));
    assert_true(cpu_trace_writer_close(w, &err));
}

/* All of it, in odd portions; false when it is refused. */
static bool read_trace(const char *path, struct cpu_inst *out, size_t room, size_t *total, struct error *err)
{
    struct cpu_trace *t = cpu_trace_open(path, err);
    bool ok = t != NULL;
    *total = 0;
    for (size_t count = 1; ok && count;) {
        const size_t left = room - *total;
        struct cpu_inst spare;
        ok = cpu_trace_read(t, left ? out + *total : &spare, left ? (left < 999 ? left : 999) : 1, &count, err);
        if (ok)
            *total += count;
    }
    cpu_trace_free(t);
    return ok;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const names[] = { "t.wct", "t.champsim", "t.champsim.gz", "t.champsim.xz", "t.champsim.zst", NULL };
    struct cpu_inst *in = must_calloc(COUNT, sizeof *in), *out = must_calloc(COUNT, sizeof *out);
    for (size_t n = 0; names[n]; n++) {
        struct error err = { 0 };
        size_t total;
        const uint32_t count = n == 0 ? COUNT : 20000;
        make(in, count, n == 0);
        write_trace(names[n], in, count);
        assert_true(cpu_trace_recognises(names[n]));
        assert_true(read_trace(names[n], out, count, &total, &err));
        assert_int_equal(total, count);
        assert_memory_equal(in, out, count * sizeof *in);
        (void)unlink(names[n]);
    }
    free(in);
    free(out);
}

static void champsim_has_no_classes(void **state)
{
    (void)state;
    struct cpu_inst in[16], out[16];
    struct error err = { 0 };
    size_t total;
    make(in, 16, true);
    write_trace("c.champsim", in, 16);
    assert_true(read_trace("c.champsim", out, 16, &total, &err));
    assert_int_equal(out[3].kind, 0);
    assert_int_equal(out[7].kind, CPU_BRANCH);
    (void)unlink("c.champsim");
}

static void a_loop_costs_little(void **state)
{
    (void)state;
    struct cpu_codec *codec = cpu_codec_new();
    struct cpu_block block = { 0 };
    struct cpu_inst inst = { 0 };
    for (uint32_t i = 0; i < 80000; i++) {
        inst = (struct cpu_inst){ .pc = 0x1000 + i % 8 * 4, .kind = i % 8 == 7 ? CPU_BRANCH : 0, .taken = i % 8 == 7 };
        if (i % 8 == 0)
            inst.address[CPU_STORES] = 4096 + i * 2;
        cpu_codec_add(codec, &inst, &block);
    }
    cpu_codec_end(codec, &block);
    assert_in_range(block.count, 80, 300); /* eight new instructions, a stride learnt, one run */
    free(block.data);
    cpu_codec_free(codec);
}

static void rewinding_begins_anew(void **state)
{
    (void)state;
    struct cpu_inst in[64], first[64], second[64];
    struct error err = { 0 };
    size_t count;
    make(in, 64, true);
    write_trace("r.wct", in, 64);
    struct cpu_trace *t = cpu_trace_open("r.wct", &err);
    assert_true(cpu_trace_read(t, first, 20, &count, &err));
    assert_true(cpu_trace_rewind(t, &err));
    assert_true(cpu_trace_read(t, second, 64, &count, &err));
    assert_int_equal(count, 64);
    assert_memory_equal(in, second, sizeof in);
    assert_true(cpu_trace_read(t, second, 64, &count, &err));
    assert_int_equal(count, 0);
    cpu_trace_free(t);
    (void)unlink("r.wct");
}

static size_t load_file(const char *path, uint8_t *bytes, size_t room)
{
    FILE *f = fopen(path, "rb");
    const size_t n = fread(bytes, 1, room, f);
    (void)fclose(f);
    return n;
}

static void store_file(const char *path, const uint8_t *bytes, size_t count)
{
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    (void)fclose(f);
}

/* Every cut and every changed byte of a small file of ours is noticed. */
static void a_cut_or_damaged_file_is_refused(void **state)
{
    (void)state;
    struct cpu_inst in[200], out[200];
    static uint8_t bytes[8192];
    size_t total;
    make(in, 200, true);
    write_trace("d.wct", in, 200);
    const size_t size = load_file("d.wct", bytes, sizeof bytes);
    for (size_t cut = 8; cut < size; cut++) {
        struct error err = { 0 };
        store_file("d.wct", bytes, cut);
        assert_false(read_trace("d.wct", out, 200, &total, &err));
        assert_int_equal(err.code, CODE_INPUT);
        assert_non_null(strstr(err.text, "d.wct: offset "));
    }
    for (size_t at = 8; at < size; at++) {
        struct error err = { 0 };
        if (at >= 12 && at < 16)
            continue; /* the header's spare word */
        bytes[at] ^= 0x41;
        store_file("d.wct", bytes, size);
        if (read_trace("d.wct", out, 200, &total, &err)) { /* a block's spare word: nothing else may pass */
            assert_int_equal(total, 200);
            assert_memory_equal(in, out, sizeof in);
        }
        bytes[at] ^= 0x41;
    }
    (void)unlink("d.wct");
}

static void a_foreign_file_is_refused(void **state)
{
    (void)state;
    struct cpu_inst out[8];
    struct error err = { 0 };
    size_t total;
    uint8_t text[640];
    memset(text, 'x', sizeof text);
    store_file("f.champsim", text, sizeof text);
    assert_false(read_trace("f.champsim", out, 8, &total, &err));
    assert_non_null(strstr(err.text, "is it a trace of ChampSim's"));
    store_file("f.champsim", text, 0);
    assert_false(read_trace("f.champsim", out, 8, &total, &err));
    memset(text, 0, sizeof text);
    store_file("f.champsim", text, 100);
    assert_false(read_trace("f.champsim", out, 8, &total, &err));
    assert_non_null(strstr(err.text, "middle of a record"));
    assert_false(cpu_trace_recognises("absent.champsim"));
    (void)unlink("f.champsim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(champsim_has_no_classes),
        cmocka_unit_test(a_loop_costs_little),
        cmocka_unit_test(rewinding_begins_anew),
        cmocka_unit_test(a_cut_or_damaged_file_is_refused),
        cmocka_unit_test(a_foreign_file_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
