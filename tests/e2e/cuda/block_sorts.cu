// Sorts inside a block as the SDK writes them: a split radix sort by ballots, a bitonic sort of pairs, a merge along diagonals. The radix
// sort's total is a __shared__ scalar that one thread writes between two barriers.
#include "check.h"
#include <algorithm>
#include <random>
#include <vector>

template <unsigned Ascending> __device__ inline void put_in_order(unsigned &key_a, unsigned &value_a, unsigned &key_b, unsigned &value_b)
{
    if ((key_a > key_b) != Ascending)
        return;
    const unsigned key = key_a, value = value_a;
    key_a = key_b;
    value_a = value_b;
    key_b = key;
    value_b = value;
}

__global__ void bitonic(unsigned *keys, unsigned *values)
{
    __shared__ unsigned key[512], value[512];
    const unsigned first = blockIdx.x * 512 + threadIdx.x, me = threadIdx.x;
    for (unsigned i = 0; i < 512; i += 256) {
        key[me + i] = keys[first + i];
        value[me + i] = values[first + i];
    }
    for (unsigned size = 2; size <= 512; size <<= 1) {
        const bool down = size < 512 && (me & (size / 2)) != 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            const unsigned at = 2 * me - (me & (stride - 1));
            if (down)
                put_in_order<0>(key[at], value[at], key[at + stride], value[at + stride]);
            else
                put_in_order<1>(key[at], value[at], key[at + stride], value[at + stride]);
        }
    }
    __syncthreads();
    for (unsigned i = 0; i < 512; i += 256) {
        keys[first + i] = key[me + i];
        values[first + i] = value[me + i];
    }
}

__global__ void split_radix(unsigned *keys)
{
    __shared__ unsigned moved[256], zeros_before[8], zeros;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned key = keys[threadIdx.x];
    for (int bit = 0; bit < 32; bit++) {
        const bool is_one = key >> bit & 1;
        const unsigned mask = __ballot_sync(~0u, !is_one);
        if (lane == 0)
            zeros_before[warp] = __popc(mask);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned sum = 0;
            for (int i = 0; i < 8; i++) {
                const unsigned mine = zeros_before[i];
                zeros_before[i] = sum;
                sum += mine;
            }
            zeros = sum;
        }
        __syncthreads();
        const unsigned rank = zeros_before[warp] + __popc(mask & ((1u << lane) - 1));
        moved[is_one ? zeros + threadIdx.x - rank : rank] = key;
        __syncthreads();
        key = moved[threadIdx.x];
        __syncthreads();
    }
    keys[threadIdx.x] = key;
}

__host__ __device__ inline int from_first(const int *a, int a_count, const int *b, int b_count, int diagonal)
{
    int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (a[middle] < b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge(const int *__restrict__ a, int a_count, const int *__restrict__ b, int b_count, int *__restrict__ out, int per_thread)
{
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
    if (begin >= a_count + b_count)
        return;
    int i = from_first(a, a_count, b, b_count, begin), j = begin - i;
    for (int k = begin; k < min(begin + per_thread, a_count + b_count); k++) {
        const bool take_a = j >= b_count || (i < a_count && !(__ldg(&b[j]) < __ldg(a + i)));
        out[k] = take_a ? __ldg(&a[i++]) : b[j++];
    }
}

int main()
{
    std::mt19937 random(1);
    std::vector<unsigned> keys(2048), values(2048);
    for (unsigned i = 0; i < 2048; i++) {
        keys[i] = random();
        values[i] = i;
    }
    const std::vector<unsigned> before = keys;
    unsigned *k = on_device(keys.data(), 2048), *v = on_device(values.data(), 2048);
    split_radix<<<1, 256>>>(k);
    LAUNCHED();
    to_host(keys.data(), k, 256);
    std::vector<unsigned> sorted(before.begin(), before.begin() + 256);
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::equal(sorted.begin(), sorted.end(), keys.begin()));

    CALL(cudaMemcpy(k, before.data(), 2048 * sizeof *k, cudaMemcpyHostToDevice));
    bitonic<<<4, 256>>>(k, v);
    LAUNCHED();
    to_host(keys.data(), k, 2048);
    to_host(values.data(), v, 2048);
    for (unsigned i = 0; i < 2048; i++)
        CHECK(before[values[i]] == keys[i] && (i % 512 == 0 || keys[i - 1] <= keys[i]));

    std::vector<int> a(1000), b(700), out(1700), wanted(1700);
    for (int &x : a)
        x = (int)(random() % 5000);
    for (int &x : b)
        x = (int)(random() % 5000);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    int *merged = on_device<int>(nullptr, 1700);
    merge<<<4, 64>>>(on_device(a.data(), 1000), 1000, on_device(b.data(), 700), 700, merged, 7);
    LAUNCHED();
    to_host(out.data(), merged, 1700);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
    CHECK(out == wanted);
    return done();
}
