/* Refusals: file:line:column, what is wrong, the offending text. */
#include "ptx_text.h"

/* In PTX_KERNEL the body starts on line 13. */
static void test_positions(void **state)
{
    (void)state;
    must_refuse(PTX_KERNEL("  add.s32 %r1, %r2, %nope;"), "t.ptx:13:21: this name is not declared; at '%nope'");
    must_refuse(PTX_KERNEL("ret;\n\tfoo.s32 %r1;"), "t.ptx:14:2: there is no such instruction; at 'foo.s32'");
    must_refuse(PTX_KERNEL("@%r1 bra L;"), "t.ptx:13:2: expected a predicate register; at '%r1'");
    must_refuse(PTX_KERNEL("bra NOWHERE;"), "t.ptx:13:5: there is no label 'NOWHERE' in this function");
    must_refuse(PTX_KERNEL("add.s32 %r1, %r2"), "t.ptx:14:1: expected ',' and another operand; at '}'");
    must_refuse(PTX_KERNEL("ret"), "t.ptx:14:1: expected ';'");
    must_refuse(".version 7.0\n.target sm_70\n.global .u32 x\n.global .u32 y;", "t.ptx:4:1: expected ';'; at 'global'");
}

static void test_instructions(void **state)
{
    (void)state;
    must_refuse(PTX_KERNEL("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
                "a fragment of this matrix has 4 registers, not 1; at 'mma.sync.aligned.m16n8k16");
    must_refuse(PTX_KERNEL("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
                "mma of this shape with these types is not simulated");
    must_refuse(PTX_KERNEL("mma.sync.aligned.m8n8k4.col.row.f64.f64.f64.f64 {%f1}, {%r1}, {%r1}, {%f1};"),
                "mma takes .row.col alone here");
    must_refuse(PTX_KERNEL("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%f1};"),
                "mma of this shape with these types is not simulated");
    must_refuse(PTX_KERNEL("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16 {%f1}, {%r1}, {%r1}, {%r1};"),
                "a fragment of this matrix has 8 registers, not 1");
    must_refuse(PTX_KERNEL("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r1];"),
                "this moves 2 matrices and needs as many registers");
    must_refuse(PTX_KERNEL("wgmma.fence.sync.aligned;"), "of the matrix instructions, wmma and mma are simulated");
    must_refuse(PTX_KERNEL("mapa.u64 %d1, %d2, %r1;"), "clusters are not simulated; at 'mapa.u64'");
    must_refuse(PTX_KERNEL("add.s64 %d1, %d2, %r1;"), "this register has 32 bits and the instruction works on 64; at '%r1'");
    must_refuse(PTX_KERNEL("add.s16 %r1, %r2, 1;"), "this register has 32 bits and the instruction works on 16");
    must_refuse(PTX_KERNEL("setp.eq.s32 %r1, %r2, 1;"), "expected a predicate register");
    must_refuse(PTX_KERNEL("add.s32 %r1, %p1, 1;"), "a predicate register does not fit here");
    must_refuse(PTX_KERNEL("add.f32 %f1, %f2, 1;"), "expected a floating-point constant");
    must_refuse(PTX_KERNEL("add.s32 %r1, %r2, 1.5;"), "a floating-point constant does not fit here");
    must_refuse(PTX_KERNEL("ld.global.v4.f32 {%f1, %f2}, [%d1];"), "the instruction moves 4 elements and this vector has 2");
    must_refuse(PTX_KERNEL("ld.global.v4.f32 %f1, [%d1];"), "expected a vector of 4 elements");
    must_refuse(PTX_KERNEL("ld.shared.u32 %r1, [var0];"), "does not lie in the space");
    must_refuse(PTX_KERNEL("st.const.u32 [%d1], %r1;"), "constant memory cannot be written");
    must_refuse(PTX_KERNEL("ld.global.u32 %r1, [%h1];"), "an address register has 32 or 64 bits");
    must_refuse(PTX_KERNEL("mov.b64 %d1, {%r1, %h1};"), "do not make up 64 bits");
    must_refuse(PTX_KERNEL("add.s32 %r1, %r2, 1 / 0;"), "divides by zero");
    must_refuse(PTX_KERNEL("bra %r1;"), "there is no label '%r1'");
    must_refuse(PTX_KERNEL("brx.idx %r1, P; P: .callprototype _ ();"), "is not a list of targets of this kind");
    must_refuse(PTX_KERNEL("T: .branchtargets L; L: call %d1, (), T;"), "is not a list of targets of this kind");
}

static void test_declarations(void **state)
{
    (void)state;
    must_refuse(PTX_HEAD ".entry k() { .reg .b32 %r<2>; .reg .f32 %r<4>; ret; }", "this name is declared twice; at '%r'");
    must_refuse(PTX_HEAD ".entry k() { A: ret; A: ret; }", "this name is declared twice; at 'A'");
    must_refuse(PTX_HEAD ".entry k() { ret; }\n.entry k() { ret; }", "t.ptx:5:8: this function is defined twice; at 'k'");
    must_refuse(PTX_HEAD ".global .u32 x;\n.global .u32 x;", "this name is declared twice");
    must_refuse(PTX_HEAD ".global .u32 x[2] = {1, 2, 3};", "more initial values than the variable has elements");
    must_refuse(PTX_HEAD ".shared .u32 x = 3;", "only .global and .const variables have initial values");
    must_refuse(PTX_HEAD ".global .align 3 .u32 x;", "an alignment is a power of two");
    must_refuse(PTX_HEAD ".global .u32 x[];", "this array has no size");
    must_refuse(PTX_HEAD ".global .b8 x[999999999999][999999999];", "this array is too large");
    must_refuse(PTX_HEAD ".entry k() { .reg .b32 %r<70000>; }", "expected a number of registers up to 65534");
    must_refuse(PTX_HEAD ".entry k() { .reg .b32 %r<60000>; .reg .b64 %d<60000>; }", "a function has at most 65534 registers");
    must_refuse(PTX_HEAD ".reg .u32 x;", "this directive is not known; at 'reg'");
    must_refuse(PTX_HEAD ".func f(.param .u32 a) { ret; }\n.entry k() { call f; ret; }", "has 1 parameters and is called with 0");
    must_refuse(PTX_HEAD ".entry e() { ret; }\n.entry k() { call e; ret; }", "an .entry cannot be called");
    must_refuse(PTX_HEAD ".entry k() { call nobody; }", "expected a declared function");
    must_refuse(PTX_HEAD ".nonsense x;", "this directive is not known; at 'nonsense'");
    must_refuse(".version 12.0\n.target sm_70", "PTX versions 1 to 9 are known");
    must_refuse(".version 7.0\n.target sm_70\n.address_size 48", "addresses have 32 or 64 bits");
    must_refuse(".target sm_70", "it must start with .version");
}

static void test_nesting_is_bounded(void **state)
{
    (void)state;
    char *text = malloc(20000);
    strcpy(text, PTX_HEAD ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, ");
    size_t used = strlen(text);
    memset(text + used, '(', 10000);
    text[used + 10000] = '\0';
    must_refuse(text, "nested too deeply");
    strcpy(text, PTX_HEAD ".entry k() ");
    used = strlen(text);
    memset(text + used, '{', 10000);
    text[used + 10000] = '\0';
    must_refuse(text, "blocks are nested too deeply");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
