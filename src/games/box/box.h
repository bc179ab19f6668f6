/* Shut the Box: rules, state, and the functions behind the Game interface.
 *
 * A set of tiles is a bit mask, bit t - 1 for tile t:
 *
 *     tiles    9 8 7 6 5 4 3 2 1
 *     146789 = 1 1 1 1 0 1 0 0 1 = 0x1E9
 *
 * A move is the set it closes. Of two sets with the same sum, the one whose tiles are greater,
 * compared from the largest down, is the larger number: 9 (100000000) before 8+1 (010000001). So
 * the order of preference is descending numbers.
 *
 * A state is an open set, the player whose turn it is, the scores of the players before, and the
 * sum rolled (0: about to roll). The game is over when the open set is empty (that player shut the
 * box), when the last player has beaten every score, or when `player` has passed the last one; the
 * last player's open set and score then stay for the record.
 *
 * In a game of several rounds the scores of the finished rounds are added up in `totals`, and
 * nobody stops early. When the last player of a round is stuck, the next round begins, or the game
 * is over and the scores of the last round stay. A player whose total has reached the limit is out:
 * it is passed over, with a score of 0 in every later round.
 */
#ifndef MALPAN_GAMES_BOX_BOX_H
#define MALPAN_GAMES_BOX_BOX_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "game/benches.h"
#include "game/cells.h"
#include "game/solver.h"

enum { BOX_TILES_MAX = 24, BOX_ROLL_MAX = 48, BOX_PLAYERS_MAX = GAME_PLAYERS_MAX };

/* Games of several rounds. */
enum { BOX_ROUNDS_MAX = 20, BOX_LIMIT_MAX = 200 };

typedef uint32_t TileSet;

/* When one die is thrown instead of all of them. */
typedef enum BoxOneDie {
    BOX_ONE_DIE_NEVER,
    BOX_ONE_DIE_SUM, /* the open tiles sum to at most the limit */
    BOX_ONE_DIE_TOP  /* no open tile is above the limit */
} BoxOneDie;

/* The objective of a single player. */
typedef enum BoxAim {
    BOX_AIM_SHUT,  /* the highest chance of shutting the box */
    BOX_AIM_SCORE, /* the lowest expected sum of the open tiles */
    BOX_AIM_DIGITS /* the lowest expected number that the open tiles' digits spell */
} BoxAim;

typedef struct BoxRules {
    int tiles, dice, sides, players;
    BoxOneDie one_die;
    int one_die_limit;
    BoxAim aim;
    int limit;          /* a player whose total reaches it is out after the round; 0: none */
    int rounds;         /* how many rounds at most; 0: until at most one player is left */
    bool shut_scores_0; /* shutting the box does not win at once */
    bool two_to_go;     /* an opening roll of 2 ends the turn with every tile open */
} BoxRules;

typedef struct BoxState {
    TileSet open;
    uint16_t scores[BOX_PLAYERS_MAX];
    uint8_t player;
    uint8_t roll;
    uint16_t round;                   /* finished ones; 0 if their number is not limited */
    uint16_t totals[BOX_PLAYERS_MAX]; /* of the finished rounds */
} BoxState;

static_assert(sizeof(BoxRules) <= sizeof(Rules) && sizeof(BoxState) <= sizeof(State),
              "rules and states fit their containers");

extern const Game box_game;

/* Conversions between the typed structs and the generic containers. */
static inline BoxRules box_rules(const Rules *rules) {
    BoxRules box;
    memcpy(&box, rules->bytes, sizeof box);
    return box;
}

static inline Rules box_rules_pack(const BoxRules *box) {
    Rules rules = {{0}};
    memcpy(rules.bytes, box, sizeof *box);
    return rules;
}

static inline BoxState box_state(const State *state) {
    BoxState box;
    memcpy(&box, state->bytes, sizeof box);
    return box;
}

static inline State box_state_pack(const BoxState *box) {
    State state = {{0}};
    memcpy(state.bytes, box, sizeof *box);
    return state;
}

/* --- rules.c --- */

TileSet box_all_tiles(const BoxRules *rules);
int box_sum(TileSet set);

/* A set of sums: bit s is set if some subset of the open tiles sums to s (s up to 63). */
uint64_t box_sums(TileSet open);

/* Whether the game is one round. */
static inline bool box_is_single(const BoxRules *rules) {
    return rules->limit == 0 && rules->rounds <= 1;
}

/* Whether this roll fits no set of the open tiles, or is an opening 2 that loses. */
bool box_is_stuck(const BoxRules *rules, TileSet open, int roll);

/* Whether a player with this total takes part in the next round. */
static inline bool box_is_in(const BoxRules *rules, int total) {
    return rules->limit == 0 || total < rules->limit;
}

/* Whether a game of several rounds is over after a round; `rounds` counts this one, and the totals
 * include it. */
bool box_ends_after(const BoxRules *rules, int rounds, const int totals[]);

/* How many dice are rolled with these tiles open. */
int box_dice(const BoxRules *rules, TileSet open);

/* The largest sum of this many dice. */
static inline uint64_t box_roll_max(const BoxRules *rules, int dice) {
    return (uint64_t)dice * (uint64_t)rules->sides;
}

/* Counts how many of the sides^dice rolls have each sum; returns sides^dice. */
uint64_t box_roll_weights(const BoxRules *rules, int dice, uint64_t weights[BOX_ROLL_MAX + 1]);

/* Finds the lowest score so far and how many players hold it; 0 and 0 before the first score. */
void box_best_score(const BoxState *state, int *best, int *holders);

/* The payoff of a single player who is stuck with these open tiles. If there are none, the box is
 * shut. */
double box_solo_payoff(const BoxRules *rules, TileSet open);

State box_start(const Rules *rules);
int box_actor(const Rules *rules, const State *state);
int box_turn(const Rules *rules, const State *state);
size_t box_moves(const Rules *rules, const State *state, Move moves[]);
size_t box_chances(const Rules *rules, const State *state, Chance chances[], uint64_t *denominator);
void box_apply(const Rules *rules, State *state, Move move);
void box_payoff(const Rules *rules, const State *state, double payoffs[]);
Status box_check(const Rules *rules, const State *state);

/* --- options.c --- */

enum { BOX_OPTION_COUNT = 10 };
extern const OptionSpec box_options[BOX_OPTION_COUNT];

Rules box_rules_default(void);
Status box_rules_set(Rules *rules, const char *option, const char *value);
Status box_rules_check(const Rules *rules);
void box_rules_get(const Rules *rules, const char *option, Text *value);
int box_player_count(const Rules *rules);
ValueInfo box_value_info(const Rules *rules);

/* --- text.c --- */

void box_print_tiles(const BoxRules *rules, TileSet set, Text *text);
Status box_parse_tiles(const BoxRules *rules, const char *text, TileSet *set);
Status box_parse_state(const Rules *rules, const char *text, State *state);
void box_print_state(const Rules *rules, const State *state, Text *text);
Status box_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move);
void box_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text);

/* --- draw.c --- */

void box_draw(const Rules *rules, const State *state, DrawStyle style, Text *text);
void box_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
void box_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text);

/* --- solver.c, rounds.c, rounds_many.c, bench.c --- */

/* Whether exact values take no more than a minute or so. Memory may still be short. */
Status box_solver_check(const Rules *rules);

/* Opens a solver: exact values by backward induction on bit masks; the only error is rounding.
 * STATUS_UNSUPPORTED if one turn does not fit into the memory limit. */
Status box_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);

/* The same for games of several rounds, which these hand over: for two players, and for more. */
Status box_rounds_solver_check(const Rules *rules);
Status box_rounds_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);
Status box_many_solver_check(const Rules *rules);
Status box_many_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);

/* Opens a solver that estimates games of several rounds. */
Status box_many_estimator_new(const Rules *rules, const SolveLimits *limits, Solver **solver);

enum { BOX_BENCH_COUNT = 4 };
extern const GameBench box_benches[BOX_BENCH_COUNT];

/* --- cells.c --- */

extern const GameCells box_cells;

#endif
