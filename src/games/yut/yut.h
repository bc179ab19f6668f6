/* Yut: board, rules, state, and the functions behind the Game interface.
 *
 * Squares are numbered as on this board. Pieces wait at the start, square 0, and finish home,
 * square 30 (text: 100).
 *
 *     10 --- 9 --- 8 --- 7 --- 6 --- 5
 *      | 25                       20 |          a piece that stops on 5, 10 or 22 turns off:
 *     11       .             .       4          from  5: 20 21 22 23 24 15 ...
 *      |       26         21         |          from 10: 25 26 22 27 28 29
 *     12          .     .            3          from 22: 27 28 29
 *      |             22              |
 *     13          .     .            2
 *      |       23         27         |
 *     14       .             .       1
 *      | 24                       28 |
 *     15 -- 16 -- 17 -- 18 -- 19 -- 29  start and finish
 *
 * A state holds every player's pieces (ascending), the player whose turn it is, the results that
 * are still to be played (how many of each), and how many throws are still owed. A throw that
 * yields yut or mo is repeated. While throws are owed, chance acts; then the player plays the list.
 */
#ifndef MALPAN_GAMES_YUT_YUT_H
#define MALPAN_GAMES_YUT_YUT_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "game/benches.h"
#include "game/commands.h"
#include "game/stored.h"

enum {
    YUT_PLAYERS_MAX = 4,
    YUT_PIECES_MAX = 4,
    YUT_ARRIVED = 30,       /* home */
    YUT_SQUARES = 31,       /* 0 to 30 */
    YUT_ARRIVED_TEXT = 100, /* home in positions */
    YUT_LIST_MAX = 36       /* results in the list of a position; see yut_apply */
};

typedef enum YutResult {
    YUT_BACK_DO,
    YUT_DO,
    YUT_GAE,
    YUT_GEOL,
    YUT_YUT,
    YUT_MO,
    YUT_RESULTS
} YutResult;

typedef enum YutAnimal { YUT_PIG, YUT_DOG, YUT_SHEEP, YUT_COW, YUT_NO_ANIMAL } YutAnimal;

typedef struct YutRules {
    uint64_t odds[YUT_RESULTS]; /* weights of the results */
    uint8_t players, pieces;
    uint8_t animals[YUT_PLAYERS_MAX]; /* YutAnimal of each player */
    bool no_back_do;                  /* its odds go to do */
    bool no_bonus_by_yut_mo;          /* a catch made with yut or mo gives no throw */
    bool short_cut_may;               /* at 5 and 10 the player may also stay on the ring */
    bool no_back_from_1;              /* a back-do cannot be played on 1 */
    bool teams;                       /* 0 and 2 against 1 and 3 */
    uint8_t padding[5];               /* zero, so that equal rules are equal byte for byte */
} YutRules;

typedef struct YutState {
    uint8_t pieces[YUT_PLAYERS_MAX][YUT_PIECES_MAX]; /* ascending; unused ones 0 */
    uint8_t list[YUT_RESULTS];
    uint8_t turn;
    uint8_t throws; /* owed */
} YutState;

static_assert(sizeof(YutRules) <= sizeof(Rules) && sizeof(YutState) <= sizeof(State),
              "rules and states fit their containers");

extern const Game yut_game;

/* Conversions between the typed structs and the generic containers. */
static inline YutRules yut_rules(const Rules *rules) {
    YutRules yut;
    memcpy(&yut, rules->bytes, sizeof yut);
    return yut;
}

static inline Rules yut_rules_pack(const YutRules *yut) {
    Rules rules = {{0}};
    memcpy(rules.bytes, yut, sizeof *yut);
    return rules;
}

static inline YutState yut_state(const State *state) {
    YutState yut;
    memcpy(&yut, state->bytes, sizeof yut);
    return yut;
}

static inline State yut_state_pack(const YutState *yut) {
    State state = {{0}};
    memcpy(state.bytes, yut, sizeof *yut);
    return state;
}

/* A move: the square whose pieces move, the result that is played, and at 5 and 10 whether to stay
 * on the ring. */
static inline Move yut_move_pack(int square, YutResult result, bool ring) {
    return (Move)square | (Move)result << 5 | (Move)ring << 8;
}

static inline int yut_move_square(Move move) {
    return (int)(move & 31u);
}

static inline YutResult yut_move_result(Move move) {
    return (YutResult)(move >> 5 & 7u);
}

static inline bool yut_move_ring(Move move) {
    return (move >> 8 & 1u) != 0;
}

/* --- route.c: the routes --- */

/* The square, 0 to 30, where a piece on `square` ends. A cow keeps to its own route. `ring` stays
 * on the outer ring at 5 and 10. */
int yut_destination(int square, YutResult result, bool cow, bool ring);

/* Whether a cow can be on the square. */
bool yut_on_cow_route(int square);

/* --- rules.c --- */

/* Whether the two are partners, or the same player. */
bool yut_same_side(const YutRules *rules, int a, int b);

/* Whether the player throws again after this result. */
bool yut_throws_again(const YutRules *rules, int player, YutResult result);

/* The player (or, in teams, a player of the side) that has won, or -1. */
int yut_winner(const YutRules *rules, const YutState *state);

/* How many pieces of the player are on the square. */
int yut_count_on(const YutRules *rules, const YutState *state, int player, int square);

/* What a move does. */
typedef struct YutOutcome {
    int destination;
    int moved;          /* pieces */
    int caught;         /* pieces */
    unsigned caught_of; /* bit p: pieces of player p are among them */
    bool stacked;       /* landed on pieces of its own side */
} YutOutcome;

YutOutcome yut_outcome(const YutRules *rules, const YutState *state, Move move);

/* Applies a move; adds a thrown result to the list. */
void yut_play(const YutRules *rules, YutState *state, Move move);
void yut_throw(const YutRules *rules, YutState *state, YutResult result);

State yut_start(const Rules *rules);
int yut_actor(const Rules *rules, const State *state);
int yut_turn(const Rules *rules, const State *state);
size_t yut_moves(const Rules *rules, const State *state, Move moves[]);
size_t yut_chances(const Rules *rules, const State *state, Chance chances[], uint64_t *denominator);
/* A list holds at most YUT_LIST_MAX results, so that its text stays short; further ones are
 * dropped. The chance of that is below 1e-15. (yut_throw itself has no such limit.) */
void yut_apply(const Rules *rules, State *state, Move move);
void yut_payoff(const Rules *rules, const State *state, double payoffs[]);
Status yut_check(const Rules *rules, const State *state);

/* --- options.c --- */

enum { YUT_OPTION_COUNT = 11 };
extern const OptionSpec yut_options[YUT_OPTION_COUNT];

Rules yut_rules_default(void);
Status yut_rules_set(Rules *rules, const char *option, const char *value);
Status yut_rules_check(const Rules *rules);
void yut_rules_get(const Rules *rules, const char *option, Text *value);
void yut_rules_infer(Rules *rules, const char *position);
int yut_player_count(const Rules *rules);
ValueInfo yut_value_info(const Rules *rules);

/* --- text.c --- */

extern const char *const yut_result_names[YUT_RESULTS]; /* in positions and records */
extern const Phrase yut_result_words[YUT_RESULTS];      /* for people */
extern const char yut_animal_letters[];

/* Finds the result by its name in positions. */
bool yut_find_result(const char *name, YutResult *result);

Status yut_parse_state(const Rules *rules, const char *text, State *state);
void yut_print_state(const Rules *rules, const State *state, Text *text);
Status yut_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move);
void yut_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text);

/* --- draw.c --- */

/* Draws the eleven lines of the board; `cells` holds the text of each square, three columns wide.
 */
void yut_draw_grid(const char *const cells[YUT_SQUARES], const char *after_last, Text *text);

/* The terminal sequence for a player's colour. */
const char *yut_player_color(int player);

void yut_draw(const Rules *rules, const State *state, DrawStyle style, Text *text);
void yut_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
void yut_trace(const Rules *rules, const State *before, Move move, Text *text);
void yut_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text);

/* --- solve/: exact values for two players, and for one piece each --- */

/* Whether the solver supports these rules; the message says why not. */
Status yut_solver_check(const Rules *rules);
Status yut_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);
extern const GameStored yut_stored;

/* --- estimate.c --- */

/* A static evaluation for any variant, and its typical error (game/estimate.h). */
void yut_estimate(const Rules *rules, const State *state, double values[]);
double yut_estimate_error(const Rules *rules, const State *state);

/* --- heuristic.c --- */

/* A static evaluation without a network; see the file for its error. */
void yut_heuristic(const Rules *rules, const State *state, double values[]);

/* --- benches.c --- */

enum { YUT_BENCH_COUNT = 12 };
extern const GameBench yut_benches[YUT_BENCH_COUNT];

/* --- commands.c: `malpan yut move`, `malpan yut table`, `malpan yut facts` --- */

enum { YUT_COMMAND_COUNT = 3 };
extern const GameCommand yut_commands[YUT_COMMAND_COUNT];

#endif
