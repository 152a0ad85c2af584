// points.h - points around centres, from a seed, and the nearest centre of each by the CPU: what every form of k-means needs.
#pragma once
#include "workload.h"

namespace workload {

// Row-major. Small integers: distances are exact, so GPU and CPU agree on ties.
struct Clusters {
    int features;
    std::vector<float> centres, points;

    Clusters(Rng &rng, int n, int clusters, int features_)
        : features(features_), centres(static_cast<size_t>(clusters) * features_), points(static_cast<size_t>(n) * features_)
    {
        for (float &v : centres)
            v = static_cast<float>(rng.below(64));
        for (int i = 0; i < n; i++) {
            const uint32_t home = rng.below(clusters);
            for (int f = 0; f < features; f++)
                points[static_cast<size_t>(i) * features + f] = centres[home * features + f] + static_cast<float>(rng.below(24)) - 12.0f;
        }
    }

    // The first of the nearest centres of each point.
    std::vector<int> nearest() const
    {
        const size_t clusters = centres.size() / features, n = points.size() / features;
        std::vector<int> found(n);
        for (size_t i = 0; i < n; i++) {
            float least = 3.4e38f;
            for (size_t c = 0; c < clusters; c++) {
                float distance = 0;
                for (int f = 0; f < features; f++) {
                    const float d = points[i * features + f] - centres[c * features + f];
                    distance += d * d;
                }
                if (distance < least) {
                    least = distance;
                    found[i] = static_cast<int>(c);
                }
            }
        }
        return found;
    }
};

} // namespace workload
