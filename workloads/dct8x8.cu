// dct8x8 - discrete cosine transform of an image in blocks of 8 x 8, quantisation as in JPEG, and back (the CUDA SDK's plain form): 64 threads a block, the
// image through a texture, both factors in shared memory and constant memory.
#include "common/texture.h"

enum { SIDE = 8 };
__constant__ float basis[SIDE * SIDE]; // basis[u * 8 + x]
__constant__ float quantum[SIDE * SIDE];

// out = basis in basis^T
__global__ void dct_forward(cudaTextureObject_t image, float *out, int width)
{
    __shared__ float first[SIDE * SIDE], second[SIDE * SIDE];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * SIDE + tx, y = blockIdx.y * SIDE + ty;
    first[ty * SIDE + tx] = tex2D<float>(image, static_cast<float>(x), static_cast<float>(y)) - 128.0f;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += basis[ty * SIDE + k] * first[k * SIDE + tx];
    second[ty * SIDE + tx] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += second[ty * SIDE + k] * basis[tx * SIDE + k];
    out[y * width + x] = sum;
}

__global__ void dct_quantize(float *plane, int width)
{
    const int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    const float q = quantum[threadIdx.y * SIDE + threadIdx.x];
    plane[y * width + x] = rintf(plane[y * width + x] / q) * q;
}

// out = basis^T in basis
__global__ void dct_backward(const float *plane, float *out, int width)
{
    __shared__ float first[SIDE * SIDE], second[SIDE * SIDE];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * SIDE + tx, y = blockIdx.y * SIDE + ty;
    first[ty * SIDE + tx] = plane[y * width + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += basis[k * SIDE + ty] * first[k * SIDE + tx];
    second[ty * SIDE + tx] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += second[ty * SIDE + k] * basis[k * SIDE + tx];
    out[y * width + x] = sum + 128.0f;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "dct8x8");
    const int width = workload::pick(run, 64, 320, 1024, 512), height = workload::pick(run, 32, 256, 1024, 512);
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(width) * height;
    std::vector<float> image(cells), cosine(SIDE * SIDE), steps(SIDE * SIDE);
    for (size_t i = 0; i < cells; i++) // smooth, with some noise
        image[i] = 128.0f + 90.0f * std::sin(static_cast<float>(i % width) * 0.05f) * std::cos(static_cast<float>(i / width) * 0.03f) + rng.uniform(-8, 8);
    for (int u = 0; u < SIDE; u++)
        for (int x = 0; x < SIDE; x++) {
            cosine[u * SIDE + x] = static_cast<float>((u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * 3.14159265358979 / 16));
            steps[u * SIDE + x] = static_cast<float>(8 + 3 * (u + x));
        }
    workload::must(cudaMemcpyToSymbol(basis, cosine.data(), sizeof(float) * SIDE * SIDE), "copy of the basis");
    workload::must(cudaMemcpyToSymbol(quantum, steps.data(), sizeof(float) * SIDE * SIDE), "copy of the steps");
    workload::Buffer<float> di(image), plane(cells), back(cells);
    const dim3 grid(width / SIDE, height / SIDE), block(SIDE, SIDE);
    {
        const workload::Texture texture = workload::Texture::image(di.get(), width, height);
        dct_forward<<<grid, block>>>(texture.get(), plane.get(), width);
        workload::finish_kernels("dct_forward");
    }
    const std::vector<float> spectrum = plane.download();
    dct_quantize<<<grid, block>>>(plane.get(), width);
    dct_backward<<<grid, block>>>(plane.get(), back.get(), width);
    workload::finish_kernels("dct_backward");
    std::vector<float> want_spectrum(cells), want(cells);
    for (size_t at = 0; at < cells; at++) { // the spectrum from the image, and the image from the GPU's spectrum, since rounding has two sides
        const size_t x0 = at % width / SIDE * SIDE, y0 = at / width / SIDE * SIDE, u = at % width % SIDE, v = at / width % SIDE;
        double there = 0, here = 0;
        for (size_t k = 0; k < SIDE * SIDE; k++) {
            const size_t x = k % SIDE, y = k / SIDE, place = (y0 + y) * width + x0 + x;
            there += static_cast<double>(image[place] - 128.0f) * cosine[u * SIDE + x] * cosine[v * SIDE + y];
            here += static_cast<double>(std::rint(spectrum[place] / steps[k]) * steps[k]) * cosine[x * SIDE + u] * cosine[y * SIDE + v];
        }
        want_spectrum[at] = static_cast<float>(there);
        want[at] = static_cast<float>(here + 128);
    }
    return workload::verdict(run, workload::first_difference(spectrum, want_spectrum, 1e-3f) < 0 && workload::first_difference(back.download(), want, 1e-3f) < 0, "spectrum and image");
}
