#!/usr/bin/env python3
"""Writes the tables of a reproduction's page from one run: scripts/reproduction-page.py RESULT.json PAGE.md

RESULT.json is what `warpline reproduce PAPER --json RESULT.json` wrote. In the page, a table stands between a line
    <!-- table: claims -->          every number that the text states
    <!-- table: figure NAME -->     a figure, a row per kernel
    <!-- table: classes NAME 30 --> a figure of two series, and on which side of 30 each value lies
    <!-- sizes -->                  rows whose input is not of the size that the others have
and the line <!-- end -->; what is between is replaced, everything else is kept. A table with a gap is an error: a run is missing."""
import json
import re
import sys
from pathlib import Path

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

MARK = re.compile(r"<!-- (table: claims|table: figure [^>]+?|table: classes [^>]+?|sizes) -->\n.*?<!-- end -->", re.DOTALL)


def number(value):
    """Three digits after the point for ratios, fewer where there are many before it."""
    if value is None:
        return "not measured"
    text = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"
    return text.removeprefix("-") if float(text) == 0 else text


def table(head, rows, words=(0,)):
    """Columns of words are on the left, of numbers on the right."""
    lines = ["| " + " | ".join(head) + " |", "|" + "".join(" --- |" if i in words else " ---: |" for i in range(len(head)))]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def claims_table(result):
    def stated(value, shown=number):
        if isinstance(value, list):
            return " / ".join(stated(v, shown) for v in value)
        return value if isinstance(value, str) else shown(value) if value is None or value != int(value) else f"{value:.0f}"

    return table(["claim", "what it is", "where", "paper", "here", "unit"],
                 [[c["id"], c["what"], c["where"], stated(c["claimed"], "{:g}".format), stated(c["measured"]), c["unit"]] for c in result["claims"]], (0, 1, 2, 5))


def figure_of(result, name):
    for figure in result["figures"]:
        if figure["figure"] == name:
            return figure
    sys.exit(f"reproduction-page: the run has no figure '{name}'; it has " + ", ".join(f["figure"] for f in result["figures"]))


def value_of(figure, series, label):
    if label not in series["values"]:
        sys.exit(f"reproduction-page: figure {figure['figure']} has no value of {label} for {series['name']}; make the missing run and try again")
    return series["values"][label]


def figure_table(result, name):
    figure = figure_of(result, name)
    rows = [[label] + [number(value_of(figure, s, label)) for s in figure["series"]] for label in figure["rows"]]
    return table(["kernel"] + [s["name"] for s in figure["series"]], rows + [[figure["summary"]] + [number(s["mean"]) for s in figure["series"]]])


def classes_table(result, name, limit):
    figure = figure_of(result, name)

    def kind(value):
        return "C" if value > limit else "M"

    rows = []
    for label in figure["rows"]:
        values = [value_of(figure, s, label) for s in figure["series"]]
        rows.append([label] + [cell for v in values for cell in (number(v), kind(v))])
    return table(["kernel"] + [cell for s in figure["series"] for cell in (s["name"], "type")], rows)


def sizes_text(result):
    others = {}
    for label, size in result["sizes"].items():
        others.setdefault(size, []).append(label)
    rest = "; ".join(f"`{size}`: " + ", ".join(labels) for size, labels in others.items())
    return f"Inputs are of size `{result['size']}`" + (f", but of {rest}." if rest else ".")


def fill(result, page):
    def replaced(match):
        mark = match.group(1)
        words = mark.split(" ", 2)
        if mark == "sizes":
            text = sizes_text(result)
        elif mark == "table: claims":
            text = claims_table(result)
        elif words[1] == "figure":
            text = figure_table(result, words[2])
        else:
            name, limit = words[2].rsplit(" ", 1)
            text = classes_table(result, name, float(limit))
        return f"<!-- {mark} -->\n{text}\n<!-- end -->"

    return MARK.sub(replaced, page)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path = Path(sys.argv[2])
    page = path.read_text(encoding="utf-8")
    result = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    path.write_text(fill(result, page), encoding="utf-8")


if __name__ == "__main__":
    main()
