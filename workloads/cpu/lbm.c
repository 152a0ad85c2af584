/* lbm.c - stands in for SPEC's lbm: a lattice-Boltzmann fluid, D3Q19, 100^3 cells, streamed from one lattice to another. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 100, Q = 19, STEPS = 20 };

static const int cx[Q] = { 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0 };
static const int cy[Q] = { 0, 0, 0, 1, -1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1 };
static const int cz[Q] = { 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1 };
static double weight[Q];

typedef double cell[Q];

static void collide(const cell *from, cell *to, long i)
{
    double rho = 0, ux = 0, uy = 0, uz = 0;
    for (int q = 0; q < Q; q++) {
        rho += from[i][q];
        ux += cx[q] * from[i][q];
        uy += cy[q] * from[i][q];
        uz += cz[q] * from[i][q];
    }
    ux /= rho, uy /= rho, uz /= rho;
    const double square = 1.5 * (ux * ux + uy * uy + uz * uz), omega = 1.85;
    for (int q = 0; q < Q; q++) {
        const double cu = 3 * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        to[i + cx[q] + N * (cy[q] + N * (long)cz[q])][q] =
            from[i][q] * (1 - omega) + omega * weight[q] * rho * (1 + cu + .5 * cu * cu - square);
    }
}

int main(void)
{
    cell *a = calloc((size_t)N * N * N, sizeof *a), *b = calloc((size_t)N * N * N, sizeof *b);
    for (int q = 0; q < Q; q++)
        weight[q] = q == 0 ? 1 / 3. : q < 7 ? 1 / 18. : 1 / 36.;
    for (long i = 0; i < N * N * N; i++)
        for (int q = 0; q < Q; q++)
            a[i][q] = weight[q] * (1 + 1e-3 * (double)((i * 7 + q) % 13));
    for (int step = 0; step < STEPS; step++) {
        for (int z = 1; z < N - 1; z++)
            for (int y = 1; y < N - 1; y++)
                for (int x = 1; x < N - 1; x++)
                    collide((const cell *)a, b, x + N * (y + N * (long)z));
        cell *t = a;
        a = b;
        b = t;
    }
    printf("%g\n", a[N * N * 5][3]);
    return 0;
}
