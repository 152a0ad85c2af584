/* device_calls.c - what a program is told about its device: the machine's own parameters. There is one device, number 0. */
#include <stdio.h>
#include <string.h>

#include "gpu/machine.h"
#include "graphs.h"

#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(void *prop, int device);

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    CONSTANT_BYTES = 65536,
    PITCH_ALIGNMENT = 512,
    TEXTURE_1D = 131072,
    TEXTURE_2D = 65536,
    TEXTURE_3D = 16384,
    RUNTIME_VERSION = WARPLINE_CUDART_MAJOR * 1000
};

static void describe(const struct runtime *r, struct cudaDeviceProp *p)
{
    const struct machine_config *m = r->setup.machine;
    *p = (struct cudaDeviceProp){
        .name = "warpline",
        .totalGlobalMem = device_config_memory(&r->setup.device),
        .sharedMemPerBlock = m->sm.shared_bytes,
        .regsPerBlock = (int)m->sm.registers,
        .warpSize = 32,
        .memPitch = INT32_MAX,
        .maxThreadsPerBlock = MAX_THREADS,
        .maxThreadsDim = { MAX_THREADS, MAX_THREADS, MAX_BLOCK_Z },
        .maxGridSize = { INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ },
        .clockRate = (int)m->gpu.core_khz,
        .totalConstMem = CONSTANT_BYTES,
        .major = (int)r->setup.device.compute_major,
        .minor = (int)r->setup.device.compute_minor,
        .textureAlignment = PITCH_ALIGNMENT,
        .texturePitchAlignment = 32,
        .deviceOverlap = 1,
        .multiProcessorCount = (int)m->gpu.sms,
        .canMapHostMemory = 1,
        .maxTexture1D = TEXTURE_1D,
        .maxTexture1DLinear = 1 << 28,
        .maxTexture2D = { TEXTURE_2D, TEXTURE_2D },
        .maxTexture2DLinear = { TEXTURE_1D, TEXTURE_2D, INT32_MAX / 1024 },
        .maxTexture3D = { TEXTURE_3D, TEXTURE_3D, TEXTURE_3D },
        .maxSurface1D = TEXTURE_1D,
        .maxSurface2D = { TEXTURE_2D, TEXTURE_2D },
        .maxSurface3D = { TEXTURE_3D, TEXTURE_3D, TEXTURE_3D },
        .surfaceAlignment = PITCH_ALIGNMENT,
        .unifiedAddressing = 1,
        .concurrentKernels = 1,
        .asyncEngineCount = 1, /* programs that ask then take their usual way; the calls keep every order that was promised */
        .memoryClockRate = (int)m->gpu.dram_khz,
        .memoryBusWidth = (int)(m->map.channels * m->dram.bus_bytes * 8),
        .l2CacheSize = (int)((uint64_t)m->l2.sets * m->l2.ways * m->l2.line_bytes * m->map.channels * m->map.slices_per_channel),
        .maxThreadsPerMultiProcessor = (int)m->sm.threads,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = m->l1.enabled,
        .localL1CacheSupported = m->l1.enabled,
        .sharedMemPerMultiprocessor = m->sm.shared_bytes,
        .regsPerMultiprocessor = (int)m->sm.registers,
        .managedMemory = 1,
        .singleToDoublePrecisionPerfRatio = 2,
        .concurrentManagedAccess = 1,
        .cooperativeLaunch = 1,
        .sharedMemPerBlockOptin = m->sm.shared_bytes,
        .maxBlocksPerMultiProcessor = (int)m->sm.ctas,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1
    };
}

static struct runtime *enter_device_number(int device, cudaError_t *code)
{
    struct runtime *r = runtime_enter_device(code);
    if (*code == cudaSuccess && device != 0)
        *code = cudaErrorInvalidDevice;
    return r;
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    cudaError_t code;
    struct runtime *r = enter_device_number(device, &code);
    if (code == cudaSuccess)
        describe(r, prop);
    return runtime_leave(code);
}

#if WARPLINE_CUDART_MAJOR >= 13
/* CUDA 13 removed fields from the middle. This is its layout up to the last field that we fill. */
struct device_prop_13 {
    char name[256], uuid[16], luid[8];
    unsigned int luid_mask;
    size_t total_global, shared_per_block;
    int registers_per_block, warp_size;
    size_t pitch;
    int threads_per_block, block_dim[3], grid_dim[3];
    size_t total_constant;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int sms, integrated, can_map_host, texture_1d, texture_1d_mipmap, texture_2d[2], texture_2d_mipmap[2], texture_2d_linear[3],
        texture_2d_gather[2], texture_3d[3], texture_3d_alternate[3], texture_cube, texture_1d_layered[2], texture_2d_layered[3],
        texture_cube_layered[2], surface_1d, surface_2d[2], surface_3d[3], surface_1d_layered[2], surface_2d_layered[3],
        surface_cube, surface_cube_layered[2];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, async_engines, unified_addressing, bus_width, l2_bytes,
        persisting_l2, threads_per_sm, stream_priorities, global_l1, local_l1;
    size_t shared_per_sm;
    int registers_per_sm, managed, multi_gpu, multi_gpu_group, host_atomics, pageable, concurrent_managed, preemption,
        host_pointer_for_registered, cooperative;
    size_t shared_optin;
    int host_page_tables, direct_managed, blocks_per_sm, policy_window;
    size_t reserved_shared;
    int host_register, sparse, host_register_read_only, timeline, pools, rdma;
    unsigned int rdma_flush;
    int rdma_order;
    unsigned int pool_handles;
    int deferred_mapping, ipc_event, cluster, unified_functions, numa_config, numa_id, mps, host_numa;
    unsigned int pci_id, pci_subsystem;
    int multinode_ipc, reserved[56];
};

cudaError_t cudaGetDeviceProperties(void *out, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t code = cudaGetDeviceProperties_v2(&p, device);
    if (code != cudaSuccess)
        return code;
    struct device_prop_13 q = { .total_global = p.totalGlobalMem,
                                .shared_per_block = p.sharedMemPerBlock,
                                .registers_per_block = p.regsPerBlock,
                                .warp_size = p.warpSize,
                                .pitch = p.memPitch,
                                .threads_per_block = p.maxThreadsPerBlock,
                                .total_constant = p.totalConstMem,
                                .major = p.major,
                                .minor = p.minor,
                                .texture_alignment = p.textureAlignment,
                                .texture_pitch_alignment = p.texturePitchAlignment,
                                .sms = p.multiProcessorCount,
                                .can_map_host = p.canMapHostMemory,
                                .texture_1d = p.maxTexture1D,
                                .surface_1d = p.maxSurface1D,
                                .surface_alignment = p.surfaceAlignment,
                                .concurrent_kernels = p.concurrentKernels,
                                .async_engines = p.asyncEngineCount,
                                .unified_addressing = p.unifiedAddressing,
                                .bus_width = p.memoryBusWidth,
                                .l2_bytes = p.l2CacheSize,
                                .threads_per_sm = p.maxThreadsPerMultiProcessor,
                                .stream_priorities = 1,
                                .global_l1 = p.globalL1CacheSupported,
                                .local_l1 = p.localL1CacheSupported,
                                .shared_per_sm = p.sharedMemPerMultiprocessor,
                                .registers_per_sm = p.regsPerMultiprocessor,
                                .managed = p.managedMemory,
                                .concurrent_managed = p.concurrentManagedAccess,
                                .cooperative = p.cooperativeLaunch,
                                .shared_optin = p.sharedMemPerBlockOptin,
                                .blocks_per_sm = p.maxBlocksPerMultiProcessor,
                                .host_register = p.hostRegisterSupported,
                                .pools = p.memoryPoolsSupported };
    memcpy(q.name, p.name, sizeof q.name);
    memcpy(q.block_dim, p.maxThreadsDim, sizeof q.block_dim);
    memcpy(q.grid_dim, p.maxGridSize, sizeof q.grid_dim);
    memcpy(q.texture_2d, p.maxTexture2D, sizeof q.texture_2d);
    memcpy(q.texture_3d, p.maxTexture3D, sizeof q.texture_3d);
    memcpy(out, &q, sizeof q);
    return cudaSuccess;
}
#else
/* CUDA 11's struct is the beginning of 12's. */
cudaError_t cudaGetDeviceProperties(void *out, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t code = cudaGetDeviceProperties_v2(&p, device);
    if (code == cudaSuccess)
        memcpy(out, &p, offsetof(struct cudaDeviceProp, hostRegisterSupported));
    return code;
}
#endif

/* An attribute that is not in the list is 0: a feature or a limit of something that is not there. */
static int attribute_of(const struct cudaDeviceProp *p, enum cudaDeviceAttr attr)
{
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: return p->maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p->maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p->maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p->maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p->maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p->maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p->maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return (int)p->sharedMemPerBlock;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return (int)p->sharedMemPerBlockOptin;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return (int)p->sharedMemPerMultiprocessor;
    case cudaDevAttrTotalConstantMemory: return (int)p->totalConstMem;
    case cudaDevAttrWarpSize: return p->warpSize;
    case cudaDevAttrMaxPitch: return (int)p->memPitch;
    case cudaDevAttrMaxRegistersPerBlock: return p->regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p->regsPerMultiprocessor;
    case cudaDevAttrClockRate: return p->clockRate;
    case cudaDevAttrMemoryClockRate: return p->memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p->memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p->l2CacheSize;
    case cudaDevAttrTextureAlignment: return (int)p->textureAlignment;
    case cudaDevAttrTexturePitchAlignment: return (int)p->texturePitchAlignment;
    case cudaDevAttrSurfaceAlignment: return (int)p->surfaceAlignment;
    case cudaDevAttrMultiProcessorCount: return p->multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p->maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p->maxBlocksPerMultiProcessor;
    case cudaDevAttrCanMapHostMemory: return p->canMapHostMemory;
    case cudaDevAttrUnifiedAddressing: return p->unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor: return p->major;
    case cudaDevAttrComputeCapabilityMinor: return p->minor;
    case cudaDevAttrManagedMemory: return p->managedMemory;
    case cudaDevAttrConcurrentManagedAccess: return p->concurrentManagedAccess;
    case cudaDevAttrCooperativeLaunch: return p->cooperativeLaunch;
    case cudaDevAttrGlobalL1CacheSupported: return p->globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported: return p->localL1CacheSupported;
    case cudaDevAttrStreamPrioritiesSupported: return p->streamPrioritiesSupported;
    case cudaDevAttrMemoryPoolsSupported: return p->memoryPoolsSupported;
    case cudaDevAttrHostRegisterSupported: return p->hostRegisterSupported;
    case cudaDevAttrMaxTexture1DWidth: return p->maxTexture1D;
    case cudaDevAttrMaxTexture2DWidth: return p->maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight: return p->maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth: return p->maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight: return p->maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth: return p->maxTexture3D[2];
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p->singleToDoublePrecisionPerfRatio;
    default: return 0;
    }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t code = cudaGetDeviceProperties_v2(&p, device);
    if (code == cudaSuccess)
        *value = attribute_of(&p, attr);
    return code;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    cudaError_t code;
    (void)enter_device_number(device, &code);
    return runtime_leave(code);
}
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    (void)device_flags, (void)flags;
    return cudaSetDevice(device);
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    (void)prop;
    return cudaGetDevice(device);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
    return cudaSuccess;
}

/* Forgets the device: memory, loaded code, and the error that made it unusable. What kernels did has been reported. */
cudaError_t cudaDeviceReset(void)
{
    struct runtime *r = runtime_enter();
    while (r->session && r->blocks)
        runtime_remove_block(r, r->blocks);
    session_free(r->session);
    r->session = NULL;
    graph_memory_forget(r);
    condition_forget(r);
    texture_objects_forget(r);
    r->grid_workspace = 0;
    r->sticky = cudaSuccess;
    runtime_thread()->last_error = cudaSuccess;
    for (struct program_module *m = r->modules; m; m = m->next) {
        m->tried = m->failed = false;
        for (uint32_t i = 0; i < m->piece_count; i++)
            m->pieces[i].loaded = NULL;
    }
    for (struct program_function *f = r->functions; f; f = f->next)
        f->kernel = NULL;
    for (struct program_variable *v = r->variables; v; v = v->next)
        v->pages = NULL;
    return runtime_leave(cudaSuccess);
}
/* The names of CUDA 3, when a device belonged to a thread. */
cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct runtime *r = runtime_enter();
    cudaError_t code = r->sticky;
    if (limit == cudaLimitMallocHeapSize) {
        /* as on a GPU, the heap is fixed once a kernel has used it */
        if (r->session && !device_resize_heap(runtime_device(r), value))
            code = value <= r->setup.device.heap_bytes ? cudaSuccess : cudaErrorInvalidValue;
        else if (r->session)
            r->setup.device.heap_bytes = value;
        r->heap_limit = value;
    } else if (limit == cudaLimitStackSize) {
        r->stack_limit = value;
    } else if (limit == cudaLimitPrintfFifoSize) {
        r->printf_limit = value;
    }
    return runtime_leave(code);
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    switch (limit) {
    case cudaLimitMallocHeapSize: *value = r->setup.device.heap_bytes; break;
    case cudaLimitStackSize: *value = r->stack_limit; break;
    case cudaLimitPrintfFifoSize: *value = r->printf_limit; break;
    default: code = cudaErrorUnsupportedLimit; break;
    }
    return runtime_leave(code);
}

/* The split between L1 and shared memory, and the width of banks, are parameters of the machine. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    *can = 0;
    return cudaSuccess;
}
/* There is one device: it has no peers. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to)
{
    (void)value, (void)attr, (void)from, (void)to;
    return cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer, (void)flags;
    return cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return cudaErrorPeerAccessNotEnabled;
}
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    (void)snprintf(id, (size_t)length, "0000:00:00.0");
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    *device = 0;
    return strcmp(id, "0000:00:00.0") == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

/* Every kernel is measured, whether the program asks for it or not. */
cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}
cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
/* No line of the simulated L2 is set aside for persistent data. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}
