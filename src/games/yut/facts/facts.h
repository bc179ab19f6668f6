/* Statistics of a solved variant of Yut: `malpan yut facts`. Two players without animals. */
#ifndef MALPAN_GAMES_YUT_FACTS_FACTS_H
#define MALPAN_GAMES_YUT_FACTS_FACTS_H

#include "games/yut/facts/game_length.h"
#include "games/yut/facts/perfect_games.h"

enum { FACTS_SHOWN = 3 }; /* positions of each kind */

/* Positions with player 0 about to throw, each with the figure it is listed for. */
typedef struct FactsList {
    int count;
    State states[FACTS_SHOWN];
    double numbers[FACTS_SHOWN];
} FactsList;

/* The result of a scan over all positions about to throw. Values are those of the thrower. */
typedef struct FactsPositions {
    uint64_t count;
    uint64_t even;      /* how many have a value from 0.45 to 0.55 */
    FactsList closest;  /* values closest to one half, with every piece on the board */
    FactsList best;     /* the highest values */
    FactsList worst;    /* the lowest values */
    FactsList hottest;  /* where the turn matters most: how much it changes the value */
    bool has_turns;     /* whether the two fields below are set */
    FactsList longest;  /* the most turns left in the game, on average */
    double start_turns; /* turns left at the start, on average */
} FactsPositions;

typedef struct Facts {
    Variant variant;
    double start, error; /* the first player's chance, and the error bound of all values */
    bool has_positions;
    FactsPositions positions;
    /* How much a piece on the square adds to the chance of winning if all other pieces of both
     * players are at 0 and the next thrower is drawn by lot. With every piece at 0, the chance is
     * one half. */
    double worth[YUT_SQUARES];
    PerfectGames games;
} Facts;

/* What to compute. */
typedef struct FactsRequest {
    const GameServices *services;
    uint64_t games; /* number of games of perfect play, at least 2 */
    uint64_t seed;
    bool turns; /* count the turns even if that takes minutes */
} FactsRequest;

/* Computes the facts. Solves the variant, or reads its table. */
Status facts_find(const Variant *variant, const FactsRequest *request, const SolveLimits *limits,
                  Facts *facts);

/* --- text.c --- */

void facts_print(const Facts *facts, Text *text);
void facts_print_json(const Facts *facts, Text *text);

/* --- plot.c --- */

/* Draws the board as SVG, with the worth of a piece on each square. */
void facts_plot(const Facts *facts, Text *text);

/* --- command.c --- */

enum { FACTS_OPTION_COUNT = 3 };
extern const OptionSpec facts_options[FACTS_OPTION_COUNT];
Status facts_run(const GameCall *call, Text *output);

#endif
