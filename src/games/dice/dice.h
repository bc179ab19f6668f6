/* Dice Yut: four pieces and ten throws of a five-sided die. Each turn one piece moves by the throw,
 * and the number of the square where it stops is added to the score. Rule options change the number
 * of pieces and throws and weight the faces of the die.
 *
 * There are two games. In the puzzle all throws are made before the first move, so the player can
 * plan. Online, each throw is seen only when it is made. A state holds the known throws: in the
 * puzzle all that are left (0 for one not made yet), online only the present one.
 */
#ifndef MALPAN_GAMES_DICE_DICE_H
#define MALPAN_GAMES_DICE_DICE_H

#include <assert.h>
#include <string.h>

#include "game/benches.h"
#include "game/cells.h"
#include "game/commands.h"
#include "game/inputs.h"
#include "game/solver.h"
#include "games/dice/board.h"
#include "games/dice/faces.h"

enum {
    DICE_THROWS = 10, /* by default */
    DICE_THROWS_MAX = 12,
    DICE_WEIGHT_MAX = 1000,
    DICE_SCORE_MAX = 9999, /* of any position */
    DICE_OPTION_COUNT = 4,
    DICE_COMMAND_COUNT = 1,
    DICE_BENCH_COUNT = 3
};

/* With this total of the weights, total^throws times any score fits into 64 bits. */
#define DICE_SEQUENCES_MAX ((uint64_t)1 << 48)

typedef struct DiceRules {
    uint8_t online;
    uint8_t pieces;
    uint8_t throws;
    uint8_t padding;
    DiceFaces faces; /* without a common factor */
} DiceRules;

/* With fewer than four pieces the absent ones stand on the finish, where they never matter. */
typedef struct DiceState {
    uint8_t pieces[DICE_PIECES]; /* ascending */
    uint16_t score;
    uint8_t left;                    /* throws, the present one included */
    uint8_t throws[DICE_THROWS_MAX]; /* those left, the present one first; 0: not known yet */
    uint8_t padding;                 /* zero, so that equal states are equal byte for byte */
} DiceState;

static_assert(sizeof(DiceRules) <= sizeof(Rules) && sizeof(DiceState) <= sizeof(State), "they fit");

static inline DiceRules dice_rules(const Rules *rules) {
    DiceRules dice;
    memcpy(&dice, rules->bytes, sizeof dice);
    return dice;
}

static inline DiceState dice_state(const State *state) {
    DiceState dice;
    memcpy(&dice, state->bytes, sizeof dice);
    return dice;
}

static inline State dice_state_pack(const DiceState *dice) {
    State state = {{0}};
    memcpy(state.bytes, dice, sizeof *dice);
    return state;
}

/* How many of the remaining throws are known. */
int dice_known_count(const DiceState *dice);

extern const Game dice_game;
extern const OptionSpec dice_options[DICE_OPTION_COUNT];
extern const GameCommand dice_commands[DICE_COMMAND_COUNT];
extern const GameBench dice_benches[DICE_BENCH_COUNT];
extern const GameInputs dice_inputs;

/* --- options.c --- */

Rules dice_rules_default(void);
Status dice_rules_set(Rules *rules, const char *option, const char *value);
Status dice_rules_check(const Rules *rules);
void dice_rules_get(const Rules *rules, const char *option, Text *value);
void dice_rules_infer(Rules *rules, const char *position);
int dice_player_count(const Rules *rules);
ValueInfo dice_value_info(const Rules *rules);

/* --- rules.c --- */

State dice_start(const Rules *rules);
int dice_actor(const Rules *rules, const State *state);
int dice_turn(const Rules *rules, const State *state);
size_t dice_moves(const Rules *rules, const State *state, Move moves[]);
size_t dice_chances(const Rules *rules, const State *state, Chance chances[],
                    uint64_t *denominator);
void dice_apply(const Rules *rules, State *state, Move move);
void dice_payoff(const Rules *rules, const State *state, double payoffs[]);
Status dice_check(const Rules *rules, const State *state);

/* --- text.c --- */

/* A small number as a word: "ten". */
const char *dice_number_word(int number);

/* Parses the throws of the puzzle, `wanted` of them, one word each. */
Status dice_parse_throws(char *const words[], size_t count, int wanted,
                         uint8_t throws[DICE_THROWS_MAX]);

Status dice_parse_state(const Rules *rules, const char *text, State *state);
void dice_print_state(const Rules *rules, const State *state, Text *text);
Status dice_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                       Move *move);
void dice_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text);

/* --- draw.c --- */

void dice_draw(const Rules *rules, const State *state, DrawStyle style, Text *text);
void dice_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
void dice_narrate_line(const Rules *rules, const State *first, const Move moves[], size_t count,
                       Lang lang, Text *text);
void dice_trace(const Rules *rules, const State *before, Move move, Text *text);
void dice_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text);

/* --- solver.c --- */

Status dice_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);

/* --- cells.c --- */

extern const GameCells dice_cells;

#endif
