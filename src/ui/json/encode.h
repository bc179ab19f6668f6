/* JSON for the things that the command line and the server both write: texts, rules, positions,
 * moves and outcomes. One encoding each, so that a program that reads one reads the other.
 *
 * Every function returns a new reference that the caller owns, or NULL if memory ran out: a value
 * is complete or not there at all. Those named encode_with_... take ownership of an object and
 * return it with more fields; given NULL they return NULL (see ui/json/build.h). All texts are
 * UTF-8 and all numbers finite. None keeps state, so any thread may call any of them.
 */
#ifndef MALPAN_UI_JSON_ENCODE_H
#define MALPAN_UI_JSON_ENCODE_H

#include <jansson.h>

#include "game/variant.h"

/* A text for people: {"en": ..., "ko": ...}. */
json_t *encode_phrase(Phrase phrase);

/* A 64-bit number; a string if it does not fit into a signed 64-bit integer. */
json_t *encode_count(uint64_t number);

/* One number per player. */
json_t *encode_values(const Variant *variant, const double values[]);

/* The rule options as an object: {"pieces": 4, "back-do": "on", "online": false}. Whole numbers are
 * numbers, switches are booleans, everything else is a string. Presets are left out. */
json_t *encode_rules(const Variant *variant);

/* The text of a state, and of a move or chance event at a state. */
json_t *encode_state(const Variant *variant, const State *state);
json_t *encode_move(const Variant *variant, const State *state, Move move);

/* Which position this is: `game`, `rules`, `position`, and `player`, whose turn it is. */
json_t *encode_position(const Variant *variant, const State *state);

/* The object with what the game's values mean: `meaning` as a phrase; `counted` if they are points,
 * of which a whole number is written without decimals; and `lower_is_better`. */
json_t *encode_with_meaning(json_t *object, const Variant *variant);

/* The object with `outcome` ("win", "loss" or "endless") and, unless it is endless, `plies` until
 * the end. Without them if the value is an estimate or the game's values are not outcomes. */
json_t *encode_with_outcome(json_t *object, const Variant *variant, double value, bool is_estimate);

#endif
