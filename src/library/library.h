/* What the files of the public library share: the handle of a game, and the translation between the
 * types of malpan.h and those below.
 *
 * A MalpanPosition is a State and a seal. The seal is a hash of the State, seeded with the tag,
 * which is a hash of the game and its rules. A position that belongs to other rules, was damaged,
 * or was never set has the wrong seal and is refused before any game sees it:
 *
 *     opaque[0..7]   the bytes of the State
 *     opaque[8]      the seal
 */
#ifndef MALPAN_LIBRARY_LIBRARY_H
#define MALPAN_LIBRARY_LIBRARY_H

#include <limits.h>
#include <string.h>

#include "game/solver.h"
#include "malpan.h"

struct MalpanGame {
    Variant variant;
    uint64_t tag;
};

struct MalpanStop {
    StopFlag flag;
};

/* The tag of a variant's positions. */
uint64_t library_tag(const Variant *variant);

/* Copies the state of a position. False if it is NULL or its seal is wrong. */
bool library_get_state(uint64_t tag, const MalpanPosition *position, State *state);

/* The same with the reason: MALPAN_USAGE. */
Status library_read_position(uint64_t tag, const MalpanPosition *position, State *state);

void library_set_state(uint64_t tag, const State *state, MalpanPosition *position);

/* Copies the state of a position of the game. False if there is none. */
static inline bool library_get_game_state(const MalpanGame *game, const MalpanPosition *position,
                                          State *state) {
    return game && library_get_state(game->tag, position, state);
}

/* The generator that a MalpanRandom is, and back. */
static inline Random library_get_random(const MalpanRandom *random) {
    Random generator;
    memcpy(&generator, random, sizeof generator);
    return generator;
}

static inline void library_set_random(const Random *generator, MalpanRandom *random) {
    memcpy(random, generator, sizeof *random);
}

/* Reports a status to the caller of the library; `error` may be NULL. Returns the code. */
int library_finish(MalpanError *error, Status status);

/* MALPAN_USAGE: "expected WHAT, not NULL". Inline, so that analyzers see that it is a failure. */
static inline Status library_expected(const char *what) {
    return status_make(STATUS_USAGE, "expected %s, not NULL", what);
}

static inline Status library_out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* Copies a text to the caller's buffer, as snprintf. Returns its length. */
size_t library_give_text(const Text *source, char *text, size_t capacity);

/* A language, or English if it is none. */
Lang library_lang(int lang);

/* --- limits --- */

/* Limits as the layers below take them, with what they point to. Must stay where it is while it is
 * in use. */
typedef struct LibraryLimits {
    SolveLimits solve;
    struct {
        Progress base;
        MalpanProgressFunction *function;
        void *context;
    } progress;
    char tables[PATH_MAX];
} LibraryLimits;

/* Translates limits; NULL stands for the defaults. */
Status library_read_limits(const MalpanLimits *limits, LibraryLimits *read);

/* --- solvers and records, for reviews --- */

/* The variant's solver for the calling thread, or an error if the solver is for other rules. */
Status library_use_solver(MalpanSolver *solver, uint64_t tag, Solver **used, const StopFlag **stop);

#endif
