/* version.c - the version, as the library tells it. */
#include "base/version.h"

#include "warpline/warpline.h"

const char *warpline_version(void)
{
    return WARPLINE_VERSION;
}
