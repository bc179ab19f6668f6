/* Stores changes on a thread of its own, in batches: group commit.
 *
 * A commit that survives power loss waits for the disk, which takes milliseconds. All changes that
 * arrive during one commit are stored together by the next, so that many games can change at once
 * without waiting for each other:
 *
 *     request threads and workers     submit  A   B C D          E
 *     committer's thread                      [A] [B C D......]  [E]
 *     done(A), done(B) ...                       ^             ^
 */
#ifndef MALPAN_UI_WEB_COMMITTER_H
#define MALPAN_UI_WEB_COMMITTER_H

#include <pthread.h>

#include "ui/web/archive.h"

/* One change to be stored. Owned by whoever submits it; from committer_submit until `done` is
 * called only the committer may touch it and what it points to. */
typedef struct Commit {
    ArchiveChange change;
    /* Called on the committer's thread once the change is stored, or could not be. No lock is held.
     * The commit may be reused or freed by it. */
    void (*done)(struct Commit *commit, const Status *status);
    struct Commit *next;
} Commit;

typedef enum CommitterPhase {
    COMMITTER_IDLE,     /* no thread yet */
    COMMITTER_RUNNING,  /* accepts commits */
    COMMITTER_FINISHING /* stores what was submitted, then ends */
} CommitterPhase;

/* `lock` guards everything but `archive` and `thread`. It is a leaf. The archive's writing side
 * belongs to the thread while it runs. */
typedef struct Committer {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    CommitterPhase phase;
    Commit *first, **last;
    size_t waiting;
    uint64_t keep_seconds; /* games unchanged for so long are deleted; 0: never */
    uint64_t deleted;      /* games deleted so far */
    uint64_t batches, stored;
    Archive *archive;
    pthread_t thread;
} Committer;

/* The archive must outlive the committer. */
void committer_init(Committer *committer, Archive *archive, uint64_t keep_seconds);
Status committer_start(Committer *committer);

/* Stores what was submitted, and ends the thread. Call even if it was never started. */
void committer_finish(Committer *committer);
void committer_free(Committer *committer);

/* Lets the committer store the change. Any thread, with any lock held but its own. */
void committer_submit(Committer *committer, Commit *commit);

typedef struct CommitterCounts {
    size_t waiting;
    uint64_t batches, stored, deleted;
} CommitterCounts;

CommitterCounts committer_counts(Committer *committer);

#endif
