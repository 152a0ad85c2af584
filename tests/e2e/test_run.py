"""warpline run and warpline cc from outside: what goes where, exit codes, limits, signals, refusals."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from harness import BAD_INPUT, BUILD, Case, OK, PROGRAM_FAILED, ROOT, USAGE, WARPLINE, main, run

KERNELS = ROOT / "tests" / "validation" / "kernels"
CLANG = shutil.which("clang++") or shutil.which("clang++-14")

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
__global__ void forever(volatile int *p) { while (*p == 0) p[1] += 1; }
int main(int argc, char **argv)
{
    int h[32], *d;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("result %d\n", h[31]);
    fflush(stdout);
    if (argc > 1 && atoi(argv[1]) == 99) {
        cudaMemset(d, 0, sizeof h);
        forever<<<1, 32>>>(d);
    }
    if (argc > 1 && atoi(argv[1]) == 98)
        abort();
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""

RACES = r"""
#include <cuda_runtime.h>
__global__ void missing_barrier(int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void with_barrier(int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void between_blocks(int *p) { p[blockIdx.x + threadIdx.x]++; }
__global__ void last_block_sums(int *p, int *n, int *out)
{
    p[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(n, 1) != gridDim.x - 1)
        return;
    *out = 0;
    for (int i = 0; i < gridDim.x; i++)
        *out += p[i];
}
int main()
{
    int *d;
    cudaMalloc(&d, 4096);
    cudaMemset(d, 0, 4096);
    missing_barrier<<<1, 256>>>(d);
    with_barrier<<<1, 256>>>(d);
    between_blocks<<<4, 32>>>(d);
    cudaMemset(d, 0, 4096);
    last_block_sums<<<8, 1>>>(d, d + 100, d + 200);
    return cudaDeviceSynchronize();
}
"""

# One launch after each kind of copy, which reads the 16 KB that were copied.
COPIES = r"""
#include <cuda_runtime.h>
enum { N = 4096 };
__device__ float table[N];
__global__ void sum(const float *p, float *out)
{
    float s = 0;
    for (int i = threadIdx.x; i < N; i += 32)
        s += p[i];
    out[threadIdx.x] = s;
}
int main()
{
    static float h[N];
    float *in, *out, *set, *within, *symbol, *result;
    for (float **p : { &in, &out, &set, &within })
        cudaMalloc(p, sizeof h);
    cudaMalloc(&result, 128);
    cudaGetSymbolAddress((void **)&symbol, table);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(in, result);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    sum<<<1, 32>>>(out, result);
    cudaMemset(set, 0, sizeof h);
    sum<<<1, 32>>>(set, result);
    cudaMemcpy(within, in, sizeof h, cudaMemcpyDeviceToDevice);
    sum<<<1, 32>>>(within, result);
    cudaMemcpyToSymbol(table, h, sizeof h);
    sum<<<1, 32>>>(symbol, result);
    return 0;
}
"""


def without_host(text):
    result = json.loads(text)
    result.pop("host")
    return json.dumps(result)


@unittest.skipUnless(CLANG, "clang++ is not on this machine")
class Programs(Case):
    @classmethod
    def setUpClass(cls):
        import pathlib
        import tempfile
        cls.made = tempfile.TemporaryDirectory(prefix="warpline-run-")
        folder = pathlib.Path(cls.made.name)
        (folder / "app.cu").write_text(PROGRAM)
        done = run("cc", folder / "app.cu", "-o", folder / "app")
        assert done.returncode == OK, done.stderr
        cls.app = folder / "app"
        (folder / "copies.cu").write_text(COPIES)
        done = run("cc", folder / "copies.cu", "-o", folder / "copies")
        assert done.returncode == OK, done.stderr
        cls.copies = folder / "copies"

    def test_races_are_told_with_both_accesses_and_only_where_they_are(self):
        source = self.put("races.cu", RACES)
        self.assertEqual(run("cc", "-lineinfo", source, "-o", self.folder / "races").returncode, OK)
        for mode in ([], ["--functional"]):
            done = run("run", *mode, "--races", "--json", "-", self.folder / "races")
            self.assertEqual(done.returncode, OK, done.stderr)
            races = json.loads(done.stdout)["races"]
            self.assertEqual({race["kernel"] for race in races}, {"_Z15missing_barrierPi", "_Z14between_blocksPi"})
            told = next(race["text"] for race in races if "missing_barrier" in race["kernel"])
            for phrase in ("race in shared memory at 0x", "write by block (0,0,0), thread (", "read by block", "races.cu:7", "no barrier is between them"):
                self.assertIn(phrase, told)
            self.assertIn("nothing orders the two blocks", done.stderr)

    def test_which_copies_leave_their_sectors_in_the_l2(self):
        for as_reference, found in (("false", [True, False, True, True, True]), ("true", [True, True, False, False, False])):
            done = run("run", "--json", "-", "--quiet", "--set", f"reference.copies={as_reference}", self.copies)
            self.assertEqual(done.returncode, OK, done.stderr)
            reads = [kernel["dram"]["reads"] for kernel in json.loads(done.stdout)["kernels"]]
            self.assertEqual([n < 256 for n in reads], found, reads)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def test_output_is_the_programs_own_and_the_summary_goes_to_stderr(self):
        done = run("run", self.app)
        self.assertEqual((done.returncode, done.stdout), (OK, "result 62\n"))
        self.assertIn("cycles", done.stderr)

    def test_json_on_stdout_moves_the_programs_output(self):
        done = run("run", "--json", "-", "--quiet", self.app)
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["schema"], 1)
        self.assertEqual(result["kernels"][0]["name"], "_Z5twicePi")
        self.assertGreater(result["kernels"][0]["cycles"], 0)
        self.assertEqual(done.stderr, "result 62\n")

    def test_the_same_run_gives_the_same_bytes(self):
        first, second = (run("run", "--json", "-", "--quiet", self.app).stdout for _ in range(2))
        self.assertEqual(without_host(first), without_host(second))

    def test_exit_code_of_the_program_is_part_of_the_result(self):
        path = self.folder / "r.json"
        done = run("run", "--json", path, "--quiet", self.app, "7")
        self.assertEqual(done.returncode, PROGRAM_FAILED)
        self.assertIn("exit code 7", done.stderr)
        self.assertIn('"exit_code": 7', path.read_text())

    def test_an_exit_code_above_128_is_no_signal(self):
        done = run("run", "--quiet", self.app, "-1")
        self.assertEqual(done.returncode, PROGRAM_FAILED)
        self.assertIn("ended with exit code 255", done.stderr)

    def test_a_crash_loses_nothing_that_was_known(self):
        path = self.folder / "r.json"
        done = run("run", "--json", path, "--quiet", self.app, "98")
        self.assertEqual(done.returncode, PROGRAM_FAILED)
        self.assertIn("signal 6", done.stderr)
        self.assertEqual(len(json.loads(path.read_text())["kernels"]), 1)

    def test_limits_stop_an_endless_kernel(self):
        for limit, number in (("--max-cycles", 30000), ("--max-instructions", 2000)):
            path = self.folder / "r.json"
            done = run("run", limit, number, "--json", path, "--quiet", self.app, "99")
            self.assertEqual(done.returncode, OK, done.stderr)
            kernels = json.loads(path.read_text())["kernels"]
            self.assertEqual(len(kernels), 2)
            self.assertLess(kernels[1]["cycles"], 200000)
        done = run("run", "--functional", "--max-instructions", "200000", "--quiet", self.app, "99")
        self.assertEqual(done.returncode, OK, done.stderr)

    def start_endless(self):
        process = subprocess.Popen([WARPLINE, "run", str(self.app), "99"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.assertEqual(process.stdout.readline(), "result 62\n")
        time.sleep(1)
        return process

    def test_interrupt_prints_what_is_known(self):
        """Whether it reaches the whole group, as from a terminal, or warpline alone, as from kill."""
        for send in (lambda p: os.killpg(p.pid, signal.SIGINT), lambda p: p.send_signal(signal.SIGTERM)):
            process = self.start_endless()
            send(process)
            _, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, PROGRAM_FAILED, stderr)
            self.assertIn("interrupted", stderr)
            self.assertIn("2 kernels", stderr)

    def test_an_interrupt_that_comes_often_loses_nothing(self):
        """A terminal sends it to the program, and so does warpline; the second must not end what the first has stopped."""
        process = self.start_endless()
        program = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        with contextlib.suppress(ProcessLookupError):
            while process.poll() is None:
                os.kill(program, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertIn("2 kernels", stderr)

    def test_a_killed_run_takes_its_program_along(self):
        process = self.start_endless()
        process.kill()
        # The program holds the other end of this pipe: it ends only when the program does.
        process.communicate(timeout=60)

    def test_alone_it_runs_for_values_and_says_so(self):
        done = subprocess.run([str(self.app)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, "result 62\n"))
        self.assertIn("warpline run", done.stderr)

    def test_settings_reach_the_program(self):
        done = run("run", "--json", "-", "--quiet", "--set", "gpu.sms=2", "--policy", "lrr", self.app)
        result = json.loads(done.stdout)
        self.assertEqual(result["config"]["gpu"]["sms"] if isinstance(result["config"].get("gpu"), dict) else result["config"]["gpu.sms"], 2)
        self.assertEqual(result["policies"], ["lrr"])

    def test_too_little_memory(self):
        big = PROGRAM.replace("cudaMalloc(&d, sizeof h)", "if (cudaMalloc(&d, 8 << 20) != cudaSuccess) { printf(\"no memory\\n\"); return 5; }")
        source = self.put("big.cu", big)
        self.assertEqual(run("cc", source, "-o", self.folder / "big").returncode, OK)
        done = run("run", "--set", "device.memory=4MiB", "--functional", self.folder / "big")
        self.assertEqual((done.returncode, done.stdout), (PROGRAM_FAILED, "no memory\n"))
        done = run("run", "--set", "device.memory=64MiB", "--functional", self.folder / "big")
        self.assertEqual(done.returncode, OK, done.stderr)

    def test_several_files_and_objects(self):
        self.put("k.cu", "#include \"k.h\"\n__global__ void k(int *p) { *p = VALUE; }\nvoid launch(int *p) { k<<<1, 1>>>(p); }\n")
        self.put("k.h", "#pragma once\nvoid launch(int *p);\n")
        self.put("m.cpp", "#include \"k.h\"\n#include <cuda_runtime.h>\n#include <cstdio>\nint main() { int *d, h = 0; cudaMalloc(&d, 4);"
                          " launch(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); std::printf(\"%d\\n\", h); return h != 42; }\n")
        self.assertEqual(run("cc", "-c", "-DVALUE=42", self.folder / "k.cu", "-o", self.folder / "k.o").returncode, OK)
        done = run("cc", "-O1", "-I", self.folder, self.folder / "k.o", self.folder / "m.cpp", "-o", self.folder / "both", "-lm")
        self.assertEqual(done.returncode, OK, done.stderr)
        done = run("run", "--functional", "--quiet", self.folder / "both")
        self.assertEqual((done.returncode, done.stdout), (OK, "42\n"), done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["both", "k.cu", "k.h", "k.o", "m.cpp"])

    def test_an_archive_serves_sources_that_come_behind_it(self):
        self.put("f.c", "int f(void) { return 42; }\n")
        self.put("m.cu", "#include <cstdio>\nextern \"C\" int f(void);\nint main() { std::printf(\"%d\\n\", f()); }\n")
        self.assertEqual(run("cc", "-c", self.folder / "f.c", "-o", self.folder / "f.o").returncode, OK)
        self.assertEqual(run("cc", "-lib", self.folder / "f.o", "-o", self.folder / "libf.a").returncode, OK)
        for order in (("libf.a", "m.cu"), ("m.cu", "libf.a")):
            done = run("cc", "-Xcompiler", "-std=c99", *(self.folder / name for name in order), "-o", self.folder / "m")
            self.assertEqual(done.returncode, OK, done.stderr)

    def test_flags_that_makefiles_pass_to_nvcc(self):
        """Objects with device code that is linked, a device link, an archive, lists of dependencies."""
        self.put("a.cu", "#include <cstdio>\n__device__ int f(int);\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800\n#error arch\n#endif\n"
                         "__global__ void k(int *p) { *p = f(VALUE); }\n"
                         "int main() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);"
                         " std::printf(\"%d\\n\", h); }\n")
        self.put("b.cu", "__device__ int f(int x) { return x + 1; }\n")
        usual = ["-gencode", "arch=compute_60,code=sm_60", "-gencode=arch=compute_80,code=[sm_80,compute_80]", "-Xcompiler", "-Wall,-O2",
                 "-lineinfo", "--ptxas-options=-v", "-ccbin", "g++", "-m64", "-maxrregcount=32", "--expt-relaxed-constexpr",
                 "-Werror", "all-warnings", "-t", "4", "--define-macro", "VALUE=41", "--optimize=3", "-use_fast_math", "--std", "c++14"]
        f = self.folder
        for name, mode in (("a", ["-dc"]), ("b", ["-rdc", "true", "--compile"])):
            done = run("cc", *usual, *mode, f / f"{name}.cu", "-o", f / f"{name}.o", "-MD", "-MF", f / f"{name}.d")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn(f"{name}.o:", (f / f"{name}.d").read_text())
        self.assertEqual(run("cc", "-dlink", f / "a.o", f / "b.o", "-o", f / "link.o").returncode, OK)
        self.assertEqual(run("cc", "-lib", f / "b.o", "-o", f / "libb.a").returncode, OK)
        for name, objects in (("one", ["a.o", "b.o", "link.o"]), ("two", ["a.o", "libb.a"]), ("three", ["a.o"])):
            done = run("cc", *(f / o for o in objects), "-o", f / name, "-lcudadevrt", "-lcudart_static", *(["-L", f, "-lb"] if name == "three" else []))
            self.assertEqual(done.returncode, OK, done.stderr)
            done = run("run", "--functional", "--quiet", f / name)
            self.assertEqual((done.returncode, done.stdout), (OK, "42\n"), done.stderr)
        done = run("cc", "-M", f / "b.cu")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("b.o: ", done.stdout)
        subprocess.run([CLANG, str(f / "a.o"), str(BUILD / "libcudart.so.13"), "-o", str(f / "alone")], check=True)
        done = run("run", "--functional", f / "alone")
        self.assertIn("function _Z1fi is called but no loaded module defines it", done.stderr)

    def test_device_code_that_is_not_there_or_there_twice(self):
        """Found when the program is made, with the name and the file that wants it; nothing is written."""
        f = self.folder
        self.put("user.cu", "__device__ int f(int);\nextern __device__ int v;\n__global__ void k(int *p) { *p = f(WANTED); }\nint main() {}\n")
        self.put("f.cu", "__device__ int f(int x) { return x; }\n")
        self.put("again.cu", "static __device__ int own(int x) { return x; }\n__device__ int f(int x) { return own(x); }\n")
        for flags, files, words in (([], ["user.cu"], ["user.cu: ", "function _Z1fi", "-rdc=true"]),
                                    (["-rdc=true"], ["user.cu"], ["user.cu: ", "function _Z1fi"]),
                                    (["-rdc=true", "-DWANTED=v"], ["user.cu", "f.cu"], ["user.cu: ", "variable v"]),
                                    (["-rdc=true"], ["user.cu", "f.cu", "again.cu"], ["f.cu and ", "again.cu: ", "_Z1fi"])):
            done = run("cc", "-DWANTED=1" if "-DWANTED=v" not in flags else "-DX", *flags, *(f / name for name in files), "-o", f / "program")
            self.refused(done, BAD_INPUT, *words)
            self.assertFalse((f / "program").exists())
        for name in ("user", "f", "again"):
            self.assertEqual(run("cc", "-DWANTED=1", "-dc", f / f"{name}.cu", "-o", f / f"{name}.o").returncode, OK)
        self.refused(run("cc", "-dlink", f / "user.o", "-o", f / "link.o"), BAD_INPUT, "user.o: ", "_Z1fi")
        self.assertEqual(run("cc", "-dlink", f / "user.o", f / "f.o", "-o", f / "link.o").returncode, OK)
        # An archive's members are taken as they are needed: a second definition in one is no mistake.
        self.assertEqual(run("cc", "-lib", f / "again.o", "-o", f / "libagain.a").returncode, OK)
        for last in ([f / "libagain.a"], ["-l", "again", "-L", f], [f / "f.o", f / "libagain.a"]):
            self.assertEqual(run("cc", f / "user.o", *last, "-o", f / "program").returncode, OK, last)

    def test_cuda_stops_at_source_for_the_hosts_compiler(self):
        f = self.folder
        self.put("a.cu", '#include <stdio.h>\n__device__ int bias = 40;\n__global__ void k(int *p) { *p += bias; printf("\\"%d\\"\\\\\\n", *p); }\n'
                         'extern "C" int on_device(int n) { int *p; cudaMallocManaged(&p, 4); *p = n; k<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p; }\n')
        self.put("main.c", "int on_device(int);\nint main(void) { return on_device(2) != 42; }\n")
        libraries = os.path.dirname(WARPLINE)
        for more in ([], ["-g"], ["-dc"]):
            done = run("cc", "-cuda", *more, f / "a.cu", cwd=f)
            self.assertEqual((done.returncode, done.stderr), (OK, ""), more)
            self.assertTrue((f / "a.cu.cpp.ii").exists())
            subprocess.run(["g++", "-g", "-c", "a.cu.cpp.ii", "-o", "a.o"], cwd=f, check=True)
            subprocess.run(["gcc", "main.c", "a.o", "-o", "a", f"-L{libraries}", "-l:libcudart.so.13", "-lstdc++"], cwd=f, check=True)
            done = run("run", "--functional", "--quiet", f / "a")
            self.assertEqual((done.returncode, done.stdout), (OK, '"42"\\\n'), more)
        self.assertEqual(run("cc", "--cuda", f / "a.cu", "-o", f / "named.ii").returncode, OK)
        self.assertIn("__asm__", (f / "named.ii").read_text())

    def test_flags_with_their_value_apart(self):
        f = self.folder
        self.put("a.cu", "#if !defined(FROM_FILE) || VALUE != 3\n#error options\n#endif\n"
                         "template <int n> struct deep { enum { value = deep<n - 1>::value + 1 }; };\ntemplate <> struct deep<0> { enum { value = 0 }; };\n"
                         "int v = deep<1500>::value;\n__global__ void k(float *p) { *p = p[1] * p[2] + p[3]; }\nint main() { return v != 1500; }\n")
        self.put("more", "-DFROM_FILE --ftemplate-depth 2000\n\t-optf " + str(f / "last"))
        self.put("last", "-DVALUE=3")
        for fmad, found in ((["-fmad", "false"], False), (["--fmad=false"], False), (["-fmad", "true"], True), (["-fmad=false", "-fmad=true"], True)):
            done = run("cc", "-optf", f / "more", *fmad, "-Werror", "all-warnings", "-ptx", f / "a.cu", "-o", f / "a.ptx")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertEqual("fma.rn.f32" in (f / "a.ptx").read_text(), found, fmad)
        self.assertEqual(run("cc", "-optf", f / "more", "-fatbin", f / "a.cu", cwd=f).returncode, OK)
        self.assertIn(".entry", (f / "a.fatbin").read_text())
        done = run("cc", "--options-file", f / "more", "-Werror", "all-warnings", "-cudart", "none", f / "a.cu", "-o", f / "a")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertEqual(run("run", "--functional", "--quiet", f / "a").returncode, OK)
        self.put("last", "-optf " + str(f / "more"))
        self.refused(run("cc", "-optf", f / "more", f / "a.cu"), BAD_INPUT, "more than 8 deep")

    def test_what_cc_refuses(self):
        source = self.put("b.cu", "int main() {}\n")
        for flags, code, word in ((["-cubin"], USAGE, "no machine code is made here"), (["-run"], USAGE, "warpline run"),
                                  (["-arch=sm_5"], USAGE, "-arch=sm_5"), (["-lcudnn"], BAD_INPUT, "-lcudnn: "),
                                  (["-l", "cusparse_static"], BAD_INPUT, "-lcusparse_static: "), (["-optf", "/nonexistent"], BAD_INPUT, "/nonexistent")):
            self.refused(run("cc", *flags, source, "-o", self.folder / "b"), code, word)
        self.assertEqual(run("cc", "-lcudnn", "-c", source, "-o", self.folder / "b.o").returncode, OK)

    def test_intermediate_files_are_removed_and_lists_stay(self):
        """Whether the compiler is content, refuses or is interrupted; a list of dependencies lies where a Makefile looks for it."""
        scratch = self.folder / "scratch"
        scratch.mkdir()
        env = dict(os.environ, TMPDIR=str(scratch))
        self.put("a.cu", "#include \"a.h\"\nint main() {}\n")
        self.put("a.h", "\n")
        self.put("bad.cu", "__device__ int f();\n__global__ void k(int *p) { *p = f(); }\nint main() {}\n")
        (self.folder / "out").mkdir()

        def cc(*words):
            return subprocess.run([WARPLINE, "cc", *words], env=env, cwd=self.folder, capture_output=True, text=True, timeout=120).returncode

        for mode in ([], ["-rdc=true"]):
            self.assertEqual(cc("-MD", *mode, "-c", "a.cu", "-o", "out/a.o"), OK)
            self.assertIn("out/a.o:", (self.folder / "out" / "a.d").read_text())
            self.assertEqual(cc("-MMD", *mode, "a.cu", "-o", "program"), OK)
            self.assertRegex((self.folder / "a.d").read_text(), r"^program:[^:]*a\.h")
            (self.folder / "a.d").unlink()
            self.assertEqual(cc("bad.cu", *mode, "-o", "bad"), BAD_INPUT)
            self.assertEqual(list(scratch.iterdir()), [])
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), ["a.d", "a.o"])
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.cu", "a.h", "bad.cu", "out", "program", "scratch"])
        self.put("long.cu", "#include <algorithm>\n#include <regex>\n" * 2 + "int main() { std::regex r(\"a\"); }\n")
        hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, and stays so in what is started
        self.addCleanup(signal.signal, signal.SIGHUP, hang_up)
        for number, whole_group in ((signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False)):
            for wait in (0, 0.002, 0.1):  # in the moment when the folder appears, and while a command runs
                process = subprocess.Popen([WARPLINE, "cc", "long.cu", "-o", "long"], env=env, cwd=self.folder, stderr=subprocess.PIPE,
                                           text=True, start_new_session=True)
                while not list(scratch.iterdir()):
                    pass
                time.sleep(wait)
                (os.killpg if whole_group else os.kill)(process.pid, number)
                self.assertIn(f"ended by signal {int(number)}", process.communicate(timeout=60)[1])
                self.assertEqual((process.returncode, list(scratch.iterdir())), (BAD_INPUT, []))
        self.assertFalse((self.folder / "long").exists())

    def test_older_names_of_the_runtime(self):
        """A program linked with libcudart.so.12 or .so.11.0 finds ours."""
        source = self.put("old.cu", PROGRAM)
        self.assertEqual(run("cc", "-c", source, "-o", self.folder / "old.o").returncode, OK)
        for name in ("libcudart.so.12", "libcudart.so.11.0"):
            program = self.folder / "old"
            subprocess.run([CLANG, str(self.folder / "old.o"), str(BUILD / name), "-o", str(program)], check=True)
            done = run("run", "--functional", "--quiet", program)
            self.assertEqual((done.returncode, done.stdout), (OK, "result 62\n"), done.stderr)

    def test_compile_errors_are_the_compilers_own(self):
        source = self.put("bad.cu", "__global__ void k() { undeclared = 1; }\nint main() {}\n")
        done = run("cc", source, "-o", self.folder / "bad")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("undeclared", done.stderr)
        self.assertFalse((self.folder / "bad").exists())

    def test_a_missing_call_says_its_name(self):
        source = self.put("missing.cu", "#include <cstdio>\nextern \"C\" int cudaEGLStreamConsumerConnect(void *, void *);\n"
                                      "int main() { int e = cudaEGLStreamConsumerConnect(0, 0); std::printf(\"%d\\n\", e); return 0; }\n")
        self.assertEqual(run("cc", source, "-o", self.folder / "missing").returncode, OK)
        done = run("run", "--functional", "--quiet", self.folder / "missing")
        self.assertEqual(done.stdout, "801\n")
        self.assertIn("cudaEGLStreamConsumerConnect", done.stderr)


# Closes all descriptors before its first call, or between two kernels, and opens others; or leaves a child that sleeps.
RUTHLESS = r"""
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }
static void close_all()
{
    for (int i = 3; i < 1024; i++)
        close(i);
}
int main(int argc, char **argv)
{
    int *p;
    if (argv[1][0] == 'f')
        close_all();
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    if (argv[1][0] == 'b') {
        close_all();
        for (int i = 0; i < 16; i++)
            open(argv[2], O_CREAT | O_RDWR, 0600);
    }
    if (argv[1][0] == 'c' && fork() == 0) {
        close(0), close(1), close(2);
        sleep(100);
        _exit(0);
    }
    k<<<1, 32>>>(p);
    printf("%d\n", (int)cudaDeviceSynchronize());
}
"""


@unittest.skipIf(not CLANG, "clang is not installed")
class Ruthless(Case):
    def test_closed_descriptors_and_children_that_stay(self):
        program, other = self.folder / "ruthless", self.folder / "other"
        self.assertEqual(run("cc", self.put("r.cu", RUTHLESS), "-o", program).returncode, OK)
        kernels = {}
        for what in ("nothing", "first", "between", "child"):
            began = time.monotonic()
            done = run("run", "--quiet", "--json", self.folder / "r.json", program, what, other)
            self.assertEqual((done.returncode, done.stdout), (OK, "0\n"), what + done.stderr)
            kernels[what] = json.loads((self.folder / "r.json").read_text())["kernels"]
            self.assertEqual(len(kernels[what]), 2)
            self.assertEqual(kernels[what], kernels["nothing"])
            self.assertLess(time.monotonic() - began, 60, what)
        self.assertEqual(other.read_bytes(), b"", "no result went into the program's own file")


class Ptx(Case):
    def test_kernels_of_the_reference_run(self):
        done = run("run", "--functional", "--json", "-", "--quiet", "--ptx", KERNELS / "reduction.ptx", "--launch", KERNELS / "reduction.json")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertGreater(json.loads(done.stdout)["totals"]["warp_instructions"], 0)

    def test_outputs_are_dumped_and_compared(self):
        launch = json.loads((KERNELS / "saxpy_stride2.json").read_text())
        name = launch["outputs"][0]
        done = run("run", "--functional", "--quiet", "--dump-outputs", self.folder, "--ptx", KERNELS / "saxpy_stride2.ptx", "--launch",
                   KERNELS / "saxpy_stride2.json")
        self.assertEqual(done.returncode, OK, done.stderr)
        data = bytearray((self.folder / f"{name}.bin").read_bytes())
        self.assertEqual(len(data), launch["arrays"][name]["n"] * 4)
        launch["outputs"] = [{"array": name, "expect": f"{name}.bin", "file": str(self.folder / "again.bin")}]
        path = self.put("l.json", json.dumps(launch))
        done = run("run", "--functional", "--quiet", "--ptx", KERNELS / "saxpy_stride2.ptx", "--launch", path)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual((self.folder / "again.bin").read_bytes(), bytes(data))
        data[5] ^= 0x10
        (self.folder / f"{name}.bin").write_bytes(data)
        done = run("run", "--functional", "--quiet", "--ptx", KERNELS / "saxpy_stride2.ptx", "--launch", path)
        self.refused(done, PROGRAM_FAILED, "differs at 1")

    def test_outputs_that_cannot_be_kept_are_refused_before_the_run(self):
        words = ["--ptx", KERNELS / "saxpy_stride2.ptx", "--launch"]
        result = self.folder / "result.json"
        done = run("run", "--quiet", "--json", result, "--dump-outputs", self.folder / "nowhere", *words, KERNELS / "saxpy_stride2.json")
        self.refused(done, BAD_INPUT, "nowhere", "No such file")
        launch = json.loads((KERNELS / "saxpy_stride2.json").read_text())
        launch["outputs"] = [{"array": launch["outputs"][0], "file": str(self.folder / "nowhere" / "y.bin")}]
        self.refused(run("run", "--quiet", "--json", result, *words, self.put("l.json", json.dumps(launch))), BAD_INPUT, "nowhere/y.bin")
        self.assertFalse(result.exists())

    def test_mistakes(self):
        good = KERNELS / "syrk.ptx", KERNELS / "syrk.json"
        self.refused(run("run", "--ptx", good[0]), USAGE, "--launch")
        self.refused(run("run"), USAGE, "name a program")
        self.refused(run("run", "--ptx", "/nonexistent.ptx", "--launch", good[1]), BAD_INPUT, "/nonexistent.ptx")
        self.refused(run("run", "--ptx", good[0], "--launch", "/nonexistent.json"), BAD_INPUT, "/nonexistent.json")
        self.refused(run("run", "--ptx", good[1], "--launch", good[1]), BAD_INPUT, "syrk.json:1:")
        self.refused(run("run", "--ptx", "/bin/true", "--launch", good[1]), BAD_INPUT, "/bin/true")
        self.refused(run("run", "nosuchworkload"), BAD_INPUT, "nosuchworkload")
        self.refused(run("run", "--size", "tiny", "/bin/true"), USAGE, "--size")
        self.refused(run("run", self.put("k.ptx", ".version 7.0\n")), BAD_INPUT, "--ptx")
        self.refused(run("run", self.put("s.sh", "#!/bin/sh\n")), BAD_INPUT, "script")
        launch = json.loads(good[1].read_text())
        launch["launches"][0]["args"].pop()
        self.refused(run("run", "--quiet", "--ptx", good[0], "--launch", self.put("few.json", json.dumps(launch))), BAD_INPUT, "6 arguments, 5")
        launch["launches"][0]["args"].append({"i64": 5})
        self.refused(run("run", "--quiet", "--ptx", good[0], "--launch", self.put("wide.json", json.dumps(launch))), BAD_INPUT, "8 bytes")
        launch["launches"][0]["kernel"] = "nothing"
        self.refused(run("run", "--quiet", "--ptx", good[0], "--launch", self.put("none.json", json.dumps(launch))), BAD_INPUT, "no kernel 'nothing'")

    def test_truncated_and_large_ptx_are_refused_in_a_sentence(self):
        text = (KERNELS / "syrk.ptx").read_bytes()
        for name, content in (("cut.ptx", text[: len(text) // 2]), ("large.ptx", b".reg" * (25 << 20)), ("empty.ptx", b""),
                              ("binary.ptx", bytes(range(256)) * 50)):
            done = run("run", "--ptx", self.put(name, content), "--launch", KERNELS / "syrk.json")
            self.assertEqual(done.returncode, BAD_INPUT, name + done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr[:300])


main()
