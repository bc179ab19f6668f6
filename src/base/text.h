/* Text built inside a buffer of the caller's: it never overruns, never allocates, and remembers
 * when something did not fit.
 *
 *     char bytes[64];
 *     Text text = text_over(bytes, sizeof bytes);
 *     text_add(&text, "3+9");
 *     puts(bytes);
 */
#ifndef MALPAN_BASE_TEXT_H
#define MALPAN_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Text {
    char *bytes; /* always ends with a zero byte */
    size_t capacity;
    size_t length;
    bool truncated;
} Text;

/* An empty text over `capacity` bytes (at least 1) that the caller owns. */
Text text_over(char *bytes, size_t capacity);

void text_add(Text *text, const char *addition);
void text_add_char(Text *text, char addition);
void text_add_number(Text *text, uint64_t number);
void text_addf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `addition`, then spaces until it fills `columns` terminal columns; `text_add_right` puts the
 * spaces in front. */
void text_add_left(Text *text, const char *addition, int columns);
void text_add_right(Text *text, const char *addition, int columns);

/* How many terminal columns a UTF-8 text takes: two for Hangul and other wide characters, none for
 * combining marks and colour sequences. Bytes that are not UTF-8 count one each. */
int text_columns(const char *utf8);

/* Puts `?` for everything that a terminal or a JSON reader should not meet: control characters and
 * bytes that are not UTF-8. */
void text_make_printable(char *text);

/* Cuts the text to at most `bytes` bytes, at a whole character. */
void text_cut(char *text, size_t bytes);

/* Cuts the text to at most `columns` terminal columns (see text_columns), at a whole character. A
 * wide character that would stick out by half is dropped. Color sequences are kept, also those
 * after the cut, so that a color that was switched on is switched off again. */
void text_cut_columns(char *text, int columns);

/* Splits `input` into at most `limit` words at spaces and tabs, copied into `words` one after the
 * other in `storage`. Returns the number of words, or limit + 1 when there are more. An input that
 * does not fit into `storage_bytes` gives limit + 1 as well. */
size_t text_split(const char *input, char *storage, size_t storage_bytes, char *words[],
                  size_t limit);

#endif
