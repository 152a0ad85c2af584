/* expression.h - arithmetic over named numbers, for the constraints of a study: "l1.sets * l1.ways <= 256 && l1.ways > 2".
 *
 * Numbers may carry units (16KiB). Operators, from loose to tight: || && (== != < <= > >=) (+ -) (* / %) unary (! -), and
 * parentheses. Comparisons give 1 or 0. */
#ifndef WARPLINE_STUDY_EXPRESSION_H
#define WARPLINE_STUDY_EXPRESSION_H
#include "base/error.h"

/* The value of a name; false when there is none. */
typedef bool expression_lookup(void *context, const char *name, double *value);
bool expression_evaluate(const char *text, expression_lookup *lookup, void *context, double *value, struct error *err);
#endif
