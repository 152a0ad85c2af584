/* The table of SASS opcodes holds together, and opcodes are told by their root and suffixes. */
#include "../cmocka_all.h"

#include <string.h>

#include "trace/sass.h"

static const struct sass_opcode *find(const char *opcode) { return sass_find(opcode, strlen(opcode)); }

static void every_root_is_found_once(void **state)
{
    (void)state;
    assert_true(sass_opcode_count > 200);
    for (size_t i = 0; i < sass_opcode_count; i++) {
        assert_ptr_equal(find(sass_opcodes[i].root), &sass_opcodes[i]);
        const bool memory = sass_opcodes[i].class >= CLASS_LOAD && sass_opcodes[i].class <= CLASS_TEXTURE;
        assert_int_equal(memory, sass_opcodes[i].space != SPACE_NONE);
    }
}

static void suffixes_do_not_matter_to_the_root(void **state)
{
    (void)state;
    assert_int_equal(find("LDG.E.128.CONSTANT.SYS")->class, CLASS_LOAD);
    assert_int_equal(find("ATOMS.CAST.SPIN.64")->space, SPACE_SHARED);
    assert_int_equal(find("HMMA.16816.F32")->class, CLASS_TENSOR);
    assert_int_equal(find("BAR.SYNC.DEFER_BLOCKING")->class, CLASS_BARRIER);
    assert_null(find("LDGX"));
    assert_null(find("LD_"));
    assert_null(find(""));
}

static void widths(void **state)
{
    (void)state;
    static const struct { const char *opcode; uint32_t bytes; } rows[] = {
        { "LDG.E", 4 }, { "LDG.E.64.SYS", 8 }, { "LDG.E.128", 16 }, { "LDG.E.U8", 1 }, { "STG.E.S8", 1 }, { "LDS.S16", 2 },
        { "LDS.U.128", 16 }, { "RED.E.ADD.F32.FTZ.RN", 4 }, { "ATOM.E.CAS.64", 8 }, { "LDL", 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(sass_width(rows[i].opcode, strlen(rows[i].opcode)), rows[i].bytes);
    assert_true(sass_has_suffix("BAR.ARV", 7, "ARV"));
    assert_false(sass_has_suffix("BAR.ARVX", 8, "ARV"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_root_is_found_once), cmocka_unit_test(suffixes_do_not_matter_to_the_root),
                                        cmocka_unit_test(widths) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
