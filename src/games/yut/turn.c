#include "games/yut/turn.h"

#include "games/yut/catches.h"
#include "games/yut/lanes.h"

enum { AT_ONCE_TIMES = 3 }; /* see add_played_at_once */

/* What lies beyond the lists. */
typedef enum Beyond { LIKE_OTHERS, ALL_LOST, ALL_WON } Beyond;

static Beyond beyond_of(const SweepPass *pass) {
    if (!pass->is_check || pass->aim == SWEEP_VALUES)
        return LIKE_OTHERS;
    return pass->aim == SWEEP_UPPER ? ALL_WON : ALL_LOST;
}

int32_t turn_slack_step(const Turn *turn) {
    switch (turn->pass->aim) {
    case SWEEP_UPPER:
        return turn->sweep->slack_unit;
    case SWEEP_LOWER:
        return -turn->sweep->slack_unit;
    default:
        return 0;
    }
}

static int other_side(const Turn *turn) {
    return turn->sweep->sides - 1 - turn->side;
}

static void fill_end_of_turn(const Turn *turn, int32_t *cells) {
    const Sweep *sweep = turn->sweep;
    int side = other_side(turn);
    uint32_t line = turn->first / LANES;
    int32_t step = -turn_slack_step(turn);
    if (step == 0)
        lanes_end_of_turn(sweep_values(sweep, side), sweep->lines, line, cells);
    else
        lanes_end_of_turn_bound(sweep_values(sweep, side), sweep->slack[side].bytes, step,
                                sweep->lines, line, cells);
}

/* What it is worth to have caught a pig, which ends the turn. */
static int32_t after_pig(const Turn *turn, uint32_t own, uint32_t other) {
    const Sweep *sweep = turn->sweep;
    int side = other_side(turn);
    size_t place = sweep_place(sweep, other, own);
    const uint8_t *slack = sweep->slack[side].bytes;
    return SWEEP_ONE -
           lanes_with_slack(sweep_values(sweep, side)[place], slack[place], -turn_slack_step(turn));
}

/* What lies behind catches that lead to `without`: rows with a number for every own side. */
typedef struct Behind {
    const uint8_t *row; /* packed */
    int width, lane;
    /* Where there are bounds and nothing is pending, it is `values` with `slack`; else NULL. */
    const int32_t *values;
    const uint8_t *slack;
} Behind;

static Behind behind_of(const Turn *turn, uint32_t without, int pending) {
    const Sweep *sweep = turn->sweep;
    uint32_t line = without / LANES;
    const uint8_t *row = pending_row(turn->pending, pending, line);
    if (row)
        return (Behind){
            .row = row, .width = turn->pending->widths[pending], .lane = (int)(without % LANES)};
    /* Nothing pending: it is a position of the table. */
    size_t first = sweep_place(sweep, 0, line * LANES), lane = without % LANES;
    const int32_t *values = sweep_values(sweep, turn->side) + first;
    Behind behind = {.row = (const uint8_t *)values, .width = PACKED_WIDTH_MAX, .lane = (int)lane};
    if (turn_slack_step(turn) != 0) {
        behind.values = values + lane;
        behind.slack = (const uint8_t *)sweep->slack[turn->side].bytes + first + lane;
    }
    return behind;
}

/* Fills in what lies behind one catch, of throw[pending]. */
static void fill_catch(const Turn *turn, const Catch *catch, int pending, int32_t *cells) {
    const Places *places = &turn->sweep->places;
    const uint32_t *owns = places->holding + places->holding_from[catch->square];
    size_t count = places->holding_from[catch->square + 1] - places->holding_from[catch->square];
    Behind behind = behind_of(turn, catch->without, pending);
    if (behind.values)
        lanes_copy_bound(cells, behind.values, behind.slack, turn_slack_step(turn), owns, count,
                         catch->lane, catch->lanes);
    else
        packed_copy(behind.row, behind.width, (PackedLanes){behind.lane, catch->lanes}, owns, count,
                    cells, catch->lane);
}

static void fill_pig_catch(const Turn *turn, const Catch *catch, int32_t unused, int32_t *cells) {
    (void)unused;
    const Places *places = &turn->sweep->places;
    for (uint32_t k = places->holding_from[catch->square];
         k < places->holding_from[catch->square + 1]; k++)
        for (int lane = 0; lane < catch->lanes; lane++)
            cells[places->holding[k] * (size_t)LANES + (size_t)(catch->lane + lane)] =
                after_pig(turn, places->holding[k], catch->without + (uint32_t)lane);
}

static void fill_unknown_catch(const Turn *turn, const Catch *catch, int32_t value,
                               int32_t *cells) {
    const Places *places = &turn->sweep->places;
    lanes_set(cells, value, places->holding + places->holding_from[catch->square],
              places->holding_from[catch->square + 1] - places->holding_from[catch->square],
              catch->lane, catch->lanes);
}

/* The same for the catches of single lanes that lead to one side. */
static void fill_same_catch(const Turn *turn, const SameCatch *same, int pending, int32_t *cells) {
    const Places *places = &turn->sweep->places;
    Behind behind = behind_of(turn, same->without, pending);
    if (behind.values)
        lanes_copy_same_bound(cells, behind.values, behind.slack, turn_slack_step(turn),
                              same->squares, places->occupied, places->count);
    else
        packed_copy_same(behind.row, behind.width, behind.lane, same->squares, places->occupied,
                         places->count, cells);
}

/* Calls back for every lane of the catches: the square, the lane and the side it becomes. */
static void fill_each_catch(const Turn *turn, const Catches *catches,
                            void (*fill)(const Turn *turn, const Catch *catch, int32_t value,
                                         int32_t *cells),
                            int32_t value, int32_t *cells) {
    for (int i = 0; i < catches->count; i++)
        fill(turn, &catches->runs[i], value, cells);
    for (int i = 0; i < catches->same_count; i++)
        for (int lane = 0; lane < LANES; lane++)
            for (int square = 1; square < YUT_ARRIVED; square++)
                if (catches->same[i].squares[lane] >> square & 1)
                    fill(turn, &(Catch){square, lane, 1, catches->same[i].without}, value, cells);
}

/* Fills in what lies behind the catches, where a side that shares a square would be. */
static void fill_catches(const Turn *turn, const Catches *catches, int list, int32_t *cells) {
    const Sweep *sweep = turn->sweep;
    bool pig = sweep->rules.animals[sweep->sides == 1 ? turn->side : 1 - turn->side] == YUT_PIG;
    int pending = turn->pending->lists.lists[list].pending;
    Beyond beyond = beyond_of(turn->pass);
    if (pig) {
        fill_each_catch(turn, catches, fill_pig_catch, 0, cells);
    } else if (pending != list && beyond != LIKE_OTHERS) {
        fill_each_catch(turn, catches, fill_unknown_catch, beyond == ALL_WON ? SWEEP_ONE : 0,
                        cells);
    } else {
        for (int i = 0; i < catches->count; i++)
            fill_catch(turn, &catches->runs[i], pending, cells);
        for (int i = 0; i < catches->same_count; i++)
            fill_same_catch(turn, &catches->same[i], pending, cells);
    }
}

/* A result that leads beyond the lists is worth at least what it brings when it is played at once,
 * before what else will be thrown is known, and not for a catch. Adds that to throw[list], where
 * such results count as lost: once for one such result, again for a second, and so on. */
static void add_played_at_once(const Turn *turn, const Bench *bench, const ResultList *list,
                               int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t count = sweep->places.count, cells = sweep_cells(sweep);
    int32_t *lost = bench->scratch[0], *now = bench->scratch[1], *best = bench->scratch[2];
    Catches catches;
    catches_find(&sweep->places, turn->first, turn->last, &catches);
    memcpy(lost, mean, cells * sizeof *mean);
    for (int times = 0; times < AT_ONCE_TIMES; times++) {
        memcpy(now, mean, cells * sizeof *mean);
        fill_each_catch(turn, &catches, fill_unknown_catch, 0, now);
        for (size_t lane = 0; lane < LANES; lane++)
            now[(count - 1) * LANES + lane] = SWEEP_ONE;
        memcpy(mean, lost, cells * sizeof *mean);
        for (int result = 0; result < YUT_RESULTS; result++) {
            int to = list->with[result];
            if (!lists->is_extra[result] || (to >= 0 && turn->throw_rank[to] >= 0))
                continue;
            const uint32_t *next[] = {moves->next[result]};
            const int32_t *from[] = {now};
            lanes_best(best, from, next, 1, (size_t)moves->slots, count);
            for (size_t i = 0; i < count * LANES; i++)
                mean[i] += (int32_t)(lists->chances[result] * best[i]);
        }
    }
}

/* throw[list], or with two throws to come, from the rows of longer lists. */
static void throw_line(const Turn *turn, const Bench *bench, int list, bool twice, int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const ResultList *from = &lists->lists[list];
    size_t cells = sweep_cells(sweep);
    const int32_t *rows[YUT_RESULTS];
    double weights[YUT_RESULTS], whole = 0, beyond = 0;
    int used = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = from->with[result];
        if (to < 0 || lists->chances[result] == 0)
            continue;
        bool again = lists->is_extra[result];
        int32_t rank = again || twice ? turn->throw_rank[to] : turn->play_rank[to];
        if (rank < 0 || (again && twice && !pending_is_kept(turn->pending, to)))
            continue;
        const int32_t *grid = again && twice   ? bench->thrown_2
                              : again || twice ? bench->thrown
                                               : bench->play;
        rows[used] = grid + (size_t)rank * cells;
        weights[used++] = lists->chances[result];
        whole += lists->chances[result];
    }
    Beyond kind = beyond_of(turn->pass);
    if (kind == LIKE_OTHERS)
        for (int i = 0; i < used; i++)
            weights[i] /= whole;
    else if (kind == ALL_WON)
        beyond = (1 - whole) * SWEEP_ONE;
    lanes_mean(mean, rows, weights, used, beyond, cells);
    if (kind == ALL_LOST && !twice && whole < 1)
        add_played_at_once(turn, bench, from, mean);
}

/* Whether a longer list leads to this one. */
static bool is_read(const Turn *turn, const ResultList *list) {
    for (int result = 0; result < YUT_RESULTS; result++)
        if (list->with[result] >= 0 && turn->play_rank[list->with[result]] >= 0)
            return true;
    return false;
}

/* play[L] for every list, by size. */
static void play_lists(const Turn *turn, const Bench *bench) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t cells = sweep_cells(sweep);
    uint32_t all_home = sweep->places.count - 1;
    Catches catches;
    catches_find(&sweep->places, turn->first, turn->last, &catches);
    for (int list = 0; list < lists->count; list++) {
        const ResultList *what = &lists->lists[list];
        if (turn->play_rank[list] < 0)
            continue;
        int32_t *row = bench->play + (size_t)turn->play_rank[list] * cells;
        const int32_t *from[YUT_RESULTS];
        const uint32_t *next[YUT_RESULTS];
        int results = 0;
        for (int result = 0; result < YUT_RESULTS; result++) {
            if (what->without[result] < 0)
                continue;
            from[results] = bench->play + (size_t)turn->play_rank[what->without[result]] * cells;
            next[results++] = moves->next[result];
        }
        if (list > 0)
            lanes_best(row, from, next, results, (size_t)moves->slots, sweep->places.count);
        else
            fill_end_of_turn(turn, row);
        for (int lane = 0; lane < LANES; lane++)
            row[(size_t)all_home * LANES + (size_t)lane] = SWEEP_ONE;
        if (is_read(turn, what))
            fill_catches(turn, &catches, list, row);
    }
}

/* Numbers are rounded to the nearest, or towards what is proven. */
static PendingRounding rounding_of(Beyond beyond) {
    return beyond == LIKE_OTHERS ? PENDING_NEAREST : beyond == ALL_WON ? PENDING_UP : PENDING_DOWN;
}

void turn_solve(const Turn *turn, const Bench *bench, int32_t *values) {
    const ResultLists *lists = &turn->pending->lists;
    size_t cells = sweep_cells(turn->sweep);
    int throws = turn->pending->throws;
    int lasts = pending_lasts(turn->pending, turn->home);
    PackedLanes lanes = {(int)(turn->first % LANES), (int)(turn->last - turn->first)};
    play_lists(turn, bench);
    for (int list = lists->count; list-- > 0;) {
        int32_t rank = turn->throw_rank[list];
        int held = lists->lists[list].lasts;
        if (rank < 0)
            continue;
        int32_t *thrown = list > 0 ? bench->thrown + (size_t)rank * cells : values;
        throw_line(turn, bench, list, false, thrown);
        bool kept = held <= lasts - throws && pending_is_kept(turn->pending, list);
        if (throws == 2 && kept) {
            thrown = bench->thrown_2 + (size_t)rank * cells;
            throw_line(turn, bench, list, true, thrown);
        }
        if (turn->home > 0 && kept)
            pending_keep(turn->pending, list, turn->first / LANES, lanes, thrown,
                         rounding_of(beyond_of(turn->pass)));
    }
}
