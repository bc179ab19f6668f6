/* Exact values as targets of learning for tables of players: the ends of games, in which every
 * player has one or two pieces left.
 *
 * Solved when learning begins: two players with every pair of animals, two pieces each (one piece
 * with dogs, whose turns can be long), and three players without animals, one piece each (their
 * equilibrium, solve/single_fixpoint.h).
 *
 * Thread safety: nothing changes after table_exact_open.
 */
#ifndef MALPAN_GAMES_YUT_NET_TABLE_EXACT_H
#define MALPAN_GAMES_YUT_NET_TABLE_EXACT_H

#include "game/services.h"
#include "games/yut/net/trainer.h"

enum { TABLE_GAMES_MAX = 16 };

/* A solved game. */
typedef struct SolvedGame {
    YutRules rules;
    int turns;     /* tables: 1 if a position has the same value whoever's turn it is */
    float *values; /* [turn][placement of player 0][of player 1]...[player]; NAN: no position */
} SolvedGame;

typedef struct TableExact {
    size_t count;
    SolvedGame games[TABLE_GAMES_MAX];
} TableExact;

/* Solves; if `few`, only what takes no time: two players with one piece each. The caller closes
 * it. */
Status table_exact_open(const GameServices *services, const SolveLimits *limits, bool few,
                        TableExact *exact);
void table_exact_close(TableExact *exact);

/* How many of the games are of two players; they come first. */
size_t table_exact_duels(const TableExact *exact);

/* Draws one of the games from `from` to below `to`, and one of its positions; `values` receives the
 * chance of each player. `held_out` says which kind of positions is wanted. Returns the rules. */
YutRules table_exact_draw(const TableExact *exact, size_t from, size_t to, bool held_out,
                          Random *random, YutState *state, double values[]);

/* Whether a position is held out: never learned from, so that errors can be measured on it. One in
 * 64 is, among those in which at least two players have a piece on the board. */
bool table_is_held_out(const YutRules *rules, const YutState *state);

#endif
