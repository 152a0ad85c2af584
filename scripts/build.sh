#!/bin/sh
# build.sh [TYPE [TARGET...]]: configures (once) and builds one of the build types, each in a folder of its own:
#   release   build/            -O3, link-time optimisation: what users run
#   debug     build-debug/      -Og, assertions and per-cycle invariant checks
#   sanitize  build-sanitize/   AddressSanitizer and UndefinedBehaviorSanitizer
#   thread    build-thread/     ThreadSanitizer
#   coverage  build-coverage/   line coverage (scripts/coverage.sh)
#   fuzz      build-fuzz/       libFuzzer targets of tests/fuzz, with clang
# Warnings are errors in release and debug; instrumented code makes gcc warn of things that cannot happen.
# Only release and coverage compile the built-in workloads; the others run those of build/ by path (build/workloads/syrk).
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
type=${1:-release}
folder=build-$type
case $type in
release) folder=build options='--buildtype=release -Dlto=true' ;;
debug) options='--buildtype=debug -Dchecks=true -Doptimization=g -Dc_args=-Wno-maybe-uninitialized -Dworkloads=false' ;; # -Og follows too few paths to tell
sanitize) options='--buildtype=debug -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=false -Dworkloads=false' ;;
thread) options='--buildtype=debug -Doptimization=1 -Db_sanitize=thread -Db_lundef=false -Dwerror=false -Dworkloads=false' ;;
coverage) options='--buildtype=debug -Doptimization=0 -Db_coverage=true -Dwerror=false' ;;
fuzz) options='--buildtype=debug -Doptimization=1 -Db_lundef=false -Dfuzz=true -Dworkloads=false' ;;
*)
    echo "unknown build type '$type'; choose release, debug, sanitize, thread, coverage or fuzz" >&2
    exit 2
    ;;
esac
compiler=gcc
[ "$type" = fuzz ] && compiler=clang
command -v ccache >/dev/null && compiler="ccache $compiler"
if [ ! -f "$folder/build.ninja" ]; then
    [ -z "${WARPLINE_VERBOSE:-}" ] || echo "configuring $folder"
    # shellcheck disable=SC2086
    CC=$compiler meson setup "$folder" $options >"$folder.log" 2>&1 || { tail -20 "$folder.log" >&2; rm -rf "$folder"; exit 3; }
    rm -f "$folder.log"
elif [ "$type" = release ]; then
    meson configure "$folder" -Dlto=true >/dev/null
fi
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- all
[ "$type" = fuzz ] && set -- fuzzers
quiet=--quiet
if [ -t 1 ] || [ -n "${WARPLINE_VERBOSE:-}" ]; then quiet=; fi
# shellcheck disable=SC2086
ninja -C "$folder" $quiet "$@"
