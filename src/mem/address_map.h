/* address_map.h - where an address lives: channel, L2 slice, bank, row, column.
 *
 * The address is cut at `channel_shift`. What lies above is divided by the number of channels, which need not be a power of
 * two: the remainder is the channel, the quotient is put back on top of the low bits. That "in-channel address" is then read
 * bit by bit: bank bits, column bits and a field of row bits. The lowest bank bits also pick the L2 slice of the channel.
 *
 * In a machine of several modules the remainder goes round the modules first: with four, 0 is channel 0 of module 0 and 1 is
 * channel 0 of module 1. Numbered through, a module's channels would have 16 * 256 bytes of the MCM-GPU in a row, the width of a
 * module's CTAs in many programs, and paper 002 (5.2.2) wants addresses "fine-grain interleaved" over all memory.
 *
 * Where pages are placed (mem/page_table.h), the address within the memory of the page's module is cut in this way instead, over
 * the channels of that module. A page that nobody has touched has no place: it is looked for as if pages were not placed. */
#ifndef WARPLINE_MEM_ADDRESS_MAP_H
#define WARPLINE_MEM_ADDRESS_MAP_H
#include <stdint.h>

#include "base/error.h"
#include "mem/request.h"
#include "param/param.h"

enum slice_hash { SLICE_HASH_NONE, SLICE_HASH_IPOLY, SLICE_HASH_EVEN };

struct address_map_config {
    uint32_t channels, slices_per_channel;
    uint32_t channel_shift;
    struct param_list bank_bits, column_bits; /* positions in the in-channel address, low to high */
    uint32_t row_first_bit, row_bits;
    uint32_t slice_hash; /* enum slice_hash */
    bool bank_xor;
    /* Machines of several modules, which divide `channels` into equal parts, and pages that are placed: filled in by the
     * machine. */
    uint32_t modules;               /* 0: one */
    const struct page_table *pages; /* NULL: addresses are spread over all channels */
};
extern const struct param address_map_params[]; /* map.* */
bool address_map_config_check(const struct address_map_config *config, struct error *err);

struct address_place {
    uint32_t channel;
    uint32_t slice; /* global: channel * slices_per_channel + slice of the channel */
    uint32_t bank, row, column;
};

uint64_t address_map_in_channel(const struct address_map_config *config, uint64_t address);
struct address_place address_map_locate(const struct address_map_config *config, uint64_t address);
uint32_t address_map_slice(const struct address_map_config *config, uint64_t address); /* of these, the slice alone */
/* The in-channel address with the slice bits squeezed out: what an L2 slice indexes its sets and makes its tags with. */
uint64_t address_map_slice_address(const struct address_map_config *config, uint64_t address);
/* Fills channel, slice, bank and row of `r` from its address; a channel has no use for the column. */
void address_map_place(const struct address_map_config *config, struct request *r);
#endif
