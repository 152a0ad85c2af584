#!/bin/sh
# Compares the misses of `warpline run --cpu` with those of an independent program, tests/e2e/llc_reference.c, on every trace of a folder.
#   check-llc.sh FOLDER [BUILD]    prints name, L2 and L3 misses per thousand instructions, and how far the timed run is from program order
set -eu
. "$(dirname "$0")/help.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
build=$(cd "${2:-$here/build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O2 -o "$work/reference" "$here/tests/e2e/llc_reference.c"
warm=${WARMUP:-2000000} count=${COUNT:-10000000}
printf '%-12s %10s %10s %10s %10s  %s\n' trace L2 L3-LRU L3-SRRIP timed-LRU 'equal'
for trace in "$folder"/*.wct; do
    "$build/warpline" record-cpu -o "$work/t.champsim" --from "$trace" --count $((warm + count)) >/dev/null
    "$work/reference" "$warm" "$count" <"$work/t.champsim" >"$work/reference.txt"
    for run in "lru --functional" "srrip --functional" lru; do
        # shellcheck disable=SC2086
        "$build/warpline" run --quiet --json "$work/$(echo $run | tr -d ' -').json" --set cmp.warmup="$warm" --set cmp.instructions="$count" \
            --policy $run --cpu "$trace"
    done
    python3 - "$work" "$(basename "$trace" .wct)" "$count" <<'END'
import json, sys
folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
lru, srrip, l2 = map(int, open(folder + "/reference.txt").read().split())
core = lambda f: json.load(open(f"{folder}/{f}.json"))["kernels"][0]
a, b, t = core("lrufunctional"), core("srripfunctional"), core("lru")
same = (a["llc"]["misses"], b["llc"]["misses"], a["cpu"]["l2"]["misses"]) == (lru, srrip, l2)
k = lambda n: f"{1000 * n / count:10.3f}"
print(f"{name:12} {k(l2)} {k(lru)} {k(srrip)} {k(t['llc']['misses'])}  {'yes' if same else 'NO'}", flush=True)
sys.exit(0 if same else 1)
END
done
