#include "ui/module/module.h"

#include <stdlib.h>

#include "ui/module/host.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The module's only host. There is one module for each page. */
static Server host;
static char *texts[5]; /* of the request */

EXPORT(malpan_allocate) void *module_allocate(size_t bytes) {
    return malloc(bytes);
}

EXPORT(malpan_open) int module_open(size_t memory_bytes) {
    return host_open(&host, memory_bytes);
}

EXPORT(malpan_request)
int module_request(char *method, char *path, char *query, char *body, char *stored) {
    char *const given[] = {method, path, query, body, stored};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        texts[i] = given[i];
    host_begin(&host, method, path, query, body, stored);
    return (int)host.phase;
}

EXPORT(malpan_stored) int module_stored(int is_stored) {
    free(host.commit_text);
    host.commit_text = NULL;
    host_stored(&host, is_stored != 0);
    return (int)host.phase;
}

EXPORT(malpan_text) const char *module_text(void) {
    return host.phase == HOST_STORING ? host.commit_text : host.request.reply.text;
}

EXPORT(malpan_status) unsigned module_status(void) {
    return host.request.reply.status;
}

EXPORT(malpan_is_json) int module_is_json(void) {
    const char *type = host.request.reply.type;
    return type && type[0] == 'a';
}

EXPORT(malpan_next) int module_next(void) {
    if (!host.is_next_known)
        return -1;
    return !host.is_computer_next ? 0 : host.has_person ? 1 : 2;
}

EXPORT(malpan_end) void module_end(void) {
    host_end(&host);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        free(texts[i]);
        texts[i] = NULL;
    }
}
