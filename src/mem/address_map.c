/* address_map.c - where an address lives: channel, bank, row, column, L2 slice. */
#include "mem/address_map.h"

#include "mem/ipoly.h"
#include "mem/page_table.h"

static const char *const slice_hash_names[] = { "none", "ipoly", "even", NULL };

/* Defaults: GTX 480 as the reference configures it, "dramid@8; ... RRRRRRRRRRRR BBB CCCC B CC SSSSSS" (most significant first). */
const struct param address_map_params[] = {
    PARAM_U32(struct address_map_config, channels, "map.channels", 6, 1, 4096, "channels", "memory channels of the machine"),
    PARAM_U32(struct address_map_config, slices_per_channel, "map.slices_per_channel", 2, 1, 64, "slices",
              "L2 slices per memory channel; a power of two"),
    PARAM_U32(struct address_map_config, channel_shift, "map.channel_shift", 8, 5, 40, "bits",
              "address bits below the channel number: 2^n consecutive bytes share a channel"),
    PARAM_LIST(struct address_map_config, bank_bits, "map.bank_bits", "8,13,14,15", "bits",
               "bits of the in-channel address that make the bank number, lowest first; the first ones pick the L2 slice"),
    PARAM_LIST(struct address_map_config, column_bits, "map.column_bits", "0,1,2,3,4,5,6,7,9,10,11,12", "bits",
               "bits of the in-channel address that make the column, lowest first"),
    PARAM_U32(struct address_map_config, row_first_bit, "map.row_first_bit", 16, 5, 63, "bits",
              "lowest bit of the in-channel address that belongs to the row"),
    PARAM_U32(struct address_map_config, row_bits, "map.row_bits", 12, 1, 32, "bits", "width of the row number"),
    PARAM_CHOICE(
        struct address_map_config, slice_hash, "map.slice_hash", "none", slice_hash_names,
        "the slice, and with it the channel, is as said above, or hashed by the bits above it modulo an irreducible "
        "polynomial (16, 32 or 64 slices; of others, the next of these, modulo their number); even: the channel moves on by "
        "that hash, modulo the channels, so that neighbouring blocks still go round all of them"),
    PARAM_BOOL(struct address_map_config, bank_xor, "map.bank_xor", false,
               "the bank is that of map.bank_bits XOR the low bits of the row, so that a stride of rows meets all banks"),
    PARAM_END
};

static bool power_of_two(uint64_t x)
{
    return x && (x & (x - 1)) == 0;
}

bool address_map_config_check(const struct address_map_config *config, struct error *err)
{
    const uint32_t banks = config->bank_bits.count < 32 ? 1u << config->bank_bits.count : 0;
    if (!power_of_two(config->slices_per_channel) || config->slices_per_channel > banks)
        return error_set(err,
                         "map.slices_per_channel is %u: it must be a power of two and at most the %u banks that "
                         "map.bank_bits gives",
                         config->slices_per_channel, banks);
    if (config->slice_hash == SLICE_HASH_IPOLY && !ipoly_sets(config->channels * config->slices_per_channel))
        return error_set(err, "map.slice_hash = ipoly: at most 64 L2 slices, not %u",
                         config->channels * config->slices_per_channel);
    if (config->row_first_bit + config->row_bits > 64)
        return error_set(err, "map.row_first_bit + map.row_bits is %u: at most 64", config->row_first_bit + config->row_bits);
    uint64_t used = ((config->row_bits < 64 ? UINT64_C(1) << config->row_bits : 0) - 1) << config->row_first_bit;
    const struct param_list *const lists[2] = { &config->bank_bits, &config->column_bits };
    for (uint32_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++) {
            const uint64_t bit = lists[l]->value[i];
            if (bit > 63 || (used >> bit & 1))
                return error_set(err, "map.%s names bit %llu, which is beyond 63 or already taken by another field",
                                 l == 0 ? "bank_bits" : "column_bits", (unsigned long long)bit);
            used |= UINT64_C(1) << bit;
        }
    return true;
}

/* The in-channel address and the channel, in one division: a short one if the address allows. */
static inline uint64_t split_over(uint32_t channels, uint32_t shift, uint64_t address, uint32_t *channel)
{
    const uint64_t low = (UINT64_C(1) << shift) - 1, block = address >> shift;
    const uint64_t quotient = block <= UINT32_MAX ? (uint32_t)block / channels : block / channels;
    *channel = (uint32_t)(block - quotient * channels);
    return quotient << shift | (address & low);
}

/* Of several modules the next block goes to the next module, and only then to the next channel of a module. */
static __attribute__((noinline)) uint64_t split_over_modules(const struct address_map_config *config, uint64_t address,
                                                             uint32_t *channel)
{
    uint32_t module, nth;
    uint64_t inside;
    const uint32_t modules = config->modules ? config->modules : 1, channels = config->channels / modules;
    if (config->pages && page_table_find(config->pages, address, &module, &inside)) {
        inside = split_over(channels, config->channel_shift, inside, &nth);
    } else {
        inside = split_over(config->channels, config->channel_shift, address, &nth);
        module = nth % modules;
        nth /= modules;
    }
    *channel = module * channels + nth;
    return inside;
}

static inline uint64_t split(const struct address_map_config *config, uint64_t address, uint32_t *channel)
{
    return seldom(config->pages || config->modules > 1) ? split_over_modules(config, address, channel)
                                                        : split_over(config->channels, config->channel_shift, address, channel);
}

uint64_t address_map_in_channel(const struct address_map_config *config, uint64_t address)
{
    uint32_t channel;
    return split(config, address, &channel);
}

static uint32_t gather(const struct param_list *bits, uint64_t address)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < bits->count; i++)
        value |= (uint32_t)(address >> bits->value[i] & 1) << i;
    return value;
}

/* Rau, ISCA 1991, over as many slices as the next of 16, 32 and 64. Where the channels are no power of two what lies above the
 * slice is the in-channel address above the cut, and the hash is taken modulo the slices: some then get more lines than others. */
static __attribute__((noinline)) uint32_t hashed_slice(const struct address_map_config *config, uint64_t address, uint64_t inside,
                                                       uint32_t slice)
{
    const uint32_t slices = config->channels * config->slices_per_channel, sets = ipoly_sets(slices);
    const uint32_t bits = (uint32_t)__builtin_ctz(sets);
    const uint64_t above =
        power_of_two(config->channels) ? address >> (config->channel_shift + bits) : inside >> config->channel_shift;
    return ipoly_hash(above << bits | slice, sets) % slices;
}

/* Every row of blocks that goes once round the channels still does, from a place of its own: no channel gets more than another,
 * however many there are, and a stride of a power of two meets them all. */
static __attribute__((noinline)) uint32_t moved_channel(const struct address_map_config *config, uint64_t inside, uint32_t channel)
{
    return (channel + ipoly_hash(inside >> config->channel_shift, 64)) % config->channels;
}

/* All except the column, which only closer looks need. */
static struct address_place locate(const struct address_map_config *config, uint64_t address)
{
    struct address_place p = { 0 };
    const uint64_t inside = split(config, address, &p.channel);
    p.bank = gather(&config->bank_bits, inside);
    p.row = (uint32_t)(inside >> config->row_first_bit & ((UINT64_C(1) << config->row_bits) - 1));
    if (seldom(config->slice_hash == SLICE_HASH_EVEN))
        p.channel = moved_channel(config, inside, p.channel);
    p.slice = p.channel * config->slices_per_channel + (p.bank & (config->slices_per_channel - 1));
    if (seldom(config->slice_hash == SLICE_HASH_IPOLY)) {
        p.slice = hashed_slice(config, address, inside, p.slice);
        p.channel = p.slice / config->slices_per_channel;
    }
    if (seldom(config->bank_xor))
        p.bank ^= p.row & ((1u << config->bank_bits.count) - 1);
    return p;
}

struct address_place address_map_locate(const struct address_map_config *config, uint64_t address)
{
    struct address_place p = locate(config, address);
    p.column = gather(&config->column_bits, address_map_in_channel(config, address));
    return p;
}

uint32_t address_map_slice(const struct address_map_config *config, uint64_t address)
{
    return locate(config, address).slice;
}

uint64_t address_map_slice_address(const struct address_map_config *config, uint64_t address)
{
    uint64_t inside = address_map_in_channel(config, address);
    uint64_t slice_bits = 0;
    for (uint32_t i = 0; (1u << i) < config->slices_per_channel; i++)
        slice_bits |= UINT64_C(1) << config->bank_bits.value[i];
    while (slice_bits) { /* from the highest down, so that squeezing one out does not move the next */
        const uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(slice_bits));
        inside = (inside >> 1 & ~(bit - 1)) | (inside & (bit - 1));
        slice_bits ^= bit;
    }
    return inside;
}

void address_map_place(const struct address_map_config *config, struct request *r)
{
    const struct address_place p = locate(config, r->address);
    r->slice = (uint16_t)p.slice;
    r->bank = (uint16_t)p.bank;
    r->row = p.row;
}
