#!/bin/sh
# Simulation rate of the release build on the kernels of tests/validation, beside the last recorded run and the reference.
#   bench.sh [--record] [KERNEL...]    --record makes this run the one to compare with (docs/bench.csv)
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
./scripts/build.sh release >/dev/null
exec python3 scripts/bench.py build "$@"
