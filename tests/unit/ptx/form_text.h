/* form_text.h - PTX text for one instruction of the table, with operands made to its row; for tests that walk the table. */
#ifndef WARPLINE_TESTS_FORM_TEXT_H
#define WARPLINE_TESTS_FORM_TEXT_H
#include "ptx_text.h"

#include "ptx/form.h"

static void put(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    assert_true(used + strlen(text) + 1 < size);
    memcpy(out + used, text, strlen(text) + 1);
}

/* A register of the type's size. */
static const char *register_for(enum ptx_type type)
{
    if (type == T_PRED)
        return "%p1";
    switch (ptx_type_bytes(type)) {
    case 0: return "%d1";
    case 1:
    case 2: return "%h1";
    case 4: return "%r1";
    case 8: return "%d1";
    default: return "%q1";
    }
}

static enum ptx_type operand_type_of(const struct opcode *o, char code)
{
    static const uint8_t wide[T_COUNT] = { [T_U16] = T_U32, [T_S16] = T_S32, [T_U32] = T_U64, [T_S32] = T_S64 };
    if (code >= '0' && code <= '3')
        return o->type[code - '0'];
    return code == 'w' ? wide[o->type[0]] : code == 'p' ? T_PRED : code == 'u' ? T_B32 : code == 'l' ? T_B64 : T_NONE;
}

static void put_vector(char *out, size_t size, const char *element, uint32_t count)
{
    put(out, size, "{");
    for (uint32_t i = 0; i < count; i++) {
        put(out, size, i ? ", " : "");
        put(out, size, element);
    }
    put(out, size, "}");
}

static const char *address_for(const struct opcode *o)
{
    if (o->mod.space == SPACE_PARAM)
        return ptx_forms[o->form].op == OP_ST ? "[lp]" : "[a]";
    return "[%d2+8]";
}

/* Registers of wmma fragments, as ptxas wants them. */
static uint32_t fragment_length(const struct opcode *o, uint32_t place)
{
    if (ptx_forms[o->form].op == OP_LDMATRIX || ptx_forms[o->form].op == OP_STMATRIX)
        return o->mod.vector;
    if (ptx_forms[o->form].op == OP_MMA) /* m16n8k8 of halves */
        return place == 1 ? 2 : place == 2 ? 1 : 4;
    bool is_mma = o->mod.mode == WMMA_MMA;
    uint8_t type = !is_mma ? o->type[0] : o->type[2] ? o->type[place] : (uint8_t[]){ o->type[0], T_F16, T_F16, o->type[1] }[place];
    bool factor = is_mma ? place == 1 || place == 2 : o->mod.mode <= WMMA_LOAD_B;
    bool is_a = is_mma ? place == 1 : o->mod.mode == WMMA_LOAD_A;
    if (type == T_U8 || type == T_S8)
        return o->mod.shape == WMMA_M32N8K16 ? (is_a ? 4 : 1) : o->mod.shape == WMMA_M8N32K16 ? (is_a ? 1 : 4) : 2;
    return type == T_F16 && !factor ? 4 : 8;
}

/* Four coordinates fit every geometry. */
static const char *coordinates = "{%r1, %r2, %r3, %r4}";

static void put_operand(char *out, size_t size, const struct opcode *o, char kind, char code, uint32_t place)
{
    const char *reg = register_for(operand_type_of(o, code));
    switch (kind) {
    case 'v':
    case 'V':
        if (o->mod.vector > 1)
            put_vector(out, size, reg, o->mod.vector);
        else
            put(out, size, reg);
        break;
    case 'f':
    case 'F': put_vector(out, size, "%r1", fragment_length(o, place)); break;
    case 'b':
    case 'R': put(out, size, "%p2"); break;
    case 'i': put(out, size, ptx_forms[o->form].op == OP_CP ? "16" : "128"); break;
    case 'Q': put(out, size, "%r1"); break;
    case 'm': put(out, size, address_for(o)); break;
    case 'x':
        put(out, size, "[tex0, ");
        put(out, size, coordinates);
        put(out, size, "]");
        break;
    case 'y':
        put(out, size, "[surf0, ");
        put(out, size, coordinates);
        put(out, size, "]");
        break;
    case 'r': put(out, size, "[tex0]"); break;
    case 'c': put(out, size, coordinates); break;
    case 'l': put(out, size, "L"); break;
    case 't': put(out, size, "T"); break;
    case 'C': put(out, size, "f"); break;
    case 'M':
        put(out, size, reg);
        put(out, size, ", ");
        put(out, size, reg);
        break;
    case 'E': put(out, size, "_|%p1"); break;
    case 'e':
        put(out, size, reg);
        put(out, size, code == 'p' ? "" : "|%p1");
        break;
    default: put(out, size, reg);
    }
}

static void build_instruction(char *out, size_t size, const struct opcode *o, const char *text, bool with_optional)
{
    out[0] = '\0';
    put(out, size, text);
    const char *separator = " ";
    bool optional = false;
    uint32_t place = 0;
    for (const char *s = ptx_forms[o->form].operands; *s; s += 2) {
        optional |= *s == '?';
        s += *s == '?';
        if (s[0] == 'k' ? !o->has_cache_hint : optional && !with_optional)
            continue;
        put(out, size, separator);
        put_operand(out, size, o, s[0], s[1], place++);
        separator = ", ";
    }
    put(out, size, ";");
}

/* A module whose kernel `k` consists of this instruction and ret. */
static void build_module(char *out, size_t size, const struct opcode *o, const char *text, bool with_optional)
{
    char instruction[512];
    build_instruction(instruction, sizeof instruction, o, text, with_optional);
    (void)snprintf(out, size,
                   PTX_HEAD ".func f;\n.global .texref tex0;\n.global .surfref surf0;\n.visible .entry k(.param .u64 a)\n{\n"
                            ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .b128 %%q<3>;\n"
                            ".param .b64 lp;\nT: .branchtargets L, L;\nL: %s\nret;\n}\n",
                   instruction);
}
#endif
