/* inst.h - what the machine needs to know of a static instruction, whichever front end it came from. */
#ifndef WARPLINE_FRONT_INST_H
#define WARPLINE_FRONT_INST_H
#include <stdbool.h>
#include <stdint.h>

/* The class decides pipe, latency and initiation interval (sm room, parameters sm.latency.*). */
/* clang-format off */ /* classes that belong together stand together */
enum inst_class {
    CLASS_INT_ADD, CLASS_INT_MAX, CLASS_INT_MUL, CLASS_INT_MAD, CLASS_INT_DIV, CLASS_SHFL,
    CLASS_FP_ADD, CLASS_FP_MAX, CLASS_FP_MUL, CLASS_FP_MAD, CLASS_FP_DIV,
    CLASS_DP_ADD, CLASS_DP_MAX, CLASS_DP_MUL, CLASS_DP_MAD, CLASS_DP_DIV,
    CLASS_MOVE,    /* everything on the ALU that has no latency row of its own: mov, cvt of integers, setp, logic, shifts, selp... */
    CLASS_SFU, CLASS_TENSOR,
    CLASS_LOAD, CLASS_STORE, CLASS_ATOMIC, CLASS_TEXTURE,
    CLASS_BRANCH, CLASS_CALL, CLASS_RETURN, CLASS_EXIT,
    CLASS_BARRIER, CLASS_FENCE, CLASS_NOP,
    CLASS_INT_MUL24, CLASS_INT_MAD24, /* mul24, mad24: a cycle more than mul and mad, in latency and interval; traces hold these numbers */
    CLASS_CONVERT, /* cvt from or to a float */
    CLASS_COUNT
};
/* clang-format on */

enum mem_space { SPACE_NONE, SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_TEXTURE };

enum cache_operator {
    CACHE_DEFAULT,
    CACHE_ALL /* .ca */,
    CACHE_GLOBAL /* .cg */,
    CACHE_STREAM /* .cs */,
    CACHE_LAST_USE /* .lu */,
    CACHE_VOLATILE /* .cv, .volatile */,
    CACHE_WRITE_BACK,
    CACHE_WRITE_THROUGH,
    CACHE_READ_ONLY /* .nc */
};

enum { INST_MAX_DST = 8, INST_MAX_SRC = 26 }; /* wmma.mma reads 24, and a guard */

struct inst {
    uint64_t pc;           /* byte address in the code space; PTX instructions take 8 bytes each */
    uint32_t index;        /* position in the kernel's table of instructions */
    uint32_t line;         /* of the PTX text, 0 unknown */
    uint32_t source_line;  /* of the CUDA source (.loc), 0 unknown */
    uint8_t class;         /* enum inst_class */
    uint8_t timing;        /* row of the machine's table of latencies: inst_timing() */
    uint8_t work;          /* enum inst_work of front/work.h: for its energy */
    uint8_t space;         /* enum mem_space; GENERIC is resolved per execution, see struct warp_step */
    uint8_t cache_op;      /* enum cache_operator */
    uint8_t element_bytes; /* per lane: one element */
    uint8_t elements;      /* per lane: 1, 2, 4 (vectors) */
    uint8_t ndst, nsrc;
    bool guarded;               /* has a predicate @p: some active lanes may do nothing */
    uint16_t dst[INST_MAX_DST]; /* scoreboard registers written; numbers are unique within the kernel, from 1; 0 is none */
    uint16_t src[INST_MAX_SRC]; /* registers read: plain operands first, then address registers, then the guard; each once */
    uint32_t
        last_reads; /* bit per entry of `src`: no lane on this way reads the register's value again. 0: not known, as in traces */
    uint8_t nvalue; /* how many of `src` are plain operands (two-level scheduling looks at these alone, as the reference does) */
    /* What the register banks see. It differs from what the scoreboard sees: GPGPU-Sim finds a register's bank from the digits
     * in its name (%r3, %f3 and %p3 are all number 3). Each use in an instruction is a read of its own, even of the same
     * register, and guards are not read. */
    uint8_t nread, nwrite;
    uint16_t read[INST_MAX_SRC];  /* register numbers, from 0, that operand collection reads; may repeat */
    uint16_t write[INST_MAX_DST]; /* register numbers written back, in order; may repeat */
};

/* How an instruction is timed: by its class, but for loads of constants and for two halves at once. */
enum inst_timing { TIMING_CONSTANT = CLASS_COUNT, TIMING_HALF, TIMING_COUNT };
static inline uint8_t inst_timing(uint8_t class, uint8_t space)
{
    return class == CLASS_LOAD && (space == SPACE_CONST || space == SPACE_PARAM) ? (uint8_t)TIMING_CONSTANT : class;
}
#endif
