#include "ui/web/assets.h"

#include <string.h>

#include "ui/web/assets_data.h"

const char *assets_type(const Asset *asset) {
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".webmanifest", "application/manifest+json"}};
    const char *dot = strrchr(asset->name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot, types[i].ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}

const Asset *assets_find(const char *path) {
    const char *name = strcmp(path, "/") == 0        ? "index.html"
                       : strcmp(path, "/embed") == 0 ? "embed.html"
                                                     : path + 1;
    for (size_t i = 0; i < assets_count; i++)
        if (path[0] == '/' && strcmp(name, assets[i].name) == 0)
            return &assets[i];
    return NULL;
}
