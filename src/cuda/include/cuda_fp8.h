#error "numbers of eight bits are not simulated"
