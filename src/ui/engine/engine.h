/* The engine protocol: UGI, the Universal Game Interface, over two streams of lines. docs/engine.md
 * describes what it says to each command, and the extension for chance and more players.
 *
 * Threads: the caller's thread reads commands. After each `go`, a second thread thinks, and if
 * there is a time limit, a third one watches the clock. Whoever is first to end the search says
 * `bestmove`: the reading thread at `stop`, the watching thread when time is up, or the thinking
 * thread when it is done. So an answer does not wait until the thinking thread has noticed that it
 * is late.
 *
 *     field                    accessed by
 *     variant, goal,           the reading thread, while no other thread runs; constant while one
 *     limits, thinking_about   does
 *     states                   the reading thread
 *     search, solver           the thinking thread; the reading thread while no other thread runs
 *     out, best, is_thinking   all, under `lock`; is_thinking is cleared by whoever says `bestmove`
 *     stop                     set under `lock`, read by the thinking thread; atomic
 *
 * The reading thread joins both others before it starts others and before it returns.
 */
#ifndef MALPAN_UI_ENGINE_ENGINE_H
#define MALPAN_UI_ENGINE_ENGINE_H

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#include "game/search.h"
#include "game/solver.h"

enum { ENGINE_LINE_BYTES = 1 << 16 };

/* What `go` asks for. */
typedef struct EngineGoal {
    int depth;      /* 0: no limit */
    uint64_t nodes; /* 0: no limit */
    double seconds; /* 0: no limit */
    bool infinite;  /* until `stop` */
} EngineGoal;

typedef struct Engine {
    Variant variant;
    SolveLimits limits;
    char tables[PATH_MAX];
    FILE *out;
    State *states; /* the position, and those before it since the `position` command */
    size_t state_count;

    pthread_mutex_t lock;
    pthread_cond_t answered; /* is_thinking was cleared */
    pthread_t thinker, watcher;
    bool has_thinker, has_watcher; /* there is a thread to join */
    bool is_thinking;              /* `bestmove` has not been said yet */
    Move best;                     /* the best move so far */
    StopFlag stop;
    EngineGoal goal;
    State thinking_about;
    /* One of them is opened by the first `go`. */
    Search *search; /* of the game, where there are no exact values */
    Solver *solver;
} Engine;

/* Reads commands from `in` until `quit` or its end and answers on `out`. At the end of the input, a
 * search with a limit is completed. */
Status engine_run(const Variant *variant, const SolveLimits *limits, FILE *in, FILE *out);

/* --- goal.c --- */

/* Reads what follows `go` where `player` moves. */
Status engine_read_goal(const Variant *variant, int player, char *const words[], size_t count,
                        EngineGoal *goal);

/* --- think.c --- */

/* Opens the solver or the search, which may take as long as a small variant takes to solve. Nothing
 * must be thinking. An error is reported by the next `go`. */
void engine_prepare(Engine *engine);

/* Starts to think about the position. The search ends with `bestmove`. */
Status engine_start_thinking(Engine *engine, const EngineGoal *goal);

/* Ends the search with the best move so far. False if there is none. */
bool engine_stop_thinking(Engine *engine);

/* Waits for the end of the other threads, if there are any. */
void engine_join_threads(Engine *engine);

bool engine_is_thinking(Engine *engine);

/* Asks the system to wake the calling thread soon when it has something to do, also on a busy
 * machine. Threads that it starts do not inherit this. */
void engine_answer_promptly(void);

/* Drops what was computed under earlier options. Nothing must be thinking. */
void engine_clear(Engine *engine);

/* Prints one line. */
void engine_print(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
