// neuralnet - recognition of digits by a small convolutional network (two convolution layers, two full layers), one kernel per
// layer, one block row per image: all images use the same weights.
#include "common/workload.h"

enum { IMAGE = 29, MAPS1 = 6, SIDE1 = 13, MAPS2 = 50, SIDE2 = 5, FULL = 100, DIGITS = 10, TAPS = 25 };
enum { WEIGHTS1 = MAPS1 * (TAPS + 1), WEIGHTS2 = MAPS2 * (MAPS1 * TAPS + 1), FLAT2 = MAPS2 * SIDE2 * SIDE2,
       WEIGHTS3 = FULL * (FLAT2 + 1), WEIGHTS4 = DIGITS * (FULL + 1) };

__host__ __device__ static float squash(float x) { return 1.7159f * tanhf(0.66666667f * x); }

__host__ __device__ static float first_neuron(const float *image, const float *w, int y, int x)
{
    float sum = w[0];
    for (int ky = 0; ky < 5; ky++)
        for (int kx = 0; kx < 5; kx++)
            sum += w[1 + ky * 5 + kx] * image[(2 * y + ky) * IMAGE + 2 * x + kx];
    return squash(sum);
}

__host__ __device__ static float second_neuron(const float *maps, const float *w, int y, int x)
{
    float sum = w[0];
    for (int m = 0; m < MAPS1; m++)
        for (int ky = 0; ky < 5; ky++)
            for (int kx = 0; kx < 5; kx++)
                sum += w[1 + m * TAPS + ky * 5 + kx] * maps[m * SIDE1 * SIDE1 + (2 * y + ky) * SIDE1 + 2 * x + kx];
    return squash(sum);
}

__host__ __device__ static float full_neuron(const float *in, const float *w, int count)
{
    float sum = w[0];
    for (int i = 0; i < count; i++)
        sum += w[1 + i] * in[i];
    return squash(sum);
}

__global__ void first_layer(const float *images, const float *weights, float *out)
{
    const int map = blockIdx.x, image = blockIdx.y, y = threadIdx.y, x = threadIdx.x;
    out[(image * MAPS1 + map) * SIDE1 * SIDE1 + y * SIDE1 + x] = first_neuron(images + image * IMAGE * IMAGE, weights + map * (TAPS + 1), y, x);
}

__global__ void second_layer(const float *in, const float *weights, float *out)
{
    const int map = blockIdx.x, image = blockIdx.y, y = threadIdx.y, x = threadIdx.x;
    out[image * FLAT2 + map * SIDE2 * SIDE2 + y * SIDE2 + x] = second_neuron(in + image * MAPS1 * SIDE1 * SIDE1, weights + map * (MAPS1 * TAPS + 1), y, x);
}

__global__ void third_layer(const float *in, const float *weights, float *out)
{
    out[blockIdx.y * FULL + blockIdx.x] = full_neuron(in + blockIdx.y * FLAT2, weights + blockIdx.x * (FLAT2 + 1), FLAT2);
}

__global__ void fourth_layer(const float *in, const float *weights, float *out)
{
    out[blockIdx.y * DIGITS + blockIdx.x] = full_neuron(in + blockIdx.y * FULL, weights + blockIdx.x * (FULL + 1), FULL);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "neuralnet");
    const int images = workload::pick(run, 1, 2, 28, 28);
    workload::Rng rng(run.seed);
    const std::vector<float> pixels = workload::random_floats(rng, static_cast<size_t>(images) * IMAGE * IMAGE, 0, 1);
    const std::vector<float> w1 = workload::random_floats(rng, WEIGHTS1, -0.2f, 0.2f), w2 = workload::random_floats(rng, WEIGHTS2, -0.1f, 0.1f);
    const std::vector<float> w3 = workload::random_floats(rng, WEIGHTS3, -0.05f, 0.05f), w4 = workload::random_floats(rng, WEIGHTS4, -0.1f, 0.1f);
    workload::Buffer<float> di(pixels), d1(w1), d2(w2), d3(w3), d4(w4);
    workload::Buffer<float> o1(static_cast<size_t>(images) * MAPS1 * SIDE1 * SIDE1), o2(static_cast<size_t>(images) * FLAT2), o3(static_cast<size_t>(images) * FULL), o4(static_cast<size_t>(images) * DIGITS);
    first_layer<<<dim3(MAPS1, images), dim3(SIDE1, SIDE1)>>>(di.get(), d1.get(), o1.get());
    second_layer<<<dim3(MAPS2, images), dim3(SIDE2, SIDE2)>>>(o1.get(), d2.get(), o2.get());
    third_layer<<<dim3(FULL, images), 1>>>(o2.get(), d3.get(), o3.get());
    fourth_layer<<<dim3(DIGITS, images), 1>>>(o3.get(), d4.get(), o4.get());
    workload::finish_kernels("neural network");
    std::vector<float> want;
    for (int n = 0; n < images; n++) {
        std::vector<float> a, b, c;
        for (int m = 0; m < MAPS1; m++)
            for (int i = 0; i < SIDE1 * SIDE1; i++)
                a.push_back(first_neuron(&pixels[static_cast<size_t>(n) * IMAGE * IMAGE], &w1[m * (TAPS + 1)], i / SIDE1, i % SIDE1));
        for (int m = 0; m < MAPS2; m++)
            for (int i = 0; i < SIDE2 * SIDE2; i++)
                b.push_back(second_neuron(a.data(), &w2[m * (MAPS1 * TAPS + 1)], i / SIDE2, i % SIDE2));
        for (int i = 0; i < FULL; i++)
            c.push_back(full_neuron(b.data(), &w3[static_cast<size_t>(i) * (FLAT2 + 1)], FLAT2));
        for (int i = 0; i < DIGITS; i++)
            want.push_back(full_neuron(c.data(), &w4[static_cast<size_t>(i) * (FULL + 1)], FULL));
    }
    return workload::verdict(run, o4.download(), want, 1e-3f, "digit scores");
}
