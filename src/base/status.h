/* How a function says that it could not do its work.
 *
 * A Status is a code and one line of text for the person at the keyboard. The codes are the exit
 * codes of the programs. Bad input and a bad environment come back as a Status; a programmer's
 * mistake is an assert. Nothing here keeps state; any thread may call anything.
 */
#ifndef MALPAN_BASE_STATUS_H
#define MALPAN_BASE_STATUS_H

#include <stdbool.h>

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_FAILED = 1,      /* the work was tried and did not succeed */
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

/* Success, with an empty message. */
static inline Status status_ok(void) {
    return (Status){.code = STATUS_OK};
}

/* A failure with a printf-style message. Control bytes become `?` and the text is cut at a whole
 * character, so that a message is always one line of valid length, whatever went into it. */
#define status_make(code, ...) status_failure(status_format((code), __VA_ARGS__))

/* The two halves of status_make. It is a macro so that compilers and analyzers, which do not look
 * into another file, see at every call that the result is a failure. */
Status status_format(StatusCode code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline Status status_failure(Status status) {
    if (status.code == STATUS_OK)
        __builtin_unreachable();
    return status;
}

/* A failure of the operating system: `what` and `path`, then the words for errno. */
Status status_from_errno(const char *what, const char *path);

static inline bool status_is_ok(const Status *status) {
    return status->code == STATUS_OK;
}

/* The code's short name, as used in JSON errors: "ok", "failed", "usage", ... */
const char *status_name(StatusCode code);

/* Input, made fit to be quoted in a message: at most a few dozen characters, printable, in quotes.
 * Use as `quote(text).text` inside a call. */
typedef struct Quoted {
    char text[56];
} Quoted;

Quoted quote(const char *input);

#endif
