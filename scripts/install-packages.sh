#!/bin/sh
# Installs the Debian packages of scripts/packages.txt that are missing; does nothing when all are there.
#   install-packages.sh build   what building and running need
#   install-packages.sh all     and what tests and development need (default)
set -eu
. "$(dirname "$0")/help.sh"
here=$(cd "$(dirname "$0")" && pwd)
wanted=$(sed -n -e "$([ "${1:-all}" = build ] && echo '/^# == for tests/q')" -e 's/^\([a-z0-9][a-z0-9.+-]*\).*/\1/p' "$here/packages.txt")
missing=
for package in $wanted; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing" >&2
if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "these packages are missing and neither root nor sudo is at hand; as root: apt install$missing" >&2
    exit 3
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # the lists are meant to be split
install() { $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $missing; }
code=0
if [ -n "${WARPLINE_VERBOSE:-}" ]; then # somebody watches
    install || code=$?
else
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    install >"$log" 2>&1 || { code=$?; tail -20 "$log" >&2; }
fi
if [ "$code" -ne 0 ]; then
    echo "apt could not install:$missing" >&2
    exit 3
fi
