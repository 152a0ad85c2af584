#!/bin/sh
# From a bare Debian machine to a table of techniques and report.html: installs what is missing, builds the release and compares
# the built-in techniques on a few built-in workloads.
set -eu
cd "$(dirname "$0")/.."
began=$(date +%s)
step() { printf '== %s (%s s so far)\n' "$1" "$(($(date +%s) - began))"; }
step "packages"
./scripts/install-packages.sh build
step "building"
workloads='vectoradd hotspot conv2d bfs spmv kmeans syrk gesummv'
# shellcheck disable=SC2046,SC2086  # the list is meant to be split
./scripts/build.sh release warpline $(printf 'workloads/%s ' $workloads)
# Tiny inputs keep this under two minutes; WARPLINE_SIZE=small takes minutes more, and adaptive techniques show what they do.
step "comparing techniques on workloads of size ${WARPLINE_SIZE:-tiny}"
build/warpline compare --policies gto,lrr,gto+swl,gto+ccws,gto+pric,gto+stream-bypass,gto+mrpb,gto+dwt-pric \
    --workloads "$(echo $workloads | tr ' ' ,)" --size "${WARPLINE_SIZE:-tiny}" --config gtx480-16k \
    --study quickstart --db build/quickstart.db
build/warpline report --study quickstart --db build/quickstart.db --output report.html
step "done"
echo "report.html has the pictures. Try next: build/warpline run --policy gto,pric syrk"
