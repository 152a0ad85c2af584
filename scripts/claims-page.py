#!/usr/bin/env python3
"""Writes docs/claims.md, the papers' numbers beside ours, from the tables of claims in the pages docs/reproduction*.md.

    claims-page.py           write it
    claims-page.py --check   fail when it is stale (a test does this)

The pages have the numbers of one run each (scripts/reproduction-page.py); this one adds a verdict, by the rule of verdict() below.
"""
import re
import sys
from pathlib import Path

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ("000", "reproduction.md", "Efficient Utilization of GPGPU Cache Hierarchy (DWT-PRIC), GPGPU-8 2015"),
    ("001", "reproduction-001.md", "Mascar, HPCA 2015"),
    ("002, chapter 2", "reproduction-002-2.md", "ReMAP (Arunkumar, 2018)"),
    ("002, chapter 3", "reproduction-002-3.md", "ID-Cache (Arunkumar, 2018)"),
    ("002, chapter 4", "reproduction-002-4.md", "LATTE-CC (Arunkumar, 2018)"),
    ("002, chapter 5", "reproduction-002-5.md", "MCM-GPU (Arunkumar, 2018)"),
    ("002, chapter 6", "reproduction-002-6.md", "GPUJoule and EDPSE (Arunkumar, 2018)"),
    ("003", "reproduction-003.md", "Locality-Driven Dynamic GPU Cache Bypassing (Decoupled L1D), ICS 2015"),
    ("004", "reproduction-004.md", "Linebacker, ISCA 2019"),
]
NEAR, SAME, OTHER, FAR, UNKNOWN = VERDICTS = ("near", "same direction", "other direction", "far", "not measured")

# ---- the rule --------------------------------------------------------------------------------------------------------------

# Words of a phrase that says what changes. Other phrases are of shares, sizes and counts.
CHANGE = re.compile(r"\b(speedup|gain|gained|loss|change|reduction|saves|adds?|less|lose|win|won|over|points)\b|^(mean )?speed of .* in percent of ")
TINY = 1e-9  # what is written with decimals is not exact
NOTHING = {"similar": "0", "not below 0": ">=0"}


def nothing_changed(what, unit):
    """The number that means that nothing changed; None for a number that is no change."""
    if not CHANGE.search(what):
        return None
    return 1 if unit in ("x", "ratio") else 100 if re.match("(mean )?speed of .* in percent of ", what) else 0


def bounds(claimed, unit):
    """What is printed as a lowest and a highest number; None where there is no such bound."""
    text = NOTHING.get(claimed, claimed)

    def value(number):
        if "/" in number:
            part, whole = number.split("/")
            return float(part) / float(whole)
        return float(number)

    in_percent = unit == "x" and re.search(r"(%| points)$", text)
    text = re.sub(r"( %| points)$", "", text)
    of = re.fullmatch(r"(\d+) of (\d+)", text)
    span = re.fullmatch(r"(\S+) to (\S+)", text)
    if of:
        low = high = 100 * float(of[1]) / float(of[2])
    elif text.startswith("within "):
        low = high = -value(text[7:])
    elif span and span[1] != "up":
        low, high = map(value, span.groups())
    elif text[0] in "<>":
        number = value(text.lstrip("<>="))
        low, high = (number, None) if text[0] == ">" else (None, number)
    else:
        low = high = value(text.removeprefix("up to "))
    return [1 + v / 100 if in_percent and v is not None else v for v in (low, high)]


def verdict_of_one(what, claimed, here, unit):
    low, high = bounds(claimed, unit)
    if (low is None or here >= low) and (high is None or here <= high):
        return NEAR
    paper = low if high is None or (low is not None and here < low) else high
    none = nothing_changed(what, unit)
    percent = "%" in unit or unit == "points"
    hundredth = 1 if percent else 0.01
    effect, ours = paper - (none or 0), here - (none or 0)
    around = none is not None and low is not None and high is not None and low <= none <= high  # "0.99 to 1.01"
    unchanged = around or (none is not None and abs(effect) < hundredth - TINY)
    if none is not None and effect == 0 and (low is None or high is None):
        return OTHER  # "more than 1" is a gain without a number
    within = 2 * hundredth if unchanged else min(10 if percent else abs(paper) / 10, abs(effect) / 2)
    if abs(here - paper) <= within + TINY:
        return NEAR
    if none is None or unchanged:
        return FAR
    return SAME if effect * ours > 0 and abs(ours) >= hundredth - TINY else OTHER


def verdict(what, claimed, here, unit):
    """How near a number is to what the paper prints, as they stand in a page's table of claims."""
    if "not measured" in here:
        return UNKNOWN
    papers, ours = (claimed.split(" / "), here.split(" / ")) if " / " in here else ([claimed], [here])
    return max((verdict_of_one(what, c, float(h), unit) for c, h in zip(papers, ours)), key=VERDICTS.index)


RULE = """The numbers that the texts of the papers state of their results, those that warpline measures, and how near they are:

- **near**: at most 10 % apart (numbers in percent or points: at most 10 points), and by at most half of the paper's gain, loss or
  share. So a gain of 1.4 % is not near one of 7 %, and 1.05 is not near 1.12. Where the paper has no change (less than 1 %), 2 % are near.
- **same direction**: both up or both down, but further apart. **other direction**: up in the paper, and here down or unchanged
  (by less than 1 %), or the other way round.
- **far**: further apart, and no direction to compare: a share, a size, a count; or the paper has no change.
- **not measured**: no run answers it, or only a part of it; the page says why.

What is printed as "more than 80" or "less than 1" is near when it holds, and is else compared with that number; "2 to 7" is compared
with its nearer end; "up to 60" with 60; "within 8" is a loss of 8; "similar" is no change; "11 of 20" is 55 %; of two numbers the
worse one counts. A sentence of a paper that can be read in two ways has two rows, and both count.

The programs are our own, with the access patterns of the papers' programs, and mostly on smaller inputs. Each page says how its numbers
were measured, and explains what is not near."""

# ---- the page --------------------------------------------------------------------------------------------------------------


def claims_of(page, text):
    table = re.search(r"<!-- table: claims -->\n(.*?)<!-- end -->", text, re.DOTALL)
    if not table:
        sys.exit(f"claims-page: {page} has no table of claims")
    lines = table.group(1).splitlines()
    if lines[0] != "| claim | what it is | where | paper | here | unit |":
        sys.exit(f"claims-page: {page} has another head of its table of claims: {lines[0]}")
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def explained_at(page, text):
    """The page's section on differences: its first heading with the word why, or the page."""
    for heading in re.findall(r"(?m)^##+ (.*)$", text):
        if re.search(r"\bwhy\b", heading, re.IGNORECASE):
            return f"{page}#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
    return page


def page_text():
    counts, parts = [], []
    for paper, page, title in PAGES:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        rows = [row + [verdict(row[1], row[3], row[4], row[5])] for row in claims_of(page, text)]
        found = [row[6] for row in rows]
        anchor = "paper-" + paper.replace(", ", "-").replace(" ", "-")
        counts.append([f"[{paper}](#{anchor})", f"{title}: [{page}]({page})", len(rows)] + [found.count(v) for v in VERDICTS])
        parts += [f"\n## Paper {paper}\n", f"{title}. Its runs, figures and what explains the differences: [{page}]({explained_at(page, text)}).\n",
                  "| claim | what it is | where | paper | here | unit | verdict |", "| --- | --- | --- | ---: | ---: | --- | --- |"]
        parts += ["| " + " | ".join(row) + " |" for row in rows]
    total = ["all", ""] + [sum(row[i] for row in counts) for i in range(2, 8)]
    head = ["# The papers' numbers, and ours\n", "Made by `scripts/claims-page.py` from the tables of the pages below: change those, not this page.\n", RULE + "\n",
            "| paper | what | numbers | " + " | ".join(VERDICTS) + " |", "| --- | --- |" + " ---: |" * 6]
    return "\n".join(head + ["| " + " | ".join(map(str, row)) + " |" for row in counts + [total]] + parts) + "\n"


def main():
    target = ROOT / "docs/claims.md"
    made = page_text()
    if "--check" not in sys.argv:
        target.write_text(made, encoding="utf-8")
    elif not target.exists() or target.read_text(encoding="utf-8") != made:
        sys.exit("stale: docs/claims.md; run scripts/claims-page.py")


if __name__ == "__main__":
    main()
