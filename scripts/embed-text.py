#!/usr/bin/env python3
"""Writes a C file that holds text files as strings, so that the program carries them. usage: embed-text.py OUTPUT FILE..."""
import os
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))


def main() -> None:
    output, *files = sys.argv[1:]
    with open(output, 'w', encoding='utf-8') as out:
        out.write('/* Made by scripts/embed-text.py. */\n#include "study/report_texts.h"\n')
        for path in files:
            name = os.path.basename(path).replace('.', '_').replace('-', '_')
            with open(path, encoding='utf-8') as f:
                lines = f.read().split('\n')
            out.write(f'const char {name}[] =\n')
            for line in lines:
                escaped = line.replace('\\', '\\\\').replace('"', '\\"').replace('?', '\\?')
                out.write(f'    "{escaped}\\n"\n')
            out.write('    ;\n')


main()
