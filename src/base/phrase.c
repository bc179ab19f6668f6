#include "base/phrase.h"

void phrase_add(Text *text, Phrase phrase, Lang lang, const char *const arguments[]) {
    for (const char *at = phrase.in[lang]; *at; at++) {
        if (at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}') {
            text_add(text, arguments[at[1] - '0']);
            at += 2;
        } else {
            text_add_char(text, *at);
        }
    }
}

void phrase_add_separator(Text *text, size_t i, size_t count, Lang lang) {
    static const Phrase last = {{" or ", ", "}};
    if (i > 0)
        text_add(text, i + 1 < count ? ", " : last.in[lang]);
}
