// What programs of CUDA 2 to 5 call: names of the runtime with "Thread" in them, votes and shuffles without a mask, headers that are gone.
// nvcc: its own headers no longer have these
#include "check.h"
#include <builtin_types.h>
#include <device_functions.h>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <utility>
#include <sm_20_atomic_functions.h>

__global__ void votes(int *out)
{
    const int i = threadIdx.x;
    out[i] = __any(i == 3) + 2 * __all(i >= 0) + 4 * __popc(__ballot(i & 1)) + 1000 * __shfl(i, 5) + 100000 * (__shfl_down(i, 1) - i);
}

/* The same for C++. */
struct our_domain { static constexpr char const *name{ "ours" }; };
struct our_text { static constexpr char const *message{ "text" }; };
static int marked()
{
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range all{ "all", nvtx3::rgb{ 127, 255, 0 }, nvtx3::payload{ 3 } };
    nvtx3::unique_range_in<our_domain> first{ nvtx3::event_attributes{ "first", nvtx3::category{ 1 } } };
    const nvtx3::unique_range_in<our_domain> second = std::move(first);
    nvtx3::mark_in<our_domain>(nvtx3::registered_string_in<our_domain>::get<our_text>());
    nvtx3::end_range(nvtx3::start_range(std::string("from here to here")));
    return 1;
}
int main()
{
    size_t bytes;
    enum cudaFuncCache config;
    nvtxEventAttributes_t mark = {};
    const nvtxDomainHandle_t domain = nvtxDomainCreate("ours");
    mark.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    mark.message.registered = nvtxDomainRegisterString(domain, "work");
    nvtxNameCuDevice(0, "GPU");
    nvtxNameCuStreamW(NULL, L"first");
    nvtxNameCategory(1, "copies");
    CHECK(nvtxDomainRangePushEx(domain, &mark) == 0 && nvtxDomainRangePop(domain) == 0);
    nvtxDomainDestroy(domain);
    nvtxRangePush("old names");
    CALL(cudaThreadSetLimit(cudaLimitStackSize, 2048));
    CALL(cudaThreadGetLimit(&bytes, cudaLimitStackSize));
    CHECK(bytes == 2048);
    CALL(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
    CALL(cudaThreadGetCacheConfig(&config));
    int *out = on_device<int>(nullptr, 32), host[32];
    votes<<<1, 32>>>(out);
    CALL(cudaThreadSynchronize());
    to_host(host, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 1 + 2 + 4 * 16 + 5000 + (i < 31 ? 100000 : 0));
    CALL(cudaThreadExit());
    CHECK(marked());
    nvtxRangePop();
    return done();
}
