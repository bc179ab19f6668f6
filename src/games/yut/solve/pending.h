/* The lists that a sweep works with, and throw[L] for lists that a catch leaves pending: against
 * every placement with a piece at the start, for every list within the limits.
 *
 * It is kept line by line (see sweep.h): for each line of placements, for each list, a number for
 * every own placement and lane. The rarer a list, the fewer bytes its numbers have;
 * beyond some rarity its turns are computed in narrow numbers, too (packed.h).
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_PENDING_H
#define MALPAN_GAMES_YUT_SOLVE_PENDING_H

#include "games/yut/solve/grid.h"
#include "games/yut/solve/lists.h"
#include "games/yut/solve/packed.h"
#include "games/yut/solve/placements.h"

typedef struct Pending {
    ResultLists lists;
    int player;
    int throws; /* for a catch */
    const Placements *placements;
    uint8_t *widths; /* of each list: the bytes of a number, 1 to PACKED_WIDTH_MAX */
    Grid grid;
    size_t *line_at; /* where in the grid each line begins, in bytes */
    size_t *row_at;  /* [pieces at the start * lists + list]: where in a line; SIZE_MAX: not kept */
    int narrow_from; /* so many extras make a list rare enough for narrow numbers */
    /* [pieces at the start * lists + list]: where on a workspace play[L] and throw[L] are, in
     * narrow rows, of which a row of whole numbers takes two; -1: nowhere. */
    int32_t *play_rank, *throw_rank;
} Pending;

/* Sizes and ranks, without the grid. `rare`: how much rounding to each number of bytes may weigh,
 * in the units of the numbers. */
Status pending_open(const YutRules *rules, int player, const Placements *placements, int extras,
                    double rare, Pending *pending);
void pending_close(Pending *pending);

/* The bytes of the grid. Allocates it: in memory, or in a file in the folder `scratch`. */
size_t pending_bytes(const Pending *pending);
bool pending_open_grid(Pending *pending, const char *scratch);

/* A list to play against a placement with `waiting` pieces at the start holds at most so many
 * lasts: one from the first throw, and those of the catches that sent them there. */
int pending_lasts(const Pending *pending, int waiting);

/* Whether throw[L] is kept where a catch leaves L pending. */
bool pending_is_kept(const Pending *pending, int list);

/* Whether play[L] and throw[L] are narrow; and whether play[L] is not, but has narrow numbers, too,
 * since narrow rows are computed from it: they follow it. */
bool pending_plays_narrow(const Pending *pending, int list);
bool pending_throws_narrow(const Pending *pending, int list);
bool pending_has_copy(const Pending *pending, int list);

/* How numbers are rounded to fewer bytes. */
typedef enum PendingRounding { PENDING_NEAREST, PENDING_DOWN, PENDING_UP } PendingRounding;

/* What to add to a number before all but `width` bytes are dropped. */
uint32_t pending_rounding(PendingRounding rounding, int width);

/* Keeps the lanes of `cells` (numbers of a line, see sweep.h) as throw[list], for all own
 * placements; a list without a row is left out. */
void pending_keep(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                  PackedCells cells, PendingRounding rounding);

/* The row of throw[list] against the placements of a line, to read it with packed.h, in numbers of
 * widths[list] bytes; NULL: nothing is kept. */
const uint8_t *pending_row(const Pending *pending, int list, uint32_t line);

/* Starts reading all rows of a line from their file. */
void pending_prefetch(const Pending *pending, uint32_t line);

/* How many narrow rows a workspace needs for placements with up to so many pieces at the start. */
void pending_count_rows(const Pending *pending, int waiting, size_t *played, size_t *thrown);

/* A catch gives one throw, a sheep's two; each ends with one last. */
int pending_catch_throws(const YutRules *rules, int player);

#endif
