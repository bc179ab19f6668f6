/* libcurl, loaded when it is needed, for a game on a server or a table from one: linking with it
 * would double the time that every other command takes to start. */
#ifndef MALPAN_UI_CLIENT_CURL_LIBRARY_H
#define MALPAN_UI_CLIENT_CURL_LIBRARY_H

#include <curl/curl.h>

#include "base/status.h"

/* The functions that are used, under their names without `curl_`. */
typedef struct CurlLibrary {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_info_read) *multi_info_read;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_wakeup) *multi_wakeup;
} CurlLibrary;

/* Loads the library, which stays loaded. STATUS_UNSUPPORTED if it is not installed, or too old.
 * Call before other threads are started. */
Status curl_library_load(CurlLibrary *curl);

#endif
