#!/bin/sh
# package.sh [FOLDER]: builds the Debian packages (debian/) of a clean clone and puts them into FOLDER, default build-packages.
# scripts/clean-root.sh package installs them into a fresh Debian and compares techniques there.
set -eu
. "$(dirname "$0")/help.sh"
cd "$(dirname "$0")/.."
out=${1:-build-packages}
missing=
for package in debhelper dpkg-dev; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || { [ "$(id -u)" -eq 0 ] && apt-get install -y --no-install-recommends $missing >/dev/null; } ||
    { echo "these packages are missing; as root: apt install$missing" >&2; exit 3; }
./scripts/install-packages.sh build
rm -rf "$out"
mkdir -p "$out"
git clone -q --no-local . "$out/warpline"
log=$out/build.log
(cd "$out/warpline" && dpkg-buildpackage -us -uc -b) >"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
rm -rf "$out/warpline"
ls "$out"/*.deb
