/* ptx.h - a PTX module after parsing and checking: names resolved, types known, control flow analysed.
 *
 * ptx_parse makes it from text or refuses it with file:line:column. Nothing here depends on a launch. src/exec executes it.
 * Classes and registers for the timing model are in each kernel's `struct inst` table. */
#ifndef WARPLINE_PTX_PTX_H
#define WARPLINE_PTX_PTX_H
#include <stddef.h>
#include "base/error.h"
#include "front/inst.h"
#include "ptx/ptx_modes.h"

enum ptx_type {
    T_NONE,
    T_PRED,
    T_B8,
    T_B16,
    T_B32,
    T_B64,
    T_B128,
    T_U8,
    T_U16,
    T_U32,
    T_U64,
    T_S8,
    T_S16,
    T_S32,
    T_S64,
    T_F16,
    T_F16X2,
    T_BF16,
    T_BF16X2,
    T_TF32,
    T_F32,
    T_F64,
    T_TEXREF,
    T_SAMPLERREF,
    T_SURFREF,
    T_U16X2,
    T_S16X2,
    T_F32X2,
    T_E4M3X2,
    T_E5M2X2,
    T_COUNT
};
uint32_t ptx_type_bytes(enum ptx_type type); /* 0 for T_NONE; 1 for predicates */

/* One entry per mnemonic root (add, ld, setp, ...), made from the instruction table src/ptx/instructions.def. */
enum ptx_op {
#define PTX_OP(id, text) OP_##id,
#include "ptx/opcodes.def"
#undef PTX_OP
    OP_COUNT
};

/* Special registers, from src/ptx/sreg.def. */
enum ptx_sreg {
#define PTX_SREG(id, text, type) SREG_##id,
#include "ptx/sreg.def"
#undef PTX_SREG
    SREG_COUNT
};
extern const char *const ptx_op_names[OP_COUNT];     /* "add" */
extern const char *const ptx_sreg_names[SREG_COUNT]; /* "%tid.x" */
extern const uint8_t ptx_tiles[][3];                 /* m, n, k of enum ptx_wmma_shape */
extern const uint8_t ptx_sreg_types[SREG_COUNT];     /* enum ptx_type */

enum ptx_rounding { ROUND_NONE, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI, ROUND_RNA };
enum ptx_compare {
    CMP_NONE,
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_LO,
    CMP_LS,
    CMP_HI,
    CMP_HS,
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN
};
enum ptx_boolean { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR, BOOL_POPC };
enum ptx_part { PART_NONE, PART_LO, PART_HI, PART_WIDE };
enum ptx_atomic {
    ATOMIC_NONE,
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS
};
/* shfl up/down/bfly/idx, vote all/any/uni/ballot, match any/all, shf l/r clamp/wrap, prmt modes, bar sync/arrive/red...:
 * a small integer whose meaning belongs to the opcode; the enumerators stand beside it in ptx_modes.h. */

struct ptx_modifiers {
    uint8_t rounding, compare, boolean, part, atomic; /* the enums above; 0 none */
    uint8_t mode, mode2, shape;                       /* see ptx_modes.h */
    uint8_t space;            /* enum mem_space of .global, .shared...; SPACE_GENERIC when a memory instruction names none */
    uint8_t cache_op;         /* enum cache_operator */
    uint8_t vector;           /* 1, 2, 4, 8 */
    uint8_t scope, semantics; /* cta, cluster, gpu, sys; relaxed, acquire...: kept, all are sequentially consistent here */
    bool ftz, saturate, approx, full, carry_out /* .cc */, uniform /* .uni */, sync, to_space /* cvta.to */, shiftamt, is_volatile;
    bool nan /* min/max.NaN */, xorsign, noftz, relu;
};

enum ptx_operand_kind {
    OPERAND_NONE,
    OPERAND_REG,
    OPERAND_IMM,
    OPERAND_SREG,           /* index: enum ptx_sreg */
    OPERAND_VECTOR,         /* `count` elements from fn->elements[index] on */
    OPERAND_SYMBOL,         /* address of variable `index` + offset (mov, call parameters, initialisers) */
    OPERAND_ADDRESS,        /* [reg + offset] */
    OPERAND_SYMBOL_ADDRESS, /* [symbol + offset] */
    OPERAND_ABSOLUTE,       /* [imm] : offset */
    OPERAND_LABEL,          /* index of the instruction it names */
    OPERAND_FUNCTION,       /* index into module->functions */
    OPERAND_TABLE,          /* brx.idx targets or call prototypes: index into fn->tables */
    OPERAND_SINK            /* '_' */
};
struct ptx_operand {
    uint8_t kind, count;
    bool negated;   /* !p */
    uint8_t select; /* video operands: enum ptx_select; else 0 */
    uint32_t index;
    int64_t offset;
    uint64_t bits; /* IMM: the bits in the instruction's own type (an f32 immediate of an f32 instruction: 32 bits) */
};

enum { PTX_MAX_SRC = 6 };
struct ptx_inst {
    uint16_t op;     /* enum ptx_op */
    uint16_t form;   /* row of the instruction table */
    uint8_t type[4]; /* type suffixes in the order written; type[0] is the instruction's own */
    uint8_t ndst, nsrc;
    struct ptx_modifiers mod;
    int32_t guard; /* predicate register, -1 none */
    bool guard_negated;
    bool no_unroll;            /* `.pragma "nounroll"` stands before it */
    struct ptx_operand dst[2]; /* dst[1]: setp p|q, shfl d|p, match d|p */
    struct ptx_operand src[PTX_MAX_SRC];
    uint32_t line, column;             /* in the PTX text */
    uint32_t source_file, source_line; /* of the CUDA source, from .loc: index into source_files; line 0: not known */
    uint32_t reconverge; /* branches: index of the instruction where the paths meet again; PTX_END: at the function's end */
    bool early_end;      /* ... because some path in between leaves the function; every path that stays reaches it */
};
#define PTX_END UINT32_MAX

struct ptx_reg {
    const char *name;
    uint8_t type;                   /* enum ptx_type */
    bool begins_as_zero;            /* it may be read before it is written */
    uint32_t first_live, last_live; /* instructions between which it holds a value that may still be read */
};

struct ptx_init {            /* an address inside an initialiser: at `offset` of the variable, the address of `symbol` */
    uint32_t offset, symbol; /* symbol: a variable, or a function when is_function */
    int64_t addend;
    uint8_t bytes; /* of the address as stored: 8, or 4 with 32-bit addresses */
    bool is_function, generic;
};
struct ptx_variable {
    const char *name;
    uint8_t space, type; /* enum mem_space, enum ptx_type of the element */
    uint8_t linkage;     /* 0 none, 1 visible, 2 extern, 3 weak, 4 common */
    uint32_t align;
    uint64_t bytes; /* 0: extern .shared x[], sized by the launch */
    uint8_t *data;  /* initial contents, NULL: zeros */
    struct ptx_init *inits;
    uint32_t init_count;
    int32_t function; /* function it is local to, -1: module scope */
    uint64_t offset;  /* PARAM: in the function's parameter frame; LOCAL and static SHARED: within the frame; else 0.
                       * extern .shared: 0, it starts behind the launched kernel's static bytes */
    bool is_managed;  /* .attribute(.managed) */
};

struct ptx_function {
    const char *name;
    bool is_entry, is_defined, is_noreturn;
    uint8_t linkage;
    uint32_t *params, *returns; /* variables (PARAM space), or, for .func with register parameters, ~register */
    uint32_t param_count, return_count;
    uint32_t param_bytes;       /* size of the parameter block (entry), of parameters and return values (func) */
    uint32_t param_frame_bytes; /* the same, with the .param variables that the body declares for its own calls */
    struct ptx_inst *code;
    uint32_t code_count;
    struct ptx_reg *regs;
    uint32_t reg_count;
    struct ptx_operand *elements; /* of vector operands and argument lists */
    uint32_t element_count;
    struct ptx_table {
        uint32_t *targets; /* instructions (is_branch) or functions; NULL for a prototype */
        uint32_t count;
        bool is_prototype, is_branch;
        const char *name;
    } * tables;
    uint32_t table_count;
    uint32_t max_threads[3], required_threads[3], min_ctas, max_registers; /* directives; 0 not given */
    uint32_t cluster[3];                                                   /* .reqnctapercluster; 0 not given */
    uint32_t shared_bytes, local_bytes; /* static. shared: what a launch of this entry needs, with what its callees and
                                         * the module declare; local: the frame of one call, own */
    uint32_t register_estimate;         /* 32-bit registers per thread from liveness, with callees */
    bool uses_barriers, calls_unknown;
};

struct ptx_module {
    const char *file; /* for messages */
    uint32_t version_major, version_minor, target_sm, address_bits;
    struct ptx_function *functions;
    uint32_t function_count;
    struct ptx_variable *variables;
    uint32_t variable_count;
    struct ptx_alias {
        const char *name, *target;
    } * aliases;
    uint32_t alias_count;
    const char **source_files;
    uint32_t source_file_count;
    void *arena; /* owns everything above */
};

/* `text` need not be NUL-terminated and may be any bytes. Refuses what it does not know with file:line:column. */
struct ptx_module *ptx_parse(const char *file, const char *text, size_t length, struct error *err);
/* The same for a reader that understands 64-bit integer constants differently. */
typedef uint64_t ptx_integer(uint64_t written);
struct ptx_module *ptx_parse_as(const char *file, const char *text, size_t length, ptx_integer *integer, struct error *err);
void ptx_free(struct ptx_module *module);
/* NULL when there is none. */
const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
#endif
