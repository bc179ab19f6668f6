/* A game in the terminal: declarations shared by the files of `malpan play`. */
#ifndef MALPAN_UI_CLI_PLAY_H
#define MALPAN_UI_CLI_PLAY_H

#include "play/saved_game.h"
#include "play/session.h"
#include "ui/cli/cli.h"

typedef struct TerminalGame {
    Cli *cli;
    Session session;
    SavedGame saved; /* its file, if it has one */
    bool numbers;    /* label the squares of the board */
    Evaluation evaluation;
    Solver *hints;  /* for hints when no computer player has a solver; NULL until needed */
    Status missing; /* why the values of `hints` are estimates */
} TerminalGame;

static inline const Variant *play_variant(const TerminalGame *game) {
    return &game->session.record.variant;
}

/* --- play_file.c --- */

/* Writes the game to its file, if it has one. Refuses to overwrite moves that another program has
 * added. */
Status play_save(TerminalGame *game);

/* Reads a saved game. Refuses options that would contradict it. The caller closes the record. */
Status play_load(const Cli *cli, const char *file, Record *record);

/* --- play_prompt.c --- */

void play_show_board(const TerminalGame *game);

/* Prints what happened in a step of the record. */
void play_narrate_step(const TerminalGame *game, size_t step);

/* Prompts the person at `seat` until there is a move or the person quits. The end of the input
 * counts as quitting. */
Status play_ask(TerminalGame *game, int seat, bool *quit);

#endif
