// backprop - one training step of a two-layer network: the forward pass multiplies and reduces a tile per block in shared memory;
// the second kernel adjusts the weights.
#include "common/workload.h"

enum { HIDDEN = 16, TILE = 16 };

__global__ void layer_forward(const float *input, float *weights, float *partial)
{
    __shared__ float node[TILE];
    __shared__ float product[TILE][HIDDEN];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty;
    if (tx == 0)
        node[ty] = input[row + 1];
    __syncthreads();
    product[ty][tx] = weights[(row + 1) * (HIDDEN + 1) + tx + 1] * node[ty];
#pragma unroll 1
    for (int level = 1; level <= 4; level++) { // the suite's kernel has a power function here and divides by its result
        const int step = static_cast<int>(exp2f(static_cast<float>(level)) + 0.5f);
        __syncthreads();
        if (ty % step == 0)
            product[ty][tx] += product[ty + step / 2][tx];
    }
    __syncthreads();
    weights[(row + 1) * (HIDDEN + 1) + tx + 1] = product[ty][tx]; // the suite's kernel leaves the products where the weights were
    if (tx == 0)
        partial[blockIdx.y * HIDDEN + ty] = product[tx][ty];
}

__global__ void adjust_weights(const float *delta, const float *input, float *weights, float *previous, float rate, float momentum)
{
    const int row = blockIdx.y * TILE + threadIdx.y + 1, column = threadIdx.x + 1, at = row * (HIDDEN + 1) + column;
    // Written out twice, as in the suite: the compiler must read everything again behind the first store.
    weights[at] += rate * delta[column] * input[row] + momentum * previous[at];
    previous[at] = rate * delta[column] * input[row] + momentum * previous[at];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "backprop");
    const int inputs = workload::pick(run, 256, 16384, 131072, 65536);
    const float rate = 0.3f, momentum = 0.3f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(inputs + 1) * (HIDDEN + 1);
    const std::vector<float> input = workload::random_floats(rng, inputs + 1, 0, 1);
    std::vector<float> weights = workload::random_floats(rng, cells, -0.5f, 0.5f), previous = workload::random_floats(rng, cells, -0.1f, 0.1f);
    const std::vector<float> delta = workload::random_floats(rng, HIDDEN + 1, -0.2f, 0.2f);
    workload::Buffer<float> di(input), dw(weights), dp(previous), dd(delta), partial(static_cast<size_t>(inputs / TILE) * HIDDEN);
    const dim3 grid(1, inputs / TILE), block(HIDDEN, TILE);
    layer_forward<<<grid, block>>>(di.get(), dw.get(), partial.get());
    workload::finish_kernels("layer_forward");
    std::vector<float> got(HIDDEN, 0.0f), want(HIDDEN, 0.0f);
    const std::vector<float> parts = partial.download();
    for (size_t i = 0; i < parts.size(); i++)
        got[i % HIDDEN] += parts[i];
    for (int j = 0; j < HIDDEN; j++) {
        double sum = 0;
        for (int i = 1; i <= inputs; i++)
            sum += static_cast<double>(weights[static_cast<size_t>(i) * (HIDDEN + 1) + j + 1]) * input[i];
        want[j] = static_cast<float>(sum);
    }
    dw.upload(weights);
    adjust_weights<<<grid, block>>>(dd.get(), di.get(), dw.get(), dp.get(), rate, momentum);
    workload::finish_kernels("adjust_weights");
    for (int i = 1; i <= inputs; i++)
        for (int j = 1; j <= HIDDEN; j++) {
            const size_t at = static_cast<size_t>(i) * (HIDDEN + 1) + j;
            weights[at] += rate * delta[j] * input[i] + momentum * previous[at];
        }
    const std::vector<float> adjusted = dw.download();
    got.insert(got.end(), adjusted.begin(), adjusted.end());
    want.insert(want.end(), weights.begin(), weights.end());
    return workload::verdict(run, got, want, 1e-2f, "layer sums and weights");
}
