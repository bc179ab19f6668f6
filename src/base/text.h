/* Text built in a buffer of the caller. It never overruns, never allocates, and remembers whether
 * something did not fit. A Text belongs to one thread at a time; the other functions are pure.
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

/* An empty text over `capacity` bytes (at least 1), which the caller owns and which must outlive
 * it. */
Text text_over(char *bytes, size_t capacity);

void text_add(Text *text, const char *addition);
void text_add_char(Text *text, char addition);
void text_add_number(Text *text, uint64_t number);
/* Adds a character as UTF-8, whole or not at all. */
void text_add_code_point(Text *text, uint32_t code_point);
void text_addf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `addition`, padded with spaces to `columns` terminal columns: on the right (text_add_left)
 * or on the left (text_add_right). */
void text_add_left(Text *text, const char *addition, int columns);
void text_add_right(Text *text, const char *addition, int columns);

/* What text_decode makes of bytes that are not valid UTF-8. */
#define TEXT_NOT_UTF8 UINT32_MAX

/* Decodes the character that the text begins with. Returns its length in bytes; 1, with the code
 * point TEXT_NOT_UTF8, if the bytes are not valid UTF-8. */
size_t text_decode(const char *bytes, uint32_t *code_point);

/* How many terminal columns a character takes: 0, 1 or 2. */
int text_columns_of(uint32_t code_point);

/* How many terminal columns a UTF-8 text takes: two for Hangul and other wide characters, none for
 * combining marks and color sequences. Each byte that is not valid UTF-8 counts as one. */
int text_columns(const char *utf8);

/* Replaces control characters and bytes that are not valid UTF-8 by `?`, in place. */
void text_make_printable(char *text);

/* Cuts the text to at most `bytes` bytes, at a whole character, in place. */
void text_cut(char *text, size_t bytes);

/* Cuts the text to at most `columns` terminal columns, at a whole character, in place. A wide
 * character of which only half would fit is dropped. Color sequences after the cut are kept, so
 * that colors are switched off again. */
void text_cut_columns(char *text, int columns);

/* Splits `input` at spaces and tabs. The words are copied to `storage`, and `words` points to them.
 * Returns the number of words, or limit + 1 if there are more or `storage` is too small. */
size_t text_split(const char *input, char *storage, size_t storage_bytes, char *words[],
                  size_t limit);

#endif
