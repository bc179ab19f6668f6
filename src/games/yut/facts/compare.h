/* How house rules change the game: `malpan yut compare`. Two players without animals. */
#ifndef MALPAN_GAMES_YUT_FACTS_COMPARE_H
#define MALPAN_GAMES_YUT_FACTS_COMPARE_H

#include "games/yut/facts/perfect_games.h"

enum { COMPARE_MAX = 32, COMPARE_NAME_BYTES = 64, COMPARE_PLAYERS = 3, COMPARE_OPTION_COUNT = 2 };

/* The players whose losses show how much skill matters. */
extern const char *const compare_players[COMPARE_PLAYERS];

/* The figures of one set of rules. */
typedef struct Comparison {
    char name[COMPARE_NAME_BYTES];
    Variant variant;
    double start, error;         /* the first player's chance, and its error bound */
    Share turns, catches;        /* in a game of perfect players */
    Share lost[COMPARE_PLAYERS]; /* of the games against a perfect player, compared with half */
} Comparison;

typedef struct Comparisons {
    size_t count;
    Comparison of[COMPARE_MAX];
} Comparisons;

/* --- compare.c --- */

extern const OptionSpec compare_options[COMPARE_OPTION_COUNT];
Status compare_run(const GameCall *call, Text *output);

/* --- compare_text.c --- */

void compare_print(const Comparisons *all, Text *text);
void compare_print_json(const Comparisons *all, Text *text);

/* Draws a chart as SVG: for each set of rules, the advantage of the first player and what the
 * players lose. */
void compare_plot(const Comparisons *all, Text *text);

#endif
