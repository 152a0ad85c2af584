"""The folder that stands for a CUDA toolkit: Makefiles and CMake find nvcc, headers and libraries in it."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from harness import BAD_INPUT, Case, OK, USAGE, main, run

CLANG = shutil.which("clang++") or shutil.which("clang++-14")
CMAKE, MAKE, HOST = shutil.which("cmake"), shutil.which("make"), shutil.which("g++") or shutil.which("c++")

# Device code of two files, a third file in C++ that the host's compiler makes with our headers, include folders of both kinds.
FILES = {
    "parts/value.h": "#define VALUE 40\n",
    "system/more.h": "#define MORE 2\n",
    "part.cu": "#include <more.h>\n__device__ int add(int x) { return x + MORE; }\n",
    "app.cu": "#include \"value.h\"\n#include <cstdio>\n__device__ int add(int);\nint devices();\n"
              "__global__ void k(int *p) { *p = add(VALUE); }\n"
              "int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);"
              " std::printf(\"%d %d\\n\", h, devices()); }\n",
    "host.cpp": "#include <cuda_runtime.h>\nint devices() { int n = 0; cudaGetDeviceCount(&n); return n; }\n",
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(parts STATIC part.cu)
add_library(host STATIC host.cpp)
target_include_directories(parts SYSTEM PRIVATE system)
target_link_libraries(host PRIVATE CUDA::cudart)
foreach(name linked_by_host linked_by_nvcc)
  add_executable(${name} app.cu)
  target_include_directories(${name} PRIVATE parts)
  target_link_libraries(${name} PRIVATE parts host)
  set_target_properties(${name} parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
endforeach()
set_target_properties(linked_by_nvcc PROPERTIES LINKER_LANGUAGE CUDA)
""",
    "Makefile": """NVCC = $(CUDA_PATH)/bin/nvcc
app: app.o part.o host.o
\t$(NVCC) -rdc=true -o $@ $^ -L$(CUDA_PATH)/lib64 -lcudart_static -lcublas_static -lcublasLt_static -lculibos -lcuda -ldl
%.o: %.cu
\t$(NVCC) -Iparts -isystem=system -gencode arch=compute_70,code=sm_70 -Xcompiler -Wall -use_fast_math -dc $< -o $@
host.o: host.cpp
\t$(HOST) -I$(CUDA_PATH)/include -c $< -o $@
""",
}


@unittest.skipUnless(CLANG and HOST, "clang++ or the host's compiler is not on this machine")
class Toolkit(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = tempfile.TemporaryDirectory()
        cls.toolkit = pathlib.Path(cls.place.name) / "cuda"
        done = run("cc", "--toolkit", cls.toolkit)
        if (done.returncode, done.stdout) != (OK, ""):
            raise AssertionError(done.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            self.put(name, text)

    def call(self, *command, **more):
        environment = {**os.environ, "PATH": "/usr/bin:/bin", **more}
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check(self, program):
        done = run("run", "--functional", "--quiet", program)
        self.assertEqual((done.returncode, done.stdout), (OK, "42 1\n"), done.stderr)

    @unittest.skipUnless(MAKE, "make is not on this machine")
    def test_a_makefile_that_names_the_toolkit(self):
        said = self.call(MAKE, f"CUDA_PATH={self.toolkit}", f"HOST={HOST}")
        self.assertNotIn("warning", said)
        self.check(self.folder / "app")

    def test_host_code_calls_the_libraries(self):
        """Of files that the host's compiler made, as SHOC's are; by the calls with handles in C++ and those without in C."""
        self.put("algebra.cpp", """#include <cublas_v2.h>
#include <cufft.h>
#include <cstdio>
extern "C" float dot(const float *d);
int main()
{
    float h[4] = {1, 2, 3, 4}, c[4] = {0}, *d, one = 1, none = 0;
    cublasHandle_t blas; cufftHandle plan; cufftComplex *z, back[4];
    cudaMalloc((void **)&d, 2 * sizeof h); cudaMalloc((void **)&z, sizeof back);
    if (cublasCreate(&blas) || cublasSetMatrix(2, 2, 4, h, 2, d, 2) || cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d, 2, d, 2, &none, d + 4, 2))
        return 1;
    cublasGetMatrix(2, 2, 4, d + 4, 2, c, 2);
    for (int i = 0; i < 4; i++) back[i] = make_cuComplex(h[i], 0);
    cudaMemcpy(z, back, sizeof back, cudaMemcpyHostToDevice);
    if (cufftPlan1d(&plan, 4, CUFFT_C2C, 1) || cufftExecC2C(plan, z, z, CUFFT_FORWARD))
        return 2;
    cudaMemcpy(back, z, sizeof back, cudaMemcpyDeviceToHost);
    std::printf("%g %g %g %g, %g, %g %g\\n", c[0], c[1], c[2], c[3], dot(d), back[0].x, back[1].y);
}
""")
        self.put("old.c", """#include <cublas.h>
float dot(const float *d) { return cublasInit() ? -1.0f : cublasSdot(4, d, 1, d, 1); }
""")
        self.call("gcc", f"-I{self.toolkit}/include", "-c", "old.c")
        self.call(HOST, f"-I{self.toolkit}/include", "-c", "algebra.cpp")
        libraries = self.call(self.toolkit / "bin" / "nvcc", "-dryrun", "nothing.cu").splitlines()[-1].split('"a.o"')[1].replace('"', "").replace("-Wl,--end-group", "")
        self.call(HOST, "-o", "by_host", "algebra.o", "old.o", f"-L{self.toolkit}/lib64", "-lcublas", "-lcufft", *libraries.split())
        self.call(self.toolkit / "bin" / "nvcc", "-o", "by_nvcc", "algebra.o", "old.o", "-lcublas", "-lcufft")
        for name in ("by_host", "by_nvcc"):
            done = run("run", "--functional", "--quiet", self.folder / name)
            self.assertEqual((done.returncode, done.stdout), (OK, "7 10 15 22, 30, 10 2\n"), done.stderr)

    def test_host_code_calls_sparse_matrices_and_solvers(self):
        """The rows 2 0 and 1 4 times (1, 2) is (2, 9); the dense 4 2 over 2 3 takes (10, 9) to (1.5, 2); the sparse one takes (2, 9) back to (1, 2). A call by its symbol's name, too."""
        self.put("sparse.cpp", """#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>
#include <cstdio>
#if !defined(CUSOLVER_COMMON_H_)
#error "programs ask for this name"
#endif
template <class T> T *there(const T *h, int n) { T *d; cudaMalloc((void **)&d, n * sizeof *h); cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyHostToDevice); return d; }
int main()
{
    const int starts[] = {0, 1, 3}, across[] = {0, 0, 1};
    const double values[] = {2, 1, 4}, x[] = {1, 2}, a[] = {4, 2, 2, 3}, b[] = {10, 9}, one = 1, none = 0;
    double x_there[2], *dy = there(x, 2), *da = there(a, 4), *db = there(b, 2), y[2], solved[2], work[64], sum;
    int pivots[2], info = -1, size, *dp = there(pivots, 2), *di = there(&info, 1);
    cusparseHandle_t sparse; cusparseSpMatDescr_t m; cusparseDnVecDescr_t vx, vy; cusolverDnHandle_t solver; cublasHandle_t blas;
    if (cusparseCreate(&sparse) || cusolverDnCreate(&solver) || cublasCreate_v2(&blas))
        return 1;
    cusparseCreateCsr(&m, 2, 2, 3, there(starts, 3), there(across, 3), there(values, 3), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseCreateDnVec(&vx, 2, there(x, 2), CUDA_R_64F); cusparseCreateDnVec(&vy, 2, dy, CUDA_R_64F);
    if (cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m, vx, &none, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, 0))
        return 2;
    if (cusolverDnDgetrf_bufferSize(solver, 2, 2, da, 2, &size) || size > 64 || cusolverDnDgetrf(solver, 2, 2, da, 2, there(work, 64), dp, di) ||
        cusolverDnDgetrs(solver, CUBLAS_OP_N, 2, 1, da, 2, dp, db, 2, di))
        return 3;
    cublasDdot_v2(blas, 2, dy, 1, dy, 1, &sum);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost); cudaMemcpy(solved, db, sizeof solved, cudaMemcpyDeviceToHost);
    cusolverSpHandle_t by_rows; cusparseMatDescr_t kind; csrqrInfo_t steps; cusolverRfHandle_t again; double back[2], *dback = there(x, 2); int singular[2];
    if (cusolverSpCreate(&by_rows) || cusolverSpCreateCsrqrInfo(&steps) || cusolverSpDestroyCsrqrInfo(steps) || cusolverRfCreate(&again) || cusolverRfDestroy(again) || cusparseCreateMatDescr(&kind) ||
        cusolverSpDcsrlsvluHost(by_rows, 2, 3, kind, values, starts, across, y, 1e-12, 0, back, singular) ||
        cusolverSpDcsrlsvqr(by_rows, 2, 3, kind, there(values, 3), there(starts, 3), there(across, 3), dy, 1e-12, 0, dback, singular + 1))
        return 4;
    cudaMemcpy(x_there, dback, sizeof x_there, cudaMemcpyDeviceToHost);
    std::printf("%g %g, %g, %g %g, %g %g, %g %g\\n", y[0], y[1], sum, solved[0], solved[1], back[0], back[1], x_there[0], x_there[1]);
}
""")
        self.call(HOST, "-o", "sparse", "sparse.cpp", f"-I{self.toolkit}/include", f"-L{self.toolkit}/lib64", "-lcusolver", "-lcusparse", "-lcublas", "-lcudart")
        done = run("run", "--functional", "--quiet", self.folder / "sparse")
        self.assertEqual((done.returncode, done.stdout), (OK, "2 9, 85, 1.5 2, 1 2, 1 2\n"), done.stderr)

    @unittest.skipUnless(CMAKE and MAKE, "CMake is not on this machine")
    def test_cmake_takes_it_for_a_toolkit(self):
        said = self.call(CMAKE, "-S", ".", "-B", "made", f"-DCMAKE_CUDA_COMPILER={self.toolkit}/bin/nvcc", "-DCMAKE_MAKE_PROGRAM=" + MAKE)
        self.assertIn("The CUDA compiler identification is NVIDIA 12.0.0", said)
        self.call(CMAKE, "--build", "made")
        self.check(self.folder / "made" / "linked_by_host")
        self.check(self.folder / "made" / "linked_by_nvcc")

    def test_the_hosts_linker_finds_the_static_name_of_the_runtime(self):
        self.put("app2.cu", FILES["app.cu"].replace("int add(int);", "int add(int x) { return x + 2; }"))
        self.call(self.toolkit / "bin" / "nvcc", "-Iparts", "-c", "app2.cu", "-o", "app2.o")
        self.call(HOST, "-o", "app2", "app2.o", "host.cpp", f"-I{self.toolkit}/include", f"-L{self.toolkit}/lib64", "-lcudart_static",
                  "-lcudadevrt")
        self.check(self.folder / "app2")

    def test_the_hosts_compiler_makes_programs_of_the_driver_api(self):
        self.put("driver.cpp", """#include <cuda.h>
#include <nvrtc.h>
#include <cuda_gl_interop.h>
#include <cstdio>
int main(int count, char **) {
    nvrtcProgram p; size_t bytes; CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr d; int h = 0;
    nvrtcCreateProgram(&p, "extern \\"C\\" __global__ void k(int *p) { *p = 42; }", "k.cu", 0, 0, 0);
    if (nvrtcCompileProgram(p, 0, 0) || nvrtcGetPTXSize(p, &bytes)) return 1;
    char *ptx = new char[bytes];
    nvrtcGetPTX(p, ptx);
    cuInit(0); cuDeviceGet(&device, 0); cuCtxCreate(&context, 0, device);
    cuModuleLoadData(&module, ptx); cuModuleGetFunction(&function, module, "k"); cuMemAlloc(&d, 4);
    void *arguments[] = {&d};
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0);
    cuMemcpyDtoH(&h, d, 4);
    if (count > 1) return cudaGraphicsGLRegisterBuffer(0, 0, cudaGraphicsRegisterFlagsNone) == cudaErrorNotSupported ? 0 : 1;
    std::printf("%d 1\\n", h); }
""")
        self.call(HOST, "-o", "driver", "driver.cpp", f"-I{self.toolkit}/include", f"-L{self.toolkit}/lib64", "-lnvrtc", "-lcuda")
        self.check(self.folder / "driver")
        done = run("run", "--functional", "--quiet", self.folder / "driver", "picture")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("cudaGraphicsGLRegisterBuffer is not part of warpline", done.stderr)

    def test_a_folder_of_an_older_warpline_is_made_anew(self):
        (self.folder / "older" / "lib64").mkdir(parents=True)
        library = self.put("older/lib64/libcuda.a", "!<arch>\n") # what it was
        self.assertEqual(run("cc", "--toolkit", self.folder / "older").returncode, OK)
        self.assertIn("libcudart", library.read_text())
        self.put("older/lib64/libcuda.a", "!<arch>\nmember")
        self.refused(run("cc", "--toolkit", self.folder / "older"), BAD_INPUT, "was not made by warpline")

    def test_options_from_a_file(self):
        self.put("flags", "-Iparts  -D 'TEXT=a b' \"-DOTHER=\\\"q\\\"\"\n-c\n")
        self.put("words.cu", "#include \"value.h\"\n#define S_(x) #x\n#define S(x) S_(x)\n"
                             "static_assert(sizeof S(TEXT) == 4 && sizeof OTHER == 2 && VALUE == 40, \"\");\n")
        self.call(self.toolkit / "bin" / "nvcc", "words.cu", "--options-file", "flags", "-o", "words.o")
        self.refused(run("cc", "words.cu", "--options-file", self.folder / "none"), BAD_INPUT, "none")

    def test_another_toolkit_is_not_written_over(self):
        (self.folder / "theirs" / "bin").mkdir(parents=True)
        compiler = self.put("theirs/bin/nvcc", b"\x7fELF of NVIDIA")
        self.refused(run("cc", "--toolkit", self.folder / "theirs"), BAD_INPUT, "was not made by warpline")
        self.assertEqual(compiler.read_bytes(), b"\x7fELF of NVIDIA")
        done = run("cc", f"--toolkit={self.toolkit}")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.refused(run("cc", "--toolkit"), USAGE, "name of the folder")


main()
