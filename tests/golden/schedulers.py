#!/usr/bin/env python3
"""Schedulers that hold warps back must take the reference's cycles, not nearly so: what a limit counts changes with every barrier
and atomic, and which warps are active depends on what lies in their instruction buffers.

    schedulers.py BUILD_DIR
"""
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import validate  # noqa: E402

CASES = [("histogram_shared", "swl2"), ("histogram_shared", "swl8"), ("reduction", "swl16"), ("reduction", "two_level"),
         ("matmul_naive", "two_level"), ("matmul_tiled", "swl4"), ("hotspot", "swl4"), ("hotspot", "two_level")]


def main():
    folder = ROOT / "tests" / "validation"
    with open(folder / "effects.csv", encoding="utf-8", newline="") as rows:
        want = {(row["kernel"], row["variant"]): int(row["cycles"]) for row in csv.DictReader(rows)}
    failed = 0
    for kernel, variant in CASES:
        result = validate.run(sys.argv[1], str(folder / "kernels"), kernel, validate.options_of(variant))
        got = result.get("error") or result["totals"]["cycles"]
        if got != want[kernel, variant]:
            failed += 1
            print(f"{kernel} with {variant}: {got} cycles, the reference takes {want[kernel, variant]}")
    print(f"Ran {len(CASES)} tests")
    sys.exit(1 if failed else 0)


main()
