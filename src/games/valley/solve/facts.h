/* What the table of all positions tells: how many are won, lost and endless, and the longest win.
 */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_FACTS_H
#define MALPAN_GAMES_VALLEY_SOLVE_FACTS_H

#include "game/commands.h"
#include "games/valley/valley.h"

enum { VALLEY_COMMAND_COUNT = 2, FACTS_PLIES = 256 };
extern const GameCommand valley_commands[VALLEY_COMMAND_COUNT];

/* Positions with a given side to move, all images counted. */
typedef struct ValleyFacts {
    int soldiers;
    uint64_t counts[FACTS_PLIES]; /* by plies to the end, won if odd; [0]: endless */
    uint32_t longest;             /* the most plies of a win, and the first such position: */
    State position;
    size_t line_length;
    Move line[FACTS_PLIES]; /* best play from there */
} ValleyFacts;

/* book_command.c: writes book_data.c. */
Status valley_book_run(const GameCall *call, Text *output);

#endif
