/* random_ptx.c - small valid PTX programs made from a seed; random_ptx.h says what they compute. */
#include "random_ptx.h"

#include <stdarg.h>
#include <stdio.h>
#include "base/prng.h"

struct writer {
    struct prng prng;
    char *text;
    size_t used, size;
    unsigned labels, counters; /* names already taken */
    bool in_function;
};

enum { REGS = 8, FLOATS = 4, WIDES = 4, PREDS = 4, MAX_COUNTERS = 64 };

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(w->text + w->used, w->size - w->used, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < w->size - w->used)
        w->used += (size_t)n;
}

static unsigned pick(struct writer *w, unsigned bound)
{
    return (unsigned)prng_below(&w->prng, bound);
}

static void guard(struct writer *w)
{
    if (pick(w, 5) == 0)
        put(w, "@%s%%p%u ", pick(w, 2) ? "!" : "", pick(w, PREDS));
}

static void integer_operation(struct writer *w)
{
    static const char *const binary[] = { "add.s32", "sub.s32",    "mul.lo.s32", "and.b32", "or.b32",  "xor.b32", "min.s32",
                                          "max.u32", "mul.hi.u32", "div.u32",    "rem.s32", "shl.b32", "shr.u32", "shr.s32" };
    guard(w);
    switch (pick(w, 6)) {
    case 0: put(w, "mad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", pick(w, REGS), pick(w, REGS), pick(w, REGS), pick(w, REGS)); break;
    case 1: put(w, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", pick(w, REGS), pick(w, REGS), pick(w, REGS), pick(w, PREDS)); break;
    case 2: put(w, "%s %%r%u, %%r%u, %u;\n", binary[pick(w, 14)], pick(w, REGS), pick(w, REGS), pick(w, 40)); break;
    case 3: put(w, "%s %%r%u, %%r%u;\n", pick(w, 2) ? "popc.b32" : "brev.b32", pick(w, REGS), pick(w, REGS)); break;
    default: put(w, "%s %%r%u, %%r%u, %%r%u;\n", binary[pick(w, 14)], pick(w, REGS), pick(w, REGS), pick(w, REGS)); break;
    }
}

static void float_operation(struct writer *w)
{
    static const char *const binary[] = { "add.f32", "sub.f32",    "mul.f32",    "min.f32",
                                          "max.f32", "div.rn.f32", "add.rz.f32", "mul.ftz.f32" };
    guard(w);
    switch (pick(w, 5)) {
    case 0:
        put(w, "fma.rn.f32 %%f%u, %%f%u, %%f%u, %%f%u;\n", pick(w, FLOATS), pick(w, FLOATS), pick(w, FLOATS), pick(w, FLOATS));
        break;
    case 1: put(w, "cvt.rn.f32.s32 %%f%u, %%r%u;\n", pick(w, FLOATS), pick(w, REGS)); break;
    case 2: put(w, "cvt.rzi.s32.f32 %%r%u, %%f%u;\n", pick(w, REGS), pick(w, FLOATS)); break;
    default: put(w, "%s %%f%u, %%f%u, %%f%u;\n", binary[pick(w, 8)], pick(w, FLOATS), pick(w, FLOATS), pick(w, FLOATS)); break;
    }
}

static void wide_operation(struct writer *w)
{
    guard(w);
    switch (pick(w, 5)) {
    case 0: put(w, "mul.wide.s32 %%q%u, %%r%u, %%r%u;\n", pick(w, WIDES), pick(w, REGS), pick(w, REGS)); break;
    case 1: put(w, "cvt.u32.u64 %%r%u, %%q%u;\n", pick(w, REGS), pick(w, WIDES)); break;
    case 2: put(w, "shr.u64 %%q%u, %%q%u, %u;\n", pick(w, WIDES), pick(w, WIDES), pick(w, 70)); break;
    case 3: put(w, "mov.b64 {%%r%u, %%r%u}, %%q%u;\n", pick(w, REGS / 2), REGS / 2 + pick(w, REGS / 2), pick(w, WIDES)); break;
    default:
        put(w, "%s %%q%u, %%q%u, %%q%u;\n", pick(w, 2) ? "add.s64" : "xor.b64", pick(w, WIDES), pick(w, WIDES), pick(w, WIDES));
        break;
    }
}

static void comparison(struct writer *w)
{
    static const char *const kinds[] = { "eq.s32", "ne.s32", "lt.s32", "ge.u32", "gt.s32", "le.u32" };
    if (pick(w, 4) == 0)
        put(w, "setp.%s.f32 %%p%u, %%f%u, %%f%u;\n", pick(w, 2) ? "lt" : "geu", pick(w, PREDS), pick(w, FLOATS), pick(w, FLOATS));
    else if (pick(w, 2))
        put(w, "setp.%s %%p%u, %%r%u, %%r%u;\n", kinds[pick(w, 6)], pick(w, PREDS), pick(w, REGS), pick(w, REGS));
    else /* a few low bits: lanes differ often */
        put(w, "and.b32 %%t, %%r%u, %u;\nsetp.%s %%p%u, %%t, %u;\n", pick(w, REGS), 1u << pick(w, 3), kinds[pick(w, 2)],
            pick(w, PREDS), 0u);
}

static void load(struct writer *w)
{
    if (w->in_function)
        return;
    put(w, "rem.u32 %%t, %%r%u, %%n;\nmul.wide.u32 %%a, %%t, 4;\nadd.s64 %%a, %%a, %%in;\n", pick(w, REGS));
    guard(w);
    if (pick(w, 3) == 0)
        put(w, "ld.global.s8 %%r%u, [%%a+1];\n", pick(w, REGS));
    else
        put(w, "ld.global.u32 %%r%u, [%%a];\n", pick(w, REGS));
}

static void simple(struct writer *w)
{
    switch (pick(w, 10)) {
    case 0:
    case 1:
    case 2: integer_operation(w); break;
    case 3:
    case 4: float_operation(w); break;
    case 5: wide_operation(w); break;
    case 6:
    case 7: load(w); break;
    default: comparison(w); break;
    }
}

static void statements(struct writer *w, unsigned count, unsigned depth, unsigned break_label);

static void branch_statement(struct writer *w, unsigned depth, unsigned break_label)
{
    unsigned label = w->labels++;
    comparison(w);
    put(w, "@%s%%p%u bra E%u;\n", pick(w, 2) ? "!" : "", pick(w, PREDS), label);
    statements(w, 1 + pick(w, 4), depth - 1, break_label);
    if (pick(w, 2)) {
        put(w, "bra F%u;\nE%u:\n", label, label);
        statements(w, 1 + pick(w, 4), depth - 1, break_label);
        put(w, "F%u:\n", label);
    } else {
        put(w, "E%u:\n", label);
    }
}

/* At most eight turns; the number may differ by lane. A break leaves from inside. */
static void loop_statement(struct writer *w, unsigned depth)
{
    unsigned label = w->labels++, counter = w->counters++;
    if (counter >= MAX_COUNTERS)
        return;
    put(w, "and.b32 %%c%u, %%r%u, 7;\nL%u:\n", counter, pick(w, REGS), label);
    statements(w, 1 + pick(w, 4), depth - 1, label + 1);
    put(w, "sub.s32 %%c%u, %%c%u, 1;\nsetp.gt.s32 %%k, %%c%u, 0;\n@%%k bra L%u;\nB%u:\n", counter, counter, counter, label, label);
}

static void switch_statement(struct writer *w, unsigned depth, unsigned break_label)
{
    unsigned label = w->labels++;
    put(w, "and.b32 %%t, %%r%u, 3;\nT%u: .branchtargets S%ua, S%ub, S%uc, S%ub;\nbrx.idx %%t, T%u;\n", pick(w, REGS), label, label,
        label, label, label, label);
    for (char c = 'a'; c <= 'c'; c++) {
        put(w, "S%u%c:\n", label, c);
        statements(w, 1 + pick(w, 2), depth - 1, break_label);
        put(w, "bra X%u;\n", label);
    }
    put(w, "X%u:\n", label);
}

static void call_statement(struct writer *w)
{
    if (w->in_function)
        return;
    put(w,
        "{ .param .b32 x; .param .b32 y; .param .b32 z; st.param.b32 [x], %%r%u;\nst.param.b32 [y], %%r%u;\ncall (z), f, (x, "
        "y);\nld.param.b32 %%r%u, [z]; }\n",
        pick(w, REGS), pick(w, REGS), pick(w, REGS));
}

static void statements(struct writer *w, unsigned count, unsigned depth, unsigned break_label)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = depth ? pick(w, 12) : 11;
        if (kind < 2)
            branch_statement(w, depth, break_label);
        else if (kind == 2)
            loop_statement(w, depth);
        else if (kind == 3)
            switch_statement(w, depth, break_label);
        else if (kind == 4)
            call_statement(w);
        else if (kind == 5 && break_label)
            put(w, "@%%p%u bra B%u;\n", pick(w, PREDS), break_label - 1);
        else
            simple(w);
    }
}

static void registers(struct writer *w)
{
    put(w,
        ".reg .pred %%p<%u>, %%k;\n.reg .b32 %%r<%u>, %%t, %%i, %%n, %%c<%u>;\n.reg .f32 %%f<%u>;\n.reg .b64 %%q<%u>, %%a, %%in, "
        "%%out;\n",
        PREDS, REGS, MAX_COUNTERS, FLOATS, WIDES);
}

static void function(struct writer *w)
{
    w->in_function = true;
    put(w, ".func (.param .b32 z) f(.param .b32 x, .param .b32 y)\n{\n");
    registers(w);
    put(w,
        "ld.param.b32 %%r0, [x];\nld.param.b32 %%r1, [y];\nsetp.lt.u32 %%p0, %%r0, %%r1;\nst.param.b32 [z], %%r1;\n@%%p0 ret;\n");
    statements(w, 3 + pick(w, 5), 2, 0);
    put(w, "st.param.b32 [z], %%r%u;\nret;\n}\n", pick(w, REGS));
    w->in_function = false;
}

/* A value from the next thread of the block, by way of shared memory. */
static void exchange(struct writer *w)
{
    put(w,
        "mov.u32 %%t, %%tid.x;\nmul.lo.u32 %%t, %%t, 4;\nmov.u32 %%n, s;\nadd.u32 %%n, %%n, %%t;\nst.shared.u32 [%%n], "
        "%%r%u;\nbar.sync 0;\n",
        pick(w, REGS));
    put(w,
        "xor.b32 %%t, %%t, 4;\nmov.u32 %%n, s;\nadd.u32 %%n, %%n, %%t;\nld.shared.u32 %%r%u, [%%n];\nbar.sync 0;\nld.param.u32 "
        "%%n, [N];\n",
        pick(w, REGS));
}

size_t random_ptx(uint64_t seed, bool with_barriers, char *text, size_t size)
{
    struct writer w = { .text = text, .size = size };
    prng_seed(&w.prng, seed);
    put(&w, ".version 7.8\n.target sm_80\n.address_size 64\n%s", with_barriers ? ".shared .align 4 .b8 s[4096];\n" : "");
    function(&w);
    put(&w, ".visible .entry k(.param .u64 OUT, .param .u64 IN, .param .u32 N)\n{\n");
    registers(&w);
    put(&w, "mov.u32 %%t, %%ctaid.x;\nmov.u32 %%n, %%ntid.x;\nmov.u32 %%i, %%tid.x;\nmad.lo.u32 %%i, %%t, %%n, %%i;\nld.param.u64 "
            "%%out, [OUT];\n"
            "ld.param.u64 %%in, [IN];\nld.param.u32 %%n, [N];\nmul.wide.u32 %%a, %%i, 16;\nadd.s64 %%out, %%out, %%a;\n");
    for (unsigned i = 0; i < REGS; i++)
        put(&w, "mad.lo.u32 %%r%u, %%i, %u, %u;\n", i, 1u + 2u * pick(&w, 1000), pick(&w, 100000));
    for (unsigned i = 0; i < FLOATS; i++)
        put(&w, "cvt.rn.f32.s32 %%f%u, %%r%u;\n", i, i);
    for (unsigned i = 0; i < WIDES; i++)
        put(&w, "cvt.s64.s32 %%q%u, %%r%u;\n", i, i);
    for (unsigned i = 0; i < PREDS; i++)
        put(&w, "setp.lt.s32 %%p%u, %%r%u, %u;\n", i, i, 1u << pick(&w, 16));
    for (unsigned part = 0; part < 1 + 2u * with_barriers; part++) {
        if (part)
            exchange(&w);
        statements(&w, 6 + pick(&w, 10), 3, 0);
    }
    if (!with_barriers && pick(&w, 3) == 0)
        put(&w, "@%%p0 bra OUT_;\n@%%p1 exit;\nOUT_:\n");
    put(&w, "cvt.u32.u64 %%t, %%q0;\nst.global.v4.u32 [%%out], {%%r0, %%r1, %%t, %%r2};\nmov.b32 %%t, %%f0;\n@%%p2 st.global.u32 "
            "[%%out+12], %%t;\nret;\n}\n");
    return w.used;
}
