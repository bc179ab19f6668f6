/* Values of states, and the optional part of a game that has a solver of its own.
 *
 * Thread safety: a solver belongs to one variant and one thread at a time. Two solvers may run side
 * by side.
 */
#ifndef MALPAN_GAME_SOLVER_H
#define MALPAN_GAME_SOLVER_H

#include <math.h>

#include "base/progress.h"
#include "base/stop_flag.h"
#include "game/variant.h"

typedef struct Solver Solver;

typedef struct SolveLimits {
    size_t memory_bytes; /* refuse work that would need more */
    int threads;
    Progress *progress;   /* NULL: silent */
    const StopFlag *stop; /* set by somebody: stop soon; NULL: nobody will */
    const char *scratch;  /* a folder for what memory has no room for; NULL: none */
    const char *tables;   /* the folder of solved tables; NULL: none */
    bool search_only;     /* search even where the program has stored values */
    double seconds;       /* for a search that could go on forever; 0: the default */
} SolveLimits;

/* What a value is. */
typedef enum ValueKind {
    VALUE_EXACT,   /* from a table or solved now, to within a proven error */
    VALUE_PROVEN,  /* exact, by the proof of a search */
    VALUE_ESTIMATE /* nothing is known about how far it is from the truth */
} ValueKind;

typedef struct MoveValue {
    Move move;
    double value; /* to the player who moves */
    bool is_estimate;
    size_t order; /* its place in the game's own list */
} MoveValue;

enum { SOLVER_NOTE_BYTES = 1024 };

typedef struct Evaluation {
    int player;                      /* whose turn it is */
    double values[GAME_PLAYERS_MAX]; /* what the position is worth to each player */
    ValueKind kind;                  /* of these values; a move's own may differ */
    double error;                    /* no value is further from the truth; INFINITY: estimate */
    bool is_estimate;                /* kind == VALUE_ESTIMATE */
    size_t move_count;               /* 0 unless a player is to choose */
    MoveValue moves[GAME_MOVES_MAX]; /* best first; equally good ones in the game's own order */
    char note[SOLVER_NOTE_BYTES];    /* how the values were found, where that differs; or "" */
} Evaluation;

struct Solver {
    const char *method; /* a few words on how values are found */
    const char *note;   /* the same for people, worth telling below an evaluation; NULL: nothing */
    ValueKind kind;     /* of its values; VALUE_PROVEN: evaluate() marks those not proven */
    double error;       /* no value it has returned is further from the truth; or INFINITY */
    double widening;    /* added to the error where memory was too short for the usual precision:
                           values() raises it, evaluate_state resets it */
    /* NULL, or to be called first: what is asked for next is this state and what may follow it, to
     * be compared with each other. */
    void (*begin)(Solver *solver, const State *state);
    /* What the state is worth to each player when everybody plays best for itself; among equally
     * good moves a player takes the first listed. */
    Status (*values)(Solver *solver, const State *state, double values[]);
    /* NULL, or the same for the player whose turn it is, to the last digit: a fraction. */
    Status (*fraction)(Solver *solver, const State *state, uint64_t *numerator,
                       uint64_t *denominator);
    /* NULL, or values a state where a player is to choose, and its moves in any order if they are
     * wanted (else perhaps the best one), all at once: for a solver that knows some values exactly
     * and others not. */
    Status (*evaluate)(Solver *solver, const State *state, bool with_moves, Evaluation *evaluation);
    void (*free)(Solver *solver);
};

/* Optional part: a solver of the game's own, faster than induction over the tree. */
typedef struct GameSolver {
    /* May be NULL. Whether open() supports these rules, without doing the work. */
    Status (*check)(const Rules *rules);
    Status (*open)(const Rules *rules, const SolveLimits *limits, Solver **solver);
} GameSolver;

/* Two values nearer to each other than this part of themselves count as equal: well above the
 * rounding of any solver here, far below any difference that matters at a board. */
#define SOLVER_TIE 1e-11

/* Whether `a` is really larger than `b`, not just by rounding. */
static inline bool solver_exceeds(double a, double b) {
    return a > b + SOLVER_TIE * fabs(b);
}

#endif
