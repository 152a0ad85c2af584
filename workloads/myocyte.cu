// myocyte - a heart muscle cell as 91 differential equations (Rodinia's form for one cell): the host integrates, and each evaluation is a launch
// of two blocks of 32 threads of which one thread works: the first has 46 equations of currents and concentrations, with exponentials and branches, the second
// three times 15 of calmodulin binding. Latency alone decides; the caches have nothing to do.
// The model is a simpler one of the same size and kind, and the integrator Fehlberg's of orders 4 and 5, where the suite has 7 and 8.
#include "common/workload.h"

enum { GATES = 16, MEMBRANE = 46, BINDING = 15, SITES = 3, EQUATIONS = MEMBRANE + SITES * BINDING, STAGES = 6 };

// 0: membrane potential; 1..16 gates; 17..31 concentrations; 32..45 buffers.
__host__ __device__ static void membrane_rates(const float *y, const float *parameter, float time, float *rate)
{
    const float v = y[0];
    float current = 0;
    for (int g = 0; g < GATES; g++) {
        const float half = parameter[g] - 60.0f, slope = 5.0f + parameter[GATES + g];
        const float open = 1.0f / (1.0f + expf((half - v) / slope));
        const float slow = v < half ? 0.1f + 0.9f * expf((v - half) / 20.0f) : 1.0f / (1.0f + 0.05f * (v - half));
        rate[1 + g] = (open - y[1 + g]) * slow;
        const float nernst = 26.7f * logf((1.0f + parameter[g]) / (0.2f + fabsf(y[17 + g % 15])));
        current += 0.02f * (1.0f + parameter[g]) * y[1 + g] * y[1 + g] * (v - nernst);
    }
    const float phase = time - 50.0f * floorf(time / 50.0f);
    rate[0] = (phase < 5.0f ? 9.5f : 0.0f) - current;
    for (int c = 0; c < 15; c++) {
        const float here = y[17 + c], next = y[17 + (c + 1) % 15];
        const float pump = here > 0.1f ? powf(here, 1.6f) / (powf(here, 1.6f) + 0.3f) : 0.05f * here;
        rate[17 + c] = 0.2f * (next - here) - 0.02f * pump + 0.001f * fabsf(current) * parameter[c];
    }
    for (int b = 0; b < 14; b++)
        rate[32 + b] = 0.3f * y[17 + b] * (1.0f - y[32 + b]) - 0.1f * y[32 + b];
}

// A chain of binding steps fed by one concentration.
__host__ __device__ static void binding_rates(const float *y, float calcium, const float *parameter, float *rate)
{
    const float bound = calcium * calcium / (calcium * calcium + 0.25f);
    for (int i = 0; i < BINDING; i++) {
        const float before = i > 0 ? y[i - 1] : bound, on = 0.2f + 0.05f * parameter[i], off = 0.1f + 0.02f * parameter[i];
        rate[i] = y[i] > before ? off * (before - y[i]) : on * (before - y[i]) * (1.0f + sqrtf(fabsf(y[i])));
    }
}

__global__ void myocyte_rates(float time, const float *y, const float *parameter, float *rate)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        membrane_rates(y, parameter, time, rate);
    else
        for (int s = 0; s < SITES; s++)
            binding_rates(y + MEMBRANE + s * BINDING, y[20 + s], parameter, rate + MEMBRANE + s * BINDING);
}

typedef std::vector<float> Floats;

// One step of Fehlberg's method with `rates(time, y)`; the error of each equation, too.
template <class Rates> static Floats fehlberg(Rates rates, float time, const Floats &y, float h, float &error)
{
    static const float when[STAGES] = {0, 0.25f, 0.375f, 12.0f / 13, 1, 0.5f};
    static const float share[STAGES][STAGES - 1] = {{},
                                                    {0.25f},
                                                    {3.0f / 32, 9.0f / 32},
                                                    {1932.0f / 2197, -7200.0f / 2197, 7296.0f / 2197},
                                                    {439.0f / 216, -8, 3680.0f / 513, -845.0f / 4104},
                                                    {-8.0f / 27, 2, -3544.0f / 2565, 1859.0f / 4104, -11.0f / 40}};
    static const float fifth[STAGES] = {16.0f / 135, 0, 6656.0f / 12825, 28561.0f / 56430, -9.0f / 50, 2.0f / 55};
    static const float apart[STAGES] = {1.0f / 360, 0, -128.0f / 4275, -2197.0f / 75240, 1.0f / 50, 2.0f / 55};
    std::vector<Floats> k;
    for (int s = 0; s < STAGES; s++) {
        Floats at = y;
        for (int e = 0; e < EQUATIONS; e++)
            for (int p = 0; p < s; p++)
                at[e] += h * share[s][p] * k[p][e];
        k.push_back(rates(time + when[s] * h, at));
    }
    Floats result = y;
    error = 0;
    for (int e = 0; e < EQUATIONS; e++) {
        float off = 0;
        for (int s = 0; s < STAGES; s++) {
            result[e] += h * fifth[s] * k[s][e];
            off += h * apart[s] * k[s][e];
        }
        error = std::fmax(error, std::fabs(off) / (1 + std::fabs(y[e])));
    }
    return result;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "myocyte");
    const int steps = workload::pick(run, 2, 16, 320, 1000);
    workload::Rng rng(run.seed);
    const Floats parameter = workload::random_floats(rng, 2 * GATES, 0, 1);
    Floats y = workload::random_floats(rng, EQUATIONS, 0.05f, 0.9f);
    y[0] = -60;
    workload::Buffer<float> dy(EQUATIONS), dp(parameter), dr(EQUATIONS);
    const auto on_gpu = [&](float time, const Floats &at) {
        dy.upload(at);
        myocyte_rates<<<2, 32>>>(time, dy.get(), dp.get(), dr.get());
        workload::finish_kernels("myocyte_rates");
        return dr.download();
    };
    const auto on_cpu = [&](float time, const Floats &at) {
        Floats rate(EQUATIONS);
        membrane_rates(at.data(), parameter.data(), time, rate.data());
        for (int s = 0; s < SITES; s++)
            binding_rates(&at[MEMBRANE + s * BINDING], at[20 + s], parameter.data(), &rate[MEMBRANE + s * BINDING]);
        return rate;
    };
    bool right = true;
    float time = 0, h = 0.25f, error, unused;
    for (int s = 0; s < steps; s++) { // both from the same state, so that differences do not add up over the steps
        const Floats next = fehlberg(on_gpu, time, y, h, error);
        right = right && workload::first_difference(next, fehlberg(on_cpu, time, y, h, unused), 1e-3f) < 0;
        y = next;
        time += h;
        h = error > 1e-3f ? std::fmax(0.5f * h, 0.01f) : std::fmin(1.2f * h, 0.5f);
    }
    return workload::verdict(run, right, "state after each step");
}
