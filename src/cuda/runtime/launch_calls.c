/* launch_calls.c - kernels: what <<< >>> becomes, attributes, occupancy. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/machine.h"
#include "graphs.h"
#include "run/channel.h"
#include "run/profile.h"

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    GRID_WORKSPACE_BYTES = 64 /* nvcc's grid barrier counts in its second word */
};

static void on_interrupt(int number)
{
    runtime_state()->interrupted = number;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    struct runtime_thread *t = runtime_thread();
    if (t->configuration_count == CONFIGURATIONS)
        return 1;
    t->configurations[t->configuration_count++] = (struct configuration){ grid, block, shared, stream };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    struct runtime_thread *t = runtime_thread();
    if (t->configuration_count == 0) { /* a kernel called as a plain function; clang's stub launches with what it finds here */
        *grid = *block = (dim3){ 0, 0, 0 };
        *shared = 0;
        *(cudaStream_t *)stream = NULL;
        return t->last_error = cudaErrorMissingConfiguration;
    }
    const struct configuration *c = &t->configurations[--t->configuration_count];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

/* The kernel's parameters, each at the offset that the PTX gives it. The caller frees. */
static uint8_t *pack_parameters(const struct program_function *f, void **args, size_t *bytes)
{
    const struct ptx_function *fn = kernel_function(f->kernel);
    uint8_t *block = must_calloc(1, fn->param_bytes ? fn->param_bytes : 1);
    for (uint32_t i = 0; i < fn->param_count; i++) {
        const struct ptx_variable *v = &f->ptx->variables[fn->params[i]];
        memcpy(block + v->offset, args[i], v->bytes);
    }
    *bytes = fn->param_bytes;
    return block;
}

static cudaError_t code_of(enum fault_kind fault)
{
    static const cudaError_t codes[] = { [FAULT_NONE] = cudaErrorLaunchFailure,
                                         [FAULT_ADDRESS] = cudaErrorIllegalAddress,
                                         [FAULT_MISALIGNED] = cudaErrorMisalignedAddress,
                                         [FAULT_ASSERT] = cudaErrorAssert,
                                         [FAULT_OTHER] = cudaErrorLaunchFailure };
    return codes[fault];
}

static uint32_t blocks_per_sm(const struct runtime *r, const struct ptx_function *fn, uint32_t threads, size_t dynamic_shared)
{
    if (dynamic_shared > r->setup.machine->sm.shared_bytes)
        return 0;
    return session_blocks_per_sm(r->session, threads, session_registers(r->session, fn, threads),
                                 (uint32_t)dynamic_shared + fn->shared_bytes);
}

/* The largest block of a kernel: launch bounds, where it has them. */
static uint64_t most_threads(const struct ptx_function *fn)
{
    uint64_t most = fn->max_threads[0] ? fn->max_threads[0] : MAX_THREADS;
    for (int k = 1; k < 3; k++)
        most *= fn->max_threads[0] && fn->max_threads[k] ? fn->max_threads[k] : 1;
    return most < MAX_THREADS ? most : MAX_THREADS;
}

/* True when an SM has that much shared memory; says once which parameter decides, since programs see only "invalid argument". */
static bool fits_shared(struct runtime *r, const struct ptx_function *fn, uint64_t dynamic)
{
    const uint64_t has = r->setup.machine->sm.shared_bytes, wanted = dynamic > UINT32_MAX ? dynamic : dynamic + fn->shared_bytes;
    if (wanted > has && !r->told_of_shared) {
        r->told_of_shared = true;
        (void)fprintf(stderr,
                      "warpline: kernel %s asks for %llu bytes of shared memory, and an SM of this machine has %llu: "
                      "--set sm.shared=%lluKiB gives it as much\n",
                      fn->name, (unsigned long long)wanted, (unsigned long long)has, (unsigned long long)(wanted + 1023) / 1024);
    }
    return wanted <= has;
}

static cudaError_t check_shape(struct runtime *r, const struct program_function *f, dim3 grid, dim3 block, size_t shared,
                               const char **why)
{
    const struct ptx_function *fn = kernel_function(f->kernel);
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    *why = "a dimension of the grid or the block is zero";
    if (!grid.x || !grid.y || !grid.z || !threads)
        return cudaErrorInvalidConfiguration;
    *why = "the block is too large: 1024 threads are the most, and 64 in z";
    if (block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > MAX_BLOCK_Z || threads > MAX_THREADS)
        return cudaErrorInvalidConfiguration;
    *why = "the grid is too large: 65535 blocks are the most in y and z";
    if (grid.x > INT32_MAX || grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
        return cudaErrorInvalidConfiguration;
    *why = "it needs more shared memory than an SM of this machine has; see --set sm.shared";
    if (!fits_shared(r, fn, shared))
        return cudaErrorInvalidValue;
    *why = "the block is larger than the kernel's launch bounds";
    if (threads > most_threads(fn))
        return cudaErrorLaunchOutOfResources;
    *why = "not one of its blocks fits on an SM of this machine: threads, registers or shared memory";
    if (blocks_per_sm(r, fn, (uint32_t)threads, shared) == 0)
        return cudaErrorLaunchOutOfResources;
    return cudaSuccess;
}

static void tell_refused(struct runtime *r, const char *kernel, dim3 grid, dim3 block, size_t shared, const char *why)
{
    struct refusal refusal = {
        .is_launch = true, .grid = { grid.x, grid.y, grid.z }, .block = { block.x, block.y, block.z }, .bytes = shared
    };
    (void)snprintf(refusal.name, sizeof refusal.name, "%s", kernel);
    (void)snprintf(refusal.reason, sizeof refusal.reason,
                   "grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of dynamic shared memory: %s", grid.x, grid.y, grid.z, block.x,
                   block.y, block.z, shared, why);
    runtime_refused(r, &refusal);
}

/* A limit or Ctrl-C stopped it. The results so far have been sent, and the program cannot go on without its kernel. What a profile
 * has by a limit is for a second run that ends there, too. */
static _Noreturn void end_program(struct runtime *r)
{
    struct error err = { .code = CODE_INTERNAL };
    if (!r->interrupted && r->recording_process == getpid() && !profile_write(r->options.profile, &err))
        runtime_report(r, &err);
    (void)fflush(NULL);
    _exit(r->interrupted ? 128 + r->interrupted : 0);
}

static cudaError_t simulate_one(struct runtime *r, const struct launch *launch)
{
    struct error err = { .code = CODE_INTERNAL };
    struct kernel_result result;
    uint32_t group_count;
    const struct stat_group *const *groups = session_stat_groups(r->session, &group_count);
    /* While a kernel runs a signal stops it gently, and so it does until the numbers have been sent: the same wish may come twice,
     * from the terminal and from warpline. Between kernels the signal acts as usual. */
    struct sigaction ours = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART }, old_int, old_term;
    (void)sigaction(SIGINT, &ours, &old_int);
    (void)sigaction(SIGTERM, &ours, &old_term);
    runtime_sync_managed(r, true);
    runtime_show_running(r, kernel_function(launch->kernel)->name);
    const bool ok = session_launch(r->session, launch, &result, &err);
    runtime_show_running(r, "");
    const int results = result.name ? runtime_results(r) : -1;
    if (results >= 0) {
        (void)channel_send_kernel(results, &result, groups, group_count);
        (void)close(results);
    }
    const bool complete = result.complete, started = result.name != NULL;
    kernel_result_clear(&result);
    if (ok && !complete) {
        if (err.text[0]) /* where a functional run stood: what a kernel that does not end is doing */
            (void)fprintf(stderr, "warpline: %s\n", err.text);
        end_program(r);
    }
    if (!ok)
        runtime_report(r, &err);
    (void)sigaction(SIGINT, &old_int, NULL);
    (void)sigaction(SIGTERM, &old_term, NULL);
    if (!ok) {
        if (!started) /* an instruction or a function that is not there: this kernel is refused, others may run */
            return cudaErrorNotSupported;
        return r->sticky = code_of(err.fault);
    }
    runtime_sync_managed(r, false);
    return cudaSuccess;
}

/* A kernel, and what it launches itself. */
static cudaError_t simulate(struct runtime *r, const struct launch *launch)
{
    cudaError_t code = simulate_one(r, launch);
    struct launch child;
    uint8_t *parameters;
    while (code == cudaSuccess && device_next_child(runtime_device(r), &child, &parameters)) {
        code = simulate_one(r, &child);
        free(parameters);
    }
    if (code != cudaSuccess)
        device_drop_children(runtime_device(r));
    return code;
}

cudaError_t kernel_work_keep(struct kernel_work *work, void **args)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    struct program_function *f = runtime_find_function(r, work->function);
    if (code == cudaSuccess && !f)
        code = cudaErrorInvalidDeviceFunction;
    if (code != cudaSuccess || !runtime_load_function(r, f, &code))
        return runtime_leave(code);
    const struct ptx_function *fn = kernel_function(f->kernel);
    if (!args && fn->param_count)
        return runtime_leave(cudaErrorInvalidValue);
    work->values = pack_parameters(f, args, &work->value_bytes);
    work->argument_count = fn->param_count;
    work->arguments = must_calloc(fn->param_count + 1, sizeof *work->arguments);
    for (uint32_t i = 0; i < fn->param_count; i++)
        work->arguments[i] = work->values + f->ptx->variables[fn->params[i]].offset;
    return runtime_leave(cudaSuccess);
}

static cudaError_t capture_kernel(cudaStream_t stream, const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                  bool cooperative)
{
    struct CUgraphNode_st work = {
        .type = cudaGraphNodeTypeKernel,
        .kernel = { .function = function, .grid = grid, .block = block, .shared = shared, .cooperative = cooperative }
    };
    cudaError_t code = kernel_work_keep(&work.kernel, args);
    if (code == cudaSuccess && (code = capture_add(stream, &work)) != cudaSuccess)
        node_clear(&work);
    return code;
}

static cudaError_t launch_function(const void *function, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative,
                                   cudaStream_t stream)
{
    cudaError_t code;
    if (stream_captures(stream))
        return capture_kernel(stream, function, grid, block, args, shared, cooperative);
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    struct program_function *f = runtime_find_function(r, function);
    if (!f)
        return runtime_leave(cudaErrorInvalidDeviceFunction);
    const char *why;
    if (!runtime_load_function(r, f, &code))
        return runtime_leave(code);
    if ((code = check_shape(r, f, grid, block, shared, &why)) != cudaSuccess) {
        tell_refused(r, kernel_function(f->kernel)->name, grid, block, shared, why);
        return runtime_leave(code);
    }
    struct launch launch = { .kernel = f->kernel,
                             .grid = { grid.x, grid.y, grid.z },
                             .block = { block.x, block.y, block.z },
                             .dynamic_shared_bytes = (uint32_t)shared,
                             .static_shared_override = UINT32_MAX,
                             .cooperative = cooperative };
    if (cooperative && !r->grid_workspace) {
        r->grid_workspace = device_alloc(runtime_device(r), GRID_WORKSPACE_BYTES);
        (void)device_fill(runtime_device(r), r->grid_workspace, 0, GRID_WORKSPACE_BYTES, NULL);
    }
    launch.grid_workspace = cooperative ? r->grid_workspace : 0;
    uint8_t *parameters = pack_parameters(f, args, &launch.param_bytes);
    launch.params = parameters;
    code = simulate(r, &launch);
    free(parameters);
    /* On a GPU a launch has returned before its kernel goes wrong: the next call tells. */
    const bool went_wrong = r->sticky != cudaSuccess;
    (void)runtime_leave(code);
    return went_wrong ? cudaSuccess : code;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return launch_function(function, grid, block, args, shared, false, stream);
}
PER_THREAD(cudaLaunchKernel, ptsz)

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    struct runtime *r = runtime_enter();
    struct program_function *f = runtime_find_function(r, host);
    *kernel = (cudaKernel_t)f;
    return runtime_leave(f ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return launch_function(kernel, grid, block, args, shared, false, stream);
}
PER_THREAD(__cudaLaunchKernel, ptsz)

/* All CTAs of a cooperative launch must be resident at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream)
{
    int per_sm = 0;
    const cudaError_t code =
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&per_sm, function, (int)(block.x * block.y * block.z), shared, 0);
    if (code != cudaSuccess)
        return code;
    struct runtime *r = runtime_enter();
    const uint64_t room = (uint64_t)per_sm * r->setup.machine->gpu.sms;
    (void)runtime_leave(cudaSuccess);
    if ((uint64_t)grid.x * grid.y * grid.z > room) {
        r = runtime_enter();
        const struct program_function *f = runtime_find_function(r, function);
        tell_refused(r, f ? f->name : "?", grid, block, shared, "a cooperative grid of which not all blocks fit at once");
        return runtime_leave(cudaErrorCooperativeLaunchTooLarge);
    }
    return launch_function(function, grid, block, args, shared, true, stream);
}
PER_THREAD(cudaLaunchCooperativeKernel, ptsz)

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative) {
            cooperative = a->val.cooperative != 0;
        } else if (a->id == cudaLaunchAttributeClusterDimension &&
                   (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1)) {
            struct error err;
            struct runtime *r = runtime_enter();
            (void)error_set(&err, "launches with thread block clusters are not supported");
            runtime_report(r, &err);
            return runtime_leave(cudaErrorNotSupported);
        }
    }
    if (cooperative)
        return cudaLaunchCooperativeKernel(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
                                           config->stream);
    return launch_function(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, false, config->stream);
}
PER_THREAD(cudaLaunchKernelExC, ptsz)

/* Finds and loads a function for a call that only asks about it. */
static struct runtime *enter_function(const void *function, struct program_function **f, cudaError_t *code)
{
    struct runtime *r = runtime_enter_device(code);
    if (*code == cudaSuccess) {
        *f = runtime_find_function(r, function);
        if (!*f)
            *code = cudaErrorInvalidDeviceFunction;
        else
            (void)runtime_load_function(r, *f, code);
    }
    return r;
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    cudaError_t code;
    struct program_function *f;
    (void)enter_function(function, &f, &code);
    if (code == cudaSuccess && !name)
        code = cudaErrorInvalidValue;
    if (code == cudaSuccess)
        *name = f->name;
    return runtime_leave(code);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    cudaError_t code;
    struct program_function *f;
    struct runtime *r = enter_function(function, &f, &code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    const struct ptx_function *fn = kernel_function(f->kernel);
    const int version = (int)(r->setup.device.compute_major * 10 + r->setup.device.compute_minor);
    *attributes =
        (struct cudaFuncAttributes){ .sharedSizeBytes = fn->shared_bytes,
                                     .localSizeBytes = fn->local_bytes,
                                     .maxThreadsPerBlock = (int)most_threads(fn),
                                     .numRegs = (int)session_registers(r->session, fn, 32),
                                     .ptxVersion = (int)kernel_module(f->kernel)->target_sm,
                                     .binaryVersion = version,
                                     .maxDynamicSharedSizeBytes = (int)(r->setup.machine->sm.shared_bytes - fn->shared_bytes),
                                     .preferredShmemCarveout = -1 };
    while (attributes->maxThreadsPerBlock > 32 && blocks_per_sm(r, fn, (uint32_t)attributes->maxThreadsPerBlock, 0) == 0)
        attributes->maxThreadsPerBlock -= 32;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    cudaError_t code;
    struct program_function *f;
    struct runtime *r = enter_function(function, &f, &code);
    if (code == cudaSuccess && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || !fits_shared(r, kernel_function(f->kernel), (uint64_t)value))
            code = cudaErrorInvalidValue;
        else
            f->max_dynamic_shared = value;
    }
    return runtime_leave(code);
}

/* How L1 and shared memory divide their store is a parameter of the machine here; the program's wish is a hint. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    cudaError_t code;
    struct program_function *f;
    (void)config;
    (void)enter_function(function, &f, &code);
    return runtime_leave(code);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                   size_t dynamic_shared, unsigned int flags)
{
    cudaError_t code;
    struct program_function *f;
    (void)flags;
    struct runtime *r = enter_function(function, &f, &code);
    *blocks = 0;
    if (code == cudaSuccess && threads <= 0)
        code = cudaErrorInvalidValue;
    if (code == cudaSuccess && threads <= MAX_THREADS) {
        const struct ptx_function *fn = kernel_function(f->kernel);
        *blocks = (int)blocks_per_sm(r, fn, (uint32_t)threads, dynamic_shared);
    }
    return runtime_leave(code);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}

/* The most dynamic shared memory with which that many blocks still fit on an SM. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads)
{
    cudaError_t code;
    struct program_function *f;
    struct runtime *r = enter_function(function, &f, &code);
    if (code == cudaSuccess && (blocks <= 0 || threads <= 0 || threads > MAX_THREADS))
        code = cudaErrorInvalidValue;
    if (code != cudaSuccess)
        return runtime_leave(code);
    const struct ptx_function *fn = kernel_function(f->kernel);
    const uint64_t share = r->setup.machine->sm.shared_bytes / (uint64_t)blocks;
    if (share < fn->shared_bytes ||
        blocks_per_sm(r, fn, (uint32_t)threads, (uint32_t)(share - fn->shared_bytes)) < (uint32_t)blocks)
        code = cudaErrorInvalidValue;
    else
        *bytes = share - fn->shared_bytes;
    return runtime_leave(code);
}
