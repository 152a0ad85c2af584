// gesummv - y = alpha A x + beta B x (PolyBench's form): one row of each matrix per thread, so a warp walks 64 rows side by side.
#include "common/workload.h"

__global__ void gesummv(const float *a, const float *b, const float *x, float *y, float *tmp, int rows, int columns, int pitch, float alpha, float beta)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    tmp[i] = 0;
    y[i] = 0;
    for (int j = 0; j < columns; j++) {
        tmp[i] += a[i * pitch + j] * x[j];
        y[i] += b[i * pitch + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "gesummv");
    // A block for each of 15 SMs, as the suite's 4096 rows give; rows lie 4 KiB apart, of which small uses the first 320 elements.
    const int rows = workload::pick(run, "rows", 64, 3840, 9600, 4096), columns = workload::pick(run, "columns", 64, 320, 1024, 4096), pitch = std::max(columns, workload::pick(run, "pitch", 64, 1024, 1024, 4096));
    const float alpha = 1.5f, beta = 0.25f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(rows) * pitch;
    const std::vector<float> a = workload::random_floats(rng, cells, 0, 1), b = workload::random_floats(rng, cells, 0, 1), x = workload::random_floats(rng, columns, 0, 1);
    workload::Buffer<float> da(a), db(b), dx(x), dy(rows), dt(rows);
    gesummv<<<workload::blocks_for(rows, 256), 256>>>(da.get(), db.get(), dx.get(), dy.get(), dt.get(), rows, columns, pitch, alpha, beta);
    workload::finish_kernels("gesummv");
    std::vector<float> want(rows);
    for (int i = 0; i < rows; i++) {
        double first = 0, second = 0;
        for (int j = 0; j < columns; j++) {
            first += static_cast<double>(a[static_cast<size_t>(i) * pitch + j]) * x[j];
            second += static_cast<double>(b[static_cast<size_t>(i) * pitch + j]) * x[j];
        }
        want[i] = static_cast<float>(alpha * first + beta * second);
    }
    return workload::verdict(run, dy.download(), want, 1e-3f, "vector");
}
