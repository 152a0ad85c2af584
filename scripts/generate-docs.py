#!/usr/bin/env python3
"""Writes the parts of the docs that come from declarations.

    generate-docs.py BUILD_DIR           write them
    generate-docs.py --check BUILD_DIR   fail when one is stale (a test does this)

docs/params.md and docs/stats.md are whole; in README.md and docs/policy-hooks.md the parts between the marks "policies" and
"hooks" are replaced.
"""
import itertools
import json
import pathlib
import re
import subprocess
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

ROOT = pathlib.Path(__file__).resolve().parent.parent
MADE = "Made by `scripts/generate-docs.py` from the declarations in the source: change those, not this page.\n"


def rows(build, what):
    done = subprocess.run([str(build / "warpline"), "list", what, "--json", "-"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cell(text):
    return text.replace("|", "\\|")


def table(head, lines):
    yield "| " + " | ".join(head) + " |\n"
    yield "|" + " --- |" * len(head) + "\n"
    for line in lines:
        yield "| " + " | ".join(map(cell, line)) + " |\n"
    yield "\n"


def group_of(name):
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "policy" else parts[0]


def params_page(build):
    out = ["# Parameters\n\n", MADE, "\n", "`--set key=value` changes one, `--config NAME|FILE` many; `warpline list params --all` shows the same with "
           "the values a configuration gives them. [The guide](guide.md) explains the forms of values.\n\n"]
    for group, members in itertools.groupby(rows(build, "params"), key=lambda r: group_of(r["name"])):
        out.append(f"## {group}\n\n")
        if group == "reference":
            out.append("What is true of GPGPU-Sim and of no GPU: for validation, set by `gtx480-gpgpusim` alone ([validation.md](validation.md)).\n\n")
        out += table(["parameter", "default", "allowed", "meaning"],
                     [[f"`{r['name']}`" + (" (debug)" if r["class"] == "debug" else ""), f"`{r['default']}`", r["range"], r["help"]] for r in members])
    return "".join(out)


def stats_page(build):
    out = ["# Counters\n\n", MADE, "\n", "Every kernel of a result has all of these, grouped by component, and `totals` has their sums; dots nest "
           "objects. A ratio is of the sums, and null when there is nothing to divide by.\n\n"]
    for group, members in itertools.groupby(rows(build, "stats"), key=lambda r: r["name"].split(".")[0]):
        out.append(f"## {group}\n\n")
        out += table(["counter", "unit", "meaning"], [[f"`{r['name']}`", r["unit"] or "ratio", r["help"]] for r in members])
    return "".join(out)


def policies_part(build):
    return "".join(table(["name", "what it does", "from"],
                         [[f"`{r['name']}`", r["summary"] + (f" (= {r['policies']})" if "policies" in r else ""), r["source"]]
                          for r in rows(build, "policies")])).rstrip("\n") + "\n"


def hooks_part(build):
    return "".join(table(["hook", "what it is for", "policies that fill it in"],
                         [[f"`{r['name']}`", r["help"], r["policies"] or "none of the built-in ones"] for r in rows(build, "hooks")])).rstrip("\n") + "\n"


def with_part(path, mark, part):
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark} -->)", lambda m: m.group(1) + part + m.group(2), text, flags=re.DOTALL)


def main():
    check = "--check" in sys.argv
    build = pathlib.Path([a for a in sys.argv[1:] if a != "--check"][0]).resolve()
    stale = []
    for path, made in (("docs/params.md", params_page(build)), ("docs/stats.md", stats_page(build)), ("README.md", with_part("README.md", "policies", policies_part(build))),
                       ("docs/policy-hooks.md", with_part("docs/policy-hooks.md", "hooks", hooks_part(build)))):
        target = ROOT / path
        if target.exists() and target.read_text(encoding="utf-8") == made:
            continue
        stale.append(path)
        if not check:
            target.write_text(made, encoding="utf-8")
            print(f"wrote {path}")
    if check and stale:
        sys.exit(f"stale: {', '.join(stale)}; run scripts/generate-docs.py build")


main()
