#include "ui/client/curl_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef struct Symbol {
    const char *name;
    size_t offset; /* of the pointer to it */
} Symbol;

#define SYMBOL(function)                                                                           \
    { "curl_" #function, offsetof(CurlLibrary, function) }

static const Symbol symbols[] = {
    SYMBOL(global_init),         SYMBOL(easy_init),     SYMBOL(easy_setopt),
    SYMBOL(easy_getinfo),        SYMBOL(easy_perform),  SYMBOL(easy_strerror),
    SYMBOL(easy_cleanup),        SYMBOL(slist_append),  SYMBOL(slist_free_all),
    SYMBOL(multi_init),          SYMBOL(multi_cleanup), SYMBOL(multi_add_handle),
    SYMBOL(multi_remove_handle), SYMBOL(multi_perform), SYMBOL(multi_info_read),
    SYMBOL(multi_poll),          SYMBOL(multi_wakeup),
};

Status curl_library_load(CurlLibrary *curl) {
    /* The second has the same functions, with GnuTLS. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return status_make(STATUS_UNSUPPORTED,
                           "HTTP needs libcurl.so.4, which is not installed (Debian: libcurl4)");
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *found = dlsym(library, symbols[i].name);
        if (!found)
            return status_make(STATUS_UNSUPPORTED, "HTTP needs libcurl 7.68 or later: no %s",
                               symbols[i].name);
        memcpy((char *)curl + symbols[i].offset, &found, sizeof found);
    }
    if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return status_make(STATUS_FAILED, "libcurl cannot be used");
    return status_ok();
}
