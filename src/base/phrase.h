/* Words for people, in every language the program speaks. */
#ifndef MALPAN_BASE_PHRASE_H
#define MALPAN_BASE_PHRASE_H

#include "base/status.h"
#include "base/text.h"

typedef enum Lang { LANG_EN, LANG_KO, LANG_COUNT } Lang;

typedef struct Phrase {
    const char *in[LANG_COUNT];
} Phrase;

/* Adds the phrase with `{0}`, `{1}`, ... replaced by the arguments, in whatever order the language
 * puts them. */
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
