/* Optional part of a game without chance whose values are outcomes: a win or a loss in so many
 * plies, or play that never ends. A position where the game is over has no outcome, so verbs that
 * report values refuse it. */
#ifndef MALPAN_GAME_OUTCOMES_H
#define MALPAN_GAME_OUTCOMES_H

#include "game/game.h"

typedef enum OutcomeKind { OUTCOME_WIN, OUTCOME_LOSS, OUTCOME_ENDLESS } OutcomeKind;

typedef struct Outcome {
    OutcomeKind kind;
    int plies; /* until the end; 0 for endless play */
} Outcome;

typedef struct GameOutcomes {
    /* Decodes an exact value. */
    Outcome (*decode)(double value);
    /* The value of a move that leads to a state of this value: the end is one ply further away. */
    double (*before_move)(double value);
} GameOutcomes;

/* "win", "loss", "endless": for JSON. */
const char *outcome_name(OutcomeKind kind);

/* Prints `win 9`, `loss 12` or `endless`. */
void outcome_print(Outcome outcome, Text *text);

#endif
