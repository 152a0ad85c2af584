#!/bin/sh
# Runs scripts/quickstart.sh or scripts/test.sh in a fresh minimal Debian 12 (debootstrap, chroot): the proof that nothing on
# this machine is needed; or installs the packages of scripts/package.sh there and compares techniques with them. As root:
#   clean-root.sh quickstart|test|package [FOLDER]    default folder: build-clean-root
#   clean-root.sh --remove [FOLDER]
#   clean-root.sh --run FOLDER COMMAND                one command in a folder that has been made
# /proc and /dev are mounted in a mount namespace of the command's own, so that no mount is left behind, not even when this script is
# killed. /dev is a small one made for the purpose, not this machine's.
# WARPLINE_MIRROR names another Debian mirror than debootstrap's default.
set -eu
. "$(dirname "$0")/help.sh"
case $0 in /*) ;; *) exec "$PWD/$0" "$@" ;; esac # by its full path: it starts itself again from another folder
cd "$(dirname "$0")/.."
what=${1:?quickstart, test, package or --remove}
root=${2:-build-clean-root}
# Inside the namespace: mounts, then the command in the chroot.
inside() {
    mount -t proc none "$1/proc"
    mount -t tmpfs -o mode=755 none "$1/dev"
    mkdir "$1/dev/shm" "$1/dev/pts"
    for device in null,1,3 zero,1,5 full,1,7 random,1,8 urandom,1,9 tty,5,0; do
        (IFS=, && set -- "$1" $device && mknod -m 666 "$1/dev/$2" c "$3" "$4")
    done
    for link in fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
        ln -s "${link#*:}" "$1/dev/${link%%:*}"
    done
    mount -t tmpfs none "$1/dev/shm"
    exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb chroot "$1" /bin/sh -c "$2"
}
run() { unshare --mount --propagation private --fork --kill-child "$0" --inside "$1" "$2"; }
case $what in
--inside) inside "$2" "$3" ;;
--remove) rm -rf --one-file-system "$root"; exit 0 ;;
--run) mkdir -p "$root/proc" "$root/dev"; run "$root" "${3:?a command}"; exit ;;
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
# What every installed machine has and debootstrap leaves out: a name for itself.
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
    cp -r scripts/quickstart-study.sh examples/plugin/divergent_bypass.c workloads/vectoradd.cu workloads/common "$root/home/packages/"
    # What a user does: the quick start's comparison, a program of one's own, a technique of one's own.
    command='set -e; cd /home && apt-get update -qq && apt-get install -y -qq --no-install-recommends ./packages/*.deb >/dev/null
        . ./packages/quickstart-study.sh
        quickstart_compare warpline quickstart.db && ls -l report.html
        warpline cc packages/vectoradd.cu -o vectoradd && warpline run ./vectoradd
        cc -shared -fPIC -I/usr/include/warpline packages/divergent_bypass.c -o divergent_bypass.so
        warpline run --plugin ./divergent_bypass.so --policy divergent-bypass --quiet ./vectoradd'
fi
start=$(date +%s)
code=0
run "$root" "$command" || code=$?
echo "$what in a clean Debian 12: exit code $code after $(($(date +%s) - start)) s"
exit "$code"
