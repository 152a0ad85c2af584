"""Makes small traces in Accel-Sim's format, in the forms that its tracer has had."""

HEADER = {
    "kernel name": "_Z3addPfS_S_i", "kernel id": "1", "grid dim": "(4,1,1)", "block dim": "(64,1,1)", "shmem": "256", "nregs": "16",
    "binary version": "70", "cuda stream id": "0", "shmem base_addr": "0x00007f5e32000000",
    "local mem base_addr": "0x00007f5e30000000", "nvbit version": "1.5.5", "accelsim tracer version": "4", "enable lineinfo": "0",
}
FULL = "ffffffff"


def body(block, warp, base=0x7F5E00000000):
    """A warp of a kernel with loads, a barrier, shared memory, a divergent part and a store."""
    at = base + (block * 2 + warp) * 128
    half = " ".join(["4"] * 15)
    return [
        f"0000 {FULL} 1 R1 MOV 0 0",
        f"0010 {FULL} 1 R0 S2R 0 0",
        f"0020 {FULL} 1 R2 IMAD.MOV.U32 1 R0 0",
        f"0030 {FULL} 1 R4 LDG.E.SYS 1 R2 4 1 0x{at:x} 4",
        f"0040 {FULL} 1 R5 LDG.E.SYS 1 R2 4 0 " + " ".join(f"0x{at + 4096 + 4 * i:x}" for i in range(32)),
        f"0050 {FULL} 0 STS 2 R3 R4 4 1 0x{warp * 128:x} 4",
        f"0060 {FULL} 0 BAR.SYNC.DEFER_BLOCKING 0 0",
        f"0070 {FULL} 1 R6 LDS.U 1 R3 4 1 0x{(1 - warp) * 128:x} 4",
        f"0080 {FULL} 1 R7 FADD 2 R4 R6 0",
        f"0090 0000ffff 1 R7 FFMA 3 R4 R5 R7 0",
        f"00a0 0000ffff 0 STG.E.SYS 2 R2 R7 4 2 0x{at + 8192:x} {half}",
        f"00b0 {FULL} 0 EXIT 0 0",
    ]


def kernel(blocks=4, warps=2, lines=body, **changes):
    """`changes`: header keys with _ for blanks; None leaves the key out."""
    header = dict(HEADER, **{key.replace("_", " "): value for key, value in changes.items()})
    version = int(header["accelsim tracer version"] or 0) if header.get("accelsim tracer version") else 0
    text = [f"-{key} = {value}" for key, value in header.items() if value is not None]
    text += ["", "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]", ""]
    for block in range(blocks):
        text += ["#BEGIN_TB", "", f"thread block = {block},0,0", ""]
        for warp in range(warps):
            own = lines(block, warp)
            if version < 3:
                own = [f"{block} 0 0 {warp} {line}" for line in own]
            elif header.get("enable lineinfo") == "1":
                own = [f"{number} {line}" for number, line in enumerate(own)]
            text += [f"warp = {warp}", f"insts = {len(own)}", *own, ""]
        text += ["#END_TB", ""]
    return "\n".join(text) + "\n"
