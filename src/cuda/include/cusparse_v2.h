#error "cuSPARSE is not part of warpline"
