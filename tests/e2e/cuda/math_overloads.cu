// Mathematics by its plain names on float, on the device: each must be the float function, and be there at all.
#include "check.h"
#define ONE(X) X(acosh) X(asinh) X(cbrt) X(erf) X(erfc) X(exp2) X(expm1) X(lgamma) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round) \
    X(tgamma) X(trunc) X(sin) X(cos) X(tan) X(exp) X(log) X(log10) X(sqrt) X(floor) X(ceil) X(fabs) X(sinh) X(cosh) X(tanh) X(atan)
#define TWO(X) X(copysign) X(fdim) X(fmax) X(fmin) X(hypot) X(nextafter) X(remainder) X(pow) X(fmod) X(atan2)
__global__ void plain(float *out, float x, float y)
{
    int k = 0;
#define X(f) out[k++] = f(x); static_assert(sizeof(f(x)) == sizeof(float), #f " of a float is a float");
    ONE(X)
#undef X
#define X(f) out[k++] = f(x, y);
    TWO(X)
#undef X
    out[k++] = fma(x, y, 1.0f);
    out[k++] = scalbn(x, 3) + scalbln(x, 2l);
    out[k++] = (float)(ilogb(x) + lrint(x) + lround(x) + llrint(x) + llround(x));
    out[k++] = std::round(x) + std::fma(x, x, y) + std::log2(x) + std::hypot(x, y) + std::trunc(y);
    out[k++] = atanh(x - 2.0f) + (float)isnan(x) + (float)isfinite(y);
}
int main()
{
    const float x = 2.6f, y = -1.75f;
    float *out = on_device<float>(nullptr, 64), h[64];
    plain<<<1, 1>>>(out, x, y);
    LAUNCHED();
    to_host(h, out, 64);
    int k = 0;
    auto near = [&](double wanted) { return std::fabs((double)h[k++] - wanted) <= 4e-6 * (1.0 + std::fabs(wanted)); };
#define X(f) CHECK(near(std::f((double)x)));
    ONE(X)
#undef X
#define X(f) CHECK(near(std::f((double)x, (double)y)));
    TWO(X)
#undef X
    CHECK(near((double)x * (double)y + 1.0));
    CHECK(near(12.0 * (double)x));
    CHECK(near(1 + 3 + 3 + 3 + 3));
    CHECK(near(3 + (double)x * (double)x + (double)y + std::log2((double)x) + std::hypot((double)x, (double)y) - 1));
    CHECK(near(std::atanh((double)x - 2.0) + 1));
    return done();
}
