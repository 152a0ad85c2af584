#include "mem/readonly_cache.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1c
#include "stat/define.h"
