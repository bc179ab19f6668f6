/* Values that were asked for lately, as they were answered: many may look at one position. */
#ifndef MALPAN_UI_WEB_REPLY_CACHE_H
#define MALPAN_UI_WEB_REPLY_CACHE_H

#include <pthread.h>
#include <stddef.h>

enum { ANSWERS_COUNT = 4096, ANSWERS_BYTES_MAX = 16 << 20, ANSWER_BYTES_MAX = 16 << 10 };

typedef struct AnswersEntry {
    char *question, *answer; /* NULL: none */
    double until_s;          /* it holds */
} AnswersEntry;

typedef struct Answers {
    pthread_mutex_t lock;
    size_t bytes; /* of all of them */
    /* By the hash of the question; a new one replaces the old. */
    AnswersEntry entries[ANSWERS_COUNT];
} Answers;

void answers_init(Answers *answers);
void answers_free(Answers *answers);

/* A copy of the answer, which the caller frees; NULL where it is not known. */
char *answers_find(Answers *answers, const char *question);

/* Keeps a copy for so many seconds, unless it is very long. When there are too many, all are
 * forgotten. */
void answers_keep(Answers *answers, const char *question, const char *answer, double seconds);

#endif
