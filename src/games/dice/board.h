/* The board: squares, routes, and four pieces on them.
 *
 *     20 -- 18 -- 16 -- 14 -- 12 -- 10     a piece that stands on 10, 20 or 30 of the ring when its
 *     22   22i               13      8     move begins turns off
 *     24       24i     16i           6
 *                  19                      25, 30i, 35 and 40 are shared by all short cuts
 *                25
 *           26i                            i marks an inner square whose number the ring has too
 *     26   27       30i              4
 *     28  28i           35           2
 *     30 -- 32 -- 34 -- 36 -- 38 -- 40 -> finish
 *
 * Squares are numbered so that every move leads to a higher one.
 */
#ifndef MALPAN_GAMES_DICE_BOARD_H
#define MALPAN_GAMES_DICE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DICE_PIECES = 4,
    DICE_SIDES = 5,
    DICE_POINTS_MAX = 40,
    DICE_START = 0,
    DICE_RING_10 = 5,
    DICE_RING_20 = 10,
    DICE_RING_30 = 15,
    DICE_FINISH = 32,
    DICE_SQUARES = 33
};

typedef struct DiceSquare {
    const char *name;
    uint8_t points;
    uint8_t next; /* the next square for a piece that does not turn off here */
} DiceSquare;

extern const DiceSquare dice_squares[DICE_SQUARES];

/* The square where a piece stops after 1 to 5 steps. */
uint8_t dice_destination(uint8_t square, int steps);

/* Finds a square by name; false if there is none. */
bool dice_find_square(const char *name, uint8_t *square);

/* The squares of the four pieces in one number: ascending, the lowest in the low byte. */
typedef uint32_t DicePlacement;

DicePlacement dice_placement(const uint8_t pieces[DICE_PIECES]);

/* dice_destination as a table. */
typedef struct DiceMoveTable {
    uint8_t to[DICE_SIDES + 1][DICE_SQUARES];
} DiceMoveTable;

DiceMoveTable dice_move_table(void);

typedef struct DiceStep {
    uint8_t from, to;
    DicePlacement placement; /* after the step */
} DiceStep;

/* Lists the legal steps for a throw, one for each square that a piece may leave, ascending. Returns
 * how many. */
int dice_steps(const DiceMoveTable *table, DicePlacement placement, int throw,
               DiceStep steps[DICE_PIECES]);

/* The most points that one of these steps scores; 0 if there is none. */
int dice_most_points(const DiceMoveTable *table, DicePlacement placement, int throw);

#endif
