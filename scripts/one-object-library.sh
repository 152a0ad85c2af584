#!/bin/sh
# one-object-library.sh ARCHIVE OUT PATTERN: a static library of one object, in which only names that fit PATTERN can be seen from
# outside. The thousand other names of the archive could clash with those of the program that links it.
set -eu
. "$(dirname "$0")/help.sh"
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT
# -flinker-output: machine code, not what link-time optimisation keeps for later.
${CC:-gcc} -r -nostdlib -flinker-output=nolto-rel -O2 -o "$object" -Wl,--whole-archive "$1" -Wl,--no-whole-archive
objcopy --wildcard --keep-global-symbol="$3" "$object"
rm -f "$2"
ar rcs "$2" "$object"
