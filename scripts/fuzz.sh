#!/bin/sh
# Runs every libFuzzer target of tests/fuzz on its kept corpus for a bounded time (seconds per target, default 10).
# New inputs stay in build-fuzz/corpus; one that is worth keeping is copied to tests/fuzz/corpus by hand.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
./scripts/build.sh fuzz >build-fuzz.log 2>&1 || { tail -30 build-fuzz.log; rm -f build-fuzz.log; echo "fuzz: the targets do not build"; exit 1; }
rm -f build-fuzz.log
failed=0
passed=0
for target in build-fuzz/tests/fuzz/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    name=${target##*/fuzz_}
    mkdir -p "build-fuzz/corpus/$name"
    log=build-fuzz/$name.log
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix=build-fuzz/crash- -print_final_stats=1 \
        "build-fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        failed=$((failed + 1))
        echo "fuzz $name failed:"
        tail -40 "$log"
    fi
done
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
