#!/usr/bin/env python3
"""scripts/clean-root.sh: the mounts of its chroot are in a namespace of their own, so that nothing is left however it ends."""
import os
import shutil
import subprocess
import sys
import time

from harness import ROOT, Case, main

SHELL = r"""
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct stat null, self, shared;
    printf("%d%d%d\n", stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode), stat("/proc/self/exe", &self) == 0, stat("/dev/shm", &shared) == 0);
    fflush(stdout);
    if (argc > 2 && strcmp(argv[2], "stay") == 0)
        sleep(5);
    return 7;
}
"""

if os.geteuid() != 0 or not shutil.which("unshare") or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
    print("clean_root: needs root and mount namespaces; skipped")
    sys.exit(77)


class CleanRoot(Case):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "root"
        (self.root / "bin").mkdir(parents=True)
        subprocess.run(["cc", "-static", "-o", self.root / "bin/sh", self.put("sh.c", SHELL)], check=True)
        self.script = str(ROOT / "scripts/clean-root.sh")

    def mounts(self):
        with open("/proc/self/mountinfo", encoding="utf-8") as table:
            return [line for line in table if str(self.root) in line]

    def test_a_command_has_its_own_dev_and_proc(self):
        done = subprocess.run([self.script, "--run", self.root, "look"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (7, "111\n"), done.stderr)
        self.assertEqual(self.mounts(), [])

    def test_a_kill_leaves_no_mount(self):
        script = subprocess.Popen([self.script, "--run", self.root, "stay"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(script.stdout.readline(), "111\n")
        self.assertEqual(self.mounts(), [], "nothing is mounted here even while it runs")
        script.kill()
        script.wait()
        script.stdout.close()
        self.assertEqual(self.mounts(), [])
        time.sleep(5)  # what it had started ends by itself, and the folder can go
        subprocess.run([self.script, "--remove", self.root], check=True)
        self.assertFalse(self.root.exists())


main()
