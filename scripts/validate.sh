#!/usr/bin/env bash
# Compares the machine with the reference on the sets of tests/ (or others of the same form: --set DIR), effects included, and
# writes docs/validation.md and docs/log/validation-effects.md. Options of scripts/validate.py may follow.
set -euo pipefail
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
build=${BUILD:-build}
[ -d "$build" ] || meson setup "$build" >/dev/null
ninja -C "$build" >/dev/null
mkdir -p docs/log
python3 scripts/validate.py "$build" --effects --time 3 --write docs/validation.md --log docs/log/validation-effects.md "$@"
python3 scripts/validate_dram.py --build "$build" # writes docs/log/validation-dram.md
