#include "games/dice/board.h"

#include <string.h>

const DiceSquare dice_squares[DICE_SQUARES] = {{"0", 0, 1},
                                               {"2", 2, 2},
                                               {"4", 4, 3},
                                               {"6", 6, 4},
                                               {"8", 8, 5},
                                               {"10", 10, 6},
                                               {"12", 12, 7},
                                               {"14", 14, 8},
                                               {"16", 16, 9},
                                               {"18", 18, 10},
                                               {"20", 20, 11},
                                               {"22", 22, 12},
                                               {"24", 24, 13},
                                               {"26", 26, 14},
                                               {"28", 28, 15},
                                               {"30", 30, 16},
                                               {"32", 32, 17},
                                               {"34", 34, 18},
                                               {"36", 36, 19},
                                               {"38", 38, 31},
                                               /* from 10 */
                                               {"13", 13, 21},
                                               {"16i", 16, 22},
                                               {"19", 19, 28},
                                               /* from 20 */
                                               {"22i", 22, 24},
                                               {"24i", 24, 28},
                                               /* from 30 */
                                               {"28i", 28, 26},
                                               {"27", 27, 27},
                                               {"26i", 26, 28},
                                               /* from the centre */
                                               {"25", 25, 29},
                                               {"30i", 30, 30},
                                               {"35", 35, 31},
                                               {"40", 40, DICE_FINISH},
                                               {"F", 0, DICE_FINISH}};

/* The first step, which may turn off the ring. */
static uint8_t first_step(uint8_t square) {
    switch (square) {
    case DICE_RING_10:
        return 20;
    case DICE_RING_20:
        return 23;
    case DICE_RING_30:
        return 25;
    default:
        return dice_squares[square].next;
    }
}

uint8_t dice_destination(uint8_t square, int steps) {
    square = first_step(square);
    while (--steps > 0)
        square = dice_squares[square].next;
    return square;
}

bool dice_find_square(const char *name, uint8_t *square) {
    for (int i = 0; i < DICE_SQUARES; i++) {
        if (strcmp(name, dice_squares[i].name) == 0) {
            *square = (uint8_t)i;
            return true;
        }
    }
    return false;
}

DicePlacement dice_placement(const uint8_t pieces[DICE_PIECES]) {
    DicePlacement placement = 0;
    for (int i = 0; i < DICE_PIECES; i++)
        placement |= (DicePlacement)pieces[i] << 8 * i;
    return placement;
}

DiceMoveTable dice_move_table(void) {
    DiceMoveTable table = {{{0}}};
    for (int throw = 1; throw <= DICE_SIDES; throw ++)
        for (int square = 0; square < DICE_SQUARES; square++)
            table.to[throw][square] = dice_destination((uint8_t)square, throw);
    return table;
}

int dice_steps(const DiceMoveTable *table, DicePlacement placement, int throw,
               DiceStep steps[DICE_PIECES]) {
    uint8_t at[DICE_PIECES];
    int count = 0;
    for (int i = 0; i < DICE_PIECES; i++)
        at[i] = (uint8_t)(placement >> 8 * i);
    for (int i = 0; i < DICE_PIECES && at[i] != DICE_FINISH; i++) {
        if (i > 0 && at[i] == at[i - 1])
            continue; /* the same move */
        uint8_t to = table->to[throw][at[i]], after[DICE_PIECES];
        memcpy(after, at, sizeof after);
        int place = i;
        /* Keep the squares ascending: shift those that the piece passes. */
        for (; place + 1 < DICE_PIECES && at[place + 1] <= to; place++)
            after[place] = at[place + 1];
        if (place > i && at[place] == to && to != DICE_FINISH)
            continue; /* taken */
        after[place] = to;
        steps[count++] = (DiceStep){.from = at[i], .to = to, .placement = dice_placement(after)};
    }
    return count;
}

int dice_most_points(const DiceMoveTable *table, DicePlacement placement, int throw) {
    uint64_t taken = 0; /* a set of squares */
    int most = 0;
    for (int i = 0; i < DICE_PIECES; i++)
        taken |= (uint64_t)1 << (uint8_t)(placement >> 8 * i);
    for (int i = 0; i < DICE_PIECES; i++) {
        uint8_t to = table->to[throw][(uint8_t)(placement >> 8 * i)];
        int points = dice_squares[to].points;
        if (points > most && !(taken >> to & 1))
            most = points;
    }
    return most;
}
