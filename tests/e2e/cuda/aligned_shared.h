// A declaration in a header, with the alignment of a type and a line between its words.
#pragma once
struct quad {
    double4 v;
};
__device__ inline double turned(int t)
{
    __shared__
        alignas(quad) unsigned char raw[32 * sizeof(quad)];
    quad *q = (quad *)raw;
    q[t].v.x = t;
    __syncthreads();
    return q[31 - t].v.x;
}
