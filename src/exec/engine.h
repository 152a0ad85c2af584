/* engine.h - the inside of exec: decoded code, warps, CTAs and runs.
 *
 * A kernel is decoded once into an `image`: the entry function and every function it can reach, flattened into one array of
 * `xop`, each with the function that executes it and with operands resolved to (base, byte offset). Registers of a warp lie
 * lane after lane (32 x 2, 4 or 8 bytes; predicates are one 32-bit mask), so that executing over a full warp is one loop of
 * 32 that the compiler turns into vector code. Immediates, kernel parameters and special registers that do not change while
 * a warp runs are laid out the same way in other bases, so an executor never asks what kind of operand it has. */
#ifndef WARPLINE_EXEC_ENGINE_H
#define WARPLINE_EXEC_ENGINE_H
#include <string.h>

#include "exec/device.h"

enum { LANES = 32 };
#define FULL_MASK UINT32_MAX
#define PARAM_FRAME 0x8000u /* parameter-space addresses from here up lie in the frame, below in the kernel's block */
#define NO_PC UINT32_MAX    /* a reconvergence point that is never reached; equals PTX_END */
enum { MAX_BARRIERS = 16, MAX_VECTOR = 8 };

struct warp;
struct xop;
typedef void (*exec_fn)(struct warp *w, const struct xop *x, uint32_t mask);
/* One lane's worth of an instruction that is too rare to vectorise: raw register bits in, raw bits out. */
typedef uint64_t (*lane_fn)(uint64_t a, uint64_t b, uint64_t c, const struct xop *x);
typedef uint32_t (*compare_fn)(const void *a, const void *b); /* 32 lanes to a mask */

enum operand_base {
    BASE_REGS,  /* the current frame */
    BASE_CONST, /* per launch: immediates, parameters, grid and block size */
    BASE_WARP,  /* per warp of a CTA: %tid, %laneid, lane masks */
    BASE_CTA,   /* per CTA: %ctaid */
    BASE_COUNT
};

struct operand {
    uint32_t offset;
    uint8_t base;  /* enum operand_base */
    uint8_t width; /* bytes per lane: 2, 4, 8, 16; 0: a predicate mask */
    bool negated;  /* predicates */
};

struct xop {
    exec_fn fn;
    struct operand src[4];
    uint32_t dst, dst2;  /* byte offsets in the frame */
    uint32_t guard;      /* byte offset of the guard's mask in the frame; 0: none */
    uint32_t guard_flip; /* FULL_MASK for @!p */
    uint32_t target;     /* branches: flat index */
    uint32_t reconverge; /* branches: flat index or NO_PC */
    uint8_t dst_width, source_count;
    bool is_control;  /* fn sets the next pc itself and is called even when no lane executes */
    bool is_shared;   /* a load or store whose lanes may reach device memory, which other SMs reach too (later.h) */
    uint8_t rounding; /* enum ptx_rounding, for executors that set the host's rounding mode */
    union {
        lane_fn lane;
        compare_fn compare;
        const struct site *site;
        const struct call_site *call;
        const struct jump_table *table;
        const struct matrix_site *matrix;
        const struct texture_site *texture;
    };
    const struct ptx_inst *inst;
};

/* A memory instruction. */
struct site {
    uint32_t cache;          /* index into run->caches */
    uint8_t space;           /* enum mem_space */
    uint8_t bytes, elements; /* of one element; per lane */
    bool is_signed;          /* loads: sign extend into wider registers */
    bool has_base;           /* else the address is `offset` alone */
    bool in_frame;           /* a .local variable of a called function: the frame's stack base is added */
    bool on_stack;           /* a function's parameter that the machine sees in local memory, at stack_offset of the frame */
    uint32_t stack_offset;
    uint8_t op;   /* atomics: enum ptx_atomic */
    uint8_t type; /* enum ptx_type */
    struct operand base;
    int64_t offset;
    struct operand value[MAX_VECTOR]; /* loads: destinations; stores: sources */
    bool sink[MAX_VECTOR];
};

/* The allocation a memory instruction met last: [low, low + bytes) at host. Cleared when an allocation ends. */
struct access_cache {
    uint64_t low, bytes;
    uint8_t *host;
};

enum builtin {
    BUILTIN_NONE,
    BUILTIN_VPRINTF,
    BUILTIN_ASSERTFAIL,
    BUILTIN_MALLOC,
    BUILTIN_FREE,
    /* the device's own runtime: launches and what goes with them */
    BUILTIN_PARAMETERS,
    BUILTIN_LAUNCH,
    BUILTIN_NEW_STREAM, /* or event */
    BUILTIN_SUCCESS,    /* nothing to do */
    BUILTIN_TAKE_ERROR,
    BUILTIN_PEEK_ERROR,
    BUILTIN_DEVICE_MALLOC,
    BUILTIN_DEVICE_FREE,
    BUILTIN_COPY,
    BUILTIN_FILL,
    BUILTIN_SET_CONDITION,
    BUILTIN_GRAPH_LAUNCH
};

/* Storage of a .param variable: in the frame's parameter area, or a register. */
struct param_slot {
    uint32_t offset, bytes; /* in one lane's part of the area */
    bool is_register;
    struct operand value; /* is_register: the register; width says its size */
};
struct call_site {
    int32_t routine;        /* -1: indirect or a builtin */
    uint8_t builtin;        /* enum builtin */
    const char *undefined;  /* the name of a function that is nowhere defined; only behind pointers, else the launch is refused */
    struct operand pointer; /* indirect */
    struct param_slot *arguments, *returns; /* the caller's side */
    uint32_t argument_count, return_count;
};
struct jump_table {
    uint32_t *targets;
    uint32_t count;
};

/* A function inside an image. */
struct routine {
    const struct ptx_function *fn;
    const struct loaded_module *module;
    uint32_t first, count;
    const struct inst *behind; /* what lies behind its last instruction in the code space; NULL: nothing */
    uint32_t frame_bytes;
    uint32_t *reg_offset;      /* per register of fn */
    uint32_t *variable_offset; /* per variable of the module: .param: in the parameter area; .local: in its part of the stack */
    uint32_t param_area, param_stride; /* .param variables: frame offset, bytes per lane */
    struct param_slot *params, *returns;
    uint32_t local_bytes;
    uint32_t *stack_offset,
        stack_bytes;   /* exec_options.view.local_parameters: .param variables in the reference's stack frame; its size */
    uint32_t zero_end; /* what lies between FRAME_CARRY and here in the frame must read as zero on entry, and the parameter area */
    uint64_t address;  /* what a function pointer to it holds */
};

/* A constant that is known only at launch: %ntid, or a kernel parameter. */
struct launch_slot {
    uint32_t offset;      /* in the constant area */
    uint8_t width, bytes; /* register bytes per lane; bytes read from the parameter block, 0: a special register */
    bool is_signed;
    uint32_t index; /* parameter offset, or enum ptx_sreg */
};

struct image {
    struct xop *code;
    struct inst *timing;
    uint32_t count;
    struct routine *routines;
    uint32_t routine_count;
    uint8_t *constants; /* template; launch slots are filled in a copy */
    uint32_t constant_bytes, constant_capacity;
    struct launch_slot *slots;
    uint32_t slot_count;
    uint32_t site_count;
    uint32_t shared_bytes; /* static */
    uint32_t dynamic_shared_offset;
    uint32_t local_bytes; /* per thread, with callees */
    uint32_t frame_stack_bytes, max_frames;
    bool is_recursive;
    bool spins_in_callee;    /* a called function has a loop that waits for other lanes */
    struct turn_plan *turns; /* made by the first functional run */
    struct arena *arena;     /* owns all of the above but the constants */
};

struct stack_entry {
    uint32_t pc, reconverge, mask, level;
};

struct frame {
    uint8_t *regs;
    uint32_t routine, returned /* lanes back in the caller */, local_base;
    uint32_t stack_base; /* local_base as a machine with GPGPU-Sim's stack sees it, which rounds no frame up; only with
                          * view.local_parameters */
    uint32_t caller;     /* its frame: the one below, unless spin.c has split the warp inside a call */
    const struct call_site *site;
};

/* What every instruction needs comes first: a line of the host. */
struct warp {
    _Alignas(HOST_LINE_BYTES) struct front_warp front; /* first: the machine sees this */
    const uint8_t *base[BASE_COUNT];
    uint32_t pc, reconverge; /* top of the reconvergence stack, with front.active */
    uint32_t executed;       /* lanes of the last instruction whose guard held */
    uint32_t live;           /* lanes that have not exited */
    struct run *run;
    struct cta *cta;
    uint32_t index;        /* in the CTA */
    uint32_t depth, level; /* stacked entries; call depth */
    struct stack_entry *stack;
    struct frame *frames;
    uint8_t *frame_stack;
    uint32_t stack_entries; /* room in `stack` */
    uint32_t spins, waits;  /* rounds of a spin loop with the same lanes; instructions put off for lanes that are elsewhere */
    bool is_split;          /* spin.c has let some lanes run ahead of a meeting point */
    const struct xop *late; /* the atomic that the machine still has to carry out, for which lanes, and the registers of its
                             * frame */
    uint32_t late_lanes;
    const uint8_t *late_regs;
    const struct xop *barrier;        /* the instruction it waits at */
    const struct barrier *barrier_at; /* and the barrier */
    uint32_t barrier_mask;
};

struct barrier {
    struct front_barrier front;
    uint32_t ballot_count, threads, all, any; /* .red: true predicates, threads seen */
};

struct cta {
    struct front_cta front;
    uint8_t *shared, *local;
    uint8_t *constants; /* %ctaid splats */
    uint32_t ctaid[3];
    struct warp *warps;
    struct front_warp **pointers;
    uint64_t live;           /* warps that have not ended */
    uint16_t epoch;          /* barriers that have opened */
    uint32_t mbarrier_polls; /* in vain since a phase has ended */
    struct barrier barriers[MAX_BARRIERS];
    struct cta *next_free;
};

struct run {
    struct front front;
    struct run *whole;   /* what its CTAs belong to: itself, or the launch that it is a view of */
    struct later *later; /* of a view: what its steps have put off; NULL: a step does all at once */
    struct device *device;
    struct image *image;
    uint8_t *params;
    uint32_t param_bytes;
    const struct front_clock *clock;
    uint8_t *constants;
    uint8_t *warp_constants; /* warps_per_cta blocks of WARP_CONSTANT_BYTES */
    struct access_cache *caches;
    uint32_t shared_bytes;
    uint64_t instructions; /* stands in for the clock when none is given */
    struct cta *free_ctas;
    struct cta **all_ctas;
    uint32_t cta_total, cta_capacity;
    struct cta_blocks {
        struct cta_block {
            uint8_t *start;
            size_t bytes;
        } * block;
        uint32_t count;
        size_t left; /* of the last one */
    } near, stacks;  /* of host memory, for the CTAs: what they touch, and the stacks of their warps, of which they touch little */
    bool cooperative;
    uint64_t grid_workspace;
    uint32_t resident; /* CTAs that a machine would hold at once */
    bool *ends_turn;   /* functional runs: per instruction; NULL: none does (turns.h) */
    struct host_poll { /* see host_poll.c */
        uint64_t from; /* instructions after which it looks */
        uint64_t address, looks;
        const struct xop *at;
        uint32_t count;
    } poll;
    struct race_detector *races; /* NULL: nobody looks for them (race.h) */
    bool told_mbarrier;          /* that a warp waits for long (mbarrier.c) */
    bool failed;
    struct error fault;
    uint32_t warnings;
    /* what the last memory instruction or barrier did, for warp_step */
    uint8_t space;
    bool mixed; /* access_resolve: the lanes point into several spaces */
    uint32_t local_lanes;
    uint8_t barrier, barrier_warps;
    bool barrier_waits;
    const void *store_data;
    struct front_write *wrote; /* see run_note_write */
    uint32_t wrote_count, wrote_room;
    uint64_t address[LANES] __attribute__((aligned(64)));
    uint8_t *host[LANES];
    uint8_t nowhere[64]; /* exec_options.warn_out_of_bounds: what accesses outside memory read and write */
    uint8_t data[LANES * 64] __attribute__((aligned(64)));
};

/* Layout of BASE_WARP and BASE_CTA blocks: one 128-byte splat or vector each. */
enum {
    WARP_TID_X,
    WARP_TID_Y,
    WARP_TID_Z,
    WARP_LANEID,
    WARP_WARPID,
    WARP_MASK_EQ,
    WARP_MASK_LT,
    WARP_MASK_LE,
    WARP_MASK_GT,
    WARP_MASK_GE,
    WARP_CONSTANT_COUNT
};
enum { CTA_ID_X, CTA_ID_Y, CTA_ID_Z, CTA_CONSTANT_COUNT };
enum {
    VECTOR_BYTES = 4 * LANES,
    WARP_CONSTANT_BYTES = WARP_CONSTANT_COUNT * VECTOR_BYTES,
    CTA_CONSTANT_BYTES = CTA_CONSTANT_COUNT * VECTOR_BYTES
};
/* Fixed places in every frame: the carry mask of .cc, and a sink for results written to '_'. */
enum { FRAME_SINK = 0, FRAME_CARRY = 512, FRAME_FIRST = 512 + 64 };

/* What a function finds when it begins: zeros wherever it could read before it has written. */
static inline void frame_clear(const struct routine *routine, uint8_t *frame)
{
    memset(frame + FRAME_CARRY, 0, routine->zero_end - FRAME_CARRY);
    if (routine->param_stride)
        memset(frame + routine->param_area, 0, (size_t)routine->param_stride * LANES);
}

static inline const void *operand_at(const struct warp *w, struct operand o)
{
    return w->base[o.base] + o.offset;
}
static inline void *frame_at(const struct warp *w, uint32_t offset)
{
    return (uint8_t *)w->base[BASE_REGS] + offset; /* the frame is this warp's own, writable memory */
}
static inline uint32_t operand_predicate(const struct warp *w, struct operand o)
{
    uint32_t mask = *(const uint32_t *)operand_at(w, o);
    return o.negated ? ~mask : mask;
}
/* One lane's part of the parameter area of the frame at `level`. */
uint8_t *frame_params(const struct warp *w, uint32_t level, uint32_t lane);
uint64_t operand_lane(const struct warp *w, struct operand o, uint32_t lane); /* raw bits; predicates 0 or 1 */
void frame_set_lane(struct warp *w, uint32_t offset, uint32_t width, uint32_t lane, uint64_t bits);

/* control.c: the reconvergence stack. */
void warp_pop(struct warp *w); /* goes to the next stacked entry with lanes left; finishes the warp when there is none */
void control_branch(struct warp *w, const struct xop *x, uint32_t mask);
void control_branch_uniform(struct warp *w, const struct xop *x, uint32_t mask);
void control_switch(struct warp *w, const struct xop *x, uint32_t mask);
void control_exit(struct warp *w, const struct xop *x, uint32_t mask);
void control_return(struct warp *w, const struct xop *x, uint32_t mask);
void control_call(struct warp *w, const struct xop *x, uint32_t mask);
void control_trap(struct warp *w, const struct xop *x, uint32_t mask);

/* spin.c: lanes of a warp that wait for each other. */
enum { SPLIT_FRAMES = 4 };   /* chains of calls that a warp split inside a call can have at once */
enum { SPLIT_RESERVE = 80 }; /* stack entries that splitting leaves for ordinary divergence */
/* For the function's instructions [first, last], which are a loop. */
bool spin_is_loop(const struct ptx_module *module, const struct ptx_function *fn, uint32_t first, uint32_t last);
void spin_branch(struct warp *w, const struct xop *x, uint32_t mask); /* a branch back to the start of a spin loop */
/* True when the instruction must wait for lanes of `wanted` that are elsewhere. The warp has then gone on with other lanes. */
bool spin_wait(struct warp *w, uint32_t wanted);

/* builtin.c: functions that the device runtime provides. */
enum builtin builtin_find(const char *name);
bool builtin_replaces(const char *name); /* also a function of that name that a module defines: NVIDIA's runtime for the device */
void builtin_call(struct warp *w, const struct xop *x, uint32_t mask);

/* barrier.c */
void barrier_execute(struct warp *w, const struct xop *x, uint32_t mask);
void barrier_warp_exited(struct warp *w);

/* warpwide.c */
void warpwide_shuffle(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_vote(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_match(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_sync(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_active(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_reduce(struct warp *w, const struct xop *x, uint32_t mask);
void warpwide_elect(struct warp *w, const struct xop *x, uint32_t mask);

/* access.c, atomic.c: memory. */
bool access_resolve(struct warp *w, const struct xop *x, uint32_t mask); /* fills run->address and run->host; false: fault */
uint32_t access_device_lanes(const struct warp *w, const struct site *site, uint32_t mask); /* that point into device memory */
/* One lane's pointer in generic or named space; NULL with a fault recorded. */
uint8_t *access_lane(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, uint8_t space,
                     bool write);
void access_load(struct warp *w, const struct xop *x, uint32_t mask);
void access_store(struct warp *w, const struct xop *x, uint32_t mask);
void access_load_param(struct warp *w, const struct xop *x, uint32_t mask);
void access_none(struct warp *w, const struct xop *x, uint32_t mask); /* prefetch and the like: addresses, no values */
void access_copy_async(struct warp *w, const struct xop *x, uint32_t mask);
bool atomic_is_supported(uint8_t op, uint8_t type);
uint64_t atomic_combine(uint8_t op, uint8_t type, uint64_t old, uint64_t b); /* what is in memory afterwards; not for cas */
void atomic_execute(struct warp *w, const struct xop *x, uint32_t mask);
void atomic_finish(struct warp *w, uint32_t mask);                         /* what atomic_execute left to do */
void atomic_carry_out(struct warp *w, const struct xop *x, uint32_t mask); /* addresses are resolved */
void run_forget_accesses(struct run *run);
/* Notes what the step changed in device memory elsewhere than at its lanes' addresses (struct warp_step, wrote). */
void run_note_write(struct run *run, uint64_t address, uint64_t bytes);

/* mbarrier.c */
void mbarrier_set(struct warp *w, const struct xop *x, uint32_t mask);    /* init, inval */
void mbarrier_change(struct warp *w, const struct xop *x, uint32_t mask); /* arrive, arrive_drop, expect_tx, complete_tx */
void mbarrier_ask(struct warp *w, const struct xop *x, uint32_t mask);    /* test_wait, try_wait */
void mbarrier_count(struct warp *w, const struct xop *x, uint32_t mask);

/* special.c: special registers that change, pack and unpack, the drivers of scalar executors. */
void special_read(struct warp *w, const struct xop *x, uint32_t mask);
void special_nothing(struct warp *w, const struct xop *x, uint32_t mask);
void scalar_execute(struct warp *w, const struct xop *x, uint32_t mask);
void scalar_execute_rounded(struct warp *w, const struct xop *x, uint32_t mask);
void special_local_address(struct warp *w, const struct xop *x, uint32_t mask);
void special_pack(struct warp *w, const struct xop *x, uint32_t mask);
void special_unpack(struct warp *w, const struct xop *x, uint32_t mask);
void special_move_vector(struct warp *w, const struct xop *x, uint32_t mask);
void special_move_wide(struct warp *w, const struct xop *x, uint32_t mask);
void special_predicate_logic(struct warp *w, const struct xop *x, uint32_t mask);
void special_setp_half(struct warp *w, const struct xop *x, uint32_t mask);
void special_setp(struct warp *w, const struct xop *x, uint32_t mask);
void special_set(struct warp *w, const struct xop *x, uint32_t mask);
void special_setp_flushed(struct warp *w, const struct xop *x, uint32_t mask); /* .ftz */
void special_set_flushed(struct warp *w, const struct xop *x, uint32_t mask);
void special_carry(struct warp *w, const struct xop *x, uint32_t mask); /* add.cc, addc, sub.cc, subc, mad.cc, madc */
void special_lop3_predicate(struct warp *w, const struct xop *x, uint32_t mask);
void special_bfi(struct warp *w, const struct xop *x, uint32_t mask); /* four sources */

/* texture.c, surface.c, matrix.c */
void texture_sample(struct warp *w, const struct xop *x, uint32_t mask);
void texture_query(struct warp *w, const struct xop *x, uint32_t mask);
void surface_access(struct warp *w, const struct xop *x, uint32_t mask);
void surface_reduce(struct warp *w, const struct xop *x, uint32_t mask);
void surface_store_formatted(struct warp *w, const struct xop *x, uint32_t mask);
void matrix_execute(struct warp *w, const struct xop *x, uint32_t mask);

/* fault.c: what the program did wrong; the first fault of a run is kept. */
/* NULL, or zeros to go on with when such accesses only cause a warning. */
uint8_t *fault_access(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write,
                      const char *what);
void fault_misaligned(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes, bool write);
void fault_assert(struct warp *w, const struct xop *x, uint32_t lane, const char *text);
void fault_plain(struct warp *w, const struct xop *x, uint32_t lane, const char *format, ...) __attribute__((format(printf, 4, 5)));
void fault_warn_unwritten(struct warp *w, const struct xop *x, uint32_t lane, uint64_t address, uint32_t bytes);

/* host_poll.c: looks at what has just been executed, once run->poll.from instructions are done. */
enum { POLL_AFTER = 200000 };
void host_poll_look(struct warp *w, const struct xop *x);

void later_execute(struct warp *w, const struct xop *x, uint32_t mask); /* see later.h */

/* One instruction of a warp that is neither finished nor waiting. `put_off`: of a view. */
static inline __attribute__((always_inline)) void warp_execute_as(struct warp *w, const struct image *image, bool put_off)
{
    const struct xop *x = &image->code[w->pc];
    uint32_t mask = w->front.active;
    if (x->guard)
        mask &= *(const uint32_t *)(const void *)(w->base[BASE_REGS] + x->guard) ^ x->guard_flip;
    w->executed = mask;
    if (x->is_control) {
        x->fn(w, x, mask);
    } else {
        if (mask && put_off && x->is_shared)
            later_execute(w, x, mask);
        else if (mask)
            x->fn(w, x, mask);
        if (++w->pc == w->reconverge)
            warp_pop(w);
    }
}
static inline void warp_execute(struct warp *w, const struct image *image)
{
    warp_execute_as(w, image, false);
}

/* image.c */
struct image *image_build(struct device *device, const struct loaded_module *module, const struct ptx_function *fn,
                          struct error *err);
void image_free(struct image *image);
#endif
