/* exec.h - running PTX for its values: device memory, loaded modules, launches.
 *
 * A `device` is what a CUDA context sees: a 64-bit address space at fixed addresses, and modules loaded into it. A launch
 * makes a `struct front` that the machine steps warp by warp; exec_run_functional steps it without a machine. */
#ifndef WARPLINE_EXEC_EXEC_H
#define WARPLINE_EXEC_EXEC_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "front/front.h"
#include "ptxas/ptxas.h"

struct exec_options {
    uint64_t memory_bytes;  /* device memory capacity */
    uint64_t heap_bytes;    /* device-side malloc */
    bool fused_fma;         /* false: fma and mad round twice, as the reference does; for validation only */
    bool reconverge_late;   /* a branch that some path leaves by ret or exit meets again only at the function's end; see ptx.h */
    struct ptxas_view view; /* what the machine sees of code and calls */
    bool never_yield;       /* lanes that spin do not let others of their warp run; see spin.c */
    ptx_integer *integer;   /* the value of an integer constant of 64 bits; NULL: what it says */
    bool warn_uninitialised;
    bool warn_out_of_bounds; /* an access outside memory is a warning: reads find zeros, writes are lost; else it ends the kernel */
    uint64_t guard_bytes;    /* left free behind every allocation, so that an overrun does not reach a neighbour */
    uint64_t first_address;  /* where cudaMalloc starts; 0: the default */
    uint32_t alignment;      /* of allocations; 0: 256 */
    bool allow_divergent_barriers;   /* a barrier reached by part of a warp counts for all of it, as before Volta; else an error */
    const volatile int *interrupted; /* functional runs stop when it is not 0; NULL: never */
    uint32_t sms;                    /* what %nsmid reads; 0: 1 */
    const char *lanes; /* vector code: "portable", "avx2", "avx512"; NULL: the best of this host. Results are the same */
    bool races;        /* looks for accesses that nothing orders (race.c), says them on stderr and to `race` */
    void (*race)(void *context, const char *kernel, const char *text); /* NULL: nobody wants to know */
    void *race_context;
    void (*print)(void *context, const char *text, size_t length); /* device printf; NULL: stdout */
    void *print_context;
};

struct device;
struct device *device_new(const struct exec_options *options, struct error *err);
void device_free(struct device *device);

/* Allocation tracking. Addresses depend only on the order of calls. device_alloc returns 0 when memory is exhausted. */
uint64_t device_alloc(struct device *device, uint64_t bytes);
bool device_release(struct device *device, uint64_t address);   /* false: not an allocation */
bool device_resize_heap(struct device *device, uint64_t bytes); /* false once a kernel has allocated from it */
void device_memory_info(const struct device *device, uint64_t *free_bytes, uint64_t *total_bytes);
/* Host copies: false when the range is not inside one live allocation or symbol. */
bool device_write(struct device *device, uint64_t address, const void *from, uint64_t bytes, struct error *err);
bool device_read(struct device *device, uint64_t address, void *to, uint64_t bytes, struct error *err);
bool device_fill(struct device *device, uint64_t address, uint8_t value, uint64_t bytes, struct error *err);
bool device_copy(struct device *device, uint64_t to, uint64_t from, uint64_t bytes, struct error *err);
/* Maps host memory (registered, pinned or managed) so that kernels reach it. We choose the device address. */
uint64_t device_map_host(struct device *device, void *host, uint64_t bytes);
/* The same at an address of the caller's choice (managed memory: the host's own); false: something lies there. */
bool device_map_host_at(struct device *device, void *host, uint64_t bytes, uint64_t address);
bool device_unmap_host(struct device *device, void *host);
bool device_is_valid(const struct device *device, uint64_t address, uint64_t bytes);
/* The allocation, symbol or mapped memory that an address lies in; false: in none. */
bool device_find_range(const struct device *device, uint64_t address, uint64_t *start, uint64_t *bytes);

/* True when the device itself has a function of this name (printf's, malloc's) for kernels to call. */
bool device_provides(const char *function);

/* PTX as this device reads it. */
struct ptx_module *device_parse(const struct device *device, const char *file, const char *text, size_t length, struct error *err);
/* Loads a parsed module (several modules of one program are linked by name); takes ownership of it. */
struct loaded_module;
struct loaded_module *device_load_module(struct device *device, struct ptx_module *module, struct error *err);
/* The same in two steps, for modules that name each other's symbols in initial values: first all are added, then each is linked.
 * In modules of one group (not 0) a weak name is shared: the definition that is not weak counts, or else the first. */
struct loaded_module *device_add_module(struct device *device, struct ptx_module *module, uint32_t link_group, struct error *err);
bool device_link_module(struct device *device, struct loaded_module *module, struct error *err);
struct kernel;
struct kernel *device_find_kernel(struct device *device, struct loaded_module *module, const char *name); /* module NULL: any */
bool device_find_symbol(struct device *device, struct loaded_module *module, const char *name, uint64_t *address, uint64_t *bytes);
const struct ptx_module *kernel_module(const struct kernel *kernel);
const struct ptx_function *kernel_function(const struct kernel *kernel);

/* Textures and surfaces are views of device memory. A handle is what a texture or surface object holds; binding gives a
 * module's .texref or .surfref (or the handle variable of that name) a view. Rows are `pitch_bytes` apart, slices and layers
 * `slice_bytes`; a cube map is six layers. */
enum texture_element { ELEMENT_UNSIGNED, ELEMENT_SIGNED, ELEMENT_FLOAT };
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER }; /* as cudaTextureAddressMode */
struct texture_view {
    uint64_t address;
    uint32_t width, height, depth; /* elements; depth: slices or layers; 0 for dimensions it has not */
    uint64_t pitch_bytes, slice_bytes;
    uint8_t channels, channel_bits; /* 1, 2 or 4 of 8, 16 or 32 bits */
    uint8_t element;                /* enum texture_element */
    uint8_t address_mode[3];
    bool linear_filter, normalized_coordinates, normalized_float; /* normalized_float: integers read as [0,1] or [-1,1] */
    float border[4];
};
uint64_t device_create_texture(struct device *device, const struct texture_view *view); /* never 0 */
bool device_destroy_texture(struct device *device, uint64_t handle);
const struct texture_view *device_find_texture(const struct device *device, uint64_t handle);
bool device_bind_texture(struct device *device, struct loaded_module *module, const char *name, const struct texture_view *view);
void device_unbind_texture(struct device *device, const struct loaded_module *module, const char *name);

struct launch {
    struct kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    const uint8_t *params; /* the parameter block, laid out as the entry's .param list */
    size_t param_bytes;
    uint32_t registers_override;     /* 0: the estimate or .maxnreg */
    uint32_t static_shared_override; /* what occupancy counts; UINT32_MAX: the PTX's and the dynamic bytes */
    bool cooperative;                /* grid-wide synchronisation is allowed; functional runs then keep all CTAs in flight */
    uint32_t resident_ctas;          /* CTAs that the machine would hold at once; 0: not known. Functional runs with races use it */
    uint64_t grid_workspace;         /* cooperative: what nvcc's grid barrier finds in %envreg1:%envreg2; 0 none */
};
/* What kernels that have ended launched from the device, in the order in which it is to be run, each after the one before and all
 * that it launches itself. False: there is nothing left. `params` is the caller's to free. */
bool device_next_child(struct device *device, struct launch *launch, uint8_t **params);
void device_drop_children(struct device *device); /* after a kernel that failed */
/* Graphs are the caller's, told by numbers: which of them device code may launch, whose kernel runs next (0: no graph's), and what
 * kernels that have ended launched, in order, to run at once or after the graph. False: there is nothing left. */
void device_allow_graph(struct device *device, uint64_t graph, bool allowed);
void device_enter_graph(struct device *device, uint64_t graph);
bool device_next_graph(struct device *device, uint64_t *graph, bool *is_tail);

/* Addresses in warp_step: global and constant: device addresses; shared: offsets in the CTA's shared memory; local: offsets in
 * the thread's local memory, not interleaved; parameters: offsets in the parameter block.
 * The front end of one launch; `clock` is read by %clock and friends. Destroy it with front->ops->destroy. */
struct front *exec_launch(struct device *device, const struct launch *launch, const struct front_clock *clock, struct error *err);

/* Runs CTA after CTA. A warp runs as far as it can, or up to a load of what the launch may also write: there the warps, and the
 * CTAs that are resident at once, take turns as they would on a GPU (turns.c). When a warp runs very long, as one that waits for
 * another CTA does, the next CTA joins in. A cooperative launch starts them all. The counts are right even when it fails.
 * max_instructions 0: no limit. */
struct functional_result {
    uint64_t warp_instructions, thread_instructions;
};
bool exec_run_functional(struct front *front, uint64_t max_instructions, struct functional_result *out, struct error *err);
#endif
