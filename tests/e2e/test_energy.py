#!/usr/bin/env python3
"""Energy: every row of paper 002's table 6.1b comes back from its microbenchmark's counters; other tables; errors."""
import json
import random
import subprocess

from harness import BAD_INPUT, ROOT, USAGE, WARPLINE, Case, main, run

# Table 6.1b: nJ, by what the microbenchmark is called.
TABLE = {"fp_add": 0.06, "fp_mul": 0.05, "fp_fma": 0.05, "int_add": 0.07, "int_sub": 0.07, "and": 0.06, "or": 0.06, "xor": 0.06, "sin": 0.10,
         "cos": 0.10, "int_mul": 0.13, "int_mad": 0.15, "dp_add": 0.15, "dp_mul": 0.13, "dp_fma": 0.16, "sqrt": 0.02, "log2": 0.03,
         "exp2": 0.08, "rcp": 0.31, "shared": 5.45, "l1": 5.99, "l2": 3.96, "dram": 7.82}
# What its microbenchmark is made of: the counter that the row is multiplied with.
COUNTS = {"shared": lambda k: k["sm"]["class"]["shared"] + k["sm"]["lsu"]["shared_bank"],
          "l1": lambda k: k["l1"]["accesses"] + k["l1"]["writes"] + k["l1t"]["accesses"],
          "l2": lambda k: k["l2"]["reads"] + k["l2"]["writes"], "dram": lambda k: k["dram"]["requests"]}


VADD = """#include <cstdio>
__global__ void vadd(const float *a, const float *b, float *c) { const int i = blockIdx.x * blockDim.x + threadIdx.x; c[i] = a[i] + b[i]; }
int main()
{
    const int n = 64 * 256;
    float *a, *b, *c;
    cudaMalloc(&a, 4 * n); cudaMalloc(&b, 4 * n); cudaMalloc(&c, 4 * n);
    cudaMemset(a, 0, 4 * n); cudaMemset(b, 0, 4 * n);
    vadd<<<n / 256, 256>>>(a, b, c);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def named(result, row):
    wanted = f"joule_{row}"
    return next(k for k in result["kernels"] if k["name"].startswith(f"_Z{len(wanted)}{wanted}"))


class Energy(Case):
    result = None

    def setUp(self):
        super().setUp()
        self.file = self.folder / "joule.json"
        if not Energy.result:
            program = self.folder / "joule"
            done = subprocess.run([WARPLINE, "cc", ROOT / "workloads/joule.cu", "-o", program], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = run("run", "--quiet", "--json", self.file, "--set", "energy.table=k40", program, "--size", "tiny", timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr)
            Energy.result = json.loads(self.file.read_text())
        self.file.write_text(json.dumps(Energy.result))

    def readings(self, noise):
        """What a board would show that obeys the table: each kernel 1000 times in its reading."""
        dice = random.Random(7)
        lines = ["kernel,active_w,idle_w,seconds,launches"]
        for row in [*TABLE, "mix_float", "mix_int", "mix_special", "mix_double", "mix_memory"]:
            e = named(self.result, row)["energy"]
            joules = 1000 * (e["total_j"] - e["components"]["constant"]) * (1 + dice.uniform(-noise, noise))
            seconds = 1000 * e["seconds"]
            lines.append(f"joule_{row},{60 + joules / seconds:.12g},60,{seconds:.12g},1000")
        return self.put("board.csv", "\n".join(lines) + "\n")

    def fit(self, noise):
        # From a table that knows nothing of what is fitted.
        blank = self.put("blank.conf", "include = k40\n[thread]\n" + "".join(f"{r} = 0\n" for r in list(TABLE)[:19]) +
                         "[transaction]\nshared = 0\nl1 = 0\nl2 = 0\ndram = 0\n")
        done = run("energy", "fit", self.readings(noise), "--result", self.file, "--table", blank, "--out", self.folder / "fitted.conf")
        self.assertEqual(done.returncode, 0, done.stderr)
        keys = run("energy", "--keys", "--table", self.folder / "fitted.conf")
        self.assertEqual(keys.returncode, 0, keys.stderr)
        values = {line.split()[0].partition(".")[2]: float(line.split()[1]) for line in keys.stdout.splitlines()}
        return done.stdout, values

    def test_each_kernel_is_mostly_what_it_is_called(self):
        for row in list(TABLE)[:19]:
            k = named(self.result, row)
            self.assertGreater(k["sm"]["thread"][row], 0.7 * k["thread_instructions"], row)
        for row in ("shared", "l1", "l2", "dram"):
            self.assertGreater(named(self.result, row)["energy"]["components"][row], 0, row)
        self.assertGreater(named(self.result, "l1")["l1"]["hits"], 0.9 * named(self.result, "l1")["l1"]["accesses"])
        self.assertEqual(named(self.result, "l2")["l1"]["hits"], 0)
        self.assertGreater(named(self.result, "dram")["dram"]["requests"], 2 * named(self.result, "dram")["l1"]["accesses"])

    def test_each_row_comes_back_from_its_own_counters(self):
        """Equation 6.5 for one kernel: what is left of its energy without the other terms, per count."""
        for row, nanojoules in TABLE.items():
            kernel = named(self.result, row)
            alone = dict(self.result, kernels=[kernel], totals=kernel)
            terms = json.loads(run("energy", self.put("one.json", json.dumps(alone)), "--table", "k40", "--json", "-").stdout)["terms"]
            key = ("thread." if row in list(TABLE)[:19] else "transaction.") + row
            e = kernel["energy"]
            rest = e["total_j"] - e["components"]["constant"] - sum(t["joules"] for t in terms if t["key"] != key)
            count = COUNTS[row](kernel) if row in COUNTS else kernel["sm"]["thread"][row]
            self.assertAlmostEqual(1e9 * rest / count / nanojoules, 1, delta=0.001, msg=row)

    def test_a_fit_gives_the_table_back(self):
        text, values = self.fit(0)
        for row, nanojoules in TABLE.items():
            self.assertAlmostEqual(values[row] / nanojoules, 1, delta=0.001, msg=row)
        self.assertIn("joule_mix_float", text)

    def test_a_fit_of_noisy_readings_comes_near(self):
        """Half a percent of noise in energy. A square root costs less than the stalls beside it: there the error is larger."""
        _, values = self.fit(0.005)
        for row, nanojoules in TABLE.items():
            self.assertAlmostEqual(values[row] / nanojoules, 1, delta=0.15 if row in ("sqrt", "log2") else 0.06, msg=row)

    def test_energy_adds_up(self):
        totals = self.result["totals"]["energy"]
        self.assertAlmostEqual(sum(totals["components"].values()) / totals["total_j"], 1, delta=1e-7)
        self.assertAlmostEqual(sum(k["energy"]["total_j"] for k in self.result["kernels"]) / totals["total_j"], 1, delta=1e-7)

    def test_another_table_needs_no_run(self):
        own = json.loads(run("energy", self.file, "--json", "-").stdout)
        hbm = json.loads(run("energy", self.file, "--table", "hbm", "--json", "-").stdout)
        self.assertEqual(own["total_j"], self.result["totals"]["energy"]["total_j"])
        self.assertAlmostEqual(hbm["components"]["dram"] / own["components"]["dram"], 5.4016 / 7.82, delta=1e-6)
        self.assertEqual(hbm["components"]["l2"], own["components"]["l2"])
        half = json.loads(run("energy", self.file, "--energy", "constant.power=30", "--json", "-").stdout)
        self.assertAlmostEqual(half["components"]["constant"] / own["components"]["constant"], 0.5, delta=1e-6)
        self.assertEqual(run("energy", self.file).stdout, run("energy", self.file).stdout)

    def test_modules_scale(self):
        """Two modules: link energy is there, half of the second's constant power is shared on a package, and a dearer link needs no run."""
        kernel = self.put("vadd.cu", VADD)
        done = subprocess.run([WARPLINE, "cc", kernel, "-o", self.folder / "vadd"], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)

        def scale(*words):
            done = run("scale", "--modules", "1,2", "--workloads", self.folder / "vadd", "--db", self.folder / "s.db", "--json", "-", *words, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["settings"][0]["programs"][0]["steps"], done.stderr

        package, told = scale()
        self.assertIn("2 runs now", told)
        one, two = package
        self.assertAlmostEqual(one["edpse"], 100, delta=1e-6)
        self.assertAlmostEqual(two["edpse"], 100 * one["joules"] * one["seconds"] / (2 * two["joules"] * two["seconds"]), delta=1e-6)
        self.assertAlmostEqual(two["efficiency"], 50 * two["speedup"], delta=1e-9)
        self.assertAlmostEqual(sum(two["components"].values()), two["energy"], delta=1e-6)
        self.assertGreater(two["components"]["link"], 0)
        self.assertAlmostEqual(two["components"]["constant"] / one["components"]["constant"], 1.5 * two["seconds"] / one["seconds"], delta=1e-6)
        dear, told = scale("--energy", "link.package=5.4")
        self.assertIn("0 runs now", told)
        self.assertAlmostEqual(dear[1]["components"]["link"] / two["components"]["link"], 10, delta=1e-6)
        board, _ = scale("--bandwidth", "1x", "--html", self.folder / "s.html")
        self.assertAlmostEqual(board[1]["components"]["constant"] / board[0]["components"]["constant"], 2 * board[1]["seconds"] / board[0]["seconds"], delta=1e-6)
        self.assertIn("EDP scaling efficiency", (self.folder / "s.html").read_text())
        self.refused(run("scale", "--modules", "2,1", "--db", self.folder / "s.db"), USAGE, "rising numbers")
        self.refused(run("scale", "--bandwidth", "3x", "--db", self.folder / "s.db"), USAGE, "1x, 2x, 4x")

    def test_what_is_wrong_is_said(self):
        self.refused(run("energy"), USAGE, "Name one result")
        self.refused(run("energy", "fit", "x.csv"), USAGE, "--result")
        self.refused(run("energy", self.file, "--table", "hmb"), BAD_INPUT, "did you mean 'hbm'")
        self.refused(run("energy", self.file, "--energy", "constant.pover=3"), BAD_INPUT, "constant.power")
        self.refused(run("energy", self.put("x.json", "{}")), BAD_INPUT, "totals")
        self.refused(run("energy", "fit", self.put("e.csv", "kernel\n"), "--result", self.file), BAD_INPUT, "active_w is missing")


if __name__ == "__main__":
    main()
