/* What the files of the module's JSON share: how values are kept. */
#ifndef MALPAN_PORT_JSON_VALUE_H
#define MALPAN_PORT_JSON_VALUE_H

#include <jansson.h>
#include <stdbool.h>

typedef struct JsonNumber {
    json_t json;
    union {
        json_int_t integer;
        double real;
    };
} JsonNumber;

typedef struct JsonString {
    json_t json;
    size_t length;
    char text[];
} JsonString;

typedef struct JsonItem {
    char *key; /* NULL in arrays */
    json_t *value;
} JsonItem;

/* An array or an object. */
typedef struct JsonList {
    json_t json;
    size_t count, capacity;
    JsonItem *items;
} JsonList;

/* By the functions that json_set_alloc_funcs has set. */
void *json_value_allocate(size_t bytes);
void json_value_release(void *memory);

#endif
