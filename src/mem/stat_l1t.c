/* stat_l1t.c - counters of the texture cache. */
#include "mem/readonly_cache.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1t
#include "stat/define.h"
