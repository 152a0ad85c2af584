/* wlt_code.c - the table of static instructions as bytes, and the checks of a file's chunks. */
#include "base/hash.h"
#include "front/work.h"
#include "trace/wlt_format.h"

uint64_t wlt_chunk_check(const struct wlt_chunk_header *header, const uint8_t *stored)
{
    const uint64_t sizes = (uint64_t)header->stored << 32 | header->bytes;
    return hash_bytes(stored, header->stored, hash_combine(header->kind, sizes));
}

uint64_t wlt_place_check(uint64_t directory)
{
    return hash_combine(WLT_PLACE_SEED, directory);
}

static void write_registers(struct bytes *out, const uint16_t *registers, uint32_t count)
{
    bytes_put(out, (uint8_t)count);
    for (uint32_t i = 0; i < count; i++)
        bytes_number(out, registers[i]);
}

static bool read_registers(struct cursor *in, uint16_t *registers, uint8_t *count, uint32_t most)
{
    if (!cursor_byte(in, count) || *count > most)
        return false;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t number;
        if (!cursor_bounded(in, UINT16_MAX, &number))
            return false;
        registers[i] = (uint16_t)number;
    }
    return true;
}

/* An entry that only reserves room in a kernel's table. */
static bool is_blank(const struct inst *code, uint32_t i)
{
    const struct inst *inst = &code[i];
    return inst->class == CLASS_NOP && inst->index == i && inst->pc == (i ? code[i - 1].pc + 8 : 0) && !inst->ndst && !inst->nsrc &&
           !inst->line && !inst->space;
}

static void write_inst(struct bytes *out, const struct inst *inst, const struct inst *before)
{
    bytes_signed(out, (int64_t)(inst->pc - (before ? before->pc : 0)));
    bytes_number(out, inst->index);
    bytes_signed(out, (int64_t)inst->line - (before ? (int64_t)before->line : 0));
    bytes_signed(out, (int64_t)inst->source_line - (before ? (int64_t)before->source_line : 0));
    bytes_put(out, inst->class);
    bytes_put(out, inst->space);
    bytes_put(out, inst->cache_op);
    bytes_put(out, inst->element_bytes);
    bytes_put(out, inst->elements);
    bytes_put(out, (uint8_t)((inst->work + 1u) << 1 | inst->guarded));
    bytes_put(out, inst->nvalue);
    write_registers(out, inst->dst, inst->ndst);
    write_registers(out, inst->src, inst->nsrc);
    write_registers(out, inst->read, inst->nread);
    write_registers(out, inst->write, inst->nwrite);
}

void wlt_code_write(struct bytes *out, const struct inst *code, uint32_t count)
{
    bytes_number(out, count);
    for (uint32_t i = 0, blanks; i < count; i += blanks + 1) {
        for (blanks = 0; i + blanks < count && is_blank(code, i + blanks); blanks++)
            ;
        bytes_number(out, blanks);
        if (i + blanks < count)
            write_inst(out, &code[i + blanks], i ? &code[i - 1] : NULL);
    }
}

static bool read_head(struct cursor *in, struct inst *inst, const struct inst *before)
{
    int64_t pc, line, source_line;
    uint8_t guarded;
    if (!cursor_signed(in, &pc) || !cursor_bounded(in, UINT32_MAX, &inst->index) || !cursor_signed(in, &line) ||
        !cursor_signed(in, &source_line) || !cursor_byte(in, &inst->class) || !cursor_byte(in, &inst->space) ||
        !cursor_byte(in, &inst->cache_op) || !cursor_byte(in, &inst->element_bytes) || !cursor_byte(in, &inst->elements) ||
        !cursor_byte(in, &guarded) || !cursor_byte(in, &inst->nvalue))
        return false;
    inst->pc = (before ? before->pc : 0) + (uint64_t)pc;
    inst->line = (before ? before->line : 0) + (uint32_t)line;
    inst->source_line = (before ? before->source_line : 0) + (uint32_t)source_line;
    inst->guarded = guarded & 1;
    inst->timing = inst_timing(inst->class, inst->space);
    /* Version 2 has only the guard, so the class must do. */
    inst->work = guarded >> 1 ? (uint8_t)((guarded >> 1) - 1) : inst->class < CLASS_COUNT ? (uint8_t)work_of_class(inst->class) : 0;
    return true;
}

/* What the machine relies on in an instruction. */
static bool is_sound(const struct inst *inst)
{
    return inst->class < CLASS_COUNT && inst->work < WORK_COUNT && inst->space <= SPACE_TEXTURE &&
           inst->cache_op <= CACHE_READ_ONLY && inst->nvalue <= inst->nsrc && inst->element_bytes <= 16 && inst->elements <= 16;
}

static bool read_inst(struct cursor *in, struct inst *inst, const struct inst *before)
{
    return read_head(in, inst, before) && read_registers(in, inst->dst, &inst->ndst, INST_MAX_DST) &&
           read_registers(in, inst->src, &inst->nsrc, INST_MAX_SRC) && read_registers(in, inst->read, &inst->nread, INST_MAX_SRC) &&
           read_registers(in, inst->write, &inst->nwrite, INST_MAX_DST) && is_sound(inst);
}

static bool read_all(struct cursor *in, struct inst *code, uint32_t count)
{
    for (uint32_t i = 0, blanks; i < count; i += blanks + 1) {
        if (!cursor_bounded(in, count - i, &blanks))
            return false;
        for (uint32_t k = i; k < i + blanks; k++)
            code[k] = (struct inst){ .class = CLASS_NOP, .timing = CLASS_NOP, .index = k, .pc = (k ? code[k - 1].pc + 8 : 0) };
        if (i + blanks < count && !read_inst(in, &code[i + blanks], i ? &code[i - 1] : NULL))
            return false;
    }
    return in->at == in->end;
}

struct inst *wlt_code_read(struct cursor *in, uint32_t *count)
{
    if (!cursor_bounded(in, WLT_MOST_CODE, count) || *count == 0)
        return NULL;
    struct inst *code = must_calloc(*count, sizeof *code);
    if (read_all(in, code, *count))
        return code;
    free(code);
    return NULL;
}
