#!/usr/bin/env python3
"""Writes the C table of built-in configurations from configs/*.conf (build step)."""
import json
import pathlib
import sys

output, *files = sys.argv[1:]
with open(output, "w", encoding="utf-8") as out:
    out.write('#include "param/param.h"\nconst struct param_builtin param_builtins[] = {\n')
    for path in sorted(map(pathlib.Path, files), key=lambda p: p.stem):
        out.write(f"    {{ {json.dumps(path.stem)},\n")
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            out.write(f"      {json.dumps(line, ensure_ascii=False)}\n")
        out.write("    },\n")
    out.write("    { NULL, NULL }\n};\n")
