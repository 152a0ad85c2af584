#error "cuDNN is not part of warpline"
