/* One line of a sweep over Yut with one piece each (single_lines.h): a turn of best play, solved
 * for all squares of the mover's piece at once.
 *
 * A line is all starts of one player that differ only in its own square: 31 cells. It is solved for
 * all lists of results in hand (lists.h) and all squares, shorter lists first:
 *
 *     play[{}][c]  = the value when the turn ends with the piece on c
 *     play[L][c]   = the best of play[L - r][c after r], over the results r of L
 *     throw[L][c]  = the mean of play[L + r][c], or of throw[L + r][c] if r throws again
 *     start[c]     = throw[{}][c]
 *
 * Example: three players, 0/7/12 with player 1 to throw. The line is "the others on 12 and 0": one
 * piece waits at the start, and the start itself is its cell c = 7. If gae takes the piece from 10
 * to 12, the catch leads to the line "the others on 0 and 0", with two pieces waiting.
 *
 * A catch leads to another line, with one more piece waiting at the start. So the throw[L] of that
 * line are stored, and it must have been solved before. In teams, a piece that lands on its partner
 * moves on with it: the line of the stacked pair must have been solved just before, by the same
 * thread.
 *
 * Lists have a limited number of extras. For two sides, what is beyond counts as won for the upper
 * and as lost for the lower bound. For more sides it counts as won. In full sweeps that is exact
 * unless somebody has a pig: so many extras bring the piece home from anywhere.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_LINE_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_LINE_H

#include "games/yut/solve/lists.h"
#include "games/yut/solve/single_turn.h"

enum {
    LINE_WAITING_MAX = YUT_PLAYERS_MAX - 1,
    LINE_HOME_STEPS = 21,      /* from the start, along the ring */
    LINE_PARTNER = 2,          /* in the order of play */
    LINE_STACKED = YUT_SQUARES /* the partner's square while the pieces move together */
};

/* How long the lists are: with one extra at most, or as many as matter. */
typedef enum SingleReach { SINGLE_SHORT, SINGLE_FULL } SingleReach;

/* The lists of one player. */
typedef struct LineLists {
    ResultLists lists;
    int throws;                          /* that a catch gives */
    int32_t *rank[LINE_WAITING_MAX + 1]; /* [list]: where its throw is stored in a line with so
                                            many waiting; -1: nowhere */
    size_t stored[LINE_WAITING_MAX + 1]; /* how many are */
} LineLists;

Status line_lists_open(const SingleGame *game, int player, SingleReach reach, LineLists *of);
void line_lists_close(LineLists *of);

/* The chance that a throw has more extras than full sweeps follow, where that matters; else 0. */
double line_cut(const SingleGame *game);

/* How many opponents there are to catch, and whether player i in the order of play is one. */
int line_opponents(const SingleGame *game);
bool line_is_opponent(const SingleGame *game, int i);

/* What is stored of a list that a catch leaves: the throw, and the play too if catches may give no
 * throw. */
size_t line_kinds(const SingleGame *game);

/* The squares of the others, in the order of play. */
typedef struct Line {
    uint8_t squares[YUT_PLAYERS_MAX]; /* [0] is not used; the partner's may be LINE_STACKED */
    int waiting;                      /* opponents at the start */
} Line;

/* A line by its index, five bits for each of the others, and back. */
Line line_at(const SingleGame *game, size_t index);
size_t line_index(const SingleGame *game, const uint8_t squares[]);

/* Whether there is such a line, of states in which the game goes on. */
bool line_exists(const SingleGame *game, int player, const Line *line);

/* The start of a line in which the mover's piece is on `own`. */
SingleState line_state(const SingleGame *game, int player, const Line *line, int own);

/* Room for the lists of one line. It belongs to one thread. */
typedef struct LineWorkspace {
    double *play, *stacked_play; /* [list][square][part] */
    double *throw_once, *throw_twice;
} LineWorkspace;

/* What happens to the mover's piece on a square. */
typedef enum Landing { LAND_FREE, LAND_CATCH, LAND_PIG, LAND_PARTNER, LAND_HOME } Landing;

/* The work on a line. */
typedef struct LineWork {
    /* Set by the caller. */
    const SingleGame *game;
    const LineLists *of;
    const LineWorkspace *space;
    Line line;
    int number;                 /* of the player */
    const SinglePlayer *player; /* what it can throw */
    double *stored;             /* the throws of all lines of the player, */
    const size_t *slot;         /* [line]: and where those of each begin */
    /* Set by line_list_squares. */
    int square_count; /* where the mover's piece can be */
    uint8_t squares[YUT_SQUARES];
    /* Set by line_solve. */
    double *play; /* of this line */
    size_t parts;
    bool wins_at_home;
    double home[YUT_PLAYERS_MAX]; /* the value when the turn ends at home */
    Landing landing[YUT_SQUARES];
    double begins[YUT_SQUARES][YUT_PLAYERS_MAX]; /* after a catch, with nothing in hand */
    double ends[YUT_SQUARES][YUT_PLAYERS_MAX];   /* after a catch, if the turn ends */
    const double *caught[YUT_SQUARES];           /* the stored throws of the line after it */
    const int32_t *caught_rank[YUT_SQUARES];
} LineWork;

/* Lists the squares where the mover's piece can be, in states that belong to this line. */
void line_list_squares(LineWork *work);

/* Solves the line, and stores the throws that catches lead to. */
void line_solve(LineWork *work);

/* The value of the start with the mover's piece on this square, of a line just solved. */
const double *line_value(const LineWork *work, int square);

#endif
