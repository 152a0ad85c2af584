#include "base/version.h"

#include "warpline/warpline.h"

const char *warpline_version(void)
{
    return WARPLINE_VERSION;
}
