/* Everything this header stands for comes with cuda_runtime.h, or is there from the start in .cu files. */
#include "cuda_runtime.h"
