/* device.h - the inside of a device: its memory, modules, kernels and texture views. */
#ifndef WARPLINE_EXEC_DEVICE_H
#define WARPLINE_EXEC_DEVICE_H
#include "exec/exec.h"
#include "exec/memory.h"

struct image;

struct kernel {
    struct loaded_module *module;
    const struct ptx_function *fn;
    struct image *image; /* decoded on first launch */
};

struct loaded_module {
    struct ptx_module *ptx;
    uint64_t *variable_address; /* per variable: device address of .global and .const, 0 for others */
    uint64_t *function_address; /* per function: FUNCTION_WINDOW + its first pc */
    struct inst **timing;       /* per function, NULL when it has no body */
    struct kernel *kernels;     /* per function; entries only are launched */
    uint32_t link_group;        /* 0: none. A weak name means the same in all modules of a group */
    struct loaded_module *next; /* in the order of loading */
};

struct texture {
    struct texture_view view;
    bool live;
};
struct texture_binding {
    const struct loaded_module *module;
    char *name;
    struct texture_view view;
    uint64_t address; /* of the .texref */
};

/* Launches that device code has asked for (child.c): of the kernel that runs, and of those that have ended. */
struct child;
struct children {
    struct child *fresh, *ready;
    struct child_error *errors; /* of threads of the kernel that runs, until they ask */
    uint64_t streams;
};
void children_free(struct children *c);
/* Launches of graphs by device code (child_graph.c). */
struct graph_launches {
    struct known_graph *known;  /* that device code may launch */
    struct graph_launch *asked; /* in order */
    uint64_t running;           /* whose kernel runs; 0: none */
};
void graph_launches_free(struct device *device);

struct device {
    struct exec_options options;
    struct memory memory;
    struct loaded_module *modules;
    uint64_t next_pc;
    struct texture *textures;
    uint32_t texture_count, texture_capacity;
    struct texture_binding *bindings;
    uint32_t binding_count, binding_capacity;
    struct children children;
    struct graph_launches graph_launches;
};

/* Where a name is defined, in whichever module. `from` is searched first, unless its own definition is weak and it belongs to a
 * group. */
bool device_resolve_function(const struct device *device, const struct loaded_module *from, const char *name,
                             const struct loaded_module **module, uint32_t *index);
bool device_resolve_variable(const struct device *device, const struct loaded_module *from, const char *name,
                             const struct loaded_module **module, uint32_t *index);
const struct texture_view *device_find_binding(const struct device *device, const struct loaded_module *module, const char *name);
#endif
