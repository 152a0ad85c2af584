#!/usr/bin/env python3
"""Writes the tables of docs/reproduction.md anew, between the two comments that mark them: runs `warpline reproduce 000` and lays out what it says.

usage: describe-reproduction.py BUILD [--db FILE] [--search] [--jobs N]

Runs that the database holds already are not run again, so that a second call takes a second.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reproduction.md"
MARKS = re.compile(r"(<!-- tables: [^\n]*-->\n).*?(<!-- end of tables -->)", re.S)


def number(value):
    if isinstance(value, list):
        return " / ".join(number(v) for v in value)
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def table(head, rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in (head, ["---"] * len(head), *rows))


def figure(f):
    series = f["series"]
    cell = lambda s, row: f"{s['values'][row]:.2f}" if row in s["values"] else ""
    rows = [[row, *(cell(s, row) for s in series)] for row in f["rows"]]
    means = [f["summary"], *("" if s["mean"] is None else f"{s['mean']:.2f}" for s in series)]
    return f"Figure {f['figure']}: {f['title']}\n\n" + table(["", *(s["name"] for s in series)], [*rows, means])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--db", type=pathlib.Path)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    words = [options.build.resolve() / "warpline", "reproduce", "000", "--json", "-", "--jobs", options.jobs, "--db", options.db or options.build / "reproduction.db"]
    done = subprocess.run(words + ["--search"] * options.search, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"warpline reproduce ended with {done.returncode}")
    found = json.loads(done.stdout)
    claims = table(["claim", "where", "paper", "here", "unit"],
                   [[f"`{c['id']}`", c["where"], str(c["claimed"]) if isinstance(c["claimed"], str) else number(c["claimed"]), number(c["measured"]), c["unit"]] for c in found["claims"]])
    text = f"\nOn `{found['config']}`, inputs of size {found['size']}. Of two numbers of table 3 the first is what a search finds, the second what `dwt-cs` takes.\n\n{claims}\n"
    text += "\n".join(figure(f) for f in found["figures"]) + "\n"
    page, count = MARKS.subn(lambda m: m[1] + text + m[2], PAGE.read_text())
    if count != 1:
        sys.exit(f"{PAGE} has not one pair of marks")
    PAGE.write_text(page)


main()
