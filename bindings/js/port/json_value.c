/* JSON values as in jansson, for modules: Debian has that library for the native machine only. The
 * interface is jansson's own header; this file has the functions that src/ui uses. Objects keep the
 * order in which their members were added, and an object is searched from its first member: none
 * has more than a few dozen. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"

static json_malloc_t allocate = malloc;
static json_free_t release = free;

void json_set_alloc_funcs(json_malloc_t allocate_function, json_free_t free_function) {
    allocate = allocate_function;
    release = free_function;
}

void *json_value_allocate(size_t bytes) {
    return allocate(bytes);
}

void json_value_release(void *memory) {
    release(memory);
}

/* --- values without parts --- */

static json_t *make(json_type type, size_t bytes) {
    json_t *json = allocate(bytes);
    if (json)
        *json = (json_t){.type = type, .refcount = 1};
    return json;
}

json_t *json_true(void) {
    static json_t value = {.type = JSON_TRUE, .refcount = (size_t)-1};
    return &value;
}

json_t *json_false(void) {
    static json_t value = {.type = JSON_FALSE, .refcount = (size_t)-1};
    return &value;
}

json_t *json_null(void) {
    static json_t value = {.type = JSON_NULL, .refcount = (size_t)-1};
    return &value;
}

json_t *json_integer(json_int_t value) {
    JsonNumber *number = (JsonNumber *)make(JSON_INTEGER, sizeof *number);
    if (!number)
        return NULL;
    number->integer = value;
    return &number->json;
}

json_t *json_real(double value) {
    JsonNumber *number = isfinite(value) ? (JsonNumber *)make(JSON_REAL, sizeof *number) : NULL;
    if (!number)
        return NULL;
    number->real = value;
    return &number->json;
}

json_int_t json_integer_value(const json_t *json) {
    return json_is_integer(json) ? ((const JsonNumber *)json)->integer : 0;
}

/* --- strings --- */

/* The bytes of the character that begins here, 0 if it is not UTF-8. */
static size_t character_size(const unsigned char *at, size_t rest) {
    size_t size = at[0] < 0x80    ? 1
                  : at[0] < 0xc2  ? 0
                  : at[0] < 0xe0  ? 2
                  : at[0] < 0xf0  ? 3
                  : at[0] <= 0xf4 ? 4
                                  : 0;
    if (size == 0 || size > rest)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool is_bad = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
                  (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90);
    return is_bad ? 0 : size;
}

static bool is_utf8(const char *text, size_t length) {
    for (size_t i = 0, size; i < length; i += size)
        if ((size = character_size((const unsigned char *)text + i, length - i)) == 0)
            return false;
    return true;
}

json_t *json_stringn(const char *text, size_t length) {
    if (!text || !is_utf8(text, length))
        return NULL;
    JsonString *string = (JsonString *)make(JSON_STRING, sizeof *string + length + 1);
    if (!string)
        return NULL;
    string->length = length;
    memcpy(string->text, text, length);
    string->text[length] = '\0';
    return &string->json;
}

json_t *json_string(const char *text) {
    return text ? json_stringn(text, strlen(text)) : NULL;
}

const char *json_string_value(const json_t *json) {
    return json_is_string(json) ? ((const JsonString *)json)->text : NULL;
}

size_t json_string_length(const json_t *json) {
    return json_is_string(json) ? ((const JsonString *)json)->length : 0;
}

/* --- arrays and objects --- */

json_t *json_array(void) {
    JsonList *list = (JsonList *)make(JSON_ARRAY, sizeof *list);
    if (!list)
        return NULL;
    *list = (JsonList){.json = list->json};
    return &list->json;
}

json_t *json_object(void) {
    JsonList *list = (JsonList *)make(JSON_OBJECT, sizeof *list);
    if (!list)
        return NULL;
    *list = (JsonList){.json = list->json};
    return &list->json;
}

/* Appends an item, of which it takes the key (NULL in arrays) and the value. */
static bool append(JsonList *list, char *key, json_t *value) {
    enum { FIRST = 4 };
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : FIRST;
        JsonItem *items = allocate(capacity * sizeof *items);
        if (!items)
            return false;
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        release(list->items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (JsonItem){.key = key, .value = value};
    return true;
}

int json_array_append_new(json_t *array, json_t *value) {
    if (value && json_is_array(array) && array != value && append((JsonList *)array, NULL, value))
        return 0;
    json_decref(value);
    return -1;
}

size_t json_array_size(const json_t *array) {
    return json_is_array(array) ? ((const JsonList *)array)->count : 0;
}

json_t *json_array_get(const json_t *array, size_t index) {
    return index < json_array_size(array) ? ((const JsonList *)array)->items[index].value : NULL;
}

static JsonItem *find_item(const json_t *object, const char *key) {
    if (!key || !json_is_object(object))
        return NULL;
    const JsonList *list = (const JsonList *)object;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, key) == 0)
            return &list->items[i];
    return NULL;
}

json_t *json_object_get(const json_t *object, const char *key) {
    const JsonItem *item = find_item(object, key);
    return item ? item->value : NULL;
}

static int add_member(json_t *object, const char *key, json_t *value) {
    size_t bytes = strlen(key) + 1;
    char *copy = allocate(bytes);
    if (copy && append((JsonList *)object, memcpy(copy, key, bytes), value))
        return 0;
    release(copy);
    json_decref(value);
    return -1;
}

int json_object_set_new(json_t *object, const char *key, json_t *value) {
    if (!value || !key || !json_is_object(object) || object == value ||
        !is_utf8(key, strlen(key))) {
        json_decref(value);
        return -1;
    }
    JsonItem *item = find_item(object, key);
    if (!item)
        return add_member(object, key, value);
    json_decref(item->value);
    item->value = value;
    return 0;
}

void json_delete(json_t *json) {
    if (!json || json_is_true(json) || json_is_false(json) || json_is_null(json))
        return;
    if (json_is_array(json) || json_is_object(json)) {
        JsonList *list = (JsonList *)json;
        for (size_t i = 0; i < list->count; i++) {
            release(list->items[i].key);
            json_decref(list->items[i].value);
        }
        release(list->items);
    }
    release(json);
}

/* --- packing --- */

/* Takes the next value of a format from the arguments: s, s?, i, I, f, b, o and objects. */
static json_t *pack_value(const char **format, va_list *arguments);

static void skip_separators(const char **format) {
    *format += strspn(*format, " ,:");
}

static json_t *pack_list(const char **format, va_list *arguments, bool is_object) {
    char end = is_object ? '}' : ']';
    json_t *list = is_object ? json_object() : json_array();
    bool is_good = list != NULL;
    for (skip_separators(format); **format != end; skip_separators(format)) {
        const char *key = is_object ? va_arg(*arguments, const char *) : NULL;
        *format += is_object; /* the s of the key */
        skip_separators(format);
        json_t *value = pack_value(format, arguments);
        /* All arguments have to be taken, and those that are owned released, also after a failure.
         */
        int code =
            is_object ? json_object_set_new(list, key, value) : json_array_append_new(list, value);
        is_good = is_good && code == 0;
    }
    (*format)++;
    if (is_good)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *pack_text(const char **format, va_list *arguments) {
    const char *text = va_arg(*arguments, const char *);
    bool may_be_null = **format == '?';
    *format += may_be_null;
    return !text && may_be_null ? json_null() : json_string(text);
}

static json_t *pack_value(const char **format, va_list *arguments) {
    switch (*(*format)++) {
    case '{':
        return pack_list(format, arguments, true);
    case '[':
        return pack_list(format, arguments, false);
    case 's':
        return pack_text(format, arguments);
    case 'i':
        return json_integer(va_arg(*arguments, int));
    case 'I':
        return json_integer(va_arg(*arguments, json_int_t));
    case 'f':
        return json_real(va_arg(*arguments, double));
    case 'b':
        return va_arg(*arguments, int) ? json_true() : json_false();
    case 'o':
        return va_arg(*arguments, json_t *);
    default: /* a mistake of the program */
        __builtin_trap();
    }
}

json_t *json_pack(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_t *json = pack_value(&format, &arguments);
    va_end(arguments);
    return json;
}
