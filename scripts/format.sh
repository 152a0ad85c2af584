#!/bin/sh
# Lays out C files as .clang-format says; scripts/test.sh checks it.
#   format.sh [--check] [FOLDER...]    --check only tells which files are not; without a folder: every folder with C files of ours
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
[ $# -gt 0 ] || set -- src include examples tests
# src/cuda/include is CUDA's own vocabulary, laid out in tables; tests/e2e/cuda is CUDA C++.
files=$(find "$@" -name '*.[ch]' -not -path 'src/cuda/include/*' -not -path 'tests/e2e/cuda/*')
# shellcheck disable=SC2086
if [ "$check" ]; then clang-format --dry-run --Werror $files; else clang-format -i $files; fi
