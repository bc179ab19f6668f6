/* The access log: one JSON object per line for each answered request.
 *
 *     {"time":"2031-05-04T10:20:30.123Z","method":"GET","route":"/api/health","status":200,
 *      "bytes":1830,"ms":1.204}
 *
 * (on one line). It has no addresses, no ids and no queries. Whoever finishes a request appends its
 * line to a buffer in memory; a thread writes the buffer to the file several times a second:
 *
 *     request threads   append ->  [ filling ]  --swap--  [ writing ]  -> file    writer's thread
 *
 * If the file cannot be written, because the disk is full for example, serving goes on. The writer
 * tries again with what it has; lines that do not fit into the buffer meanwhile are lost and
 * counted. No line is written in part, unless the log is closed or reopened in this state.
 */
#ifndef MALPAN_UI_WEB_ACCESS_LOG_H
#define MALPAN_UI_WEB_ACCESS_LOG_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct AccessLog AccessLog;

typedef struct AccessEntry {
    const char *method, *route;
    unsigned status;
    size_t bytes; /* of the body of the reply */
    double seconds;
} AccessEntry;

/* Opens the log and starts its thread. Lines are appended to the file; `-` is standard error.
 * When `*reopen` changes, because the file was moved away, the file is opened again; NULL: never.
 * `file` and `reopen` must outlive the log. */
Status access_log_open(const char *file, const atomic_uint *reopen, AccessLog **log);

/* Adds a line. Any thread. Takes a lock that is a leaf and never held while a file is written. Does
 * nothing if the log is NULL. */
void access_log_add(AccessLog *log, const AccessEntry *entry);

/* How many lines could not be written; 0 if the log is NULL. Any thread. */
uint64_t access_log_count_lost(AccessLog *log);

/* Writes what was added, ends the thread and closes the file. Lines that are added later are lost.
 */
void access_log_finish(AccessLog *log);

/* Frees a finished log, which nobody may use any more. NULL is allowed. */
void access_log_free(AccessLog *log);

#endif
