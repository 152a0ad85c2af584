#!/bin/sh
# Lays out C files as .clang-format says:
#   format.sh [--check] [FOLDER...|--all]    --check only tells which files are not; --all: every folder with C files of ours
# Without a folder: those below, which are kept by the tool and checked by scripts/test.sh.
set -eu
cd "$(dirname "$0")/.."
kept='src/base src/param src/stat src/cli src/front include tests/unit/base tests/unit/param tests/unit/stat tests/unit/cli tests/unit/study
    tests/bench tests/e2e tests/fuzz'
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
if [ "${1:-}" = --all ]; then
    folders='src include examples tests'
elif [ $# -gt 0 ]; then
    folders=$*
else
    folders=$kept
fi
# src/cuda/include is CUDA's own vocabulary, laid out in tables; tests/e2e/cuda is CUDA C++.
# shellcheck disable=SC2086
files=$(find $folders -name '*.[ch]' -not -path 'src/cuda/include/*' -not -path 'tests/e2e/cuda/*')
# shellcheck disable=SC2086
if [ "$check" ]; then clang-format --dry-run --Werror $files; else clang-format -i $files; fi
