/* Prints what scripts/measure-registers.py compares with ptxas: of every kernel of the PTX file named, its name, the estimate of
 * registers per thread and the static shared bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "ptxas/ptxas.h"

enum { LARGEST_FILE = 64 << 20 };

int main(int argc, char **argv)
{
    struct error err = { 0 };
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char *text = in ? malloc(LARGEST_FILE) : NULL;
    if (!text) {
        (void)fprintf(stderr, "usage: print_registers FILE.ptx\n");
        return 2;
    }
    size_t length = fread(text, 1, LARGEST_FILE, in);
    (void)fclose(in);
    struct ptx_module *m = ptx_parse(argv[1], text, length, &err);
    if (!m)
        (void)fprintf(stderr, "%s\n", err.text);
    else
        ptxas_assign_resources(m);
    for (uint32_t f = 0; m && f < m->function_count; f++)
        if (m->functions[f].is_entry && m->functions[f].is_defined)
            (void)printf("%s %u %u\n", m->functions[f].name, m->functions[f].register_estimate, m->functions[f].shared_bytes);
    free(text);
    if (!m)
        return 3;
    ptx_free(m);
    return 0;
}
