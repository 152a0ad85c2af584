#!/usr/bin/env python3
"""docs/architecture.md names files and functions of the source: each must be there.

Run as: walk.py SOURCE_ROOT
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/architecture.md").read_text(encoding="utf-8")
    source = "\n".join(p.read_text(encoding="utf-8") for p in sorted((root / "src").rglob("*.[ch]")))
    files = set(re.findall(r"`((?:src|tests|include)/[\w/.]+\.\w+)`", page))
    functions = set(re.findall(r"`(\w+)\(\)`", page))
    problems = [f"no file {name}" for name in sorted(files) if not (root / name).is_file()]
    problems += [f"no function {name}" for name in sorted(functions) if not re.search(rf"\b{name}\(", source)]
    rooms = {p.name for p in (root / "src").iterdir() if p.is_dir()}
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))
    problems += [f"the table of rooms does not tell of src/{room}" for room in sorted(rooms - told)]
    if len(files) < 20 or len(functions) < 20:
        problems.append("the page names almost nothing: has it lost its walk?")
    for problem in problems:
        print(f"docs/architecture.md: {problem}")
    sys.exit(1 if problems else 0)


main()
