#include "ui/web/committer.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

enum { BATCH_MAX = 256, TIDY_S = 10 };

void committer_init(Committer *committer, Archive *archive, uint64_t keep_seconds) {
    *committer = (Committer){.archive = archive, .keep_seconds = keep_seconds};
    committer->last = &committer->first;
    pthread_mutex_init(&committer->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&committer->ready, &attributes);
    pthread_condattr_destroy(&attributes);
}

void committer_free(Committer *committer) {
    assert(!committer->first);
    pthread_mutex_destroy(&committer->lock);
    pthread_cond_destroy(&committer->ready);
}

void committer_submit(Committer *committer, Commit *commit) {
    commit->next = NULL;
    pthread_mutex_lock(&committer->lock);
    assert(committer->phase == COMMITTER_RUNNING);
    *committer->last = commit;
    committer->last = &commit->next;
    committer->waiting++;
    pthread_cond_signal(&committer->ready);
    pthread_mutex_unlock(&committer->lock);
}

/* --- the thread --- */

/* Takes up to BATCH_MAX commits off the queue. The caller holds the lock. */
static size_t take_batch(Committer *committer, Commit *batch[BATCH_MAX]) {
    size_t count = 0;
    for (; committer->first && count < BATCH_MAX; count++) {
        batch[count] = committer->first;
        committer->first = batch[count]->next;
    }
    if (!committer->first)
        committer->last = &committer->first;
    committer->waiting -= count;
    return count;
}

/* Stores commits in one transaction: all of them or none. */
static Status store_together(Committer *committer, Commit *const batch[], size_t count) {
    Status status = archive_begin(committer->archive);
    for (size_t i = 0; i < count && status_is_ok(&status); i++)
        status = archive_put(committer->archive, &batch[i]->change);
    if (status_is_ok(&status))
        status = archive_commit(committer->archive);
    if (!status_is_ok(&status))
        archive_rollback(committer->archive);
    return status;
}

/* Stores a batch, and each commit alone if that fails: one that cannot be stored must not take the
 * others along. */
static void store_batch(Committer *committer, Commit *const batch[], size_t count) {
    Status together = store_together(committer, batch, count);
    for (size_t i = 0; i < count; i++) {
        Status status = together;
        if (!status_is_ok(&status) && count > 1)
            status = store_together(committer, &batch[i], 1);
        batch[i]->done(batch[i], &status);
    }
}

/* Waits for commits or for the time to tidy up. The caller holds the lock. */
static void wait_for_commits(Committer *committer, time_t tidy_s) {
    struct timespec until = {.tv_sec = tidy_s};
    int code = 0;
    while (!committer->first && committer->phase == COMMITTER_RUNNING && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&committer->ready, &committer->lock, &until);
}

static time_t clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Deletes what is too old. A failure is not reported: the next call tries again. */
static void tidy_up(Committer *committer) {
    uint64_t deleted;
    Status status = archive_delete_old(committer->archive, committer->keep_seconds, &deleted);
    if (!status_is_ok(&status))
        return;
    pthread_mutex_lock(&committer->lock);
    committer->deleted += deleted;
    pthread_mutex_unlock(&committer->lock);
}

static void *run_committer(void *context) {
    Committer *committer = context;
    Commit *batch[BATCH_MAX];
    time_t tidy_s = clock_s();
    pthread_mutex_lock(&committer->lock);
    for (;;) {
        wait_for_commits(committer, tidy_s);
        size_t count = take_batch(committer, batch);
        committer->batches += count > 0;
        committer->stored += count;
        bool is_last = count == 0 && committer->phase == COMMITTER_FINISHING;
        pthread_mutex_unlock(&committer->lock);
        if (is_last)
            return NULL;
        if (count > 0)
            store_batch(committer, batch, count);
        if (clock_s() >= tidy_s) {
            tidy_up(committer);
            tidy_s = clock_s() + TIDY_S;
        }
        pthread_mutex_lock(&committer->lock);
    }
}

Status committer_start(Committer *committer) {
    assert(committer->phase == COMMITTER_IDLE);
    committer->phase = COMMITTER_RUNNING;
    if (pthread_create(&committer->thread, NULL, run_committer, committer) == 0)
        return status_ok();
    committer->phase = COMMITTER_IDLE;
    return status_make(STATUS_FAILED, "cannot create threads");
}

void committer_finish(Committer *committer) {
    pthread_mutex_lock(&committer->lock);
    bool is_running = committer->phase == COMMITTER_RUNNING;
    committer->phase = COMMITTER_FINISHING;
    pthread_cond_signal(&committer->ready);
    pthread_mutex_unlock(&committer->lock);
    if (is_running)
        pthread_join(committer->thread, NULL);
}

CommitterCounts committer_counts(Committer *committer) {
    pthread_mutex_lock(&committer->lock);
    CommitterCounts counts = {.waiting = committer->waiting,
                              .batches = committer->batches,
                              .stored = committer->stored,
                              .deleted = committer->deleted};
    pthread_mutex_unlock(&committer->lock);
    return counts;
}
