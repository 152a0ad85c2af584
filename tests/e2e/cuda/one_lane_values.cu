// Values that only one lane has set and all lanes shuffle, as aggregated atomics have them: other lanes' are never looked at.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
enum { N = 400, KEYS = 7 };
__device__ int with_group(int *counter)
{
    cg::coalesced_group together = cg::coalesced_threads();
    int first;
    if (together.thread_rank() == 0)
        first = atomicAdd(counter, (int)together.size());
    return together.shfl(first, 0) + (int)together.thread_rank();
}
__device__ int with_mask(int *counter, unsigned mask)
{
    const int lane = (int)threadIdx.x % 32, leader = __ffs((int)mask) - 1;
    int first;
    if (lane == leader)
        first = atomicAdd(counter, __popc(mask));
    return __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
}
__global__ void pack(int *counters, int *by_group, int *by_mask, int *of_key)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i % 3) {
        by_group[with_group(counters)] = i;
        by_mask[with_mask(counters + 1, __activemask())] = i;
    }
    of_key[i] = with_mask(counters + 2 + i % KEYS, __match_any_sync(__activemask(), i % KEYS));
}
__global__ void tiles_of_tiles(unsigned *out)
{
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
    out[threadIdx.x] = eight.meta_group_rank() + 100 * eight.meta_group_size() + 10000 * warp.meta_group_rank();
}
int main()
{
    int *counters = on_device<int>(nullptr, 2 + KEYS), *by_group = on_device<int>(nullptr, N), *by_mask = on_device<int>(nullptr, N);
    int *of_key = on_device<int>(nullptr, N), found[2 + KEYS], host[N];
    pack<<<4, N / 4>>>(counters, by_group, by_mask, of_key);
    LAUNCHED();
    to_host(found, counters, 2 + KEYS);
    const int kept = N - (N + 2) / 3;
    CHECK(found[0] == kept && found[1] == kept);
    for (int *list : { by_group, by_mask }) {
        bool seen[N] = { false };
        to_host(host, list, N);
        for (int i = 0; i < kept; i++) {
            CHECK(host[i] % 3 && !seen[host[i]]);
            seen[host[i]] = true;
        }
    }
    to_host(host, of_key, N);
    for (int key = 0; key < KEYS; key++) {
        int sum = 0, n = 0;
        for (int i = key; i < N; i += KEYS, n++)
            sum += host[i];
        CHECK(found[2 + key] == n && sum == n * (n - 1) / 2);
    }
    unsigned *out = on_device<unsigned>(nullptr, 64), ranks[64];
    tiles_of_tiles<<<1, 64>>>(out);
    LAUNCHED();
    to_host(ranks, out, 64);
    for (unsigned i = 0; i < 64; i++)
        CHECK(ranks[i] == i % 32 / 8 + 400 + i / 32 * 10000);
    return done();
}
