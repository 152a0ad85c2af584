#!/usr/bin/env python3
"""Prints the polynomial coefficients of src/cuda/include/libdevice_coefficients.h (needs python3-mpmath).

Each is a Chebyshev fit of the function on the interval the header reduces to, lowest power first. Run it and compare with the
header to see where a number comes from."""
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

from mpmath import mp, mpf, log, exp, sin, cos, atan, asin, erfc, erf, sqrt, pi, floor, chebyfit

mp.dps = 60


def fit(name, f, low, high, terms, kind):
    coefficients = chebyfit(f, [mpf(low), mpf(high)], terms)[::-1]
    digits = 10 if kind == "float" else 19
    suffix = "f" if kind == "float" else ""
    body = ", ".join(mp.nstr(c, digits, min_fixed=0, max_fixed=0) + suffix for c in coefficients)
    print(f"#define {name} {body}")


def guard(x):
    return x if abs(x) > mpf(10) ** -12 else mpf(10) ** -12


def log_tail(t):
    t = guard(t)
    return (log(1 + t) - t + t * t / 2) / t ** 3


def atanh_tail(z):  # log((1+s)/(1-s)) = 2s + s z P(z), z = s*s
    z = guard(abs(z)); s = sqrt(z)
    return (log((1 + s) / (1 - s)) / s - 2) / z


def atanh_tail5(z):  # log((1+s)/(1-s)) = 2s + 2/3 s z + s z^2 P(z)
    z = guard(abs(z)); s = sqrt(z)
    return ((log((1 + s) / (1 - s)) / s - 2) / z - mpf(2) / 3) / z


def expm1_tail(r):
    r = guard(r)
    return (exp(r) - 1 - r - r * r / 2) / r ** 3


def sin_tail(z):
    z = guard(abs(z)); r = sqrt(z)
    return (sin(r) / r - 1) / z


def cos_tail(z):
    z = guard(abs(z)); r = sqrt(z)
    return (cos(r) - 1 + z / 2) / z ** 2


def atan_tail(z):
    z = guard(abs(z)); x = sqrt(z)
    return (atan(x) / x - 1) / z


def asin_tail(z):
    z = guard(abs(z)); x = sqrt(z)
    return (asin(x) / x - 1) / z


def erf_small(z):
    z = guard(abs(z)); x = sqrt(z)
    return erf(x) / x


def erfcx_map(t):  # (1 + 2x) erfcx(x), x = 4 (1+t)/(1-t)
    if t >= 1 - mpf(10) ** -9:
        return 2 / sqrt(pi)
    x = 4 * (1 + t) / (1 - t)
    if x > 60:  # asymptotic series
        total, term = mpf(1), mpf(1)
        for n in range(1, 20):
            term *= -mpf(2 * n - 1) / (2 * x * x)
            total += term
        return (1 + 2 * x) * total / (x * sqrt(pi))
    return (1 + 2 * x) * exp(x * x) * erfc(x)


for kind, tag, terms in (("float", "F", 0), ("double", "D", 1)):
    t = terms
    fit(f"WL_{tag}_LOG", log_tail, -mpf(1) / 3, mpf(1) / 3 + 0.02, (8, 20)[t], kind)
    fit(f"WL_{tag}_ATANH", atanh_tail, 0, 0.0296, (4, 8)[t], kind)
    fit(f"WL_{tag}_ATANH5", atanh_tail5, 0, 0.0296, (3, 7)[t], kind)
    fit(f"WL_{tag}_EXPM1", expm1_tail, -0.347, 0.347, (5, 10)[t], kind)
    fit(f"WL_{tag}_SIN", sin_tail, 0, 0.6171, (3, 6)[t], kind)
    fit(f"WL_{tag}_COS", cos_tail, 0, 0.6171, (3, 6)[t], kind)
    fit(f"WL_{tag}_ATAN", atan_tail, 0, (1.0, 0.1716)[t], (9, 11)[t], kind)
    fit(f"WL_{tag}_ASIN", asin_tail, 0, 0.2501, (6, 13)[t], kind)
    fit(f"WL_{tag}_ERF", erf_small, 0, 1.0, (7, 13)[t], kind)
    fit(f"WL_{tag}_ERFCX", erfcx_map, -1, 1, (12, 25)[t], kind)

mp.dps = 420
value, words = 2 / pi, []
for _ in range(20):
    value *= mpf(2) ** 64
    word = int(floor(value))
    words.append(f"0x{word:016x}ull")
    value -= word
print("#define WL_TWO_OVER_PI", ", ".join(words))
