#include <nvtx3/nvToolsExtCudaRt.h>
