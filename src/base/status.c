#include "base/status.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops a multi-byte character that was cut off at the end of `text`. */
static void trim_partial_character(char *text) {
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0u) == 0x80u)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : lead >= 0xC0u ? 2 : 1;
    if (wanted > length - start + 1)
        text[start - 1] = '\0';
}

static void mask_control_bytes(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20u || *text == 0x7F)
            *text = '?';
}

Status status_format(StatusCode code, const char *format, ...) {
    assert(code != STATUS_OK);
    Status status = {.code = code};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.message, sizeof status.message, format, arguments);
    va_end(arguments);
    mask_control_bytes(status.message);
    trim_partial_character(status.message);
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
    Quoted quoted = {.text = "'"};
    size_t used = 1;
    size_t length = strnlen(input, SHOWN_BYTES + 1);
    size_t shown = length > SHOWN_BYTES ? SHOWN_BYTES : length;
    for (size_t i = 0; i < shown; i++) {
        unsigned char byte = (unsigned char)input[i];
        quoted.text[used++] = (byte < 0x20u || byte == 0x7Fu) ? '?' : (char)byte;
    }
    quoted.text[used] = '\0';
    trim_partial_character(quoted.text);
    used = strlen(quoted.text);
    snprintf(quoted.text + used, sizeof quoted.text - used, "%s",
             length > SHOWN_BYTES ? "...'" : "'");
    return quoted;
}
