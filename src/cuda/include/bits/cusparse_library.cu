/* libcusparse.a of the folder that `warpline cc --toolkit` makes: our cuSPARSE (cusparse.h) as functions, for host code that another compiler makes. */
#define WARPLINE_SPARSE_LIBRARY
#include <cusparse.h>
