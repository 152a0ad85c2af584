#!/usr/bin/env python3
"""The rooms hold: a folder of src/ includes only what the table below allows, lists equal folders, and files open with what they are.

Run as: rooms.py SOURCE_ROOT
"""
import pathlib
import re
import sys

# What a room may include beside its own headers, base, param and stat. DESIGN's table, with these improvements:
# mem and sm see policy/hooks.h and policy/policy.h alone ("policy hooks"); policies see policy/policy.h.
ALLOWED = {
    "base": set(),
    "param": set(),
    "stat": set(),
    "front": set(),
    "ptx": {"front"},  # classes and operators of instructions (front/inst.h)
    "ptxas": {"ptx", "front"},
    "exec": {"ptxas", "ptx", "front"},
    "trace": {"front"},
    "compress": set(),
    "policy": {"front", "mem", "compress"},  # front/inst.h and mem/request.h: what a hook is shown
    "mem": {"policy"},
    "sm": {"front", "mem", "policy"},
    "reference": {"gpu", "sm", "mem", "front", "policy", "ptxas"},
    "energy": {"front"},  # front/work.h: the kinds of work that have an energy
    "gpu": {"energy", "reference", "sm", "mem", "front", "policy"},
    "cmp": {"mem", "policy", "trace"},
    "import": set(),
    "run": {"cmp", "energy", "exec", "gpu", "ptx", "front", "trace", "policy", "sm", "reference"},
    "cuda": {"run", "exec", "gpu", "ptx", "front", "policy"},
    "study": {"cmp", "run", "energy", "gpu", "policy", "trace"},
    "papers": {"study", "run", "energy"},
    "embed": {"run"},
    "cli": {"energy", "cmp", "import", "papers", "study", "run", "cuda", "gpu", "policy", "exec", "front", "ptx", "trace"},
}
COMMON = {"base", "param", "stat"}
COMMON_ORDER = {"base": set(), "param": {"base"}, "stat": {"base"}}
# Rooms that others may see only through these headers.
HOOK_HEADERS = {"policy": {"policy/policy.h", "policy/hooks.h", "policy/policy_set.h", "policy/replacement.h"}}
INNER_ROOMS = {"mem", "sm"}  # "policy hooks" only
REQUEST_HEADERS = {"mem": {"mem/request.h"}, "front": {"front/inst.h"}}


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*(?:include|define\s+STAT_DEF)\s+"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def check_includes(source):
    problems = []
    for room in sorted(p for p in source.iterdir() if p.is_dir()):
        if room.name not in ALLOWED:
            problems.append(f"src/{room.name}: a room that the table does not know")
            continue
        may = ALLOWED[room.name] | (COMMON_ORDER.get(room.name, COMMON)) | {room.name}
        for path in sorted(room.rglob("*")):
            if path.suffix not in {".c", ".h", ".def"}:
                continue
            for number, name in includes(path):
                target = name.split("/")[0]
                if "/" not in name or target not in ALLOWED:
                    continue
                where = f"{path.relative_to(source.parent)}:{number}"
                if target not in may:
                    problems.append(f"{where}: src/{room.name} may not include {name}")
                elif room.name in INNER_ROOMS and target in HOOK_HEADERS and name not in HOOK_HEADERS[target]:
                    problems.append(f"{where}: src/{room.name} may see the policy hooks only, not {name}")
                elif room.name == "policy" and target in REQUEST_HEADERS and name not in REQUEST_HEADERS[target]:
                    problems.append(f"{where}: a policy may see {', '.join(REQUEST_HEADERS[target])} only, not {name}")
    return problems


def check_heads(root):
    """Every C file opens with a comment that says what it is; a header's guard has its room's name. CUDA's own headers are not ours to name."""
    problems = []
    foreign = ("src/cuda/include", "tests/e2e/cuda", "tests/validation")
    for path in sorted(p for folder in ("src", "tests", "include", "examples") for p in (root / folder).rglob("*.[ch]")):
        if str(path.relative_to(root)).startswith(foreign):
            continue
        text = path.read_text(encoding="utf-8")
        if not re.match(r"/\* \S", text):
            problems.append(f"{path.relative_to(root)}: does not open with a comment that says what it is")
        guard = re.search(r"#ifndef (WARPLINE_\w+_H)\n", text)
        wanted = "WARPLINE_" + re.sub(r"\W", "_", str(path.relative_to(root / "src"))).upper() if (root / "src") in path.parents else None
        if wanted and guard and guard.group(1) != wanted:
            problems.append(f"{path.relative_to(root)}: its guard is {guard.group(1)}, not {wanted}")
    return problems


def listed(path, macro):
    return set(re.findall(rf"^{macro}\((\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def check_lists(root):
    problems = []

    def compare(what, names, files):
        for name in sorted(names - files):
            problems.append(f"{what}: lists '{name}', but there is no such file")
        for name in sorted(files - names):
            problems.append(f"{what}: does not list '{name}', which is in the folder")

    frame = {"policies", "policy_set", "policy_library", "policy_instance", "presets"}
    policies = listed(root / "src/policy/policies.def", "POLICY")
    policy_files = {p.stem for p in (root / "src/policy").glob("*.c") if defines_policy(p)}
    compare("src/policy/policies.def", policies, policy_files - frame)
    commands = listed(root / "src/cli/commands.def", "COMMAND")
    compare("src/cli/commands.def", commands, {p.stem[4:] for p in (root / "src/cli").glob("cmd_*.c")})
    configs = set(re.findall(r"'([\w-]+)\.conf'", (root / "configs/meson.build").read_text(encoding="utf-8")))
    compare("configs/meson.build", configs, {p.stem for p in (root / "configs").glob("*.conf")})
    energies = set(re.findall(r"'([\w-]+)\.conf'", (root / "energy/meson.build").read_text(encoding="utf-8")))
    compare("energy/meson.build", energies, {p.stem for p in (root / "energy").glob("*.conf")})
    workloads = listed(root / "workloads/workloads.def", "WORKLOAD")
    compare("workloads/workloads.def", workloads, {p.stem for p in (root / "workloads").glob("*.cu")})
    # Every package has its reason in the docs (the library's name counts for its -dev package).
    reasons = (root / "docs/dependencies.md").read_text(encoding="utf-8")
    for package in re.findall(r"^([a-z0-9][a-z0-9.+-]*)", (root / "scripts/packages.txt").read_text(encoding="utf-8"), re.MULTILINE):
        if package.removesuffix("-dev") not in reasons:
            problems.append(f"docs/dependencies.md: does not say why {package} is needed")
    return problems


def defines_policy(path):
    return re.search(r"^const struct policy \w+ = \{", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def main():
    root = pathlib.Path(sys.argv[1])
    problems = check_includes(root / "src") + check_lists(root) + check_heads(root)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
