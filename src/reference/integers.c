/* integers.c - GPGPU-Sim's lexer reads integers into 32 bits. `and.b64 x, -4294967296` becomes 0 there. clang uses it to test
 * whether a 64-bit division fits into 32 bits, and with 0 the test always chooses the long division. */
#include "reference/reference.h"

uint64_t reference_integer(uint64_t written)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)written;
}
