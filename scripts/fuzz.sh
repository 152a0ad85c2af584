#!/bin/sh
# fuzz.sh            runs every libFuzzer target of tests/fuzz on its kept corpus and a fixed number of inputs made from it with a
#                    fixed seed, so that the check of a commit gives the same answer every day.
# fuzz.sh SECONDS    hunts: as many seconds per target as are given, with another seed each time.
# New inputs stay in build-fuzz/corpus; one that is worth keeping is copied to tests/fuzz/corpus by hand.
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
./scripts/build.sh fuzz >build-fuzz-output.log 2>&1 || { tail -30 build-fuzz-output.log; rm -f build-fuzz-output.log; echo "fuzz: the targets do not build"; exit 1; }
rm -f build-fuzz-output.log
how="-runs=20000 -seed=1 -max_total_time=60"
[ $# -eq 0 ] || how="-max_total_time=$1"
# libFuzzer's dictionaries hold addresses. Without randomised addresses they are the same each time, if the machine allows that.
still=
setarch "$(uname -m)" -R true 2>/dev/null && still="setarch $(uname -m) -R"
failed=0
passed=0
for target in build-fuzz/tests/fuzz/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    name=${target##*/fuzz_}
    [ $# -gt 0 ] || rm -rf "build-fuzz/corpus/$name"
    mkdir -p "build-fuzz/corpus/$name"
    log=build-fuzz/$name.log
    # shellcheck disable=SC2086
    if $still "$target" $how -timeout=10 -rss_limit_mb=2048 -artifact_prefix=build-fuzz/crash- -print_final_stats=1 \
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
