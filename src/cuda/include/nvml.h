#error "NVML is not part of warpline"
