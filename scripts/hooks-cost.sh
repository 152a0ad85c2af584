#!/bin/sh
# hooks-cost.sh [KERNEL...]: what the policy hooks cost when no policy is loaded, in host instructions.
# Builds a copy of the tree in which the SMs' and the caches' hook tables are a NULL that the compiler sees, so that every test of them and
# every call behind it is gone, and counts the instructions of both builds under callgrind. Both build without link-time optimisation.
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- vadd mandelbrot
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kernels=$PWD/tests/validation/kernels

build() { # build NAME
    (cd "$folder/$1" && meson setup build -Dworkloads=false -Dwerror=false >/dev/null && ninja -C build --quiet warpline >/dev/null)
}
count() { # count NAME KERNEL
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/$1/build/warpline" run --quiet --ptx "$kernels/$2.ptx" \
        --launch "$kernels/$2.json" --json /dev/null 2>&1 | sed -n 's/.*Collected : *//p'
}

for name in ordinary bare; do
    mkdir "$folder/$name"
    git ls-files -z | xargs -0 cp --parents -t "$folder/$name"
done
# The assignments stay; what reads the tables sees none.
sed -i '/hooks = setup/!s/sm->hooks\>/((const struct policy_hooks *)0)/g' "$folder"/bare/src/sm/*.[ch]
sed -i 's/\(l1\|s\)->policy\.hooks\>/((const struct cache_hooks *)0)/g' "$folder"/bare/src/mem/l1.c "$folder"/bare/src/mem/l2_*.c
build ordinary
build bare
printf '%-20s %15s %15s %8s\n' kernel 'with hooks' 'without' 'cost'
for kernel; do
    with=$(count ordinary "$kernel") without=$(count bare "$kernel")
    printf '%-20s %15s %15s %7s%%\n' "$kernel" "$with" "$without" "$(awk "BEGIN { printf \"%.2f\", 100 * ($with / $without - 1) }")"
done
