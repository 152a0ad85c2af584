// nekbone - conjugate gradients with spectral elements, in the manner of Nekbone: an element is a cube of n^3 points and a block; derivatives along the three
// directions are small dense products from shared memory and registers, with six geometric factors streamed; points that elements share are added up by lists; dot products and vector
// updates stream whole vectors. Doubles.
#include "common/workload.h"

enum { MOST = 12, THREADS = 256, FACTORS = 6 };
__constant__ double derivative[MOST * MOST]; // derivative[i * n + l]

struct Mesh {
    int n, side, elements, points; // points of an element along an edge, elements along an edge; all elements, all their points
};

// N x N threads go through an element layer by layer; each keeps its column along the third direction in registers.
template <int N> __global__ void nek_ax(Mesh m, const double *u, const double *g, double *w)
{
    __shared__ double layer[N][N], wr[N][N], ws[N][N];
    const int i = threadIdx.x, j = threadIdx.y, first = blockIdx.x * N * N * N + j * N + i;
    const size_t all = static_cast<size_t>(m.points);
    double column[N], sum[N];
#pragma unroll
    for (int k = 0; k < N; k++) {
        column[k] = u[first + k * N * N];
        sum[k] = 0;
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        layer[j][i] = column[k];
        __syncthreads();
        double r = 0, s = 0, t = 0;
#pragma unroll
        for (int l = 0; l < N; l++) {
            r += derivative[i * N + l] * layer[j][l];
            s += derivative[j * N + l] * layer[l][i];
            t += derivative[k * N + l] * column[l];
        }
        const double *f = g + first + k * N * N;
        wr[j][i] = f[0] * r + f[all] * s + f[2 * all] * t;
        ws[j][i] = f[all] * r + f[3 * all] * s + f[4 * all] * t;
        const double wt = f[2 * all] * r + f[4 * all] * s + f[5 * all] * t;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < N; l++) {
            sum[k] += derivative[l * N + i] * wr[j][l] + derivative[l * N + j] * ws[l][i];
            sum[l] += derivative[k * N + l] * wt;
        }
    }
#pragma unroll
    for (int k = 0; k < N; k++)
        w[first + k * N * N] = sum[k];
}

// Every place in space that several elements have gets the sum of their values.
__global__ void nek_gather(const int *start, const int *member, double *w, int places)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= places)
        return;
    double sum = 0;
    for (int k = start[p]; k < start[p + 1]; k++)
        sum += w[member[k]];
    for (int k = start[p]; k < start[p + 1]; k++)
        w[member[k]] = sum;
}

// Sums of a * b * c by block; c tells how many elements share a point.
__global__ void nek_dot(const double *a, const double *b, const double *c, double *partial, int n)
{
    __shared__ double sums[THREADS];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += a[i] * b[i] * c[i];
    sums[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

// a = scale a + other b
__global__ void nek_add(double *a, const double *b, double scale, double other, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = scale * a[i] + other * b[i];
}

typedef std::vector<double> Doubles;

// What the CPU needs for the same steps.
struct Host {
    Mesh m;
    Doubles d, g, share;
    std::vector<int> start, member;

    double dot(const Doubles &a, const Doubles &b) const
    {
        double sum = 0;
        for (size_t i = 0; i < a.size(); i++)
            sum += a[i] * b[i] * share[i];
        return sum;
    }
    Doubles ax(const Doubles &u) const
    {
        const int n = m.n, cube = n * n * n;
        Doubles w(u.size());
        for (int e = 0; e < m.elements; e++)
            for (int at = 0; at < cube; at++) {
                const int i = at % n, j = at / n % n, k = at / n / n;
                double part[3] = {}, out[3];
                for (int l = 0; l < n; l++) {
                    part[0] += d[i * n + l] * u[e * cube + (k * n + j) * n + l];
                    part[1] += d[j * n + l] * u[e * cube + (k * n + l) * n + i];
                    part[2] += d[k * n + l] * u[e * cube + (l * n + j) * n + i];
                }
                static const int factor[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
                for (int a = 0; a < 3; a++) {
                    out[a] = 0;
                    for (int b = 0; b < 3; b++)
                        out[a] += g[static_cast<size_t>(factor[a][b]) * m.points + e * cube + at] * part[b];
                }
                for (int l = 0; l < n; l++) {
                    w[e * cube + (k * n + j) * n + l] += d[i * n + l] * out[0];
                    w[e * cube + (k * n + l) * n + i] += d[j * n + l] * out[1];
                    w[e * cube + (l * n + j) * n + i] += d[k * n + l] * out[2];
                }
            }
        for (size_t p = 0; p + 1 < start.size(); p++) {
            double sum = 0;
            for (int k = start[p]; k < start[p + 1]; k++)
                sum += w[member[k]];
            for (int k = start[p]; k < start[p + 1]; k++)
                w[member[k]] = sum;
        }
        return w;
    }
};

static Host make_host(workload::Rng &rng, int n, int side)
{
    Host h;
    h.m = {n, side, side * side * side, side * side * side * n * n * n};
    for (int i = 0; i < n * n; i++) // differences of neighbours, roughly as steep as those of the spectral basis
        h.d.push_back(static_cast<double>(rng.uniform(-1, 1)) + (i / n == i % n ? 2.0 : 0.0));
    h.g.resize(static_cast<size_t>(FACTORS) * h.m.points);
    for (int f = 0; f < FACTORS; f++) // near the unit cube's: 1 on the diagonal
        for (int p = 0; p < h.m.points; p++)
            h.g[static_cast<size_t>(f) * h.m.points + p] = (f == 0 || f == 3 || f == 5 ? 1.0 : 0.0) + static_cast<double>(rng.uniform(-0.05f, 0.05f));
    const int line = side * (n - 1) + 1;
    std::vector<std::vector<int>> at(static_cast<size_t>(line) * line * line);
    for (int p = 0; p < h.m.points; p++) {
        const int e = p / (n * n * n), q = p % (n * n * n), x = e % side * (n - 1) + q % n, y = e / side % side * (n - 1) + q / n % n, z = e / side / side * (n - 1) + q / n / n;
        at[(static_cast<size_t>(z) * line + y) * line + x].push_back(p);
    }
    h.share.resize(h.m.points);
    h.start.push_back(0);
    for (const std::vector<int> &list : at) {
        for (int p : list)
            h.share[p] = 1.0 / static_cast<double>(list.size());
        if (list.size() > 1) {
            h.member.insert(h.member.end(), list.begin(), list.end());
            h.start.push_back(static_cast<int>(h.member.size()));
        }
    }
    return h;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "nekbone");
    const int n = workload::pick<int>(run, 4, 8, MOST, MOST), side = workload::pick(run, 2, 4, 5, 12), iterations = workload::pick(run, 2, 2, 4, 6);
    workload::Rng rng(run.seed);
    const Host h = make_host(rng, n, side);
    const int points = h.m.points, places = static_cast<int>(h.start.size()) - 1;
    Doubles r(points);
    for (double &v : r)
        v = static_cast<double>(rng.uniform(-1, 1));
    for (int p = 0; p < places; p++) // shared points agree
        for (int k = h.start[p]; k < h.start[p + 1]; k++)
            r[h.member[k]] = r[h.member[h.start[p]]];
    workload::must(cudaMemcpyToSymbol(derivative, h.d.data(), sizeof(double) * n * n), "copy of the derivatives");
    const unsigned blocks = workload::blocks_for(points, THREADS), dot_blocks = workload::pick(run, 4u, 60u, 60u, 512u);
    workload::Buffer<double> g(h.g), share(h.share), dx(points), dr(r), dp(r), dw(points), partial(dot_blocks);
    workload::Buffer<int> start(h.start), member(h.member);
    dx.zero();
    const auto dot = [&](workload::Buffer<double> &a, workload::Buffer<double> &b) {
        nek_dot<<<dot_blocks, THREADS>>>(a.get(), b.get(), share.get(), partial.get(), points);
        workload::finish_kernels("nek_dot");
        double sum = 0;
        for (double v : partial.download())
            sum += v;
        return sum;
    };
    double rho = dot(dr, dr);
    for (int k = 0; k < iterations; k++) {
        (n == 4 ? nek_ax<4> : n == 8 ? nek_ax<8> : nek_ax<MOST>)<<<h.m.elements, dim3(n, n)>>>(h.m, dp.get(), g.get(), dw.get());
        nek_gather<<<workload::blocks_for(places, THREADS), THREADS>>>(start.get(), member.get(), dw.get(), places);
        const double alpha = rho / dot(dp, dw);
        nek_add<<<blocks, THREADS>>>(dx.get(), dp.get(), 1.0, alpha, points);
        nek_add<<<blocks, THREADS>>>(dr.get(), dw.get(), 1.0, -alpha, points);
        const double next = dot(dr, dr);
        nek_add<<<blocks, THREADS>>>(dp.get(), dr.get(), next / rho, 1.0, points);
        rho = next;
    }
    workload::finish_kernels("nekbone");
    Doubles x(points), p = r;
    for (double there = h.dot(r, r), k = 0; k < iterations; k++) {
        const Doubles w = h.ax(p);
        const double alpha = there / h.dot(p, w);
        for (int i = 0; i < points; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * w[i];
        }
        const double next = h.dot(r, r);
        for (int i = 0; i < points; i++)
            p[i] = r[i] + next / there * p[i];
        there = next;
    }
    const Doubles got = dx.download();
    return workload::verdict(run, std::vector<float>(got.begin(), got.end()), std::vector<float>(x.begin(), x.end()), 1e-4f, "solution so far");
}
