/* fit_energy.h - `warpline energy fit`: a table from a user's power readings. */
#ifndef WARPLINE_CLI_FIT_ENERGY_H
#define WARPLINE_CLI_FIT_ENERGY_H
#include "base/error.h"

struct fit_request {
    const char *readings; /* CSV */
    const char *result;   /* of the same kernels: what they did */
    const char *base;     /* table that has what no reading tells; a name or a path */
    const char *out;      /* the new table; NULL: none is written */
};
bool fit_energy(const struct fit_request *request, struct error *err);
#endif
