/* Writes JSON byte for byte as jansson does with JSON_COMPACT and JSON_REAL_PRECISION(17). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"

typedef struct Dump {
    json_dump_callback_t write;
    void *context;
    size_t flags;
} Dump;

static int put(const Dump *dump, const char *text, size_t length) {
    return dump->write(text, length, dump->context);
}

/* What stands for a character in a text; NULL: itself. */
static const char *find_escape(unsigned char c, char hex[8]) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        if (c >= 0x20)
            return NULL;
        snprintf(hex, 8, "\\u%04X", c);
        return hex;
    }
}

static int put_text(const Dump *dump, const char *text, size_t length) {
    char hex[8];
    size_t from = 0;
    int code = put(dump, "\"", 1);
    for (size_t i = 0; i < length && code == 0; i++) {
        const char *escape = find_escape((unsigned char)text[i], hex);
        if (!escape)
            continue;
        code = put(dump, text + from, i - from);
        if (code == 0)
            code = put(dump, escape, strlen(escape));
        from = i + 1;
    }
    if (code == 0)
        code = put(dump, text + from, length - from);
    return code == 0 ? put(dump, "\"", 1) : code;
}

/* A number that is not an integer has a point or an exponent; an exponent has no plus sign and no
 * zeros in front. */
static int put_real(const Dump *dump, double value) {
    char text[64];
    int precision = (int)(dump->flags >> 11 & 0x1f);
    snprintf(text, sizeof text - 2, "%.*g", precision > 0 ? precision : 17, value);
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *to = exponent + 1, *digits = to;
        to += *to == '-';
        digits += *digits == '-' || *digits == '+';
        digits += strspn(digits, "0");
        memmove(to, digits, strlen(digits) + 1);
    }
    return put(dump, text, strlen(text));
}

static int put_value(const Dump *dump, const json_t *json);

static int put_list(const Dump *dump, const JsonList *list, const char *brackets) {
    int code = put(dump, brackets, 1);
    for (size_t i = 0; i < list->count && code == 0; i++) {
        const JsonItem *item = &list->items[i];
        if (i > 0)
            code = put(dump, ",", 1);
        if (code == 0 && item->key)
            code = put_text(dump, item->key, strlen(item->key));
        if (code == 0 && item->key)
            code = put(dump, ":", 1);
        if (code == 0)
            code = put_value(dump, item->value);
    }
    return code == 0 ? put(dump, brackets + 1, 1) : code;
}

static int put_value(const Dump *dump, const json_t *json) {
    char digits[24];
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return put_list(dump, (const JsonList *)json, "{}");
    case JSON_ARRAY:
        return put_list(dump, (const JsonList *)json, "[]");
    case JSON_STRING:
        return put_text(dump, json_string_value(json), json_string_length(json));
    case JSON_INTEGER:
        snprintf(digits, sizeof digits, "%" PRId64, (int64_t)json_integer_value(json));
        return put(dump, digits, strlen(digits));
    case JSON_REAL:
        return put_real(dump, ((const JsonNumber *)json)->real);
    case JSON_TRUE:
        return put(dump, "true", 4);
    case JSON_FALSE:
        return put(dump, "false", 5);
    case JSON_NULL:
        return put(dump, "null", 4);
    }
    return -1;
}

int json_dump_callback(const json_t *json, json_dump_callback_t write, void *context,
                       size_t flags) {
    const Dump dump = {.write = write, .context = context, .flags = flags};
    return json_is_object(json) || json_is_array(json) ? put_value(&dump, json) : -1;
}
