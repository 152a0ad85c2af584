#!/bin/sh
# Records the programs that stand in for SPEC 2006 in chapter 2 of paper 002 (docs/reproduction-002-2.md), one trace each.
#   record-cpu-programs.sh FOLDER [BUILD [NAME...]]    FOLDER/NAME.wct; BUILD is the folder with warpline (build)
# Packages beyond those to build: liblemon-dev libns3-dev libgsl-dev libquantum-dev gfortran coinor-clp pocketsphinx pocketsphinx-en-us
# pocketsphinx-testdata hmmer x264 xalan stockfish bzip2. COUNT (12 M) instructions of each, after those given below.
set -eu
. "$(dirname "$0")/help.sh"
here=$(cd "$(dirname "$0")/../workloads/cpu" && pwd)
folder=$1
build=${2:-$here/../../build}
shift $(($# > 2 ? 2 : $#))
names=${*:-bzip2 mcf omnetpp soplex sphinx3 lbm h264ref xalancbmk hmmer sjeng libquantum bwaves zeusmp cactusADM}
count=${COUNT:-12000000}
mkdir -p "$folder/work"
folder=$(cd "$folder" && pwd)
build=$(cd "$build" && pwd)
cd "$folder/work"
[ -f film.y4m ] || python3 "$here/inputs.py" .

record() { # NAME SKIP THREAD PROGRAM...
    name=$1 skip=$2 thread=$3
    shift 3
    OMP_NUM_THREADS=1 "$build/warpline" record-cpu -o "$folder/$name.wct" --skip "$skip" --count "$count" --thread "$thread" -- "$@" \
        >"$name.out" 2>"$name.err" </dev/null || { cat "$name.err" >&2; echo "$name was not recorded" >&2; return 1; }
    tail -n 1 "$name.out" | grep -a -o "[^/]*\.wct: .*"
}
build_c() { [ -x "$1" ] || gcc -O2 -o "$1" "$here/$1.c" $2; }
build_fortran() { [ -x "$1" ] || gfortran -O2 -o "$1" "$here/$1.f90"; }

model=/usr/share/pocketsphinx/model/en-us
speech=/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav
failed=0
for name in $names; do
    case $name in
    bzip2) record bzip2 1000000000 0 bzip2 -9 -c text ;;
    mcf)
        [ -x mcf ] || g++ -O2 -o mcf "$here/mcf.cc"
        record mcf 2000000000 0 ./mcf 60000 600000
        ;;
    omnetpp)
        [ -x omnetpp ] || g++ -O2 -o omnetpp "$here/omnetpp.cc" $(pkg-config --cflags --libs ns3-applications ns3-core ns3-csma ns3-internet ns3-network)
        record omnetpp 1500000000 0 ./omnetpp
        ;;
    soplex) record soplex 700000000 0 clp soplex.mps -dualsimplex ;;
    sphinx3) record sphinx3 1500000000 0 pocketsphinx_continuous -infile "$speech" -hmm $model/en-us -lm $model/en-us.lm.bin -dict $model/cmudict-en-us.dict ;;
    lbm)
        build_c lbm -lm
        record lbm 600000000 0 ./lbm
        ;;
    h264ref) record h264ref 200000000 0 x264 --threads 1 --preset medium -o /dev/null film.y4m ;;
    xalancbmk) record xalancbmk 600000000 0 xalan -in packages.xml -xsl packages.xsl -out /dev/null ;;
    hmmer)
        [ -f family.hmm ] || hmmbuild --amino family.hmm family.sto >/dev/null
        record hmmer 300000000 0 hmmsearch --cpu 0 -o /dev/null family.hmm proteins.fa
        ;;
    sjeng) record sjeng 100000000 1 /usr/games/stockfish bench 16 1 12 ;;
    libquantum)
        build_c libquantum "-lquantum -lm -fopenmp"
        record libquantum 3000000000 0 ./libquantum 1397 8
        ;;
    bwaves | zeusmp | cactusADM)
        build_fortran "$name"
        record "$name" 600000000 0 "./$name"
        ;;
    *) echo "no program is named $name" >&2; false ;;
    esac || failed=1
done
exit $failed
