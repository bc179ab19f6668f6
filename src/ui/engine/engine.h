/* The engine protocol: UGI, the Universal Game Interface, over two streams of lines. docs/engine.md
 * describes what it says to each command, and the extension for chance and more players.
 *
 * Threads: the caller's thread reads commands; one other thread thinks after each `go`.
 *
 *     field            accessed by
 *     position, ...    the reading thread; the thinking thread has copies of what it needs
 *     out              both, whole lines at a time, under `lock`
 *     is_thinking      both, under `lock`; the thinking thread clears it with its last line
 *     stop             set by the reading thread, read by the thinking thread; atomic
 *
 * The reading thread joins the thinking thread before it starts another and before it returns.
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
    pthread_cond_t stopped; /* `stop` was set */
    pthread_t thinker;
    bool has_thinker; /* there is a thread to join */
    bool is_thinking;
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

/* --- think.c --- */

/* Starts to think about the position in a thread of its own, which ends with `bestmove`. */
Status engine_start_thinking(Engine *engine, const EngineGoal *goal);

/* Waits for the end of the thinking thread, if there is one; with `now`, stops it first. */
void engine_finish_thinking(Engine *engine, bool now);

bool engine_is_thinking(Engine *engine);

/* Drops what was computed under earlier options. Nothing must be thinking. */
void engine_clear(Engine *engine);

/* Prints one line. */
void engine_print(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
