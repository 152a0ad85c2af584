# shellcheck shell=sh
# For scripts, to be read with `.`: when the first argument is --help or -h, the comment at the script's top is printed and the
# script ends, before it has done anything.
case ${1:-} in
-h | --help)
    sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
