/* The table of embedded files; the Makefile generates it with scripts/embed. */
#ifndef MALPAN_UI_WEB_ASSETS_DATA_H
#define MALPAN_UI_WEB_ASSETS_DATA_H

#include "ui/web/assets.h"

extern const Asset assets[];
extern const size_t assets_count;

#endif
