// Cooperative groups: block, tiles, coalesced threads, and the whole grid.
#include "check.h"
#include <cooperative_groups.h>
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
int main()
{
    check_tiles_apart();
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
