/* x86_inst.c - what an x86-64 instruction reads and writes, by capstone, in the numbers that ChampSim's tools use.
 *
 * Branches follow ChampSim's rules, from which its readers tell their kinds: a call reads and writes the stack pointer and the
 * instruction pointer, a return does not read the latter, a conditional jump reads flags, an indirect one another register. A
 * register cleared with itself depends on nothing. */
#include "run/qemu/x86_inst.h"

#include <capstone/capstone.h>
#include <string.h>

enum { REG_RCX = 9, REG_OTHER = 27, REG_FPSW = 28, REG_X87 = 40, REG_MASK = 48, REG_VECTOR = 64 };

struct x86_decoder {
    csh handle;
    cs_insn *insn;
};

struct x86_decoder *x86_decoder_new(void)
{
    struct x86_decoder *d = must_calloc(1, sizeof *d);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle) != CS_ERR_OK || cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
        return NULL;
    d->insn = cs_malloc(d->handle);
    return d->insn ? d : NULL;
}

static uint8_t general_register(uint32_t r)
{
#define FAMILY(number, a, b, c, d)                                                                                                 \
    case X86_REG_##a:                                                                                                              \
    case X86_REG_##b:                                                                                                              \
    case X86_REG_##c:                                                                                                              \
    case X86_REG_##d: return number;
    switch (r) {
        FAMILY(3, RDI, EDI, DI, DIL)
        FAMILY(4, RSI, ESI, SI, SIL)
        FAMILY(5, RBP, EBP, BP, BPL)
        FAMILY(CPU_REG_SP, RSP, ESP, SP, SPL)
        FAMILY(7, RBX, EBX, BX, BL)
        FAMILY(8, RDX, EDX, DX, DL)
        FAMILY(REG_RCX, RCX, ECX, CX, CL)
        FAMILY(10, RAX, EAX, AX, AL)
        FAMILY(11, R8, R8D, R8W, R8B)
        FAMILY(12, R9, R9D, R9W, R9B)
        FAMILY(13, R10, R10D, R10W, R10B)
        FAMILY(14, R11, R11D, R11W, R11B)
        FAMILY(15, R12, R12D, R12W, R12B)
        FAMILY(16, R13, R13D, R13W, R13B)
        FAMILY(17, R14, R14D, R14W, R14B)
        FAMILY(18, R15, R15D, R15W, R15B)
    case X86_REG_BH: return 7;
    case X86_REG_DH: return 8;
    case X86_REG_CH: return REG_RCX;
    case X86_REG_AH: return 10;
    case X86_REG_EFLAGS: return CPU_REG_FLAGS;
    case X86_REG_FPSW: return REG_FPSW;
    default: return 0;
    }
#undef FAMILY
}

/* 0: a register that nobody waits for (segments, the instruction pointer). */
static uint8_t register_number(uint32_t r)
{
    static const struct {
        uint32_t first, last;
        uint8_t number;
    } ranges[] = {
        { X86_REG_XMM0, X86_REG_XMM31, REG_VECTOR }, { X86_REG_YMM0, X86_REG_YMM31, REG_VECTOR },
        { X86_REG_ZMM0, X86_REG_ZMM31, REG_VECTOR }, { X86_REG_ST0, X86_REG_ST7, REG_X87 },
        { X86_REG_MM0, X86_REG_MM7, REG_X87 },       { X86_REG_K0, X86_REG_K7, REG_MASK },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (r >= ranges[i].first && r <= ranges[i].last)
            return (uint8_t)(ranges[i].number + r - ranges[i].first);
    return general_register(r);
}

static void add_register(uint8_t *list, uint32_t room, uint8_t r)
{
    for (uint32_t i = 0; r && i < room && list[i] != r; i++)
        if (!list[i]) {
            list[i] = r;
            return;
        }
}

static bool in_group(const cs_insn *insn, uint8_t group)
{
    return memchr(insn->detail->groups, group, insn->detail->groups_count) != NULL;
}

static bool counts_down(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
    case X86_INS_JRCXZ:
    case X86_INS_JECXZ: return true;
    default: return false;
    }
}

static bool is_repeated(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_MOVSB:
    case X86_INS_MOVSW:
    case X86_INS_MOVSD:
    case X86_INS_MOVSQ:
    case X86_INS_STOSB:
    case X86_INS_STOSW:
    case X86_INS_STOSD:
    case X86_INS_STOSQ:
    case X86_INS_CMPSB:
    case X86_INS_CMPSW:
    case X86_INS_CMPSD:
    case X86_INS_CMPSQ:
    case X86_INS_SCASB:
    case X86_INS_SCASW:
    case X86_INS_SCASD:
    case X86_INS_SCASQ:
    case X86_INS_LODSB:
    case X86_INS_LODSW:
    case X86_INS_LODSD:
    case X86_INS_LODSQ: return insn->detail->x86.prefix[0] == 0xf3 || insn->detail->x86.prefix[0] == 0xf2;
    default: return false;
    }
}

/* x ^ x and x - x are 0 whatever x is. */
static bool clears_itself(const cs_insn *insn)
{
    const cs_x86 *x = &insn->detail->x86;
    const uint8_t n = x->op_count;
    switch (insn->id) {
    case X86_INS_XOR:
    case X86_INS_SUB:
    case X86_INS_PXOR:
    case X86_INS_XORPS:
    case X86_INS_XORPD:
    case X86_INS_VPXOR:
    case X86_INS_VXORPS:
    case X86_INS_VXORPD:
        return n >= 2 && x->operands[n - 1].type == X86_OP_REG && x->operands[n - 2].type == X86_OP_REG &&
               x->operands[n - 1].reg == x->operands[n - 2].reg;
    default: return false;
    }
}

/* By the name, since capstone has no class for it. */
static enum cpu_class class_of(const cs_insn *insn)
{
    const char *name = insn->mnemonic + (insn->mnemonic[0] == 'v');
    if (insn->id == X86_INS_DIV || insn->id == X86_INS_IDIV)
        return CPU_DIVIDE;
    if (insn->id == X86_INS_MUL || insn->id == X86_INS_IMUL || insn->id == X86_INS_MULX || strncmp(name, "pmul", 4) == 0)
        return CPU_MULTIPLY;
    static const char *const divides[] = { "div", "sqrt", "fdiv", "fsqrt", "fsin", "fcos", "fpatan", "fprem", NULL };
    static const char *const floats[] = { "add",  "sub",   "mul",  "fm",   "fnm", "cvt",   "min",    "max",
                                          "hadd", "round", "fadd", "fsub", "cmp", "comis", "ucomis", NULL };
    for (size_t i = 0; divides[i]; i++)
        if (strncmp(name, divides[i], strlen(divides[i])) == 0)
            return CPU_FLOAT_DIVIDE;
    const size_t length = strcspn(name, " "); /* of floating point, they end in ss, sd, ps, pd or begin with f */
    const char last = length ? name[length - 1] : 0, before = length > 1 ? name[length - 2] : 0;
    const bool floating =
        (name[0] == 'f' && insn->id != X86_INS_FXSAVE) || ((before == 's' || before == 'p') && (last == 's' || last == 'd'));
    for (size_t i = 0; floating && floats[i]; i++)
        if (strncmp(name, floats[i], strlen(floats[i])) == 0)
            return CPU_FLOAT;
    return CPU_ALU;
}

static void decode_branch(struct x86_decoder *d, bool call, bool ret, struct cpu_inst *out)
{
    const cs_insn *insn = d->insn;
    const cs_x86 *x = &insn->detail->x86;
    out->kind = CPU_BRANCH;
    if (call || ret) {
        out->dest[0] = out->source[0] = CPU_REG_SP;
        out->dest[1] = CPU_REG_IP;
        out->source[1] = call ? CPU_REG_IP : 0;
    } else {
        out->dest[0] = CPU_REG_IP;
        if (counts_down(insn)) {
            out->source[0] = CPU_REG_IP;
            out->source[1] = REG_RCX;
        } else if (insn->id != X86_INS_JMP) {
            out->source[0] = CPU_REG_IP;
            out->source[1] = CPU_REG_FLAGS;
        }
    }
    const bool direct = x->op_count == 0 || x->operands[0].type == X86_OP_IMM;
    if (ret || (!call && insn->id != X86_INS_JMP))
        return;
    if (direct) {
        out->source[0] = call ? CPU_REG_SP : CPU_REG_IP;
        return;
    }
    cs_regs read, written;
    uint8_t reads = 0, writes = 0, found = 0;
    if (cs_regs_access(d->handle, insn, read, &reads, written, &writes) == CS_ERR_OK)
        for (uint8_t i = 0; i < reads; i++) {
            const uint8_t r = register_number(read[i]);
            if (r && r != CPU_REG_SP && r != CPU_REG_FLAGS) {
                add_register(out->source, 4, r);
                found++;
            }
        }
    if (!found)
        add_register(out->source, 4, REG_OTHER);
}

static void decode_plain(struct x86_decoder *d, struct cpu_inst *out)
{
    const cs_insn *insn = d->insn;
    cs_regs read, written;
    uint8_t reads = 0, writes = 0;
    out->kind = (uint8_t)(class_of(insn) << CPU_CLASS_SHIFT);
    if (insn->id == X86_INS_NOP || insn->id == X86_INS_ENDBR64 ||
        cs_regs_access(d->handle, insn, read, &reads, written, &writes) != CS_ERR_OK)
        return;
    const bool free_of_sources = clears_itself(insn);
    for (uint32_t flags = 0; flags < 2; flags++) { /* flags last: they are dropped first when a list is full */
        for (uint8_t i = 0; i < reads && !free_of_sources; i++) {
            const uint8_t r = register_number(read[i]);
            if ((r == CPU_REG_FLAGS || r == REG_FPSW) == flags)
                add_register(out->source, 4, r);
        }
        for (uint8_t i = 0; i < writes; i++) {
            const uint8_t r = register_number(written[i]);
            if ((r == CPU_REG_FLAGS || r == REG_FPSW) == flags)
                add_register(out->dest, 2, r);
        }
    }
}

void x86_decode(struct x86_decoder *d, uint64_t pc, const uint8_t *code, size_t bytes, struct cpu_inst *out, bool *repeats)
{
    uint64_t address = pc;
    *out = (struct cpu_inst){ .pc = pc };
    *repeats = false;
    if (!cs_disasm_iter(d->handle, &code, &bytes, &address, d->insn)) {
        out->dest[0] = REG_OTHER; /* newer than capstone */
        return;
    }
    const bool call = in_group(d->insn, X86_GRP_CALL), ret = in_group(d->insn, X86_GRP_RET);
    const bool jump = in_group(d->insn, X86_GRP_JUMP) || counts_down(d->insn);
    *repeats = is_repeated(d->insn);
    if ((call || ret || jump) && d->insn->id != X86_INS_SYSCALL && d->insn->id != X86_INS_XBEGIN)
        decode_branch(d, call, ret, out);
    else
        decode_plain(d, out);
}
