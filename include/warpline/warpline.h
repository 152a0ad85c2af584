/* warpline.h - the simulator as a library: what a program that embeds libwarpline may rely on. */
#ifndef WARPLINE_WARPLINE_H
#define WARPLINE_WARPLINE_H
#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that is linked, not of this header. */
const char *warpline_version(void);

#ifdef __cplusplus
}
#endif
#endif
