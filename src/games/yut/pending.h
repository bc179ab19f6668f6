/* The lists that a sweep works with, and throw[L] for what a catch leaves pending: against every
 * side with a piece at home, for every list with room for the throws to come.
 *
 * It is kept line by line (see sweep.h): for each line of sides, for each list, a number for every
 * own side and lane. Lists with many extras are rare, so 16 bits do for them: see pending_narrowed.
 */
#ifndef MALPAN_GAMES_YUT_PENDING_H
#define MALPAN_GAMES_YUT_PENDING_H

#include "games/yut/grid.h"
#include "games/yut/lists.h"
#include "games/yut/places.h"

enum { PENDING_LANES = 16 };

typedef struct Pending {
    ResultLists lists;
    int player;
    int throws; /* for a catch */
    const Places *places;
    double narrow_from; /* lists with this many extras or more are narrow */
    Grid grid;
    size_t *line_at; /* where in the grid each line begins, in bytes */
    size_t *row_at;  /* [pieces at home * lists + list]: where in a line; SIZE_MAX: not kept */
    /* [pieces at home * lists + list]: which row of a bench play[L] and throw[L] have; -1: none. */
    int32_t *play_rank, *throw_rank;
} Pending;

/* Sizes and ranks, without the grid. `rare` in SWEEP_ONE: how much the rounding of narrow lists may
 * weigh. */
Status pending_open(const YutRules *rules, int player, const Places *places, int extras,
                    double rare, Pending *pending);
void pending_close(Pending *pending);

/* Bytes of the grid, and room for it: in memory, or in a file in the folder `scratch`. */
size_t pending_bytes(const Pending *pending);
bool pending_open_grid(Pending *pending, const char *scratch);

/* A list to play against a side with `home` pieces at home holds at most so many lasts: one from
 * the first throw, and those of the catches that sent them there. */
int pending_lasts(const Pending *pending, int home);

/* Whether throw[L] is kept where a catch leaves L pending. */
bool pending_is_kept(const Pending *pending, int list);

static inline bool pending_is_narrow(const Pending *pending, int list) {
    return pending->lists.lists[list].extras >= pending->narrow_from;
}

/* A number in 16 bits, plus up to a step of rounding; and back. Numbers are from -2^29 up to 2^31
 * less that. */
enum { PENDING_STEP = 1 << 15, PENDING_BELOW = 1 << 29 };

static inline uint16_t pending_narrowed(int32_t number, int32_t rounding) {
    return (uint16_t)(((uint32_t)number + PENDING_BELOW + (uint32_t)rounding) / PENDING_STEP);
}

static inline int32_t pending_widened(uint16_t narrow) {
    return (int32_t)narrow * PENDING_STEP - PENDING_BELOW;
}

/* The row of throw[list] against a line of sides; NULL: nothing is kept. It holds int32_t, or
 * uint16_t where the list is narrow. */
void *pending_row(const Pending *pending, int list, uint32_t line);

/* All rows of a line will be read soon. */
void pending_expect(const Pending *pending, uint32_t line);

/* How many rows a bench needs for sides with up to so many pieces at home. */
void pending_count_rows(const Pending *pending, int home, size_t *played, size_t *thrown);

/* A catch gives one throw, a sheep's two; each ends with one last. */
int pending_catch_throws(const YutRules *rules, int player);

#endif
