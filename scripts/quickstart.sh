#!/bin/sh
# From a bare Debian machine to a finding, a table of techniques and report.html: installs what is missing, builds the release and
# compares techniques on workloads that need them for different reasons, and on one that needs none.
set -eu
. "$(dirname "$0")/help.sh"
[ $# -eq 0 ] || { echo "quickstart.sh takes no arguments; WARPLINE_SIZE=tiny before it chooses smaller inputs" >&2; exit 2; }
cd "$(dirname "$0")/.."
began=$(date +%s)
step() { printf '== %s (%s s so far)\n' "$1" "$(($(date +%s) - began))"; }

# watched COMMAND...: on a terminal (not a dumb one), a line that moves every second while the command runs: how long, and what it wrote last. In a
# pipe the command is quiet. What it wrote is shown when it fails.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
moving() { [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; }
watched() {
    if moving; then show_last_line & fi
    code=0
    WARPLINE_VERBOSE=1 "$@" >"$log" 2>&1 || code=$?
    if moving; then
        kill $! 2>/dev/null || :
        wait $! 2>/dev/null || :
        printf '\r\033[K'
    fi
    [ "$code" -eq 0 ] || { tail -n 20 "$log" >&2; exit "$code"; }
}
show_last_line() {
    while [ -e "$log" ]; do # it goes when the script ends, however it does
        printf '\r\033[K%4s s  %s' "$(($(date +%s) - began))" "$(tail -n 1 "$log" | tr -d '\r\033' | cut -c 1-70)"
        sleep 1
    done
}

step "packages"
# Where sudo may ask for a password, nothing is written over its question.
if [ "$(id -u)" -eq 0 ]; then watched ./scripts/install-packages.sh build; else ./scripts/install-packages.sh build; fi
step "building (a minute or two)"
. ./scripts/quickstart-study.sh
# shellcheck disable=SC2046,SC2086  # the list is meant to be split
watched ./scripts/build.sh release warpline $(printf 'workloads/%s ' $quickstart_workloads)
step "comparing techniques on workloads of size ${WARPLINE_SIZE:-small} (a minute or so)"
quickstart_compare build/warpline build/quickstart.db
step "done"
echo "Open report.html in a browser for the pictures; 'build/warpline list policies' says what each technique does."
echo "Try next: build/warpline run --config gtx480-16k --policy gto,pric syrk"
echo "Only this comparison's workloads are built so far; ./scripts/build.sh builds all of them."
