/* A thread that opens computer players, picks their moves, evaluates positions and reviews games,
 * while the main thread draws and reads keys.
 *
 * The main thread posts jobs and takes results; each result puts a byte into a pipe, which the main
 * thread watches. Jobs are done in the order in which they were posted, one at a time.
 *
 * Concurrency:
 *
 *     field                     written by           read by              under
 *     jobs, results, counts     both                 both                 lock
 *     session's players, solver the thread only while it does a job; they are handed to nobody
 *     hints, missing            the thread           the thread           -
 *     stop                      the main thread      the thread           atomic
 *
 * The lock is held only to move jobs and results. thinker_cancel sets `stop`, drops the jobs that
 * wait, and raises the ticket: results of earlier tickets are dropped, so the main thread never
 * sees an answer to a question it has withdrawn. Closing: cancel, wake, join, then free the players
 * and solvers on the main thread.
 */
#ifndef MALPAN_UI_SCREEN_THINKER_H
#define MALPAN_UI_SCREEN_THINKER_H

#include "game/solver.h"
#include "play/review.h"
#include "values/principal_variation.h"

typedef enum ThinkKind {
    THINK_OPEN,   /* open the computer players of these seats */
    THINK_CHOOSE, /* let the player at `seat` choose a move */
    THINK_VALUES, /* evaluate the state */
    THINK_LINE,   /* follow the best moves from the state, up to the next throw */
    THINK_REVIEW  /* review a game, given as the text of its record */
} ThinkKind;

typedef struct ThinkJob {
    ThinkKind kind;
    int seat;
    State state;
    Random random;
    char *record; /* owned; freed by the thinker */
} ThinkJob;

typedef struct ThinkResult {
    ThinkKind kind;
    Status status;
    State state; /* the one that was asked about */
    Move move;
    char thought[256];        /* how a computer player made its choice, or "" */
    Evaluation *evaluation;   /* owned by the receiver, as are the rest */
    PrincipalVariation *line; /* THINK_LINE: the best moves */
    Review *review;
    Status missing; /* why the values are not exact */
} ThinkResult;

typedef struct Thinker Thinker;

/* Starts the thread for a variant and its seats. `limits` is copied; its progress and stop flag are
 * not used. NULL if there is no memory or no thread. */
Thinker *thinker_open(const Variant *variant, const Seat seats[], const SolveLimits *limits);
void thinker_close(Thinker *thinker);

/* The file to watch for results. */
int thinker_file(const Thinker *thinker);

/* Posts a job. False if too many wait. */
bool thinker_post(Thinker *thinker, const ThinkJob *job);

/* Takes the next result. False if there is none. */
bool thinker_take(Thinker *thinker, ThinkResult *result);

/* Withdraws all jobs; the one that is being done is stopped. */
void thinker_cancel(Thinker *thinker);

void think_result_free(ThinkResult *result);

#endif
