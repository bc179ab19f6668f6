#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Text text_over(char *bytes, size_t capacity) {
    assert(capacity > 0);
    bytes[0] = '\0';
    return (Text){.bytes = bytes, .capacity = capacity};
}

static void add_bytes(Text *text, const char *addition, size_t count) {
    size_t room = text->capacity - 1 - text->length;
    if (count > room) {
        count = room;
        text->truncated = true;
    }
    memcpy(text->bytes + text->length, addition, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void text_add(Text *text, const char *addition) {
    add_bytes(text, addition, strlen(addition));
}

void text_add_char(Text *text, char addition) {
    add_bytes(text, &addition, 1);
}

void text_add_number(Text *text, uint64_t number) {
    text_addf(text, "%" PRIu64, number);
}

void text_add_code_point(Text *text, uint32_t code_point) {
    char bytes[4];
    size_t length = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code_point >>= 6)
        bytes[i] = (char)(0x80u | (code_point & 0x3Fu));
    bytes[0] = (char)(length == 1 ? code_point : (0xF00u >> length & 0xF0u) | code_point);
    if (text->length + length < text->capacity)
        add_bytes(text, bytes, length);
    else
        text->truncated = true;
}

void text_addf(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = text->capacity - text->length;
    int wanted = vsnprintf(text->bytes + text->length, room, format, arguments);
    va_end(arguments);
    assert(wanted >= 0);
    if ((size_t)wanted >= room) {
        text->length = text->capacity - 1;
        text->truncated = true;
    } else {
        text->length += (size_t)wanted;
    }
}

static void add_spaces(Text *text, int count) {
    for (int i = 0; i < count; i++)
        text_add_char(text, ' ');
}

void text_add_left(Text *text, const char *addition, int columns) {
    text_add(text, addition);
    add_spaces(text, columns - text_columns(addition));
}

void text_add_right(Text *text, const char *addition, int columns) {
    add_spaces(text, columns - text_columns(addition));
    text_add(text, addition);
}

size_t text_decode(const char *bytes, uint32_t *code_point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800,
                                     0x10000}; /* by length; smaller ones are overlong */
    unsigned char lead = (unsigned char)bytes[0];
    size_t length = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : lead >= 0xC0u ? 2 : 1;
    uint32_t value = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    bool good = lead < 0x80u || (lead >= 0xC2u && lead <= 0xF4u);
    for (size_t i = 1; good && i < length; i++) {
        unsigned char next = (unsigned char)bytes[i];
        good = (next & 0xC0u) == 0x80u;
        value = value << 6 | (next & 0x3Fu);
    }
    good = good && value >= least[length] && value <= 0x10FFFF &&
           !(value >= 0xD800 && value <= 0xDFFF);
    *code_point = good ? value : TEXT_NOT_UTF8;
    return good ? length : 1;
}

void text_make_printable(char *text) {
    char *to = text;
    while (*text) {
        uint32_t code_point;
        size_t length = text_decode(text, &code_point);
        bool control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
        if (control || code_point == TEXT_NOT_UTF8)
            *to++ = '?';
        else
            for (size_t i = 0; i < length; i++)
                *to++ = text[i];
        text += length;
    }
    *to = '\0';
}

void text_cut(char *text, size_t bytes) {
    if (strnlen(text, bytes + 1) <= bytes)
        return;
    while (bytes > 0 && ((unsigned char)text[bytes] & 0xC0u) == 0x80u)
        bytes--;
    text[bytes] = '\0';
}

int text_columns_of(uint32_t code_point) {
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xAC00, 0xD7A3},
                {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6},
                {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    if (code_point == TEXT_NOT_UTF8)
        return 1;
    if (code_point < 0x20 || (code_point >= 0x0300 && code_point <= 0x036F) ||
        (code_point >= 0x200B && code_point <= 0x200F))
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (code_point >= wide[i].first && code_point <= wide[i].last)
            return 2;
    return 1;
}

/* The length in bytes of the color sequence (ESC [ ... letter) that the text begins with, or 0. */
static size_t escape_length(const char *text) {
    if (text[0] != '\x1b' || text[1] != '[')
        return 0;
    size_t length = 2;
    while (text[length] && !(text[length] >= '@' && text[length] <= '~'))
        length++;
    return text[length] ? length + 1 : length;
}

int text_columns(const char *utf8) {
    int columns = 0;
    while (*utf8) {
        size_t escape = escape_length(utf8);
        uint32_t code_point;
        utf8 += escape ? escape : text_decode(utf8, &code_point);
        if (!escape)
            columns += text_columns_of(code_point);
    }
    return columns;
}

void text_cut_columns(char *text, int columns) {
    char *to = text;
    bool is_full = false;
    while (*text) {
        size_t length = escape_length(text);
        if (length == 0) {
            uint32_t code_point;
            length = text_decode(text, &code_point);
            columns -= text_columns_of(code_point);
            is_full = is_full || columns < 0;
            if (is_full) {
                text += length;
                continue;
            }
        }
        memmove(to, text, length);
        to += length;
        text += length;
    }
    *to = '\0';
}

size_t text_split(const char *input, char *storage, size_t storage_bytes, char *words[],
                  size_t limit) {
    static const char *const blanks = " \t";
    size_t length = strnlen(input, storage_bytes);
    if (length == storage_bytes)
        return limit + 1;
    memcpy(storage, input, length + 1);
    size_t count = 0;
    char *at = storage + strspn(storage, blanks);
    while (*at) {
        if (count == limit)
            return limit + 1;
        words[count++] = at;
        at += strcspn(at, blanks);
        if (*at)
            *at++ = '\0';
        at += strspn(at, blanks);
    }
    return count;
}
