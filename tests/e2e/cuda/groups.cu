// Cooperative groups: block, tiles, coalesced threads, and the whole grid.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int v = (int)block.thread_rank();
    for (int by = 4; by; by /= 2)
        v += tile.shfl_down(v, by);
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 8] = v;
    block.sync();
    if (block.thread_rank() % 3 == 0) {
        auto together = cg::coalesced_threads();
        if (together.thread_rank() == 0)
            atomicAdd(&out[32], (int)together.size());
    }
}
__global__ void phases(int *data, int n, int *out)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        data[i] = i;
    grid.sync();
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        out[i] = data[n - 1 - i];
    grid.sync();
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        data[i] = out[(i + 1) % n];
}
/* Each tile of a warp votes and matches for itself: the member masks of its lanes differ. */
__global__ void tiles_apart(int *out)
{
    const auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
    const int i = (int)threadIdx.x;
    out[i] = tile.any(i == 9) * 1000 + tile.all(i < 20) * 100 + (int)tile.ballot(i % 3 == 0);
}
static void check_tiles_apart()
{
    int *out = on_device<int>(nullptr, 32), host[32];
    tiles_apart<<<1, 32>>>(out);
    LAUNCHED();
    to_host(host, out, 32);
    for (int i = 0; i < 32; i++) {
        int ballot = 0;
        for (int k = 0; k < 4; k++)
            ballot |= (i / 4 * 4 + k) % 3 == 0 ? 1 << k : 0;
        CHECK(host[i] == (i / 4 == 2) * 1000 + (i < 20) * 100 + ballot);
    }
}
/* Tiles of several warps, parts of tiles, the copy of what both sides have room for, and one thread that works for all. */
__global__ void wide_tiles(int *out, const int *from)
{
    __shared__ cg::block_tile_memory<256> room;
    auto block = cg::this_thread_block(room);
    auto wide = cg::tiled_partition<64>(block);
    const int i = (int)block.thread_rank();
    out[i] = cg::reduce(wide, i, cg::plus<int>()) + (int)wide.meta_group_rank() * 100000;
    wide.sync();
    out[256 + i] = wide.any(i == 70) * 1000 + wide.all(i > 63) * 2000 + wide.shfl(i, 5);
    auto small = cg::tiled_partition<8>(block);
    auto thirds = cg::binary_partition(small, i % 3 == 0);
    auto labels = cg::labeled_partition(small, i % 4);
    out[512 + i] = (int)(thirds.size() * 10 + labels.size() * 100 + labels.meta_group_rank() * 1000 + labels.meta_group_size() * 10000);
    __shared__ int staged[100];
    cg::memcpy_async(block, staged, 100, from, 90);
    cg::wait_prior<0>(block);
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    out[768 + i] = staged[i % 90] + cg::invoke_one_broadcast(small, [&] { return i * 1000; });
}
static void check_wide_tiles()
{
    static int host[1024], from[100];
    for (int i = 0; i < 100; i++)
        from[i] = i * 3;
    int *out = on_device<int>(nullptr, 1024);
    wide_tiles<<<1, 256>>>(out, on_device(from, 100));
    LAUNCHED();
    to_host(host, out, 1024);
    for (int i = 0; i < 256; i++) {
        const int tile = i / 64, first = i / 8 * 8, thirds = (first % 3 == 1 ? 2 : 3);
        CHECK(host[i] == 64 * 64 * tile + 2016 + tile * 100000);
        CHECK(host[256 + i] == (tile == 1) * 1000 + (tile > 0) * 2000 + tile * 64 + 5);
        CHECK(host[512 + i] == (i % 3 == 0 ? thirds : 8 - thirds) * 10 + 200 + i % 4 * 1000 + 40000);
        CHECK(host[768 + i] == i % 90 * 3 + first * 1000);
    }
}
// Structs of any size go through a tile, as a softmax's maximum and sum do.
struct best {
    double value;
    short at;
};
__device__ best better(best a, best b) { return a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b; }
__global__ void structs(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const short lane = (short)warp.thread_rank();
    const best mine = { (double)(lane * 7 % 31), lane };
    const best all = cg::reduce(warp, mine, better), third = warp.shfl(mine, 3), next = warp.shfl_down(mine, 1);
    if (threadIdx.x % 2) {
        auto odd = cg::coalesced_threads();
        const best second = odd.shfl(mine, 2);
        out[threadIdx.x] = all.at * 10000 + third.at * 1000 + next.at * 10 + (second.at == 5);
    }
}
static void check_structs()
{
    int h[32], *d = on_device<int>(nullptr, 32);
    structs<<<1, 32>>>(d);
    LAUNCHED();
    to_host(h, d, 32);
    for (int i = 1; i < 32; i += 2)
        CHECK(h[i] == 22 * 10000 + 3 * 1000 + (i < 31 ? i + 1 : 31) * 10 + 1);
}
int main()
{
    check_tiles_apart();
    check_structs();
    check_wide_tiles();
    int h[33], *d = on_device<int>(nullptr, 33);
    tiles<<<1, 128>>>(d);
    LAUNCHED();
    to_host(h, d, 33);
    for (int i = 0; i < 16; i++)
        CHECK(h[i] == 8 * 8 * i + 28);
    CHECK(h[32] == 43);
    int n = 1000, *data = on_device<int>(nullptr, n), *out = on_device<int>(nullptr, n);
    void *args[] = { &data, &n, &out };
    CALL(cudaLaunchCooperativeKernel((const void *)phases, dim3(6), dim3(64), args, 0, 0));
    LAUNCHED();
    static int r[1000];
    to_host(r, data, n);
    for (int i = 0; i < n; i++)
        CHECK(r[i] == n - 1 - (i + 1) % n);
    CHECK(cudaLaunchCooperativeKernel((const void *)phases, dim3(100000), dim3(64), args, 0, 0) == cudaErrorCooperativeLaunchTooLarge);
    return done();
}
