// nvcuda::wmma: every tile and type against a plain product, with the element-wise work between that programs do.
// nvcc-arch: 80
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>
#include <vector>
using namespace nvcuda;

template <class T> struct in_memory { typedef T type; };
template <> struct in_memory<wmma::precision::tf32> { typedef float type; };

template <class T, class Sum, int M, int N, int K, class A, class B>
__global__ void multiply(const typename in_memory<T>::type *a, const typename in_memory<T>::type *b, Sum *out, wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> right;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, start;
    wmma::load_matrix_sync(left, a, std::is_same<A, wmma::row_major>::value ? K : M);
    wmma::load_matrix_sync(right, b, std::is_same<B, wmma::row_major>::value ? N : K);
    wmma::load_matrix_sync(start, out, layout == wmma::mem_row_major ? N : M, layout);
    wmma::fill_fragment(sum, Sum(1));
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = sum.x[i] + start.x[i];
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(out, sum, layout == wmma::mem_row_major ? N : M, layout);
}

template <class T, class Sum, int M, int N, int K, class A, class B> void check(const char *name, wmma::layout_t layout)
{
    typedef typename in_memory<T>::type Element;
    std::vector<Element> a(M * K), b(K * N);
    std::vector<Sum> c(M * N), out(M * N);
    for (int i = 0; i < M * K; i++)
        a[i] = (Element)(float)(i * 7 % 5);
    for (int i = 0; i < K * N; i++)
        b[i] = (Element)(float)(i * 11 % 3);
    for (int i = 0; i < M * N; i++)
        c[i] = (Sum)(float)(i % 4);
    Sum *device = on_device(c.data(), M * N);
    multiply<T, Sum, M, N, K, A, B><<<1, 32>>>(on_device(a.data(), M * K), on_device(b.data(), K * N), device, layout);
    LAUNCHED();
    to_host(out.data(), device, M * N);
    const bool a_rows = std::is_same<A, wmma::row_major>::value, b_rows = std::is_same<B, wmma::row_major>::value;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const int at = layout == wmma::mem_row_major ? i * N + j : j * M + i;
            float wanted = 1 + (float)c[at];
            for (int k = 0; k < K; k++)
                wanted += (float)a[a_rows ? i * K + k : k * M + i] * (float)b[b_rows ? k * N + j : j * K + k];
            if ((float)out[at] != wanted) {
                printf("%s: row %d, column %d is %g and not %g\n", name, i, j, (double)(float)out[at], (double)wanted);
                exit(1);
            }
        }
}

template <class T, class Sum, int M, int N, int K> void check_layouts(const char *name)
{
    check<T, Sum, M, N, K, wmma::row_major, wmma::col_major>(name, wmma::mem_row_major);
    check<T, Sum, M, N, K, wmma::col_major, wmma::row_major>(name, wmma::mem_col_major);
}
template <class T, class Sum> void check_tiles(const char *name)
{
    check_layouts<T, Sum, 16, 16, 16>(name);
    check_layouts<T, Sum, 32, 8, 16>(name);
    check_layouts<T, Sum, 8, 32, 16>(name);
}

int main()
{
    check_tiles<__half, float>("half");
    check_tiles<__half, __half>("half into half");
    check_tiles<__nv_bfloat16, float>("bfloat16");
    check_tiles<unsigned char, int>("unsigned char");
    check_tiles<signed char, int>("signed char");
    check_layouts<wmma::precision::tf32, float, 16, 16, 8>("tf32");
    check_layouts<double, double, 8, 8, 4>("double");
    return done();
}
