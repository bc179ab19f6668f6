/* Reads a move as a person types it. Pure; any thread may call it. */
#ifndef MALPAN_PLAY_TYPED_MOVE_H
#define MALPAN_PLAY_TYPED_MOVE_H

#include "game/variant.h"

/* Reads a move at a state where a player chooses: its text; `#2` for its number in the list of
 * moves; a bare `2` if no legal move looks like that; or nothing for the only move. STATUS_USAGE
 * says why it is not legal, in the language. */
Status typed_move_read(const Variant *variant, const State *state, const char *typed, Lang lang,
                       Move *move);

#endif
