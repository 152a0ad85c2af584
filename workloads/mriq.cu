// mriq - the Q matrix of a non-Cartesian MRI reconstruction: every voxel sums over all k-space samples, which pass through constant
// memory in chunks. Sines and cosines.
#include <algorithm>

#include "common/workload.h"

enum { CHUNK = 1024 };
struct Sample {
    float x, y, z, magnitude;
};
__constant__ Sample samples[CHUNK];

__global__ void phi_magnitude(const float *real, const float *imaginary, float *magnitude, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

__global__ void compute_q(int count, const float *x, const float *y, const float *z, float *real, float *imaginary, int voxels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= voxels)
        return;
    const float px = x[i], py = y[i], pz = z[i];
    float r = real[i], m = imaginary[i];
    for (int k = 0; k < count; k++) {
        const float angle = 6.2831853071795864769f * (samples[k].x * px + samples[k].y * py + samples[k].z * pz);
        r += samples[k].magnitude * cosf(angle);
        m += samples[k].magnitude * sinf(angle);
    }
    real[i] = r;
    imaginary[i] = m;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mriq");
    const int voxels = workload::pick(run, "voxels", 256, 15360, 46080, 262144), k_samples = workload::pick(run, 32, 40, 192, 2048);
    workload::Rng rng(run.seed);
    const std::vector<float> re = workload::random_floats(rng, k_samples, -1, 1), im = workload::random_floats(rng, k_samples, -1, 1);
    const std::vector<float> x = workload::random_floats(rng, voxels, 0, 1), y = workload::random_floats(rng, voxels, 0, 1), z = workload::random_floats(rng, voxels, 0, 1);
    workload::Buffer<float> dre(re), dim(im), dmag(k_samples), dx(x), dy(y), dz(z), dr(voxels), di(voxels);
    dr.zero();
    di.zero();
    phi_magnitude<<<workload::blocks_for(k_samples, 512), 512>>>(dre.get(), dim.get(), dmag.get(), k_samples);
    workload::finish_kernels("phi_magnitude");
    const std::vector<float> magnitude = dmag.download();
    std::vector<Sample> k(k_samples);
    for (int i = 0; i < k_samples; i++)
        k[i] = {rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2), magnitude[i]};
    for (int first = 0; first < k_samples; first += CHUNK) {
        const int count = std::min<int>(CHUNK, k_samples - first);
        workload::must(cudaMemcpyToSymbol(samples, &k[first], count * sizeof(Sample)), "copy of the samples");
        compute_q<<<workload::blocks_for(voxels, 256), 256>>>(count, dx.get(), dy.get(), dz.get(), dr.get(), di.get(), voxels);
        workload::finish_kernels("compute_q");
    }
    std::vector<float> got, want;
    const std::vector<float> real = dr.download(), imaginary = di.download();
    for (int s = 0; s < 256; s++) {
        const uint32_t i = rng.below(voxels);
        double r = 0, m = 0;
        for (int j = 0; j < k_samples; j++) {
            const double angle = 6.283185307179586 * (static_cast<double>(k[j].x) * x[i] + static_cast<double>(k[j].y) * y[i] + static_cast<double>(k[j].z) * z[i]);
            const double mag = static_cast<double>(re[j]) * re[j] + static_cast<double>(im[j]) * im[j];
            r += mag * std::cos(angle);
            m += mag * std::sin(angle);
        }
        got.insert(got.end(), {real[i], imaginary[i]});
        want.insert(want.end(), {static_cast<float>(r), static_cast<float>(m)});
    }
    return workload::verdict(run, got, want, 2e-3f, "Q values");
}
