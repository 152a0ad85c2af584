// kmeans_texture - assignment step of k-means as Rodinia has it: a first kernel turns the points from row-major to feature-major order (a
// line per lane), the second reads them through a texture, coalesced, and the centres from constant memory. `kmeans` is the form
// without this remedy.
#include "common/points.h"
#include "common/texture.h"

enum { CLUSTERS = 5, MOST_FEATURES = 34, THREADS = 256 };
__constant__ float centre[CLUSTERS * MOST_FEATURES];

__global__ void kmeans_invert(const float *points, float *inverted, int n, int features)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int f = 0; f < features; f++)
        inverted[f * n + i] = points[i * features + f];
}

__global__ void kmeans_point(cudaTextureObject_t points, int *membership, int *moved, int n, int features)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < CLUSTERS; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            const float d = tex1Dfetch<float>(points, f * n + i) - centre[c * features + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    moved[i] = membership[i] != best;
    membership[i] = best;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "kmeans_texture");
    const int n = workload::pick(run, "points", 512, 23040, 230400, 494020), features = workload::pick<int>(run, 8, MOST_FEATURES, MOST_FEATURES, MOST_FEATURES);
    workload::Rng rng(run.seed);
    const workload::Clusters made(rng, n, CLUSTERS, features);
    const std::vector<float> &points = made.points, &centres = made.centres;
    const std::vector<int> before(n, 0);
    workload::Buffer<float> dp(points), di(points.size());
    workload::Buffer<int> dm(before), dmoved(n);
    workload::must(cudaMemcpyToSymbol(centre, centres.data(), centres.size() * sizeof(float)), "copy of the centres");
    const unsigned blocks = workload::blocks_for(n, THREADS);
    kmeans_invert<<<blocks, THREADS>>>(dp.get(), di.get(), n, features);
    const workload::Texture texture = workload::Texture::line(di.get(), points.size());
    kmeans_point<<<blocks, THREADS>>>(texture.get(), dm.get(), dmoved.get(), n, features);
    workload::finish_kernels("kmeans");
    const std::vector<int> want = made.nearest();
    std::vector<int> want_moved(n);
    for (int i = 0; i < n; i++) {
        want_moved[i] = want[i] != 0;
    }
    return workload::verdict(run, dm.download() == want && dmoved.download() == want_moved, "memberships");
}
