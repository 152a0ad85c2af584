#!/usr/bin/env python3
"""Which warp scheduler suits a kernel? An example of warpline in a script.

    ./compare_schedulers.py KERNEL.ptx LAUNCH.json
"""
import sys

import warpline


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare_schedulers.py KERNEL.ptx LAUNCH.json")
    print(f"warpline {warpline.version()}")
    for scheduler in ("gto", "lrr", "two-level"):
        try:
            result = warpline.Machine(config="gtx480", policies=scheduler).run_files(sys.argv[1], sys.argv[2])
        except warpline.WarplineError as error:
            sys.exit(f"compare_schedulers: {error}")
        print(f"{scheduler:10} {result['cycles']:10.0f} cycles {result['ipc']:8.1f} instructions per cycle")


if __name__ == "__main__":
    main()
