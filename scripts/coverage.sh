#!/bin/sh
# Line coverage of src/ by all tests: a table on stdout and pages in build-coverage/report.
set -eu
cd "$(dirname "$0")/.."
./scripts/install-packages.sh all
./scripts/build.sh coverage
find build-coverage -name '*.gcda' -delete
meson test -C build-coverage --no-rebuild --num-processes 2 --timeout-multiplier 5 >/dev/null || echo "some tests failed; the coverage is of what ran" >&2
lcov --quiet --capture --directory build-coverage --output-file build-coverage/all.info --rc lcov_branch_coverage=0
lcov --quiet --extract build-coverage/all.info "$PWD/src/*" --output-file build-coverage/src.info
genhtml --quiet build-coverage/src.info --output-directory build-coverage/report
lcov --list build-coverage/src.info | sed -n '/^\[/,$p'
lcov --summary build-coverage/src.info 2>&1 | sed -n 's/^ *lines.*: \(.*\)/lines covered: \1/p'
