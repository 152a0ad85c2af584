#!/usr/bin/env bash
# A real Slurm on this machine alone: munge, controller and one node, in a folder of its own, on free ports.
#   slurm_fixture.sh start DIR    exits 0 with the cluster up, 77 (skip) with a sentence when it cannot start here
#   slurm_fixture.sh stop DIR
# After start, `export SLURM_CONF=DIR/slurm.conf` makes sbatch, squeue and scancel use it.
set -u

skip() { echo "slurm: $*; skipped"; exit 77; }

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
    local dir=$1 host cpus
    for tool in munged slurmctld slurmd sbatch; do
        command -v "$tool" >/dev/null || skip "$tool is not installed (package slurm-wlm and munge)"
    done
    [ "$(id -u)" = 0 ] || skip "the daemons need root"
    mkdir -p "$dir/state" "$dir/spool" "$dir/log" && chmod 755 "$dir"
    head -c 128 /dev/urandom > "$dir/munge.key" && chmod 400 "$dir/munge.key"
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munge.pid" \
        --log-file="$dir/log/munge.log" --seed-file="$dir/munge.seed" || skip "munged does not start"
    host=$(hostname -s)
    cpus=$(nproc)
    cat > "$dir/slurm.conf" <<EOF
ClusterName=warpline
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=2
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$dir/slurm.conf
    slurmctld -f "$SLURM_CONF" || { stop "$dir"; skip "slurmctld does not start: $(tail -n 1 "$dir/log/slurmctld.log" 2>/dev/null)"; }
    slurmd -f "$SLURM_CONF" || { stop "$dir"; skip "slurmd does not start: $(tail -n 1 "$dir/log/slurmd.log" 2>/dev/null)"; }
    for _ in $(seq 60); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && exit 0
        sleep 0.5
    done
    stop "$dir"
    skip "the node did not come up: $(tail -n 1 "$dir/log/slurmctld.log")"
}

stop() {
    local dir=$1 pid
    for daemon in slurmctld slurmd munge; do
        [ -f "$dir/$daemon.pid" ] || continue
        pid=$(cat "$dir/$daemon.pid")
        kill "$pid" 2>/dev/null
        for _ in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done
    return 0
}

case "${1-}" in
    start) start "$2" ;;
    stop) stop "$2" ;;
    *) echo "usage: $0 start|stop DIR"; exit 2 ;;
esac
