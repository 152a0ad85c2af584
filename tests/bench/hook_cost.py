#!/usr/bin/env python3
"""What the hooks of policies cost a run without any: instructions of the lines that test for them, as a share of all.

usage: hook_cost.py WARPLINE KERNEL.ptx LAUNCH.json      (WARPLINE built from this tree with -Ddebug=true; needs valgrind)

A line counts when it names hooks or a policy, or stands in a file that exists for policies alone. That is more than the tests
themselves: a set index that a policy might have chosen is counted with the machine's own way of finding it."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOOK_FILES = re.compile(r"src/policy/|src/\w+/\w*_policy\.[ch]$")
HOOK_LINE = re.compile(r"hooks|policy|\bh->")


def costs_by_line(profile):
    """Instructions of each (file, line) itself, without those of the calls it makes. See the callgrind format in valgrind's manual."""
    names, cost, file, line, is_call = {}, collections.Counter(), "", 0, False
    for row in profile.read_text().splitlines():
        if found := re.match(r"(?:c?f[lie])=\((\d+)\)(?: (.*))?$", row):
            names.setdefault(found[1], found[2])
            if not row.startswith("c"):
                file = names[found[1]] or ""
        elif row.startswith("calls="):
            is_call = True
        elif found := re.match(r"(\*|[+-]?\d+) (\d+)$", row):
            line = line if found[1] == "*" else line + int(found[1]) if found[1][0] in "+-" else int(found[1])
            if not is_call:
                cost[file, line] += int(found[2])
            is_call = False
    return cost


def is_for_hooks(file, line, texts):
    if "src/" not in file:
        return False
    path = "src/" + file.split("src/", 1)[1]
    if HOOK_FILES.match(path):
        return True
    if path not in texts:
        texts[path] = (ROOT / path).read_text().splitlines() if (ROOT / path).is_file() else []
    return line <= len(texts[path]) and bool(HOOK_LINE.search(texts[path][line - 1]))


def main():
    warpline, ptx, launch = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        subprocess.run(["valgrind", "--tool=callgrind", "--dump-line=yes", f"--callgrind-out-file={profile}", warpline, "run", "--quiet", "--ptx", ptx, "--launch", launch],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cost = costs_by_line(profile)
    texts = {}
    total, hooks = sum(cost.values()), sum(c for (file, line), c in cost.items() if is_for_hooks(file, line, texts))
    print(f"{pathlib.Path(ptx).stem}: {hooks} of {total} instructions, {100 * hooks / total:.2f} %")


main()
