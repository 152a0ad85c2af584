/* libcusolver.a of the folder that `warpline cc --toolkit` makes: our cuSOLVER (cusolverDn.h, cusolverSp.h and the others) as functions, for host code that another
 * compiler makes. */
#define WARPLINE_SOLVER_LIBRARY
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
