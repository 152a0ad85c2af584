#!/usr/bin/env python3
"""Compiles one workload with `warpline cc`, unless nothing that decides its bytes has changed.

The build system would compile all workloads again whenever warpline itself is relinked or any header is touched; what decides a
workload's bytes is its source, the headers it includes and the compiler driver, so those are hashed and kept beside the program.

usage: build-workload.py WARPLINE SOURCE OUTPUT INPUT...
"""
import hashlib
import os
import re
import subprocess
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))


def with_headers(path, found):
    """A source and the headers it names in quotes, and theirs."""
    if path not in found:
        found.append(path)
        with open(path) as f:
            for name in re.findall(r'^#include "([^"]+)"', f.read(), re.M):
                with_headers(os.path.normpath(os.path.join(os.path.dirname(path), name)), found)
    return found


def main() -> int:
    warpline, source, output, *inputs = sys.argv[1:]
    digest = hashlib.sha256()
    for path in [*with_headers(source, []), *inputs]:
        names = [path] if os.path.isfile(path) else sorted(os.path.join(path, n) for n in os.listdir(path))
        for name in names:
            if os.path.isfile(name):
                with open(name, 'rb') as f:
                    digest.update(f.read())
    stamp, text = output + '.inputs', digest.hexdigest()
    if os.path.exists(output) and os.path.exists(stamp):
        with open(stamp) as f:
            if f.read() == text:
                os.utime(output)
                return 0
    status = subprocess.call([warpline, 'cc', '-O2', source, '-o', output])
    if status == 0:
        with open(stamp, 'w') as f:
            f.write(text)
    return status


sys.exit(main())
