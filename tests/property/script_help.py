#!/usr/bin/env python3
"""Every script answers --help with the comment at its top, and does nothing else: who asks what a script does must not start it."""
import os
import pathlib
import subprocess
import sys
import tempfile


def comment(script):
    """The first words of the comment or docstring at the script's top."""
    lines = script.read_text(encoding="utf-8").split("\n")
    return lines[1].removeprefix("# ").removeprefix('"""')[:40]


def problem(script, folder):
    """What is wrong with the script's answer, or None. It gets no programs but these, so that it can neither build nor install."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    for name in ("sh", "bash", "sed", "dirname", "env", "python3"):
        if not (tools / name).exists():
            (tools / name).symlink_to(os.path.realpath(subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True).stdout.strip()))
    done = subprocess.run([script, "--help"], capture_output=True, text=True, cwd=folder, env={"PATH": str(tools)}, timeout=60)
    if done.returncode != 0:
        return f"--help ends with {done.returncode}: {done.stderr.strip()[-200:]}"
    if script.suffix == ".sh" and comment(script) not in done.stdout:
        return "--help does not show the comment at its top"
    if not done.stdout.strip():
        return "--help says nothing"
    return None


def main():
    scripts = pathlib.Path(sys.argv[1]).resolve() / "scripts"
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for script in sorted(scripts.glob("*.sh")) + sorted(scripts.glob("*.py")):
            if not os.access(script, os.X_OK):
                continue
            wrong = problem(script, pathlib.Path(folder))
            if wrong:
                failed = True
                print(f"scripts/{script.name}: {wrong}")
    sys.exit(failed)


main()
