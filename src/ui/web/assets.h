/* The files of web/, embedded in the program. */
#ifndef MALPAN_UI_WEB_ASSETS_H
#define MALPAN_UI_WEB_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Asset {
    const char *name; /* such as "main.js" */
    const unsigned char *bytes, *end;
    const unsigned char *packed, *packed_end; /* compressed with gzip */
} Asset;

/* The file for a path, "/" or "/NAME"; NULL if there is none. */
const Asset *assets_find(const char *path);

/* Its media type, from its name. */
const char *assets_type(const Asset *asset);

#endif
