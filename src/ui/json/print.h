/* JSON as text, complete or not at all.
 *
 * jansson's json_dumps does not notice when memory runs out while it writes the key of an object:
 * the text then lacks a part of the key and is returned as if it were whole. Use json_print for
 * everything that is sent, stored or printed.
 */
#ifndef MALPAN_UI_JSON_PRINT_H
#define MALPAN_UI_JSON_PRINT_H

#include <jansson.h>

/* The value as text without spaces, reals with 17 digits; the caller frees it. NULL if memory ran
 * out, or already had when the value was built and `json` is NULL. The value stays the caller's.
 * Any thread may call it. */
char *json_print(const json_t *json);

#endif
