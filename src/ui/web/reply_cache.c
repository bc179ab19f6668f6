#include "ui/web/reply_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

void answers_init(Answers *answers) {
    memset(answers, 0, sizeof *answers);
    pthread_mutex_init(&answers->lock, NULL);
}

static void clear(AnswersEntry *entry) {
    free(entry->question);
    free(entry->answer);
    *entry = (AnswersEntry){.question = NULL};
}

static void clear_all(Answers *answers) {
    for (size_t i = 0; i < ANSWERS_COUNT; i++)
        clear(&answers->entries[i]);
    answers->bytes = 0;
}

void answers_free(Answers *answers) {
    clear_all(answers);
    pthread_mutex_destroy(&answers->lock);
}

static size_t bytes_of(const AnswersEntry *entry) {
    return entry->question ? strlen(entry->question) + strlen(entry->answer) + 2 : 0;
}

static AnswersEntry *entry_of(Answers *answers, const char *question) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (; *question; question++)
        hash = (hash ^ (unsigned char)*question) * 0x100000001b3;
    return &answers->entries[hash % ANSWERS_COUNT];
}

char *answers_find(Answers *answers, const char *question) {
    char *copy = NULL;
    pthread_mutex_lock(&answers->lock);
    const AnswersEntry *entry = entry_of(answers, question);
    if (entry->question && strcmp(entry->question, question) == 0 &&
        progress_clock_s() < entry->until_s)
        copy = strdup(entry->answer);
    pthread_mutex_unlock(&answers->lock);
    return copy;
}

void answers_keep(Answers *answers, const char *question, const char *answer, double seconds) {
    if (strlen(question) + strlen(answer) > ANSWER_BYTES_MAX)
        return;
    AnswersEntry made = {.question = strdup(question),
                         .answer = strdup(answer),
                         .until_s = progress_clock_s() + seconds};
    if (!made.question || !made.answer) {
        clear(&made);
        return;
    }
    pthread_mutex_lock(&answers->lock);
    if (answers->bytes + bytes_of(&made) > ANSWERS_BYTES_MAX)
        clear_all(answers);
    AnswersEntry *entry = entry_of(answers, question);
    answers->bytes += bytes_of(&made) - bytes_of(entry);
    clear(entry);
    *entry = made;
    pthread_mutex_unlock(&answers->lock);
}
