#!/usr/bin/env python3
"""Programs of CPUs: recorded under QEMU with exactly the instructions they have; bad traces are refused.

Skipped parts say so: recording needs qemu-x86_64 and a warpline built with capstone.
"""
import shutil
import struct
import subprocess
import unittest

from harness import BAD_INPUT, BUILD, OK, USAGE, Case, main, run

# 5 instructions, then 1000 rounds of 8, then 7 with a `rep stosq` over 1024 bytes (16 lines), then `syscall`.
KNOWN = r"""
.globl _start
.bss
.balign 64
.lcomm array, 1048576
.text
_start:
  mov $1000, %rcx
  lea array(%rip), %rdi
  xor %eax, %eax
  xor %edx, %edx
  xor %ebx, %ebx
1: mov (%rdi,%rdx,8), %rbx
  add %rcx, %rbx
  mov %rbx, (%rdi,%rdx,8)
  add $9, %rdx
  and $0x1ffff, %rdx
  imul %rbx, %rax
  dec %rcx
  jnz 1b
  lea array(%rip), %rdi
  add $63, %rdi
  and $-64, %rdi
  mov $128, %ecx
  xor %eax, %eax
  rep stosq
  mov $60, %eax
  xor %edi, %edi
  syscall
"""
CAN_RECORD = shutil.which("qemu-x86_64") and (BUILD / "libwarpline_record_cpu.so").exists()


def records(path):
    """A plain trace of ChampSim's as a list of (pc, is_branch, taken, destinations, sources, addresses)."""
    out = []
    for r in struct.iter_unpack("<QBB2B4B6Q", path.read_bytes()):
        out.append((r[0], r[1], r[2], r[3:5], r[5:9], r[9:15]))
    return out


@unittest.skipUnless(CAN_RECORD, "qemu-x86_64 or the plug-in is not there")
class Recording(Case):
    def known(self):
        source = self.put("known.S", KNOWN)
        program = self.folder / "known"
        subprocess.run(["gcc", "-nostdlib", "-static", "-o", program, source], check=True)
        return program

    def test_a_known_program(self):
        trace = self.folder / "known.champsim"
        done = run("record-cpu", "-o", trace, "--", self.known())
        self.assertEqual(done.returncode, OK, done.stderr)
        got = records(trace)
        loop = [r for r in got if r[0] == got[5][0]]
        self.assertEqual(len(loop), 1000)
        branches = [r for r in got if r[1]]
        self.assertEqual((len(branches), sum(r[2] for r in branches)), (1000, 999))
        base = loop[0][5][2]
        self.assertEqual([r[5][2] - base for r in loop], [(9 * i & 0x1FFFF) * 8 for i in range(1000)])
        stores = [r for r in got if r[5][0]]
        self.assertEqual([r[5][0] for r in stores[:1000]], [r[5][2] for r in loop])
        self.assertEqual(len(stores), 1000 + 16, "a `rep stosq` over 16 lines is 16 records")
        self.assertEqual(len(got), 5 + 8 * 1000 + 5 + 16 + 3)
        self.assertEqual(loop[0][3][0], 7, "the load writes rbx")
        self.assertEqual(sorted(r for r in loop[0][4] if r), [3, 8], "and reads rdi and rdx")

    def test_skip_and_count(self):
        whole, part = self.folder / "whole.champsim", self.folder / "part.wct"
        program = self.known()
        self.assertEqual(run("record-cpu", "-o", whole, "--", program).returncode, OK)
        done = run("record-cpu", "-o", part, "--count", 500, "--", program)
        self.assertIn("500 instructions", done.stdout)
        again = self.folder / "again.champsim"
        self.assertEqual(run("record-cpu", "-o", again, "--from", part).returncode, OK)
        self.assertEqual(records(again), records(whole)[:500])
        done = run("record-cpu", "-o", part, "--skip", 10**9, "--", program)
        self.refused(done, BAD_INPUT, "nothing was recorded")

    def test_copies(self):
        whole = self.folder / "whole.champsim"
        self.assertEqual(run("record-cpu", "-o", whole, "--", self.known()).returncode, OK)
        before = whole.read_bytes()
        for name in ("a.wct", "a.champsim.xz", "a.champsim.gz", "a.champsim.zst"):
            copy, back = self.folder / name, self.folder / "back.champsim"
            self.assertEqual(run("record-cpu", "-o", copy, "--from", whole).returncode, OK)
            self.assertEqual(run("record-cpu", "-o", back, "--from", copy).returncode, OK)
            self.assertEqual(back.read_bytes(), before, name)
        done = run("record-cpu", "-o", self.folder / "b.wct", "--from", whole, "--skip", 5, "--count", 8)
        self.assertIn("8 instructions (1 with loads, 1 with stores, 1 branches)", done.stdout)


class Refusals(Case):
    def test_what_record_cpu_refuses(self):
        out = self.folder / "x.wct"
        self.refused(run("record-cpu", "true"), USAGE, "-o FILE.wct")
        self.refused(run("record-cpu", "-o", out), USAGE, "name a program")
        self.refused(run("record-cpu", "-o", out, "--from", self.folder / "absent"), BAD_INPUT, "cannot be read")
        self.refused(run("record-cpu", "-o", out, "--from", self.put("text", "x" * 640)), BAD_INPUT, "ChampSim")
        self.assertFalse(any(self.folder.glob(".part*")))
        if CAN_RECORD:
            self.refused(run("record-cpu", "-o", out, "--", "./no-such-program"), BAD_INPUT, "there is no program")


if __name__ == "__main__":
    main()
