/* Strict parsing of numbers: digits only, no sign, no blanks, no overflow. Pure functions.
 *
 * number_parse* return STATUS_USAGE with a message that begins with `what`, the name of the option
 * or field, and says what was expected; then the result is not set.
 */
#ifndef MALPAN_BASE_NUMBER_H
#define MALPAN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Parses all of `text` as a 64-bit number. Returns false if it is anything else. */
bool number_read(const char *text, uint64_t *number);

/* An integer from `low` to `high`. */
Status number_parse(const char *what, const char *text, uint64_t low, uint64_t high,
                    uint64_t *number);

/* A number from `low` to `high` such as 0.001 or 1e-6. */
Status number_parse_real(const char *what, const char *text, double low, double high,
                         double *number);

/* A duration from a millisecond to a day: a number followed by ms, s, m or h. */
Status number_parse_time(const char *what, const char *text, double *seconds);

/* A size in bytes: digits, optionally followed by K, M, G or T (powers of 1024). */
Status number_parse_size(const char *what, const char *text, size_t *bytes);

#endif
