#include "ui/cli/curl_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

Status curl_library_open(CurlLibrary *curl) {
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {{"curl_global_init", offsetof(CurlLibrary, global_init)},
                     {"curl_global_cleanup", offsetof(CurlLibrary, global_cleanup)},
                     {"curl_easy_init", offsetof(CurlLibrary, easy_init)},
                     {"curl_easy_cleanup", offsetof(CurlLibrary, easy_cleanup)},
                     {"curl_easy_setopt", offsetof(CurlLibrary, easy_setopt)},
                     {"curl_easy_getinfo", offsetof(CurlLibrary, easy_getinfo)},
                     {"curl_easy_perform", offsetof(CurlLibrary, easy_perform)},
                     {"curl_easy_strerror", offsetof(CurlLibrary, easy_strerror)}};
    *curl = (CurlLibrary){.library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL)};
    bool complete = curl->library != NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && complete; i++) {
        void *function = dlsym(curl->library, functions[i].name);
        memcpy((char *)curl + functions[i].offset, &function, sizeof function);
        complete = function != NULL;
    }
    if (complete && curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        return status_ok();
    if (curl->library)
        dlclose(curl->library);
    curl->library = NULL;
    return status_make(STATUS_FAILED, "fetching needs libcurl (Debian: libcurl4), which cannot be "
                                      "loaded");
}

void curl_library_close(CurlLibrary *curl) {
    if (!curl->library)
        return;
    curl->global_cleanup();
    dlclose(curl->library);
    curl->library = NULL;
}
