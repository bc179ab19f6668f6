/* King's Valley: each side has a king, which wants to reach the middle of the board, and soldiers.
 *
 * Every piece slides as far as it can. A king that stops on c3, the valley, wins; a king with no
 * free square beside it loses. docs/rules/valley.md has the rules; board.h and rules.c implement
 * them. All functions are pure, except where they fill memory of the caller; any thread may call
 * them.
 */
#ifndef MALPAN_GAMES_VALLEY_VALLEY_H
#define MALPAN_GAMES_VALLEY_VALLEY_H

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "game/benches.h"
#include "game/cells.h"
#include "game/census.h"
#include "game/outcomes.h"
#include "game/search.h"
#include "game/stored.h"
#include "games/valley/board.h"

/* The designer's two setups. Only the start differs. */
typedef enum ValleyStart {
    VALLEY_STANDARD, /* each king among its own soldiers */
    VALLEY_RETRIEVE, /* Retrieve the King: the kings are exchanged */
    VALLEY_START_COUNT
} ValleyStart;

typedef struct ValleyRules {
    int soldiers; /* per side, 0 to VALLEY_SOLDIERS_MAX */
    ValleyStart start;
} ValleyRules;

typedef struct ValleyState {
    ValleyBoard board;
    uint32_t ply;  /* from 1; at ply 1 white must move a soldier */
    uint32_t turn; /* the colour to move next, also when the game is over */
} ValleyState;

static_assert(sizeof(ValleyRules) <= sizeof(Rules) && sizeof(ValleyState) <= sizeof(State),
              "rules and states fit the common types");

static inline ValleyRules valley_rules(const Rules *rules) {
    ValleyRules valley;
    memcpy(&valley, rules->bytes, sizeof valley);
    return valley;
}

static inline Rules valley_rules_pack(const ValleyRules *valley) {
    Rules rules = {{0}};
    memcpy(rules.bytes, valley, sizeof *valley);
    return rules;
}

static inline ValleyState valley_state(const State *state) {
    ValleyState valley;
    memcpy(&valley, state->bytes, sizeof valley);
    return valley;
}

static inline State valley_state_pack(const ValleyState *valley) {
    State state = {{0}};
    memcpy(state.bytes, valley, sizeof *valley);
    return state;
}

/* A move: the square it comes from in the lower five bits, the one it goes to above. */
static inline Move valley_move_pack(uint32_t from, uint32_t to) {
    assert(from < VALLEY_SQUARES && to < VALLEY_SQUARES);
    return from | to << 5;
}

static inline uint32_t valley_move_from(Move move) {
    return move & 31;
}

static inline uint32_t valley_move_to(Move move) {
    return move >> 5;
}

/* How the game ended, or VALLEY_ONGOING. */
static inline ValleyEnd valley_state_end(const ValleyState *valley) {
    return valley_end(&valley->board, 1 - (int)valley->turn);
}

enum { VALLEY_PLY_MAX = 1000000000 }; /* plies are not counted beyond this */

extern const Game valley_game;

/* --- rules.c --- */

extern const char *const valley_colours[2]; /* "white", "black" */

enum { VALLEY_OPTION_COUNT = 2 };
extern const OptionSpec valley_options[VALLEY_OPTION_COUNT];

Rules valley_rules_default(void);
Status valley_rules_set(Rules *rules, const char *option, const char *value);
Status valley_rules_check(const Rules *rules);
void valley_rules_get(const Rules *rules, const char *option, Text *value);
void valley_rules_infer(Rules *rules, const char *position);
int valley_player_count(const Rules *rules);
ValueInfo valley_value_info(const Rules *rules);

State valley_start(const Rules *rules);
int valley_actor(const Rules *rules, const State *state);
int valley_turn(const Rules *rules, const State *state);
size_t valley_moves(const Rules *rules, const State *state, Move moves[]);
size_t valley_pick(const Rules *rules, const State *state, Random *random, Move *move);
size_t valley_chances(const Rules *rules, const State *state, Chance chances[],
                      uint64_t *denominator);
void valley_apply(const Rules *rules, State *state, Move move);
void valley_payoff(const Rules *rules, const State *state, double payoffs[]);
Status valley_check(const Rules *rules, const State *state);
void valley_normalize(const Rules *rules, State *state);

enum { VALLEY_ENDING_COUNT = 3 };
extern const Phrase valley_endings[VALLEY_ENDING_COUNT];
size_t valley_ending(const Rules *rules, const State *state);

/* Lists the pieces of the side to move, by square: each one's square in `from`, the set of its
 * destinations in `to`. Returns the number of pieces. */
size_t valley_destinations(const ValleyState *valley, uint32_t from[VALLEY_SOLDIERS_MAX + 1],
                           uint32_t to[VALLEY_SOLDIERS_MAX + 1]);

/* --- perft.c --- */

uint64_t valley_perft(const Rules *rules, const State *state, int depth);

/* --- move_score.c: the evaluation of the original study --- */

double valley_move_score(const Rules *rules, const State *state, Move move);

/* --- text.c, draw.c --- */

Status valley_parse_state(const Rules *rules, const char *text, State *state);
void valley_print_state(const Rules *rules, const State *state, Text *text);
Status valley_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                         Move *move);
void valley_trace(const Rules *rules, const State *before, Move move, Text *text);
void valley_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text);
void valley_draw(const Rules *rules, const State *state, DrawStyle style, Text *text);
void valley_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
void valley_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text);

/* --- values of positions, from 0 (lost) to 1 (won) --- */

/* A quick win has a higher value than a slow one, a slow loss a higher one than a quick one. */
double valley_value_of_win(int plies);
double valley_value_of_loss(int plies);
#define VALLEY_ENDLESS 0.5

/* Converts values to `win N`, `loss N` and `endless`. */
extern const GameOutcomes valley_outcomes;

/* --- solve/stored.c --- */

extern const GameStored valley_stored;

/* --- search/engine.c --- */

/* Opens a search (game/search.h). Its transposition table takes half of limits->memory_bytes, at
 * most 256 MB. The caller frees it. */
Status valley_search_new(const Rules *rules, const SolveLimits *limits, Search **search);

/* --- benches.c --- */

enum { VALLEY_BENCH_COUNT = 8 };
extern const GameBench valley_benches[VALLEY_BENCH_COUNT];

/* --- census.c: how many positions there are --- */

extern const GameCensus valley_census;

/* --- cells.c --- */

extern const GameCells valley_cells;

#endif
