#error "cuRAND's host interface is not part of warpline; curand_kernel.h, for kernels, is there"
