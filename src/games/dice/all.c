/* Every input at once, from the last throw back to the first.
 *
 * After t throws, over all inputs, few placings are possible: 1, 5, 23, 85, 261, 719, ... For each
 * of them there is a row with the points that the throws to come can still bring, one number for
 * each way in which they may fall. A row is the rows of the placings that follow it, one throw
 * beside the other, with the points of the step added, and where there are several steps the larger
 * of each two numbers. So the work is adding and comparing rows that lie in one piece: 43 million
 * numbers from ten throws, of two bytes each, of which two turns are kept at a time.
 */
#include <stdlib.h>

#include "games/dice/best.h"

/* The placings that are possible after some throws. */
typedef struct Level {
    DicePlacing *placings;
    size_t count, capacity;
    DiceMemo numbers; /* of the placings */
    size_t row;       /* numbers in a row: ways in which the throws to come may fall */
} Level;

/* The throws that may come in turn t. */
static void throws_of(const DiceInputs *inputs, int t, int *first, int *last) {
    *first = inputs->throws[t] ? inputs->throws[t] : 1;
    *last = inputs->throws[t] ? inputs->throws[t] : DICE_SIDES;
}

static uint64_t key_of(DicePlacing placing) {
    return (uint64_t)1 << 32 | placing;
}

static bool add_placing(Level *level, DicePlacing placing) {
    uint64_t number;
    if (dice_memo_get(&level->numbers, key_of(placing), &number))
        return true;
    if (level->count == level->capacity) {
        size_t capacity = level->capacity ? 2 * level->capacity : 64;
        DicePlacing *larger = realloc(level->placings, capacity * sizeof *larger);
        if (!larger)
            return false;
        level->placings = larger;
        level->capacity = capacity;
    }
    level->placings[level->count] = placing;
    dice_memo_add(&level->numbers, key_of(placing), level->count++);
    return dice_memo_get(&level->numbers, key_of(placing), &number);
}

static uint64_t number_of(const Level *level, DicePlacing placing) {
    uint64_t number = 0;
    dice_memo_get(&level->numbers, key_of(placing), &number);
    return number;
}

/* The steps that may be taken: all, or the one that the online player takes. */
static int list_steps(const DiceInputs *inputs, const DiceWays *ways, DicePlacing placing, int left,
                      int throw, DiceStep steps[DICE_PIECES]) {
    int count = dice_steps(ways, placing, throw, steps), best;
    if (!inputs->unseen || count == 0)
        return count;
    dice_unseen_sum_with(inputs->unseen, placing, left, throw, &best);
    steps[0] = steps[best];
    return 1;
}

/* Finds the placings after one more throw. */
static bool find_next(const DiceInputs *inputs, const DiceWays *ways, int t, const Level *level,
                      Level *next) {
    int first, last;
    throws_of(inputs, t, &first, &last);
    for (size_t i = 0; i < level->count; i++) {
        for (int throw = first; throw <= last; throw ++) {
            DiceStep steps[DICE_PIECES];
            int count =
                list_steps(inputs, ways, level->placings[i], inputs->count - t, throw, steps);
            for (int j = 0; j < count; j++)
                if (!add_placing(next, steps[j].placing))
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

/* The rows of turn t, from those of the next one; NULL: out of memory. */
static int16_t *make_rows(const DiceInputs *inputs, const DiceWays *ways, int t, const Level *level,
                          const Level *next, const int16_t *next_rows) {
    int first, last;
    throws_of(inputs, t, &first, &last);
    int16_t *rows = calloc(level->count * level->row, sizeof *rows);
    for (size_t i = 0; i < level->count && rows; i++) {
        for (int throw = first; throw <= last; throw ++) {
            DiceStep steps[DICE_PIECES];
            int count =
                list_steps(inputs, ways, level->placings[i], inputs->count - t, throw, steps);
            int16_t *sums = rows + i * level->row + (size_t)(throw -first) * next->row;
            for (int j = 0; j < count; j++)
                (j == 0 ? add_row : raise_row)(
                    sums, next_rows + number_of(next, steps[j].placing) * next->row, next->row,
                    dice_squares[steps[j].to].points);
        }
    }
    return rows;
}

/* All rows from the last turn back; the one of the first turn is left. NULL: out of memory. */
static int16_t *make_all_rows(const DiceInputs *inputs, const DiceWays *ways,
                              Level levels[DICE_THROWS + 1]) {
    int turns = inputs->count;
    levels[turns].row = 1; /* one number, for no points */
    int16_t *rows = calloc(levels[turns].count + 1, sizeof *rows);
    for (int t = turns - 1; t >= 0 && rows; t--) {
        int first, last;
        throws_of(inputs, t, &first, &last);
        levels[t].row = levels[t + 1].row * (size_t)(last - first + 1);
        int16_t *before = make_rows(inputs, ways, t, &levels[t], &levels[t + 1], rows);
        free(rows);
        rows = before;
    }
    return rows;
}

Status dice_all(const DiceInputs *inputs, int16_t **points, size_t *count) {
    Level levels[DICE_THROWS + 1] = {{.placings = NULL}};
    DiceWays ways = dice_ways();
    bool good = add_placing(&levels[0], inputs->placing);
    for (int t = 0; t < inputs->count && good; t++)
        good = find_next(inputs, &ways, t, &levels[t], &levels[t + 1]);
    *points = good ? make_all_rows(inputs, &ways, levels) : NULL;
    *count = levels[0].row;
    for (int t = 0; t <= DICE_THROWS; t++) {
        free(levels[t].placings);
        dice_memo_free(&levels[t].numbers);
    }
    return *points ? status_ok() : status_make(STATUS_FAILED, "out of memory");
}
