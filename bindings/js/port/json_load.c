/* Reads JSON as jansson does with JSON_REJECT_DUPLICATES. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"

enum { NUMBER_MAX = 512, DEPTH_MAX = JSON_PARSER_MAX_DEPTH };

typedef struct Load {
    json_load_callback_t read;
    void *context;
    json_error_t *error;
    bool has_failed;
    int next;   /* the character at hand; -1: the end */
    int line;   /* of it */
    int depth;  /* of open brackets */
    char *text; /* the string that is being read */
    size_t length, capacity;
} Load;

static void advance(Load *load) {
    char c;
    load->next = load->read(&c, 1, load->context) == 1 ? (unsigned char)c : -1;
    load->line += load->next == '\n';
}

__attribute__((format(printf, 2, 3))) static void *fail(Load *load, const char *format, ...) {
    va_list arguments;
    if (load->has_failed)
        return NULL;
    load->has_failed = true;
    load->error->line = load->line;
    va_start(arguments, format);
    vsnprintf(load->error->text, sizeof load->error->text, format, arguments);
    va_end(arguments);
    return NULL;
}

static void *fail_at(Load *load) {
    return load->next < 0 ? fail(load, "premature end of input")
                          : fail(load, "unexpected character 0x%02x", (unsigned)load->next);
}

static void skip_spaces(Load *load) {
    while (load->next == ' ' || load->next == '\t' || load->next == '\n' || load->next == '\r')
        advance(load);
}

/* --- strings --- */

static void add_byte(Load *load, unsigned byte) {
    if (load->length + 1 >= load->capacity) {
        size_t capacity = load->capacity > 0 ? 2 * load->capacity : 64;
        char *text = json_value_allocate(capacity);
        if (!text) {
            fail(load, "out of memory");
            return;
        }
        if (load->length > 0)
            memcpy(text, load->text, load->length);
        json_value_release(load->text);
        load->text = text;
        load->capacity = capacity;
    }
    load->text[load->length++] = (char)byte;
    load->text[load->length] = '\0';
}

static void add_character(Load *load, unsigned code) {
    if (code < 0x80) {
        add_byte(load, code);
    } else if (code < 0x800) {
        add_byte(load, 0xc0 | code >> 6);
        add_byte(load, 0x80 | (code & 0x3f));
    } else {
        if (code < 0x10000) {
            add_byte(load, 0xe0 | code >> 12);
        } else {
            add_byte(load, 0xf0 | code >> 18);
            add_byte(load, 0x80 | (code >> 12 & 0x3f));
        }
        add_byte(load, 0x80 | (code >> 6 & 0x3f));
        add_byte(load, 0x80 | (code & 0x3f));
    }
}

static unsigned read_hex(Load *load) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        advance(load);
        int c = load->next | 0x20;
        int digit = load->next >= '0' && load->next <= '9' ? load->next - '0'
                    : c >= 'a' && c <= 'f'                 ? c - 'a' + 10
                                                           : -1;
        if (digit < 0) {
            fail(load, "invalid escape");
            return 0;
        }
        code = code << 4 | (unsigned)digit;
    }
    return code;
}

/* A character given by its number, in two parts if it is a large one. */
static void read_unicode(Load *load) {
    unsigned code = read_hex(load);
    if (code >= 0xd800 && code < 0xdc00) {
        advance(load);
        if (load->next == '\\')
            advance(load);
        unsigned low = load->next == 'u' ? read_hex(load) : 0;
        if (low < 0xdc00 || low >= 0xe000) {
            fail(load, "invalid Unicode '\\u%04X'", code);
            return;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        fail(load, "invalid Unicode '\\u%04X'", code);
        return;
    }
    if (code == 0)
        fail(load, "\\u0000 is not allowed");
    add_character(load, code);
}

static void read_escape(Load *load) {
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    const char *found = load->next > 0 ? strchr(letters, load->next) : NULL;
    if (load->next == 'u')
        read_unicode(load);
    else if (found)
        add_byte(load, (unsigned char)bytes[found - letters]);
    else
        fail(load, "invalid escape");
}

/* Reads a string into load->text. */
static bool read_text(Load *load) {
    load->length = 0;
    for (advance(load); load->next != '"' && !load->has_failed; advance(load)) {
        if (load->next < 0x20) {
            fail_at(load);
        } else if (load->next == '\\') {
            advance(load);
            read_escape(load);
        } else {
            add_byte(load, (unsigned)load->next);
        }
    }
    if (load->length == 0) { /* so that there is a text */
        add_byte(load, ' ');
        load->length = 0;
        if (load->text)
            load->text[0] = '\0';
    }
    advance(load);
    return !load->has_failed;
}

static json_t *read_string(Load *load) {
    if (!read_text(load))
        return NULL;
    json_t *json = json_stringn(load->text, load->length);
    return json ? json : fail(load, "unable to decode byte, or out of memory");
}

/* --- numbers and words --- */

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

/* Copies digits, at least one. */
static size_t read_digits(Load *load, char text[NUMBER_MAX], size_t length) {
    if (!is_digit(load->next))
        fail_at(load);
    for (; is_digit(load->next); advance(load)) {
        if (length + 8 < NUMBER_MAX)
            text[length++] = (char)load->next;
        else
            fail(load, "number too long");
    }
    return length;
}

static json_t *read_number(Load *load) {
    char text[NUMBER_MAX];
    size_t length = 0;
    bool is_real = false;
    if (load->next == '-') {
        text[length++] = '-';
        advance(load);
    }
    bool is_zero = load->next == '0';
    size_t before = length;
    length = read_digits(load, text, length);
    if (is_zero && length > before + 1)
        return fail(load, "a number begins with 0");
    if (load->next == '.') {
        is_real = true;
        text[length++] = '.';
        advance(load);
        length = read_digits(load, text, length);
    }
    if (load->next == 'e' || load->next == 'E') {
        is_real = true;
        text[length++] = 'e';
        advance(load);
        if (load->next == '-' || load->next == '+') {
            text[length++] = (char)load->next;
            advance(load);
        }
        length = read_digits(load, text, length);
    }
    if (load->has_failed)
        return NULL;
    text[length] = '\0';
    errno = 0;
    json_t *json = is_real ? json_real(strtod(text, NULL)) : json_integer(strtoll(text, NULL, 10));
    if (!is_real && errno == ERANGE) {
        json_decref(json);
        return fail(load, "too big integer");
    }
    return json ? json : fail(load, "real number overflow");
}

static json_t *read_word(Load *load, const char *word, json_t *json) {
    for (; *word; word++, advance(load))
        if (load->next != *word)
            return fail_at(load);
    return json;
}

/* --- lists --- */

static json_t *read_value(Load *load);

static bool read_member(Load *load, json_t *object) {
    if (load->next != '"')
        return fail_at(load);
    if (!read_text(load))
        return false;
    char *key = json_value_allocate(load->length + 1);
    if (!key)
        return fail(load, "out of memory");
    memcpy(key, load->text, load->length + 1);
    skip_spaces(load);
    if (json_object_get(object, key))
        fail(load, "duplicate object key");
    else if (load->next != ':')
        fail_at(load);
    else
        advance(load);
    json_t *value = load->has_failed ? NULL : read_value(load);
    if (value && json_object_set_new(object, key, value) != 0)
        fail(load, "out of memory");
    json_value_release(key);
    return !load->has_failed;
}

static bool read_item(Load *load, json_t *list) {
    if (json_is_object(list))
        return read_member(load, list);
    json_t *value = read_value(load);
    if (value && json_array_append_new(list, value) != 0)
        fail(load, "out of memory");
    return !load->has_failed;
}

static json_t *read_list(Load *load, json_t *list, int end) {
    if (!list)
        return fail(load, "out of memory");
    if (++load->depth > DEPTH_MAX)
        fail(load, "maximum parsing depth reached");
    advance(load);
    skip_spaces(load);
    for (bool is_first = true; !load->has_failed && load->next != end; is_first = false) {
        if (!is_first && load->next != ',') {
            fail_at(load);
            break;
        }
        if (!is_first)
            advance(load);
        skip_spaces(load);
        if (read_item(load, list))
            skip_spaces(load);
    }
    advance(load);
    load->depth--;
    if (!load->has_failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *read_value(Load *load) {
    skip_spaces(load);
    switch (load->next) {
    case '{':
        return read_list(load, json_object(), '}');
    case '[':
        return read_list(load, json_array(), ']');
    case '"':
        return read_string(load);
    case 't':
        return read_word(load, "true", json_true());
    case 'f':
        return read_word(load, "false", json_false());
    case 'n':
        return read_word(load, "null", json_null());
    default:
        return load->next == '-' || is_digit(load->next) ? read_number(load) : fail_at(load);
    }
}

json_t *json_load_callback(json_load_callback_t read, void *context, size_t flags,
                           json_error_t *error) {
    json_error_t unused;
    Load load = {.read = read, .context = context, .error = error ? error : &unused, .line = 1};
    *load.error = (json_error_t){.line = -1};
    if (flags != JSON_REJECT_DUPLICATES) /* the only way in which it is used */
        __builtin_trap();
    advance(&load);
    skip_spaces(&load);
    json_t *json = load.next == '{' || load.next == '[' ? read_value(&load)
                                                        : fail(&load, "'[' or '{' expected");
    skip_spaces(&load);
    if (json && load.next >= 0) {
        fail(&load, "end of file expected");
        json_decref(json);
        json = NULL;
    }
    json_value_release(load.text);
    return json;
}
