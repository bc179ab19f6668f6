#include "ui/json/build.h"

json_t *json_with(json_t *object, const char *key, json_t *value) {
    /* json_object_set_new frees the value in any case, and fails if object or value is NULL. */
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *json_with_item(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}
