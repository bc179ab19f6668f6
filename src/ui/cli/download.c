#include "ui/cli/download.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "ui/client/curl_library.h"

enum {
    CONNECT_S = 20,
    SILENT_S = 60, /* a connection that brings nothing for so long is given up */
    REDIRECTS_MAX = 5,
    URL_BYTES = 3 * PATH_MAX + 64
};

/* One attempt. */
typedef struct Attempt {
    const Download *download;
    const CurlLibrary *curl;
    CURL *handle;
    int file;
    uint64_t begin; /* how many bytes there were before */
    uint64_t have;  /* how many there are */
    int disk_error; /* errno of a write that failed; 0: none */
    bool is_anew;   /* what there was has been thrown away once */
    bool too_long;
    bool is_checked;
} Attempt;

/* --- addresses --- */

static bool is_address(const char *from) {
    return strncasecmp(from, "http://", 7) == 0 || strncasecmp(from, "https://", 8) == 0;
}

static void add_escaped(const char *path, Text *url) {
    for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
        if (strchr("/-._~", *c) || (*c < 128 && isalnum(*c)))
            text_add_char(url, (char)*c);
        else
            text_addf(url, "%%%02X", *c);
    }
}

static Status make_url(const Download *download, char url[URL_BYTES]) {
    char folder[PATH_MAX];
    Text text = text_over(url, URL_BYTES);
    if (is_address(download->from)) {
        text_add(&text, download->from);
    } else if (strstr(download->from, "://")) {
        return status_make(STATUS_USAGE, "--from: expected http://, https:// or a folder, not %s",
                           quote(download->from).text);
    } else {
        if (!realpath(download->from, folder))
            return status_from_errno("cannot read", download->from);
        text_add(&text, "file://");
        add_escaped(folder, &text);
    }
    if (url[0] && url[strlen(url) - 1] != '/')
        text_add_char(&text, '/');
    add_escaped(download->name, &text);
    return text.truncated ? status_make(STATUS_USAGE, "--from: the address is too long")
                          : status_ok();
}

/* --- one attempt --- */

/* Looks at the length that the answer has, when its body begins. */
static bool check_answer(Attempt *attempt) {
    curl_off_t length = -1;
    (void)attempt->curl->easy_getinfo(attempt->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    attempt->is_checked = true;
    attempt->too_long =
        length > 0 && (uint64_t)length > attempt->download->bytes_max - attempt->have;
    return !attempt->too_long;
}

/* For libcurl: takes bytes of the body. Another number than it was given ends the transfer. */
static size_t take_bytes(char *bytes, size_t one, size_t size, void *context) {
    Attempt *attempt = context;
    (void)one; /* is 1 */
    if (!attempt->is_checked && !check_answer(attempt))
        return 0;
    if (size > attempt->download->bytes_max - attempt->have) {
        attempt->too_long = true;
        return 0;
    }
    for (size_t done = 0; done < size;) {
        ssize_t written = pwrite(attempt->file, bytes + done, size - done, (off_t)(attempt->have));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            attempt->disk_error = errno;
            return 0;
        }
        done += (size_t)written;
        attempt->have += (uint64_t)written;
    }
    return size;
}

/* For libcurl: reports progress. Another number than 0 ends the transfer. */
static int look_around(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now) {
    const Attempt *attempt = context;
    (void)now, (void)up_total, (void)up_now;
    if (total > 0)
        progress_report(attempt->download->progress, attempt->have,
                        attempt->begin + (uint64_t)total);
    return attempt->download->stop && *attempt->download->stop;
}

static bool set_options(Attempt *attempt, const char *url, char reason[CURL_ERROR_SIZE]) {
    CURL *handle = attempt->handle;
    __typeof__(curl_easy_setopt) *set = attempt->curl->easy_setopt;
    bool good = set(handle, CURLOPT_URL, url) == CURLE_OK;
    good = good && set(handle, CURLOPT_PROTOCOLS_STR, "http,https,file") == CURLE_OK;
    good = good && set(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") == CURLE_OK;
    good = good && set(handle, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK;
    good = good && set(handle, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX) == CURLE_OK;
    good = good && set(handle, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
    good = good && set(handle, CURLOPT_FAILONERROR, 1L) == CURLE_OK;
    good = good && set(handle, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) == CURLE_OK;
    good = good && set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK;
    good = good && set(handle, CURLOPT_LOW_SPEED_TIME, (long)SILENT_S) == CURLE_OK;
    good = good && set(handle, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)attempt->begin) == CURLE_OK;
    good = good && set(handle, CURLOPT_WRITEFUNCTION, take_bytes) == CURLE_OK;
    good = good && set(handle, CURLOPT_WRITEDATA, attempt) == CURLE_OK;
    good = good && set(handle, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
    good = good && set(handle, CURLOPT_XFERINFOFUNCTION, look_around) == CURLE_OK;
    good = good && set(handle, CURLOPT_ERRORBUFFER, reason) == CURLE_OK;
    return good && set(handle, CURLOPT_XFERINFODATA, attempt) == CURLE_OK;
}

/* Whether the failure may pass: the connection was lost, not refused by what is there. */
static bool may_pass(CURLcode code) {
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
           code == CURLE_OPERATION_TIMEDOUT;
}

/* The status of an attempt; `again`: another one may bring the rest. */
static Status judge(Attempt *attempt, CURLcode code, const char *reason, bool *again) {
    const Download *download = attempt->download;
    long answer = 0;
    *again = false;
    (void)attempt->curl->easy_getinfo(attempt->handle, CURLINFO_RESPONSE_CODE, &answer);
    if (download->stop && *download->stop)
        return status_make(STATUS_STOPPED, "stopped");
    if (attempt->disk_error)
        return status_make(STATUS_FAILED, "cannot write %s: %s", quote(download->part).text,
                           strerror(attempt->disk_error));
    if (attempt->too_long)
        return status_make(STATUS_TABLE, "%s has more bytes than such a table can have",
                           quote(download->name).text);
    /* Nothing is left to send: 416, or file:// at its end. */
    if (code == CURLE_OK || (attempt->begin > 0 && answer == 416) ||
        (code == CURLE_BAD_DOWNLOAD_RESUME && attempt->begin > 0))
        return status_ok();
    /* The sender has the whole file only: begin anew, once, or this might never end. */
    if (code == CURLE_RANGE_ERROR && attempt->begin > 0 && !attempt->is_anew)
        *again = attempt->is_anew = ftruncate(attempt->file, 0) == 0;
    if (answer == 404 || code == CURLE_FILE_COULDNT_READ_FILE)
        return status_make(STATUS_TABLE, "there is no %s at %s", quote(download->name).text,
                           quote(download->from).text);
    *again = *again || (may_pass(code) && attempt->have > attempt->begin);
    return status_make(STATUS_FAILED, "cannot fetch %s: %s", quote(download->name).text,
                       reason[0] ? reason : attempt->curl->easy_strerror(code));
}

/* --- all attempts --- */

static Status try_once(Attempt *attempt, const char *url, bool *again) {
    char reason[CURL_ERROR_SIZE] = "";
    struct stat found = {.st_size = 0};
    if (fstat(attempt->file, &found) != 0)
        return status_from_errno("cannot read", attempt->download->part);
    /* What is too long is no part of such a table. */
    if ((uint64_t)found.st_size > attempt->download->bytes_max) {
        if (ftruncate(attempt->file, 0) != 0)
            return status_from_errno("cannot write", attempt->download->part);
        found.st_size = 0;
    }
    attempt->begin = attempt->have = (uint64_t)found.st_size;
    attempt->is_checked = false;
    attempt->handle = attempt->curl->easy_init();
    if (!attempt->handle || !set_options(attempt, url, reason)) {
        attempt->curl->easy_cleanup(attempt->handle);
        return status_make(STATUS_FAILED, "libcurl cannot be used");
    }
    CURLcode code = attempt->curl->easy_perform(attempt->handle);
    Status status = judge(attempt, code, reason, again);
    attempt->curl->easy_cleanup(attempt->handle);
    return status;
}

/* Opens and locks the part. */
static Status open_part(const Download *download, int *file) {
    struct stat mine, there;
    *file = open(download->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (*file < 0)
        return status_from_errno("cannot write", download->part);
    Status status = status_ok();
    if (fstat(*file, &mine) != 0 || !S_ISREG(mine.st_mode))
        status = status_make(STATUS_FAILED, "cannot write %s: it is not a regular file",
                             quote(download->part).text);
    /* Another process may have put the file in place meanwhile: then it must not be written to. */
    else if (flock(*file, LOCK_EX | LOCK_NB) != 0 || stat(download->part, &there) != 0 ||
             mine.st_ino != there.st_ino || mine.st_dev != there.st_dev)
        status = status_make(STATUS_FAILED, "another process is fetching to %s",
                             quote(download->part).text);
    if (status_is_ok(&status))
        return status;
    close(*file);
    *file = -1;
    return status;
}

Status download_run(const Download *download, uint64_t *fetched, int *lock) {
    char url[URL_BYTES];
    CurlLibrary curl;
    Attempt attempt = {.download = download, .curl = &curl, .file = -1};
    *fetched = 0;
    Status status = make_url(download, url);
    if (status_is_ok(&status))
        status = curl_library_load(&curl);
    if (status_is_ok(&status))
        status = open_part(download, &attempt.file);
    progress_start(download->progress, "fetching");
    for (bool again = status_is_ok(&status); again;) {
        again = false;
        status = try_once(&attempt, url, &again);
        *fetched += attempt.have - attempt.begin;
    }
    progress_finish(download->progress);
    if (!status_is_ok(&status) && attempt.file >= 0 && attempt.have == 0)
        (void)unlink(download->part); /* nothing to continue */
    if (!status_is_ok(&status) && attempt.file >= 0) {
        close(attempt.file);
        attempt.file = -1;
    }
    *lock = attempt.file;
    return status;
}
