/* A game with its rules: what generic code passes around. Variants are values. */
#ifndef MALPAN_GAME_VARIANT_H
#define MALPAN_GAME_VARIANT_H

#include "base/random.h"
#include "game/game.h"

typedef struct Variant {
    const Game *game;
    Rules rules;
} Variant;

/* The game under its default rules. */
Variant variant_default(const Game *game);

bool variant_equals(const Variant *a, const Variant *b);

/* Prints all rule options with their values, in the form that resolve_text (resolve.h) reads. Some
 * are left out while they have their default value (OptionSpec). */
void variant_print(const Variant *variant, Text *text);

/* The same with only those that differ from their defaults. */
void variant_print_unusual(const Variant *variant, Text *text);

/* The same with all options but those that only change the start: the rules a table is for. */
void variant_print_for_table(const Variant *variant, Text *text);

/* Whether a rule option differs from its default; `value` receives its value. False for an option
 * that is a shorthand for others. */
bool variant_is_unusual(const Variant *variant, const char *option, char value[GAME_TEXT_BYTES]);

/* Lists the moves or the chance events at a state; none when the game is over. Returns how many. */
size_t variant_steps(const Variant *variant, const State *state, Move steps[]);

/* Draws one of the chance events at a chance node, according to the weights. */
Move variant_draw_chance(const Variant *variant, const State *state, Random *random);

/* A game without chance is drawn when a position has occurred this often. With fewer, a random
 * player would draw by walking in circles. */
enum { GAME_REPEATS_MAX = 5 };

/* The state without what has no bearing on the future (game/repetition.h): the same for a position
 * whenever it occurs. */
State variant_normalized(const Variant *variant, const State *state);

/* Whether the last of these states has occurred GAME_REPEATS_MAX times; what has no bearing on the
 * future (game/repetition.h) is ignored. Never true in a game with chance. */
bool variant_is_repetition(const Variant *variant, const State states[], size_t count);

/* Whether `move` is a legal move, or a possible chance event, at the state. */
bool variant_allows(const Variant *variant, const State *state, Move move);

/* Applies a legal move or a possible chance event. Otherwise returns an error and leaves the state
 * unchanged. */
Status variant_play(const Variant *variant, State *state, Move move);

#endif
