/* "Did you mean": the known word nearest to a mistyped one. Pure functions; any thread may call
 * them. */
#ifndef MALPAN_BASE_SUGGEST_H
#define MALPAN_BASE_SUGGEST_H

#include <stddef.h>

/* Edit distance: the fewest insertions, deletions, replacements and swaps of neighbors that turn
 * one word into the other, ignoring the case of ASCII letters. SIZE_MAX if a word is longer than 63
 * bytes. */
size_t suggest_distance(const char *from, const char *to);

/* The one of `count` words that `typed` was probably meant to be: one that begins with it, or else
 * the nearest by edit distance. NULL if none is near. */
const char *suggest_word(const char *typed, const char *const words[], size_t count);

#endif
