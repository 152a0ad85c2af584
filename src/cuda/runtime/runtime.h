/* runtime.h - what the calls of our libcudart share.
 *
 * The CUDA runtime has no handle of its own: its state is the process's. It is kept in one place, runtime.c, behind one lock;
 * every exported call is runtime_enter ... return runtime_leave(code). Everything is done when a call returns. Streams never
 * overlap, which keeps their order, and simulated time passes only inside kernels. */
#ifndef WARPLINE_CUDA_RUNTIME_RUNTIME_H
#define WARPLINE_CUDA_RUNTIME_RUNTIME_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

#include "run/channel.h"
#include "run/session.h"

#ifndef WARPLINE_CUDART_MAJOR
#define WARPLINE_CUDART_MAJOR 13 /* the ABI of this build: 11, 12 or 13 */
#endif

/* One PTX text of the program, loaded into the device when something of it is first used. */
struct code_piece {
    const void *container;
    struct ptx_module *ptx; /* owned by the device once loaded */
    struct loaded_module *loaded;
};
struct program_module { /* one __cudaRegisterFatBinary */
    struct program_module *next;
    struct code_piece *pieces;
    uint32_t piece_count;
    bool tried, failed;
    bool is_new;       /* loaded, but its initial values are not complete: a library that is opened later adds modules to those
                        * that ran */
    bool is_linked;    /* made with -rdc=true by warpline cc: names are found in all such modules together */
    void *handle_slot; /* what the program holds is the address of this */
};
struct program_function {
    struct program_function *next;
    struct program_module *module;
    const void *host;
    const char *name;
    struct kernel *kernel; /* NULL until first used */
    const struct ptx_module *ptx;
    int max_dynamic_shared; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
};
struct program_variable {
    struct program_variable *next;
    struct program_module *module;
    const void *host; /* the shadow's address; managed: the address of the pointer */
    const char *name;
    size_t bytes;
    bool managed;
    bool in_place;               /* managed, and the shadow itself is the host's side (programs made by warpline cc) */
    bool is_texture, normalised; /* a texture or surface reference; integers read as floats in [0,1] or [-1,1] */
    void *pages;                 /* managed: the host's side, once loaded */
    uint64_t address;            /* managed: the device's side */
};

struct host_block { /* pinned, managed or registered memory */
    struct host_block *next;
    void *host;
    uint64_t device;
    size_t bytes;
    unsigned int flags;
    enum { BLOCK_PINNED, BLOCK_MANAGED, BLOCK_REGISTERED } kind;
    /* What was advised of managed memory, for programs that ask (cudaMemRangeGetAttribute); places are devices, cudaCpuDeviceId or
     * cudaInvalidDeviceId. */
    bool read_mostly, by_device, by_host;
    int preferred, prefetched;
};

/* What a stream or an event of a capture did last. What comes next depends on it. */
struct capture_tail {
    cudaGraphNode_t *nodes;
    size_t count;
};
struct CUstream_st {
    unsigned long long id;
    unsigned int flags;
    int priority;
    uint64_t capture_id;
    struct capture_tail tail;
};
struct CUevent_st {
    unsigned int flags;
    bool recorded;
    double seconds;
    uint64_t capture_id;
    struct capture_tail tail;
};

/* Memory pools. Their settings change nothing and are only remembered for programs that ask (pool_calls.c). */
struct CUmemPoolHandle_st {
    uint64_t threshold;
    enum cudaMemAccessFlags access;
    struct CUmemPoolHandle_st *next;
};

struct capture;

/* All that the library keeps, except what belongs to a thread. */
struct runtime {
    pthread_mutex_t lock;
    struct session_setup setup;
    struct session_options options;
    struct session *session;        /* NULL until the first call that needs a device */
    struct channel_address results; /* `warpline run`; owner 0: nobody listens */
    cudaError_t sticky;             /* a failed kernel leaves the context unusable */
    struct program_module *modules;
    struct program_function *functions;
    struct program_variable *variables;
    struct host_block *blocks;
    struct host_range {
        const char *first, *end;
        struct host_range *next;
    } * managed;                 /* where managed variables of `warpline cc` lie */
    uint64_t grid_workspace;     /* for cooperative launches; 0 until the first */
    struct wlt_writer *recorder; /* NULL: nothing is recorded */
    struct channel_board *board; /* tells `warpline run` which kernel is running; NULL: nobody asks */
    int board_process;           /* a fork of it tells nothing */
    int recording_process;       /* a fork of it records nothing */
    size_t heap_limit, stack_limit, printf_limit;
    struct capture *captures; /* streams that capture (capture.c) */
    struct graph_memory *graph_memory;
    struct graph_condition *graph_conditions;
    struct graph_frame *graph_frame;      /* the graph whose nodes run (graph_launches.c) */
    struct address_range *address_ranges; /* driver_ranges.c */
    struct range_mapping *range_mappings;
    uint64_t last_capture, last_node;
    unsigned long long streams_made;
    struct texture_object *textures;  /* what texture and surface objects were made of (texture_calls.c) */
    uintptr_t next_page;              /* where the next pages of the host go; addresses are not used again */
    struct CUmemPoolHandle_st pool;   /* the device's own */
    struct CUmemPoolHandle_st *pools; /* made by the program */
    struct CUmemPoolHandle_st *pool_in_use;
    unsigned refusals;        /* messages printed so far */
    bool told_of_shared;      /* that an SM has too little shared memory is said once */
    volatile int interrupted; /* the number of the signal that came while a kernel ran */
};

/* A launch that is being put together: nested when an argument's constructor launches too. */
enum { CONFIGURATIONS = 16 };
struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
/* What CUDA keeps for each thread of the program. */
struct runtime_thread {
    cudaError_t last_error;
    struct configuration configurations[CONFIGURATIONS];
    unsigned configuration_count;
    enum cudaStreamCaptureMode capture_mode; /* cudaStreamCaptureModeGlobal is 0 */
};

/* Takes the lock. Never fails; the device is not there yet. */
struct runtime *runtime_enter(void);
/* The same, with a device. On failure *code is not cudaSuccess and the call must end with it. */
struct runtime *runtime_enter_device(cudaError_t *code);
/* Releases the lock, and remembers an error for cudaGetLastError. */
cudaError_t runtime_leave(cudaError_t code);
/* Without the lock: for code that already holds it, for signal handlers, and for reading a single word. */
struct runtime *runtime_state(void);
struct runtime_thread *runtime_thread(void);
/* Says on stderr what went wrong inside the simulator, and tells `warpline run`. */
void runtime_report(struct runtime *r, const struct error *failure);
/* Tells `warpline run` of a call that failed and whose result the program may not have checked; the first hundred. */
struct refusal;
void runtime_refused(struct runtime *r, const struct refusal *refusal);
int runtime_results(const struct runtime *r); /* where records go, to be closed after each; -1: nobody listens */
/* Tells `warpline run` which kernel is running, "" for none, so that it knows when the program ends in the middle of one. */
void runtime_show_running(const struct runtime *r, const char *kernel);
struct device *runtime_device(struct runtime *r);

/* modules.c */
struct program_function *runtime_find_function(struct runtime *r, const void *host);
bool runtime_load_function(struct runtime *r, struct program_function *function, cudaError_t *code);
bool runtime_find_variable(struct runtime *r, const void *host, uint64_t *address, uint64_t *bytes, cudaError_t *code);

/* The reference at this host address, its module loaded. */
struct program_variable *runtime_find_reference(struct runtime *r, const void *host, cudaError_t *code);
struct loaded_module *runtime_variable_piece(struct runtime *r, const struct program_variable *v, uint64_t *address);

/* Makes both sides of managed variables equal: before and after a kernel. */
void runtime_sync_managed(struct runtime *r, bool to_device);

/* host_memory.c: pages at addresses that depend only on the order of calls. */
#define HOST_PAGES_FIRST ((uintptr_t)0x400000000000)
void *host_pages_new(size_t bytes);
void host_pages_free(void *pages, size_t bytes);
struct host_block *runtime_add_block(struct runtime *r, void *host, size_t bytes, int kind, unsigned int flags);
struct host_block *runtime_find_block(struct runtime *r, const void *pointer);
void runtime_remove_block(struct runtime *r, struct host_block *block);

/* copies.c */
enum cuda_side { SIDE_HOST, SIDE_DEVICE };
cudaError_t runtime_copy(struct runtime *r, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
/* Rows of elements of 1, 2 or 4 bytes. */
struct cudaMemsetParams;
cudaError_t runtime_fill(const struct cudaMemsetParams *params);

/* textures.c */
struct cudaArray {
    uint64_t address;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* elements; height and depth 0 when there are none */
    size_t element_bytes, pitch;
    unsigned int flags;
};

void texture_objects_forget(struct runtime *r);

/* The _ptsz and _ptds names are those of programs made with -default-stream per-thread: the same calls here. */
#define PER_THREAD(name, suffix) extern __typeof__(name) name##_##suffix __attribute__((alias(#name)));
/* Between the texts of PTX that nvJitLink has put together; a comment, as PTX has them. */
#define NEXT_LINKED_TEXT "\n//warpline: the next of several linked texts\n"

#endif
