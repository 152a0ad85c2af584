/* child.c - kernels that kernels launch: the calls that nvcc makes of `<<<>>>` in device code, and the list of what is to be run.
 *
 * A launch from the device is kept until its parent has ended, and then run as a launch of its own. CUDA promises no more: a parent
 * cannot wait for its children, those of one stream run in order, each with its own children, and those of the stream for tail
 * launches after all others; copies and fills stand among them. The stream is otherwise ignored: what need not be ordered may be.
 */
#include "exec/child.h"

#include <stdlib.h>

/* Handles that cudaStreamTailLaunch and cudaStreamFireAndForget are, as device code sees them. */
enum { STREAM_TAIL_LAUNCH = 3, FIRST_STREAM = 0x100 };
enum { BUFFER_BYTES = 4096 }; /* the most that a kernel's parameters may take */

struct child {
    struct kernel *kernel; /* NULL: a copy or a fill of `bytes` to `buffer` */
    uint64_t from, bytes;
    int byte; /* -1: a copy */
    uint32_t grid[3], block[3], shared_bytes;
    uint64_t buffer; /* device address of its parameters */
    bool is_asked, is_tail;
    struct child *next;
};

struct child_error {
    uint32_t ctaid[3], thread, code;
    struct child_error *next;
};

static void forget_errors(struct children *c)
{
    while (c->errors) {
        struct child_error *next = c->errors->next;
        free(c->errors);
        c->errors = next;
    }
}

/* Where the lane's error is linked in; the link is NULL when it has none. */
static struct child_error **find_error(const struct warp *w, uint32_t lane)
{
    struct child_error **link = &w->run->device->children.errors;
    while (*link && ((*link)->thread != w->index * 32 + lane || memcmp((*link)->ctaid, w->cta->ctaid, sizeof(*link)->ctaid) != 0))
        link = &(*link)->next;
    return link;
}

void child_note_error(const struct warp *w, uint32_t lane, uint32_t code)
{
    struct child_error **link = find_error(w, lane);
    if (!*link) {
        *link = must_calloc(1, sizeof **link);
        (*link)->thread = w->index * 32 + lane;
        memcpy((*link)->ctaid, w->cta->ctaid, sizeof(*link)->ctaid);
    }
    (*link)->code = code;
}

uint32_t child_last_error(const struct warp *w, uint32_t lane, bool take)
{
    struct child_error **link = find_error(w, lane), *found = *link;
    const uint32_t code = found ? found->code : 0;
    if (found && take) {
        *link = found->next;
        free(found);
    }
    return code;
}

void children_free(struct children *c)
{
    forget_errors(c);
    while (c->fresh) {
        struct child *next = c->fresh->next;
        free(c->fresh);
        c->fresh = next;
    }
    while (c->ready) {
        struct child *next = c->ready->next;
        free(c->ready);
        c->ready = next;
    }
}

static struct kernel *kernel_at(const struct device *device, uint64_t address)
{
    for (struct loaded_module *m = device->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->ptx->function_count; i++)
            if (m->function_address[i] == address && m->ptx->functions[i].is_entry && m->ptx->functions[i].is_defined)
                return &m->kernels[i];
    return NULL;
}

/* What CUDA refuses of a launch before it looks at the machine: a cudaError_t. */
static uint32_t check_shape(const struct ptx_function *fn, const struct child_shape *shape)
{
    enum { INVALID_CONFIGURATION = 9, LAUNCH_OUT_OF_RESOURCES = 701, MOST_THREADS = 1024, MOST_Z = 64, MOST_BLOCKS_YZ = 65535 };
    uint64_t threads = 1, bound = 1;
    for (int k = 0; k < 3; k++) {
        if (!shape->grid[k] || !shape->block[k] || shape->block[k] > MOST_THREADS)
            return INVALID_CONFIGURATION;
        threads *= shape->block[k];
        bound *= fn->max_threads[k] ? fn->max_threads[k] : 1;
    }
    if (threads > MOST_THREADS || shape->block[2] > MOST_Z || shape->grid[0] > INT32_MAX || shape->grid[1] > MOST_BLOCKS_YZ ||
        shape->grid[2] > MOST_BLOCKS_YZ)
        return INVALID_CONFIGURATION;
    return fn->max_threads[0] && threads > bound ? LAUNCH_OUT_OF_RESOURCES : 0;
}

uint64_t child_parameters(struct warp *w, const struct xop *x, uint32_t lane, const struct child_shape *shape)
{
    struct device *device = w->run->device;
    struct kernel *kernel = kernel_at(device, shape->kernel);
    if (!kernel) {
        fault_plain(w, x, lane, "a launch of 0x%llx, where no kernel is", (unsigned long long)shape->kernel);
        return 0;
    }
    const uint32_t refused = check_shape(kernel->fn, shape);
    if (refused) {
        child_note_error(w, lane, refused);
        return 0;
    }
    const uint32_t bytes = kernel->fn->param_bytes ? kernel->fn->param_bytes : 1;
    const uint64_t buffer = bytes <= BUFFER_BYTES ? memory_heap_alloc(&device->memory, bytes) : 0;
    if (!buffer) {
        fault_plain(w, x, lane, "no memory for the arguments of another launch: --set device.heap gives more");
        return 0;
    }
    struct child *child = must_calloc(1, sizeof *child);
    *child = (struct child){ .kernel = kernel, .shared_bytes = shape->shared_bytes, .buffer = buffer };
    memcpy(child->grid, shape->grid, sizeof child->grid);
    memcpy(child->block, shape->block, sizeof child->block);
    child->next = device->children.fresh;
    device->children.fresh = child;
    return buffer;
}

uint32_t child_launch(struct warp *w, const struct xop *x, uint32_t lane, uint64_t buffer, uint64_t stream)
{
    enum { INVALID_VALUE = 1 };
    struct child *found = w->run->device->children.fresh;
    while (found && (found->buffer != buffer || found->is_asked))
        found = found->next;
    if (!found) {
        fault_plain(w, x, lane, "a launch with the arguments at 0x%llx, which cudaGetParameterBuffer has not given",
                    (unsigned long long)buffer);
        return INVALID_VALUE;
    }
    found->is_asked = true;
    found->is_tail = stream == STREAM_TAIL_LAUNCH;
    return 0;
}

uint32_t child_copy(struct device *device, uint64_t to, uint64_t from, int byte, uint64_t bytes, uint64_t stream)
{
    enum { INVALID_VALUE = 1 };
    const struct memory *m = &device->memory;
    if (!bytes)
        return 0;
    if (!memory_host(m, to, bytes) || (byte < 0 && !memory_host(m, from, bytes)))
        return INVALID_VALUE;
    struct child *child = must_calloc(1, sizeof *child);
    *child = (struct child){ .buffer = to,
                             .from = from,
                             .byte = byte,
                             .bytes = bytes,
                             .is_asked = true,
                             .is_tail = stream == STREAM_TAIL_LAUNCH,
                             .next = device->children.fresh };
    device->children.fresh = child;
    return 0;
}

static void copy_now(struct memory *m, const struct child *c)
{
    uint8_t *to = memory_host(m, c->buffer, c->bytes);
    const uint8_t *from = c->byte < 0 ? memory_host(m, c->from, c->bytes) : NULL;
    if (to && from) /* nobody has freed it since */
        memmove(to, from, c->bytes);
    else if (to && c->byte >= 0)
        memset(to, c->byte, c->bytes);
    if (to && m->written)
        memory_mark_written(m, c->buffer, c->bytes);
}

uint64_t child_stream(struct device *device)
{
    return FIRST_STREAM + device->children.streams++;
}

/* What the kernel that has ended asked for goes before what was waiting: a child has ended when its own children have. */
static void sort_in(struct device *device)
{
    struct children *c = &device->children;
    struct child *all = c->fresh, *others = NULL;
    c->fresh = NULL;
    forget_errors(c);
    while (all) { /* the last first: each goes in front of those that were asked for later */
        struct child *each = all;
        all = each->next;
        if (!each->is_asked) { /* a buffer that nobody launched with */
            (void)memory_heap_release(&device->memory, each->buffer);
            free(each);
        } else {
            struct child **list = each->is_tail ? &c->ready : &others;
            each->next = *list;
            *list = each;
        }
    }
    struct child **end = &others;
    while (*end)
        end = &(*end)->next;
    *end = c->ready;
    c->ready = others;
}

bool device_next_child(struct device *device, struct launch *launch, uint8_t **params)
{
    struct children *c = &device->children;
    sort_in(device);
    while (c->ready && !c->ready->kernel) {
        struct child *copy = c->ready;
        copy_now(&device->memory, copy);
        c->ready = copy->next;
        free(copy);
    }
    struct child *child = c->ready;
    if (!child)
        return false;
    const size_t bytes = child->kernel->fn->param_bytes;
    *launch = (struct launch){ .kernel = child->kernel,
                               .dynamic_shared_bytes = child->shared_bytes,
                               .param_bytes = bytes,
                               .static_shared_override = UINT32_MAX };
    memcpy(launch->grid, child->grid, sizeof launch->grid);
    memcpy(launch->block, child->block, sizeof launch->block);
    *params = must_calloc(1, bytes + 1);
    const uint8_t *from = memory_host(&device->memory, child->buffer, bytes);
    if (from)
        memcpy(*params, from, bytes);
    launch->params = *params;
    (void)memory_heap_release(&device->memory, child->buffer);
    c->ready = child->next;
    free(child);
    return true;
}

void device_drop_children(struct device *device)
{
    struct launch launch;
    uint8_t *params;
    while (device_next_child(device, &launch, &params))
        free(params);
}
