// nw - Needleman-Wunsch sequence alignment: the score matrix is filled in tiles along anti-diagonals, each tile in shared
// memory. Two kernels: the growing and the shrinking half.
#include <algorithm>

#include "common/workload.h"

enum { TILE = 16, PENALTY = 10, LETTERS = 24 };

__device__ static void fill_tile(const int *reference, int *score, int columns, int tile_x, int tile_y)
{
    __shared__ int part[TILE + 1][TILE + 1];
    __shared__ int similarity[TILE][TILE];
    const int tx = threadIdx.x;
    const int corner = columns * TILE * tile_y + TILE * tile_x;
    for (int row = 0; row < TILE; row++)
        similarity[row][tx] = reference[corner + columns * (row + 1) + tx + 1];
    if (tx == 0)
        part[0][0] = score[corner];
    part[tx + 1][0] = score[corner + columns * (tx + 1)];
    part[0][tx + 1] = score[corner + tx + 1];
    __syncthreads();
    for (int m = 0; m < 2 * TILE - 1; m++) {
        const int x = m < TILE ? tx + 1 : tx + m - TILE + 2, y = m - (x - 1) + 1;
        if (m < TILE ? tx <= m : tx < 2 * TILE - 1 - m)
            part[y][x] = max(part[y - 1][x - 1] + similarity[y - 1][x - 1], max(part[y][x - 1], part[y - 1][x]) - PENALTY);
        __syncthreads();
    }
    for (int row = 0; row < TILE; row++)
        score[corner + columns * (row + 1) + tx + 1] = part[row + 1][tx + 1];
}

__global__ void needle_grow(const int *reference, int *score, int columns, int diagonal)
{
    fill_tile(reference, score, columns, blockIdx.x, diagonal - 1 - blockIdx.x);
}

__global__ void needle_shrink(const int *reference, int *score, int columns, int diagonal, int tiles)
{
    fill_tile(reference, score, columns, blockIdx.x + tiles - diagonal, tiles - blockIdx.x - 1);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "nw");
    const int n = workload::pick(run, 64, 512, 2048, 2048), columns = n + 1, tiles = n / TILE;
    workload::Rng rng(run.seed);
    int table[LETTERS][LETTERS];
    for (int i = 0; i < LETTERS; i++)
        for (int j = 0; j <= i; j++)
            table[i][j] = table[j][i] = i == j ? 4 + static_cast<int>(rng.below(5)) : static_cast<int>(rng.below(6)) - 4;
    std::vector<int> first(columns), second(columns), reference(static_cast<size_t>(columns) * columns), score(reference.size());
    for (int i = 1; i < columns; i++) {
        first[i] = static_cast<int>(rng.below(LETTERS));
        second[i] = static_cast<int>(rng.below(LETTERS));
        score[i] = score[static_cast<size_t>(i) * columns] = -i * PENALTY;
    }
    for (int i = 1; i < columns; i++)
        for (int j = 1; j < columns; j++)
            reference[static_cast<size_t>(i) * columns + j] = table[first[i]][second[j]];
    workload::Buffer<int> dr(reference), ds(score);
    for (int d = 1; d <= tiles; d++)
        needle_grow<<<d, TILE>>>(dr.get(), ds.get(), columns, d);
    for (int d = tiles - 1; d >= 1; d--)
        needle_shrink<<<d, TILE>>>(dr.get(), ds.get(), columns, d, tiles);
    workload::finish_kernels("needle");
    for (int i = 1; i < columns; i++)
        for (int j = 1; j < columns; j++) {
            const size_t at = static_cast<size_t>(i) * columns + j;
            score[at] = std::max(score[at - columns - 1] + reference[at], std::max(score[at - 1], score[at - columns]) - PENALTY);
        }
    return workload::verdict(run, ds.download() == score, "alignment scores");
}
