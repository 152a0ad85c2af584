#!/usr/bin/env python3
"""Techniques that work from a profile: both runs by one command, each by itself, and profiles that are not this run's."""
import json
import unittest

from harness import BAD_INPUT, OK, ROOT, USAGE, Case, main, run

KERNELS = ROOT / "tests/validation/kernels"
POLICY = ["--policy", "profiled-bypass"]


def ptx(name):
    return ["--ptx", KERNELS / f"{name}.ptx", "--launch", KERNELS / f"{name}.json"]


def measured(done):
    result = json.loads(done.stdout)
    result.pop("host")
    return result


class TwoRuns(Case):
    def test_one_command_does_what_two_do(self):
        path = self.folder / "p.profile"
        first = measured(run("run", *POLICY, "--record-profile", path, "--json", "-", *ptx("atax")))
        second = measured(run("run", *POLICY, "--profile", path, "--json", "-", *ptx("atax")))
        both = measured(run("run", *POLICY, "--json", "-", *ptx("atax")))
        plain = measured(run("run", "--json", "-", *ptx("atax")))
        self.assertEqual(second, both)
        # The first run changes nothing, and counts every load; the second has only these to go by.
        self.assertEqual(first["totals"]["cycles"], plain["totals"]["cycles"])
        self.assertEqual(first["totals"]["profiled_bypass"]["recorded"], plain["totals"]["l1"]["accesses"])
        used = second["totals"]["profiled_bypass"]
        self.assertGreater(used["bypassed"], 0)
        self.assertGreater(used["cached"], 0)
        self.assertEqual(used["bypassed"], second["totals"]["l1"]["bypassed"])
        self.assertEqual(used["unknown"], 0)
        # How often lines were loaded is counted from the profile: here from its text.
        loads = [int(line.split()[3], 16) for line in path.read_text().split("\n") if line.count(" ") == 3 and line.split()[1] != "f" * 16]
        self.assertEqual(used["lines"]["1"], sum(n == 1 for n in loads))
        self.assertEqual(used["lines"]["3_4"], sum(n in (3, 4) for n in loads))
        self.assertEqual(sum(used["lines"].values()), len(loads))
        self.assertEqual(sum(loads), first["totals"]["profiled_bypass"]["recorded"])

    def test_the_summary_comes_once(self):
        done = run("run", *POLICY, *ptx("vadd"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stderr.count("simulated in"), 1)

    def test_a_limit_is_told_once(self):
        for target in (ptx("vadd"), ["--size", "tiny", "syrk"]):
            done = run("run", *POLICY, "--max-instructions", "3000", "--quiet", *target)
            self.assertEqual((done.returncode, done.stderr.count("stopped before the end")), (OK, 1), done.stderr)

    def test_a_program_that_a_limit_stops_has_a_profile_too(self):
        for policy in ("profiled-bypass", "id-offline-pc"):
            # The second run stops at the same place, so that the first has seen all of its loads.
            result = measured(run("run", "--policy", policy, "--max-instructions", "3000", "--size", "tiny", "--quiet", "--json", "-", "syrk"))
            used = result["totals"][policy.replace("-", "_")]
            self.assertFalse(result["kernels"][-1]["complete"])
            self.assertGreater(used["bypassed"], 0)
            self.assertEqual(used["unknown"], 0)

    def test_a_profile_of_something_else_is_refused(self):
        path = self.folder / "p.profile"
        self.assertEqual(run("run", *POLICY, "--record-profile", path, "--quiet", *ptx("vadd")).returncode, OK)
        use = ["run", *POLICY, "--quiet", "--profile", path]
        self.refused(run(*use, *ptx("atax")), BAD_INPUT, "another program")
        self.refused(run(*use, "--set", "gpu.sms=3", *ptx("vadd")), BAD_INPUT, "15 SMs", "record it again")
        text = path.read_text()
        for from_, to, said in (("build ", "build 0", "another build"), ("warpline profile", "something", "not a profile"),
                                ("\nend\n", "\n", "no whole profile")):
            path.write_text(text.replace(from_, to, 1))
            self.refused(run(*use, *ptx("vadd")), BAD_INPUT, said)
        lines = text.split("\n")
        lines[6] = "9" + lines[6]  # the grid of the first launch
        path.write_text("\n".join(lines))
        self.refused(run(*use, *ptx("vadd")), BAD_INPUT, "another grid")

    def test_slips_of_the_command_line(self):
        path = self.folder / "p.profile"
        self.refused(run("run", *POLICY, "--quiet", "--profile", path, *ptx("vadd")), BAD_INPUT, str(path))
        self.refused(run("run", *POLICY, "--profile", path, "--record-profile", path, *ptx("vadd")), USAGE, "one of them")
        self.refused(run("run", "--policy", "gto", "--record-profile", path, *ptx("vadd")), USAGE, "no policy of this run")
        self.refused(run("run", *POLICY, "--record-profile", "/no/such/folder/p", *ptx("vadd")), BAD_INPUT, "/no/such/folder")


class Tune(Case):
    def test_a_range_of_any_parameter(self):
        trace = self.folder / "k.wlt"
        self.assertEqual(run("record", "-o", trace, *ptx("atax")).returncode, OK)
        options = ["--db", self.folder / "r.db", "--jobs", "1", "--json", "-"]
        done = run("tune", "pdp", "--range", "1..9..4", *options, trace)
        self.assertEqual(done.returncode, OK, done.stderr)
        tuned = json.loads(done.stdout)
        self.assertEqual((tuned["policy"], tuned["parameter"]), ("pdp", "distance"))
        self.assertEqual([row["value"] for row in tuned["values"]], [1, 5, 9])
        best = min(tuned["values"], key=lambda row: (row["cycles"], row["value"]))
        self.assertEqual(tuned["best"], best["value"])
        self.assertAlmostEqual(best["speedup"], tuned["without"] / best["cycles"])
        both = json.loads(run("tune", "profiled-bypass.threshold", "--range", "1..2", *options, trace).stdout)
        self.assertEqual(both["without"], tuned["without"])

    def test_slips(self):
        for words, said in ((["gto"], "which parameter"), (["pdp.distanc"], "distance"), (["pdp.stores"], "no whole number"),
                            (["nosuch.x"], "no policy named"), (["pdp", "--range", "9..1"], "no range"), (["dwt-cs.period"], "--range"),
                            (["pdp", "--policy", "pdp"], "leave 'pdp' out")):
            self.refused(run("tune", *words, "--db", self.folder / "r.db", KERNELS / "atax.ptx"), USAGE, said)


if __name__ == "__main__":
    main()
