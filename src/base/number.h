/* Numbers read from text, checked: digits only, no sign, no blanks, no overflow. */
#ifndef MALPAN_BASE_NUMBER_H
#define MALPAN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Reads all of `text` as a number that fits into 64 bits. False when it is anything else. */
bool number_read(const char *text, uint64_t *number);

/* Reads a number from `low` to `high`; the message says what was expected of `what`. */
Status number_parse(const char *what, const char *text, uint64_t low, uint64_t high,
                    uint64_t *number);

/* A number from `low` to `high` such as 0.001 or 1e-6. */
Status number_parse_real(const char *what, const char *text, double low, double high,
                         double *number);

/* Reads a length of time from a millisecond to a day: a number, then ms, s, m or h. */
Status number_parse_time(const char *what, const char *text, double *seconds);

/* Reads a size in bytes: digits, then optionally K, M, G or T (powers of 1024). */
Status number_parse_size(const char *what, const char *text, size_t *bytes);

#endif
