/* Cooperative groups: the block, tiles of a warp, the threads that happen to be together, and the grid. */
#ifndef WARPLINE_COOPERATIVE_GROUPS_H
#define WARPLINE_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"

namespace cooperative_groups {
#define WARPLINE_GROUP static __device__ __forceinline__

class thread_block {
public:
    __device__ void sync() const { __syncthreads(); }
    __device__ unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ unsigned num_threads() const { return size(); }
    __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
WARPLINE_GROUP thread_block this_thread_block() { return thread_block(); }

/* `Size` neighbouring threads of a warp, a power of two. */
template <unsigned Size> class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    __device__ unsigned lane() const { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
    __device__ unsigned mask() const { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (lane() & ~(Size - 1)); }
public:
    __device__ void sync() const { __syncwarp(mask()); }
    __device__ unsigned thread_rank() const { return lane() & (Size - 1); }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
    __device__ unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
    template <class T> __device__ T shfl(T v, int from) const { return __shfl_sync(mask(), v, from, Size); }
    template <class T> __device__ T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask(), v, by, Size); }
    template <class T> __device__ T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask(), v, by, Size); }
    template <class T> __device__ T shfl_xor(T v, int by) const { return __shfl_xor_sync(mask(), v, by, Size); }
    __device__ int any(int p) const { return __any_sync(mask(), p); }
    __device__ int all(int p) const { return __all_sync(mask(), p); }
    __device__ unsigned ballot(int p) const { return (__ballot_sync(mask(), p) & mask()) >> (lane() & ~(Size - 1)); }
};
template <unsigned Size, class Parent> WARPLINE_GROUP thread_block_tile<Size> tiled_partition(const Parent &)
{ return thread_block_tile<Size>(); }

/* The threads that run together at this point. */
class coalesced_group {
    unsigned mask_;
public:
    __device__ explicit coalesced_group(unsigned mask) : mask_(mask) {}
    __device__ void sync() const { __syncwarp(mask_); }
    __device__ unsigned size() const { return (unsigned)__popc(mask_); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const
    {
        unsigned below;
        asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
        return (unsigned)__popc(mask_ & below);
    }
    template <class T> __device__ T shfl(T v, int rank) const
    {
        unsigned left = mask_;
        for (int i = 0; i < rank; i++)
            left &= left - 1;
        return __shfl_sync(mask_, v, __ffs(left) - 1);
    }
    __device__ int any(int p) const { return __any_sync(mask_, p); }
    __device__ int all(int p) const { return __all_sync(mask_, p); }
};
WARPLINE_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* All threads of a launch made with cudaLaunchCooperativeKernel. The barrier counts blocks: the last one turns the top bit. */
namespace warpline_detail { static __device__ unsigned grid_arrived; }
class grid_group {
public:
    __device__ bool is_valid() const { return true; }
    __device__ unsigned long long size() const
    { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z; }
    __device__ unsigned long long num_threads() const { return size(); }
    __device__ unsigned long long thread_rank() const
    {
        const unsigned long long block = blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
        return block * this_thread_block().size() + this_thread_block().thread_rank();
    }
    __device__ void sync() const
    {
        __syncthreads();
        if (this_thread_block().thread_rank() == 0) {
            const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
            const unsigned step = first ? 0x80000000u - (blocks - 1) : 1u;
            __threadfence();
            const unsigned before = atomicAdd(&warpline_detail::grid_arrived, step);
            while (((before ^ *(volatile unsigned *)&warpline_detail::grid_arrived) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
};
WARPLINE_GROUP grid_group this_grid() { return grid_group(); }

template <class Group> WARPLINE_GROUP void sync(const Group &group) { group.sync(); }

/* Reductions over a tile. */
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <unsigned Size, class T, class Op> WARPLINE_GROUP T reduce(const thread_block_tile<Size> &tile, T value, Op op)
{
    for (int by = Size / 2; by > 0; by /= 2)
        value = op(value, tile.shfl_xor(value, by));
    return value;
}
#undef WARPLINE_GROUP
} /* namespace cooperative_groups */
#endif
