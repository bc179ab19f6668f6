/* Texts for the user in every language of the program. Pure functions. */
#ifndef MALPAN_BASE_PHRASE_H
#define MALPAN_BASE_PHRASE_H

#include "base/text.h"

typedef enum Lang { LANG_EN, LANG_KO, LANG_COUNT } Lang;

typedef struct Phrase {
    const char *in[LANG_COUNT];
} Phrase;

/* Adds the phrase in a language, with `{0}` to `{9}` replaced by the arguments. The order of the
 * placeholders is up to each language. */
void phrase_add(Text *text, Phrase phrase, Lang lang, const char *const arguments[]);

#endif
