// survey - survey propagation over a random formula of 4.2 clauses of three literals a variable (Lonestar's sp): two launches an iteration. The first forms three
// products for every variable over the surveys of the clauses it is in, the second a new survey for each literal of every clause: gathers both ways between clauses and variables.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 384, LITERALS = 3 };

struct Formula {
    int variables, clauses;
    const int *variable, *is_negated; // of each literal, three a clause
    const int *start, *occurrence;    // literals in which each variable occurs
};

// For each variable the products of (1 - eta) over its plain and its negated occurrences.
__host__ __device__ static void products_of(const Formula &f, const float *eta, int v, float *plain, float *negated)
{
    float p = 1, n = 1;
    for (int k = f.start[v]; k < f.start[v + 1]; k++) {
        const int literal = f.occurrence[k];
        if (f.is_negated[literal])
            n *= 1 - eta[literal];
        else
            p *= 1 - eta[literal];
    }
    plain[v] = p;
    negated[v] = n;
}

// The chance that the other two literals of the clause cannot hold.
__host__ __device__ static float survey_of(const Formula &f, const float *eta, const float *plain, const float *negated, int clause, int which)
{
    float survey = 1;
    for (int k = 0; k < LITERALS; k++) {
        if (k == which)
            continue;
        const int literal = clause * LITERALS + k, v = f.variable[literal];
        const float own = fmaxf(1 - eta[literal], 1e-6f);
        const float same = (f.is_negated[literal] ? negated[v] : plain[v]) / own, opposite = f.is_negated[literal] ? plain[v] : negated[v];
        const float against = (1 - opposite) * same, for_it = (1 - same) * opposite, open = same * opposite, all = against + for_it + open;
        survey *= all > 0 ? against / all : 0;
    }
    return survey;
}

__global__ void sp_products(Formula f, const float *eta, float *plain, float *negated)
{
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < f.variables; v += blockDim.x * gridDim.x)
        products_of(f, eta, v, plain, negated);
}

__global__ void sp_surveys(Formula f, const float *eta, const float *plain, const float *negated, float *next, int *change)
{
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < f.clauses; c += blockDim.x * gridDim.x)
        for (int k = 0; k < LITERALS; k++) {
            const float survey = survey_of(f, eta, plain, negated, c, k), moved = fabsf(survey - eta[c * LITERALS + k]);
            next[c * LITERALS + k] = survey;
            if (moved > 1e-3f)
                atomicMax(change, __float_as_int(moved));
        }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "survey");
    const int variables = workload::pick(run, 200, 6000, 50000, 1000000), clauses = static_cast<int>(variables * 42L / 10), iterations = workload::pick(run, 3, 5, 10, 10);
    workload::Rng rng(run.seed);
    std::vector<int> variable(static_cast<size_t>(clauses) * LITERALS), is_negated(variable.size()), start(variables + 1), occurrence(variable.size());
    for (size_t i = 0; i < variable.size(); i++) {
        variable[i] = static_cast<int>(rng.below(static_cast<uint32_t>(variables)));
        is_negated[i] = static_cast<int>(rng.below(2));
        start[variable[i] + 1]++;
    }
    for (int v = 0; v < variables; v++)
        start[v + 1] += start[v];
    std::vector<int> filled(start);
    for (size_t i = 0; i < variable.size(); i++)
        occurrence[filled[variable[i]]++] = static_cast<int>(i);
    std::vector<float> eta = workload::random_floats(rng, variable.size(), 0, 1), plain(variables), negated(variables), next(eta.size());
    workload::Buffer<int> dv(variable), dn(is_negated), ds(start), occurrences(occurrence), change(1);
    workload::Buffer<float> a(eta), b(eta.size()), dp(variables), dm(variables);
    const Formula there = {variables, clauses, dv.get(), dn.get(), ds.get(), occurrences.get()}, here = {variables, clauses, variable.data(), is_negated.data(), start.data(), occurrence.data()};
    float *from = a.get(), *to = b.get();
    const unsigned blocks = workload::pick(run, 4u, 60u, 120u, 1024u);
    for (int k = 0; k < iterations; k++, std::swap(from, to)) {
        change.zero();
        sp_products<<<blocks, THREADS>>>(there, from, dp.get(), dm.get());
        sp_surveys<<<blocks, THREADS>>>(there, from, dp.get(), dm.get(), to, change.get());
    }
    workload::finish_kernels("survey");
    for (int k = 0; k < iterations; k++, eta.swap(next)) {
        for (int v = 0; v < variables; v++)
            products_of(here, eta.data(), v, plain.data(), negated.data());
        for (int c = 0; c < clauses; c++)
            for (int l = 0; l < LITERALS; l++)
                next[c * LITERALS + l] = survey_of(here, eta.data(), plain.data(), negated.data(), c, l);
    }
    const std::vector<float> got = iterations % 2 ? b.download() : a.download();
    return workload::verdict(run, got, eta, 1e-2f, "surveys");
}
