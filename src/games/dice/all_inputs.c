/* Scores every input at once, from the last throw back to the first.
 *
 * After t throws, over all inputs, few placements are possible: 1, 5, 23, 85, 261, 719, ... Each
 * has a row with the points that best play still collects, one number for each sequence of the
 * throws to come. A row consists of one section for each throw. A section is the row of the
 * placement that follows, plus the points of the step; with several steps it is the elementwise
 * maximum. So the work is adding and comparing contiguous rows: 43 million two-byte numbers for ten
 * throws. Only the rows of two turns exist at a time.
 */
#include <stdlib.h>

#include "games/dice/best_play.h"

/* The placements that are possible after a number of throws. */
typedef struct Level {
    DicePlacement *placements;
    size_t count, capacity;
    DiceMemo numbers; /* placement -> its index */
    size_t row;       /* the length of a row: 5^(throws to come that are not given) */
} Level;

/* The range of throws possible in turn t. */
static void throws_of(const DiceInputs *inputs, int t, int *first, int *last) {
    *first = inputs->throws[t] ? inputs->throws[t] : 1;
    *last = inputs->throws[t] ? inputs->throws[t] : DICE_SIDES;
}

static uint64_t key_of(DicePlacement placement) {
    return (uint64_t)1 << 32 | placement;
}

static bool add_placement(Level *level, DicePlacement placement) {
    uint64_t number;
    if (dice_memo_get(&level->numbers, key_of(placement), &number))
        return true;
    if (level->count == level->capacity) {
        size_t capacity = level->capacity ? 2 * level->capacity : 64;
        DicePlacement *larger = realloc(level->placements, capacity * sizeof *larger);
        if (!larger)
            return false;
        level->placements = larger;
        level->capacity = capacity;
    }
    level->placements[level->count] = placement;
    dice_memo_add(&level->numbers, key_of(placement), level->count++);
    return dice_memo_get(&level->numbers, key_of(placement), &number);
}

static uint64_t number_of(const Level *level, DicePlacement placement) {
    uint64_t number = 0;
    dice_memo_get(&level->numbers, key_of(placement), &number);
    return number;
}

/* Lists the steps to consider: all, or only the one that the online player takes. */
static int list_steps(const DiceInputs *inputs, const DiceMoveTable *table, DicePlacement placement,
                      int left, int throw, DiceStep steps[DICE_PIECES]) {
    int count = dice_steps(table, placement, throw, steps), best;
    if (!inputs->online_player || count == 0)
        return count;
    dice_online_sum_after_throw(inputs->online_player, placement, left, throw, &best);
    steps[0] = steps[best];
    return 1;
}

/* Finds the placements after one more throw. */
static bool find_next(const DiceInputs *inputs, const DiceMoveTable *table, int t,
                      const Level *level, Level *next) {
    int first, last;
    throws_of(inputs, t, &first, &last);
    for (size_t i = 0; i < level->count; i++) {
        for (int throw = first; throw <= last; throw ++) {
            DiceStep steps[DICE_PIECES];
            int count =
                list_steps(inputs, table, level->placements[i], inputs->count - t, throw, steps);
            for (int j = 0; j < count; j++)
                if (!add_placement(next, steps[j].placement))
                    return false;
        }
    }
    return true;
}

static void add_row(int16_t *restrict sums, const int16_t *restrict rest, size_t count,
                    int16_t points) {
    for (size_t i = 0; i < count; i++)
        sums[i] = (int16_t)(rest[i] + points);
}

static void raise_row(int16_t *restrict sums, const int16_t *restrict rest, size_t count,
                      int16_t points) {
    for (size_t i = 0; i < count; i++) {
        int16_t sum = (int16_t)(rest[i] + points);
        sums[i] = sum > sums[i] ? sum : sums[i];
    }
}

static bool is_stopped(const DiceInputs *inputs) {
    return inputs->stop && *inputs->stop;
}

/* Computes the rows of turn t from those of turn t + 1. NULL: out of memory, or stopped. */
static int16_t *make_rows(const DiceInputs *inputs, const DiceMoveTable *table, int t,
                          const Level *level, const Level *next, const int16_t *next_rows) {
    int first, last;
    throws_of(inputs, t, &first, &last);
    int16_t *rows = calloc(level->count * level->row, sizeof *rows);
    for (size_t i = 0; i < level->count && rows; i++) {
        if (is_stopped(inputs)) {
            free(rows);
            return NULL;
        }
        for (int throw = first; throw <= last; throw ++) {
            DiceStep steps[DICE_PIECES];
            int count =
                list_steps(inputs, table, level->placements[i], inputs->count - t, throw, steps);
            int16_t *sums = rows + i * level->row + (size_t)(throw -first) * next->row;
            for (int j = 0; j < count; j++)
                (j == 0 ? add_row : raise_row)(
                    sums, next_rows + number_of(next, steps[j].placement) * next->row, next->row,
                    dice_squares[steps[j].to].points);
        }
    }
    return rows;
}

/* Computes the rows from the last turn back and returns that of the first. NULL: out of memory, or
 * stopped. */
static int16_t *make_all_rows(const DiceInputs *inputs, const DiceMoveTable *table,
                              Level levels[DICE_THROWS_MAX + 1]) {
    int turns = inputs->count;
    levels[turns].row = 1; /* one number: 0 points */
    int16_t *rows = calloc(levels[turns].count + 1, sizeof *rows);
    for (int t = turns - 1; t >= 0 && rows; t--) {
        int first, last;
        throws_of(inputs, t, &first, &last);
        levels[t].row = levels[t + 1].row * (size_t)(last - first + 1);
        int16_t *before = make_rows(inputs, table, t, &levels[t], &levels[t + 1], rows);
        free(rows);
        rows = before;
    }
    return rows;
}

Status dice_score_inputs(const DiceInputs *inputs, int16_t **points, size_t *count) {
    Level levels[DICE_THROWS_MAX + 1] = {{.placements = NULL}};
    DiceMoveTable table = dice_move_table();
    bool good = add_placement(&levels[0], inputs->placement);
    for (int t = 0; t < inputs->count && good; t++)
        good = find_next(inputs, &table, t, &levels[t], &levels[t + 1]);
    *points = good ? make_all_rows(inputs, &table, levels) : NULL;
    *count = levels[0].row;
    for (int t = 0; t <= DICE_THROWS_MAX; t++) {
        free(levels[t].placements);
        dice_memo_free(&levels[t].numbers);
    }
    if (*points)
        return status_ok();
    return is_stopped(inputs) ? status_make(STATUS_STOPPED, "stopped")
                              : status_make(STATUS_FAILED, "out of memory");
}
