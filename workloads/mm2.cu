// mm2 - E = (A B) D, two matrix multiplications straight from global memory (PolyBench's 2MM): the eight rows of the left operand that a
// block reads lie a multiple of 4 KiB apart, all in one set of a linearly indexed 32-set cache; the right operand is coalesced and
// used again by every row. A: ni x nk, B: nk x nj, D: nj x nl; the small sizes keep the long rows and have fewer of them.
#include "common/workload.h"

// c (rows x columns) = a (rows x inner) * b (inner x columns)
__global__ void multiply_first(const float *a, const float *b, float *c, int rows, int inner, int pitch, int columns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    c[i * columns + j] = 0;
    for (int k = 0; k < inner; k++)
        c[i * columns + j] += a[i * pitch + k] * b[k * columns + j];
}

__global__ void multiply_second(const float *c, const float *d, float *e, int rows, int inner, int columns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= columns)
        return;
    e[i * columns + j] = 0;
    for (int k = 0; k < inner; k++)
        e[i * columns + j] += c[i * inner + k] * d[k * columns + j];
}

static std::vector<float> multiply_on_cpu(const std::vector<float> &a, const std::vector<float> &b, int rows, int inner, int pitch, int columns)
{
    std::vector<float> c(static_cast<size_t>(rows) * columns, 0.0f);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++) {
            const float factor = a[static_cast<size_t>(i) * pitch + k];
            for (int j = 0; j < columns; j++)
                c[static_cast<size_t>(i) * columns + j] += factor * b[static_cast<size_t>(k) * columns + j];
        }
    return c;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mm2");
    // The left operand's rows lie `pitch` elements apart: 4 KiB, of which small multiplies the first part, so that there are threads enough to fill the machine.
    const int ni = workload::pick(run, 32, 64, 64, 2048), nk = workload::pick(run, 32, 192, 1024, 2048), pitch = workload::pick(run, 32, 1024, 1024, 2048);
    const int nj = workload::pick(run, 32, 352, 1024, 2048), nl = workload::pick(run, 32, 64, 512, 2048);
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::random_floats(rng, static_cast<size_t>(ni) * pitch, 0, 1), b = workload::random_floats(rng, static_cast<size_t>(nk) * nj, 0, 1);
    const std::vector<float> d = workload::random_floats(rng, static_cast<size_t>(nj) * nl, 0, 1);
    workload::Buffer<float> da(a), db(b), dc(static_cast<size_t>(ni) * nj), dd(d), de(static_cast<size_t>(ni) * nl);
    const dim3 block(32, 8), first(workload::blocks_for(nj, 32), workload::blocks_for(ni, 8)), second(workload::blocks_for(nl, 32), workload::blocks_for(ni, 8));
    multiply_first<<<first, block>>>(da.get(), db.get(), dc.get(), ni, nk, pitch, nj);
    multiply_second<<<second, block>>>(dc.get(), dd.get(), de.get(), ni, nj, nl);
    workload::finish_kernels("2mm");
    return workload::verdict(run, de.download(), multiply_on_cpu(multiply_on_cpu(a, b, ni, nk, pitch, nj), d, ni, nj, nj, nl), 1e-3f, "matrix product");
}
