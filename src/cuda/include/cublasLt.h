#error "cuBLASLt is not part of warpline"
