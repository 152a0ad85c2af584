/* cmocka's header needs these before it, in this order. */
#ifndef WARPLINE_TESTS_CMOCKA_ALL_H
#define WARPLINE_TESTS_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
