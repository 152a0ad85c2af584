#!/bin/sh
# Installs what is missing, builds, and runs every test: all suites on the release build; the quick unit tests once more under
# AddressSanitizer and UndefinedBehaviorSanitizer, and under ThreadSanitizer; unit and property tests and a few kernels in the debug build,
# which checks its invariants in every cycle; each fuzz target on a fixed set of inputs; clang-format and clang-tidy.
# The last line is "N passed, N failed" (and ", N skipped"); the exit code is not 0 when something failed.
set -u
. "$(dirname "$0")/help.sh"
[ $# -eq 0 ] || { echo "test.sh runs everything and takes no arguments; for one test: meson test -C build NAME" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 4
export LC_ALL=C
parts=

# check NAME COMMAND...: one check whose whole output is shown when it fails.
check() {
    name=$1
    shift
    start=$(date +%s)
    log=$(mktemp)
    echo "== $name"
    if "$@" >"$log" 2>&1; then verdict=1:0; else verdict=0:1; tail -60 "$log"; fi
    rm -f "$log"
    parts="$parts $name=check:$verdict:$(($(date +%s) - start))"
}

# suites LABEL FOLDER MESON-ARGUMENTS...: a run of meson's tests, added up from its log.
suites() {
    label=$1
    folder=$2
    shift 2
    meson test -C "$folder" --no-rebuild --num-processes 2 --timeout-multiplier 4 --print-errorlogs "$@" 2>&1 |
        grep -v -e '^ *[0-9]*/[0-9]* .* OK ' -e '^\[.*\] Running' -e '^$'
    parts="$parts $label=$folder/meson-logs/testlog.json"
}

began=$(date +%s)
./scripts/install-packages.sh all || { echo "0 passed, 1 failed"; exit 3; }
check build ./scripts/build.sh release
if [ ! -x build/warpline ]; then
    echo "0 passed, 1 failed"
    exit 1
fi
echo "== tests"
suites '' build
for type in sanitize thread; do
    check build-$type ./scripts/build.sh $type
    without='--no-suite slow'
    [ $type = thread ] && without="$without --no-suite machine"
    if [ -x build-$type/warpline ]; then
        echo "== unit tests, build type $type"
        # shellcheck disable=SC2086
        suites $type build-$type --suite unit $without
    fi
done
check build-debug ./scripts/build.sh debug
if [ -x build-debug/warpline ]; then
    echo "== unit and property tests, build type debug"
    suites debug build-debug --suite unit --suite property --no-suite slow
    check debug-kernels python3 tests/property/debug_build.py build build-debug
fi
check fuzz ./scripts/fuzz.sh
check format ./scripts/format.sh --check
check tidy ./scripts/tidy.sh
echo "all of it took $(($(date +%s) - began)) s"
# shellcheck disable=SC2086
python3 scripts/summarize-tests.py $parts
