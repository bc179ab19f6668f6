/* "Did you mean": the known word nearest to a mistyped one. */
#ifndef MALPAN_BASE_SUGGEST_H
#define MALPAN_BASE_SUGGEST_H

#include <stddef.h>

/* The fewest insertions, removals, replacements and swaps of neighbours that turn one word into the
 * other. Words longer than 63 bytes are as far away as can be. */
size_t suggest_distance(const char *from, const char *to);

/* The nearest of `count` words to `typed`, or NULL when none is near enough to be meant. */
const char *suggest_word(const char *typed, const char *const words[], size_t count);

#endif
