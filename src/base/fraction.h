/* Fractions as text. Pure functions. */
#ifndef MALPAN_BASE_FRACTION_H
#define MALPAN_BASE_FRACTION_H

#include "base/text.h"

/* Adds `numerator/denominator` in lowest terms, or just the number if it is an integer. The
 * denominator must not be 0. */
void fraction_add(Text *text, uint64_t numerator, uint64_t denominator);

/* The greatest common divisor; gcd(a, 0) is a. */
uint64_t fraction_divisor(uint64_t a, uint64_t b);

#endif
