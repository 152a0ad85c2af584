/* llc_reference.c - misses of a CPU's caches, found in another way: a program of its own that shares no code with warpline.
 *
 *     llc_reference WARMUP COUNT < plain ChampSim records        L1I 32 KB 4-way, L1D 32 KB 8-way, L2 256 KB 8-way, L3 1 MB 16-way
 *
 * prints the L3's misses under LRU and SRRIP, and the L2's. In program order; pages at random places, as in docs/cpu.md. Sets are
 * kept as lists from the most to the least recently used, where warpline keeps stamps. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    uint64_t ip;
    uint8_t branch, taken, dest[2], source[4];
    uint64_t memory[6]; /* two written, four read */
};
struct way {
    uint64_t line; /* + 1 */
    int dirty;
};
struct cache {
    int sets, ways;
    struct way *way; /* most recent first */
    uint64_t misses;
};
enum { L3_SETS = 1024, L3_WAYS = 16, PAGES = 1 << 20 };

static struct cache l1i = { 128, 4, NULL, 0 }, l1d = { 64, 8, NULL, 0 }, l2 = { 512, 8, NULL, 0 },
                    l3 = { L3_SETS, L3_WAYS, NULL, 0 };
static struct {
    uint64_t line;
    int prediction;
} srrip[L3_SETS][L3_WAYS];
static uint64_t srrip_misses, page_of[PAGES], place_of[PAGES], random_state = 88172645463325252u;

static uint64_t line_of(uint64_t address)
{
    const uint64_t page = (address >> 12) + 1;
    uint64_t h = page * 2654435761u % PAGES;
    while (page_of[h] && page_of[h] != page)
        h = (h + 1) % PAGES;
    if (!page_of[h]) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
        page_of[h] = page;
        place_of[h] = random_state % (1u << 28);
    }
    return place_of[h] * 64 + (address >> 6) % 64;
}

/* Moves the line to the front, or puts it there: 1 when it was there. *out: the dirty line that left, + 1. `quiet`: no move. */
static int touch(struct cache *c, uint64_t line, int dirty, int quiet, uint64_t *out)
{
    struct way *set = c->way + line % (uint64_t)c->sets * (uint64_t)c->ways, found = { line + 1, dirty };
    int at = 0;
    *out = 0;
    while (at < c->ways - 1 && set[at].line && set[at].line != line + 1)
        at++;
    const int hit = set[at].line == line + 1;
    if (hit && quiet) {
        set[at].dirty |= dirty;
        return 1;
    }
    if (hit)
        found.dirty |= set[at].dirty;
    else if (set[at].line && set[at].dirty)
        *out = set[at].line;
    memmove(set + 1, set, (size_t)at * sizeof *set);
    set[0] = found;
    return hit;
}

static void access_srrip(uint64_t line, int write_back)
{
    const uint64_t s = line % L3_SETS;
    int victim = -1;
    for (int w = 0; w < L3_WAYS; w++)
        if (srrip[s][w].line == line + 1) {
            if (!write_back)
                srrip[s][w].prediction = 0;
            return;
        }
    srrip_misses += !write_back;
    for (int w = 0; w < L3_WAYS && victim < 0; w++)
        if (!srrip[s][w].line)
            victim = w;
    while (victim < 0) {
        for (int w = 0; w < L3_WAYS && victim < 0; w++)
            if (srrip[s][w].prediction == 3)
                victim = w;
        for (int w = 0; w < L3_WAYS && victim < 0; w++)
            srrip[s][w].prediction++;
    }
    srrip[s][victim].line = line + 1;
    srrip[s][victim].prediction = 2;
}

static void access_l3(uint64_t line, int write_back)
{
    uint64_t gone;
    const int hit = touch(&l3, line, write_back, write_back, &gone);
    l3.misses += !hit && !write_back;
    access_srrip(line, write_back);
}

static void access_l2(uint64_t line, int write_back)
{
    uint64_t gone;
    const int hit = touch(&l2, line, write_back, 0, &gone);
    if (gone)
        access_l3(gone - 1, 1);
    if (!hit && !write_back) {
        l2.misses++;
        access_l3(line, 0);
    }
}

static void access_l1(struct cache *c, uint64_t address, int write)
{
    uint64_t gone;
    const uint64_t line = line_of(address);
    const int hit = touch(c, line, write, 0, &gone);
    if (gone)
        access_l2(gone - 1, 1);
    if (!hit)
        access_l2(line, 0);
}

int main(int argc, char **argv)
{
    const long warm = argc > 1 ? atol(argv[1]) : 0, count = argc > 2 ? atol(argv[2]) : 0;
    struct cache *const all[] = { &l1i, &l1d, &l2, &l3 };
    struct record r;
    uint64_t fetched = UINT64_MAX;
    for (int i = 0; i < 4; i++)
        all[i]->way = calloc((size_t)(all[i]->sets * all[i]->ways), sizeof *all[i]->way);
    for (long n = 0; (!count || n < warm + count) && fread(&r, sizeof r, 1, stdin) == 1; n++) {
        if (n == warm)
            l2.misses = l3.misses = srrip_misses = 0;
        if (r.ip / 64 != fetched) {
            fetched = r.ip / 64;
            access_l1(&l1i, r.ip, 0);
        }
        for (int i = 2; i < 8; i++) /* what is read first */
            if (r.memory[i % 6])
                access_l1(&l1d, r.memory[i % 6], i >= 6);
    }
    printf("%llu %llu %llu\n", (unsigned long long)l3.misses, (unsigned long long)srrip_misses, (unsigned long long)l2.misses);
    return 0;
}
