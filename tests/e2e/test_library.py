#!/usr/bin/env python3
"""libwarpline as others get it: installed, found by pkg-config, linked shared and static, and called from C and from Python."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BUILD, ROOT, Case, main

KERNEL = ROOT / "tests/validation/kernels/reduction.ptx"
LAUNCH = ROOT / "tests/validation/kernels/reduction.json"


def installed(folder):
    """A folder with the library, the header and the pkg-config file, as `meson install` lays them out below a prefix."""
    subprocess.run(["meson", "install", "-C", str(BUILD), "--no-rebuild", "--quiet", "--destdir", str(folder)], check=True,
                   capture_output=True)
    found = next(pathlib.Path(folder).rglob("warpline.pc"))
    return found.parent


class Library(Case):
    def setUp(self):
        super().setUp()
        self.pc = installed(self.folder)
        self.lib = self.pc.parent
        self.env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(self.folder), PKG_CONFIG_LIBDIR=f"{self.pc}:{system_pc()}",
                        LD_LIBRARY_PATH=str(self.lib), PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1")

    def build_example(self, *flags):
        out = self.folder / "cache_sizes"
        subprocess.run(["cc", str(ROOT / "examples/embed/cache_sizes.c"), *flags, "-o", str(out)], check=True, env=self.env)
        return out

    def check_sizes(self, program):
        done = subprocess.run([str(program), str(KERNEL), str(LAUNCH)], capture_output=True, text=True, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in done.stdout.splitlines()[2:]]
        self.assertEqual([row[0] for row in rows], ["16", "32", "64", "128"])
        self.assertTrue(all(int(row[1]) > 1000 for row in rows), done.stdout)
        return done.stdout

    def test_c_example_shared_and_static(self):
        header = f"-I{self.folder}{prefix()}/include"
        shared = self.check_sizes(self.build_example(header, f"-L{self.lib}", "-lwarpline"))
        needs = subprocess.run(["pkg-config", "--static", "--libs", "warpline"], env=dict(self.env, PKG_CONFIG_SYSROOT_DIR=""),
                               capture_output=True, text=True, check=True).stdout.split()
        others = [word for word in needs if word.startswith("-l") and word != "-lwarpline"]
        static = self.check_sizes(self.build_example(header, str(self.lib / "libwarpline.a"), *others))
        self.assertEqual(shared, static)

    def test_bad_input_is_a_sentence(self):
        program = self.build_example(f"-I{self.folder}{prefix()}/include", f"-L{self.lib}", "-lwarpline")
        done = subprocess.run([str(program), "missing.ptx", str(LAUNCH)], capture_output=True, text=True, env=self.env)
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing.ptx", done.stderr)

    def test_python(self):
        done = subprocess.run(["python3", str(ROOT / "examples/python/compare_schedulers.py"), str(KERNEL), str(LAUNCH)],
                              capture_output=True, text=True, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["warpline", "gto", "lrr", "two-level"])
        done = subprocess.run(["python3", str(ROOT / "examples/python/compare_schedulers.py"), "missing.ptx", str(LAUNCH)],
                              capture_output=True, text=True, env=self.env)
        self.assertEqual((done.returncode, "missing.ptx" in done.stderr), (1, True), done.stderr)

    def test_only_our_names_are_seen(self):
        for command in (["nm", "-D", "--defined-only", str(self.lib / "libwarpline.so")],
                        ["nm", "-g", "--defined-only", str(self.lib / "libwarpline.a")]):
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            names = [line.split()[2] for line in text.splitlines() if len(line.split()) == 3]
            self.assertGreater(len(names), 20)
            self.assertEqual([name for name in names if not name.startswith("warpline_")], [])


def prefix():
    lines = subprocess.run(["meson", "introspect", str(BUILD), "--buildoptions"], capture_output=True, text=True, check=True).stdout
    return next(o["value"] for o in json.loads(lines) if o["name"] == "prefix")


def system_pc():
    return subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    if not shutil.which("pkg-config"):
        raise unittest.SkipTest("pkg-config is not here")
    main()
