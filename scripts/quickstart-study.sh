# shellcheck shell=sh
# The comparison of the quick start, for scripts/quickstart.sh and for the installed package (scripts/clean-root.sh package).
# To be read by a shell with `.`; it runs nothing.
# Lines that fall into the same sets (conv2d, mm2, syrk), too many warps for the cache (bfs, kmeans, syrk), and neither (hotspot).
quickstart_workloads='hotspot conv2d mm2 bfs kmeans syrk'

# quickstart_compare WARPLINE DATABASE: small inputs fill the machine several times over, so that there is something to manage; tiny
# ones do not. Writes report.html.
quickstart_compare() {
    "$1" compare --policies gto,gto+best-swl,gto+ccws,gto+mrpb,mascar,gto+pric,gto+dwt-pric \
        --workloads "$(echo "$quickstart_workloads" | tr ' ' ,)" --size "${WARPLINE_SIZE:-small}" --config gtx480-16k \
        --study quickstart --db "$2" --html report.html
}
