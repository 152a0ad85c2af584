// streamcluster - the gain of opening a new centre (Rodinia's form): every point computes its distance to the candidate, with the
// coordinates of both in global memory, dimension-major, so that a step reads one line of the points' own and one of the candidate's,
// which is n floats away from that of the step before: with n a power of two they all fall into one set.
#include "common/workload.h"

enum { THREADS = 512 };

struct Point { // as wide as the suite's, which has a pointer between and a 64-bit index
    float weight, unused[3];
    int64_t centre;
    float cost;
};

__global__ void gain_of_centre(const Point *points, const float *coordinates, const int *centre_index, float *saved, char *would_switch,
                               float *cost_of_candidate, int candidate, int n, int dimensions, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float distance = 0;
    for (int d = 0; d < dimensions; d++) {
        const float difference = coordinates[d * n + i] - coordinates[d * n + candidate];
        distance += difference * difference;
    }
    const float cost = distance * points[i].weight, now = points[i].cost;
    if (cost < now) {
        would_switch[i] = 1;
        cost_of_candidate[i] = cost - now;
    } else {
        saved[i * columns + centre_index[points[i].centre]] += now - cost;
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "streamcluster");
    const int n = workload::pick(run, 512, 16384, 65536, 65536), dimensions = workload::pick(run, 16, 64, 128, 256);
    const int rounds = workload::pick(run, 2, 3, 8, 32), centres = 16;
    workload::Rng rng(run.seed);
    std::vector<float> coordinates(static_cast<size_t>(n) * dimensions);
    for (float &c : coordinates)
        c = rng.uniform(0, 1);
    std::vector<Point> points(n);
    std::vector<int> centre_index(n, 0);
    for (int c = 0; c < centres; c++)
        centre_index[static_cast<size_t>(c) * (n / centres)] = c;
    for (Point &p : points) {
        p = Point();
        p.weight = 1.0f;
        p.cost = rng.uniform(0.5f, static_cast<float>(dimensions) * 0.35f);
        p.centre = static_cast<int64_t>(rng.below(centres)) * (n / centres);
    }
    std::vector<int> candidates(rounds);
    for (int &c : candidates)
        c = static_cast<int>(rng.below(static_cast<uint32_t>(n)));
    workload::Buffer<Point> dp(points);
    workload::Buffer<float> dx(coordinates), saved(static_cast<size_t>(n) * centres), cost(n);
    workload::Buffer<int> di(centre_index);
    workload::Buffer<char> would(n);
    saved.zero();
    cost.zero();
    would.zero();
    for (int c : candidates)
        gain_of_centre<<<workload::blocks_for(n, THREADS), THREADS>>>(dp.get(), dx.get(), di.get(), saved.get(), would.get(), cost.get(), c, n, dimensions, centres);
    workload::finish_kernels("gain_of_centre");
    std::vector<float> want(static_cast<size_t>(n) * centres, 0.0f);
    for (int c : candidates)
        for (int i = 0; i < n; i++) {
            float distance = 0;
            for (int d = 0; d < dimensions; d++) {
                const float difference = coordinates[static_cast<size_t>(d) * n + i] - coordinates[static_cast<size_t>(d) * n + c];
                distance += difference * difference;
            }
            if (!(distance * points[i].weight < points[i].cost))
                want[static_cast<size_t>(i) * centres + centre_index[points[i].centre]] += points[i].cost - distance * points[i].weight;
        }
    return workload::verdict(run, saved.download(), want, 2e-3f, "gains");
}
