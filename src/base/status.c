#include "base/status.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

Status status_format(StatusCode code, const char *format, ...) {
    assert(code != STATUS_OK);
    Status status = {.code = code};
    char whole[STATUS_MESSAGE_BYTES + 4]; /* room to see where a character begins */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    text_cut(whole, STATUS_MESSAGE_BYTES - 1);
    text_make_printable(whole);
    memcpy(status.message, whole, strlen(whole) + 1);
    return status;
}

Status status_from_errno(const char *what, const char *path) {
    return status_make(STATUS_FAILED, "%s %s: %s", what, quote(path).text, strerror(errno));
}

const char *status_name(StatusCode code) {
    static const char *const names[STATUS_CODE_COUNT] = {
        [STATUS_OK] = "ok",       [STATUS_FAILED] = "failed",
        [STATUS_USAGE] = "usage", [STATUS_UNSUPPORTED] = "unsupported",
        [STATUS_TABLE] = "table", [STATUS_STOPPED] = "stopped",
    };
    return names[code];
}

Quoted quote(const char *input) {
    enum { SHOWN_BYTES = 40 };
    Quoted quoted;
    char shown[SHOWN_BYTES + 5]; /* room to see where a character begins */
    snprintf(shown, sizeof shown, "%s", input);
    bool cut = strlen(shown) > SHOWN_BYTES;
    text_cut(shown, SHOWN_BYTES);
    text_make_printable(shown);
    snprintf(quoted.text, sizeof quoted.text, "'%s%s'", shown, cut ? "..." : "");
    return quoted;
}
