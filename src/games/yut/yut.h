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
 * House rules may add traps to the board, and a chance that a throw leaves the mat (nak).
 */
#ifndef MALPAN_GAMES_YUT_YUT_H
#define MALPAN_GAMES_YUT_YUT_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "game/benches.h"
#include "game/cells.h"
#include "game/commands.h"
#include "game/stored.h"

enum {
    YUT_PLAYERS_MAX = 4,
    YUT_PIECES_MAX = 4,
    YUT_ARRIVED = 30,       /* home */
    YUT_SQUARES = 31,       /* 0 to 30 */
    YUT_ARRIVED_TEXT = 100, /* home in positions */
    YUT_LIST_MAX = 36,      /* results in the list of a position; see yut_apply */
    YUT_CENTRE = 22,
    YUT_LAST = 29,         /* the last square before home */
    YUT_TRAPS_MAX = 8,     /* so that the text of the rules stays short */
    YUT_NAK_WHOLE = 10000, /* the unit of YutRules.nak */
    YUT_MARKED_MAX = 2     /* marked sticks */
};

typedef enum YutResult {
    YUT_BACK_DO,
    YUT_DO,
    YUT_GAE,
    YUT_GEOL,
    YUT_YUT,
    YUT_MO,
    YUT_RESULTS,
    YUT_NAK = YUT_RESULTS /* a throw that leaves the mat: a chance event, never in a list */
} YutResult;

typedef enum YutAnimal { YUT_PIG, YUT_DOG, YUT_SHEEP, YUT_COW, YUT_NO_ANIMAL } YutAnimal;

/* When a catch gives a throw. */
typedef enum YutCatchBonus {
    YUT_BONUS_ALWAYS,
    YUT_BONUS_WEAK, /* not if it was made with yut or mo */
    YUT_BONUS_NEVER
} YutCatchBonus;

/* How a piece comes home. */
typedef enum YutFinish {
    YUT_FINISH_PASS,  /* by a step beyond 29 */
    YUT_FINISH_REACH, /* by reaching 29 */
    YUT_FINISH_SHORT  /* as PASS; but on 19, 28 and 29 only do and gae can be played */
} YutFinish;

/* What a back-do does for a player without a piece on the board. */
typedef enum YutEmptyBackDo {
    YUT_EMPTY_SKIP, /* it is used up */
    YUT_EMPTY_HOME, /* a waiting piece is home */
    YUT_EMPTY_ENTER /* a waiting piece is put on 29 */
} YutEmptyBackDo;

typedef struct YutRules {
    uint64_t odds[YUT_RESULTS]; /* weights of the results with one marked stick */
    uint32_t traps;             /* bit q: a piece that stops on square q goes back to the start */
    uint16_t nak;               /* the chance of a nak, in parts of YUT_NAK_WHOLE */
    uint8_t players, pieces;
    uint8_t animals[YUT_PLAYERS_MAX]; /* YutAnimal of each player */
    uint8_t marked;                   /* marked sticks; 0: no back-do */
    uint8_t catch_bonus;              /* YutCatchBonus */
    uint8_t finish;                   /* YutFinish */
    uint8_t empty_back_do;            /* YutEmptyBackDo */
    bool nak_loses_turn;              /* a nak ends the turn, not only the throw */
    bool short_cut_may;               /* at 5 and 10 the player may also stay on the ring */
    bool centre_may;                  /* at 22 the player may also go on towards 23 */
    bool centre_stack;                /* stopping on 22 takes a waiting piece along */
    bool no_back_from_1;              /* a back-do cannot be played on 1 */
    bool teams;                       /* 0 and 2 against 1 and 3 */
    uint8_t padding[2];               /* zero, so that equal rules are equal byte for byte */
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

/* A move: the square whose pieces move, the result that is played, and at 5, 10 and 22 whether to
 * take the longer way. */
static inline Move yut_move_pack(int square, YutResult result, bool detour) {
    return (Move)square | (Move)result << 5 | (Move)detour << 8;
}

static inline int yut_move_square(Move move) {
    return (int)(move & 31u);
}

static inline YutResult yut_move_result(Move move) {
    return (YutResult)(move >> 5 & 7u);
}

static inline bool yut_move_detour(Move move) {
    return (move >> 8 & 1u) != 0;
}

/* --- route.c: the routes --- */

/* The square, 0 to 30, where a piece on `square` ends, whatever the house rules. A cow keeps to its
 * own route. `detour` stays on the outer ring at 5 and 10, and goes on towards 23 at 22. */
int yut_destination(int square, YutResult result, bool cow, bool detour);

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

/* Whether a piece of the player can ever be on the square: cows keep to their route, and no piece
 * stays on a trap, or on 29 if that is home. */
bool yut_can_stand(const YutRules *rules, int player, int square);

/* How many throws the player gets for a catch made with this result, unless it caught a pig. */
int yut_catch_throws(const YutRules *rules, int player, YutResult result);

/* The ways to play a result on a square: 0, 1, or 2 where there is a choice. 0 is the start. */
int yut_ways(const YutRules *rules, int player, int square, YutResult result);

/* The square where a piece of the player stops. A back-do on 0 is played with nothing on the
 * board. */
int yut_stop(const YutRules *rules, int player, int square, YutResult result, bool detour);

/* What a move does. */
typedef struct YutOutcome {
    int destination;    /* where the pieces stop */
    int moved;          /* pieces; 0: the result is used up */
    int caught;         /* pieces */
    unsigned caught_of; /* bit p: pieces of player p are among them */
    bool stacked;       /* landed on pieces of its own side */
    bool trapped;       /* the destination is a trap: the pieces go back to the start */
    bool joined;        /* a waiting piece is taken along */
} YutOutcome;

YutOutcome yut_outcome(const YutRules *rules, const YutState *state, Move move);

/* Applies a move; adds a thrown result to the list. A nak ends the throw, or the turn. */
void yut_play(const YutRules *rules, YutState *state, Move move);
void yut_throw(const YutRules *rules, YutState *state, YutResult result);

State yut_start(const Rules *rules);
int yut_actor(const Rules *rules, const State *state);
int yut_turn(const Rules *rules, const State *state);
size_t yut_moves(const Rules *rules, const State *state, Move moves[]);
/* The weights of all results and of a nak. Returns their sum; 0 if it is 0 or does not fit. */
uint64_t yut_weights(const YutRules *rules, uint64_t weights[YUT_RESULTS + 1]);
size_t yut_chances(const Rules *rules, const State *state, Chance chances[], uint64_t *denominator);
/* A list holds at most YUT_LIST_MAX results, so that its text stays short; further ones are
 * dropped. The chance of that is below 1e-15. (yut_throw itself has no such limit.) */
void yut_apply(const Rules *rules, State *state, Move move);
void yut_payoff(const Rules *rules, const State *state, double payoffs[]);
Status yut_check(const Rules *rules, const State *state);

/* --- options.c --- */

enum { YUT_OPTION_COUNT = 19 };
extern const OptionSpec yut_options[YUT_OPTION_COUNT];

Rules yut_rules_default(void);
Status yut_rules_set(Rules *rules, const char *option, const char *value);
void yut_rules_get(const Rules *rules, const char *option, Text *value);
void yut_rules_infer(Rules *rules, const char *position);
int yut_player_count(const Rules *rules);
ValueInfo yut_value_info(const Rules *rules);

/* --- combinations.c --- */

/* Refuses combinations of options that contradict each other, or under which games need not end. */
Status yut_rules_check(const Rules *rules);

/* --- text.c --- */

extern const char *const yut_result_names[YUT_RESULTS]; /* in positions and records */
extern const Phrase yut_result_words[YUT_RESULTS + 1];  /* for people; the last is YUT_NAK */
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
enum { YUT_ESTIMATE_BYTES = 8192 };
void yut_estimate(const Rules *rules, const State *state, double values[]);
void yut_estimate_near(void *memory, const Rules *rules, const State *state, double values[]);
double yut_estimate_error(const Rules *rules, const State *state);

/* --- heuristic.c --- */

/* A static evaluation without a network; see the file for its error. */
void yut_heuristic(const Rules *rules, const State *state, double values[]);

/* --- benches.c --- */

enum { YUT_BENCH_COUNT = 12 };
extern const GameBench yut_benches[YUT_BENCH_COUNT];

/* --- commands.c: `malpan yut move`, `table`, `facts` and `compare` --- */

enum { YUT_COMMAND_COUNT = 4 };
extern const GameCommand yut_commands[YUT_COMMAND_COUNT];

/* --- cells.c --- */

extern const GameCells yut_cells;

#endif
