/* Errors.
 *
 * A Status is a code and a one-line message for the user. The codes are the exit codes of the
 * programs. Bad input and failures of the environment are returned as a Status; programmer errors
 * are asserts. A Status is 256 bytes, so functions that are called millions of times per second
 * return a bare StatusCode instead and keep the message for a second call (see table_probe). Pure
 * functions; any thread may call them.
 */
#ifndef MALPAN_BASE_STATUS_H
#define MALPAN_BASE_STATUS_H

#include <assert.h>
#include <stdbool.h>

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_FAILED = 1,      /* the operation was attempted and failed */
    STATUS_USAGE = 2,       /* the request is malformed */
    STATUS_UNSUPPORTED = 3, /* well formed, but not a position or variant this program handles */
    STATUS_TABLE = 4,       /* a solved table is missing or damaged */
    STATUS_STOPPED = 5,     /* interrupted; can be resumed */
    STATUS_CODE_COUNT
} StatusCode;

enum { STATUS_MESSAGE_BYTES = 252 };

typedef struct Status {
    StatusCode code;
    char message[STATUS_MESSAGE_BYTES];
} Status;

static_assert(sizeof(Status) == 256, "a Status is as large as its documentation says");

/* Success, with an empty message. */
static inline Status status_ok(void) {
    return (Status){.code = STATUS_OK};
}

/* A failure with a printf-style message. Control characters become `?` and a long text is cut at a
 * whole character, so a message is always one printable line. `code` must not be STATUS_OK. */
#define status_make(code, ...) status_failure(status_format((code), __VA_ARGS__))

/* The two halves of status_make. It is a macro so that compilers and analyzers, which do not see
 * into other files, know at every call that the result is a failure. */
Status status_format(StatusCode code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline Status status_failure(Status status) {
    if (status.code == STATUS_OK)
        __builtin_unreachable();
    return status;
}

/* STATUS_FAILED for a failed system call: "what 'path': " and the text for errno. */
Status status_from_errno(const char *what, const char *path);

static inline bool status_is_ok(const Status *status) {
    return status->code == STATUS_OK;
}

/* The name of a code in JSON errors: "ok", "failed", "usage", ... */
const char *status_name(StatusCode code);

/* User input for a message: shortened to 40 bytes, printable, in quotes. Use as `quote(input).text`
 * within a call. */
typedef struct Quoted {
    char text[56];
} Quoted;

Quoted quote(const char *input);

#endif
