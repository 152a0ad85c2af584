#!/bin/sh
# Runs scripts/quickstart.sh or scripts/test.sh in a fresh minimal Debian 12 (debootstrap, chroot): the proof that nothing on
# this machine is needed; or installs the packages of scripts/package.sh there and compares techniques with them. As root:
#   clean-root.sh quickstart|test|package [FOLDER]    default folder: build-clean-root
#   clean-root.sh --remove [FOLDER]
# WARPLINE_MIRROR names another Debian mirror than debootstrap's default.
set -eu
cd "$(dirname "$0")/.."
what=${1:?quickstart, test, package or --remove}
root=${2:-build-clean-root}
unmount() {
    for place in proc dev/shm dev; do
        if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
    done
}
case $what in
--remove) unmount; rm -rf "$root"; exit 0 ;;
quickstart | test | package) ;;
*) echo "choose quickstart, test, package or --remove" >&2; exit 2 ;;
esac
[ "$(id -u)" -eq 0 ] || { echo "a chroot needs root" >&2; exit 3; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt install debootstrap" >&2; exit 3; }
if [ ! -x "$root/bin/sh" ]; then
    debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" ${WARPLINE_MIRROR:+"$WARPLINE_MIRROR"} >"$root.log" 2>&1 ||
        { tail -5 "$root.log" >&2; exit 3; }
    rm -f "$root.log"
fi
# What apt needs to reach its mirror from here, and no more.
cp /etc/resolv.conf "$root/etc/resolv.conf"
for file in /etc/apt/apt.conf.d/*proxy*; do
    if [ -f "$file" ]; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
done
# What every installed machine has and debootstrap leaves out: a name for itself, and shared memory (mounted below).
echo '127.0.0.1 localhost' >"$root/etc/hosts"
rm -rf "$root/home/warpline"
git clone -q --no-local . "$root/home/warpline"
command="cd /home/warpline && ./scripts/$what.sh"
if [ "$what" = package ]; then
    rm -rf "$root/home/warpline"
    mkdir -p "$root/home/packages"
    for file in build-packages/*.deb; do
        case $file in *dbgsym*) ;; *) cp "$file" "$root/home/packages/" ;; esac
    done
    command='cd /home && apt-get update -qq && apt-get install -y -qq --no-install-recommends ./packages/*.deb >/dev/null &&
        warpline compare --policies gto,lrr,gto+pric --workloads syrk,bfs --size tiny --config gtx480-16k &&
        warpline report --output report.html && ls -l report.html'
fi
trap unmount EXIT
mountpoint -q "$root/proc" || mount -t proc none "$root/proc"
mountpoint -q "$root/dev" || mount -t devtmpfs none "$root/dev"
mkdir -p "$root/dev/shm"
mountpoint -q "$root/dev/shm" || mount -t tmpfs none "$root/dev/shm"
start=$(date +%s)
code=0
chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "$command" || code=$?
echo "$what in a clean Debian 12: exit code $code after $(($(date +%s) - start)) s"
exit "$code"
