/* Values of a turn where every player has one piece: two to four sides, teams included.
 *
 * A start is a state in which a player throws once with nothing in hand. The values of all starts
 * are in one table, by the squares of the pieces in the order of play, the thrower's first:
 *
 *     0/7/12 with player 1 to throw: squares 7 12 0, index (7 * 31 + 12) * 31 + 0
 *
 * If all players have the same animal, one table serves every player; otherwise each has its own.
 *
 * A turn is valued by expectimax over its throws and moves, down to where the next turn starts or
 * the game is won. Results that throw again are called extras; at most `extras_max` of them are
 * followed along a line of play. What a value consists of depends on the aim:
 *
 *     SINGLE_SIDES    the chance of each player to win, the thrower's first. Each player picks the
 *                     move with the best chance for itself; among equally good ones (SOLVER_TIE)
 *                     the first listed by the rules. Throws that are cut off count like the mean of
 *                     the rest.
 *     SINGLE_BOUNDS   an upper and a lower bound on the chance of the thrower's side, for two
 *                     sides. Throws that are cut off count as won and as lost.
 *     SINGLE_ENDLESS  an upper bound on the chance that the game goes on, if all players want that.
 *
 * Thread safety: a SingleGame may be shared while its values do not change. A SingleTurn belongs to
 * one thread.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_TURN_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_TURN_H

#include "base/stop_flag.h"
#include "games/yut/yut.h"

typedef enum SingleAim { SINGLE_SIDES, SINGLE_BOUNDS, SINGLE_ENDLESS } SingleAim;

enum { SINGLE_UPPER, SINGLE_LOWER }; /* the parts of a value for SINGLE_BOUNDS */

/* What a player can throw, and where its piece goes. */
typedef struct SinglePlayer {
    double chances[YUT_RESULTS];
    bool is_extra[YUT_RESULTS];
    double again;     /* the chance of an extra */
    int catch_throws; /* throws that a catch gives */
    bool is_pig;
    uint8_t ways[YUT_SQUARES][YUT_RESULTS]; /* how many moves: 2 at a corner with a choice */
    uint8_t next[YUT_SQUARES][YUT_RESULTS][2];
} SinglePlayer;

typedef struct SingleGame {
    YutRules rules;
    int players;
    bool has_tables_by_player; /* the players have different animals */
    SingleAim aim;
    size_t parts;     /* doubles in a value */
    size_t positions; /* in the table of a player */
    SinglePlayer player[YUT_PLAYERS_MAX];
    double *values; /* [table][position][part] */
} SingleGame;

/* A value: `part` as the aim says, and an upper bound on the chance of a cut within the turn. */
typedef struct SingleValue {
    double part[YUT_PLAYERS_MAX];
    double cut;
} SingleValue;

/* A state seen by the player whose turn it is. */
typedef struct SingleState {
    uint8_t squares[YUT_PLAYERS_MAX]; /* in the order of play, its own first */
    uint8_t list[YUT_RESULTS];
    uint8_t throws;
    uint8_t player; /* whose turn it is */
} SingleState;

/* Fills in all but the values, which stay NULL. The rules have one piece each. */
void single_game_init(const YutRules *rules, SingleAim aim, SingleGame *game);

/* How many tables there are: one, or one for each player. */
int single_tables(const SingleGame *game);

/* Where the value of a start is. */
size_t single_index(const SingleGame *game, const SingleState *state);

SingleState single_state(const SingleGame *game, const YutState *state);

/* How many results are in hand. */
int single_count_results(const SingleState *state);

/* Looks up the value of a state to the player whose turn it is: if it begins to throw, and if its
 * turn ends here, so that the next player whose piece is not home throws. */
void single_value_start(const SingleGame *game, const SingleState *state, SingleValue *value);
void single_value_end(const SingleGame *game, const SingleState *state, SingleValue *value);

typedef struct SingleTurn SingleTurn;

/* A search of turns. It remembers states in at most `bytes_max` bytes. NULL: out of memory. */
SingleTurn *single_turn_open(const SingleGame *game, size_t bytes_max, const StopFlag *stop);
void single_turn_close(SingleTurn *turn);

/* The value of a state in which somebody has to throw or to move, by the values of the starts. The
 * value of a start is computed, not looked up.
 * STATUS_UNSUPPORTED if the turn has more states than fit into memory. */
Status single_turn_value(SingleTurn *turn, const SingleState *state, int extras_max,
                         SingleValue *value);

#endif
