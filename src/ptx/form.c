/* form.c - the instruction set as tables: which opcode takes which types, suffixes and operands. */
#include "ptx/form.h"

#include <string.h>

enum suffix_kind {
    KIND_RND,
    KIND_RNDI,
    KIND_RNA,
    KIND_FTZ,
    KIND_SAT,
    KIND_APPROX,
    KIND_FULL,
    KIND_CC,
    KIND_PART,
    KIND_WIDE,
    KIND_CMP,
    KIND_CMPU,
    KIND_CMPF,
    KIND_BOOL,
    KIND_POPC,
    KIND_UNI,
    KIND_SYNC,
    KIND_ALIGNED,
    KIND_TO,
    KIND_SHIFTAMT,
    KIND_VOLATILE,
    KIND_NAN,
    KIND_XORSIGN,
    KIND_ABS,
    KIND_NOFTZ,
    KIND_SPACE,
    KIND_CP_SHARED,
    KIND_CP_GLOBAL,
    KIND_CACHE,
    KIND_NC,
    KIND_VEC,
    KIND_SCOPE,
    KIND_SCOPE_OLD,
    KIND_CTA,
    KIND_SEM,
    KIND_MMIO,
    KIND_HINT,
    KIND_CACHE_HINT,
    KIND_FRACTIONAL,
    KIND_AADD,
    KIND_AMINMAX,
    KIND_AINCDEC,
    KIND_ALOGIC,
    KIND_AEXCH,
    KIND_ACAS,
    KIND_LEVEL,
    KIND_CP,
    KIND_CP_GROUP,
    KIND_CP_WAIT,
    KIND_CP_MBARRIER,
    KIND_CP_ARRIVE,
    KIND_NOINC,
    KIND_MBARRIER_INIT,
    KIND_MBARRIER_INVAL,
    KIND_MBARRIER_ARRIVE,
    KIND_MBARRIER_WAIT,
    KIND_MBARRIER_TRY,
    KIND_MBARRIER_TX,
    KIND_MBARRIER_COUNT,
    KIND_MBARRIER_HOW,
    KIND_PARITY,
    KIND_SHFL,
    KIND_VOTE,
    KIND_BALLOT,
    KIND_MATCH_ANY,
    KIND_MATCH_ALL,
    KIND_FUNNEL,
    KIND_CLAMP,
    KIND_CLAMP2,
    KIND_PRMT,
    KIND_BAR_SYNC,
    KIND_BAR_ARRIVE,
    KIND_BAR_RED,
    KIND_BAR_WARP,
    KIND_TESTP,
    KIND_VIDEO,
    KIND_SCALE,
    KIND_PLUS_ONE,
    KIND_PROXY,
    KIND_PROXY_KIND,
    KIND_GRIDDEP,
    KIND_IDX,
    KIND_MASK,
    KIND_PACK,
    KIND_WMMA_LOAD,
    KIND_WMMA_STORE,
    KIND_WMMA_MMA,
    KIND_MATRIX,
    KIND_MATRIX_D,
    KIND_LAYOUT,
    KIND_SATFINITE,
    KIND_TILE,
    KIND_GEOMETRY,
    KIND_TEX_LEVEL,
    KIND_TEX_GRAD,
    KIND_TEX_BASE,
    KIND_TLD4,
    KIND_RELU,
    KIND_MMA_TILE,
    KIND_M8N8,
    KIND_MATRICES,
    KIND_TRANSPOSED,
    KIND_SURF_CLAMP,
    KIND_SURF_BYTES,
    KIND_SURF_FORMAT,
    KIND_QUERY,
    KIND_COUNT
};
_Static_assert(KIND_COUNT <= 128, "suffix_kinds has 128 bits");

#define K(kind) ((suffix_kinds)1 << KIND_##kind)
#define M(type) (1u << T_##type)
#define TYPES(count, ...) .type_count = count, .types = { __VA_ARGS__ }
#define FORM(op_, types_, required_, optional_, operands_, class_, flags_)                                                         \
    { .op = OP_##op_,                                                                                                              \
      types_,                                                                                                                      \
      .required = required_,                                                                                                       \
      .optional = optional_,                                                                                                       \
      .operands = operands_,                                                                                                       \
      .class = CLASS_##class_,                                                                                                     \
      .flags = FORM_##flags_ },
const struct form ptx_forms[] = {
#include "ptx/instructions.def"
};
const uint32_t ptx_form_count = sizeof ptx_forms / sizeof *ptx_forms;

struct suffix {
    const char *word;
    uint8_t kind, value;
};
static const struct suffix suffixes[] = {
#define SUFFIX(word, kind, value) { word, KIND_##kind, value },
#include "ptx/suffixes.def"
#undef SUFFIX
};
enum { SUFFIX_COUNT = sizeof suffixes / sizeof *suffixes };

static const struct {
    const char *text;
    uint8_t type;
} type_names[] = {
#define TYPE(id, text) { text, T_##id },
#include "ptx/types.def"
#undef TYPE
};

static const struct {
    const char *mnemonic, *reason;
} refused[] = {
#define REFUSED(mnemonic, reason) { mnemonic, reason },
#include "ptx/refused.def"
#undef REFUSED
};

enum { CACHE_BUCKETS = 1024, MAX_WORDS = 20 };
struct opcode_cache {
    struct arena *arena;
    struct opcode *buckets[CACHE_BUCKETS];
};

struct opcode_cache *opcode_cache_new(struct arena *arena)
{
    struct opcode_cache *cache = arena_alloc(arena, 1, sizeof *cache);
    cache->arena = arena;
    return cache;
}

struct word {
    const char *text;
    uint32_t length;
};

static bool word_is(const struct word *word, const char *text)
{
    return strlen(text) == word->length && memcmp(word->text, text, word->length) == 0;
}

enum ptx_type ptx_type_named(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strlen(type_names[i].text) == length && memcmp(text, type_names[i].text, length) == 0)
            return type_names[i].type;
    return T_NONE;
}

/* Cuts `a.b.c` at its dots. 0: too many words. */
static uint32_t split_words(const char *text, uint32_t length, struct word words[MAX_WORDS])
{
    uint32_t count = 0, start = 0;
    for (uint32_t i = 0; i <= length; i++) {
        if (i < length && text[i] != '.')
            continue;
        if (count == MAX_WORDS)
            return 0;
        words[count++] = (struct word){ text + start, i - start };
        start = i + 1;
    }
    return count;
}

/* What a suffix does to the modifiers. */
static void apply_suffix(struct opcode *opcode, const struct suffix *suffix, uint32_t times_seen)
{
    struct ptx_modifiers *mod = &opcode->mod;
    uint8_t value = suffix->value;
    switch (suffix->kind) {
    case KIND_RND:
    case KIND_RNDI:
    case KIND_RNA: mod->rounding = value; break;
    case KIND_FTZ: mod->ftz = true; break;
    case KIND_SAT:
    case KIND_SATFINITE: mod->saturate = true; break;
    case KIND_APPROX: mod->approx = true; break;
    case KIND_FULL: mod->full = true; break;
    case KIND_CC: mod->carry_out = true; break;
    case KIND_PART:
    case KIND_WIDE: mod->part = value; break;
    case KIND_CMP:
    case KIND_CMPU:
    case KIND_CMPF: mod->compare = value; break;
    case KIND_BOOL:
    case KIND_POPC: mod->boolean = value; break;
    case KIND_UNI: mod->uniform = true; break;
    case KIND_SYNC: mod->sync = true; break;
    case KIND_TO: mod->to_space = true; break;
    case KIND_SHIFTAMT: mod->shiftamt = true; break;
    case KIND_VOLATILE:
        mod->is_volatile = true;
        mod->semantics = SEMANTICS_VOLATILE;
        break;
    case KIND_NAN: mod->nan = true; break;
    case KIND_XORSIGN: mod->xorsign = true; break;
    case KIND_NOFTZ: mod->noftz = true; break;
    case KIND_RELU: mod->relu = true; break;
    case KIND_SPACE: mod->space = value; break;
    case KIND_CACHE:
    case KIND_NC: mod->cache_op = value; break;
    case KIND_VEC:
    case KIND_MATRICES: mod->vector = value; break;
    case KIND_SCOPE:
    case KIND_SCOPE_OLD:
    case KIND_CTA: mod->scope = value; break;
    case KIND_SEM:
    case KIND_MMIO: mod->semantics = value; break;
    case KIND_CACHE_HINT: opcode->has_cache_hint = true; break;
    case KIND_AADD:
    case KIND_AMINMAX:
    case KIND_AINCDEC:
    case KIND_ALOGIC:
    case KIND_AEXCH:
    case KIND_ACAS: mod->atomic = value; break;
    case KIND_CLAMP2:
    case KIND_TRANSPOSED:
    case KIND_TEX_LEVEL:
    case KIND_TEX_GRAD:
    case KIND_TEX_BASE:
    case KIND_TLD4:
    case KIND_NOINC:
    case KIND_MBARRIER_HOW:
    case KIND_PARITY:
    case KIND_SURF_CLAMP: mod->mode2 = value; break;
    case KIND_SCALE:
    case KIND_PLUS_ONE: mod->mode2 = (uint8_t)(mod->mode2 | value); break;
    case KIND_LAYOUT: mod->mode2 = (uint8_t)(mod->mode2 | value << times_seen); break;
    case KIND_TILE:
    case KIND_MMA_TILE:
    case KIND_SURF_BYTES:
    case KIND_SURF_FORMAT: mod->shape = value; break;
    case KIND_LEVEL:
    case KIND_CP:
    case KIND_CP_GROUP:
    case KIND_CP_WAIT:
    case KIND_CP_ARRIVE:
    case KIND_MBARRIER_INIT:
    case KIND_MBARRIER_INVAL:
    case KIND_MBARRIER_ARRIVE:
    case KIND_MBARRIER_WAIT:
    case KIND_MBARRIER_TRY:
    case KIND_MBARRIER_TX:
    case KIND_MBARRIER_COUNT:
    case KIND_SHFL:
    case KIND_VOTE:
    case KIND_BALLOT:
    case KIND_MATCH_ANY:
    case KIND_MATCH_ALL:
    case KIND_FUNNEL:
    case KIND_CLAMP:
    case KIND_PRMT:
    case KIND_BAR_SYNC:
    case KIND_BAR_ARRIVE:
    case KIND_BAR_RED:
    case KIND_BAR_WARP:
    case KIND_TESTP:
    case KIND_VIDEO:
    case KIND_PROXY:
    case KIND_GRIDDEP:
    case KIND_WMMA_MMA:
    case KIND_MATRIX:
    case KIND_MATRIX_D:
    case KIND_GEOMETRY:
    case KIND_QUERY: mod->mode = value; break;
    default: break; /* accepted and without meaning here: aligned, abs (with xorsign), hints, proxies, load/store of wmma */
    }
}

static const struct suffix *find_suffix(const struct word *word, suffix_kinds accepted)
{
    for (uint32_t i = 0; i < SUFFIX_COUNT; i++)
        if (accepted >> suffixes[i].kind & 1 && word_is(word, suffixes[i].word))
            return &suffixes[i];
    return NULL;
}

/* Comparison operators that the type does not have: unsigned ones of integers, unordered ones of floats; bits: eq and ne. */
static bool compare_fits(uint8_t compare, uint8_t type)
{
    bool is_float = type >= T_F16 && type <= T_F64;
    bool is_bits = type >= T_B8 && type <= T_B128;
    if (compare >= CMP_EQU)
        return is_float;
    if (compare >= CMP_LO)
        return type >= T_U8 && type <= T_U64;
    return compare != CMP_NONE && (!is_bits || compare == CMP_EQ || compare == CMP_NE);
}

static bool match_form(const struct form *form, const struct word *words, uint32_t count, struct opcode *opcode)
{
    static const suffix_kinds repeatable = K(LAYOUT) | K(HINT);
    suffix_kinds seen = 0;
    uint32_t types = 0, layouts = 0;
    memset(&opcode->mod, 0, sizeof opcode->mod);
    memset(opcode->type, 0, sizeof opcode->type);
    opcode->has_cache_hint = false;
    for (uint32_t i = 1; i < count; i++) {
        enum ptx_type type = ptx_type_named(words[i].text, words[i].length);
        if (type != T_NONE) {
            if (types == form->type_count || !(form->types[types] >> type & 1))
                return false;
            opcode->type[types++] = (uint8_t)type;
            continue;
        }
        const struct suffix *suffix = find_suffix(&words[i], (form->required | form->optional) & ~(seen & ~repeatable));
        if (!suffix)
            return false;
        apply_suffix(opcode, suffix, layouts);
        layouts += suffix->kind == KIND_LAYOUT;
        seen |= (suffix_kinds)1 << suffix->kind;
    }
    if (types != form->type_count || (form->required & ~seen))
        return false;
    if (form->flags & FORM_CMP && !compare_fits(opcode->mod.compare, opcode->type[form->type_count - 1]))
        return false;
    return true;
}

/* The space of memory instructions that name none, and the vector length, which is at least 1. */
static void fill_defaults(struct opcode *opcode)
{
    const struct form *form = &ptx_forms[opcode->form];
    bool memory = form->class == CLASS_LOAD || form->class == CLASS_STORE || form->class == CLASS_ATOMIC;
    if (memory && opcode->mod.space == SPACE_NONE)
        opcode->mod.space = SPACE_GENERIC;
    if (form->op == OP_TEX || form->op == OP_TLD4 || form->op == OP_SULD || form->op == OP_SUST || form->op == OP_SURED)
        opcode->mod.space = SPACE_TEXTURE;
    if (opcode->mod.vector == 0)
        opcode->mod.vector = 1;
    if (opcode->mod.is_volatile && opcode->mod.cache_op == CACHE_DEFAULT)
        opcode->mod.cache_op = CACHE_VOLATILE;
}

static const char *why_not(const struct word *mnemonic)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (word_is(mnemonic, refused[i].mnemonic))
            return refused[i].reason;
    for (uint32_t i = 0; i < OP_COUNT; i++)
        if (word_is(mnemonic, ptx_op_names[i]))
            return "this form of the instruction is not supported";
    return "there is no such instruction";
}

static bool resolve(struct opcode *opcode, const char **reason)
{
    struct word words[MAX_WORDS];
    uint32_t count = split_words(opcode->text, opcode->length, words);
    if (count == 0) {
        *reason = "this has too many suffixes";
        return false;
    }
    for (uint32_t i = 0; i < ptx_form_count; i++) {
        if (!word_is(&words[0], ptx_op_names[ptx_forms[i].op]) || !match_form(&ptx_forms[i], words, count, opcode))
            continue;
        opcode->form = (uint16_t)i;
        fill_defaults(opcode);
        return true;
    }
    *reason = why_not(&words[0]);
    return false;
}

const struct opcode *opcode_find(struct opcode_cache *cache, const char *text, uint32_t length, const char **reason)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    struct opcode **bucket = &cache->buckets[hash % CACHE_BUCKETS];
    for (struct opcode *o = *bucket; o; o = o->next)
        if (o->hash == hash && o->length == length && memcmp(o->text, text, length) == 0)
            return o;
    struct opcode opcode = { .text = text, .length = length, .hash = hash };
    if (!resolve(&opcode, reason))
        return NULL;
    opcode.text = arena_copy_text(cache->arena, text, length);
    opcode.next = *bucket;
    return *bucket = arena_copy(cache->arena, &opcode, sizeof opcode);
}
