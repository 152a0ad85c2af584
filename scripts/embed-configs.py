#!/usr/bin/env python3
"""Writes a C table of built-in configurations from .conf files (build step).

usage: embed-configs.py [--name TABLE] [--names LIST] [--header HEADER] OUTPUT FILE...
"""
import argparse
import json
import pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="param_builtins")
parser.add_argument("--names", help="also a list of the names alone")
parser.add_argument("--header", default="param/param.h")
parser.add_argument("output")
parser.add_argument("files", nargs="+", type=pathlib.Path)
options = parser.parse_args()
with open(options.output, "w", encoding="utf-8") as out:
    out.write(f'#include "{options.header}"\nconst struct param_builtin {options.name}[] = {{\n')
    for path in sorted(options.files, key=lambda p: p.stem):
        out.write(f"    {{ {json.dumps(path.stem)},\n")
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            out.write(f"      {json.dumps(line, ensure_ascii=False)}\n")
        out.write("    },\n")
    out.write("    { NULL, NULL }\n};\n")
    if options.names:
        stems = "".join(f"{json.dumps(stem)}, " for stem in sorted(p.stem for p in options.files))
        out.write(f"const char *const {options.names}[] = {{ {stems}NULL }};\n")
