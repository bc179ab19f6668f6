/* libcurl, loaded when something is fetched. Linked in, it and the twenty libraries that it needs
 * would double the time that every start of the program takes. */
#ifndef MALPAN_UI_CLI_CURL_LIBRARY_H
#define MALPAN_UI_CLI_CURL_LIBRARY_H

#include <curl/curl.h>

#include "base/status.h"

/* Its functions, without the prefix `curl_`. */
typedef struct CurlLibrary {
    void *library;
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_global_cleanup) *global_cleanup;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_strerror) *easy_strerror;
} CurlLibrary;

/* Loads and initializes it. STATUS_FAILED if it is not installed. */
Status curl_library_open(CurlLibrary *curl);
void curl_library_close(CurlLibrary *curl);

#endif
