/* Whether jansson ran out of memory. Its parser reports that as a syntax error, or as nothing. */
#ifndef MALPAN_UI_JSON_MEMORY_H
#define MALPAN_UI_JSON_MEMORY_H

#include <stdbool.h>

/* Call once, before any other thread uses jansson. */
void json_memory_watch(void);

/* Whether an allocation of jansson has failed on this thread since the last call. */
bool json_memory_ran_out(void);

#endif
