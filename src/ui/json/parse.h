/* Parsing JSON, also when memory runs out.
 *
 * jansson 2.14 ignores it if the buffer of the token that it reads cannot grow. The byte is lost;
 * if it was the quote at the end of a string, jansson copies what lies behind the buffer over what
 * lies behind the string. Here the first allocation that fails is served from a reserve instead, so
 * no byte is lost, and then the text ends for jansson, so no more memory is needed.
 */
#ifndef MALPAN_UI_JSON_PARSE_H
#define MALPAN_UI_JSON_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Call once, before any other thread uses jansson: its allocations go through this module. */
void json_parse_init(void);

/* Parses the bytes; an object must not have a key twice. *json is a new reference, or NULL if the
 * text is malformed, which `error` explains. False if memory ran out: then *json is NULL, too.
 * Thread-safe. */
bool json_parse(const char *bytes, size_t size, json_t **json, json_error_t *error);

#endif
