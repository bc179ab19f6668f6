/* Chooses among equally valued moves the one that is hardest to answer.
 *
 * In a lost or an endless position all best moves have the same value, but not against an opponent
 * who makes mistakes. A mistake gives the result away: a win that is no longer one, or an endless
 * game that becomes a loss. Moves are compared in this order:
 *
 *     1. If the game scores moves: play on against plain minimax of the depths 1, 2 and 3, up to a
 *        horizon of 24 plies. A mistake counts 1, reaching the horizon one half, a lost game 0; the
 *        mean of the three decides.
 *     2. In an endless position: the share of all replies that are mistakes. In a lost position
 *        this rule made results worse, so it is not applied there.
 *     3. The game's own order of moves.
 *
 * The choice depends on the position alone. Won positions are left alone: the quickest win stays.
 */
#ifndef MALPAN_PLAYERS_TRAP_H
#define MALPAN_PLAYERS_TRAP_H

#include "game/solver.h"

/* Picks one of the best moves of `evaluation`, which must have exact values. Where traps do not
 * apply (games with chance or without outcomes, won positions, a single best move) it is the first.
 * `scratch` is overwritten. */
Status trap_choose(const Variant *variant, Solver *solver, const State *state,
                   const Evaluation *evaluation, Evaluation *scratch, Move *move);

#endif
