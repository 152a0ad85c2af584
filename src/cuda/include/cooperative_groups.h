/* Cooperative groups: the block, tiles of a warp, the threads that happen to be together, and the grid. */
#ifndef WARPLINE_COOPERATIVE_GROUPS_H
#define WARPLINE_COOPERATIVE_GROUPS_H
#include "bits/names_hidden.h"
#include "cuda_runtime.h"

namespace cooperative_groups {
#define WARPLINE_GROUP static __device__ __forceinline__

/* Any group, as functions that take one by reference see it: a block or part of a warp, told apart at run time. */
class thread_group {
protected:
    unsigned mask_; /* of the warp; 0: the whole block */
    __device__ explicit thread_group(unsigned mask) : mask_(mask) {}
    __device__ static unsigned lanes_below() { unsigned below; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below)); return below; }
    template <unsigned Size, class P> friend class thread_block_tile;
    friend class coalesced_group;
    friend __device__ inline thread_group tiled_partition(const thread_group &parent, unsigned size);
public:
    __device__ void sync() const { if (mask_) __syncwarp(mask_); else __syncthreads(); }
    __device__ unsigned size() const { return mask_ ? (unsigned)__popc(mask_) : blockDim.x * blockDim.y * blockDim.z; }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const
    { return mask_ ? (unsigned)__popc(mask_ & lanes_below()) : threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ bool is_valid() const { return true; }
};
__device__ inline thread_group tiled_partition(const thread_group &, unsigned size)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return thread_group(size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (lane & ~(size - 1)));
}

class thread_block : public thread_group {
public:
    __device__ thread_block() : thread_group(0) {}
    __device__ static void sync() { __syncthreads(); }
    __device__ dim3 dim_threads() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned num_threads() { return size(); }
    __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    /* A barrier in two halves: the first may as well wait for all. */
    struct arrival_token {};
    __device__ arrival_token barrier_arrive() const { sync(); return arrival_token(); }
    __device__ void barrier_wait(arrival_token &&) const {}
};
WARPLINE_GROUP thread_block this_thread_block() { return thread_block(); }
/* Room that tiles of several warps ask for; ours find their own. */
template <unsigned MostThreads = 1024> struct block_tile_memory {};
template <unsigned MostThreads> WARPLINE_GROUP thread_block this_thread_block(block_tile_memory<MostThreads> &) { return thread_block(); }

/* How many tiles of `Size` threads a parent is cut into, and the caller's: a tile's own are counted within it, not within the block. */
template <unsigned Size, class Parent> struct warpline_cut {
    __device__ static unsigned rank() { return thread_block::thread_rank() / Size; }
    __device__ static unsigned count() { return (thread_block::size() + Size - 1) / Size; }
};
template <unsigned Size, class Parent = void> class thread_block_tile;
template <unsigned Size, unsigned Whole, class P> struct warpline_cut<Size, thread_block_tile<Whole, P>> {
    __device__ static unsigned rank() { return thread_block::thread_rank() % Whole / Size; }
    __device__ static constexpr unsigned count() { return Whole / Size; }
};

/* Structs are shuffled word by word; `f` shuffles one. */
template <class T, class F> __device__ inline T warpline_words(const T &v, F f)
{
    if constexpr (__is_class(T) || __is_union(T)) {
        constexpr unsigned count = (sizeof(T) + 3) / 4;
        unsigned words[count] = {};
        __builtin_memcpy(words, &v, sizeof(T));
        for (unsigned i = 0; i < count; i++)
            words[i] = f(words[i]);
        T other = v;
        __builtin_memcpy((void *)&other, words, sizeof(T));
        return other;
    } else {
        return f(v);
    }
}

/* `Size` neighbouring threads of a warp, a power of two. */
template <unsigned Size, class Parent> class thread_block_tile : public thread_group {
    unsigned meta_rank_, meta_size_;
    template <unsigned S, class P> friend class thread_block_tile;
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile's threads are a power of two, at most 1024");
    __device__ unsigned lane() const { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
    __device__ static unsigned members()
    { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (l & ~(Size - 1)); }
    __device__ unsigned mask() const { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (lane() & ~(Size - 1)); }
public:
    __device__ thread_block_tile()
        : thread_group(members()), meta_rank_(warpline_cut<Size, Parent>::rank()), meta_size_(warpline_cut<Size, Parent>::count()) {}
    template <class P> __device__ thread_block_tile(const thread_block_tile<Size, P> &other)
        : thread_group(members()), meta_rank_(other.meta_rank_), meta_size_(other.meta_size_) {}
    __device__ void sync() const { __syncwarp(mask()); }
    __device__ unsigned thread_rank() const { return lane() & (Size - 1); }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }
    template <class T> __device__ T shfl(T v, int from) const { return warpline_words(v, [=](auto x) { return __shfl_sync(mask(), x, from, Size); }); }
    template <class T> __device__ T shfl_up(T v, unsigned by) const { return warpline_words(v, [=](auto x) { return __shfl_up_sync(mask(), x, by, Size); }); }
    template <class T> __device__ T shfl_down(T v, unsigned by) const { return warpline_words(v, [=](auto x) { return __shfl_down_sync(mask(), x, by, Size); }); }
    template <class T> __device__ T shfl_xor(T v, int by) const { return warpline_words(v, [=](auto x) { return __shfl_xor_sync(mask(), x, by, Size); }); }
    __device__ int any(int p) const { return __any_sync(mask(), p); }
    __device__ int all(int p) const { return __all_sync(mask(), p); }
    __device__ unsigned ballot(int p) const { return (__ballot_sync(mask(), p) & mask()) >> (lane() & ~(Size - 1)); }
    template <class T> __device__ unsigned match_any(T v) const { return (__match_any_sync(mask(), v) & mask()) >> (lane() & ~(Size - 1)); }
    template <class T> __device__ unsigned match_all(T v, int &all) const
    { return (__match_all_sync(mask(), v, &all) & mask()) >> (lane() & ~(Size - 1)); }
};
/* Tiles of several warps: a hardware barrier each, and shared memory to hand values over. */
template <unsigned Size, class Parent> class warpline_wide_tile {
public:
    __device__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(1 + meta_group_rank()), "n"(Size) : "memory"); }
    __device__ unsigned thread_rank() const { return thread_block::thread_rank() % Size; }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ unsigned meta_group_rank() const { return warpline_cut<Size, Parent>::rank(); }
    __device__ unsigned meta_group_size() const { return warpline_cut<Size, Parent>::count(); }
    template <class T> __device__ T shfl(T value, int from) const
    {
        __shared__ T handed[1024 / Size];
        if (thread_rank() == (unsigned)from)
            handed[thread_block::thread_rank() / Size] = value;
        sync();
        value = handed[thread_block::thread_rank() / Size];
        sync();
        return value;
    }
    __device__ int any(int p) const { return count(p) != 0; }
    __device__ int all(int p) const { return count(p) == (int)Size; }
    /* The warps' values one after the other, so that every thread gets the same. */
    template <class T, class Op> __device__ T fold(T value, Op op) const
    {
        __shared__ T of_warp[32];
        const unsigned warp = thread_block::thread_rank() / 32, first = thread_block::thread_rank() / Size * (Size / 32);
        for (int by = 16; by > 0; by /= 2)
            value = op(value, warpline_words(value, [=](auto x) { return __shfl_xor_sync(0xffffffffu, x, by); }));
        if (thread_block::thread_rank() % 32 == 0)
            of_warp[warp] = value;
        sync();
        value = of_warp[first];
        for (unsigned i = 1; i < Size / 32; i++)
            value = op(value, of_warp[first + i]);
        sync();
        return value;
    }
private:
    struct sum { __device__ int operator()(int a, int b) const { return a + b; } };
    __device__ int count(int p) const { return fold(p ? 1 : 0, sum()); }
};
template <class Parent> class thread_block_tile<64, Parent> : public warpline_wide_tile<64, Parent> {};
template <class Parent> class thread_block_tile<128, Parent> : public warpline_wide_tile<128, Parent> {};
template <class Parent> class thread_block_tile<256, Parent> : public warpline_wide_tile<256, Parent> {};
template <class Parent> class thread_block_tile<512, Parent> : public warpline_wide_tile<512, Parent> {};
template <class Parent> class thread_block_tile<1024, Parent> : public warpline_wide_tile<1024, Parent> {};
template <unsigned Size, class Parent> WARPLINE_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{ return thread_block_tile<Size, Parent>(); }

/* The threads that run together at this point. */
class coalesced_group : public thread_group {
    unsigned meta_rank_, meta_size_; /* among the parts that labeled_partition makes */
    __device__ int lane_of(unsigned rank) const
    {
        unsigned left = mask_;
        for (unsigned i = 0; i < rank; i++)
            left &= left - 1;
        return __ffs((int)left) - 1;
    }
    /* Lane masks with a bit per member, in order of rank. */
    __device__ unsigned packed(unsigned lanes) const
    {
        unsigned result = 0, rank = 0;
        for (unsigned left = mask_; left; left &= left - 1, rank++)
            result |= (lanes & left & (0u - left) ? 1u : 0u) << rank;
        return result;
    }
public:
    __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : thread_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    __device__ void sync() const { __syncwarp(mask_); }
    __device__ unsigned size() const { return (unsigned)__popc(mask_); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return (unsigned)__popc(mask_ & lanes_below()); }
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }
    template <class T> __device__ T shfl(T v, int rank) const { return warpline_words(v, [=](auto x) { return __shfl_sync(mask_, x, lane_of((unsigned)rank)); }); }
    template <class T> __device__ T shfl_down(T v, unsigned by) const
    {
        const unsigned from = thread_rank() + by;
        return warpline_words(v, [=](auto x) { return __shfl_sync(mask_, x, lane_of(from < size() ? from : thread_rank())); });
    }
    template <class T> __device__ T shfl_up(T v, unsigned by) const
    {
        const unsigned rank = thread_rank();
        return warpline_words(v, [=](auto x) { return __shfl_sync(mask_, x, lane_of(rank >= by ? rank - by : rank)); });
    }
    __device__ int any(int p) const { return __any_sync(mask_, p); }
    __device__ int all(int p) const { return __all_sync(mask_, p); }
    __device__ unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
    template <class T> __device__ unsigned match_any(T v) const { return packed(__match_any_sync(mask_, v)); }
    template <class T> __device__ unsigned match_all(T v, int &all) const { return packed(__match_all_sync(mask_, v, &all)); }
};
WARPLINE_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* All threads of a launch made with cudaLaunchCooperativeKernel. The barrier counts blocks: the last one turns the top bit. */
namespace warpline_detail { static __device__ unsigned grid_arrived; }
class grid_group {
public:
    __device__ bool is_valid() const { return true; }
    __device__ dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ dim3 dim_blocks() const { return group_dim(); }
    __device__ dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    struct arrival_token {};
    __device__ arrival_token barrier_arrive() const { sync(); return arrival_token(); }
    __device__ void barrier_wait(arrival_token &&) const {}
    __device__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __device__ unsigned long long block_rank() const
    { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); }
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

/* Reductions and scans over a tile or the threads that are together. */
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <unsigned Size, class P, class T, class Op> WARPLINE_GROUP T reduce(const thread_block_tile<Size, P> &tile, T value, Op op)
{
    for (int by = Size / 2; by > 0; by /= 2)
        value = op(value, tile.shfl_xor(value, by));
    return value;
}
#define WARPLINE_WIDE(size)                                                                                                   \
    template <class P, class T, class Op> WARPLINE_GROUP T reduce(const thread_block_tile<size, P> &tile, T value, Op op)     \
    { return tile.fold(value, op); }
WARPLINE_WIDE(64) WARPLINE_WIDE(128) WARPLINE_WIDE(256) WARPLINE_WIDE(512) WARPLINE_WIDE(1024)
#undef WARPLINE_WIDE
template <class T, class Op> WARPLINE_GROUP T reduce(const coalesced_group &group, T value, Op op)
{
    T sum = group.shfl(value, 0);
    for (unsigned i = 1; i < group.size(); i++)
        sum = op(sum, group.shfl(value, (int)i));
    return sum;
}
template <class Group, class T, class Op> WARPLINE_GROUP T inclusive_scan(const Group &group, T value, Op op)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        const T before = group.shfl_up(value, by);
        if (group.thread_rank() >= by)
            value = op(before, value);
    }
    return value;
}
template <class Group, class T> WARPLINE_GROUP T inclusive_scan(const Group &group, T value) { return inclusive_scan(group, value, plus<T>()); }
template <class Group, class T, class Op> WARPLINE_GROUP T exclusive_scan(const Group &group, T value, Op op)
{
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() ? before : T();
}
template <class Group, class T> WARPLINE_GROUP T exclusive_scan(const Group &group, T value) { return exclusive_scan(group, value, plus<T>()); }

/* Copies that hardware makes in the background are done when the call returns; waiting is a barrier. */
WARPLINE_GROUP void warpline_copy(unsigned long long rank, unsigned long long size, char *to, const char *from, size_t bytes)
{
    if (((size_t)to | (size_t)from | bytes) % 4 == 0) {
        for (size_t i = rank; i < bytes / 4; i += size)
            ((unsigned *)to)[i] = ((const unsigned *)from)[i];
        return;
    }
    for (size_t i = rank; i < bytes; i += size)
        to[i] = from[i];
}
template <class Group, class T> WARPLINE_GROUP void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{ warpline_copy(group.thread_rank(), group.size(), (char *)to, (const char *)from, bytes); }
template <class Group> WARPLINE_GROUP void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{ warpline_copy(group.thread_rank(), group.size(), (char *)to, (const char *)from, bytes); }
/* With the elements that either side has room for. */
template <class Group, class T> WARPLINE_GROUP void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t there)
{ warpline_copy(group.thread_rank(), group.size(), (char *)to, (const char *)from, (room < there ? room : there) * sizeof(T)); }
template <class Group> WARPLINE_GROUP void wait(const Group &group) { group.sync(); }
template <unsigned Prior, class Group> WARPLINE_GROUP void wait_prior(const Group &group) { group.sync(); }

/* The lanes of a group, as far as they run together here. */
template <unsigned Size, class P> WARPLINE_GROUP unsigned warpline_members(const thread_block_tile<Size, P> &tile)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return __activemask() & (Size >= 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (lane - tile.thread_rank()));
}
template <class Group> WARPLINE_GROUP unsigned warpline_members(const Group &) { return __activemask(); }
/* The threads of a group that share a label or a predicate, numbered by the lane where each part begins. */
template <class Group, class Label> WARPLINE_GROUP coalesced_group labeled_partition(const Group &group, Label label)
{
    const unsigned members = warpline_members(group), mine = __match_any_sync(members, label);
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    const unsigned firsts = __ballot_sync(members, lane == (unsigned)__ffs((int)mine) - 1);
    return coalesced_group(mine, (unsigned)__popc(firsts & ((mine & (0u - mine)) - 1)), (unsigned)__popc(firsts));
}
template <class Group> WARPLINE_GROUP coalesced_group binary_partition(const Group &group, bool predicate)
{
    const unsigned members = warpline_members(group), yes = __ballot_sync(members, predicate);
    return coalesced_group(predicate ? yes : members & ~yes, predicate ? 0 : 1, 2);
}

/* One thread of the group calls; with _broadcast the others get what it returned. */
template <class Group, class F, class... A> WARPLINE_GROUP void invoke_one(const Group &group, F &&f, A &&...a)
{
    if (group.thread_rank() == 0)
        f(static_cast<A &&>(a)...);
}
template <class Group, class F, class... A> WARPLINE_GROUP auto invoke_one_broadcast(const Group &group, F &&f, A &&...a) -> decltype(f(a...))
{
    decltype(f(a...)) result{};
    if (group.thread_rank() == 0)
        result = f(static_cast<A &&>(a)...);
    return group.shfl(result, 0);
}
#undef WARPLINE_GROUP
} /* namespace cooperative_groups */
#include "bits/names_shown.h"
#endif
