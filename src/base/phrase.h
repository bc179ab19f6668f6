/* Words for people, in every language the program speaks. */
#ifndef MALPAN_BASE_PHRASE_H
#define MALPAN_BASE_PHRASE_H

#include "base/text.h"

typedef enum Lang { LANG_EN, LANG_KO, LANG_COUNT } Lang;

typedef struct Phrase {
    const char *in[LANG_COUNT];
} Phrase;

/* Adds the phrase with `{0}`, `{1}`, ... replaced by the arguments, in whatever order the language
 * puts them. */
void phrase_add(Text *text, Phrase phrase, Lang lang, const char *const arguments[]);

#endif
