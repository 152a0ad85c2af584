// amg - algebraic multigrid for Poisson's equation in three dimensions, in the manner of the AMG proxy: V-cycles of damped Jacobi steps, residuals, restriction and
// correction over sparse matrices in CSR form, a row a thread. The upper levels stream their matrices; the lower ones are too small to fill a machine.
#include <algorithm>
#include <map>

#include "common/matrix.h"

enum { THREADS = 256, SWEEPS = 2, AGGREGATE = 2 };

__global__ void amg_smooth(const int *start, const int *column, const float *value, const float *diagonal, const float *b, const float *x, float *next, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float sum = b[i];
    for (int k = start[i]; k < start[i + 1]; k++)
        sum -= value[k] * x[column[k]];
    next[i] = x[i] + 0.8f * sum / diagonal[i];
}

__global__ void amg_residual(const int *start, const int *column, const float *value, const float *b, const float *x, float *r, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float sum = b[i];
    for (int k = start[i]; k < start[i + 1]; k++)
        sum -= value[k] * x[column[k]];
    r[i] = sum;
}

// Sums over the fine unknowns that a coarse one stands for.
__global__ void amg_restrict(const int *start, const int *member, const float *r, float *b, float *x, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += r[member[k]];
    b[i] = sum;
    x[i] = 0;
}

__global__ void amg_correct(const int *aggregate, const float *coarse, float *x, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        x[i] += 1.5f * coarse[aggregate[i]]; // more than 1, since piecewise constant corrections are too small
}

// One level on the host: the matrix, and which coarse unknown each of its rows belongs to.
struct Level {
    int side;
    workload::Csr matrix;
    std::vector<float> diagonal;
    std::vector<int> aggregate, start, member;
    int rows() const { return side * side * side; }
};

static workload::Csr poisson(int side)
{
    workload::Csr m;
    m.start.push_back(0);
    for (int i = 0; i < side * side * side; i++) {
        const int x = i % side, y = i / side % side, z = i / side / side, step[3] = {1, side, side * side}, at[3] = {x, y, z};
        m.column.push_back(i);
        m.value.push_back(6.0f);
        for (int d = 0; d < 3; d++)
            for (int s = -1; s <= 1; s += 2)
                if (at[d] + s >= 0 && at[d] + s < side) {
                    m.column.push_back(i + s * step[d]);
                    m.value.push_back(-1.0f);
                }
        m.start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

// The matrix between aggregates: sums of the entries between their members.
static workload::Csr coarsen(const Level &fine, int coarse_rows)
{
    std::vector<std::map<int, float>> row(static_cast<size_t>(coarse_rows));
    for (int i = 0; i < fine.rows(); i++)
        for (int k = fine.matrix.start[i]; k < fine.matrix.start[i + 1]; k++)
            row[static_cast<size_t>(fine.aggregate[i])][fine.aggregate[fine.matrix.column[k]]] += fine.matrix.value[k];
    workload::Csr m;
    m.start.push_back(0);
    for (const std::map<int, float> &r : row) {
        for (const auto &entry : r) {
            m.column.push_back(entry.first);
            m.value.push_back(entry.second);
        }
        m.start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

static std::vector<Level> make_levels(int side, int least)
{
    std::vector<Level> levels(1);
    levels[0].side = side;
    levels[0].matrix = poisson(side);
    for (;;) {
        Level &l = levels.back();
        l.diagonal.resize(static_cast<size_t>(l.rows()));
        for (int i = 0; i < l.rows(); i++)
            for (int k = l.matrix.start[i]; k < l.matrix.start[i + 1]; k++)
                if (l.matrix.column[k] == i)
                    l.diagonal[static_cast<size_t>(i)] = l.matrix.value[k];
        if (l.side / AGGREGATE < least)
            return levels;
        Level next;
        next.side = l.side / AGGREGATE;
        std::vector<std::vector<int>> members(static_cast<size_t>(next.rows()));
        for (int i = 0; i < l.rows(); i++) {
            const int x = i % l.side / AGGREGATE, y = i / l.side % l.side / AGGREGATE, z = i / l.side / l.side / AGGREGATE;
            l.aggregate.push_back((z * next.side + y) * next.side + x);
            members[static_cast<size_t>(l.aggregate.back())].push_back(i);
        }
        l.start.push_back(0);
        for (const std::vector<int> &m : members) {
            l.member.insert(l.member.end(), m.begin(), m.end());
            l.start.push_back(static_cast<int>(l.member.size()));
        }
        next.matrix = coarsen(l, next.rows());
        levels.push_back(next);
    }
}

// A level on the device.
struct OnDevice {
    explicit OnDevice(const Level &l)
        : rows(l.rows()), start(l.matrix.start), column(l.matrix.column), aggregate(l.aggregate.empty() ? std::vector<int>(1) : l.aggregate), group(l.start.empty() ? std::vector<int>(1) : l.start),
          member(l.member.empty() ? std::vector<int>(1) : l.member), value(l.matrix.value), diagonal(l.diagonal), x(l.rows()), next(l.rows()), b(l.rows()), r(l.rows())
    {
    }
    unsigned blocks() const { return workload::blocks_for(static_cast<size_t>(rows), THREADS); }
    void smooth()
    {
        for (int s = 0; s < SWEEPS; s++) {
            amg_smooth<<<blocks(), THREADS>>>(start.get(), column.get(), value.get(), diagonal.get(), b.get(), s % 2 ? next.get() : x.get(), s % 2 ? x.get() : next.get(), rows);
        }
    }
    int rows;
    workload::Buffer<int> start, column, aggregate, group, member;
    workload::Buffer<float> value, diagonal, x, next, b, r;
};

static void cycle(std::vector<OnDevice *> &level, size_t l)
{
    OnDevice &d = *level[l];
    d.smooth();
    if (l + 1 < level.size()) {
        OnDevice &c = *level[l + 1];
        amg_residual<<<d.blocks(), THREADS>>>(d.start.get(), d.column.get(), d.value.get(), d.b.get(), d.x.get(), d.r.get(), d.rows);
        amg_restrict<<<c.blocks(), THREADS>>>(d.group.get(), d.member.get(), d.r.get(), c.b.get(), c.x.get(), c.rows);
        cycle(level, l + 1);
        amg_correct<<<d.blocks(), THREADS>>>(d.aggregate.get(), c.x.get(), d.x.get(), d.rows);
    }
    d.smooth();
}

static void cycle_on_cpu(const std::vector<Level> &level, size_t l, std::vector<float> &x, const std::vector<float> &b)
{
    const Level &d = level[l];
    const auto smooth = [&]() {
        for (int s = 0; s < SWEEPS; s++) {
            const std::vector<float> product = workload::multiply_on_cpu(d.matrix, x);
            for (size_t i = 0; i < x.size(); i++)
                x[i] += 0.8f * (b[i] - product[i]) / d.diagonal[i];
        }
    };
    smooth();
    if (l + 1 < level.size()) {
        const std::vector<float> product = workload::multiply_on_cpu(d.matrix, x);
        std::vector<float> sum(static_cast<size_t>(level[l + 1].rows())), coarse(sum.size());
        for (size_t i = 0; i < x.size(); i++)
            sum[static_cast<size_t>(d.aggregate[i])] += b[i] - product[i];
        cycle_on_cpu(level, l + 1, coarse, sum);
        for (size_t i = 0; i < x.size(); i++)
            x[i] += 1.5f * coarse[static_cast<size_t>(d.aggregate[i])];
    }
    smooth();
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "amg");
    const int side = workload::pick(run, 8, 32, 64, 128), cycles = workload::pick(run, 1, 1, 2, 3);
    workload::Rng rng(run.seed);
    const std::vector<Level> levels = make_levels(side, 3);
    const std::vector<float> b = workload::random_floats(rng, static_cast<size_t>(levels[0].rows()), -1, 1);
    std::vector<float> x(b.size());
    std::vector<OnDevice *> device;
    for (const Level &l : levels)
        device.push_back(new OnDevice(l));
    device[0]->b.upload(b);
    device[0]->x.zero();
    for (int k = 0; k < cycles; k++)
        cycle(device, 0);
    workload::finish_kernels("amg");
    const std::vector<float> got = device[0]->x.download();
    for (OnDevice *d : device)
        delete d;
    for (int k = 0; k < cycles; k++)
        cycle_on_cpu(levels, 0, x, b);
    const std::vector<float> product = workload::multiply_on_cpu(levels[0].matrix, got);
    double before = 0, after = 0; // and it must have come nearer to the solution
    for (size_t i = 0; i < b.size(); i++) {
        before += static_cast<double>(b[i]) * b[i];
        after += static_cast<double>(b[i] - product[i]) * (b[i] - product[i]);
    }
    return workload::verdict(run, workload::first_difference(got, x, 1e-3f) < 0 && after < 0.25 * before, "solution so far");
}
