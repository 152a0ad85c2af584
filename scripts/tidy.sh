#!/bin/sh
# clang-tidy over the library and the programs, two files at a time. A file that was clean is not looked at again until it,
# a header or the configuration changes: the stamps lie in the build folder.
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
[ -f build/compile_commands.json ] || ./scripts/build.sh release
stamps=build/tidy
mkdir -p "$stamps"
common=$(cat .clang-tidy src/*/*.h src/*/*.def | sha256sum)
list=$(find src -name '*.c' -not -path 'src/cuda/runtime/*' -not -path 'src/cuda/include/*' | sort)
todo=
for file in $list; do
    stamp=$stamps/$(printf '%s%s' "$common" "$(cat "$file")" | sha256sum | cut -c1-32)
    [ -f "$stamp" ] || todo="$todo $file:$stamp"
done
[ -n "$todo" ] || exit 0
# shellcheck disable=SC2016,SC2086
printf '%s\n' $todo | xargs -P 2 -n 1 sh -c 'clang-tidy --quiet --extra-arg=-Wno-ignored-optimization-argument --extra-arg=-Wno-unknown-warning-option -p build "${1%:*}" 2>/dev/null && touch "${1#*:}"' sh
