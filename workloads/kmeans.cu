// kmeans - assignment step of k-means over points kept in row-major order (the form of the CCWS suite): a thread walks its own point's
// features, so the lanes of a warp touch 32 lines that are needed again for the next features. The points are also copied to
// feature-major order, with the same pattern; `kmeans_texture` is the form that assigns from the copy, as Rodinia does.
#include "common/points.h"

__global__ void kmeans_swap(const float *points, float *swapped, int n, int features)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int f = 0; f < features; f++)
        swapped[f * n + i] = points[i * features + f];
}

__global__ void kmeans_assign(const float *points, const float *centres, int *membership, int n, int features, int clusters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            const float d = points[i * features + f] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    membership[i] = best;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "kmeans");
    const int n = workload::pick(run, 512, 23040, 115200, 494020), features = workload::pick(run, 8, 32, 32, 34), clusters = 5;
    workload::Rng rng(run.seed);
    const workload::Clusters made(rng, n, clusters, features);
    const std::vector<float> &points = made.points, &centres = made.centres;
    workload::Buffer<float> dp(points), ds(points.size()), dc(centres);
    workload::Buffer<int> dm(n);
    const unsigned blocks = workload::blocks_for(n, 256);
    kmeans_swap<<<blocks, 256>>>(dp.get(), ds.get(), n, features);
    kmeans_assign<<<blocks, 256>>>(dp.get(), dc.get(), dm.get(), n, features, clusters);
    workload::finish_kernels("kmeans");
    const std::vector<int> want = made.nearest();
    bool right = true;
    const std::vector<float> swapped = ds.download();
    for (int i = 0; i < n; i++) {
        for (int f = 0; f < features; f++)
            right = right && swapped[static_cast<size_t>(f) * n + i] == points[static_cast<size_t>(i) * features + f];
    }
    return workload::verdict(run, right && dm.download() == want, "memberships");
}
