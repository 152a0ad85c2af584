// blackscholes - price of European options by the closed formula. Five streams and much arithmetic.
#include "common/workload.h"

static const float RISK_FREE = 0.02f, VOLATILITY = 0.30f;

// Cumulative normal distribution: Abramowitz and Stegun 26.2.17.
__host__ __device__ static float normal_cdf(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float poly = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228040143267794f * expf(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - tail : tail;
}

__host__ __device__ static void price(float spot, float strike, float years, float rate, float volatility, float *call, float *put)
{
    const float root = sqrtf(years);
    const float d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_cdf(d1), n2 = normal_cdf(d2), discount = expf(-rate * years);
    *call = spot * n1 - strike * discount * n2;
    *put = strike * discount * (1.0f - n2) - spot * (1.0f - n1);
}

__global__ void black_scholes(float *call, float *put, const float *spot, const float *strike, const float *years, int n, float rate, float volatility)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        price(spot[i], strike[i], years[i], rate, volatility, &call[i], &put[i]);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "blackscholes");
    const int n = workload::pick(run, 1 << 11, 1 << 18, 1 << 21, 4000000);
    workload::Rng rng(run.seed);
    const std::vector<float> spot = workload::random_floats(rng, n, 5, 30), strike = workload::random_floats(rng, n, 1, 100);
    const std::vector<float> years = workload::random_floats(rng, n, 0.25f, 10);
    workload::Buffer<float> ds(spot), dk(strike), dy(years), dcall(n), dput(n);
    black_scholes<<<480, 128>>>(dcall.get(), dput.get(), ds.get(), dk.get(), dy.get(), n, RISK_FREE, VOLATILITY);
    workload::finish_kernels("black_scholes");
    std::vector<float> want(2 * static_cast<size_t>(n)), got = dcall.download();
    const std::vector<float> put = dput.download();
    got.insert(got.end(), put.begin(), put.end());
    for (int i = 0; i < n; i++)
        price(spot[i], strike[i], years[i], RISK_FREE, VOLATILITY, &want[i], &want[static_cast<size_t>(n) + i]);
    return workload::verdict(run, got, want, 1e-4f, "option prices");
}
