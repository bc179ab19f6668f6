/* `malpan valley facts`: counts of won, lost and endless positions from the table of all positions,
 * and the longest win. */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_FACTS_H
#define MALPAN_GAMES_VALLEY_SOLVE_FACTS_H

#include "game/commands.h"
#include "games/valley/valley.h"

enum { VALLEY_COMMAND_COUNT = 2, FACTS_PLIES = 256 };
extern const GameCommand valley_commands[VALLEY_COMMAND_COUNT];

/* Positions with a given side to move, all self_images counted. */
typedef struct ValleyFacts {
    int soldiers;
    uint64_t counts[FACTS_PLIES]; /* by plies to the end, won if odd; [0]: endless */
    uint32_t longest;             /* plies of the longest win, and its first position: */
    State position;
    size_t line_length;
    Move line[FACTS_PLIES]; /* best play from there to the end */
} ValleyFacts;

/* book_command.c: `malpan valley book FILE`, which writes one of the book_*_data.c. */
Status valley_book_run(const GameCall *call, Text *output);

#endif
