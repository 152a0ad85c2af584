#include "../warpline_algorithms.h"
