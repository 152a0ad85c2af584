#!/usr/bin/env python3
"""Policies from the command line: what is wrong with a choice is said in one sentence, code 3; what is right changes the run."""
import json
import re
import shutil
import subprocess
import unittest

from harness import BAD_INPUT, BUILD, OK, PLUGIN_FAILED, PROGRAM_FAILED, ROOT, USAGE, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"
PLUGINS = BUILD / "tests/unit/policy"


def ptx(name, *options):
    return run("run", "--quiet", *options, "--ptx", KERNELS / f"{name}.ptx", "--launch", KERNELS / f"{name}.json")


class WrongChoices(Case):
    def refuse(self, options, *phrases):
        self.refused(ptx("vadd", *options), BAD_INPUT, *phrases)

    def test_names(self):
        self.refuse(["--policy", "prick"], "no policy named 'prick'", "did you mean 'pric'")
        self.refuse(["--policy", "pric,lru,pric"], "'pric' is given twice")
        self.refuse(["--policy", "dwt-pric,dwt-cs"], "'dwt-cs' is given twice")

    def test_two_owners(self):
        self.refuse(["--policy", "lru,srrip"], "'lru' and 'srrip' both decide the victims of the L1")
        self.refuse(["--policy", "gto,lrr"], "'gto' and 'lrr' both decide the order of warps")

    def test_parameters(self):
        self.refuse(["--policy", "swl", "--set", "policy.ccws.k_throttle=4"], "policy.ccws.k_throttle")
        self.refuse(["--policy", "swl", "--set", "policy.swl.limit=0"], "policy.swl.limit")
        self.refuse(["--policy", "swl", "--set", "policy.swl.limit=25"], "a scheduler has only 24 warps")
        self.refuse(["--policy", "pric", "--set", "policy.pric.polynomial_l1=33"], "polynomial 33 is reducible")
        self.refuse(["--policy", "pric", "--set", "policy.pric.polynomial_l1=19"], "polynomial 19 has degree 4")
        self.refuse(["--policy", "pric", "--set", "l1.sets=48", "--set", "l1.index=linear"], "the L1 has 48 sets")

    def test_plugins(self):
        header = (ROOT / "src/policy/policy.h").read_text(encoding="utf-8")
        ours = int(re.search(r"POLICY_INTERFACE_VERSION (\d+)u", header).group(1))
        self.refuse(["--plugin", PLUGINS / "plugin_other_version.so"], f"built for version {ours + 1}", f"has version {ours}")
        self.refuse(["--plugin", PLUGINS / "plugin_none.so"], "is not a policy plug-in")
        self.refuse(["--plugin", PLUGINS / "plugin_taken_name.so"], "there already is a policy named 'lru'")
        self.refuse(["--plugin", self.put("text.so", "not a library")], "cannot load plug-in")

    def test_a_plugin_that_is_cut_off_is_named(self):
        """The loader maps what is not there, and the process would end by a signal."""
        whole = (PLUGINS / "divergent_bypass.so").read_bytes()
        self.refused(run("list", "policies", "--plugin", self.put("cut.so", whole[:5000])), PLUGIN_FAILED, "cut.so crashed while it was loaded", "build it again")

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_a_plugin_that_crashes_when_it_is_put_away_or_read_is_named(self):
        """Its end is code of its own, and a pointer out of a damaged file is followed by ours."""
        example = ROOT / "examples/plugin/divergent_bypass.c"
        for name, source in (("end", f'#include "{example}"\n__attribute__((destructor)) static void end(void) {{ __builtin_trap(); }}\n'),
                             ("read", '#include "policy/policy.h"\nstatic const struct policy p = { .name = "broken", .summary = (const char *)16, .source = "" };\n'
                                      "POLICY_PLUGIN(&p);\n")):
            library = self.folder / f"{name}.so"
            subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT}/src", f"-I{ROOT}/include", self.put(f"{name}.c", source), "-o", library], check=True)
            done = run("list", "policies", "--plugin", library)
            self.assertNotEqual(done.returncode, OK)
            self.assertIn(f"{name}.so", done.stderr)
            self.assertIn("crashed", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_lists_have_what_a_plugin_brings(self):
        self.put("mine.so", (PLUGINS / "divergent_bypass.so").read_bytes())
        for kind, name in (("policies", "divergent-bypass"), ("params", "policy.divergent-bypass."), ("hooks", "divergent-bypass")):
            with self.subTest(kind):
                done = run("list", kind, "--plugin", "mine.so", cwd=self.folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                self.assertIn(name, done.stdout)
                self.assertNotIn(name, run("list", kind).stdout)
        self.refused(run("list", "params", "--plugin", self.folder / "none.so"), BAD_INPUT, "cannot load plug-in")

    def test_a_list_of_parameters_follows_the_techniques(self):
        self.refused(run("list", "params", "--policy", "nosuch"), BAD_INPUT, "no policy named 'nosuch'")
        names = [line.split()[0] for line in run("list", "params", "--policy", "swl").stdout.splitlines()]
        self.assertEqual([name for name in names if name.startswith("policy.")], ["policy.swl.limit"])
        self.assertIn("l1.sets", names)


class FaultyPlugins(Case):
    """A plug-in's fault is said in its name, with a code of its own, in our process and in a program's."""

    def blamed(self, done, *phrases):
        self.assertEqual(done.returncode, PLUGIN_FAILED, done.stderr)
        for phrase in ("the fault is the plug-in's, not warpline's", *phrases):
            self.assertIn(phrase, done.stderr)

    def test_crashes(self):
        plugin = PLUGINS / "plugin_crashes.so"
        for way, phrase in (("null", "Segmentation fault"), ("abort", "Aborted"), ("divide", "Floating point"), ("recursion", "Segmentation fault"),
                            ("library", "Segmentation fault")):
            with self.subTest(way):
                self.blamed(ptx("vadd", "--plugin", plugin, "--policy", "crashes", "--set", f"policy.crashes.way={way}"),
                            f"plug-in {plugin} crashed ({phrase}")
        self.blamed(ptx("vadd", "--plugin", plugin, "--policy", "crashes", "--set", "policy.crashes.way=last-sm", "--threads", "4", "--set", "gpu.threads_insist=true"),
                    f"plug-in {plugin} crashed (Segmentation fault")

    def test_answers_out_of_range(self):
        plugin = PLUGINS / "plugin_wrong_answers.so"
        small = ["--set", "l1.mshr_entries=1", "--set", "l1.sets=1", "--set", "l1.index=linear"]
        for name, phrase in (("victim", "victim answered way 63"), ("set", "set_index answered set 1000000 of"), ("pick", "pick answered slot"),
                             ("fill", "before_lookup answered fill_bytes of 48"), ("refusal", "refused answered 7"), ("gate", "cta_gate raised the limit"), ("cta", "choose answered CTA")):
            with self.subTest(name):
                self.blamed(ptx("stride32", "--plugin", plugin, "--policy", f"wrong-{name}", *small), f"plug-in {plugin}: policy 'wrong-{name}': {phrase}")

    def test_inside_a_program(self):
        crash = ["--plugin", PLUGINS / "plugin_crashes.so", "--policy", "crashes"]
        self.blamed(run("run", "--quiet", *crash, "--size", "tiny", "vectoradd"), "crashed (Segmentation fault)")
        wrong = ["--plugin", PLUGINS / "plugin_wrong_answers.so", "--policy", "wrong-pick"]
        self.blamed(run("run", "--quiet", *wrong, "--size", "tiny", "vectoradd"), "pick answered slot")
        table = run("compare", "--plugin", PLUGINS / "plugin_crashes.so", "--policies", "gto,crashes", "--workloads", "vectoradd", "--size", "tiny",
                    "--db", self.folder / "r.db")
        self.assertIn("plugin_crashes.so crashed", table.stdout + table.stderr)

    def test_a_built_in_policy_is_not_blamed_on_a_plugin(self):
        """A program's own crash stays its own, with a plug-in loaded that has done nothing wrong."""
        done = run("run", "--quiet", "--plugin", PLUGINS / "divergent_bypass.so", "--policy", "divergent-bypass", "/bin/sh", "-c", "kill -SEGV $$")
        self.assertEqual(done.returncode, PROGRAM_FAILED, done.stderr)
        self.assertNotIn("plug-in", done.stderr)


class RightChoices(Case):
    def result(self, name, *options):
        path = self.folder / "result.json"
        done = ptx(name, "--json", path, *options)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(path.read_text())

    def test_two_levels_may_have_two_owners(self):
        result = self.result("vadd", "--policy", "lru,srrip", "--set", "policy.srrip.at=l2")
        self.assertEqual(result["policies"], ["lru", "srrip"])
        self.assertEqual(result["config"]["policy"]["srrip"]["at"], "l2")

    def test_a_plugin_takes_part(self):
        options = ["--plugin", PLUGINS / "divergent_bypass.so", "--policy", "divergent-bypass"]
        totals = self.result("stride32", *options)["totals"]
        self.assertGreater(totals["divergent_bypass"]["passed"], 0)
        self.assertEqual(totals["divergent_bypass"]["passed"], totals["l1"]["bypassed"])

    def test_bypassed_loads_add_up(self):
        totals = self.result("vadd", "--policy", "bypass-all")["totals"]
        self.assertEqual(totals["l1"]["accesses"], totals["l1"]["bypassed"])
        self.assertEqual(totals["l1"]["hits"], 0)

    def test_cost(self):
        done = run("cost", "ccws", "--json", "-")
        self.assertEqual(done.returncode, OK, done.stderr)
        cost = json.loads(done.stdout)
        tags = cost["structures"][0]
        self.assertEqual(tags["entries"], 768)  # the first paper's table 4: 768 total entries
        self.assertEqual(cost["bits_per_sm"], sum(s["bits_per_sm"] for s in cost["structures"]))
        self.refused(run("cost", "no-such"), BAD_INPUT, "no policy named 'no-such'")
        self.assertEqual(run("cost", "gto").stdout, "these techniques declare no structures: what they decide, they decide with what the machine has\n")

    def test_parts_of_linebacker_cost_what_they_have(self):
        """Paper 004, section 4.2: 6230.75 bytes. Selective victim caching has no throttling logic, victim caching no load monitor, and each row has its own energy."""
        for name, sizes in (("linebacker", [240, 392, 12, 6.75, 180, 4608, 792]), ("svc", [240, 392, 2.75, 4608]), ("victim-caching", [2.75, 4608])):
            cost = json.loads(run("cost", name, "--config", "maxwell-48k", "--json", "-").stdout)
            self.assertEqual([s["bits_per_sm"] / 8 for s in cost["structures"]], sizes)
            tags = [s for s in cost["structures"] if s["structure"].startswith("victim tags")]
            self.assertEqual([(s["use_pj"], s["uses"]) for s in tags], [(2.05, "linebacker.tag_uses")])

    def test_stream_bypass_pays_for_the_tags_that_it_keeps(self):
        """16 KB of 128-byte lines: 128 tags of 32 - 7 - 5 bits, valid and two of recency; 1024 in a slice, with a bit per sector."""
        cost = json.loads(run("cost", "stream-bypass", "--config", "gtx480-16k", "--json", "-").stdout)
        tags = {s["structure"]: s for s in cost["structures"]}
        self.assertEqual(tags["L1 tags kept while closed"]["bits_per_sm"], 128 * 23)
        self.assertEqual(tags["L2 tags kept while closed"]["bits_per_entry"], 32 - 7 - 6 + 1 + 4 + 4)
        self.assertEqual(tags["L2 tags kept while closed"]["entries"], 1024)

    def test_id_caches_storage(self):
        """Section 3.2.2: 128 counters by PC, 512 by PC and divergence; here of 3 bits, with a count of 6 bits for those turned away."""
        for name, entries, index_bits in (("id-bypass-pc", 128, 7), ("id-bypass-pcdiv", 512, 9)):
            cost = json.loads(run("cost", name, "--config", "gtx480-id", "--json", "-").stdout)
            self.assertEqual([s["bits_per_sm"] for s in cost["structures"]], [3 * entries, 128 * (index_bits + 1), 6 * entries])
        both = json.loads(run("cost", "id-cache", "--config", "gtx480-id", "--json", "-").stdout)
        alsi = json.loads(run("cost", "alsi", "--config", "gtx480-id", "--json", "-").stdout)
        self.assertEqual(both["bits_per_sm"], cost["bits_per_sm"] + alsi["bits_per_sm"])

    def test_lines_of_one_size_are_the_plain_cache(self):
        """With 128 bytes everywhere, pieces of lines change no number; with less, the network carries less."""
        gpu = ["--config", "gtx480-id", "--policy"]
        plain = self.result("stride32", *gpu, "gto")
        whole = self.result("stride32", *gpu, "gto,alsi", "--set", "policy.alsi.size=128")
        small = self.result("stride32", *gpu, "gto,alsi")
        for group in plain["totals"]:
            if group != "energy":  # its structures take theirs
                self.assertEqual(whole["totals"][group], plain["totals"][group], group)
        self.assertGreater(whole["totals"]["energy"]["total_j"], plain["totals"]["energy"]["total_j"])
        self.assertLess(small["totals"]["net"]["flits_in"], plain["totals"]["net"]["flits_in"])
        self.assertEqual(small["totals"]["alsi"]["pieces"]["128"], 0)
        self.refused(ptx("vadd", *gpu, "alsi", "--set", "l1.sectored=true"), BAD_INPUT, "alsi", "not with l1.sectored")
        self.refused(ptx("vadd", *gpu, "alsi", "--set", "l1.line=64", "--set", "l1.index=linear"), BAD_INPUT, "l1.line must be 128, not 64")
        self.refused(ptx("vadd", *gpu, "alsi", "--set", "l1.miss_queue=2"), BAD_INPUT, "l1.miss_queue of 3 or more")

    def test_mascars_storage(self):
        """Table II: 6 bits, 48 x 2 bits, and 32 x 301 bits, which are 1204 bytes (the paper prints 1216: whole bytes per entry)."""
        cost = json.loads(run("cost", "mascar", "--config", "gtx480-32k", "--json", "-").stdout)
        self.assertEqual([s["bits_per_sm"] for s in cost["structures"]], [6, 96, 1204 * 8])

    def test_mascar_and_its_rivals_finish_and_repeat(self):
        """Workloads check their own results; small queues and forced modes leave no way to stand still."""
        def totals(workload, policy, *settings):
            path = self.folder / "result.json"
            options = [word for setting in settings for word in ("--set", setting)]
            done = run("run", "--quiet", "--json", path, "--config", "gtx480-32k", "--policy", policy, *options, "--size", "tiny", workload)
            self.assertEqual(done.returncode, OK, f"{workload}, {policy} {settings}: {done.stderr}")
            return json.loads(path.read_text())["totals"]

        # Where nothing saturates (samples in constant memory), the queue costs no time.
        calm = totals("mriq", "mascar")
        self.assertEqual(calm["mascar"]["recycles"], 0)
        self.assertEqual(calm["cycles"], totals("mriq", "mascar-schedule")["cycles"])
        self.assertEqual(totals("mriq", "mascar-reexec")["cycles"], totals("mriq", "gto")["cycles"])
        for workload in ("kmeans", "histo"):
            for policy in ("owl", "mascar", "mascar-schedule", "mascar-reexec"):
                self.assertEqual(totals(workload, policy), totals(workload, policy))
        for workload in ("bfs", "leukocyte", "hotspot"):
            for policy, key in (("mascar", "policy.mascar."), ("mascar-schedule", "policy.mascar-schedule.")):
                once = totals(workload, policy, key + "mode=memory", "l1.mshr_entries=4")[policy.replace("-", "_")]
                self.assertEqual(once["mode"]["equal_priority"], 0)
                self.assertGreater(once["owners"], 0)
                # An SM that sleeps counts what it slept through.
                self.assertEqual(totals(workload, policy, "l1.mshr_entries=8"), totals(workload, policy, "l1.mshr_entries=8", "sm.never_sleep=true"))
            for policy in ("mascar", "mascar-reexec"):
                once = totals(workload, policy, f"policy.{policy}.queue_entries=1", "l1.mshr_entries=2")[policy.replace("-", "_")]
                self.assertGreater(once["recycles"], 0)
            totals(workload, "mascar", "policy.mascar.queue_entries=1", "policy.mascar.mode=memory", "l1.hit_latency=20")
            totals(workload, "mascar", "policy.mascar.queue_entries=1", "policy.mascar.others=ready", "l1.mshr_entries=4")

    def test_cta_oracle_tries_all_numbers_of_ctas(self):
        """In a window that never ends it is the best of the runs with one number each, to the cycle, and right."""
        def result(*settings):
            path = self.folder / "result.json"
            options = [word for setting in settings for word in ("--set", f"policy.cta-oracle.{setting}")]
            done = run("run", "--quiet", "--json", path, "--config", "maxwell-48k", "--set", "gpu.sms=2", "--policy", "cta-oracle", *options,
                       "--size", "tiny", "atax", "--", "--shape", "rows=2048,columns=352,depth=16")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn("right", done.stdout)
            result = json.loads(path.read_text())
            del result["host"]
            return result

        fixed = [result(f"fixed={n}") for n in (1, 2, 4)]
        best = result("window=1000000000")
        cycles = [f["kernels"][0]["cycles"] for f in fixed]  # of the first kernel: the second finds another L2
        self.assertEqual(best["kernels"][0]["cycles"], min(cycles))
        self.assertLess(cycles[1], cycles[2])  # there was something to choose
        self.assertEqual(best["totals"]["cta_oracle"]["windows"], {"all": 2, "limited": 1})
        short = result("window=1000")
        self.assertEqual(short, result("window=1000"))
        self.assertGreater(short["totals"]["cta_oracle"]["windows"]["all"], 10)
        self.refused(run("record", "-o", self.folder / "t.wlt", "--config", "maxwell-48k", "--policy", "cta-oracle", "--size", "tiny", "atax"), USAGE, "cannot record a trace")

    def test_what_copies_print_is_no_output(self):
        """More than a buffer of text, so that a copy would have to write some of it."""
        source, program = self.folder / "prints.cu", self.folder / "prints"
        source.write_text("""#include <cstdio>
            __global__ void k() { printf("printed\\n"); }
            int main() { k<<<64, 32>>>(); return cudaDeviceSynchronize() != cudaSuccess; }""")
        self.assertEqual(run("cc", source, "-o", program).returncode, OK)
        done = run("run", "--quiet", "--policy", "cta-oracle", program)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stdout.count("printed"), 64 * 32)

    def test_values_are_not_tried_in_a_process_of_several_threads(self):
        """A copy of it would lack them."""
        source, program = self.folder / "threads.cu", self.folder / "threads"
        source.write_text("""#include <thread>
            #include <atomic>
            __global__ void k(int *p) { p[threadIdx.x] = 1; }
            int main() {
                std::atomic<bool> end{false};
                std::thread other([&] { while (!end) std::this_thread::yield(); });
                int *p;
                cudaMalloc(&p, 128);
                for (int i = 0; i < 2; i++) k<<<64, 32>>>(p);
                const cudaError_t status = cudaDeviceSynchronize();
                end = true;
                other.join();
                return status != cudaSuccess; }""")
        self.assertEqual(run("cc", source, "-o", program, "-lpthread").returncode, OK)
        self.assertEqual(run("run", "--quiet", "--policy", "swl", program).returncode, OK)
        done = run("run", "--quiet", "--policy", "cta-oracle", program)
        self.assertNotEqual(done.returncode, OK)
        self.assertIn("a process with one thread", done.stderr)
        done = run("run", "--quiet", "--policy", "cta-oracle", "--threads", "2", "--size", "tiny", "hotspot")
        self.assertNotEqual(done.returncode, OK)
        self.assertIn("--threads 1", done.stderr)

    def test_one_cta_is_left_and_waits_at_its_barrier(self):
        """Linebacker throttles at random until one CTA of an SM runs, in a kernel of barriers: it ends, and is right."""
        path = self.folder / "result.json"
        for seed in range(1, 4):
            settings = [f"policy.linebacker.{s}" for s in (f"forced={seed}", "window=100", "patience=1000000")] + ["gpu.sms=1", "sm.ctas=3", "gpu.watchdog=100000"]
            done = run("run", "--quiet", "--json", path, "--config", "maxwell-48k", "--policy", "linebacker",
                       *[word for s in settings for word in ("--set", s)], "--size", "tiny", "hotspot")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn("right", done.stdout)
            totals = json.loads(path.read_text())["totals"]
            self.assertGreater(totals["linebacker"]["ctas"]["throttled"], 8)
            self.assertGreater(totals["linebacker"]["ctas"]["left_alone"], 0)

    def test_machines_with_more_resources(self):
        """Paper 001, section II-D: MSHRs and queues of 10240 entries, full associativity, DRAM a fifth faster, and all three."""
        def machine(name):
            path = self.folder / "result.json"
            done = run("run", "--quiet", "--json", path, "--config", name, "--policy", "lrr", "--size", "tiny", "vectoradd")
            self.assertEqual(done.returncode, OK, done.stderr)
            return json.loads(path.read_text())["config"]

        base, queues, wide, fast, all_three = (machine("gtx480-32k" + more) for more in ("", "-queues", "-associative", "-fast-dram", "-all"))
        for cache in ("l1", "l2"):
            lines = base[cache]["sets"] * base[cache]["ways"]
            for m in (queues, all_three):
                self.assertEqual((m[cache]["mshr_entries"], m[cache]["miss_queue"]), (10240, 10240))
            for m in (wide, all_three):
                self.assertEqual((m[cache]["sets"], m[cache]["ways"]), (1, lines))
            self.assertEqual(wide[cache]["mshr_entries"], base[cache]["mshr_entries"])
            self.assertEqual(queues[cache]["ways"], base[cache]["ways"])
        for m in (fast, all_three):
            self.assertEqual(m["gpu"]["dram_clock"], "1.1088GHz")
        self.assertEqual(base["gpu"]["dram_clock"], "924MHz")  # x 1.2

    def test_watching_changes_nothing(self):
        """A policy that only watches leaves every cycle where it was, from kernel to kernel, whatever its period."""
        def cycles(*options):
            path = self.folder / "result.json"
            done = run("run", "--quiet", "--json", path, *options, "--size", "tiny", "kmeans")
            self.assertEqual(done.returncode, OK, done.stderr)
            return [kernel["cycles"] for kernel in json.loads(path.read_text())["kernels"]]
        plain = cycles()
        self.assertGreater(len(plain), 1)
        self.assertEqual(cycles("--policy", "locality"), plain)
        self.assertEqual(cycles("--policy", "locality", "--set", "policy.locality.window=777"), plain)
        self.assertEqual(cycles("--policy", "divergence"), plain)

    def test_characterize(self):
        options = ["--db", self.folder / "results.db", "--size", "tiny", "--jobs", "1", "--json", "-"]
        done = run("characterize", *options, "vectoradd")
        self.assertEqual(done.returncode, OK, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["classes"][0]["class"], "streaming")  # as the first paper's table 2 has it
        self.assertEqual(found["l1_miss_rate"]["unbounded"], 1.0)
        self.assertEqual(found["misses"]["all"], found["misses"]["cold"])
        for histogram in ("reuse_distance", "reuse_distance_in_accesses", "reuse_count", "sectors_used"):
            self.assertAlmostEqual(sum(found[histogram].values()), 1.0)
        # Two load instructions, each of which reads its array once: all of it streams, and nothing is a working set.
        self.assertEqual(len(found["loads"]), 2)
        for load in found["loads"]:
            self.assertTrue(load["streams"])
            self.assertEqual(load["working_set_kib"], 0)
        self.assertAlmostEqual(sum(load["streaming_kib"] for load in found["loads"]), found["streaming_kib"])
        self.assertEqual(found["working_set_kib_of_top_four_loads"], 0)
        self.assertEqual(len({load["pc"] for load in found["loads"]}), 2)
        # Every line is used once, by a warp whose 32 words lie side by side.
        divergence = found["divergence"]
        self.assertEqual(divergence["hits"], {"temporal": 0, "spatial": 0, "mixed": 0})
        self.assertEqual(divergence["reuse_distance"]["first_uses"], 1)
        self.assertEqual(divergence["reuse_distance"]["median"], "none")
        self.assertEqual(divergence["sectors_used_by_degree"]["degree_1"]["sectors_4"], 1)
        self.assertEqual([list(load["by_degree"]) for load in divergence["loads"]], [["degree_1"], ["degree_1"]])

    def test_loads_of_every_kernel_are_told_apart(self):
        options = ["--db", self.folder / "results.db", "--size", "tiny", "--jobs", "1", "--json", "-"]
        done = run("characterize", *options, "kmeans")
        self.assertEqual(done.returncode, OK, done.stderr)
        found = json.loads(done.stdout)
        for kernel in ("kmeans_swap", "kmeans_assign"):
            self.assertTrue(any(kernel in load["kernel"] for load in found["loads"]), kernel)
        accesses = [load["accesses"] for load in found["loads"]]
        self.assertEqual(accesses, sorted(accesses, reverse=True))
        self.assertGreater(found["working_set_kib_of_top_four_loads"], 0)

    def test_tune(self):
        options = ["--db", self.folder / "results.db", "--size", "tiny", "--jobs", "1", "--json", "-"]
        done = run("tune", "swl", *options, "kmeans")
        self.assertEqual(done.returncode, OK, done.stderr)
        tuned = json.loads(done.stdout)
        self.assertEqual([row["value"] for row in tuned["values"]], list(range(1, 25)))
        fastest = min(tuned["values"], key=lambda row: (row["cycles"], row["value"]))
        self.assertEqual(tuned["best"], fastest["value"])
        self.refused(run("tune", "swl", *options, "no-such-thing"), BAD_INPUT, "no-such-thing")


class Duel(Case):
    """Paper 003, 4.3, on the whole machine: launches that stream, that use every line twice, and that stream again."""
    KERNEL = """.version 3.2
.target sm_20
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 again)
{
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<4>;
ld.param.u64 %d1, [a];
ld.param.u32 %r1, [again];
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r2, 64, %r3;
mov.u32 %r5, 0;
LOOP:
mul.wide.u32 %d2, %r4, 4;
add.s64 %d3, %d1, %d2;
ld.global.u32 %r6, [%d3];
and.b32 %r7, %r6, 0;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra NEXT;
mul.wide.u32 %d2, %r7, 4;
add.s64 %d3, %d3, %d2;
ld.global.u32 %r6, [%d3];
NEXT:
add.s32 %r4, %r4, 1920;
add.s32 %r5, %r5, 1;
setp.lt.u32 %p2, %r5, 100;
@%p2 bra LOOP;
ret;
}
"""

    def test_it_switches_over_on_a_stream_and_back_on_reuse(self):
        launch = {"arrays": {"a": {"type": "i32", "n": 1920 * 100}}, "outputs": [], "launches": [
            {"kernel": "k", "grid": [30], "block": [64], "args": [{"array": "a"}, {"u32": again}]} for again in (0, 1, 0)]}
        done = run("run", "--json", "-", "--config", "gtx480-003", "--policy", "gto,decoupled-l1d", "--ptx", self.put("k.ptx", self.KERNEL),
                   "--launch", self.put("k.json", json.dumps(launch)))
        self.assertEqual(done.returncode, OK, done.stderr)
        seen = [k["decoupled_l1d"] for k in json.loads(done.stdout)["kernels"]]
        self.assertTrue(all(k["intervals"] >= 10 for k in seen), seen)
        self.assertEqual([k["switches"] for k in seen], [1, 1, 1])
        self.assertGreater(seen[0]["on_share"], 0.8)
        self.assertLess(seen[1]["on_share"], 0.2)
        self.assertGreater(seen[2]["on_share"], 0.8)


class PluginsInStudies(Case):
    """Every command that runs many simulations takes plug-ins, and knows a plug-in by its bytes."""
    def setUp(self):
        super().setUp()
        self.plugin = self.folder / "mine.so"
        shutil.copy(PLUGINS / "divergent_bypass.so", self.plugin)
        self.options = ["--plugin", self.plugin, "--db", self.folder / "results.db", "--jobs", "1"]

    def done(self, *words):
        done = run(*words, *self.options)
        self.assertEqual(done.returncode, OK, done.stderr)
        return done

    def test_compare_knows_a_plugin_by_its_bytes(self):
        words = ["compare", "--policies", "none,divergent-bypass", "--workloads", "kmeans", "--size", "tiny", "--metric", "l1.bypassed", "--json", "-"]
        done = self.done(*words)
        cells = json.loads(done.stdout)["rows"][0]["cells"]
        self.assertEqual(cells[0]["value"], 0)
        self.assertGreater(cells[1]["value"], 0)
        self.assertIn("2 run now", done.stderr)
        self.assertIn("0 run now", self.done(*words).stderr)
        with open(self.plugin, "ab") as file:
            file.write(b"built again")  # behind what the loader reads
        self.assertIn("2 run now", self.done(*words).stderr)
        self.refused(run("compare", "--policies", "divergent-bypass", "--workloads", "kmeans", "--db", self.folder / "results.db"), BAD_INPUT, "divergent-bypass")
        self.refused(run("compare", "--policies", "none", "--workloads", "kmeans", "--db", self.folder / "results.db", "--plugin", PLUGINS / "plugin_none.so"), BAD_INPUT,
                     "is not a policy plug-in")

    def test_sweep(self):
        study = self.put("s.conf", "workloads = kmeans\nsizes = tiny\npolicies = divergent-bypass\nmetrics = l1.bypassed\n")
        rows = self.done("sweep", study).stdout.splitlines()
        self.assertGreater(float(rows[1].split("\t")[-1]), 0)
        named = self.put("named.conf", f"plugins = {self.plugin}\nworkloads = kmeans\nsizes = tiny\npolicies = divergent-bypass\nmetrics = l1.bypassed\n")
        done = run("sweep", named, "--db", self.folder / "results.db")
        self.assertIn("0 run now, 1 already there", done.stderr)  # the same run, wherever the plug-in is named

    def test_tune(self):
        tuned = json.loads(self.done("tune", "swl", "--size", "tiny", "--policy", "divergent-bypass", "--json", "-", "kmeans").stdout)
        self.assertEqual(len(tuned["values"]), 24)

    def test_characterize(self):
        done = self.done("characterize", "--size", "tiny", "--policy", "divergent-bypass", "--json", "-", "kmeans")
        self.assertIn("classes", json.loads(done.stdout))
        self.refused(run("characterize", "--size", "tiny", "--policy", "divergent-bypass", "--db", self.folder / "results.db", "kmeans"), BAD_INPUT, "divergent-bypass")


class PerKernel(Case):
    """A parameter for the launches of one kernel."""
    POLICY = ["--policy", "static-bdi", "--size", "tiny"]

    def result(self, *words):
        return json.loads(run("run", "--quiet", *words, "--json", "-", "srad1").stdout)

    def test_one_kernel_differs(self):
        common = self.result(*self.POLICY)
        own = self.result(*self.POLICY, "--set", "srad_diffuse:policy.compressed-l1.algorithm=bpc")
        for before, after in zip(common["kernels"], own["kernels"], strict=True):
            used = after["compressed_l1"]["compressions"]
            self.assertEqual(used["bpc"] > 0, "srad_diffuse" in after["name"])
            self.assertEqual(used["bdi"] + used["bpc"], before["compressed_l1"]["compressions"]["bdi"])
        again = self.result("--config", self.put("result.json", json.dumps(own)), *self.POLICY)
        self.assertEqual(again["totals"], own["totals"])
        section = self.put("c.conf", "[srad_diffuse:policy.compressed-l1]\nalgorithm = bpc\n")
        self.assertEqual(self.result("--config", section, *self.POLICY)["totals"], own["totals"])

    def test_refusals(self):
        self.refused(ptx("vadd", "--policy", "static-bdi", "--set", "vadd:policy.compressed-l1.reserve=line"), BAD_INPUT, "reserve cannot be another for each kernel", "algorithm")
        self.refused(ptx("vadd", "--set", "vadd:l1.sets=64"), BAD_INPUT, "l1.sets cannot be another for each kernel")
        done = ptx("vadd", "--policy", "swl", "--set", "other:policy.swl.limit=3")
        self.assertIn("no kernel 'other' was launched", done.stderr)
        self.assertEqual(done.returncode, OK)


if __name__ == "__main__":
    main()
