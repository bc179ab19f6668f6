/* What the Makefile writes from the files of web/. */
#ifndef MALPAN_UI_WEB_ASSETS_DATA_H
#define MALPAN_UI_WEB_ASSETS_DATA_H

#include "ui/web/assets.h"

extern const Asset assets[];
extern const size_t assets_count;

#endif
