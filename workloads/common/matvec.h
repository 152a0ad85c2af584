// matvec.h - a dense matrix with two vectors: products along rows and along columns, which PolyBench's atax, bicg and mvt combine.
#pragma once
#include "workload.h"

namespace workload {

enum { MATVEC_THREADS = 256 };

// At small, sums run over the first rows or columns only (`depth`): the launch has the suite's threads, and rows lie 16 KiB apart as there.
// `rows` and `columns` are the same but where --shape says otherwise.
struct Dense {
    int rows, columns, depth;
    std::vector<float> a;

    Dense(const Run &run, Rng &rng)
        : rows(pick(run, "rows", 256, 4096, 4096, 4096)), columns(pick(run, "columns", 256, 4096, 4096, 4096)), depth(std::min(std::min(rows, columns), pick(run, "depth", 64, 256, 4096, 4096))),
          a(random_floats(rng, static_cast<size_t>(rows) * columns, 0, 1))
    {
    }

    // Each row with x.
    std::vector<float> times(const std::vector<float> &x) const
    {
        std::vector<float> y(static_cast<size_t>(rows));
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0; j < depth; j++)
                sum += static_cast<double>(a[static_cast<size_t>(i) * columns + j]) * x[static_cast<size_t>(j)];
            y[static_cast<size_t>(i)] = static_cast<float>(sum);
        }
        return y;
    }
    // Each column with x.
    std::vector<float> turned_times(const std::vector<float> &x) const
    {
        std::vector<double> sum(static_cast<size_t>(columns));
        for (int i = 0; i < depth; i++)
            for (int j = 0; j < columns; j++)
                sum[static_cast<size_t>(j)] += static_cast<double>(a[static_cast<size_t>(i) * columns + j]) * x[static_cast<size_t>(i)];
        return std::vector<float>(sum.begin(), sum.end());
    }
};

inline std::vector<float> joined(std::vector<float> a, const std::vector<float> &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace workload
