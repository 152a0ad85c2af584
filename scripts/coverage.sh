#!/bin/sh
# Line coverage of src/ by the tests: a table on stdout and pages in build-coverage/report.
# Left out, because they run lines that others run and take long without optimisation: the whole workload list through traces, the
# large random kernels, and the validation and reproduction tables. WARPLINE_COVERAGE_ALL=1 runs these too.
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
./scripts/install-packages.sh all
./scripts/build.sh coverage
find build-coverage -name '*.gcda' -delete
long='/ (trace_all|random_kernels_more|validation|reproduce|docs_are_fresh)$'
[ "${WARPLINE_COVERAGE_ALL:-0}" = 1 ] && long='^$'
# "project:suite / name" in Meson's list, "name" on its command line.
tests=$(meson test -C build-coverage --no-rebuild --list | grep -Ev "$long" | sed 's:.* / ::' | sort -u)
IFS='
'
# shellcheck disable=SC2086  # the list is meant to be split, at line ends
meson test -C build-coverage --no-rebuild --num-processes 2 --timeout-multiplier 5 $tests >build-coverage/tests.log 2>&1 ||
    { grep -E 'FAIL|TIMEOUT' build-coverage/tests.log; echo "some tests failed; the coverage is of what ran"; } >&2
lcov --quiet --capture --directory build-coverage --output-file build-coverage/all.info --rc lcov_branch_coverage=0
lcov --quiet --extract build-coverage/all.info "$PWD/src/*" --output-file build-coverage/src.info
genhtml --quiet build-coverage/src.info --output-directory build-coverage/report
lcov --list build-coverage/src.info | sed -n '/^\[/,$p'
lcov --summary build-coverage/src.info 2>&1 | sed -n 's/^ *lines.*: \(.*\)/lines covered: \1/p'
