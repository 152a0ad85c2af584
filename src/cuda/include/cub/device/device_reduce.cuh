#include "../warpline_device.h"
