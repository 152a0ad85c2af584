/* The instruction table: every opcode form found in real programs parses with operands made to its row, and every row is
 * reached by an opcode made from it. */
#include "form_text.h"

static void parse_one(const char *opcode_text, const struct opcode *o, bool with_optional)
{
    char module[4096];
    build_module(module, sizeof module, o, opcode_text, with_optional);
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
    assert_int_equal(count, 573);
    arena_free(arena);
    free(list);
}

/* Forms that newer compilers and hand-written PTX use beyond the list. */
static void test_more_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "bfe.u32",
        "bfe.s64",
        "bfi.b64",
        "brx.idx",
        "brx.idx.uni",
        "cp.async.ca.shared.global",
        "cp.async.cg.shared.global.L2::128B",
        "cp.async.commit_group",
        "cp.async.wait_group",
        "cp.async.wait_all",
        "red.global.add.f32",
        "red.shared.max.s32",
        "red.relaxed.gpu.global.or.b64",
        "red.global.inc.u32",
        "ld.global.nc.L1::no_allocate.L2::128B.v4.f32",
        "ld.global.L1::evict_last.L2::cache_hint.u32",
        "st.global.L1::no_allocate.v2.f64",
        "st.shared::cta.u8",
        "ld.weak.global.u32",
        "ld.relaxed.sys.global.u64",
        "st.release.cluster.u32",
        "ldu.global.v2.f32",
        "prefetch.global.L1",
        "prefetch.L2",
        "prefetch.global.L2::evict_last",
        "prefetchu.L1",
        "isspacep.shared",
        "isspacep.global",
        "redux.sync.add.s32",
        "redux.sync.and.b32",
        "redux.sync.min.u32",
        "elect.sync",
        "match.all.sync.b32",
        "match.any.sync.b64",
        "vote.all.pred",
        "vote.sync.uni.pred",
        "vote.ballot.b32",
        "shfl.bfly.b32",
        "shfl.sync.idx.b32",
        "nanosleep.u32",
        "membar.sys",
        "membar.gl",
        "fence.acq_rel.gpu",
        "fence.sc.sys",
        "fence.proxy.async",
        "bar.arrive",
        "bar.red.and.pred",
        "bar.red.popc.u32",
        "barrier.cta.sync.aligned",
        "barrier.cta.arrive",
        "barrier.cta.red.or.pred",
        "bar.cta.sync",
        "atom.global.cas.b16",
        "atom.shared.max.u64",
        "atom.add.noftz.bf16x2",
        "atom.acq_rel.sys.global.exch.b64",
        "tld4.r.2d.v4.f32.f32",
        "txq.width.b32",
        "suld.b.2d.v4.b32.trap",
        "suld.b.1d.b8.clamp",
        "suld.b.3d.v2.b64.zero",
        "sust.p.2d.v4.b32.trap",
        "sust.b.a2d.b16.clamp",
        "sured.b.add.2d.u32.trap",
        "sured.p.min.2d.b64.trap",
        "suq.height.b32",
        "tex.level.2d.v4.f32.f32",
        "tex.grad.2d.v4.f32.f32",
        "tex.3d.v4.s32.f32",
        "tex.acube.v4.u32.f32",
        "lop3.b32",
        "lop3.or.b32",
        "shf.r.wrap.b32",
        "prmt.b32.f4e",
        "bmsk.wrap.b32",
        "szext.clamp.s32",
        "dp2a.lo.s32.u32",
        "dp4a.u32.s32",
        "vadd.s32.u32.s32.sat",
        "vmax.u32.u32.s32.add",
        "vshl.u32.u32.u32.wrap",
        "vmad.s32.s32.u32.shr7",
        "vset.u32.s32.lt",
        "vadd2.s32.s32.s32.sat",
        "vavrg4.u32.u32.u32",
        "vset4.u32.u32.ne.add",
        "fns.b32",
        "sad.u64",
        "testp.subnormal.f32",
        "copysign.f64",
        "tanh.approx.f32",
        "tanh.approx.bf16x2",
        "ex2.approx.f16x2",
        "cvt.rn.f16x2.f32",
        "cvt.rna.tf32.f32",
        "cvt.pack.sat.u8.s32.b32",
        "cvt.pack.sat.s16.s32",
        "cvt.rz.bf16.f32",
        "cvt.sat.u8.s32",
        "cvt.rni.ftz.f32.f32",
        "min.NaN.f32",
        "max.xorsign.abs.f32",
        "min.ftz.NaN.f16x2",
        "add.sat.s32",
        "add.rm.ftz.sat.f32",
        "sub.bf16x2",
        "mul.f16",
        "fma.rn.ftz.sat.f16",
        "fma.rn.bf16",
        "addc.cc.u64",
        "subc.s64",
        "mad.hi.cc.s32",
        "madc.lo.u64",
        "mad.hi.sat.s32",
        "mul24.hi.u32",
        "mad24.lo.s32",
        "div.full.ftz.f32",
        "div.approx.ftz.f32",
        "slct.f32.f32",
        "slct.u64.s32",
        "set.lt.f32.f32",
        "set.eq.and.u32.s32",
        "set.gtu.ftz.u32.f32",
        "setp.nan.f32",
        "setp.lo.or.u32",
        "setp.ge.f16",
        "setp.num.bf16x2",
        "call",
        "call.uni",
        "ret.uni",
        "exit",
        "trap",
        "brkpt",
        "pmevent",
        "pmevent.mask",
        "discard.global.L2",
        "applypriority.global.L2::evict_normal",
        "createpolicy.fractional.L2::evict_last.b64",
        "griddepcontrol.wait",
        "griddepcontrol.launch_dependents",
        "mov.b128",
        "mov.pred",
        "cnot.b32",
        "cvta.param.u64",
        "cvta.const.u64",
        "activemask.b32",
        "wmma.load.a.sync.aligned.col.m32n8k16.shared.s8",
        "wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
        "movmatrix.sync.aligned.m8n8.trans.b16",
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
    static const struct {
        const char *text, *reason;
    } cases[] = { { "add.rn.s32", "form" },
                  { "add", "form" },
                  { "add.s32.s32", "form" },
                  { "add.sat.u32", "form" },
                  { "mul.s32", "form" },
                  { "fma.f32", "form" },
                  { "div.f32", "form" },
                  { "cvt.f32.s32", "form" },
                  { "cvt.s32.f32", "form" },
                  { "setp.s32", "form" },
                  { "setp.ltu.s32", "form" },
                  { "setp.lo.s32", "form" },
                  { "setp.lt.b32", "form" },
                  { "ld.v3.f32", "form" },
                  { "cvt.rn.relu.f32.f64", "form" },
                  { "atom.global.inc.s32", "form" },
                  { "barrier.cluster.arrive", "form" },
                  { "cp.async.bulk.shared.global", "form" },
                  { "shfl.b32", "form" },
                  { "add.ftz.ftz.f32", "form" },
                  { "nonsense.u32", "no such" },
                  { "wgmma.fence.sync.aligned", "wmma" },
                  { "mapa.u64", "clusters" },
                  { "setmaxnreg.inc", "registers" },
                  { "tcgen05.alloc.cta_group::1.sync.aligned.b32", "wmma" },
                  { "alloca.u64", "stack" },
                  { "getctarank.u64", "clusters" },
                  { "mbarrier.init.u64", "form" } };
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
        cmocka_unit_test(test_forms_of_real_programs),
        cmocka_unit_test(test_more_forms),
        cmocka_unit_test(test_forms_that_do_not_exist),
        cmocka_unit_test(test_rows_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
