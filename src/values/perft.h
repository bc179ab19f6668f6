/* Perft: counts the paths of a given number of moves and chance events from a state. A mistake in
 * move generation shows here first.
 *
 * Thread safety: any thread may call these functions.
 */
#ifndef MALPAN_VALUES_PERFT_H
#define MALPAN_VALUES_PERFT_H

#include "game/variant.h"

/* The number of paths of `depth` steps: 1 at depth 0, and 0 beyond the end of the game. Uses the
 * game's own counter if it has one. */
uint64_t perft_count(const Variant *variant, const State *state, int depth);

/* The same through the tree alone. */
uint64_t perft_count_plain(const Variant *variant, const State *state, int depth);

/* Splits the count by the first step, on `threads` threads: moves[i] is followed by counts[i]
 * paths, in the game's order. Returns how many there are. Both arrays hold GAME_MOVES_MAX. */
size_t perft_divide(const Variant *variant, const State *state, int depth, int threads,
                    Move moves[], uint64_t counts[]);

#endif
