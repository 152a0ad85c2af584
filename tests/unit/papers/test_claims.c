/* What every claim of every paper has, and how claims are shown to people. */
#include "../cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "papers/reproduce.h"

#define PAPER(name) extern const struct paper paper_##name;
#include "papers/papers.def"
#undef PAPER
static const struct paper *const papers[] = {
#define PAPER(name) &paper_##name,
#include "papers/papers.def"
#undef PAPER
};

/* Told apart without its id: else the id would have to be known. */
static void every_claim_says_what_it_is(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof papers / sizeof *papers; p++)
        for (uint32_t i = 0; i < papers[p]->claim_count; i++) {
            const struct paper_claim *c = &papers[p]->claims[i];
            const size_t length = strlen(c->what);
            if (length < 20 || length > PAPER_WHAT || strpbrk(c->what, "\n|"))
                fail_msg("paper %s, %s: '%s' is no phrase of 20 to %d characters", papers[p]->name, c->id, c->what, PAPER_WHAT);
            for (uint32_t k = 0; k < i; k++)
                if (strcmp(c->what, papers[p]->claims[k].what) == 0 || strcmp(c->id, papers[p]->claims[k].id) == 0)
                    fail_msg("paper %s: %s and %s say the same", papers[p]->name, papers[p]->claims[k].id, c->id);
        }
}

/* Columns as wide as what they hold; the phrase stands below its numbers, and no colour gets into a file. */
static void claims_are_two_lines_each(void **state)
{
    (void)state;
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:{}, s:[{s:s, s:s, s:s, s:f, s:f, s:s, s:f}, {s:s, s:s, s:s, s:s, s:n, s:s, s:n}], s:[]}", "paper", "000",
        "config", "toy", "size", "tiny", "sizes", "claims", "id", "a", "what", "how fast it is", "where", "table 1", "claimed", 1.5,
        "measured", 1.25, "unit", "x", "difference_percent", -16.7, "id", "a-long-name", "what", "how large it is", "where",
        "part 2", "claimed", ">80", "measured", "unit", "KB", "difference_percent", "figures");
    assert_non_null(json);
    FILE *file = tmpfile();
    assert_non_null(file);
    reproduction_print(json, file);
    rewind(file);
    char text[1024];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    json_decref(json);
    assert_string_equal(text, "paper 000 on toy, inputs of size tiny\n\n"
                              "claim       where      claimed   measured unit     diff.\n"
                              "a           table 1        1.5       1.25 x       -16.7%\n"
                              "    how fast it is\n"
                              "a-long-name part 2         >80          - KB  \n"
                              "    how large it is\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_says_what_it_is),
        cmocka_unit_test(claims_are_two_lines_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
