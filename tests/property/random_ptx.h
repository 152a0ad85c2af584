/* random_ptx.h - small valid PTX programs made from a seed, for property tests.
 *
 * Kernel `k` takes OUT and IN (u64 pointers) and N (u32). Thread i (global number) reads words of IN[0..N) at hashed places,
 * computes through nested ifs, loops with breaks, switches, calls and predicated instructions, and writes four words to
 * OUT[4*i..]. Threads share nothing, so the result depends on i alone: not on the block's shape, the order of warps or the
 * timing. With barriers, warps of a block also meet, all of them equally often, and pass a value through shared memory. */
#ifndef WARPLINE_TESTS_RANDOM_PTX_H
#define WARPLINE_TESTS_RANDOM_PTX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the program, NUL-terminated; returns its length (below size, which should be 64 KiB). */
size_t random_ptx(uint64_t seed, bool with_barriers, char *text, size_t size);
#endif
