/* What this header stands for is in curand_kernel.h. */
#include "curand_kernel.h"
