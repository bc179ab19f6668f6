/* Fractions for people. */
#ifndef MALPAN_BASE_FRACTION_H
#define MALPAN_BASE_FRACTION_H

#include "base/text.h"

/* Adds `numerator/denominator` in lowest terms; a whole number alone. */
void fraction_add(Text *text, uint64_t numerator, uint64_t denominator);

/* The largest number that divides both. */
uint64_t fraction_divisor(uint64_t a, uint64_t b);

#endif
