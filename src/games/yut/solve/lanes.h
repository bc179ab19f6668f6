/* SIMD loops over lines of a grid (sweep.h): for every own placement, LANES numbers side by side,
 * one for each of LANES placements of the opponent. The loops know nothing about the game.
 *
 * Unrolled, a loop over the lanes is too long for gcc to recognize as vectors. `GCC unroll 1` keeps
 * it a loop until then.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_LANES_H
#define MALPAN_GAMES_YUT_SOLVE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 16 };

#define LANES_ONE (1 << 30) /* a certain win; bounds may exceed it, so there is room above */

static inline int32_t lanes_with_slack(int32_t value, uint8_t slack, int32_t step) {
    return value + slack * step;
}

/* A line of play[{}], where the turn is over: cells[own] for every own placement against the line.
 * The opponent's grid has the two placements in swapped roles, so square blocks of it are
 * transposed. */
void lanes_end_of_turn(const int32_t *restrict values, size_t lines, uint32_t line,
                       int32_t *restrict cells);

/* The same when the opponent's values are bounds. */
void lanes_end_of_turn_bound(const int32_t *restrict values, const uint8_t *restrict slack,
                             int32_t step, size_t lines, uint32_t line, int32_t *restrict cells);

/* to[own] = from[own] with its slack, for the placements `owns` and `lanes` lanes. In `to` they
 * start at `lane`; `from` and `slack` point to the first of them. */
void lanes_copy_bound(int32_t *restrict to, const int32_t *restrict from,
                      const uint8_t *restrict slack, int32_t step, const uint32_t *owns,
                      size_t count, int lane, int lanes);

/* to[own] = the first lane of from[own] with its slack, in the lanes whose square `own`
 * occupies. */
void lanes_copy_same_bound(int32_t *restrict to, const int32_t *restrict from,
                           const uint8_t *restrict slack, int32_t step,
                           const uint32_t squares[LANES], const uint32_t *occupied, size_t count);

/* best[own] = the largest of from[r][next[r][own's slots]] over results r and slots, lane by lane.
 */
void lanes_best(int32_t *restrict best, const int32_t *const from[], const uint32_t *const next[],
                int results, size_t slots, size_t count);

/* mean = beyond + the weighted sum of the rows, rounded. */
void lanes_mean(int32_t *restrict mean, const int32_t *const rows[], const double weights[],
                int row_count, double beyond, size_t count);

/* The same for narrow numbers (packed.h), which stand for multiples of a unit. The fraction of the
 * sum is dropped, so `beyond` includes the offset that makes this round up, down or to nearest. */
void lanes_best_narrow(uint16_t *restrict best, const uint16_t *const from[],
                       const uint32_t *const next[], int results, size_t slots, size_t count);
void lanes_mean_narrow(uint16_t *restrict mean, const uint16_t *const rows[], const float weights[],
                       int row_count, float beyond, size_t count);

/* values += corrections (NULL: none yet) + bonus. Values are clamped to the range 0 to LANES_ONE;
 * bounds are not. */
void lanes_add_corrections(int32_t *restrict values, const int32_t *restrict corrections,
                           int32_t bonus, bool are_values, size_t count);

/* values += bonus. */
void lanes_add(int32_t *values, int32_t bonus, size_t count);

/* Updates `up` and `down` with the largest and the smallest difference values - old of each lane,
 * over pairs of placements that share no square. */
void lanes_compare(const int32_t *restrict old, const int32_t *restrict values,
                   const uint32_t *own_occupied, const uint32_t occupied[LANES], size_t count,
                   int32_t up[restrict LANES], int32_t down[restrict LANES]);

#endif
