/* Counting the ways a game can go: how many paths of a number of moves (and chance events) there
 * are from a state. What an interface does to a game shows here first. */
#ifndef MALPAN_VALUES_PERFT_H
#define MALPAN_VALUES_PERFT_H

#include "game/variant.h"

/* The paths of `depth` steps: 1 at depth 0; an ended game has none but that. By the game's own
 * counting where it has one. */
uint64_t perft_count(const Variant *variant, const State *state, int depth);

/* The same over the interface alone. */
uint64_t perft_count_plain(const Variant *variant, const State *state, int depth);

/* Splits by the first step: each in `moves`, with the paths behind it in `counts`, in the game's
 * order. Returns how many there are; both arrays hold GAME_MOVES_MAX. */
size_t perft_divide(const Variant *variant, const State *state, int depth, int threads,
                    Move moves[], uint64_t counts[]);

#endif
