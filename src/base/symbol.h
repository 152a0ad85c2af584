/* symbol.h - the names of kernels as a C++ compiler writes them into PTX (the Itanium ABI's mangling), read back. */
#ifndef WARPLINE_BASE_SYMBOL_H
#define WARPLINE_BASE_SYMBOL_H
#include <stdbool.h>
#include <stddef.h>

/* The name as it stands in the source: `solver::step<...>` for _ZN6solver4stepIfEEvPT_. Parameters are left out, arguments of a
 * template are dots. A symbol that is not mangled, or in a way that is not known here, comes back as it is. What does not fit is
 * cut. */
void symbol_plain_name(const char *symbol, char *out, size_t size);

/* True when this symbol is the kernel of this name. The name may be the symbol itself, or the name in the source with or without
 * its namespaces. */
bool symbol_is_kernel(const char *symbol, const char *name);
#endif
