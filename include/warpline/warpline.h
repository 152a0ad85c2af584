/* warpline.h - the simulator as a library: what a program that embeds libwarpline may rely on.
 *
 * A run is described in the words of the command line and answered with the JSON of `warpline run --json` (docs/guide.md,
 * "Results"). Calls are independent of one another: there is no state between them. Out of memory and broken invariants of
 * warpline itself end the process, as they end the program. */
#ifndef WARPLINE_WARPLINE_H
#define WARPLINE_WARPLINE_H
#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that is linked, not of this header. */
const char *warpline_version(void);

struct warpline_run {
    const char *ptx;               /* PTX file */
    const char *launch;            /* launch file: what to launch, on which data */
    const char *config;            /* name of a built-in configuration or a file; NULL: the defaults */
    const char *const *settings;   /* "key=value", ends with NULL; may be NULL */
    const char *policies;          /* "gto,pric"; NULL: none beyond the configuration's */
    unsigned long long max_cycles; /* 0: none */
};

/* Returns the result's JSON, or NULL and in *error a sentence that says what was wrong. The caller frees either with
 * warpline_free. `error` may be NULL. */
char *warpline_run_ptx(const struct warpline_run *run, char **error);
void warpline_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
