/* integers.c - the reference's lexer reads integers into 32 bits. `and.b64 x, -4294967296` is 0 there, so that clang's test whether
 * a 64-bit division fits into 32 bits always takes the long way. */
#include "reference/reference.h"

uint64_t reference_integer(uint64_t written)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)written;
}
