/* A piece of work in the work queue. It is part of what it works for, a request or a game, so that
 * queueing needs no memory. */
#ifndef MALPAN_UI_WEB_JOB_H
#define MALPAN_UI_WEB_JOB_H

#include <stdbool.h>

enum { CLIENT_NAME_BYTES = 48 };

/* Short work never waits for long work. */
typedef enum JobLane { JOB_SHORT, JOB_LONG } JobLane;
enum { JOB_LANES = 2 };

typedef enum JobKind { JOB_REQUEST, JOB_STEP } JobKind;
enum { JOB_KINDS = 2 };

/* `client` and `lane` are set before it is queued. From then until a worker takes it, the queue's
 * lock guards it. */
typedef struct Job {
    JobKind kind;
    JobLane lane;
    char client[CLIENT_NAME_BYTES]; /* whose work it is */
    struct Job *next;
} Job;

#endif
