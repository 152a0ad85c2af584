#error "compiling kernels while the program runs (NVRTC) is not part of warpline: compile them with the program"
