#include "base/suggest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = 64 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_same(char a, char b) {
    return to_lower(a) == to_lower(b);
}

static bool starts_with(const char *word, const char *start) {
    while (*start && is_same(*word, *start))
        word++, start++;
    return *start == '\0';
}

size_t suggest_distance(const char *from, const char *to) {
    size_t rows = strnlen(from, WORD_BYTES);
    size_t columns = strnlen(to, WORD_BYTES);
    if (rows == WORD_BYTES || columns == WORD_BYTES)
        return SIZE_MAX;
    /* cost[i][j]: the distance between the first i bytes of `from` and the first j bytes of `to`.
     */
    size_t cost[WORD_BYTES][WORD_BYTES];
    for (size_t i = 0; i <= rows; i++)
        cost[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            size_t replace = cost[i - 1][j - 1] + !is_same(from[i - 1], to[j - 1]);
            size_t best = smaller(replace, smaller(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && is_same(from[i - 1], to[j - 2]) &&
                is_same(from[i - 2], to[j - 1]))
                best = smaller(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[rows][columns];
}

const char *suggest_word(const char *typed, const char *const words[], size_t count) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    bool begins = false; /* `nearest` begins with what was typed */
    for (size_t i = 0; i < count; i++) {
        size_t distance = suggest_distance(typed, words[i]);
        bool prefix = *typed && starts_with(words[i], typed);
        /* At most a third of the word may be wrong. */
        if (!prefix && distance * 3 > strlen(words[i]) + 1)
            continue;
        if (!nearest || (prefix && !begins) || (prefix == begins && distance < least)) {
            least = distance;
            nearest = words[i];
            begins = prefix;
        }
    }
    return nearest;
}
