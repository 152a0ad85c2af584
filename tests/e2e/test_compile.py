"""`warpline cc`: what it makes clang compile, and what it leaves out."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from harness import BAD_INPUT, Case, OK, WARPLINE, main, run

CLANG = shutil.which("clang++") or shutil.which("clang++-14")
CUB = pathlib.Path("/usr/include/cub/util_device.cuh").exists()
SORT = """#include <cub/device/device_radix_sort.cuh>
#include <cstdio>
int main()
{
    const int n = 3000;
    unsigned *in, *out, host[n];
    for (int i = 0; i < n; i++) host[i] = (i * 7919u) % 3001u;
    cudaMalloc(&in, sizeof host); cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    void *work = nullptr; size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(work, bytes, in, out, n); cudaMalloc(&work, bytes);
    cub::DeviceRadixSort::SortKeys(work, bytes, in, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++) if (host[i - 1] > host[i]) return 1;
    std::puts("sorted");
}
"""


@unittest.skipUnless(CLANG, "clang++ is not on this machine")
class Compile(Case):
    def compiled(self, *arguments):
        done = run("cc", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        return done

    def test_host_and_device_know_the_architecture(self):
        for name, number in (("sm_75", 750), ("compute_90", 860)):  # 86 is the newest that clang 14 knows
            self.put("a.cu", f"static_assert(__CUDA_ARCH_LIST__ == {number}, \"\");\n"
                     f"__global__ void k(int *p) {{ *p = 1; static_assert(__CUDA_ARCH_LIST__ == {number}, \"\"); }}\nint main() {{}}\n")
            said = self.compiled(f"-arch={name}", "a.cu", "-o", "a").stderr
            self.assertEqual(said.count("is compiled as sm_86"), int(number == 860), said)

    def refused_by_clang(self, text):
        """The messages, when nothing is left of the attempt."""
        self.put("a.cu", text)
        os.makedirs(self.folder / "tmp", exist_ok=True)
        done = run("cc", "-c", "a.cu", "-o", "a.o", cwd=self.folder, env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertEqual((os.listdir(self.folder / "tmp"), (self.folder / "a.o").exists()), ([], False))
        return done.stderr

    def test_both_passes_run_side_by_side(self):
        """The host's begins first and waits for the PTX at a pipe; messages come in the old order, the device's first."""
        self.put("a.cu", "#ifdef __CUDA_ARCH__\n#warning of the device\n#else\n#warning of the host\n#endif\n"
                 "#include <cstdio>\n__global__ void k() { printf(\"ran\\n\"); }\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n")
        for linked in ([], ["-rdc=true"]):
            text = self.compiled("-v", *linked, "a.cu", "-o", "a").stderr
            self.assertLess(text.index("--cuda-host-only"), text.index("--cuda-device-only"))
            self.assertLess(text.index("of the device"), text.index("of the host"))
            self.assertEqual(run("run", "--functional", self.folder / "a").stdout.splitlines()[0], "ran")

    def test_what_one_pass_refuses_is_said_once(self):
        self.assertEqual(self.refused_by_clang("#error here\n").count("error: here"), 1)
        self.assertIn("host alone", self.refused_by_clang("#ifndef __CUDA_ARCH__\n#error host alone\n#endif\n"))
        self.assertIn("no_such", self.refused_by_clang("extern __device__ int no_such();\n__global__ void k(int *p) { *p = no_such(); }\n"))

    def stuck_in_both_passes(self):
        os.mkdir(self.folder / "tmp")
        os.mkfifo(self.folder / "stuck.h")  # both passes stop here
        self.put("a.cu", "#include <stuck.h>\n")
        child = subprocess.Popen([WARPLINE, "cc", "-I.", "-c", "a.cu"], cwd=self.folder,
                                 stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        while not list((self.folder / "tmp").glob("*/*.messages")):
            time.sleep(0.05)
        time.sleep(0.3)
        return child

    def passes(self):
        """Processes whose command names our temporary folder."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [entry] if str(self.folder / "tmp").encode() in entry.read_bytes() else []
            except OSError:
                pass  # it has just ended
        return found

    def test_a_signal_ends_both_passes(self):
        """The host's pass would wait for ever at a pipe that nobody writes to."""
        child = self.stuck_in_both_passes()
        child.send_signal(signal.SIGTERM)
        self.assertIn(b"signal 15", child.communicate(timeout=30)[1])
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_no_pass_outlives_a_kill(self):
        child = self.stuck_in_both_passes()
        self.assertTrue(self.passes())
        child.kill()
        child.communicate(timeout=30)
        until = time.monotonic() + 10
        while self.passes() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(self.passes(), [])

    @unittest.skipUnless(CUB, "libcub-dev is not on this machine")
    def test_kernels_of_other_architectures_are_left_out(self):
        """A sort for sm_70 goes in one sweep, a sort for sm_50 up and down; each has the kernels of its own way alone."""
        self.put("sort.cu", SORT)
        kernels = {}
        for arch in ("sm_50", "sm_70"):
            self.compiled(f"-arch={arch}", "-std=c++14", "-ptx", "sort.cu", "-o", arch + ".ptx")
            kernels[arch] = " ".join(re.findall(r"\.entry (\w+)", (self.folder / (arch + ".ptx")).read_text()))
        self.assertIn("OnesweepKernel", kernels["sm_70"])
        self.assertNotIn("DownsweepKernel", kernels["sm_70"])
        self.assertIn("DownsweepKernel", kernels["sm_50"])
        self.assertNotIn("OnesweepKernel", kernels["sm_50"])
        for arch in ("sm_50", "sm_70"):
            done = self.compiled("-Wall", f"-arch={arch}", "sort.cu", "-o", "sort")
            self.assertNotIn("util_device", done.stderr)
            self.assertEqual(run("run", "--functional", self.folder / "sort").stdout.splitlines()[0], "sorted")


main()
