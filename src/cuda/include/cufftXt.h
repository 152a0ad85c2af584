#error "cuFFT is not part of warpline"
