// libor - Monte Carlo valuation of options on swaps under the LIBOR market model (GPGPU-Sim's collection): a path a thread, 64 blocks of 64. The
// forward rates of a path are arrays in local memory, which a warp writes and reads line by line; volatilities and swap rates are in constant memory. The first
// kernel computes values, the second also their slopes against every forward rate, by going through the path backwards.
#include "common/workload.h"

enum { THREADS = 64, BLOCKS = 64, RATES = 80, STEPS = 40, OPTIONS = 15 };

// Forward rates, steps until the options mature, the options' maturities, all known before the launch.
template <class Real> struct Model {
    int rates, steps, maturity[OPTIONS];
    Real delta, swap_rate[OPTIONS], volatility[RATES];
};
__constant__ Model<float> model;

// One path of `steps` steps; the rates after each step are kept at `history` where it is not NULL.
template <class Real> __host__ __device__ static void walk(const Model<Real> &m, Real *rate, const float *shock, Real *history)
{
    for (int n = 0; n < m.steps; n++) {
        const Real root = sqrt(m.delta) * static_cast<Real>(shock[n]);
        Real drift = 0;
        for (int i = n + 1; i < m.rates; i++) {
            const Real volatility = m.volatility[i - n - 1], term = m.delta * volatility;
            drift += term * rate[i] / (1 + m.delta * rate[i]);
            rate[i] *= exp(term * drift + volatility * (root - static_cast<Real>(0.5) * term));
            if (history)
                history[n * m.rates + i] = rate[i];
        }
    }
}

// Value of the portfolio of options at the end of a path; its slope against each rate at the end, where wanted.
template <class Real> __host__ __device__ static Real portfolio(const Model<Real> &m, const Real *rate, Real *slope)
{
    Real discount[RATES], annuity[RATES], value = 0, price = 1, sum = 0;
    for (int i = m.steps; i < m.rates; i++) {
        price /= 1 + m.delta * rate[i];
        sum += m.delta * price;
        discount[i] = price;
        annuity[i] = sum;
        if (slope)
            slope[i] = 0;
    }
    for (int o = 0; o < OPTIONS; o++) {
        const int last = m.steps + m.maturity[o] - 1;
        const Real gain = discount[last] + m.swap_rate[o] * annuity[last] - 1;
        if (gain >= 0)
            continue;
        value -= 100 * gain;
        if (slope) // d discount[k] / d rate[i] = - delta discount[k] / (1 + delta rate[i]) for i <= k
            for (int i = m.steps; i <= last; i++) {
                const Real before = i > m.steps ? annuity[i - 1] : 0;
                slope[i] += 100 * m.delta / (1 + m.delta * rate[i]) * (discount[last] + m.swap_rate[o] * (annuity[last] - before));
            }
    }
    return value;
}

// From slopes against the rates at the end to slopes against those at the start: the steps of `walk`, last one first.
template <class Real> __host__ __device__ static void walk_back(const Model<Real> &m, Real first_rate, const float *shock, const Real *history, Real *slope)
{
    for (int i = 0; i < m.steps; i++)
        slope[i] = 0;
    for (int n = m.steps - 1; n >= 0; n--) {
        const Real root = sqrt(m.delta) * static_cast<Real>(shock[n]);
        Real drift = 0, through_drift = 0;
        Real drifts[RATES];
        for (int i = n + 1; i < m.rates; i++) {
            const Real before = n > 0 ? history[(n - 1) * m.rates + i] : first_rate;
            drift += m.delta * m.volatility[i - n - 1] * before / (1 + m.delta * before);
            drifts[i] = drift;
        }
        for (int i = m.rates - 1; i > n; i--) {
            const Real before = n > 0 ? history[(n - 1) * m.rates + i] : first_rate, volatility = m.volatility[i - n - 1], term = m.delta * volatility;
            const Real growth = exp(term * drifts[i] + volatility * (root - static_cast<Real>(0.5) * term)), below = 1 + m.delta * before;
            through_drift += slope[i] * before * growth * term;
            slope[i] = slope[i] * growth + through_drift * term / (below * below);
        }
    }
}

__global__ void libor_value(const float *shock, float *value, float first_rate)
{
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    float rate[RATES];
    for (int i = 0; i < model.rates; i++)
        rate[i] = first_rate;
    walk<float>(model, rate, shock + path * STEPS, nullptr);
    value[path] = portfolio<float>(model, rate, nullptr);
}

__global__ void libor_greeks(const float *shock, float *value, float *greek, float first_rate)
{
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    float rate[RATES], slope[RATES], history[RATES * STEPS];
    for (int i = 0; i < model.rates; i++)
        rate[i] = first_rate;
    walk<float>(model, rate, shock + path * STEPS, history);
    value[path] = portfolio<float>(model, rate, slope);
    walk_back<float>(model, first_rate, shock + path * STEPS, history, slope);
    greek[path] = slope[model.rates - 1];
}

template <class Real> static Model<Real> make_model(int rates, int steps)
{
    static const int maturity[OPTIONS] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
    Model<Real> m;
    m.rates = rates;
    m.steps = steps;
    m.delta = static_cast<Real>(0.25);
    for (int o = 0; o < OPTIONS; o++) {
        m.maturity[o] = 1 + (maturity[o] - 1) * (rates - steps - 1) / 39;
        m.swap_rate[o] = static_cast<Real>(0.045) + static_cast<Real>(0.005) * static_cast<Real>(o % 3);
    }
    for (int i = 0; i < RATES; i++)
        m.volatility[i] = static_cast<Real>(0.2);
    return m;
}

// Value, or its slope by two values on either side, in double precision.
static double on_cpu(const Model<double> &m, const float *shock, double first_rate, double last_rate)
{
    double rate[RATES];
    for (int i = 0; i < m.rates; i++)
        rate[i] = first_rate;
    rate[m.rates - 1] = last_rate;
    walk<double>(m, rate, shock, nullptr);
    return portfolio<double>(m, rate, nullptr);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "libor");
    const int rates = workload::pick(run, "rates", 8, 16, RATES, RATES), steps = workload::pick(run, "steps", 4, 8, STEPS, STEPS), blocks = workload::pick<int>(run, 8, BLOCKS, BLOCKS, BLOCKS), paths = blocks * THREADS;
    const float first_rate = 0.05f;
    workload::Rng rng(run.seed);
    std::vector<float> shock(static_cast<size_t>(paths) * STEPS);
    for (float &z : shock) // near enough to normal: the sum of twelve uniform draws
        for (int k = 0; k < 12; k++)
            z += rng.uniform() - 0.5f;
    const Model<float> m = make_model<float>(rates, steps);
    const Model<double> exact = make_model<double>(rates, steps);
    workload::must(cudaMemcpyToSymbol(model, &m, sizeof m), "copy of the model");
    workload::Buffer<float> ds(shock), dv(paths), dw(paths), dg(paths);
    libor_value<<<blocks, THREADS>>>(ds.get(), dv.get(), first_rate);
    libor_greeks<<<blocks, THREADS>>>(ds.get(), dw.get(), dg.get(), first_rate);
    workload::finish_kernels("libor");
    const std::vector<float> value = dv.download(), again = dw.download(), greek = dg.download();
    std::vector<float> want(paths);
    double slope = 0, slope_there = 0;
    for (int p = 0; p < paths; p++) {
        const double at = static_cast<double>(first_rate), step = 1e-5;
        want[p] = static_cast<float>(on_cpu(exact, &shock[static_cast<size_t>(p) * STEPS], at, at));
        slope += (on_cpu(exact, &shock[static_cast<size_t>(p) * STEPS], at, at + step) - on_cpu(exact, &shock[static_cast<size_t>(p) * STEPS], at, at - step)) / (2 * step);
        slope_there += static_cast<double>(greek[p]);
    }
    const bool slopes_agree = std::fabs(slope - slope_there) <= 5e-3 * std::fabs(slope) && slope != 0;
    return workload::verdict(run, slopes_agree && workload::first_difference(value, want, 2e-3f) < 0 && workload::first_difference(again, want, 2e-3f) < 0, "values and mean slope");
}
