// nnconv - a convolution layer of a neural network (after table 5.4 of paper 002): filters of 3 x 3 over all channels of a batch of
// images. A thread computes one pixel of four output channels, so that each value it loads is used four times.
#include "common/workload.h"

enum { TILE = 16, OUTPUTS = 4, TAPS = 9 };

struct Layer {
    int images, channels, outputs, side;
};

__global__ void convolve_layer(const float *in, const float *filters, float *out, Layer p)
{
    const int groups = p.outputs / OUTPUTS, image = blockIdx.z / groups, first = blockIdx.z % groups * OUTPUTS;
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= p.side || y >= p.side)
        return;
    float sum[OUTPUTS] = {};
    for (int c = 0; c < p.channels; c++) {
        const float *plane = in + (static_cast<size_t>(image) * p.channels + c) * p.side * p.side;
        const float *filter = filters + (static_cast<size_t>(first) * p.channels + c) * TAPS;
        for (int t = 0; t < TAPS; t++) {
            const int i = y + t / 3 - 1, j = x + t % 3 - 1;
            const float v = i >= 0 && j >= 0 && i < p.side && j < p.side ? plane[i * p.side + j] : 0.0f;
            for (int k = 0; k < OUTPUTS; k++)
                sum[k] += v * filter[k * p.channels * TAPS + t];
        }
    }
    for (int k = 0; k < OUTPUTS; k++)
        out[((static_cast<size_t>(image) * p.outputs + first + k) * p.side + y) * p.side + x] = sum[k];
}

// One pixel of one output channel, as the CPU has it.
static float pixel(const std::vector<float> &in, const std::vector<float> &filters, const Layer &p, int image, int k, int y, int x)
{
    float sum = 0;
    for (int c = 0; c < p.channels; c++)
        for (int t = 0; t < TAPS; t++) {
            const int i = y + t / 3 - 1, j = x + t % 3 - 1;
            if (i >= 0 && j >= 0 && i < p.side && j < p.side)
                sum += in[((static_cast<size_t>(image) * p.channels + c) * p.side + i) * p.side + j] * filters[(static_cast<size_t>(k) * p.channels + c) * TAPS + t];
        }
    return sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "nnconv");
    const Layer p = {workload::pick(run, 1, 4, 16, 64), workload::pick(run, 4, 8, 8, 64), workload::pick(run, 4, 8, 16, 64), workload::pick(run, 20, 32, 64, 56)};
    workload::Rng rng(run.seed);
    const size_t pixels = static_cast<size_t>(p.side) * p.side;
    const std::vector<float> in = workload::random_floats(rng, p.images * p.channels * pixels, -1, 1);
    const std::vector<float> filters = workload::random_floats(rng, static_cast<size_t>(p.outputs) * p.channels * TAPS, -0.2f, 0.2f);
    workload::Buffer<float> d_in(in), d_filters(filters), d_out(p.images * p.outputs * pixels);
    const unsigned tiles = workload::blocks_for(p.side, TILE);
    convolve_layer<<<dim3(tiles, tiles, static_cast<unsigned>(p.images * p.outputs / OUTPUTS)), dim3(TILE, TILE)>>>(d_in.get(), d_filters.get(), d_out.get(), p);
    workload::finish_kernels("convolve_layer");
    std::vector<float> want(p.images * p.outputs * pixels);
    for (int n = 0; n < p.images; n++)
        for (int k = 0; k < p.outputs; k++)
            for (int y = 0; y < p.side; y++)
                for (int x = 0; x < p.side; x++)
                    want[((static_cast<size_t>(n) * p.outputs + k) * p.side + y) * p.side + x] = pixel(in, filters, p, n, k, y, x);
    return workload::verdict(run, d_out.download(), want, 1e-4f, "feature maps");
}
