#error "OpenGL is not part of warpline: build the program without its pictures"
