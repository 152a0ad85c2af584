#!/usr/bin/env python3
"""The same bytes on every number of threads: results (but for "host") and what the kernels computed.

    threads.py WARPLINE [few]

Programs are chosen for what threads could spoil: stores, loads and atomics of many SMs on the same words in the same cycle
(threads/scramble.ptx), first touch of pages, policies of every scope, faults, traces.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "validation" / "kernels"
SMALL_MCM = ["--config", "mcm-4x64", "--set", "gpu.sms=16"]
# Kernel, options, and the numbers of threads to compare with one. --set gpu.threads_insist: a busy machine would leave them idle.
FEW = [("scramble", [], [2, 3]), ("mingle", ["--config", "titanv"], [2, 4]), ("stumble", [], [2]),  # several SMs store out of bounds: whose fault is told, and what was counted by then
       ("scramble", SMALL_MCM + ["--policy", "first-touch,cta-distributed"], [2])]
MORE = [
    ("atomic_histogram", ["--config", "gtx480-gpgpusim", "--max-cycles", "4000"], [2, 3]),  # late atomics, rounded clocks
    ("trace", [], [2]),
    ("scramble", SMALL_MCM, [3, 4, 7]),  # modules in one piece and in several
    ("scramble", SMALL_MCM + ["--policy", "first-touch", "--set", "l15.keeps=all"], [4]),
    ("scramble", ["--policy", "ccws,pric"], [4]),  # schedulers, sets of the L1
    ("scramble", ["--policy", "mascar"], [3]),  # the LSU's queue
    ("scramble", ["--policy", "drrip", "--set", "gpu.interval=1000"], [2]),  # duels of GPU scope; counters over time
    ("scramble", ["--policy", "linebacker", "--set", "policy.linebacker.forced=3", "--set", "policy.linebacker.window=300"], [2]),
    ("scramble", ["--set", "sm.ideal=true"], [2]),
    ("atomic_histogram", ["--max-cycles", "4000"], [2, 4]),
    ("histogram_shared", ["--policy", "dwt-pric", "--max-cycles", "4000"], [3]),
    ("conv2d", ["--policy", "cerf", "--max-cycles", "3000"], [2]),
]


def run(warpline, kernel, options, threads, folder):
    own = kernel in ("scramble", "stumble", "mingle")
    place = HERE / "threads" if own else KERNELS
    target = ["--ptx", str(place / ("scramble.ptx" if kernel == "stumble" else kernel + ".ptx")), "--launch", str(place / (kernel + ".json")), "--dump-outputs", folder]
    if kernel == "trace":
        target = [str(pathlib.Path(folder) / "scramble.wlt")]
        if threads == 1:
            subprocess.run([warpline, "record", "--quiet", "--ptx", str(HERE / "threads" / "scramble.ptx"), "--launch", str(HERE / "threads" / "scramble.json"),
                            "-o", target[0]], capture_output=True, check=True)
    command = [warpline, "run", "--quiet", "--json", "-", "--set", "gpu.threads_insist=true", "--threads", str(threads)] + options + target
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != (kernel == "stumble"):
        return None, 0, f"exit code {done.returncode}: {done.stderr[-2000:]}"
    result = json.loads(done.stdout)
    used = result.pop("host")["threads"]
    values = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())}
    return (json.dumps(result) + (done.stderr if kernel == "stumble" else ""), values), used, ""


def compare(warpline, kernel, options, threads):
    with tempfile.TemporaryDirectory() as folder:
        one, used, why = run(warpline, kernel, options, 1, folder)
        if one is None or used != 1:
            return f"one thread: {why or f'host.threads is {used}'}"
        for n in threads:
            some, used, why = run(warpline, kernel, options, n, folder)
            if some is None:
                return f"{n} threads: {why}"
            if used != n:
                return f"{n} threads: host.threads is {used}"
            if some != one:
                return f"{n} threads: another " + ("result" if some[0] != one[0] else "output")
    return ""


def main():
    failed = 0
    for kernel, options, threads in FEW if sys.argv[2:] == ["few"] else FEW + MORE:
        why = compare(sys.argv[1], kernel, options, threads)
        print("not ok" if why else "ok", kernel, " ".join(options), threads, why, flush=True)
        failed += why != ""
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
