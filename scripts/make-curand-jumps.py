#!/usr/bin/env python3
"""Prints src/cuda/include/curand_jumps.h: how XORWOW's shift register is moved ahead by 2^k steps.

The register's 160 bits are stepped by a linear map. Its characteristic polynomial P follows from any 320 bits of output
(Berlekamp and Massey). x^n mod P, applied to a state, is the state n steps on; the table has n = 2^k for offsets and n = 2^(67+k)
for subsequences, which cuRAND starts 2^67 steps apart."""
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

MASK = 0xffffffff


def step(v):
    t = v[0] ^ v[0] >> 2
    return [v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4 ^ t ^ t << 1) & MASK]


def characteristic():
    v, bits = [1, 2, 3, 4, 5], []
    for _ in range(400):
        v = step(v)
        bits.append(v[4] & 1)
    c, b, length, m = 1, 1, 0, 1
    for n, bit in enumerate(bits):
        d = bit
        for i in range(1, length + 1):
            d ^= (c >> i & 1) & bits[n - i]
        if not d:
            m += 1
        elif 2 * length <= n:
            c, b, length, m = c ^ b << m, c, n + 1 - length, 1
        else:
            c ^= b << m
            m += 1
    assert length == 160
    return int(format(c, "0161b")[::-1], 2)  # reversed: the highest power is the next bit


def square(a, p):
    wide = sum(1 << 2 * i for i in range(160) if a >> i & 1)
    for i in range(319, 159, -1):
        if wide >> i & 1:
            wide ^= p << i - 160
    return wide


def main():
    p, power, rows = characteristic(), 2, []
    for _ in range(67 + 64):
        rows.append(power)
        power = square(power, p)
    print("/* Made by scripts/make-curand-jumps.py: XORWOW's register 2^k steps ahead, as a polynomial of one step; words from the lowest power. */")
    print("#ifndef WARPLINE_CURAND_JUMPS_H\n#define WARPLINE_CURAND_JUMPS_H")
    print("static __device__ const unsigned int warpline_xorwow_jumps[128][5] = {")
    for k in [*range(64), *range(67, 131)]:
        words = ", ".join(f"0x{rows[k] >> 32 * i & MASK:08x}u" for i in range(5))
        print(f"    {{ {words} }}, /* 2^{k} */")
    print("};\n#endif")


main()
