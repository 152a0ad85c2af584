// matrix.h - sparse matrices from a seed, in CSR form.
#pragma once
#include <algorithm>

#include "workload.h"

namespace workload {

struct Csr {
    std::vector<int> start, column;
    std::vector<float> value;
};

// Power-law row lengths, a dense band and scattered far entries, as matrices from graphs have.
inline Csr make_matrix(Rng &rng, int rows, int mean)
{
    Csr m;
    m.start.push_back(0);
    for (int i = 0; i < rows; i++) {
        const float u = rng.uniform();
        const int length = std::min(rows, 1 + static_cast<int>(static_cast<float>(mean) * 0.5f / std::sqrt(u + 0.01f)));
        std::vector<int> columns;
        for (int k = 0; k < length; k++) {
            const int near = i + static_cast<int>(rng.below(64)) - 32, far = static_cast<int>(rng.below(static_cast<uint32_t>(rows)));
            columns.push_back(rng.below(3) ? std::min(std::max(near, 0), rows - 1) : far);
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (int c : columns) {
            m.column.push_back(c);
            m.value.push_back(rng.uniform(-1, 1));
        }
        m.start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

// A matrix of finite elements: the nodes of a grid, each coupled with those up to two steps away in both directions, but for one in ten. The
// rows are nearly of one length, and neighbouring rows have neighbouring columns.
inline Csr make_mesh_matrix(Rng &rng, int width, int height)
{
    Csr m;
    m.start.push_back(0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            for (int k = 0; k < 25; k++) {
                const int nx = x + k % 5 - 2, ny = y + k / 5 - 2;
                if (nx < 0 || ny < 0 || nx >= width || ny >= height || (k != 12 && rng.below(10) == 0))
                    continue;
                m.column.push_back(ny * width + nx);
                m.value.push_back(rng.uniform(-1, 1));
            }
            m.start.push_back(static_cast<int>(m.column.size()));
        }
    return m;
}

inline std::vector<float> multiply_on_cpu(const Csr &m, const std::vector<float> &x)
{
    std::vector<float> y(m.start.size() - 1, 0.0f);
    for (size_t i = 0; i < y.size(); i++)
        for (int k = m.start[i]; k < m.start[i + 1]; k++)
            y[i] += m.value[k] * x[m.column[k]];
    return y;
}

} // namespace workload
