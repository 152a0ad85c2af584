// barneshut - gravity among many bodies through an octree (Lonestar's form): the box around all, a tree built by threads that insert bodies with
// a lock on the child they change, centres of mass from the leaves up, bodies sorted by place in the tree, and forces by a walk down the tree in which a warp
// goes on together until all its bodies are far enough away. Positions, masses and children at scattered places.
// Where the suite's threads spin until other blocks' cells are ready, these leave them to the next launch, so that no grid must be resident as a whole.
#include "common/workload.h"

enum { MOST_DEPTH = 48, FORCE_THREADS = 256, TREE_THREADS = 512, SUM_THREADS = 128, SORT_THREADS = 64, LOCKED = -2, NOTHING = -1 };

// Bodies are 0 .. n - 1, cells `cells` down to `bottom`; the root is `cells`.
struct Tree {
    float *x, *y, *z, *mass;
    int *child, *start, *count, *sorted;
    int n, cells;
};
__device__ int bottom, depth_of_tree, left_over;
__device__ float radius;
__device__ float corner[6][64];
__device__ unsigned blocks_done;

__global__ void bh_bounding_box(Tree t)
{
    __shared__ float least[3][TREE_THREADS], most[3][TREE_THREADS];
    const int i = threadIdx.x;
    float low[3] = {t.x[0], t.y[0], t.z[0]}, high[3] = {t.x[0], t.y[0], t.z[0]};
    for (int b = i + blockIdx.x * TREE_THREADS; b < t.n; b += TREE_THREADS * gridDim.x) {
        const float at[3] = {t.x[b], t.y[b], t.z[b]};
        for (int d = 0; d < 3; d++) {
            low[d] = fminf(low[d], at[d]);
            high[d] = fmaxf(high[d], at[d]);
        }
    }
    for (int d = 0; d < 3; d++) {
        least[d][i] = low[d];
        most[d][i] = high[d];
    }
    for (int half = TREE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            for (int d = 0; d < 3; d++) {
                least[d][i] = fminf(least[d][i], least[d][i + half]);
                most[d][i] = fmaxf(most[d][i], most[d][i + half]);
            }
    }
    if (i != 0)
        return;
    for (int d = 0; d < 3; d++) {
        corner[d][blockIdx.x] = least[d][0];
        corner[d + 3][blockIdx.x] = most[d][0];
    }
    __threadfence();
    if (atomicInc(&blocks_done, gridDim.x - 1) != gridDim.x - 1)
        return;
    float widest = 0, middle[3]; // the last block makes the root
    const volatile float(*corners)[64] = corner;
    for (int d = 0; d < 3; d++) {
        for (int b = 0; b < gridDim.x; b++) {
            low[d] = fminf(low[d], corners[d][b]);
            high[d] = fmaxf(high[d], corners[d + 3][b]);
        }
        widest = fmaxf(widest, high[d] - low[d]);
        middle[d] = 0.5f * (low[d] + high[d]);
    }
    radius = 0.5f * widest;
    bottom = t.cells;
    depth_of_tree = 1;
    t.mass[t.cells] = -1;
    t.start[t.cells] = 0;
    t.x[t.cells] = middle[0];
    t.y[t.cells] = middle[1];
    t.z[t.cells] = middle[2];
    for (int k = 0; k < 8; k++)
        t.child[t.cells * 8 + k] = NOTHING;
}

__global__ void bh_clear_children(Tree t)
{
    for (int k = 8 * t.n + blockIdx.x * blockDim.x + threadIdx.x; k < 8 * t.cells; k += blockDim.x * gridDim.x)
        t.child[k] = NOTHING;
}

// Which eighth of a cell around (x, y, z) a body is in; moves the centre into it.
__device__ static int descend(float &x, float &y, float &z, float r, float px, float py, float pz)
{
    const int j = (x < px ? 1 : 0) | (y < py ? 2 : 0) | (z < pz ? 4 : 0);
    x += j & 1 ? r : -r;
    y += j & 2 ? r : -r;
    z += j & 4 ? r : -r;
    return j;
}

// Makes cells until the old body and the new one part; returns the first.
__device__ static int split(const Tree &t, volatile int *child, int old, int body, float x, float y, float z, float r, int &depth)
{
    int first = NOTHING, into = NOTHING;
    for (int other = old; other >= 0;) {
        depth++;
        const int cell = atomicSub(&bottom, 1) - 1;
        if (first == NOTHING)
            first = cell;
        else
            child[into] = cell;
        float ox = x, oy = y, oz = z;
        child[cell * 8 + descend(ox, oy, oz, r, t.x[old], t.y[old], t.z[old])] = old;
        r *= 0.5f;
        into = cell * 8 + descend(x, y, z, r, t.x[body], t.y[body], t.z[body]);
        other = child[into];
    }
    child[into] = body;
    return first;
}

__global__ void bh_build_tree(Tree t)
{
    volatile int *child = t.child;
    int deepest = 1, node = t.cells, depth = 1, j = 0;
    float x = 0, y = 0, z = 0, r = 0;
    bool is_new = true;
    for (int body = blockIdx.x * blockDim.x + threadIdx.x; body < t.n;) {
        const float px = t.x[body], py = t.y[body], pz = t.z[body];
        if (is_new) {
            is_new = false;
            node = t.cells;
            depth = 1;
            r = 0.5f * radius;
            x = t.x[t.cells];
            y = t.y[t.cells];
            z = t.z[t.cells];
            j = descend(x, y, z, r, px, py, pz);
        }
        int found = child[node * 8 + j];
        while (found >= t.n) {
            node = found;
            depth++;
            r *= 0.5f;
            j = descend(x, y, z, r, px, py, pz);
            found = child[node * 8 + j];
        }
        const int place = node * 8 + j;
        if (found != LOCKED && found == atomicCAS(&t.child[place], found, found == NOTHING ? body : LOCKED)) {
            if (found != NOTHING) {
                const int first = split(t, child, found, body, x, y, z, r, depth);
                __threadfence();
                child[place] = first;
            }
            deepest = max(deepest, depth);
            body += blockDim.x * gridDim.x;
            is_new = true;
        }
    }
    atomicMax(&depth_of_tree, deepest);
}

__global__ void bh_clear_cells(Tree t)
{
    for (int k = bottom + blockIdx.x * blockDim.x + threadIdx.x; k < t.cells; k += blockDim.x * gridDim.x) {
        t.mass[k] = -1;
        t.start[k] = NOTHING;
    }
}

// Cells whose children have a mass get theirs; the others are counted in left_over.
__global__ void bh_summarize(Tree t)
{
    __shared__ int children[8 * SUM_THREADS];
    volatile float *mass = t.mass;
    for (int k = bottom + blockIdx.x * blockDim.x + threadIdx.x; k <= t.cells; k += blockDim.x * gridDim.x) {
        if (mass[k] >= 0)
            continue;
        bool ready = true;
        for (int i = 0; i < 8; i++) {
            const int c = t.child[k * 8 + i];
            children[i * SUM_THREADS + threadIdx.x] = c;
            ready = ready && !(c >= t.n && mass[c] < 0);
        }
        if (!ready) {
            atomicAdd(&left_over, 1);
            continue;
        }
        float sum = 0, x = 0, y = 0, z = 0;
        int count = 0;
        for (int i = 0; i < 8; i++) {
            const int c = children[i * SUM_THREADS + threadIdx.x];
            if (c < 0)
                continue;
            const float m = mass[c];
            count += c >= t.n ? ((volatile int *)t.count)[c] : 1;
            sum += m;
            x += ((volatile float *)t.x)[c] * m;
            y += ((volatile float *)t.y)[c] * m;
            z += ((volatile float *)t.z)[c] * m;
        }
        t.count[k] = count;
        t.x[k] = x / sum;
        t.y[k] = y / sum;
        t.z[k] = z / sum;
        __threadfence();
        mass[k] = sum;
    }
}

// From the root down: a cell that knows where its bodies start tells its children, and moves them to the front of its list.
__global__ void bh_sort(Tree t)
{
    const int stride = blockDim.x * gridDim.x;
    for (int k = t.cells - blockIdx.x * blockDim.x - threadIdx.x; k >= bottom; k -= stride) {
        int start = ((volatile int *)t.start)[k];
        if (start < 0) {
            if (start == NOTHING)
                atomicAdd(&left_over, 1);
            continue;
        }
        for (int i = 0, front = 0; i < 8; i++) {
            const int c = t.child[k * 8 + i];
            if (c < 0)
                continue;
            t.child[k * 8 + i] = NOTHING;
            t.child[k * 8 + front++] = c;
            if (c >= t.n) {
                const int theirs = t.count[c];
                ((volatile int *)t.start)[c] = start;
                start += theirs;
            } else {
                t.sorted[start++] = c;
            }
        }
        t.start[k] = LOCKED; // done
    }
}

__global__ void bh_forces(Tree t, float *ax, float *ay, float *az, float opening, float soft)
{
    __shared__ volatile int position[MOST_DEPTH * FORCE_THREADS / 32], node[MOST_DEPTH * FORCE_THREADS / 32];
    __shared__ float far_enough[MOST_DEPTH];
    if (threadIdx.x == 0) {
        float side = 4 * radius * radius * opening;
        for (int d = 0; d < MOST_DEPTH; d++, side *= 0.25f)
            far_enough[d] = side + soft;
    }
    __syncthreads();
    const int base = threadIdx.x / 32 * MOST_DEPTH;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < t.n; k += blockDim.x * gridDim.x) {
        const int body = t.sorted[k];
        const float px = t.x[body], py = t.y[body], pz = t.z[body];
        const unsigned lanes = __activemask();
        float fx = 0, fy = 0, fz = 0;
        int depth = 0, next = 0, at = t.cells * 8;
        do {
            while (next < 8) {
                const int c = t.child[at + next++];
                if (c < 0)
                    break; // the rest of the list is empty
                const float dx = t.x[c] - px, dy = t.y[c] - py, dz = t.z[c] - pz, squared = dx * dx + dy * dy + dz * dz + soft;
                if (c < t.n || __all_sync(lanes, squared >= far_enough[depth])) {
                    const float inverse = rsqrtf(squared), pull = t.mass[c] * inverse * inverse * inverse;
                    fx += dx * pull;
                    fy += dy * pull;
                    fz += dz * pull;
                } else {
                    position[base + depth] = next; // all lanes write the same
                    node[base + depth] = at;
                    depth++;
                    next = 0;
                    at = c * 8;
                }
            }
            if (--depth >= 0) {
                next = position[base + depth];
                at = node[base + depth];
            }
        } while (depth >= 0);
        ax[body] = fx;
        ay[body] = fy;
        az[body] = fz;
    }
}

__global__ void bh_integrate(Tree t, const float *ax, const float *ay, const float *az, float *vx, float *vy, float *vz, float step)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < t.n; i += blockDim.x * gridDim.x) {
        vx[i] += ax[i] * step;
        vy[i] += ay[i] * step;
        vz[i] += az[i] * step;
        t.x[i] += vx[i] * step;
        t.y[i] += vy[i] * step;
        t.z[i] += vz[i] * step;
    }
}

typedef std::vector<float> Floats;

// Every body with every other, for a sample; the tree may be wrong by some per cent of the largest force.
static bool forces_are_near(const Floats &x, const Floats &y, const Floats &z, const Floats &mass, const Floats &ax, const Floats &ay, const Floats &az, int n, double soft)
{
    double wrong = 0, all = 0;
    for (int i = 0; i < n; i += 1 + n / 512) {
        double f[3] = {};
        for (int j = 0; j < n; j++) {
            const double d[3] = {static_cast<double>(x[j]) - x[i], static_cast<double>(y[j]) - y[i], static_cast<double>(z[j]) - z[i]};
            const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + soft, pull = static_cast<double>(mass[j]) / (squared * std::sqrt(squared));
            for (int k = 0; k < 3; k++)
                f[k] += d[k] * pull;
        }
        const double e[3] = {f[0] - static_cast<double>(ax[i]), f[1] - static_cast<double>(ay[i]), f[2] - static_cast<double>(az[i])};
        wrong += e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        all += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    }
    return wrong <= 1e-4 * all; // 1 % of the mean force
}

// Launches the kernel until it leaves no cell over.
template <class Kernel> static void until_done(Kernel kernel, unsigned blocks, unsigned threads, const Tree &t, const char *what)
{
    for (int rest = 1; rest > 0;) {
        rest = 0;
        workload::must(cudaMemcpyToSymbol(left_over, &rest, sizeof rest), what);
        kernel<<<blocks, threads>>>(t);
        workload::finish_kernels(what);
        workload::must(cudaMemcpyFromSymbol(&rest, left_over, sizeof rest), what);
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "barneshut");
    const int n = workload::pick(run, 128, 640, 4096, 30000), steps = workload::pick(run, 1, 1, 1, 2), cells = 2 * n + 1023;
    const float soft = 0.0025f, opening = 4.0f;
    workload::Rng rng(run.seed);
    Floats x(n), y(n), z(n), mass(n, 1.0f / static_cast<float>(n));
    for (int i = 0; i < n; i++) { // Plummer's sphere
        const float r = 1 / std::sqrt(std::pow(rng.uniform(0.001f, 0.999f), -2.0f / 3.0f) - 1), height = rng.uniform(-1, 1), turn = rng.uniform(0, 6.2831853f);
        x[i] = r * std::sqrt(1 - height * height) * std::cos(turn);
        y[i] = r * std::sqrt(1 - height * height) * std::sin(turn);
        z[i] = r * height;
    }
    const auto longer = [&](const Floats &from) {
        Floats to(from);
        to.resize(static_cast<size_t>(cells) + 1);
        return to;
    };
    workload::Buffer<float> dx(longer(x)), dy(longer(y)), dz(longer(z)), dm(longer(mass)), ax(n), ay(n), az(n), vx(n), vy(n), vz(n);
    workload::Buffer<int> child(8 * (cells + 1)), start(cells + 1), count(cells + 1), sorted(n);
    const Tree t = {dx.get(), dy.get(), dz.get(), dm.get(), child.get(), start.get(), count.get(), sorted.get(), n, cells};
    vx.zero();
    vy.zero();
    vz.zero();
    bool right = true;
    for (int step = 0; step < steps; step++) {
        bh_bounding_box<<<45, TREE_THREADS>>>(t);
        bh_clear_children<<<15, 1024>>>(t);
        bh_build_tree<<<45, TREE_THREADS>>>(t);
        bh_clear_cells<<<15, 1024>>>(t);
        until_done(bh_summarize, 90, SUM_THREADS, t, "bh_summarize");
        until_done(bh_sort, 90, SORT_THREADS, t, "bh_sort");
        x = dx.download();
        y = dy.download();
        z = dz.download();
        bh_forces<<<75, FORCE_THREADS>>>(t, ax.get(), ay.get(), az.get(), opening, soft);
        workload::finish_kernels("bh_forces");
        right = right && forces_are_near(x, y, z, mass, ax.download(), ay.download(), az.download(), n, static_cast<double>(soft));
        bh_integrate<<<15, 1024>>>(t, ax.get(), ay.get(), az.get(), vx.get(), vy.get(), vz.get(), 0.025f);
        workload::finish_kernels("bh_integrate");
    }
    const Floats moved = dx.download(), speed = vx.download();
    for (int i = 0; i < n; i++)
        right = right && std::fabs(moved[i] - (x[i] + speed[i] * 0.025f)) < 1e-4f * (1 + std::fabs(x[i]));
    return workload::verdict(run, right, "forces (a sample, by all pairs) and moves");
}
