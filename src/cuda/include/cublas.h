#error "the cuBLAS of before CUDA 4 is not part of warpline; cublas_v2.h has a part of the later one"
