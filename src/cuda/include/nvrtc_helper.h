#error "the driver API and NVRTC are not part of warpline"
