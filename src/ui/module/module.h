/* What a module exports, by the names malpan_request, .... Texts are UTF-8 with a zero byte at the
 * end. The caller passes texts in memory from malpan_allocate, which the module frees:
 *
 *     malpan_open(bytes)
 *     phase = malpan_request(method, path, query, body, stored)
 *     while (phase == HOST_STORING) { ... store malpan_text() ...; phase = malpan_stored(1) }
 *     malpan_status(), malpan_text(), malpan_next()
 *     malpan_end()
 *
 * The phases and the texts are those of host.h. A module has one thread. */
#ifndef MALPAN_UI_MODULE_MODULE_H
#define MALPAN_UI_MODULE_MODULE_H

#include <stddef.h>

/* NULL: out of memory. */
void *module_allocate(size_t bytes);

/* Call once before everything else; `memory_bytes` is what solvers may use. 0: out of memory. */
int module_open(size_t memory_bytes);

/* Begins to answer a request; returns the phase. */
int module_request(char *method, char *path, char *query, char *body, char *stored);

/* Goes on after the change was stored, or could not be; returns the phase. */
int module_stored(int is_stored);

/* The change that is to be stored, or the reply; NULL if memory ran out. */
const char *module_text(void);

/* The code of the reply, as in HTTP. */
unsigned module_status(void);

/* Whether the reply is JSON. */
int module_is_json(void);

/* Who goes on in the game of the request: 0 a person, or nobody; 1 a computer; 2 a computer in a
 * game of computers alone; -1 the same as before: the request is about no game, or only reads its
 * record or review. */
int module_next(void);

/* Forgets the request and its reply. */
void module_end(void);

#endif
