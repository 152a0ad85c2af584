/* What the parser makes of declarations, scopes, operands, calls and initialisers. */
#include "ptx_text.h"

static const struct ptx_variable *variable(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (strcmp(m->variables[i].name, name) == 0)
            return &m->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

static void test_head(void **state)
{
    (void)state;
    struct ptx_module *m =
        must_parse(".version 7.4\n.target sm_75, debug\n.address_size 64\n"
                   ".visible .entry k(.param .u32 a, .param .u64 .ptr .global .align 8 b, .param .align 4 .b8 c[12])\n"
                   ".maxntid 128, 2, 1\n.minnctapersm 3\n.maxnreg 40\n{ ret; }\n"
                   ".weak .entry w() .reqntid 32 { exit; }\n");
    assert_int_equal(m->version_major, 7);
    assert_int_equal(m->version_minor, 4);
    assert_int_equal(m->target_sm, 75);
    assert_int_equal(m->address_bits, 64);
    const struct ptx_function *k = ptx_find_function(m, "k");
    assert_true(k->is_entry && k->is_defined);
    assert_int_equal(k->linkage, 1);
    assert_int_equal(k->param_count, 3);
    assert_int_equal(m->variables[k->params[1]].offset, 8);
    assert_int_equal(m->variables[k->params[2]].offset, 16);
    assert_int_equal(k->param_bytes, 28);
    assert_int_equal(k->max_threads[1], 2);
    assert_int_equal(k->min_ctas, 3);
    assert_int_equal(k->max_registers, 40);
    assert_int_equal(ptx_find_function(m, "w")->required_threads[0], 32);
    assert_null(ptx_find_function(m, "nothing"));
    ptx_free(m);
}

static void test_registers_keep_the_order_of_declaration(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_HEAD ".entry k() { .reg .pred %p<2>; .reg .f32 x, y; .reg .b64 %rd<3>; .reg .v2 .b32 %v;"
                                               "add.f32 y, x, 0f3F800000; mov.b64 %rd2, {%v.x, %v.y}; ret; }");
    const struct ptx_function *k = ptx_find_function(m, "k");
    static const char *const names[] = { "%p0", "%p1", "x", "y", "%rd0", "%rd1", "%rd2", "%v", "%v" };
    assert_int_equal(k->reg_count, 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_string_equal(k->regs[i].name, names[i]);
    assert_int_equal(k->code[0].dst[0].index, 3);
    assert_int_equal(k->code[0].src[1].bits, 0x3F800000);
    const struct ptx_operand *pair = &k->code[1].src[0];
    assert_int_equal(pair->kind, OPERAND_VECTOR);
    assert_int_equal(k->elements[pair->index].index, 7);
    assert_int_equal(k->elements[pair->index + 1].index, 8);
    ptx_free(m);
}

/* Inner registers and labels hide outer ones until the block ends; a label in a block may be used twice in a function. */
static void test_scopes(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_HEAD ".entry k() { .reg .b32 %r<3>; .reg .pred %p<2>;\n"
                                               "mov.u32 %r1, 1;\n"
                                               "{ .reg .b32 %r<2>; mov.u32 %r1, 2; AGAIN: @%p0 bra AGAIN; bra DONE; }\n"
                                               "{ AGAIN: mov.u32 %r2, 3; @%p1 bra AGAIN; }\n"
                                               "DONE: mov.u32 %r1, 4; ret; }");
    const struct ptx_function *k = ptx_find_function(m, "k");
    assert_int_equal(k->code[0].dst[0].index, 1);
    assert_int_equal(k->code[1].dst[0].index, 6); /* behind three %r and two %p: the inner %r0, %r1 */
    assert_int_equal(k->code[2].src[0].index, 2);
    assert_int_equal(k->code[3].src[0].index, 6);
    assert_int_equal(k->code[4].dst[0].index, 2); /* %r2 of the outer range */
    assert_int_equal(k->code[5].src[0].index, 4);
    assert_int_equal(k->code[6].dst[0].index, 1);
    ptx_free(m);
}

static void test_operands(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_KERNEL("@!%p1 ld.global.v2.u32 {%r1, _}, [%d1+-16];\n"
                                                 "st.shared.u32 [dyn+12], %r2;\n"
                                                 "mov.u32 %r3, %ctaid.y;\n"
                                                 "mov.u64 %d2, var0+4;\n"
                                                 "setp.lt.and.s32 %p1|%p2, %r1, -5, !%p3;\n"
                                                 "add.s32 %r1, %r2, (1 << 4) | WARP_SZ;\n"
                                                 "add.f64 %e1, %e2, 1.5;\n"
                                                 "mul.wide.s32 %d1, %r1, 0x10;\n"
                                                 "shfl.sync.bfly.b32 %r1|%p4, %r2, 16, 31, 0xffffffff;\n"
                                                 "ld.param.u64 %d3, [a];\n"
                                                 "ld.global.u32 %r1, [4096];\n"
                                                 "mov.b16 %h1, -1;\n"
                                                 "vabsdiff.u32.u32.u32 %r1, %r2.b3, %r3.h0;\n"
                                                 "ret;"));
    const struct ptx_inst *c = ptx_find_function(m, "k")->code;
    const struct ptx_operand *elements = ptx_find_function(m, "k")->elements;
    assert_true(c[0].guard >= 0 && c[0].guard_negated);
    assert_int_equal(c[0].mod.vector, 2);
    assert_int_equal(elements[c[0].dst[0].index + 1].kind, OPERAND_SINK);
    assert_int_equal(c[0].src[0].kind, OPERAND_ADDRESS);
    assert_int_equal(c[0].src[0].offset, -16);
    assert_int_equal(c[1].src[0].kind, OPERAND_SYMBOL_ADDRESS);
    assert_int_equal(c[1].src[0].offset, 12);
    assert_int_equal(c[2].src[0].kind, OPERAND_SREG);
    assert_int_equal(c[2].src[0].index, SREG_CTAID_Y);
    assert_int_equal(c[3].src[0].kind, OPERAND_SYMBOL);
    assert_int_equal(c[3].src[0].offset, 4);
    assert_int_equal(c[4].ndst, 2);
    assert_int_equal(c[4].src[1].bits, 0xFFFFFFFB);
    assert_true(c[4].src[2].negated);
    assert_int_equal(c[4].mod.compare, CMP_LT);
    assert_int_equal(c[4].mod.boolean, BOOL_AND);
    assert_int_equal(c[5].src[1].bits, 48);
    assert_int_equal(c[6].src[1].bits, 0x3FF8000000000000);
    assert_int_equal(c[7].mod.part, PART_WIDE);
    assert_int_equal(c[8].ndst, 2);
    assert_int_equal(c[8].mod.mode, SHFL_BFLY);
    assert_true(c[8].mod.sync);
    assert_int_equal(c[8].src[3].bits, 0xFFFFFFFF);
    assert_int_equal(c[9].mod.space, SPACE_PARAM);
    assert_int_equal(c[10].src[0].kind, OPERAND_ABSOLUTE);
    assert_int_equal(c[10].src[0].offset, 4096);
    assert_int_equal(c[11].src[0].bits, 0xFFFF);
    assert_int_equal(c[12].src[0].select, SELECT_B3);
    assert_int_equal(c[12].src[1].select, SELECT_H0);
    ptx_free(m);
}

static void test_constant_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t value;
    } cases[] = { { "2 + 3 * 4", 14 },
                  { "(2 + 3) * 4", 20 },
                  { "-7 / 2", -3 },
                  { "-7 % 3", -1 },
                  { "1 << 5 | 3", 35 },
                  { "~0", -1 },
                  { "!5", 0 },
                  { "3 > 2 && 1 != 2", 1 },
                  { "3 < 2 || 0", 0 },
                  { "1 ? 10 : 20", 10 },
                  { "0 ? 10 : 2 ? 30 : 40", 30 },
                  { "-1 >> 1", -1 },
                  { "0xF0 ^ 0xFF & 0x3C", 0xCC },
                  { "(.u64) -1 >> 60", 15 },
                  { "5 - 3 - 1", 1 },
                  { "0b11 + 017", 18 },
                  { "1 == 1", 1 },
                  { "4 >= 5", 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, PTX_HEAD ".entry k() { .reg .b32 %%r<2>; mov.u32 %%r1, %s; ret; }", cases[i].text);
        struct ptx_module *m = must_parse(text);
        assert_int_equal((int32_t)m->functions[0].code[0].src[0].bits, cases[i].value);
        ptx_free(m);
    }
}

static void test_calls(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(
        PTX_HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n"
                 ".func (.param .b64 o) f (.param .b32 i) ;\n"
                 ".func (.reg .u32 %x) g (.reg .u32 %y) { add.u32 %x, %y, 1; ret; }\n"
                 ".entry k() { .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
                 "{ .param .b32 p0; .param .b64 q0; st.param.b32 [p0], %r1; call.uni (q0), f, (p0); ld.param.b64 %d1, [q0]; }\n"
                 "call (%r2), g, (%r1);\n"
                 "mov.u64 %d2, f;\n"
                 "proto: .callprototype (.param .b64 _) _ (.param .b32 _);\n"
                 "{ .param .b32 p0; .param .b64 q0; call (q0), %d2, (p0), proto; }\n"
                 "ret; }\n"
                 ".func (.param .b64 o) f (.param .b32 i) { ret; }");
    const struct ptx_function *k = ptx_find_function(m, "k"), *f = ptx_find_function(m, "f");
    assert_true(f->is_defined && !ptx_find_function(m, "vprintf")->is_defined);
    const struct ptx_inst *direct = &k->code[1], *in_registers = &k->code[3], *indirect = &k->code[5];
    assert_int_equal(direct->op, OP_CALL);
    assert_ptr_equal(&m->functions[direct->src[0].index], f);
    const struct ptx_operand *argument = &k->elements[direct->src[1].index];
    assert_int_equal(argument->kind, OPERAND_SYMBOL);
    assert_string_equal(m->variables[argument->index].name, "p0");
    assert_int_equal(k->elements[direct->dst[0].index].kind, OPERAND_SYMBOL);
    assert_int_equal(k->elements[in_registers->dst[0].index].kind, OPERAND_REG);
    assert_int_equal(ptx_find_function(m, "g")->params[0], ~1u); /* second register of g */
    assert_int_equal(indirect->src[0].kind, OPERAND_REG);
    assert_int_equal(indirect->src[2].kind, OPERAND_TABLE);
    assert_true(k->tables[indirect->src[2].index].is_prototype);
    assert_true(k->param_frame_bytes >= 32 && k->param_bytes == 0);
    ptx_free(m);
}

static void test_alias_and_noreturn(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_HEAD ".func a; .func stop() .noreturn; .func b { ret; } .alias a, b;\n"
                                               ".entry k() { call a; call stop; ret; }");
    const struct ptx_function *k = ptx_find_function(m, "k");
    assert_int_equal(m->alias_count, 1);
    assert_string_equal(m->functions[k->code[0].src[0].index].name, "b");
    assert_true(ptx_find_function(m, "stop")->is_noreturn);
    ptx_free(m);
}

static void test_branch_tables(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_KERNEL("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: ret;\nB: trap;"));
    const struct ptx_function *k = ptx_find_function(m, "k");
    const struct ptx_table *t = &k->tables[k->code[0].src[1].index];
    assert_int_equal(t->count, 3);
    assert_int_equal(t->targets[0], 1);
    assert_int_equal(t->targets[1], 2);
    assert_int_equal(t->targets[2], 1);
    ptx_free(m);
}

static void test_variables(void **state)
{
    (void)state;
    must_refuse(PTX_HEAD ".global .u64 p = {q};", "not a declared");
    struct ptx_module *m =
        must_parse(PTX_HEAD ".func f;\n.visible .global .align 16 .b8 bytes[4] = {1, 2, 0x3, -1};\n"
                            ".const .f32 c[2][2] = {{1.0, 0f40000000}, {3}};\n"
                            ".global .u64 pointers[3] = {bytes, generic(bytes)+2, f};\n"
                            ".global .b8 masked[8] = {0xFF(bytes), 0xFF00(bytes), 0xFF0000(bytes), 0xFF000000(bytes), "
                            "0xFF00000000(bytes), 0xFF0000000000(bytes), 0xFF000000000000(bytes), 0xFF00000000000000(bytes)};\n"
                            ".global .u32 open[] = {7, 8, 9};\n.extern .shared .align 8 .b8 dynamic[];\n"
                            ".extern .global .u32 later;\n.global .u32 later = 5;\n"
                            ".global .attribute(.managed) .align 4 .u32 managed = 3;\n.global .v4 .f32 quad;\n");
    const struct ptx_variable *bytes = variable(m, "bytes");
    assert_int_equal(bytes->bytes, 4);
    assert_int_equal(bytes->align, 16);
    assert_memory_equal(bytes->data, "\x01\x02\x03\xff", 4);
    const float expected[] = { 1.0f, 2.0f, 3.0f, 0.0f };
    assert_memory_equal(variable(m, "c")->data, expected, sizeof expected);
    const struct ptx_variable *pointers = variable(m, "pointers");
    assert_int_equal(pointers->init_count, 3);
    assert_int_equal(pointers->inits[1].offset, 8);
    assert_int_equal(pointers->inits[1].addend, 2);
    assert_true(pointers->inits[1].generic && pointers->inits[2].is_function);
    assert_int_equal(variable(m, "masked")->init_count, 1);
    assert_int_equal(variable(m, "masked")->inits[0].bytes, 8);
    assert_int_equal(variable(m, "open")->bytes, 12);
    assert_int_equal(variable(m, "dynamic")->bytes, 0);
    assert_int_equal(variable(m, "later")->data[0], 5);
    assert_true(variable(m, "managed")->is_managed);
    assert_int_equal(variable(m, "quad")->bytes, 16);
    assert_int_equal(variable(m, "quad")->align, 16);
    ptx_free(m);
}

/* Shared variables of the module lie in front of a kernel's own, and a kernel pays only for those that it reaches: clang puts
 * all kernels' variables into the module. */
static void test_shared_layout(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(
        PTX_HEAD
        ".shared .align 4 .b8 common[100];\n"
        ".func helper() { .reg .b32 %r<2>; ld.shared.u32 %r1, [common]; ret; }\n"
        ".entry user() { .shared .align 16 .b8 own[32]; .local .align 8 .b8 frame[24]; .reg .b32 %r<2>; call helper;\n"
        "st.shared.u32 [own], %r1; ret; }\n"
        ".weak .shared .align 4 .b8 large[40000];\n"
        ".entry second() { .reg .b32 %r<2>; mov.u32 %r1, large; ret; }\n"
        ".entry twice() { .reg .b32 %r<2>; ld.shared.u32 %r1, [common]; st.shared.u32 [common+4], %r1; call helper; ret; }\n"
        ".entry other() { .shared .b8 x[3]; .shared .u32 y; .reg .b32 %r<2>; st.shared.u32 [y], %r1; ret; }\n");
    assert_int_equal(variable(m, "common")->offset, 0);
    assert_int_equal(ptx_find_function(m, "user")->shared_bytes, 144);
    assert_int_equal(ptx_find_function(m, "user")->local_bytes, 24);
    assert_int_equal(variable(m, "y")->offset, 4);
    assert_int_equal(ptx_find_function(m, "other")->shared_bytes, 8);
    assert_int_equal(ptx_find_function(m, "second")->shared_bytes, 40000);
    assert_int_equal(ptx_find_function(m, "twice")->shared_bytes, 100);
    ptx_free(m);
}

static void test_source_lines(void **state)
{
    (void)state;
    struct ptx_module *m =
        must_parse(PTX_HEAD ".file 3 \"x.cu\", 1, 2\n\n.entry k() {\n.loc 7 12 3\n"
                            "ret;\n.loc 3 20 1, function_name $L_info, inlined_at 7 12 3\nret;\n}\n"
                            ".file 7 \"y.cu\"\n.section .debug_str { $L_info: .b8 1, 2\n.b32 .debug_abbrev\n.b64 k+4\n}\n");
    const struct ptx_inst *c = ptx_find_function(m, "k")->code;
    assert_int_equal(c[0].source_line, 12);
    assert_string_equal(m->source_files[c[0].source_file], "y.cu");
    assert_int_equal(c[1].source_line, 20);
    assert_string_equal(m->source_files[c[1].source_file], "x.cu");
    assert_int_equal(c[1].line, 10);
    assert_int_equal(c[1].column, 1);
    ptx_free(m);
}

/* A body whose last instruction can run on returns. */
static void test_end_of_body(void **state)
{
    (void)state;
    struct ptx_module *m = must_parse(PTX_KERNEL("@%p1 bra END;\nadd.s32 %r1, %r1, 1;\nEND:"));
    const struct ptx_function *k = ptx_find_function(m, "k");
    assert_int_equal(k->code_count, 3);
    assert_int_equal(k->code[2].op, OP_RET);
    assert_int_equal(k->code[0].src[0].index, 2);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_registers_keep_the_order_of_declaration),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_constant_expressions),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_alias_and_noreturn),
        cmocka_unit_test(test_branch_tables),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_shared_layout),
        cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_end_of_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
