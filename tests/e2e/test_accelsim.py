#!/usr/bin/env python3
"""Accel-Sim's traces: every version of the format runs, oddities are named, malformed lines are refused with file and line."""
import gzip
import json
import lzma
import os
import shutil
import subprocess
import threading
import time

from accelsim_texts import FULL, body, kernel
from harness import BAD_INPUT, OK, PROGRAM_FAILED, WARPLINE, Case, main, run


class Traces(Case):
    def list_of(self, *texts, copies="MemcpyHtoD,0x00007f5e00000000,4096\n"):
        names = []
        for number, text in enumerate(texts, 1):
            names.append(f"kernel-{number}.traceg")
            self.put(names[-1], text)
        return self.put("kernelslist.g", copies + "".join(f"{name}\n" for name in names))

    def result(self, path, *options, command="run"):
        out = self.folder / "result.json"
        done = run(command, "--quiet", "--json", out, *options, path)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.said = done.stderr
        return json.loads(out.read_text())

    def one(self, text, *options):
        return self.result(self.list_of(text), *options)


class Forms(Traces):
    def test_counts(self):
        kernels = self.one(kernel())["kernels"]
        self.assertEqual([k["name"] for k in kernels], ["_Z3addPfS_S_i"])
        self.assertEqual(kernels[0]["warp_instructions"], 4 * 2 * 12)
        self.assertEqual(kernels[0]["thread_instructions"], 4 * 2 * (10 * 32 + 2 * 16))
        # two loads of one line and a store per warp
        self.assertEqual(kernels[0]["l1"]["accesses"], 4 * 2 * 2)

    def test_versions_agree(self):
        wanted = self.one(kernel())["kernels"]
        for changes in ({"accelsim_tracer_version": "3"}, {"accelsim_tracer_version": "2"}, {"accelsim_tracer_version": None},
                        {"accelsim_tracer_version": "5"}, {"enable_lineinfo": "1"}):
            with self.subTest(changes):
                self.assertEqual(self.one(kernel(**changes))["kernels"], wanted)

    def test_branches_of_a_trace_may_cost_nothing(self):
        loop = lambda block, warp: [line for _ in range(4) for line in (f"0000 {FULL} 1 R2 IADD3 1 R3 0", f"0010 {FULL} 0 BRA 0 0")] \
            + [f"0020 {FULL} 0 EXIT 0 0"]
        text = kernel(lines=loop)
        plain, followed = (self.one(text, "--set", f"reference.follow_trace={on}")["totals"] for on in ("false", "true"))
        self.assertEqual(plain["warp_instructions"], followed["warp_instructions"])
        self.assertGreater(plain["sm"]["flushes"], 0)
        self.assertEqual(followed["sm"]["flushes"], 0)
        self.assertLessEqual(followed["cycles"], plain["cycles"])

    def cycles_as_listed(self, lines):
        text = kernel(lines=lambda block, warp: lines + [f"0020 {FULL} 0 EXIT 0 0"])
        return [self.one(text, "--set", f"reference.as_listed={on}")["totals"]["cycles"] for on in ("false", "true")]

    def test_results_have_one_register_where_lines_are_all_that_counts(self):
        chain = lambda half: [f"0000 {FULL} 1 R4 LDG.E.64 1 R2 8 1 0x7f5e00000000 8"] + [f"0010 {FULL} 1 R6 IADD3 2 R6 {half} 0"] * 30
        self.assertEqual(*self.cycles_as_listed(chain("R4")))
        whole, listed = self.cycles_as_listed(chain("R5"))  # the other half of what is loaded
        self.assertGreater(whole, listed + 100)

    def test_every_barrier_is_waited_for_where_lines_are_all_that_counts(self):
        slow = lambda block, warp: [f"0000 {FULL} 1 R4 DADD 1 R8 0"] * (40 * (1 - warp)) \
            + [f"0010 {FULL} 0 BAR.ARV 0 0"] + [f"0018 {FULL} 1 R4 DADD 1 R4 0"] * (40 * warp) + [f"0020 {FULL} 0 EXIT 0 0"]
        passing, waiting = (self.one(kernel(lines=slow), "--set", f"reference.as_listed={on}")["totals"]["cycles"]
                            for on in ("false", "true"))
        self.assertGreater(waiting, passing)

    def test_atomics_are_global_where_lines_are_all_that_counts(self):
        shared = lambda block, warp: [f"0000 {FULL} 1 R4 ATOM.E.ADD 2 R2 R3 4 1 0x7f5e32000000 4", f"0010 {FULL} 0 EXIT 0 0"]
        by_address, listed = (self.one(kernel(lines=shared), "--set", f"reference.as_listed={on}")["totals"]["l1"]["atomics"]
                              for on in ("false", "true"))
        self.assertEqual(by_address, 0)
        self.assertGreater(listed, 0)

    def test_strong_loads_pass_the_l1(self):
        weak = lambda block, warp: [f"00{2 * i:x}0 {FULL} 1 R4 LDG.E.GPU 1 R4 4 1 0x7f5e00000000 4" for i in range(3)] \
            + [f"00b0 {FULL} 0 EXIT 0 0"]
        strong = lambda block, warp: [line.replace(".GPU", ".STRONG.GPU") for line in weak(block, warp)]
        self.assertGreater(self.one(kernel(lines=weak))["totals"]["l1"]["hits"], 0)
        totals = self.one(kernel(lines=strong))["totals"]
        self.assertEqual(totals["l1"]["hits"], 0)
        self.assertEqual(totals["l1"]["bypassed"], totals["l1"]["accesses"])

    def test_immediates_of_version_5(self):
        lines = lambda block, warp: [line + " 0x1c" if "LDG" in line or "MOV" in line else line for line in body(block, warp)]
        self.assertEqual(self.one(kernel(lines=lines, accelsim_tracer_version="5"))["kernels"], self.one(kernel())["kernels"])

    def test_packed_files(self):
        plain = kernel()
        wanted = self.one(plain)["kernels"]
        packed = {"xz": lzma.compress(plain.encode()), "gz": gzip.compress(plain.encode())}
        if shutil.which("zstd"):
            packed["zst"] = subprocess.run(["zstd", "-c"], input=plain.encode(), capture_output=True, check=True).stdout
        for ending, content in packed.items():
            with self.subTest(ending):
                path = self.put(f"k.traceg.{ending}", content)
                self.assertEqual(self.result(path)["kernels"][0]["warp_instructions"], wanted[0]["warp_instructions"])
                bad = self.put(f"cut.traceg.{ending}", content[:len(content) // 2])
                self.refused(run("run", "--quiet", bad), BAD_INPUT, f"cut.traceg.{ending}:", "cut off")

    def test_conversion(self):
        path = self.list_of(kernel(), kernel(kernel_name="_Z1bv"))
        live = self.result(path)
        converted = self.result(path, "-o", self.folder / "x.wlt", command="record")
        replayed = self.result(self.folder / "x.wlt")
        self.assertEqual(live["kernels"], converted["kernels"])
        self.assertEqual(live["kernels"], replayed["kernels"])


    def test_numbers_of_barriers_in_version_5(self):
        def lines(first, second):
            return lambda block, warp: [line + f" {(first, second)[warp]}" if "BAR" in line else line for line in body(block, warp)]
        wanted = self.one(kernel())["kernels"]
        self.assertEqual(self.one(kernel(lines=lines(3, 3), accelsim_tracer_version="5"))["kernels"], wanted)
        hung = run("run", "--quiet", self.list_of(kernel(lines=lines(1, 2), accelsim_tracer_version="5")))
        self.assertNotEqual(hung.returncode, OK, "each warp waits at a barrier of its own")
        self.assertIn("barrier", hung.stderr)
        # a count of threads has taken the place of the number
        self.assertEqual(self.one(kernel(lines=lines(64, 64), accelsim_tracer_version="5"))["kernels"], wanted)
        self.assertIn("8 barriers are of part of their block", self.said)

    def test_copies_to_shared_memory_have_two_lines(self):
        plain = self.one(kernel())["kernels"][0]
        copy = lambda block, warp: [f"00c0 {FULL} 0 LDGSTS.E.BYPASS.128 2 R2 R3 16 1 0x{warp * 512:x} 16",
                                    f"00c0 {FULL} 0 LDGSTS.E.BYPASS.128 2 R2 R3 16 1 0x7f5e00100000 16"]
        with_copy = self.one(kernel(lines=lambda b, w: body(b, w)[:-1] + copy(b, w) + body(b, w)[-1:], binary_version="80"))["kernels"][0]
        self.assertEqual(with_copy["warp_instructions"], plain["warp_instructions"] + 8 * 2)
        self.assertEqual(with_copy["l1"]["accesses"], plain["l1"]["accesses"] + 8 * 4)  # 512 bytes of global memory

    def test_loads_without_a_result_end_before_their_warp(self):
        lines = lambda block, warp: body(block, warp)[:-1] + [f"00c0 {FULL} 1 R255 LDG.E.SYS 1 R2 4 1 0x7f5e00200000 4"] + body(block, warp)[-1:]
        self.assertEqual(self.one(kernel(lines=lines))["kernels"][0]["warp_instructions"], 8 * 13)

    def test_bulk_copies_are_read_over(self):
        lines = lambda block, warp: body(block, warp)[:-1] + [f"00c0 00000001 0 UTMALDG.2D 1 R2 0 4 0x7f5e00100000 3 128 128 0",
                                                              f"00d0 00000001 0 UBLKCP 1 R2 16 3 2 0x7f5e00100000 0x7f5e00100080 0"] + body(block, warp)[-1:]
        result = self.one(kernel(lines=lines, binary_version="90", accelsim_tracer_version="5"))
        self.assertEqual(result["kernels"][0]["warp_instructions"], 8 * 14)

    def test_long_kernels(self):
        far = lambda pc: kernel(lines=lambda b, w: body(b, w)[:-1] + [f"{pc:x} {FULL} 0 EXIT 0 0"])
        self.assertEqual(self.one(far(0x3ffff0))["kernels"][0]["warp_instructions"], 96)
        self.refused(run("run", "--quiet", self.list_of(far(0x400000))), BAD_INPUT, "kernel-1.traceg:34: PC 400000 lies beyond the 262144",
                     "take the kernel out of the list")

    def test_machines_of_the_generations(self):
        for config, version in (("titanv", "70"), ("rtx2060", "75"), ("rtx3070", "86")):
            with self.subTest(config):
                result = self.one(kernel(binary_version=version), "--config", config)
                self.assertEqual(result["kernels"][0]["warp_instructions"], 4 * 2 * 12)


class Lists(Traces):
    def test_a_list_without_kernels(self):
        for text in ("", "\n\n", "MemcpyHtoD,0x00007f5e00000000,4096\n"):
            self.refused(run("run", "--quiet", self.put("kernelslist.g", text)), BAD_INPUT, "kernelslist.g: the list names no kernel")

    def test_impossible_copies(self):
        for copy in ("0x7f5e00000000,18446744073709551615", "0xfffffffffffffff0,4096", "0x0,-1", "0x7f5e00000000,1000000000000"):
            self.refused(run("run", "--quiet", self.list_of(kernel(), copies=f"MemcpyHtoD,{copy}\n")), BAD_INPUT, "kernelslist.g:1", "is impossible")

    def test_endless_empty_lines(self):
        text = lzma.compress(kernel().replace("#BEGIN_TB", "\n" * 3_000_000 + "#BEGIN_TB", 1).encode())
        self.refused(run("run", "--quiet", self.put("k.traceg.xz", text)), BAD_INPUT, "k.traceg.xz:", "empty lines in a row")
        self.assertEqual(self.result(self.put("k.traceg", kernel().replace("#BEGIN_TB", "\n" * 1000 + "#BEGIN_TB")))["kernels"][0]["warp_instructions"], 96)


class Interruptions(Traces):
    """A trace that never ends, from a pipe: a signal stops the reading, in the midst of a block and while nothing comes."""

    def stop(self, fed):
        path = self.folder / "endless.traceg"
        os.mkfifo(path)
        listed = self.put("kernelslist.g", "endless.traceg\n")
        reader = subprocess.Popen([WARPLINE, "run", "--quiet", str(listed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        feeder = threading.Thread(target=fed, args=(path,), daemon=True)
        feeder.start()
        time.sleep(1.5)
        self.assertIsNone(reader.poll())
        reader.terminate()
        _, said = reader.communicate(timeout=30)
        path.unlink()
        self.assertEqual(reader.returncode, PROGRAM_FAILED, said)
        self.assertIn("endless.traceg:", said)
        self.assertIn("interrupted while the trace was read", said)

    def test_in_the_midst_of_a_block(self):
        head, line = kernel().split("insts = ")[0] + "insts = 4000000000\n", body(0, 0)[0] + "\n"

        def feed(path):
            with open(path, "w") as pipe:
                try:
                    pipe.write(head)
                    while True:
                        pipe.write(line * 1000)
                except BrokenPipeError:
                    pass
        self.stop(feed)

    def test_while_nothing_comes(self):
        def feed(path):
            with open(path, "w") as pipe:
                pipe.write(kernel().split("#BEGIN_TB")[0])
                pipe.flush()
                time.sleep(60)
        self.stop(feed)


class Studies(Traces):
    """Traces stand where workloads stand, and a kernel's file that was changed is run again."""

    def test_compare(self):
        path = self.list_of(kernel())
        self.assertEqual(run("record", "--quiet", "-o", self.folder / "x.wlt", path).returncode, OK)
        words = ("compare", "--policies", "lrr,gto", "--workloads", f"{path},{self.folder}/x.wlt", "--metric", "cycles", "--jobs", "1",
                 "--db", self.folder / "x.db", "--csv", self.folder / "x.csv")
        done = run(*words)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("4 run now, 0 already there, 0 failed", done.stderr)
        rows = [line.split(",") for line in (self.folder / "x.csv").read_text().splitlines()]
        self.assertEqual([row[0] for row in rows[1:3]], [str(path), f"{self.folder}/x.wlt"])
        self.assertEqual(rows[1][1:], rows[2][1:], "the same trace in two forms")
        self.assertIn("0 run now, 4 already there", run(*words).stderr)
        self.put("kernel-1.traceg", kernel(shmem="512") + "\n")
        self.assertIn("2 run now, 2 already there", run(*words).stderr)

    def test_sweep(self):
        path = self.list_of(kernel())
        study = self.put("study.conf", f"workloads = {path}\npolicies = gto\nmetrics = cycles\n[axes]\nl1.ways = 1, 4\n")
        done = run("sweep", study, "--db", self.folder / "x.db", "--jobs", "1")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("2 run now", done.stdout + done.stderr)


class Oddities(Traces):
    def says(self, text, phrase, *options):
        self.one(text, *options)
        self.assertIn(phrase, self.said)

    def test_lists_before_predication(self):
        line = "00a0 0000007f 0 STG.E.SYS 2 R2 R7 4 2 0x7f5e00000000 4 4 4 4 4 4 4 4 4"
        self.says(kernel(lines=lambda b, w: body(b, w)[:10] + [line] + body(b, w)[11:]), "8 instructions have more addresses than lanes")

    def test_registers(self):
        self.says(kernel(nregs="21955"), "1 headers have an impossible nregs: taken as 255; the first is at kernel-1.traceg:")

    def test_clusters(self):
        text = kernel().replace("thread block = 0,0,0", "thread block = 0,0,0\ncluster id = 0\ncluster cta = 0,0,0\ncluster rank = 0")
        self.says(text, "3 lines about clusters")

    def test_shared_pcs(self):
        lines = lambda block, warp: body(block, warp)[:-1] + [f"0000 {FULL} 1 R9 FADD 2 R4 R6 0"] + body(block, warp)[-1:]
        self.says(kernel(lines=lines), "1 instructions share their PC")

    def test_other_lines_of_the_list(self):
        path = self.list_of(kernel(), copies="MemcpyDtoH,0x0,4\n# remark\n")
        self.result(path)
        self.assertIn("2 lines of the list", self.said)
        self.assertIn("the first is at kernelslist.g:1", self.said)

    def test_widths(self):
        text = kernel(lines=lambda b, w: [line.replace("R5 LDG.E.SYS 1 R2 4", "R5 LDG.E.SYS 1 R2 8") for line in body(b, w)])
        self.says(text, "memory instructions have a width that is not their opcode's: the opcode's was taken; the first is at kernel-1.traceg:27")

    def test_memory_instructions_without_addresses(self):
        text = kernel(lines=lambda b, w: body(b, w)[:-1] + [f"00c0 {FULL} 1 R9 LDG.E.SYS 1 R2 0"] + body(b, w)[-1:])
        self.says(text, "memory instructions come without addresses")

    def test_unknown_keys_and_blocks_beyond_the_grid(self):
        self.says(kernel(one_more="7"), "1 header lines have a key that is not known")
        self.says(kernel(blocks=5, grid_dim="(4,1,1)"), "thread blocks lie beyond the grid")

    def test_remarks_and_blank_lines_anywhere(self):
        text = kernel().replace("insts = 12", "\ninsts = 12\n").replace("#END_TB", "\n# a remark\n#END_TB").replace("\n", "\r\n")
        self.assertEqual(self.one(text)["kernels"], self.one(kernel())["kernels"])
        self.assertEqual(self.said, "")

    def test_unknown_opcodes(self):
        text = kernel(lines=lambda b, w: [line.replace("FADD", "ZFOO.X") for line in body(b, w)])
        self.refused(run("run", "--quiet", self.list_of(text)), BAD_INPUT, "kernel-1.traceg:31: unknown opcode 'ZFOO.X'")
        self.says(text, "unknown opcode ZFOO.X executed 8 times", "--unknown-opcode", "alu")


class Malformed(Traces):
    def refuse(self, text, *phrases):
        self.refused(run("run", "--quiet", self.list_of(text)), BAD_INPUT, "kernel-1.traceg:", *phrases)

    def test_headers(self):
        self.refuse(kernel(grid_dim="(0,1,1)"), ":3: 'grid dim' cannot be '(0,1,1)'")
        self.refuse(kernel(block_dim="(2000,1,1)"), "impossible")
        self.refuse(kernel(shmem="99999999"), "shmem = 99999999 is impossible")
        self.refuse(kernel(grid_dim=None), "without a grid dim")
        self.refuse(kernel(accelsim_tracer_version="9"), "tracer version 9")
        self.refuse("hello\n", ":1: ")

    def test_lines(self):
        for wrong, phrase in (("zz00 ffffffff 0 NOP 0 0", "a PC and a mask"), (f"0000 {FULL} 2 R1 R2 NOP 0 0", "destination registers"),
                              (f"0000 {FULL} 0 NOP 9 R1 0", "source registers"), (f"0000 {FULL} 0 NOP 1 Q1 0", "source registers"),
                              (f"0000 {FULL} 0 NOP 0 x", "width"), (f"0000 {FULL} 0 NOP 0 0 7", "left over"), (f"0000 {FULL} 1 R1", "opcode"),
                              (f"0000 {FULL} 1 R1 LDG.E 1 R2 4 7 0x0", "0, 1 or 2"), (f"0000 {FULL} 1 R1 LDG.E 1 R2 4 1 0x0", "stride"),
                              (f"0000 {FULL} 1 R1 LDG.E 1 R2 4 0 0x0 0x4", "after 2 of 32 lanes")):
            with self.subTest(wrong):
                self.refuse(kernel(lines=lambda b, w: [wrong] + body(b, w)[1:]), ":23: ", phrase)

    def test_structure(self):
        whole = kernel()
        self.refuse(kernel(blocks=3), "the file ends after 3 thread blocks; the grid has 4")
        self.refuse(whole[:whole.rindex("#END_TB")], "ends inside a thread block")
        self.refuse(whole[:whole.rindex("00b0")], "of 12 instructions of a warp")
        self.refuse(kernel(warps=3), "a block of 64 threads has 2 warps")
        self.refuse(whole.replace("thread block = 1,0,0", "thread block = 9,0,0"), "outside the grid")
        self.refuse(whole.replace("insts = 12", "inst = 12"), "'insts = n' is expected")

    def test_list(self):
        path = self.put("kernelslist.g", "kernel-7.traceg\n")
        self.refused(run("run", "--quiet", path), BAD_INPUT, "kernelslist.g:1: there is no file 'kernel-7.traceg'")
        path = self.put("kernelslist.g", "MemcpyHtoD,12\n")
        self.refused(run("run", "--quiet", path), BAD_INPUT, "kernelslist.g:1: 'MemcpyHtoD,0xADDRESS,BYTES'")


if __name__ == "__main__":
    main()
