/* bench_compress.c - how fast lines are packed and unpacked, in MB of lines per second of CPU time, on lines as programs have them.
 * Run as: bench_compress [SECONDS per row] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/prng.h"
#include "compress/compress.h"

enum { LINES = 4096 };
static uint8_t lines[LINES][LINE_MOST_BYTES];
static struct packed_line packed[LINES];
static struct sc_table table;
static struct sc_codes codes;

static void pack_sc(const uint8_t *line, uint32_t bytes, struct packed_line *out)
{
    sc_pack(&codes, line, bytes, out);
}
static void unpack_sc(const struct packed_line *in, uint32_t bytes, uint8_t *line)
{
    sc_unpack(&codes, in, bytes, line);
}

/* Zeros, small numbers, pointers, floats of a few values, floats of many, noise. */
static void make_lines(void)
{
    struct prng random;
    prng_seed(&random, 1);
    for (uint32_t l = 0; l < LINES; l++)
        for (uint32_t i = 0; i < LINE_MOST_WORDS; i++) {
            const uint32_t noise = (uint32_t)prng_next(&random);
            const uint32_t kinds[] = { 0,
                                       noise % 100,
                                       0x40000000u + 64 * noise % 4096,
                                       0x3F800000u + (noise % 8 << 20),
                                       0x3F000000u + noise % (1u << 22),
                                       noise };
            memcpy(&lines[l][4 * i], &kinds[l % 6], 4);
        }
    for (uint32_t l = 0; l < LINES; l++)
        sc_table_learn(&table, lines[l], LINE_MOST_BYTES);
    sc_codes_build(&codes, &table);
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*pack)(const uint8_t *, uint32_t, struct packed_line *);
        void (*unpack)(const struct packed_line *, uint32_t, uint8_t *);
    } rows[] = { { "bdi", bdi_pack, bdi_unpack },
                 { "fpc", fpc_pack, fpc_unpack },
                 { "cpack", cpack_pack, cpack_unpack },
                 { "bpc", bpc_pack, bpc_unpack },
                 { "sc", pack_sc, unpack_sc } };
    const double wanted = argc > 1 ? atof(argv[1]) : 0.5;
    make_lines();
    (void)printf("%-8s %12s %12s %8s\n", "", "pack MB/s", "unpack MB/s", "ratio");
    for (uint32_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double rate[2];
        uint64_t bits = 0;
        for (uint32_t side = 0; side < 2; side++) {
            uint64_t rounds = 0;
            const double begin = seconds();
            do {
                for (uint32_t l = 0; l < LINES; l++) {
                    uint8_t back[LINE_MOST_BYTES];
                    if (side == 0)
                        rows[r].pack(lines[l], LINE_MOST_BYTES, &packed[l]);
                    else
                        rows[r].unpack(&packed[l], LINE_MOST_BYTES, back);
                    __asm__ volatile("" : : "r"(back) : "memory");
                }
                rounds++;
            } while (seconds() - begin < wanted);
            rate[side] = (double)rounds * LINES * LINE_MOST_BYTES / (seconds() - begin) / 1e6;
        }
        for (uint32_t l = 0; l < LINES; l++)
            bits += packed[l].bits;
        (void)printf("%-8s %12.0f %12.0f %8.2f\n", rows[r].name, rate[0], rate[1],
                     (double)LINES * LINE_MOST_BYTES * 8 / (double)bits);
    }
    return 0;
}
