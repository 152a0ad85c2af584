/* texture.h - a decoded texture or surface instruction. */
#ifndef WARPLINE_EXEC_TEXTURE_H
#define WARPLINE_EXEC_TEXTURE_H
#include "exec/lanes.h"
#include "exec/scalar.h"

struct texture_site {
    const char *name; /* of a .texref or .surfref; NULL: `handle` holds an object */
    const struct loaded_module *module;
    struct operand handle;
    uint8_t geometry; /* enum ptx_geometry */
    bool float_coordinates, is_gather;
    bool is_formatted; /* sust.p, sured.p: x counts elements, and values take the form of the surface */
    uint8_t component; /* tld4 */
    uint8_t clamp;     /* enum ptx_surface_clamp */
    uint8_t type;      /* of the values: enum ptx_type */
    uint8_t elements;
    struct operand coordinate[4], value[4];
    bool sink[4];
    bool is_regular; /* 32-bit registers throughout: all lanes may be served at once */
    const struct lanes *lanes;
};

/* The view that a lane names; NULL: none, which is a fault. */
const struct texture_view *texture_of(struct warp *w, const struct xop *x, uint32_t lane);
/* The view that all lanes of the mask name; NULL: they name several, or none. */
const struct texture_view *texture_common_view(const struct warp *w, const struct texture_site *site, uint32_t mask);
#endif
