#include "../warpline_block.h"
