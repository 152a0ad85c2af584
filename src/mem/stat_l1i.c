/* stat_l1i.c - counters of the instruction cache. */
#include "mem/readonly_cache.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1i
#include "stat/define.h"
