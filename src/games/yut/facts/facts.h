/* What a solved variant of Yut tells: `malpan yut facts`. Two players without animals. */
#ifndef MALPAN_GAMES_YUT_FACTS_FACTS_H
#define MALPAN_GAMES_YUT_FACTS_FACTS_H

#include "games/yut/facts/game_length.h"
#include "games/yut/facts/perfect_games.h"

enum { FACTS_SHOWN = 3 }; /* positions of each kind */

/* Positions with player 0 about to throw, and the number they are listed for. */
typedef struct FactsList {
    int count;
    State states[FACTS_SHOWN];
    double numbers[FACTS_SHOWN];
} FactsList;

/* What a look at all positions about to throw finds; values are those of the thrower. */
typedef struct FactsPositions {
    uint64_t count;
    uint64_t even;      /* with a value from 0.45 to 0.55 */
    FactsList closest;  /* to one half, with every piece on the board: the values */
    FactsList best;     /* the highest values */
    FactsList worst;    /* the lowest */
    FactsList hottest;  /* where it matters most who throws: the difference it makes */
    bool has_turns;     /* then: */
    FactsList longest;  /* turns that the game still takes, on average */
    double start_turns; /* the same of the start */
} FactsPositions;

typedef struct Facts {
    Variant variant;
    double start, error; /* the first player's chance, and how far any value may be off */
    bool has_positions;
    FactsPositions positions;
    /* What a piece on the square adds to the chance of winning when all others of both players are
     * at 0 and the next thrower is drawn by lot. Where everything is at 0, that is one half. */
    double worth[YUT_SQUARES];
    PerfectGames games;
} Facts;

/* What is to be found out. */
typedef struct FactsRequest {
    const GameServices *services;
    uint64_t games; /* of perfect play, at least 2 */
    uint64_t seed;
    bool turns; /* counted also where that takes minutes */
} FactsRequest;

/* Finds the facts. Solves the variant, or reads its table. */
Status facts_find(const Variant *variant, const FactsRequest *request, const SolveLimits *limits,
                  Facts *facts);

/* --- text.c --- */

void facts_print(const Facts *facts, Text *text);
void facts_print_json(const Facts *facts, Text *text);

/* --- plot.c --- */

/* The board as an SVG picture, with what a piece on each square is worth. */
void facts_plot(const Facts *facts, Text *text);

/* --- command.c --- */

enum { FACTS_OPTION_COUNT = 3 };
extern const OptionSpec facts_options[FACTS_OPTION_COUNT];
Status facts_run(const GameCall *call, Text *output);

#endif
