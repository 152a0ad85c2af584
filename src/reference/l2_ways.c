/* l2_ways.c - four mistakes of GPGPU-Sim's L2: data go to the way that their miss took; stores reach the line after theirs;
 * sectors of constants share an MSHR entry; masks of written bytes are not cleared. */
#include "gpu/gpu.h"
#include "mem/l2_state.h"
#include "reference/reference.h"

/* GPGPU-Sim adds the number of the sector within the line to the address of the request, not to that of the line. So a 64-byte
 * store to the upper half of a line reaches sectors 2 and 3 of the next line, in the slice of the right line. (It is the only
 * request whose sector mask does not begin at the line.) The counters show it: stores that should hit miss, and lines that
 * nobody reads take room. */
static void misplace(const struct l2_slice *s, struct request *r)
{
    if (r->write && r->bytes == 64 && r->address % s->config.line_bytes == 64)
        r->address += s->config.line_bytes;
}

/* Both sectors of a constant cache's 64-byte read carry the first one's address. So they share an entry, and the fill marks only
 * the sector of the read that asked first. The other stays reserved until somebody asks for it again and fetches it. A kernel's
 * first parameter load therefore goes to DRAM twice. */
static uint64_t shared_key(const struct request *r)
{
    return r->kind == REQUEST_CONST_READ ? r->address & ~(uint64_t)(2 * SECTOR_BYTES - 1) : r->address;
}

static void joined_shared(struct l2_slice *s, const struct request *r, struct mshr_entry *e, uint32_t line)
{
    if (r->kind == REQUEST_CONST_READ)
        e->line = line;
    else
        l2_join(s, r, e, line);
}

/* The data go to the way of the read that asked first, or already went there. */
static void joined_blindly(struct l2_slice *s, const struct request *r, struct mshr_entry *e, uint32_t line)
{
    (void)s, (void)r, (void)e, (void)line;
}

static uint32_t fill_blindly(struct l2_slice *s, const struct request *r, const struct mshr_entry *e)
{
    reference_fill_way(s->tags, e->line, l2_sector(s, r), &r->mask);
    return e->line;
}

/* The mask of the bytes that a 128-byte store writes is not cleared between its sectors. Each sector gets the bytes of the
 * sectors before it as well, and counts as wholly written when 32 bits are set, wherever they lie. */
static const struct byte_mask sectors_so_far[] = {
    { { UINT32_MAX, 0 } }, { { UINT64_MAX, 0 } }, { { UINT64_MAX, UINT32_MAX } }, { { UINT64_MAX, UINT64_MAX } }
};

static bool has_a_sectors_bytes(const struct tag_array *tags, const struct byte_mask *bytes)
{
    (void)tags;
    return __builtin_popcountll(bytes->word[0]) + __builtin_popcountll(bytes->word[1]) == SECTOR_BYTES;
}

/* Copies to the host leave their sectors behind; memset, copies within the device and to symbols do not. */
const bool reference_copy_fills[] = { [HOST_COPY_IN] = true, [HOST_COPY_OUT] = true, [HOST_SET] = false };

struct l2_otherwise reference_l2_ways(const struct reference_config *config)
{
    static const struct tag_otherwise lines[2][2] = {
        /* blind fills; masks that add up */
        { { 0 }, { .passes_for_whole = has_a_sectors_bytes } },
        { { .forget = reference_forget }, { .forget = reference_forget, .passes_for_whole = has_a_sectors_bytes } }
    };
    struct l2_otherwise ways = { .tags = &lines[config->l2_blind_fills][config->masks_add_up] };
    if (config->misplace_upper_half)
        ways.misplace = misplace;
    if (config->constants_share_mshr) {
        ways.mshr_key = shared_key;
        ways.joined = joined_shared;
    }
    if (config->l2_blind_fills) {
        ways.joined = joined_blindly;
        ways.fill = fill_blindly;
    }
    if (config->masks_add_up)
        ways.masks_of_128 = sectors_so_far;
    return ways;
}
