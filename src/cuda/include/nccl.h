#error "NCCL is not part of warpline"
