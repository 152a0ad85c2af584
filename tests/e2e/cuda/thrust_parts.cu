// nvcc: takes minutes to compile NVIDIA's own; thrust.cu does it
// Thrust as programs use it: vectors, iterators, functors and lambdas, policies, algorithms of every kind, against the host's own.
#include "check.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <vector>

struct saxpy {
    float a;
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct even {
    __host__ __device__ bool operator()(int x) const { return (x & 1) == 0; }
};
struct dot_of_rows {
    template <class Tuple> __host__ __device__ void operator()(Tuple t) { thrust::get<2>(t) = thrust::get<0>(t) * thrust::get<1>(t); }
};
struct point {
    float x;
    int id;
};
struct by_x {
    __host__ __device__ bool operator()(const point &a, const point &b) const { return a.x < b.x; }
};
struct inside {
    __device__ float operator()(unsigned i) const
    {
        thrust::default_random_engine engine(i * 7919u + 1u);
        thrust::uniform_real_distribution<float> unit(0.0f, 1.0f);
        engine.discard(10);
        const float x = unit(engine), y = unit(engine);
        return x * x + y * y <= 1.0f ? 1.0f : 0.0f;
    }
};

/* What NVIDIA's Thrust draws, on the device and on the host. */
template <class G> __host__ __device__ void draw(double *drawn)
{
    G g(12345u);
    thrust::uniform_real_distribution<float> real(-1.0f, 3.0f);
    thrust::uniform_real_distribution<double> fine;
    thrust::uniform_int_distribution<int> whole(-5, 1000);
    thrust::random::normal_distribution<double> normal(0.0, 1.0);
    drawn[0] = g(), drawn[1] = real(g), drawn[2] = fine(g), drawn[3] = whole(g), drawn[4] = g(), drawn[5] = normal(g);
    g.discard(1000);
    drawn[6] = g(), drawn[7] = normal(g);
}
__global__ void draw_on_device(double *drawn)
{
    draw<thrust::default_random_engine>(drawn);
    draw<thrust::random::minstd_rand0>(drawn + 8);
}
static void draws()
{
    const double expected[] = {595905495, 1.90233874320984, 0.697912643382244, 941, 0, 0.583534394291977, 259244266,  -0.594699634486193,
                               207482415, 2.33597850799561, 0.947702497660837, 31,  0, -1.63375435474221,  1540099013, -0.296113204661612};
    thrust::device_vector<double> device(16);
    double host[16];
    draw_on_device<<<1, 1>>>(thrust::raw_pointer_cast(device.data()));
    draw<thrust::default_random_engine>(host);
    draw<thrust::random::minstd_rand0>(host + 8);
    for (int i = 0; i < 16; i++)
        if (expected[i] != 0)
            CHECK(std::fabs(host[i] - expected[i]) < 1e-13 * std::fabs(expected[i]) && std::fabs(device[i] - expected[i]) < 1e-13 * std::fabs(expected[i]));
}

static std::vector<int> back(const thrust::device_vector<int> &d)
{
    thrust::host_vector<int> h = d;
    return std::vector<int>(h.begin(), h.end());
}

static void vectors()
{
    thrust::device_vector<int> d(5, 3), e;
    d[2] = 7;
    d.push_back(9);
    d.resize(8);
    e = d;
    thrust::host_vector<int> h(e);
    const int expected[] = {3, 3, 7, 3, 3, 9, 0, 0};
    for (int i = 0; i < 8; i++)
        CHECK(h[i] == expected[i] && d[i] == expected[i]);
    CHECK(e.size() == 8 && e.front() == 3 && !e.empty());
    const int more[] = {5, 6, 7};
    e.assign(more, more + 3);
    std::vector<int> v(3);
    thrust::copy(e.begin(), e.end(), v.begin());
    CHECK(v[0] == 5 && v[2] == 7);
    thrust::copy(v.begin(), v.end(), d.begin() + 1);
    CHECK(d[3] == 7);
    int *raw = thrust::raw_pointer_cast(d.data()), *other = thrust::raw_pointer_cast(&d[0]), one;
    CALL(cudaMemcpy(&one, raw + 1, 4, cudaMemcpyDeviceToHost));
    CHECK(one == 5 && raw == other);
    thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
    thrust::fill(p, p + 2, -1);
    CHECK(thrust::reduce(p, p + 3) == 4 && *(p + 1) == -1);
    e.erase(e.begin());
    CHECK(e.size() == 2 && e[0] == 6);
}

static void loops(int n)
{
    thrust::device_vector<float> x(n), y(n), z(n);
    thrust::sequence(x.begin(), x.end());
    thrust::fill(y.begin(), y.end(), 2.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{3});
    thrust::host_vector<float> h = y;
    for (int i = 0; i < n; i++)
        CHECK(h[i] == 3 * i + 2);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())), dot_of_rows());
    const double sum = thrust::reduce(z.begin(), z.end(), 0.0, thrust::plus<double>());
    double expected = 0;
    for (int i = 0; i < n; i++)
        expected += i * (3.0 * i + 2);
    CHECK(std::fabs(sum - expected) <= 1e-6 * expected);
    CHECK(thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0) == (n - 1.0) * n * (2.0 * n - 1) / 6);
    CHECK(thrust::transform_reduce(x.begin(), x.end(), thrust::negate<float>(), 0.0f, thrust::minimum<float>()) == -(n - 1.0f));
    CHECK(thrust::max_element(z.begin(), z.end()) - z.begin() == n - 1);
    const float a = 0.5f;
    float *out = thrust::raw_pointer_cast(z.data());
    thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), [=] __device__(int i) { out[i] = a * i; });
    CHECK(z[n - 1] == 0.5f * (n - 1));
    thrust::device_vector<float> hits(2000);
    thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(2000), hits.begin(), inside());
    const float pi = 4 * thrust::reduce(hits.begin(), hits.end()) / 2000;
    CHECK(pi > 2.9f && pi < 3.4f);
}

static void orders(int n)
{
    thrust::host_vector<int> h(n);
    unsigned x = 12345;
    std::generate(h.begin(), h.end(), [&] { return (int)((x = x * 1664525u + 1013904223u) >> 16) % 500 - 100; });
    std::vector<int> s(h.begin(), h.end()), order(n);
    thrust::device_vector<int> d = h, keys = h, tags(n), out(n), out2(n);
    thrust::sequence(tags.begin(), tags.end());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return s[a] < s[b]; });
    thrust::stable_sort_by_key(keys.begin(), keys.end(), tags.begin());
    CHECK(back(tags) == order && thrust::is_sorted(keys.begin(), keys.end()));
    std::sort(s.begin(), s.end());
    CHECK(back(keys) == s);
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    std::reverse(s.begin(), s.end());
    CHECK(back(d) == s);
    std::reverse(s.begin(), s.end());
    thrust::device_vector<int> ones(n, 1);
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), out.begin(), out2.begin());
    const int runs = (int)(ends.first - out.begin());
    std::vector<int> u = s;
    u.erase(std::unique(u.begin(), u.end()), u.end());
    CHECK(runs == (int)u.size() && out2[0] == (int)std::count(s.begin(), s.end(), s[0]) && out[runs - 1] == s.back());
    CHECK(thrust::unique(keys.begin(), keys.end()) - keys.begin() == runs);
    CHECK(thrust::lower_bound(keys.begin(), keys.begin() + runs, u[runs / 2]) - keys.begin() == runs / 2);
    CHECK(thrust::binary_search(keys.begin(), keys.begin() + runs, u[0]) && !thrust::binary_search(keys.begin(), keys.begin() + runs, 100000));
    d = h;
    thrust::exclusive_scan(d.begin(), d.end(), out.begin());
    thrust::inclusive_scan(d.begin(), d.end(), d.begin(), thrust::maximum<int>());
    for (int i = 0, sum = 0, most = h[0]; i < n; sum += h[i++]) {
        most = std::max(most, h[i]);
        if (i < 3 || i > n - 3 || i % 256 < 2)
            CHECK(out[i] == sum && d[i] == most);
    }
    d = h;
    const int evens = (int)std::count_if(h.begin(), h.end(), even());
    CHECK(thrust::count_if(d.begin(), d.end(), even()) == evens && thrust::copy_if(d.begin(), d.end(), out.begin(), even()) - out.begin() == evens);
    CHECK(thrust::remove_if(d.begin(), d.end(), even()) - d.begin() == n - evens);
    thrust::device_vector<int> r(h.begin(), h.end());
    CHECK(thrust::partition(r.begin(), r.end(), even()) - r.begin() == evens && thrust::reduce(r.begin(), r.end()) == std::accumulate(h.begin(), h.end(), 0));
    CHECK(thrust::find(r.begin(), r.end(), 1 << 20) == r.end());
    thrust::device_vector<point> points(n);
    thrust::host_vector<point> hp(n);
    for (int i = 0; i < n; i++)
        hp[i] = point{(float)((i * 7919) % n), i};
    points = hp;
    thrust::sort(points.begin(), points.end(), by_x());
    hp = points;
    for (int i = 1; i < n; i++)
        CHECK(hp[i - 1].x <= hp[i].x);
}

static void shapes()
{
    const int n = 10;
    thrust::device_vector<int> map(n), from(n), to(n);
    thrust::sequence(from.begin(), from.end(), 100, 10);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), thrust::make_constant_iterator(n - 1), map.begin(),
                      [] __device__(int i, int last) { return last - i; });
    thrust::gather(map.begin(), map.end(), from.begin(), to.begin());
    CHECK(to[0] == 190 && to[9] == 100);
    thrust::scatter(thrust::device, to.begin(), to.end(), map.begin(), from.begin());
    CHECK(from[0] == 100 && from[9] == 190);
    CHECK(thrust::reduce(thrust::make_permutation_iterator(from.begin(), map.begin()), thrust::make_permutation_iterator(from.begin(), map.begin() + 2)) == 370);
    auto squares = thrust::make_transform_iterator(from.begin(), [] __host__ __device__(int x) { return (long long)x * x; });
    CHECK(thrust::reduce(squares, squares + 2, 0LL) == 100 * 100 + 110 * 110);
    thrust::adjacent_difference(from.begin(), from.end(), to.begin());
    CHECK(to[0] == 100 && to[5] == 10);
    cudaStream_t stream;
    CALL(cudaStreamCreate(&stream));
    int *raw;
    CALL(cudaMalloc(&raw, n * sizeof(int)));
    thrust::sequence(thrust::cuda::par.on(stream), raw, raw + n, 5);
    thrust::sort(thrust::device, raw, raw + n, thrust::greater<int>());
    CHECK(thrust::reduce(thrust::device, raw, raw + n, 0, thrust::maximum<int>()) == 14);
    int h[4] = {4, 2, 3, 1};
    thrust::sort(h, h + 4);
    CHECK(h[0] == 1 && h[3] == 4 && thrust::reduce(thrust::host, h, h + 4) == 10);
}

int main()
{
    vectors();
    loops(10);
    loops(700);
    orders(40);
    orders(1200);
    shapes();
    draws();
    return done();
}
