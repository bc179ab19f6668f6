/* The page: the files of web/, which are part of the program. */
#ifndef MALPAN_UI_WEB_ASSETS_H
#define MALPAN_UI_WEB_ASSETS_H

#include <stddef.h>

typedef struct Asset {
    const char *name; /* "board_yut.js" */
    const unsigned char *bytes, *end;
} Asset;

/* The file that is served under a path, "/" or "/NAME"; NULL for none. */
const Asset *assets_find(const char *path);

/* Its media type, by its name. */
const char *assets_type(const Asset *asset);

#endif
