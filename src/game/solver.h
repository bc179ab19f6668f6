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
    const StopFlag *stop; /* when set, work stops soon with STATUS_STOPPED; NULL: never */
    const char *scratch;  /* folder for temporary files when memory is short; NULL: none */
    const char *tables;   /* the folder of solved tables; NULL: none */
    bool search_only;     /* search even where the program has stored values */
    double seconds;       /* for a search that could go on forever; 0: the default */
} SolveLimits;

/* What a value is. */
typedef enum ValueKind {
    VALUE_EXACT,       /* from a table or solved now, to within a proven error */
    VALUE_PROVEN,      /* exact, by the proof of a search */
    VALUE_EQUILIBRIUM, /* of three or more sides: the equations of best play hold to within a known
                          residual, but other equilibria may exist */
    VALUE_ESTIMATE     /* nothing is proven about how far it is from the truth */
} ValueKind;

typedef struct MoveValue {
    Move move;
    double value; /* to the player who moves */
    bool is_estimate;
    size_t order; /* its index in the list of moves() */
} MoveValue;

enum { SOLVER_NOTE_BYTES = 1024 };

typedef struct Evaluation {
    int player;                      /* whose turn it is */
    double values[GAME_PLAYERS_MAX]; /* the position's value to each player */
    ValueKind kind;                  /* of these values; a move's own may differ */
    /* No value is further from the truth. VALUE_EQUILIBRIUM: the largest residual of an equation.
     * VALUE_ESTIMATE: INFINITY. */
    double error;
    double typical_error;            /* how far such estimates are off on average; NAN: unknown */
    size_t move_count;               /* 0 unless a player chooses here */
    MoveValue moves[GAME_MOVES_MAX]; /* best first; equally good ones in the order of moves() */
    char note[SOLVER_NOTE_BYTES];    /* for people: how these values were found; or "" */
} Evaluation;

struct Solver {
    const char *method;   /* how values are found, in a few words */
    const char *note;     /* a sentence for people to print below an evaluation; NULL: none */
    ValueKind kind;       /* of its values; VALUE_PROVEN: evaluate() marks those not proven */
    double error;         /* of the values it has returned, as in Evaluation */
    double typical_error; /* of estimates about the state of the last begin(), on average, as
                             measured; 0 or NAN: unknown */
    double widening;      /* added to the error where memory was too short for the usual precision:
                             values() raises it, evaluate_state resets it */
    /* May be NULL. Announces that the next questions are about this state and its successors, whose
     * values will be compared. */
    void (*begin)(Solver *solver, const State *state);
    /* The state's value to each player if every player maximizes its own payoff; among equally good
     * moves a player takes the first listed. */
    Status (*values)(Solver *solver, const State *state, double values[]);
    /* May be NULL. The exact value to the player whose turn it is, as a fraction. */
    Status (*fraction)(Solver *solver, const State *state, uint64_t *numerator,
                       uint64_t *denominator);
    /* May be NULL. Evaluates a state where a player chooses, and with `with_moves` its moves in any
     * order (otherwise at most the best one), all at once: sets values, kind, moves and note. For
     * solvers that know some values exactly and estimate others. */
    Status (*evaluate)(Solver *solver, const State *state, bool with_moves, Evaluation *evaluation);
    /* May be NULL. Another solver over the same solved values, for another thread: it need not
     * solve again. Either may be freed first. */
    Status (*clone)(const Solver *solver, const SolveLimits *limits, Solver **cloned);
    void (*free)(Solver *solver);
};

/* Optional part: a solver of the game's own, faster than induction over the tree. */
typedef struct GameSolver {
    /* May be NULL. Whether open() supports these rules, without doing the work. */
    Status (*check)(const Rules *rules);
    Status (*open)(const Rules *rules, const SolveLimits *limits, Solver **solver);
    /* May be NULL. Opens a solver that only estimates (VALUE_ESTIMATE), for rules that open()
     * refuses. STATUS_UNSUPPORTED if it cannot do that, either. */
    Status (*estimate)(const Rules *rules, const SolveLimits *limits, Solver **solver);
} GameSolver;

/* Values that differ by less than this, relatively, count as equal. It is well above the rounding
 * error of any solver here and far below any difference that matters in play. */
#define SOLVER_TIE 1e-11

/* Whether `a` exceeds `b` by more than rounding. */
static inline bool solver_exceeds(double a, double b) {
    return a > b + SOLVER_TIE * fabs(b);
}

#endif
