/* accelsim_line.c - an instruction line: PC, mask, then the static part (registers, opcode, width), then addresses.
 *
 * The static part of a PC is parsed once; later lines are compared with it, which is what makes reading quick. */
#include "front/work.h"
#include "trace/accelsim_state.h"
#include "trace/accelsim_write.h"
#include "trace/sass.h"

struct text {
    const char *at, *end;
};

static inline void skip_blanks(struct text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
}

static inline int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static inline bool at_token_end(const struct text *t)
{
    return t->at == t->end || *t->at == ' ' || *t->at == '\t';
}

static inline bool read_hex(struct text *t, uint64_t *out)
{
    skip_blanks(t);
    if (t->end - t->at > 2 && t->at[0] == '0' && (t->at[1] == 'x' || t->at[1] == 'X'))
        t->at += 2;
    uint64_t value = 0;
    uint32_t digits = 0;
    for (int d; t->at < t->end && (d = hex_digit(*t->at)) >= 0; t->at++, digits++)
        value = value << 4 | (uint64_t)d;
    *out = value;
    return digits > 0 && digits <= 16 && at_token_end(t);
}

static inline bool read_decimal(struct text *t, int64_t *out)
{
    skip_blanks(t);
    const bool negative = t->at < t->end && *t->at == '-';
    t->at += negative;
    uint64_t value = 0;
    uint32_t digits = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++, digits++)
        value = value * 10 + (uint64_t)(*t->at - '0');
    *out = (int64_t)(negative ? 0 - value : value);
    return digits > 0 && digits <= 19 && at_token_end(t);
}

static bool read_word(struct text *t, struct text *word)
{
    skip_blanks(t);
    word->at = t->at;
    while (!at_token_end(t))
        t->at++;
    word->end = t->at;
    return word->at < word->end;
}

/* R12, UR4, P3, UP1 share one space of numbers; 0: always zero or true, no register. */
static bool read_register(struct text *t, uint16_t *out)
{
    static const struct {
        const char *prefix;
        uint16_t base, none;
    } kinds[] = {
        { "UR", 1 + 256, 63 },
        { "UP", 1 + 256 + 64 + 8, 7 },
        { "R", 1, 255 },
        { "P", 1 + 256 + 64, 7 },
    };
    struct text word;
    if (!read_word(t, &word))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t length = strlen(kinds[i].prefix);
        int64_t number;
        if ((size_t)(word.end - word.at) <= length || memcmp(word.at, kinds[i].prefix, length) != 0)
            continue;
        word.at += length;
        if (!read_decimal(&word, &number) || word.at != word.end || number < 0 || number > 255)
            return false;
        *out = number == kinds[i].none ? 0 : (uint16_t)(kinds[i].base + number);
        return true;
    }
    return false;
}

static bool read_registers(struct text *t, uint16_t *registers, uint8_t *count, int64_t most)
{
    int64_t given;
    if (!read_decimal(t, &given) || given < 0 || given > most)
        return false;
    *count = 0;
    for (int64_t i = 0; i < given; i++) {
        uint16_t number;
        if (!read_register(t, &number))
            return false;
        if (number)
            registers[(*count)++] = number;
    }
    return true;
}

static uint32_t count_unknown(struct accelsim_list *list, const struct text *opcode)
{
    const size_t length = (size_t)(opcode->end - opcode->at);
    for (uint32_t i = 0; i < list->unknown_count; i++)
        if (strlen(list->unknown[i].name) == length && memcmp(list->unknown[i].name, opcode->at, length) == 0)
            return i + 1;
    list->unknown = must_realloc(list->unknown, (list->unknown_count + 1) * sizeof *list->unknown);
    char *name = must_calloc(1, length + 1);
    memcpy(name, opcode->at, length);
    list->unknown[list->unknown_count] = (struct unknown_opcode){ .name = name };
    return ++list->unknown_count;
}

/* Results of 8 and 16 bytes take neighbouring registers; the trace names the first. */
static void widen_result(const struct kernel_text *k, struct inst *inst, uint32_t registers)
{
    if (k->list->options.as_listed)
        return;
    for (uint32_t i = 1; i < registers && inst->ndst == i && inst->dst[0] + i <= 255; i++)
        inst->dst[inst->ndst++] = (uint16_t)(inst->dst[0] + i);
}

static void fill_banks(struct inst *inst)
{
    inst->nvalue = inst->nsrc;
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        bool seen = inst->src[i] > 256; /* uniform registers and predicates have files of their own */
        for (uint32_t k = 0; k < inst->nread; k++)
            seen |= inst->read[k] == inst->src[i] - 1;
        if (!seen)
            inst->read[inst->nread++] = (uint16_t)(inst->src[i] - 1);
    }
    for (uint32_t i = 0; i < inst->ndst; i++)
        if (inst->dst[i] <= 256)
            inst->write[inst->nwrite++] = (uint16_t)(inst->dst[i] - 1);
}

/* Another SM must see it: the L1, which is not coherent, has no part in it. */
static bool is_strong(const struct text *opcode)
{
    const size_t length = (size_t)(opcode->end - opcode->at);
    return sass_has_suffix(opcode->at, length, "STRONG") && sass_has_suffix(opcode->at, length, "GPU");
}

static void set_class(struct kernel_text *k, struct inst *inst, struct static_line *line, const struct sass_opcode *known,
                      const struct text *opcode, int64_t width)
{
    const size_t length = (size_t)(opcode->end - opcode->at);
    inst->class = known ? known->class : CLASS_MOVE;
    inst->space = known ? known->space : SPACE_NONE;
    inst->work = sass_work(known, opcode->at, length);
    line->arrives = !k->list->options.as_listed && known && known->may_arrive && sass_has_suffix(opcode->at, length, "ARV");
    line->copies = known && known->copies;
    line->bulk = known && known->bulk;
    if (known && known->wide)
        widen_result(k, inst, 2);
    if (!wlt_has_addresses(inst)) {
        line->has_addresses = width > 0 && !line->bulk; /* to be skipped */
        return;
    }
    if (width == 0) { /* nothing to send to memory */
        accelsim_odd(k, ODD_NO_ADDRESSES);
        inst->class = CLASS_MOVE;
        inst->work = WORK_MOVE;
        inst->space = SPACE_NONE;
        return;
    }
    inst->element_bytes = (uint8_t)sass_width(opcode->at, length);
    inst->elements = 1;
    inst->cache_op = inst->class == CLASS_LOAD && is_strong(opcode) ? CACHE_GLOBAL : CACHE_DEFAULT;
    line->has_addresses = true;
    if (inst->element_bytes != width)
        accelsim_odd(k, ODD_WIDTHS);
    if (inst->class == CLASS_LOAD)
        widen_result(k, inst, inst->element_bytes / 4u);
    if (inst->ndst == 0 &&
        (inst->class == CLASS_LOAD || inst->class == CLASS_TEXTURE)) /* a warp ends when its loads have ended: by registers */
        inst->dst[inst->ndst++] = (uint16_t)(SASS_NO_RESULT + inst->index % 96);
}

/* The place of the machine's instruction for a line. In a trace that we wrote the PC alone gives the place. */
static uint32_t code_index(const struct kernel_text *k, uint64_t pc, uint32_t line)
{
    return k->own_code ? (uint32_t)(pc >> k->code_shift) : line;
}

/* Parses a static part for the first time and keeps it at `index`. */
static bool learn(struct kernel_text *k, uint64_t pc, uint32_t index, struct text *t, struct error *err)
{
    struct accelsim_list *list = k->list;
    struct static_line *line = &list->lines[index];
    struct inst inst = { .index = index, .pc = 8 * (uint64_t)index };
    const char *start = t->at;
    struct text opcode;
    int64_t width;
    if (!read_registers(t, inst.dst, &inst.ndst, 1))
        return accelsim_error(k, err, "the destination registers are wrong: at most one, R and a number");
    if (!read_word(t, &opcode))
        return accelsim_error(k, err, "the opcode is missing");
    if (!read_registers(t, inst.src, &inst.nsrc, 4))
        return accelsim_error(k, err, "the source registers are wrong: at most four, R and a number");
    if (!read_decimal(t, &width) || width < 0 || width > 128)
        return accelsim_error(k, err, "the width is wrong");
    const struct sass_opcode *known = sass_find(opcode.at, (size_t)(opcode.end - opcode.at));
    if (!known && !list->options.unknown_as_alu)
        return accelsim_error(k, err, "unknown opcode '%.*s'; --unknown-opcode alu treats such as moves",
                              (int)(opcode.end - opcode.at < 60 ? opcode.end - opcode.at : 60), opcode.at);
    *line = (struct static_line){ .length = (uint32_t)(t->at - start), .unknown = known ? 0 : count_unknown(list, &opcode) };
    set_class(k, &inst, line, known, &opcode, width);
    inst.timing = known && sass_is_half(known) ? (uint8_t)TIMING_HALF : inst_timing(inst.class, inst.space);
    fill_banks(&inst);
    const uint32_t own = code_index(k, pc, index);
    if (k->own_code && (own >= k->own_code_count || (line->has_addresses != wlt_has_addresses(&k->own_code[own])) ||
                        (inst.class == CLASS_BARRIER) != (k->own_code[own].class == CLASS_BARRIER)))
        return accelsim_error(k, err, "this instruction is not the one in the table of the header (-warpline code)");
    line->text = must_calloc(1, line->length + 1u);
    memcpy(line->text, start, line->length);
    list->code[index] = inst;
    list->used[list->used_count++] = index;
    if (wlt_has_addresses(k->own_code ? &k->own_code[own] : &inst))
        (void)code_slots_of(&k->source.slots, own);
    return true;
}

static inline bool is_line(const struct static_line *line, const struct text *t)
{
    const size_t left = (size_t)(t->end - t->at);
    return left >= line->length && memcmp(line->text, t->at, line->length) == 0 &&
           (left == line->length || t->at[line->length] == ' ');
}

/* The place of the instruction in the table; the text moves behind its static part. */
static bool find_instruction(struct kernel_text *k, uint64_t pc, struct text *t, uint32_t *out, struct error *err)
{
    struct accelsim_list *list = k->list;
    if (pc >> k->code_shift >= k->next_other)
        return accelsim_error(
            k, err,
            "PC %llx lies beyond the %u instructions (%u KiB of SASS) that a kernel can have; take the kernel out of "
            "the list, or trace it with less code inlined",
            (unsigned long long)pc, list->options.code_room, list->options.code_room >> (10 - k->code_shift));
    uint32_t index = (uint32_t)(pc >> k->code_shift);
    if (index >= list->code_count)
        accelsim_code_grow(list, index + 1);
    for (;; index = list->lines[index].other) {
        const struct static_line *line = &list->lines[index];
        if (!line->text)
            break;
        if (is_line(line, t)) {
            t->at += line->length;
            *out = index;
            return true;
        }
        if (!line->other) {
            /* With a table of instructions (-warpline code) all lines of a PC are one instruction, for example an atomic that
             * lies in shared memory at one time and in global memory at another. */
            if (!k->own_code)
                accelsim_odd(k, ODD_SAME_PC);
            const uint32_t other = --k->next_other;
            if (list->lines[other].text)
                return accelsim_error(k, err,
                                      "the kernel has more than the %u instructions that are possible; take it out of the list",
                                      list->options.code_room);
            accelsim_code_grow(list, list->options.code_room); /* they lie at the top */
            list->lines[index].other = other;
            index = other;
            break;
        }
    }
    *out = index;
    return learn(k, pc, index, t, err);
}

static uint32_t count_tokens(struct text t)
{
    uint32_t count = 0;
    struct text word;
    while (read_word(&t, &word))
        count++;
    return count;
}

/* Mode 0: an address per lane. Mode 2: a first address, then the difference of each lane to the one before. Lists that were made
 * before predication are longer than the mask. Which lanes were meant is not known, so the first ones are taken. */
static bool read_list(struct kernel_text *k, struct text *t, uint32_t mask, bool differences, uint64_t address[32],
                      struct error *err)
{
    uint64_t last = 0;
    bool first = true;
    for (uint32_t left = mask; left; left &= left - 1, first = false) {
        int64_t difference = 0;
        if (differences && !first ? !read_decimal(t, &difference) : !read_hex(t, &last))
            return accelsim_error(k, err, "the addresses end after %d of %d lanes, or one is wrong",
                                  __builtin_popcount(mask) - __builtin_popcount(left), __builtin_popcount(mask));
        last += (uint64_t)difference;
        address[__builtin_ctz(left)] = last;
    }
    const uint32_t more = count_tokens(*t);
    if (more > (k->header.tracer_version >= 5 ? 1u : 0u)) { /* version 5 ends with an immediate */
        accelsim_odd(k, ODD_LONG_ADDRESSES);
        t->at = t->end;
    }
    return true;
}

static bool read_addresses(struct kernel_text *k, struct text *t, uint32_t mask, uint64_t address[32], struct error *err)
{
    int64_t mode, stride;
    uint64_t base;
    if (!read_decimal(t, &mode) || mode < 0 || mode > 2)
        return accelsim_error(k, err, "the form of the addresses must be 0, 1 or 2");
    if (mode != 1 && (mask || count_tokens(*t) <= 1))
        return read_list(k, t, mask, mode == 2, address, err);
    if (mode != 1) { /* addresses of lanes that did not execute */
        t->at = t->end;
        accelsim_odd(k, ODD_LONG_ADDRESSES);
        return true;
    }
    if (!read_hex(t, &base) || !read_decimal(t, &stride))
        return accelsim_error(k, err, "an address and a stride are expected");
    for (uint32_t left = mask; left; left &= left - 1, base += (uint64_t)stride)
        address[__builtin_ctz(left)] = base;
    return true;
}

static inline bool in_window(uint64_t address, uint64_t base)
{
    return base && address - base < SASS_WINDOW_BYTES;
}

/* Generic accesses belong to the window they point into; shared and local addresses become offsets. */
static void place(const struct kernel_text *k, const struct static_line *line, struct warp_step *step, uint64_t address[32])
{
    const uint64_t first = address[__builtin_ctz(step->executed)];
    if (line->copies && (first < SASS_WINDOW_BYTES || in_window(first, k->header.shared_base)))
        step->space = SPACE_SHARED; /* of its two lines, the one that says where the data go */
    if (step->space == SPACE_GENERIC && step->inst->class == CLASS_ATOMIC && k->list->options.as_listed)
        step->space = SPACE_GLOBAL; /* to Accel-Sim, ATOM is, wherever it points */
    if (step->space == SPACE_GENERIC)
        step->space = in_window(first, k->header.shared_base)  ? SPACE_SHARED
                      : in_window(first, k->header.local_base) ? SPACE_LOCAL
                                                               : SPACE_GLOBAL;
    const uint64_t base = step->space == SPACE_SHARED  ? k->header.shared_base
                          : step->space == SPACE_LOCAL ? k->header.local_base
                                                       : 0;
    const bool kept =
        step->space == SPACE_LOCAL && k->list->options.as_listed; /* Accel-Sim takes the whole address for an offset */
    if (!in_window(first, base) || kept)
        return;
    for (uint32_t left = step->executed; left; left &= left - 1)
        address[__builtin_ctz(left)] -= base;
}

static bool read_prefix(struct kernel_text *k, struct text *t, uint64_t *pc, uint64_t *mask, struct error *err)
{
    int64_t ignored;
    const uint32_t numbers = (k->header.tracer_version < 3 ? 4u : 0u) + (k->header.line_info ? 1u : 0u);
    for (uint32_t i = 0; i < numbers; i++)
        if (!read_decimal(t, &ignored))
            return accelsim_error(k, err, "%s is expected before the PC", i < 4 && numbers >= 4 ? "x y z warp" : "a line number");
    if (!read_hex(t, pc) || !read_hex(t, mask) || *mask > UINT32_MAX)
        return accelsim_error(k, err, "a PC and a mask of 32 lanes are expected");
    skip_blanks(t);
    return true;
}

/* What may follow the addresses: nothing, or from version 5 on one number. The tracer writes it for whichever operand was the
 * last immediate. */
static bool read_immediate(struct kernel_text *k, struct text *t, int64_t *out, struct error *err)
{
    skip_blanks(t);
    struct text word;
    const struct text left = *t;
    if (t->at == t->end)
        return true;
    if (k->header.tracer_version < 5 || !read_word(t, &word) || count_tokens(*t) != 0)
        return accelsim_error(k, err, "'%.*s' is left over", (int)(left.end - left.at < 40 ? left.end - left.at : 40), left.at);
    uint64_t hexadecimal = 0;
    const bool is_hexadecimal = word.end - word.at > 2 && word.at[0] == '0' && (word.at[1] == 'x' || word.at[1] == 'X');
    struct text number = word;
    if (is_hexadecimal ? !read_hex(&number, &hexadecimal) : !read_decimal(&number, out))
        return accelsim_error(k, err, "the immediate '%.*s' is no number", (int)(word.end - word.at < 40 ? word.end - word.at : 40),
                              word.at);
    *out = is_hexadecimal ? (int64_t)hexadecimal : *out;
    return true;
}

/* The immediate of a barrier is its number. If the barrier counts threads it is that count, and the number is lost; it is then
 * treated as a barrier of all live warps, which may wait too long but never for ever. */
static void set_barrier(struct kernel_text *k, int64_t immediate, struct warp_step *step)
{
    if (k->list->options.as_listed)
        immediate = 0;
    const bool numbered = immediate >= 0 && immediate < FRONT_BARRIERS;
    step->barrier = numbered ? (uint8_t)immediate : 0;
    if (!numbered)
        accelsim_odd(k, ODD_BARRIERS);
}

/* In a trace that we wrote: accelsim_write.h. */
static void set_own(uint64_t number, struct warp_step *step)
{
    if (step->inst->guarded)
        step->active = (uint32_t)(number >> OWN_ACTIVE_SHIFT);
    if (step->inst->class == CLASS_BARRIER && !(number & OWN_NO_BARRIER)) {
        step->barrier = (uint8_t)(number % FRONT_BARRIERS);
        step->barrier_warps = (uint8_t)(number >> OWN_WARPS_SHIFT);
    }
}

bool accelsim_line_read(struct kernel_text *k, struct warp_encoder *warp, const char *at, const char *end, struct error *err)
{
    struct text t = { at, end };
    uint64_t pc = 0, mask = 0, address[32];
    uint32_t index = 0;
    if (!read_prefix(k, &t, &pc, &mask, err) || !find_instruction(k, pc, &t, &index, err))
        return false;
    const struct static_line *line = &k->list->lines[index];
    const uint32_t place_in_code = code_index(k, pc, index);
    const struct inst *inst = k->own_code ? &k->own_code[place_in_code] : &k->list->code[index];
    if (line->has_addresses && !read_addresses(k, &t, (uint32_t)mask, address, err))
        return false;
    int64_t immediate = 0;
    if (line->bulk)
        t.at = t.end;
    if (!read_immediate(k, &t, &immediate, err))
        return false;
    struct warp_step step = { .inst = inst,
                              .active = (uint32_t)mask,
                              .executed = (uint32_t)mask,
                              .space = inst->space,
                              .address = address,
                              .barrier = FRONT_NO_BARRIER,
                              .barrier_waits = !line->arrives };
    if (k->own_code)
        set_own((uint64_t)immediate, &step);
    else if (inst->class == CLASS_BARRIER)
        set_barrier(k, immediate, &step);
    if (inst->space == SPACE_GENERIC && line->has_addresses)
        step.space = k->list->code[index].space; /* the line says which it was, if it does */
    if (mask && wlt_has_addresses(inst))
        place(k, line, &step, address);
    if (line->unknown)
        k->list->unknown[line->unknown - 1].count++;
    k->list->instruction_lines++;
    warp_encoder_step(warp, &k->source.slots, place_in_code, &step);
    return true;
}
