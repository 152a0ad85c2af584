/* stat_l1c.c - counters of the constant cache. */
#include "mem/readonly_cache.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1c
#include "stat/define.h"
