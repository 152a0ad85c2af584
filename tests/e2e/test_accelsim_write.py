#!/usr/bin/env python3
"""Traces written for Accel-Sim: its grammar takes every line, and read back here they give the cycles and counters of the live run."""
import json
import re
import shutil

from harness import OK, USAGE, Case, main, run

WORKLOADS = ("vectoradd", "bfs", "spmv", "nw", "histo", "mummer", "kmeans_texture", "lavamd")
# of Accel-Sim's table for Volta, those that are written
VOLTA = set("IADD3 IMNMX IMUL IMAD SHFL FADD FMNMX FMUL FFMA MUFU DADD DSETP DMUL DFMA MOV HMMA LD LDG LDS LDL LDC TEX ST STG STS STL "
            "ATOM ATOMG ATOMS BRA CALL RET EXIT BAR MEMBAR NOP".split())


class Records(Case):
    def record(self, workload, *options):
        folder = self.folder / workload
        live = self.folder / "live.json"
        done = run("record", "--quiet", "--json", live, "--format", "accelsim", "-o", folder, *options, "--size", "tiny", workload)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.said = done.stdout
        return folder, json.loads(live.read_text())["kernels"]

    def read_back(self, folder, *options):
        out = self.folder / "again.json"
        done = run("run", "--quiet", "--json", out, *options, folder / "kernelslist.g")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.notes = done.stderr
        return json.loads(out.read_text())["kernels"]


class RoundTrip(Records):
    def test_round_trip(self):
        for workload in WORKLOADS:
            with self.subTest(workload):
                folder, live = self.record(workload)
                self.assertEqual(self.read_back(folder), live)
                self.assertEqual(self.notes, "")
                bytes_said = int(re.search(r"in (\d+) bytes of text", self.said).group(1))
                self.assertEqual(bytes_said, sum(path.stat().st_size for path in folder.iterdir()))

    def test_atomics_on_shared_memory_by_generic_address(self):
        """Readers take ATOM for global memory: what lies in shared memory is ATOMS, in our own reader too, table or not."""
        for workload in ("histogram", "btree", "histo"):
            with self.subTest(workload):
                folder, live = self.record(workload)
                self.assertEqual(self.read_back(folder), live)
                text = "".join(path.read_text() for path in folder.glob("*.traceg"))
                self.assertIn(" ATOMS.ADD ", text)
                for words in (line.split() for line in text.splitlines() if " ATOM.E.ADD " in line):
                    address = int(words[words.index("ATOM.E.ADD") + 2 + int(words[words.index("ATOM.E.ADD") + 1]) + 2], 16)
                    self.assertFalse(0x7f0000000000 <= address < 0x7f0001000000, words)
                for path in folder.glob("*.traceg"):
                    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("-warpline")))
                again = self.read_back(folder)
                self.assertEqual([k["sm"]["class"]["atomic"] for k in again], [k["sm"]["class"]["atomic"] for k in live])
                self.assertEqual([k["l1"]["atomics"] for k in again], [k["l1"]["atomics"] for k in live])

    def test_round_trip_on_another_machine(self):
        folder, live = self.record("spmv", "--config", "titanv", "--policy", "gto")
        self.assertEqual(self.read_back(folder, "--config", "titanv", "--policy", "gto"), live)

    def test_back_to_our_own_form(self):
        folder, live = self.record("nw")
        done = run("record", "--quiet", "-o", self.folder / "nw.wlt", folder / "kernelslist.g")
        self.assertEqual(done.returncode, OK, done.stderr)
        out = self.folder / "third.json"
        self.assertEqual(run("run", "--quiet", "--json", out, self.folder / "nw.wlt").returncode, OK)
        self.assertEqual(json.loads(out.read_text())["kernels"], live)

    def test_as_sass_alone(self):
        """Without our header lines it is a trace like any other: the same instructions and accesses, another machine code."""
        folder, live = self.record("spmv")
        path = folder / "kernel-1.traceg"
        path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("-warpline")))
        again = self.read_back(folder)
        self.assertEqual(again[0]["warp_instructions"], live[0]["warp_instructions"])
        self.assertEqual(again[0]["l1"]["accesses"], live[0]["l1"]["accesses"])

    def test_damaged_tables_are_refused(self):
        folder, _ = self.record("vectoradd")
        path = folder / "kernel-1.traceg"
        whole = path.read_text()
        for text, phrase in ((whole.replace("-warpline code = ", "-warpline code = ff", 1), "make no sense"),
                             (whole.replace("-warpline code = ", "-warpline code = q", 1), "'warpline code' cannot be"),
                             (re.sub("LDG.E [0-9] .*", "NOP 0 0 0", whole), "not the one in the table")):
            path.write_text(text)
            done = run("run", "--quiet", folder / "kernelslist.g")
            self.assertEqual(done.returncode, 3, phrase)
            self.assertIn(phrase, done.stderr)
            self.assertIn("kernel-1.traceg:", done.stderr)

    def test_refusals(self):
        folder, _ = self.record("vectoradd")
        self.refused(run("record", "--format", "accelsim", "-o", folder, "--size", "tiny", "vectoradd"), USAGE, "is there already")
        shutil.rmtree(folder)
        self.refused(run("record", "--format", "accelsim", "--data", "-o", folder, "--size", "tiny", "vectoradd"), USAGE, "no values")
        self.assertEqual(list(self.folder.glob("vectoradd*")), [])


class Grammar(Records):
    """Reads the lines as Accel-Sim's parser does: white space, hexadecimal PC and mask, at most one and four registers."""

    def check_line(self, line):
        words = line.split(" ")
        pc, mask = int(words[0], 16), int(words[1], 16)
        self.assertEqual(pc % 16, 0)
        self.assertRegex(words[1], "^[0-9a-f]{8}$")
        at = 2
        for most in (1, 4):
            count = int(words[at])
            self.assertLessEqual(count, most)
            for register in words[at + 1:at + 1 + count]:
                self.assertLess(int(re.fullmatch(r"R(\d+)", register).group(1)), 255)
            at += 1 + count
            if most == 1:
                self.assertIn(words[at].split(".")[0], VOLTA)
                at += 1
        width = int(words[at])
        at += 1
        if width:
            mode, lanes = int(words[at]), bin(mask).count("1")
            int(words[at + 1], 16)
            self.assertIn(mode, (1, 2))
            deltas = 1 if mode == 1 else lanes - 1
            if mode == 1 and mask:
                self.assertRegex(bin(mask), "^0b1+0*$")
                self.assertLess(abs(int(words[at + 2])), 1 << 31)
            for word in words[at + 2:at + 2 + deltas]:
                int(word)
            at += 2 + deltas
        self.assertEqual(len(words), at + 1, line)
        int(words[at])

    def test_lines(self):
        folder, live = self.record("histo")
        modes = set()
        for number, kernel in enumerate(live, 1):
            lines = (folder / f"kernel-{number}.traceg").read_text().splitlines()
            head = lines.index("")
            self.assertTrue(all(re.match("-[a-z]", line) and " = " in line for line in lines[:head]))
            rest, left, blocks, instructions = [line for line in lines[head:] if line and not line.startswith("#traces")], 0, 0, 0
            for line in rest:
                if left:
                    self.check_line(line)
                    left -= 1
                    instructions += 1
                elif line.startswith("insts = "):
                    left = int(line[8:])
                else:
                    self.assertRegex(line, r"^(#BEGIN_TB|#END_TB|thread block = \d+,\d+,\d+|warp = \d+)$")
                    blocks += line == "#END_TB"
                modes |= {line.split(" 0x")[0][-1]} if " 0x" in line else set()
            self.assertEqual(blocks, kernel["grid"][0] * kernel["grid"][1] * kernel["grid"][2])
            self.assertEqual(instructions, kernel["warp_instructions"])
        self.assertEqual(modes, {"1", "2"})


if __name__ == "__main__":
    main()
