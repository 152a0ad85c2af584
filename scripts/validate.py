#!/usr/bin/env python3
"""Runs the validation kernels on the machine and compares with the reference's counters (see docs/validation.md).

    validate.py BUILD_DIR [--set DIR]... [--kernels a,b] [--effects] [--exact] [--write FILE] [--log FILE] [--jobs N] [--time N] [--keep-times]
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

MACHINE = "gtx480-gpgpusim"  # with what is true of the reference and of no GPU (docs/validation.md)

# Each variant of effects.csv as options of the run.
VARIANTS = {
    "baseline": [],
    "lrr": ["--policy", "lrr"],
    "two_level": ["--policy", "two-level"],
    "oldest": ["--policy", "oldest"],
    "idx_linear": ["l1.index=linear"],
    "idx_ipoly": ["l1.index=ipoly"],
    "l1_32k": ["l1.sets=64"],
    "l1_48k": ["l1.sets=64", "l1.ways=6"],
    "l1_16w": ["l1.sets=8", "l1.ways=16", "l1.index=linear"],
    "l1_fa": ["l1.sets=1", "l1.ways=128", "l1.index=linear"],
    "l1_off": ["l1.enabled=false"],
    "missq4": ["l1.miss_queue=4"],
    "l1_lat1": ["l1.hit_latency=1"],
    "dram1.2x": ["gpu.dram_clock=1108.8MHz"],
    "dram_fifo": ["dram.scheduler=fcfs"],
    "flit32": ["net.flit_bytes=32"],
    "l2_384k": ["l2.sets=32"],
    "l2_1536k": ["l2.sets=128"],
    "l2_192k": ["l2.sets=16"],
    "idx_xor": ["l1.index=xor"],
    "l1_fifo": ["l1.replacement=fifo"],
    "l1_8k": ["l1.ways=2"],
    "l1_dm": ["l1.ways=1"],
    "l1_4k": ["l1.sets=16", "l1.ways=2", "l1.index=linear"],
    "merge1": ["l1.mshr_merges=1"],
    "merge2": ["l1.mshr_merges=2"],
    "missq2": ["l1.miss_queue=2"],
    "l1_lat80": ["l1.hit_latency=80"],
    "l1_noflush": ["l1.flush=false"],
    "dram_slow": ["gpu.dram_clock=400MHz"],
    "core2x": ["gpu.core_clock=1400MHz"],
    "net1.5x": ["gpu.net_clock=1050MHz"],
    "l2clk500": ["gpu.l2_clock=500MHz"],
    "clocks_odd": ["gpu.core_clock=1137MHz", "gpu.net_clock=987MHz", "gpu.l2_clock=871MHz", "gpu.dram_clock=1003MHz"],
    "dram_q16": ["dram.queue=16"],
    "dram_q4": ["dram.queue=4"],
    "dram_ret16": ["dram.return_queue=16"],
    "dram_lat0": ["dram.latency=0"],
    "dram_lat300": ["dram.latency=300"],
    "dram_tslow": ["dram.rrd=10", "dram.rcd=20", "dram.ras=40", "dram.rp=20", "dram.rc=60", "dram.cl=20", "dram.wl=8", "dram.cdlr=9", "dram.wr=20"],
    "dram_bk8": ["dram.banks=8", "map.bank_bits=8,13,14", "map.row_first_bit=15", "map.row_bits=13"],
    "dram_nogrp": ["dram.bank_groups=1", "dram.ccd_l=0", "dram.rtp_l=0"],
    "dram_bus16": ["dram.bus_bytes=16"],
    "flit16": ["net.flit_bytes=16"],
    "net_speed1": ["net.speedup=1"],
    "net_buf8": ["net.input_flits=8", "net.ejection_flits=8"],
    "l2_48k": ["l2.sets=4"],
    "l2_4w": ["l2.ways=4"],
    "l2_16w": ["l2.sets=32", "l2.ways=16"],
    "l2_dm": ["l2.sets=128", "l2.ways=1"],
    "l2_fifo": ["l2.sets=8", "l2.replacement=fifo"],
    "l2_ipoly": ["l2.index=ipoly"],
    "l2_xor": ["l2.sets=16", "l2.index=xor"],
    "l2_mshr8": ["l2.mshr_entries=8"],
    "l2_merge1": ["l2.mshr_merges=1"],
    "l2_mq2": ["l2.miss_queue=2"],
    "l2_port8": ["l2.port_bytes=8"],
    "l2_rop20": ["l2.rop_latency=20"],
    "l2_queues4": ["l2.input_queue=4", "dram.slice_in=4", "dram.slice_out=4", "l2.output_queue=4"],
    "l2_nocopy": ["l2.memcpy_fills=false"],
    "sched1": ["sm.schedulers=1"],
    "sched4": ["sm.schedulers=4"],
    "sched3": ["sm.schedulers=3"],
    "sched4_lrr": ["sm.schedulers=4", "--policy", "lrr"],
    "sms8": ["gpu.sms=8"],
    "sms30": ["gpu.sms=30"],
    "sms1": ["gpu.sms=1"],
    "mem4": ["map.channels=4"],
    "mem8": ["map.channels=8"],
    "mem3": ["map.channels=3"],
    "mem12": ["map.channels=12"],
    "sub1": ["map.slices_per_channel=1"],
    "sub4": ["map.slices_per_channel=4"],
    "smem10": ["sm.shared_latency=10"],
    "smem_banks16": ["sm.shared_banks=16"],
    "ejbuf2": ["gpu.ejection_buffer=2"],
    "ldst_resp8": ["sm.response_buffer=8"],
    "ctas2": ["sm.ctas=2"],
    "threads512": ["sm.threads=512"],
    "regs16k": ["sm.registers=16384"],
    "sp1": ["sm.units=1,0,0,1,1"],
    "widths1": ["sm.issue_width=1,0,0,1,1", "sm.execute_width=1,0,0,1,1", "sm.result_buses=1"],
    "banks4": ["sm.register_banks=4"],
    "coll2": ["sm.collectors=2,0,0,1,2"],
    "lat_int": ["sm.latency_int=10,10,10,10,50,20", "sm.interval_int=2,2,2,2,4,4"],
    "icache1k": ["l1i.sets=2"],
    "icache512": ["l1i.ways=1"],
    "ccache_small": ["l1c.sets=8"],
    "ccache_m": ["l1c.allocate_on_miss=true"],
    "l2fast": ["gpu.l2_clock=1400MHz"],
    "chan_shift10": ["map.channel_shift=10"],
    "rrr": ["--policy", "rrr"],
    "two_level_a1": ["--policy", "two-level", "policy.two-level.active=1"],
    "two_level_a2": ["--policy", "two-level", "policy.two-level.active=2"],
    "two_level_a16": ["--policy", "two-level", "policy.two-level.active=16"],
    "issue2": ["sm.issues_per_warp=2"],
    "issue2any": ["sm.issues_per_warp=2", "sm.issues_apart=false"],
    "issue2_lrr": ["sm.issues_per_warp=2", "--policy", "lrr"],
    "issue2_2l": ["sm.issues_per_warp=2", "--policy", "two-level"],
    "issue2_rrr": ["sm.issues_per_warp=2", "--policy", "rrr"],
    "issue2_old": ["sm.issues_per_warp=2", "--policy", "oldest"],
    "issue2_s1": ["sm.issues_per_warp=2", "sm.schedulers=1"],
    "fetch2": ["sm.fetch_width=2"],
    "regport2": ["sm.collector_steps=2"],
    "sfulat": ["sm.latency_sfu=20", "sm.interval_sfu=4"],
    "launchlat": ["gpu.launch_latency=500"],
    "tblat": ["gpu.launch_latency_per_cta=100"],
    "launch_both": ["gpu.launch_latency_per_cta=7", "gpu.launch_latency=333"],
    "cluster2": ["gpu.sms=16", "gpu.sms_per_port=2"],
    "cluster3": ["gpu.sms=15", "gpu.sms_per_port=3"],
    "cluster2_fixed": ["gpu.sms=16", "gpu.sms_per_port=2", "gpu.ports_in_turn=false"],
    "cluster3_fixed": ["gpu.sms=15", "gpu.sms_per_port=3", "gpu.ports_in_turn=false"],
    "parts2": ["sm.warp_parts=2"],
    "parts4": ["sm.warp_parts=4"],
    "l1_12": ["l1.sets=12", "l1.index=linear"],
    "l1_24": ["l1.sets=24", "l1.index=linear"],
    "l2_12": ["l2.sets=12"],
    "l2_48w5": ["l2.sets=48", "l2.ways=5"],
    "l1_T": ["l1.stores=through"],
    "l1_E": ["l1.stores=evict-all"],
    "l1_B": ["l1.stores=back"],
    "l1_T4k": ["l1.stores=through", "l1.sets=16", "l1.ways=2", "l1.index=linear", "l1.replacement=fifo"],
    "l1_B4k": ["l1.stores=back", "l1.sets=16", "l1.ways=2", "l1.index=linear"],
    "l1_f": ["l1.allocate_on_miss=false"],
    "l1_Tf": ["l1.allocate_on_miss=false", "l1.stores=through"],
    "l1_f4k": ["l1.allocate_on_miss=false", "l1.sets=16", "l1.ways=2", "l1.index=linear"],
    "l2_N": ["l2.stores=around"],
    "l2_T": ["l2.stores=through"],
    "l2_N48k": ["l2.stores=around", "l2.sets=4"],
    "l2_T48k": ["l2.stores=through", "l2.sets=4"],
    "perfic": ["l1i.perfect=true", "l1c.perfect=true"],
    "partidx2": ["map.slice_hash=ipoly"],
    "netlocal": ["net.model=crossbar", "net.injection_flits=64", "net.boundary_flits=64"],
    "net_isp4": ["net.speedup=4"],
    "net_buf16": ["net.input_flits=16", "net.ejection_flits=16"],
    "bnkidx1": ["map.bank_xor=true"],
    "bnkgrp0": ["dram.group_bits=high"],
    "dualbus": ["dram.dual_command=true"],
    "dcr2": ["dram.data_rate=2", "dram.rtp=4"],
    "burst4": ["dram.burst=4"],
    "dram_simple": ["dram.latency_only=true"],
    "dram_noturn": ["dram.free_turnaround=true"],
}


def options_of(variant):
    if "+" in variant:
        return [option for part in variant.split("+") for option in options_of(part)]
    if variant in VARIANTS:
        return VARIANTS[variant]
    if variant.startswith("swl"):
        return ["--policy", "swl", f"policy.swl.limit={min(int(variant[3:]), 24)}"]  # a scheduler has no more warps
    if variant.startswith("mshr"):
        return ["l1.mshr_entries=" + variant[4:]]
    raise SystemExit(f"validate: no options are known for the variant {variant!r}")


def run(build, kernels, kernel, options):
    """One run of `warpline run`: its result, with the CPU seconds it took."""
    command = [os.path.join(build, "warpline"), "run", "--quiet", "--ptx", os.path.join(kernels, kernel + ".ptx"), "--launch",
               os.path.join(kernels, kernel + ".json"), "--json", "-", "--config", MACHINE]
    while options:
        command += options[:2] if options[0] == "--policy" else ["--set", options[0]]
        options = options[2:] if options[0] == "--policy" else options[1:]
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            errors.seek(0)
            return {"error": (errors.read().decode().strip().splitlines() or [f"exit {child.returncode}"])[-1]}
    return {**json.loads(text), "cpu_seconds": usage.ru_utime + usage.ru_stime}


def time_alone(build, kernels, done, times):
    """Runs each baseline again, one at a time: two at once share the host's caches. The least counts, as in scripts/bench.py."""
    for (kernel, variant), result in done.items():
        if variant == "baseline" and "error" not in result:
            result["cpu_seconds"] = min(run(build, kernels, kernel, [])["cpu_seconds"] for _ in range(times))


def kept_times(page):
    """Of each kernel on the page: CPU seconds of the reference over ours, as written there."""
    rows = [line.strip("| \n").split(" | ") for line in open(page) if line.startswith("| ")]
    return {row[0]: float(row[-1]) for row in rows if len(row) == 12 and row[-1].isdigit()}


def ours(result):
    t = result["totals"]
    l1, l2 = t["l1"], t["l2"]
    reads = {k: l1["global_read"][k] for k in ("hits", "merged", "misses")}
    return {
        "cycles": t["cycles"], "thread_insn": t["thread_instructions"], "warp_insn": t["warp_instructions"],
        "l1_reads": sum(reads.values()), "l1_read_hits": reads["hits"], "l1_read_merged": reads["merged"],
        "l1_writes": sum(l1["global_write"][k] for k in ("hits", "merged", "misses")),
        "l1_fails": sum(n for cause, n in l1["global_read"]["refused"].items() if cause != "network"),  # the reference does not count those
        "l2_reads": l2["reads"], "l2_writes": l2["writes"], "l2_misses": l2["misses"],
        "dram_reads": t["dram"]["reads"], "dram_writes": t["dram"]["writes"], "occupancy": 100 * (t["sm"]["occupancy"] or 0),
        "cpu": result["cpu_seconds"],
    }


def reference(row):
    n = lambda key: int(float(row[key] or 0))
    return {
        "cycles": n("cycles"), "thread_insn": n("thread_insn"), "warp_insn": n("warp_insn"),
        "l1_reads": n("L1_GLOBAL_ACC_R_HIT") + n("L1_GLOBAL_ACC_R_HIT_RESERVED") + n("L1_GLOBAL_ACC_R_MISS"),
        "l1_read_hits": n("L1_GLOBAL_ACC_R_HIT"), "l1_read_merged": n("L1_GLOBAL_ACC_R_HIT_RESERVED"),
        "l1_writes": n("L1_GLOBAL_ACC_W_HIT") + n("L1_GLOBAL_ACC_W_HIT_RESERVED") + n("L1_GLOBAL_ACC_W_MISS"),
        "l1_fails": n("L1_GLOBAL_ACC_R_RESERVATION_FAIL"),
        "l2_accesses": n("L2_accesses"), "l2_misses": n("L2_misses"), "dram_reads": n("dram_n_rd"),
        "l2_reads": sum(n("L2_GLOBAL_ACC_R_" + k) for k in ("HIT", "HIT_RESERVED", "MISS", "SECTOR_MISS")),
        "l2_writes": sum(n("L2_GLOBAL_ACC_W_" + k) for k in ("HIT", "HIT_RESERVED", "MISS", "SECTOR_MISS")),
        "dram_writes": n("dram_n_wr_bk"), "occupancy": float(row["occupancy_pct"]), "cpu": float(row["cpu_s"]),
    }


def percent(a, b):
    return 0.0 if a == b else math.inf if not b else 100.0 * (a - b) / b


def shown(value):
    return "0" if value == 0 else "new" if math.isinf(value) else f"{value:+.1f}"


def rate(part, whole):
    return 100.0 * part / whole if whole else 0.0


def correlation(pairs):
    n = len(pairs)
    mx, my = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    sxy = sum((x - mx) * (y - my) for x, y in pairs)
    sxx, syy = sum((x - mx) ** 2 for x, _ in pairs), sum((y - my) ** 2 for _, y in pairs)
    return sxy / math.sqrt(sxx * syy) if sxx and syy else 1.0


def kernel_table(rows):
    out = ["| kernel | cycles: reference | ours | error % | thread instructions % | warp instructions % | L1 reads % | L1 miss rate, points | "
           "L2 reads % | L2 writes % | DRAM reads % | reference's CPU s / ours |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for name, ref, our in rows:
        if our is None:
            out.append(f"| {name} | {ref['cycles']} | failed | | | | | | | | | |")
            continue
        misses = [100 - rate(x["l1_read_hits"], x["l1_reads"]) for x in (our, ref)]
        out.append("| " + " | ".join([
            name, str(ref["cycles"]), str(our["cycles"]), shown(percent(our["cycles"], ref["cycles"])),
            shown(percent(our["thread_insn"], ref["thread_insn"])), shown(percent(our["warp_insn"], ref["warp_insn"])),
            shown(percent(our["l1_reads"], ref["l1_reads"])), shown(misses[0] - misses[1]),
            shown(percent(our["l2_global_reads"], ref["l2_reads"])), shown(percent(our["l2_global_writes"], ref["l2_writes"])),
            shown(percent(our["dram_reads"], ref["dram_reads"])), f"{ref['cpu'] / max(our['cpu'], 1e-6):.0f}"]) + " |")
    return out


def summary(rows):
    good = [(n, r, o) for n, r, o in rows if o]
    errors = [abs(percent(o["cycles"], r["cycles"])) for _, r, o in good]
    ratios = sorted(r["cpu"] / max(o["cpu"], 1e-6) for _, r, o in good)
    worst = max(good, key=lambda x: abs(percent(x[2]["cycles"], x[1]["cycles"])))
    return [f"- Cycles: mean absolute error {sum(errors) / len(errors):.2f} %, worst {max(errors):.1f} % ({worst[0]}), "
            f"correlation {correlation([(o['cycles'], r['cycles']) for _, r, o in good]):.5f}, over {len(good)} kernels.",
            f"- Instructions equal to the reference: {sum(o['warp_insn'] == r['warp_insn'] and o['thread_insn'] == r['thread_insn'] for _, r, o in good)} of {len(good)} kernels.",
            f"- CPU seconds of the reference over ours: median {ratios[len(ratios) // 2]:.0f}."]


def inexact(rows, effects, done):
    """What is not the reference's, to the cycle and the instruction."""
    missed = [f"{name} failed" for name, _, our in rows if our is None]
    for name, ref, our in rows:
        for what in ("cycles", "thread_insn", "warp_insn", "l1_reads", "l1_read_hits", "l1_fails", "dram_reads") if our else ():
            if our[what] != ref[what]:
                missed.append(f"{name}: {what} {our[what]}, the reference has {ref[what]}")
    for r in effects:
        cycles = done[r["kernel"], r["variant"]].get("totals", {}).get("cycles")
        if cycles != int(r["cycles"]):
            missed.append(f"{r['kernel']} ({r['variant']}): {cycles} cycles, the reference has {r['cycles']}")
    return missed


def effect_table(results):
    out = ["| kernel | variant | reference | ours | difference, points |", "|---|---|---|---|---|"]
    near = wrong_sign = count = 0
    for kernel, variant, ref, our in results:
        if our is None:
            out.append(f"| {kernel} | {variant} | {100 * (ref - 1):+.1f} % | failed | |")
            count += 1
            continue
        difference = 100 * (our - ref)
        count += 1
        near += abs(difference) <= 5
        wrong_sign += abs(ref - 1) > 0.05 and (our - 1) * (ref - 1) <= 0
        out.append(f"| {kernel} | {variant} | {100 * (ref - 1):+.1f} % | {100 * (our - 1):+.1f} % | {difference:+.1f} |")
    return out, [f"- Effects within 5 points of the reference: {near} of {count} ({rate(near, count):.0f} %).",
                 f"- Effects above 5 % with the wrong sign: {wrong_sign}."]


def global_l2(result):
    l2 = result["totals"]["l2"]
    count = lambda kind: sum(l2[kind][k] for k in ("hits", "merged", "misses", "sector_misses"))
    return {"l2_global_reads": count("global_read") + count("atomic"), "l2_global_writes": count("global_write")}


def compare(a, folder):
    """One set: its report, the long table of effects, and what is not exact."""
    kernels = os.path.join(folder, "kernels")
    wanted = a.kernels.split(",") if a.kernels else None
    with open(os.path.join(folder, "results.csv"), newline="") as f:
        table = [r for r in csv.DictReader(f) if not wanted or r["kernel"] in wanted]
    jobs = [(r["kernel"], "baseline") for r in table]
    effects = []
    if a.effects:
        with open(os.path.join(folder, "effects.csv"), newline="") as f:
            effects = [r for r in csv.DictReader(f) if not wanted or r["kernel"] in wanted]
        if a.variants:
            effects = [r for r in effects if r["variant"] in a.variants.split(",") + ["baseline"]]
        jobs += [j for j in ((r["kernel"], r["variant"]) for r in effects) if j not in jobs]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        done = dict(zip(jobs, pool.map(lambda j: run(a.build, kernels, j[0], options_of(j[1])), jobs)))
    if a.time:
        time_alone(a.build, kernels, done, a.time)
    for job, result in done.items():
        if "error" in result:
            print(f"{job[0]} ({job[1]}): {result['error']}", file=sys.stderr)
    rows = []
    for r in table:
        result = done[r["kernel"], "baseline"]
        rows.append((r["kernel"], reference(r), None if "error" in result else {**ours(result), **global_l2(result)}))
    if not rows:
        return [], [], []
    for name, ref, our in rows:
        if our and a.kept.get(name):
            our["cpu"] = ref["cpu"] / a.kept[name]
    lines = kernel_table(rows) + [""] + summary(rows)
    more = []
    if effects:
        base = {r["kernel"]: int(r["cycles"]) for r in effects if r["variant"] == "baseline"}
        found = []
        for r in effects:
            if r["variant"] == "baseline":
                continue
            us, us_base = done[r["kernel"], r["variant"]], done[r["kernel"], "baseline"]
            ours_effect = None if "error" in us or "error" in us_base else us_base["totals"]["cycles"] / us["totals"]["cycles"]
            found.append((r["kernel"], r["variant"], base[r["kernel"]] / int(r["cycles"]), ours_effect))
        equal = sum(r["variant"] != "baseline" and done[r["kernel"], r["variant"]].get("totals", {}).get("cycles") == int(r["cycles"])
                    for r in effects)
        more, more_summary = effect_table(found)
        lines += more_summary + [f"- Variants that take the reference's cycles to the cycle: {equal} of {len(found)}."]
    return lines, more, inexact(rows, effects, done)


def main():
    tests = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "tests"))
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--set", action="append", help="a folder of kernels with the reference's results; may be repeated. Default: those of tests/")
    p.add_argument("--kernels", help="only these, comma-separated")
    p.add_argument("--variants", help="only these effects, comma-separated")
    p.add_argument("--effects", action="store_true", help="run the variants of effects.csv as well")
    p.add_argument("--write", help="write the report to this file")
    p.add_argument("--log", help="write the long table of effects to this file")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--time", type=int, default=0, metavar="N", help="take CPU seconds from N further runs of each kernel, alone (the least)")
    p.add_argument("--keep-times", action="store_true", help="kernels that are on the page of --write keep the time column they have there")
    p.add_argument("--exact", action="store_true", help="exit with 1 unless all is as in the reference, to the cycle")
    a = p.parse_args()
    a.kept = kept_times(a.write) if a.keep_times else {}
    here = os.path.dirname(os.path.abspath(__file__))
    page, log, missed = [], [], []
    for folder in a.set or [os.path.join(tests, name) for name in ("validation", "validation2", "validation3")]:
        name = os.path.basename(os.path.normpath(folder))
        lines, effects, differs = compare(a, folder)
        page += ["", f"## Set `{name}`", ""] + lines
        log += ["", f"## Set `{name}`", ""] + effects
        missed += differs
    print("\n".join(page if a.log else page + log))
    if a.write:
        with open(a.write, "w") as f:
            f.write(open(os.path.join(here, "validation_head.md")).read() + "\n".join(page) + "\n")
    if a.log:
        with open(a.log, "w") as f:
            f.write("# Effects: speed-up over the unchanged machine, the reference's and ours\n\nWritten by `scripts/validate.sh`; "
                    "what the variants are is in `tests/validation/README.md`.\n" + "\n".join(log) + "\n")
    for line in missed:
        print("not as the reference: " + line)
    return 1 if a.exact and missed else 0


if __name__ == "__main__":
    sys.exit(main())
