/* Texts for the user in every language of the program. Pure functions. */
#ifndef MALPAN_BASE_PHRASE_H
#define MALPAN_BASE_PHRASE_H

#include "base/status.h"
#include "base/text.h"

typedef enum Lang { LANG_EN, LANG_KO, LANG_COUNT } Lang;

typedef struct Phrase {
    const char *in[LANG_COUNT];
} Phrase;

/* Adds the phrase in a language, with `{0}` to `{9}` replaced by the arguments. The order of the
 * placeholders is up to each language. */
void phrase_add(Text *text, Phrase phrase, Lang lang, const char *const arguments[]);

/* Adds what stands before item `i` of `count` alternatives: "a, b or c". */
void phrase_add_separator(Text *text, size_t i, size_t count, Lang lang);

/* A failure whose message is the phrase. Inline, so that the compiler sees at every call that the
 * result is a failure, as with status_make. */
static inline Status phrase_failure(StatusCode code, Phrase phrase, Lang lang,
                                    const char *const arguments[]) {
    char message[STATUS_MESSAGE_BYTES];
    Text text = text_over(message, sizeof message);
    phrase_add(&text, phrase, lang, arguments);
    return status_make(code, "%s", message);
}

#endif
