/* The instruction table: every opcode form found in real programs parses with operands made to its row, and every row is
 * reached by an opcode made from it. */
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
    case 1: case 2: return "%h1";
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
    case 'v': case 'V':
        if (o->mod.vector > 1)
            put_vector(out, size, reg, o->mod.vector);
        else
            put(out, size, reg);
        break;
    case 'f': case 'F': put_vector(out, size, "%r1", fragment_length(o, place)); break;
    case 'b': case 'R': put(out, size, "%p2"); break;
    case 'i': put(out, size, ptx_forms[o->form].op == OP_CP ? "16" : "128"); break;
    case 'Q': put(out, size, "%r1"); break;
    case 'm': put(out, size, address_for(o)); break;
    case 'x': put(out, size, "[tex0, "); put(out, size, coordinates); put(out, size, "]"); break;
    case 'y': put(out, size, "[surf0, "); put(out, size, coordinates); put(out, size, "]"); break;
    case 'r': put(out, size, "[tex0]"); break;
    case 'c': put(out, size, coordinates); break;
    case 'l': put(out, size, "L"); break;
    case 't': put(out, size, "T"); break;
    case 'C': put(out, size, "f"); break;
    case 'M': put(out, size, reg); put(out, size, ", "); put(out, size, reg); break;
    case 'E': put(out, size, "_|%p1"); break;
    case 'e': put(out, size, reg); put(out, size, code == 'p' ? "" : "|%p1"); break;
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

static void parse_one(const char *opcode_text, const struct opcode *o, bool with_optional)
{
    char instruction[512], module[4096];
    build_instruction(instruction, sizeof instruction, o, opcode_text, with_optional);
    (void)snprintf(module, sizeof module,
                   PTX_HEAD ".func f;\n.global .texref tex0;\n.global .surfref surf0;\n.visible .entry k(.param .u64 a)\n{\n"
                            ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .b128 %%q<3>;\n"
                            ".param .b64 lp;\nT: .branchtargets L, L;\nL: %s\nret;\n}\n", instruction);
    struct ptx_module *m = must_parse(module);
    const struct ptx_function *k = ptx_find_function(m, "k");
    assert_int_equal(k->code_count, 2);
    assert_int_equal(k->code[0].op, ptx_forms[o->form].op);
    assert_memory_equal(k->code[0].type, o->type, 4);
    ptx_free(m);
}

static void test_forms_of_real_programs(void **state)
{
    (void)state;
    size_t length;
    char *list = read_file(SOURCE_ROOT "/tests/unit/ptx/forms.txt", &length);
    struct arena *arena = arena_new();
    struct opcode_cache *cache = opcode_cache_new(arena);
    uint32_t count = 0;
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
        const char *reason = NULL;
        const struct opcode *o = opcode_find(cache, line, (uint32_t)strlen(line), &reason);
        if (!o)
            fail_msg("%s: %s", line, reason);
        parse_one(line, o, false);
        parse_one(line, o, true);
        count++;
    }
    assert_int_equal(count, 547);
    arena_free(arena);
    free(list);
}

/* Forms that newer compilers and hand-written PTX use beyond the list. */
static void test_more_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "bfe.u32", "bfe.s64", "bfi.b64", "brx.idx", "brx.idx.uni", "cp.async.ca.shared.global", "cp.async.cg.shared.global.L2::128B",
        "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all", "red.global.add.f32", "red.shared.max.s32",
        "red.relaxed.gpu.global.or.b64", "red.global.inc.u32", "ld.global.nc.L1::no_allocate.L2::128B.v4.f32",
        "ld.global.L1::evict_last.L2::cache_hint.u32", "st.global.L1::no_allocate.v2.f64", "st.shared::cta.u8", "ld.weak.global.u32",
        "ld.relaxed.sys.global.u64", "st.release.cluster.u32", "ldu.global.v2.f32", "prefetch.global.L1", "prefetch.L2",
        "prefetch.global.L2::evict_last", "prefetchu.L1", "isspacep.shared", "isspacep.global", "redux.sync.add.s32",
        "redux.sync.and.b32", "redux.sync.min.u32", "elect.sync", "match.all.sync.b32", "match.any.sync.b64", "vote.all.pred",
        "vote.sync.uni.pred", "vote.ballot.b32", "shfl.bfly.b32", "shfl.sync.idx.b32", "nanosleep.u32", "membar.sys", "membar.gl",
        "fence.acq_rel.gpu", "fence.sc.sys", "fence.proxy.async", "bar.arrive", "bar.red.and.pred", "bar.red.popc.u32",
        "barrier.cta.sync.aligned", "barrier.cta.arrive", "barrier.cta.red.or.pred", "bar.cta.sync", "atom.global.cas.b16",
        "atom.shared.max.u64", "atom.add.noftz.bf16x2", "atom.acq_rel.sys.global.exch.b64", "tld4.r.2d.v4.f32.f32", "txq.width.b32",
        "suld.b.2d.v4.b32.trap", "suld.b.1d.b8.clamp", "suld.b.3d.v2.b64.zero", "sust.p.2d.v4.b32.trap", "sust.b.a2d.b16.clamp",
        "sured.b.add.2d.u32.trap", "suq.height.b32", "tex.level.2d.v4.f32.f32", "tex.grad.2d.v4.f32.f32", "tex.3d.v4.s32.f32",
        "tex.acube.v4.u32.f32", "lop3.b32", "lop3.or.b32", "shf.r.wrap.b32", "prmt.b32.f4e", "bmsk.wrap.b32", "szext.clamp.s32",
        "dp2a.lo.s32.u32", "dp4a.u32.s32", "vadd.s32.u32.s32.sat", "vmax.u32.u32.s32.add", "vshl.u32.u32.u32.wrap",
        "vmad.s32.s32.u32.shr7", "vset.u32.s32.lt", "vadd2.s32.s32.s32.sat", "vavrg4.u32.u32.u32", "vset4.u32.u32.ne.add",
        "fns.b32", "sad.u64", "testp.subnormal.f32", "copysign.f64", "tanh.approx.f32", "tanh.approx.bf16x2", "ex2.approx.f16x2",
        "cvt.rn.f16x2.f32", "cvt.rna.tf32.f32", "cvt.pack.sat.u8.s32.b32", "cvt.pack.sat.s16.s32", "cvt.rz.bf16.f32",
        "cvt.sat.u8.s32", "cvt.rni.ftz.f32.f32", "min.NaN.f32", "max.xorsign.abs.f32", "min.ftz.NaN.f16x2", "add.sat.s32",
        "add.rm.ftz.sat.f32", "sub.bf16x2", "mul.f16", "fma.rn.ftz.sat.f16", "fma.rn.bf16", "addc.cc.u64", "subc.s64", "mad.hi.cc.s32",
        "madc.lo.u64", "mad.hi.sat.s32", "mul24.hi.u32", "mad24.lo.s32", "div.full.ftz.f32", "div.approx.ftz.f32", "slct.f32.f32",
        "slct.u64.s32", "set.lt.f32.f32", "set.eq.and.u32.s32", "set.gtu.ftz.u32.f32", "setp.nan.f32", "setp.lo.or.u32", "setp.ge.f16",
        "setp.num.bf16x2", "call", "call.uni", "ret.uni", "exit", "trap", "brkpt", "pmevent", "pmevent.mask", "discard.global.L2",
        "applypriority.global.L2::evict_normal", "createpolicy.fractional.L2::evict_last.b64", "griddepcontrol.wait",
        "griddepcontrol.launch_dependents", "mov.b128", "mov.pred", "cnot.b32", "cvta.param.u64", "cvta.const.u64", "activemask.b32",
        "wmma.load.a.sync.aligned.col.m32n8k16.shared.s8", "wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite",
    };
    struct arena *arena = arena_new();
    struct opcode_cache *cache = opcode_cache_new(arena);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *reason = NULL;
        const struct opcode *o = opcode_find(cache, texts[i], (uint32_t)strlen(texts[i]), &reason);
        if (!o)
            fail_msg("%s: %s", texts[i], reason);
        parse_one(texts[i], o, false);
    }
    arena_free(arena);
}

static void test_forms_that_do_not_exist(void **state)
{
    (void)state;
    static const struct { const char *text, *reason; } cases[] = {
        { "add.rn.s32", "form" }, { "add", "form" }, { "add.s32.s32", "form" }, { "add.sat.u32", "form" }, { "mul.s32", "form" },
        { "fma.f32", "form" }, { "div.f32", "form" }, { "cvt.f32.s32", "form" }, { "cvt.s32.f32", "form" }, { "setp.s32", "form" },
        { "setp.ltu.s32", "form" }, { "setp.lo.s32", "form" }, { "setp.lt.b32", "form" }, { "ld.v3.f32", "form" },
        { "cvt.rn.relu.f16.f32", "form" }, { "atom.global.inc.s32", "form" }, { "barrier.cluster.arrive", "form" },
        { "cp.async.bulk.shared.global", "form" }, { "shfl.b32", "form" }, { "add.ftz.ftz.f32", "form" }, { "nonsense.u32", "no such" },
        { "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "wmma" }, { "mapa.u64", "clusters" }, { "setmaxnreg.inc", "registers" },
        { "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "wmma" }, { "alloca.u64", "stack" }, { "getctarank.u64", "clusters" },
        { "mbarrier.init.b64", "barriers in memory" } };
    struct arena *arena = arena_new();
    struct opcode_cache *cache = opcode_cache_new(arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *reason = NULL;
        if (opcode_find(cache, cases[i].text, (uint32_t)strlen(cases[i].text), &reason))
            fail_msg("%s is accepted", cases[i].text);
        if (!strstr(reason, cases[i].reason))
            fail_msg("%s: %s", cases[i].text, reason);
    }
    arena_free(arena);
}

/* Each row's operands are well formed: known letters, at most two destinations and six sources. */
static void test_rows_are_well_formed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ptx_form_count; i++) {
        const struct form *f = &ptx_forms[i];
        uint32_t destinations = 0, sources = 0;
        for (const char *s = f->operands; *s; s += 2) {
            s += *s == '?';
            assert_non_null(strchr("dDeEvfZM", s[0]) ? s : strchr("VsbimlktFzCRQxyrc", s[0]));
            assert_non_null(strchr("0123wpulx", s[1]));
            destinations += strchr("dDvfZMC", s[0]) != NULL;
            destinations += strchr("eE", s[0]) ? 2 : 0;
            sources += strchr("VsbimltFzMQrc", s[0]) != NULL;
            sources += s[0] == 'x' || s[0] == 'C' ? 3 : s[0] == 'y' || s[0] == 'R' ? 2 : 0;
        }
        assert_in_range(destinations, 0, 2);
        assert_in_range(sources, 0, PTX_MAX_SRC);
        for (uint32_t t = 0; t < 4; t++)
            assert_int_equal(f->types[t] != 0, t < f->type_count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_of_real_programs), cmocka_unit_test(test_more_forms),
        cmocka_unit_test(test_forms_that_do_not_exist), cmocka_unit_test(test_rows_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
