/* version.h - what this program is. The version itself is written once, in the project() line of meson.build. */
#ifndef WARPLINE_BASE_VERSION_H
#define WARPLINE_BASE_VERSION_H
#ifndef WARPLINE_VERSION
#error "the build defines WARPLINE_VERSION"
#endif
/* Of the JSON of a result: raised when a name in it changes its meaning or goes away. */
enum { RESULT_SCHEMA = 1 };
#endif
