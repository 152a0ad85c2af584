/* The table of SASS opcodes holds together, and opcodes are told by their root and suffixes. */
#include "../cmocka_all.h"

#include <string.h>

#include "trace/sass.h"

static const struct sass_opcode *find(const char *opcode)
{
    return sass_find(opcode, strlen(opcode));
}

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
    static const struct {
        const char *opcode;
        uint32_t bytes;
    } rows[] = {
        { "LDG.E", 4 },   { "LDG.E.64.SYS", 8 }, { "LDG.E.128", 16 },           { "LDG.E.U8", 1 },      { "STG.E.S8", 1 },
        { "LDS.S16", 2 }, { "LDS.U.128", 16 },   { "RED.E.ADD.F32.FTZ.RN", 4 }, { "ATOM.E.CAS.64", 8 }, { "LDL", 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(sass_width(rows[i].opcode, strlen(rows[i].opcode)), rows[i].bytes);
    assert_true(sass_has_suffix("BAR.ARV", 7, "ARV"));
    assert_false(sass_has_suffix("BAR.ARVX", 8, "ARV"));
}

/* Every root in Accel-Sim's tables from Kepler to Hopper. */
static const char *const accelsim_roots[] = {
    "FADD",         "FADD32I",     "FCHK",    "FFMA32I",  "FFMA",      "FMNMX",       "FMUL",         "FMUL32I",   "FSEL",
    "FSET",         "FSETP",       "FSWZADD", "MUFU",     "HADD2",     "HADD2_32I",   "HFMA2",        "HFMA2_32I", "HMUL2",
    "HMUL2_32I",    "HSET2",       "HSETP2",  "HMMA",     "DADD",      "DFMA",        "DMUL",         "DSETP",     "BMSK",
    "BREV",         "FLO",         "IABS",    "IADD",     "IADD3",     "IADD32I",     "IDP",          "IDP4A",     "IMAD",
    "IMMA",         "IMNMX",       "IMUL",    "IMUL32I",  "ISCADD",    "ISCADD32I",   "ISETP",        "LEA",       "LOP",
    "LOP3",         "LOP32I",      "POPC",    "SHF",      "SHR",       "VABSDIFF",    "VABSDIFF4",    "VADD",      "F2F",
    "F2I",          "I2F",         "I2I",     "I2IP",     "FRND",      "MOV",         "MOV32I",       "PRMT",      "SEL",
    "SGXT",         "SHFL",        "PLOP3",   "PSETP",    "P2R",       "R2P",         "LD",           "LDC",       "LDG",
    "LDL",          "LDS",         "ST",      "STG",      "STL",       "STS",         "MATCH",        "QSPC",      "ATOM",
    "ATOMS",        "ATOMG",       "RED",     "CCTL",     "CCTLL",     "ERRBAR",      "MEMBAR",       "CCTLT",     "TEX",
    "TLD",          "TLD4",        "TMML",    "TXD",      "TXQ",       "BMOV",        "BPT",          "BRA",       "BREAK",
    "BRX",          "BSSY",        "BSYNC",   "CALL",     "EXIT",      "JMP",         "JMX",          "KILL",      "NANOSLEEP",
    "RET",          "RPCMOV",      "RTT",     "WARPSYNC", "YIELD",     "B2R",         "BAR",          "CS2R",      "CSMTEST",
    "DEPBAR",       "GETLMEMBASE", "LEPC",    "NOP",      "PMTRIG",    "R2B",         "S2R",          "SETCTAID",  "SETLMEMBASE",
    "VOTE",         "VOTE_VTG",    "RRO",     "DMNMX",    "DSET",      "BFE",         "BFI",          "ICMP",      "IMADSP",
    "SHL",          "XMAD",        "CSET",    "CSETP",    "TEXS",      "TLD4S",       "TLDS",         "CAL",       "JCAL",
    "PRET",         "BRK",         "PBK",     "CONT",     "PCNT",      "PEXIT",       "SSY",          "SYNC",      "PSET",
    "VMNMX",        "ISET",        "BMMA",    "MOVM",     "LDSM",      "R2UR",        "S2UR",         "UBMSK",     "UBREV",
    "UCLEA",        "UFLO",        "UIADD3",  "UIMAD",    "UISETP",    "ULDC",        "ULEA",         "ULOP",      "ULOP3",
    "ULOP32I",      "UMOV",        "UP2UR",   "UPLOP3",   "UPOPC",     "UPRMT",       "UPSETP",       "UR2UP",     "USEL",
    "USGXT",        "USHF",        "USHL",    "USHR",     "VOTEU",     "SUATOM",      "SULD",         "SURED",     "SUST",
    "BRXU",         "JMXU",        "FCMP",    "FSWZ",     "ISAD",      "LDSLK",       "STSCUL",       "SUCLAMP",   "SUBFM",
    "SUEAU",        "SULDGA",      "SUSTGA",  "ISUB",     "HMNMX2",    "DMMA",        "I2FP",         "F2IP",      "LDGDEPBAR",
    "LDGSTS",       "REDUX",       "UF2FP",   "SUQUERY",  "F2FP",      "UBLKCP",      "UBLKPF",       "UBLKRED",   "UTMACCTL",
    "UTMACMDFLUSH", "UTMALDG",     "UTMAPF",  "UTMAREDG", "UTMASTG",   "FENCE",       "SYNCS",        "ARRIVES",   "ELECT",
    "VIADD",        "VIADDMNMX",   "VIMNMX",  "VIMNMX3",  "CGAERRBAR", "UCGABAR_ARV", "UCGABAR_WAIT", "WARPGROUP", "QGMMA",
    "HGMMA",        "USETMAXREG",
};

static void accelsim_knows_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accelsim_roots / sizeof accelsim_roots[0]; i++)
        if (!find(accelsim_roots[i]))
            fail_msg("%s is not in the table", accelsim_roots[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_root_is_found_once),
                                        cmocka_unit_test(suffixes_do_not_matter_to_the_root), cmocka_unit_test(widths),
                                        cmocka_unit_test(accelsim_knows_no_other) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
