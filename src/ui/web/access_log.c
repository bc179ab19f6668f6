#include "ui/web/access_log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum { BUFFER_BYTES = 256 << 10, LINE_BYTES = 256, FLUSH_MS = 100 };

typedef struct LogBuffer {
    char bytes[BUFFER_BYTES];
    size_t written, used;
} LogBuffer;

typedef enum LogPhase {
    LOG_OPEN,     /* accepts lines */
    LOG_FINISHING /* accepts none; the writer writes what is there and ends */
} LogPhase;

/* `lock` guards `phase`, `filling` (the pointer and the buffer) and `lost`. It is a leaf, held only
 * to copy a line or to swap the buffers. `writing`, `descriptor`, `reopened` and `is_failing`
 * belong to the writer's thread; `file` and `reopen` never change. */
struct AccessLog {
    pthread_mutex_t lock;
    pthread_cond_t wake; /* the buffer is half full, or the log is finishing */
    LogPhase phase;
    LogBuffer *filling, *writing;
    uint64_t lost;
    const char *file; /* "-": standard error */
    const atomic_uint *reopen;
    unsigned reopened; /* the count when the file was last opened */
    int descriptor;
    bool is_failing; /* the last attempt to write failed, which was reported */
    pthread_t thread;
    LogBuffer buffers[2];
};

static bool is_standard_error(const AccessLog *log) {
    return strcmp(log->file, "-") == 0;
}

/* --- adding lines --- */

/* Prints the present time as 2031-05-04T10:20:30.123Z. */
static void add_time(Text *text) {
    struct timespec now;
    struct tm parts;
    char date[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    text_addf(text, "%s.%03ldZ", date, now.tv_nsec / 1000000);
}

/* A method may be any word that the client likes. */
static const char *known_method(const char *method) {
    static const char *const known[] = {"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                        "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], method) == 0)
            return known[i];
    return "other";
}

void access_log_add(AccessLog *log, const AccessEntry *entry) {
    char line[LINE_BYTES];
    Text text = text_over(line, sizeof line);
    if (!log)
        return;
    text_add(&text, "{\"time\":\"");
    add_time(&text);
    text_addf(&text,
              "\",\"method\":\"%s\",\"route\":\"%s\",\"status\":%u,\"bytes\":%zu,\"ms\":%.3f}\n",
              known_method(entry->method), entry->route, entry->status, entry->bytes,
              1e3 * entry->seconds);
    assert(!text.truncated);
    pthread_mutex_lock(&log->lock);
    LogBuffer *buffer = log->filling;
    if (log->phase == LOG_OPEN && buffer->used + text.length <= BUFFER_BYTES) {
        memcpy(buffer->bytes + buffer->used, line, text.length);
        bool was_half_full = buffer->used > BUFFER_BYTES / 2;
        buffer->used += text.length;
        if (!was_half_full && buffer->used > BUFFER_BYTES / 2)
            pthread_cond_signal(&log->wake);
    } else {
        log->lost++;
    }
    pthread_mutex_unlock(&log->lock);
}

uint64_t access_log_count_lost(AccessLog *log) {
    if (!log)
        return 0;
    pthread_mutex_lock(&log->lock);
    uint64_t lost = log->lost;
    pthread_mutex_unlock(&log->lock);
    return lost;
}

/* --- the writer's thread --- */

/* Opens the file; -1 on an error. A pipe that nobody reads is an error, too. */
static int open_file(const AccessLog *log) {
    if (is_standard_error(log))
        return STDERR_FILENO;
    return open(log->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
}

static void close_file(AccessLog *log) {
    if (!is_standard_error(log))
        close(log->descriptor);
    log->descriptor = -1;
}

/* Tells the operator once that the log cannot be written, until it can be again. */
static void report_failure(AccessLog *log, const char *what) {
    if (!log->is_failing && !is_standard_error(log))
        fprintf(stderr, "malpan: cannot %s the log %s: %s\n", what, quote(log->file).text,
                strerror(errno));
    log->is_failing = true;
}

/* Writes as much as possible of the writer's buffer; false if something is left. */
static bool write_buffer(AccessLog *log) {
    LogBuffer *buffer = log->writing;
    while (buffer->written < buffer->used) {
        ssize_t count =
            write(log->descriptor, buffer->bytes + buffer->written, buffer->used - buffer->written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            report_failure(log, "write");
            return false;
        }
        buffer->written += (size_t)count;
        log->is_failing = false;
    }
    buffer->written = buffer->used = 0;
    return true;
}

/* Swaps the buffers; the writer's must be empty. False if there is nothing to write. */
static bool swap_buffers(AccessLog *log) {
    assert(log->writing->used == 0);
    pthread_mutex_lock(&log->lock);
    LogBuffer *full = log->filling;
    log->filling = log->writing;
    log->writing = full;
    pthread_mutex_unlock(&log->lock);
    return full->used > 0;
}

/* Writes everything that has been added until now, or as much as possible. */
static void write_lines(AccessLog *log) {
    if (write_buffer(log) && swap_buffers(log))
        write_buffer(log);
}

/* Gives up lines that cannot be written: those of the writer's buffer up to `end`. */
static void lose_lines(AccessLog *log, size_t end) {
    LogBuffer *buffer = log->writing;
    uint64_t lines = 0;
    for (; buffer->written < end; buffer->written++)
        lines += buffer->bytes[buffer->written] == '\n';
    pthread_mutex_lock(&log->lock);
    log->lost += lines;
    pthread_mutex_unlock(&log->lock);
}

/* Gives up the rest of a line whose beginning is in the file. */
static void lose_half_line(AccessLog *log) {
    const LogBuffer *buffer = log->writing;
    size_t end = buffer->written;
    if (end == 0 || buffer->bytes[end - 1] == '\n')
        return;
    while (buffer->bytes[end - 1] != '\n')
        end++;
    lose_lines(log, end);
}

/* Opens the file anew if that was asked for. If that fails, the old one stays in use. */
static void reopen_file(AccessLog *log) {
    unsigned count = log->reopen ? atomic_load(log->reopen) : 0;
    if (count == log->reopened || is_standard_error(log))
        return;
    log->reopened = count;
    write_lines(log);
    int descriptor = open_file(log);
    if (descriptor < 0) {
        log->is_failing = false; /* this is news */
        report_failure(log, "reopen");
        return;
    }
    lose_half_line(log);
    close_file(log);
    log->descriptor = descriptor;
}

/* Waits for the time to write. Returns whether the log is finishing. */
static bool wait_for_lines(AccessLog *log) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += FLUSH_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&log->lock);
    if (log->phase == LOG_OPEN)
        pthread_cond_timedwait(&log->wake, &log->lock, &until);
    bool is_finishing = log->phase == LOG_FINISHING;
    pthread_mutex_unlock(&log->lock);
    return is_finishing;
}

static void *run_writer(void *context) {
    AccessLog *log = context;
    bool is_finishing;
    do {
        is_finishing = wait_for_lines(log);
        reopen_file(log);
        write_lines(log);
    } while (!is_finishing);
    return NULL;
}

/* --- opening and closing --- */

/* Creates the thread with all signals blocked: they are for others, and writing to a closed pipe or
 * past a limit of the file size is an error, not the end. */
static int start_thread(AccessLog *log) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int code = pthread_create(&log->thread, NULL, run_writer, log);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return code;
}

static void init_locks(AccessLog *log) {
    pthread_mutex_init(&log->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&log->wake, &attributes);
    pthread_condattr_destroy(&attributes);
}

Status access_log_open(const char *file, const atomic_uint *reopen, AccessLog **log) {
    AccessLog *made = calloc(1, sizeof *made);
    *log = NULL;
    if (!made)
        return status_make(STATUS_FAILED, "out of memory");
    made->file = file;
    made->reopen = reopen;
    made->reopened = reopen ? atomic_load(reopen) : 0;
    made->filling = &made->buffers[0];
    made->writing = &made->buffers[1];
    made->descriptor = open_file(made);
    init_locks(made);
    Status status = status_ok();
    if (made->descriptor < 0)
        status = status_make(STATUS_FAILED, "cannot open the log %s: %s", quote(file).text,
                             strerror(errno));
    else if (start_thread(made) != 0)
        status = status_make(STATUS_FAILED, "cannot create threads");
    if (status_is_ok(&status)) {
        *log = made;
        return status;
    }
    if (made->descriptor >= 0)
        close_file(made);
    access_log_free(made);
    return status;
}

void access_log_finish(AccessLog *log) {
    if (!log)
        return;
    pthread_mutex_lock(&log->lock);
    assert(log->phase == LOG_OPEN);
    log->phase = LOG_FINISHING;
    pthread_cond_signal(&log->wake);
    pthread_mutex_unlock(&log->lock);
    pthread_join(log->thread, NULL);
    close_file(log);
}

void access_log_free(AccessLog *log) {
    if (!log)
        return;
    pthread_mutex_destroy(&log->lock);
    pthread_cond_destroy(&log->wake);
    free(log);
}
