#!/usr/bin/env python3
"""A few kernels through two builds: the debug one, which checks its invariants after every tick, and the release one.

    debug_build.py RELEASE_BUILD DEBUG_BUILD

Both must end well and say the same to the byte, but for the time it took them: looking changes nothing.
"""
import json
import pathlib
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "validation" / "kernels"
# Kernels that end within seconds; the options bring policies with invariants of their own, small queues and other caches.
RUNS = [("vadd", []), ("histogram_shared", ["--policy", "gto,mrpb"]), ("pathfinder", ["--policy", "ccws,pric", "--set", "l1.mshr_entries=4"]),
        ("transpose_tiled", ["--policy", "mascar", "--config", "gtx480-16k"]), ("reduction", ["--policy", "dwt-pric", "--set", "gpu.interval=500"]),
        ("atomic_histogram", ["--policy", "two-level,drrip"]),
        # Modules, whose gateways and L1.5 sleep too; and a texture cache, constants, local memory behind a small L1.
        ("transpose_tiled", ["--config", "mcm-4x64", "--set", "gpu.sms=16", "--set", "l15.keeps=all", "--policy", "first-touch"]),
        ("kmeans_assign", ["--config", "gtx480-gpgpusim", "--max-cycles", "8000"]),
        ("reduction", ["--policy", "linebacker", "--set", "policy.linebacker.forced=3", "--set", "policy.linebacker.window=300"]),
        ("pathfinder", ["--policy", "linebacker", "--set", "policy.linebacker.window=2000"]), ("conv2d", ["--policy", "cerf"]),
        # Every line that is filled is compressed, made again and compared.
        ("conv2d", ["--policy", "static-sc", "--config", "gtx480-latte"]), ("pathfinder", ["--policy", "static-bdi", "--config", "gtx480-latte"]),
        ("pathfinder", ["--policy", "static-bpc", "--config", "gtx480-latte"]), ("conv2d", ["--policy", "static-fpc", "--config", "gtx480-latte"]),
        ("pathfinder", ["--policy", "static-cpack", "--config", "gtx480-latte"]), ("conv2d", ["--policy", "latte-cc", "--config", "gtx480-latte"]),
        ("conv2d", ["--policy", "adaptive-cmp", "--config", "gtx480-latte"]), ("conv2d", ["--policy", "compressibility", "--config", "gtx480-latte"])]


def result(build, kernel, options):
    command = [str(pathlib.Path(build) / "warpline"), "run", "--quiet", "--ptx", str(KERNELS / (kernel + ".ptx")), "--launch", str(KERNELS / (kernel + ".json")), "--json", "-"]
    done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    if done.returncode:
        return None, f"{build}: exit code {done.returncode}: {done.stderr[-500:]}"
    value = json.loads(done.stdout)
    del value["host"]
    return json.dumps(value), ""


def main():
    release, debug = sys.argv[1:3]
    failed = 0
    for kernel, options in RUNS:
        (expected, why), (got, why_debug) = result(release, kernel, options), result(debug, kernel, options)
        good = expected is not None and expected == got
        print(f"{'same' if good else 'DIFFERENT'}: {kernel} {' '.join(options)} {why} {why_debug}".rstrip())
        failed += not good
    sys.exit(1 if failed else 0)


main()
