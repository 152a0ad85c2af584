/* decode_texture.c - textures, surfaces, matrix instructions. */
#include "exec/decode.h"

bool decode_texture(struct decoder *d)
{
    return decode_refuse(d, "%s is not supported", ptx_op_names[d->in->op]);
}

bool decode_matrix(struct decoder *d)
{
    return decode_refuse(d, "%s is not supported", ptx_op_names[d->in->op]);
}
