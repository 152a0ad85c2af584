#!/usr/bin/env python3
"""Adds up test logs: time per suite, what failed, and as the last line "N passed, N failed[, N skipped]".

    summarize-tests.py LABEL=meson-logs/testlog.json ... [LABEL=check:PASSED:FAILED:SECONDS ...]

A cmocka or unittest program counts with each of its tests, anything else as one.
"""
import json
import re
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))


def counts(entry):
    """passed, failed, skipped of one test program."""
    text = (entry.get("stdout") or "") + (entry.get("stderr") or "")
    result = entry["result"]
    if result == "SKIP":
        return 0, 0, 1
    passed = sum(map(int, re.findall(r"\[  PASSED  \] (\d+) test", text)))
    failed = sum(map(int, re.findall(r"\[  FAILED  \] (\d+) test", text)))
    skipped = sum(map(int, re.findall(r"\[  SKIPPED \] (\d+) test", text)))
    for ran, verdict in re.findall(r"Ran (\d+) tests?.*?\n\n?(?:(OK|FAILED)[^\n]*)?", text, re.DOTALL):
        lines = re.search(r"(?:OK|FAILED)[^\n]*$", text.strip().splitlines()[-1])
        detail = lines.group(0) if lines else ""
        bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", detail)))
        out = sum(map(int, re.findall(r"skipped=(\d+)", detail)))
        passed, failed, skipped = passed + int(ran) - bad - out, failed + bad, skipped + out
        del verdict
    if result not in ("OK", "EXPECTEDFAIL"):
        failed = max(failed, 1)
    elif passed + failed + skipped == 0:
        passed = 1
    return passed, failed, skipped


def main():
    total = [0, 0, 0]
    suites = {}
    broken = []
    for argument in sys.argv[1:]:
        label, _, source = argument.partition("=")
        if source.startswith("check:"):
            passed, failed, seconds = source[6:].split(":")
            suites.setdefault(label, [0, 0, 0, 0.0])
            row = suites[label]
            row[0] += int(passed)
            row[1] += int(failed)
            row[3] += float(seconds)
            total[0] += int(passed)
            total[1] += int(failed)
            continue
        try:
            lines = open(source, encoding="utf-8").read().splitlines()
        except OSError:
            broken.append(f"{label}: no test log {source}")
            total[1] += 1
            continue
        for line in lines:
            entry = json.loads(line)
            names = entry["name"].split(" / ")
            suite = label or (names[0].split(":")[-1] if len(names) > 1 else "unit")
            row = suites.setdefault(suite, [0, 0, 0, 0.0])
            one = counts(entry)
            for i in range(3):
                row[i] += one[i]
                total[i] += one[i]
            row[3] += entry["duration"]
            if one[1]:
                broken.append(f"{suite}: {names[-1]} ({entry['result']})")
    print(f"{'suite':<14} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>9}")
    for suite, (passed, failed, skipped, seconds) in suites.items():
        print(f"{suite:<14} {passed:>7} {failed:>7} {skipped:>8} {seconds:>9.1f}")
    for name in broken:
        print(f"failed: {name}")
    last = f"{total[0]} passed, {total[1]} failed"
    print(last + (f", {total[2]} skipped" if total[2] else ""))
    sys.exit(1 if total[1] else 0)


main()
