// similarityscore - cosines of the angles between all documents, as vectors (Mars's form): a thread has a pair, and walks the rows of both from start to
// end. The lanes of a warp have one first document and 32 second ones, whose rows lie side by side: a line per lane.
#include "common/mapreduce.h"

struct Score {
    float cosine;
    int first, second;
};

__global__ void ss_map_count(int *count, int pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs)
        count[i] = 1;
}

__global__ void ss_map(const float *vector, const int *start, Score *score, int documents, int dimensions, int pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    const int first = i / documents, second = i % documents;
    const float *a = vector + first * dimensions, *b = vector + second * dimensions;
    float product = 0, a_squared = 0, b_squared = 0;
    for (int k = 0; k < dimensions; k++) {
        product += a[k] * b[k];
        a_squared += a[k] * a[k];
        b_squared += b[k] * b[k];
    }
    score[start[i]] = {product / sqrtf(a_squared * b_squared), first, second};
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "similarityscore");
    // Below paper the first documents only are compared with all, so that a warp's second documents are as many as the suite's.
    const int documents = workload::pick(run, 64, 512, 1024, 1024), firsts = workload::pick(run, 4, 16, 128, 1024), dimensions = workload::pick(run, 32, 256, 256, 256), pairs = documents * firsts;
    workload::Rng rng(run.seed);
    const std::vector<float> vector = workload::mars_matrix(rng, static_cast<size_t>(documents) * dimensions);
    workload::Buffer<float> dv(vector);
    workload::Buffer<int> count(pairs);
    const unsigned blocks = workload::blocks_for(pairs, workload::MAP_THREADS);
    ss_map_count<<<blocks, workload::MAP_THREADS>>>(count.get(), pairs);
    workload::finish_kernels("ss_map_count");
    workload::Buffer<int> start(workload::starts_of(count.download()));
    workload::Buffer<Score> score(pairs);
    ss_map<<<blocks, workload::MAP_THREADS>>>(dv.get(), start.get(), score.get(), documents, dimensions, pairs);
    workload::finish_kernels("ss_map");
    std::vector<float> got, want;
    bool is_placed = true;
    const std::vector<Score> all = score.download();
    for (int i = 0; i < pairs; i++) {
        const float *a = &vector[static_cast<size_t>(i / documents) * dimensions], *b = &vector[static_cast<size_t>(i % documents) * dimensions];
        double product = 0, a_squared = 0, b_squared = 0;
        for (int k = 0; k < dimensions; k++) {
            product += static_cast<double>(a[k]) * b[k];
            a_squared += static_cast<double>(a[k]) * a[k];
            b_squared += static_cast<double>(b[k]) * b[k];
        }
        want.push_back(static_cast<float>(product / std::sqrt(a_squared * b_squared)));
        got.push_back(all[i].cosine);
        is_placed = is_placed && all[i].first == i / documents && all[i].second == i % documents;
    }
    return workload::verdict(run, is_placed && workload::first_difference(got, want, 1e-4f) < 0, "cosines");
}
