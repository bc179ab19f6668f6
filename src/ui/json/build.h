/* Building JSON without losing an allocation failure.
 *
 *     json_t *json = json_object();
 *     json = json_with(json, "name", json_string(name));
 *     json = json_with(json, "count", json_integer(count));
 *     return json;                         complete, or NULL
 *
 * jansson's own json_object_set_new and json_array_append_new drop a value that could not be
 * allocated and leave the rest, so that a reply would lack a field. Here a failure makes the whole
 * NULL, and it stays NULL. json_pack behaves the same way.
 *
 * None keeps state, so any thread may call any of them.
 */
#ifndef MALPAN_UI_JSON_BUILD_H
#define MALPAN_UI_JSON_BUILD_H

#include <jansson.h>

/* Sets a field of the object. Takes ownership of both references. Returns the object, or NULL if
 * either is NULL or memory ran out; then both are freed. */
json_t *json_with(json_t *object, const char *key, json_t *value);

/* Appends an item to the array, in the same way. */
json_t *json_with_item(json_t *array, json_t *value);

#endif
