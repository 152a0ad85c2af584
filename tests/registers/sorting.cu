// Sorts, scans, hashes and graphs.
__global__ void bitonic_global(unsigned *keys, unsigned *values, int size, int stride, int up)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = 2 * i - (i & (stride - 1));
    bool ascending = ((i & (size / 2 - 1)) != 0) == up;
    unsigned a = keys[at], b = keys[at + stride], va = values[at], vb = values[at + stride];
    if ((a > b) == ascending) {
        unsigned t = a;
        a = b, b = t, t = va, va = vb, vb = t;
    }
    keys[at] = a, keys[at + stride] = b, values[at] = va, values[at + stride] = vb;
}

__global__ void bitonic_shared(unsigned *keys, int length)
{
    __shared__ unsigned s[1024];
    keys += blockIdx.x * 1024 + threadIdx.x;
    s[threadIdx.x] = keys[0];
    s[threadIdx.x + 512] = keys[512];
    for (int size = 2; size < length; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool up = (threadIdx.x & (size / 2)) != 0;
            if ((s[at] > s[at + stride]) == up) {
                unsigned t = s[at];
                s[at] = s[at + stride], s[at + stride] = t;
            }
        }
    __syncthreads();
    keys[0] = s[threadIdx.x];
    keys[512] = s[threadIdx.x + 512];
}

__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    __shared__ int t[512];
    int i = 2 * threadIdx.x, base = blockIdx.x * 512;
    t[i] = in[base + i], t[i + 1] = in[base + i + 1];
    int offset = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            t[offset * (i + 2) - 1] += t[offset * (i + 1) - 1];
        offset *= 2;
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = t[511], t[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (threadIdx.x < d) {
            int a = offset * (i + 1) - 1, b = offset * (i + 2) - 1, v = t[a];
            t[a] = t[b], t[b] += v;
        }
    }
    __syncthreads();
    out[base + i] = t[i], out[base + i + 1] = t[i + 1];
}

__global__ void warp_scan(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, v = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += other;
    }
    if (i < n)
        out[i] = v;
}

__global__ void radix_count(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned bins[16][64];
    for (int k = 0; k < 16; k++)
        bins[k][threadIdx.x] = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
        bins[keys[i] >> shift & 15][threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int k = 0; k < 64; k++)
            sum += bins[threadIdx.x][k];
        counts[blockIdx.x * 16 + threadIdx.x] = sum;
    }
}

__global__ void merge_ranks(const unsigned *keys, unsigned *ranks, int stride, int n, int threads)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= threads)
        return;
    int i = pos & (stride / 128 - 1), segment = (pos - i) * 256;
    const unsigned *a = keys + segment, *b = a + stride;
    unsigned key = a[i * 128], low = 0, high = n - segment - stride;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (b[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    ranks[pos] = low;
}

__global__ void hash_insert(unsigned long long *table, const unsigned *keys, int n, unsigned mask, int *failed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i], slot = (key * 2654435761u >> 7) & mask;
    for (int probe = 0; probe < 64; probe++) {
        unsigned long long old = atomicCAS(&table[slot], 0ull, (unsigned long long)key << 32 | i);
        if (old == 0 || old >> 32 == key)
            return;
        slot = (slot + probe + 1) & mask;
    }
    atomicAdd(failed, 1);
}

__global__ void relax_edges(const int *starts, const int *edges, const int *weights, int *cost, int *updating, bool *mask, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && mask[v]) {
        mask[v] = false;
        for (int e = starts[v]; e < starts[v + 1]; e++)
            atomicMin(&updating[edges[e]], cost[v] + weights[e]);
    }
}

__global__ void page_rank(const int *starts, const int *sources, const float *rank, const int *degree, float *next, int n, float d)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    float sum = 0;
    for (int e = starts[v], end = starts[v + 1]; e < end; e++)
        sum += rank[sources[e]] / degree[sources[e]];
    next[v] = (1 - d) / n + d * sum;
}

__global__ void floyd(int *dist, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        int through = dist[y * n + k] + dist[k * n + x];
        if (through < dist[y * n + x])
            dist[y * n + x] = through;
    }
}

__global__ void align_diagonal(int *score, const int *similarity, int columns, int penalty, int i)
{
    __shared__ int t[17][17], r[16][16];
    int base = columns * 16 * (i - 1 - blockIdx.x) + 16 * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0)
        t[0][0] = score[base];
    for (int k = 0; k < 16; k++)
        r[k][threadIdx.x] = similarity[base + columns * (k + 1) + 1];
    t[threadIdx.x + 1][0] = score[base + columns * (threadIdx.x + 1) - threadIdx.x];
    t[0][threadIdx.x + 1] = score[base + 1];
    __syncthreads();
    for (int m = 0; m < 16; m++) {
        if (threadIdx.x <= m) {
            int x = threadIdx.x + 1, y = m - threadIdx.x + 1;
            t[y][x] = max(t[y - 1][x - 1] + r[y - 1][x - 1], max(t[y][x - 1], t[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int k = 0; k < 16; k++)
        score[base + columns * (k + 1) + 1] = t[k + 1][threadIdx.x + 1];
}

__global__ void string_match(const char *text, int length, const char *pattern, int m, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > length)
        return;
    for (int k = 0; k < m; k++)
        if (text[i + k] != pattern[k])
            return;
    atomicAdd(found, 1);
}

__global__ void crc32(const unsigned char *data, int bytes, const unsigned *table, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned crc = ~0u;
    for (int k = 0; k < bytes; k++)
        crc = table[(crc ^ data[i * bytes + k]) & 255] ^ crc >> 8;
    out[i] = ~crc;
}
