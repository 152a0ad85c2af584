#error "thrust/set_operations.h is not part of warpline; compile the program with nvcc -cudart shared -arch=compute_75"
