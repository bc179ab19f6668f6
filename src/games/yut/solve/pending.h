/* The lists that a sweep works with, and the stored values of lists that a catch leaves pending,
 * against every placement with a piece at the start. A catch gives a throw or, by house rules,
 * none; results with which it gives none are called *quiet*. So throw[L] is stored for lists that a
 * throw follows, and play[L] for lists that a quiet catch leaves.
 *
 * The values are stored line by line (see sweep.h): for each line of placements and each list, one
 * number for every own placement and lane. Rarer lists use fewer bytes per number. Beyond some
 * rarity, their turns are computed in narrow numbers as well (packed.h).
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
    int throws;                 /* that a catch gives, if it gives any; 0: catches are all quiet */
    bool is_quiet[YUT_RESULTS]; /* a catch with this result gives no throw */
    int gain;                   /* by how many lasts a catch can lengthen the list */
    double nak;                 /* the chance of a nak */
    bool nak_loses_turn;
    const Placements *placements;
    uint8_t *widths; /* bytes per number of each list, 1 to PACKED_WIDTH_MAX */
    Grid grid;
    size_t *line_at; /* byte offset of each line in the grid */
    size_t *row_at;  /* [pieces at the start * lists + list]: offset in a line; SIZE_MAX: none */
    size_t *quiet_row_at; /* the same for play[L] */
    int narrow_from;      /* lists with this many extras are rare enough for narrow numbers */
    /* [pieces at the start * lists + list]: where play[L] and throw[L] are in a workspace, counted
     * in narrow rows. A row of whole numbers takes two of them. -1: absent. Some lists have two
     * rows of play[L]: see pending_quiet_offset. */
    int32_t *play_rank, *throw_rank;
} Pending;

/* Computes sizes and ranks, but does not allocate the grid. `rare` limits how much rounding to each
 * number of bytes may weigh, in the units of the numbers. */
Status pending_open(const YutRules *rules, int player, const Placements *placements, int extras,
                    double rare, Pending *pending);
void pending_close(Pending *pending);

/* The size of the grid in bytes, and its allocation: in memory, or in a file in the folder
 * `scratch` if that is not NULL. False if there is no room. */
size_t pending_bytes(const Pending *pending);
bool pending_open_grid(Pending *pending, const char *scratch);

/* The most lasts (lists.h) in a list that is played against a placement with `waiting` pieces at
 * the start: one from the first throw, and those from the catches that sent the pieces there. */
int pending_lasts(const Pending *pending, int waiting);

/* Whether longer lists are computed from play[L] by results that are quiet, or by others. */
bool pending_is_read(const Pending *pending, int list, bool quietly);

/* Where the second row of play[L] is, counted in narrow rows from the first. If play[L] is read
 * both quietly and not, the first row has the values after catches with a throw, and the second one
 * those after quiet catches. 0: one row is enough. */
size_t pending_quiet_offset(const Pending *pending, int list);

/* Whether throw[L] itself is stored for catches that leave L pending. If not, a shorter list stands
 * for L. */
bool pending_is_kept(const Pending *pending, int list);

/* Whether play[L] and throw[L] are narrow; and whether play[L] is whole but is followed by a narrow
 * copy, because narrow rows are computed from it. */
bool pending_plays_narrow(const Pending *pending, int list);
bool pending_throws_narrow(const Pending *pending, int list);
bool pending_has_copy(const Pending *pending, int list);

/* How numbers are rounded to fewer bytes. */
typedef enum PendingRounding { PENDING_NEAREST, PENDING_DOWN, PENDING_UP } PendingRounding;

/* What to add to a number before all but its `width` upper bytes are dropped. */
uint32_t pending_rounding(PendingRounding rounding, int width);

/* Stores the lanes of `cells` (numbers of a line, see sweep.h) as throw[list], for all own
 * placements. Does nothing for a list without a row. */
void pending_keep(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                  PackedCells cells, PendingRounding rounding);

/* The same for play[list], after quiet catches. */
void pending_keep_quiet(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                        PackedCells cells, PendingRounding rounding);

/* The row of throw[list] against the placements of a line, in numbers of widths[list] bytes, to be
 * read with packed.h. NULL: nothing is stored. */
const uint8_t *pending_row(const Pending *pending, int list, uint32_t line);

/* The same for play[list], after quiet catches. */
const uint8_t *pending_quiet_row(const Pending *pending, int list, uint32_t line);

/* Starts reading all rows of a line from their scratch file. */
void pending_prefetch(const Pending *pending, uint32_t line);

/* How many narrow rows a workspace needs for placements with up to `waiting` pieces at the
 * start. */
void pending_count_rows(const Pending *pending, int waiting, size_t *played, size_t *thrown);

/* How many throws a catch gives at most: two to a sheep, else one; none by house rules. */
int pending_catch_throws(const YutRules *rules, int player);

#endif
