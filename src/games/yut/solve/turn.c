#include "games/yut/solve/turn.h"

#include <assert.h>

#include "games/yut/solve/catches.h"
#include "games/yut/solve/lanes.h"

enum { AT_ONCE_TIMES = 3 }; /* see add_played_at_once */

/* How results beyond the lists are valued: like the mean of the others, as lost, or as won. */
typedef enum Beyond { LIKE_OTHERS, ALL_LOST, ALL_WON } Beyond;

static Beyond beyond_of(const SweepPass *pass) {
    if (!pass->is_check || pass->aim == SWEEP_VALUES)
        return LIKE_OTHERS;
    return pass->aim == SWEEP_UPPER ? ALL_WON : ALL_LOST;
}

/* Rounds to nearest, except when a bound is checked: up for an upper bound, down for a lower
 * one. */
static PendingRounding rounding_of(const Turn *turn) {
    Beyond beyond = beyond_of(turn->pass);
    return beyond == LIKE_OTHERS ? PENDING_NEAREST : beyond == ALL_WON ? PENDING_UP : PENDING_DOWN;
}

static uint32_t narrow_rounding(const Turn *turn) {
    return pending_rounding(rounding_of(turn), PACKED_NARROW);
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

/* The value after a catch that ends the turn. */
static int32_t after_turn(const Turn *turn, uint32_t own, uint32_t other) {
    const Sweep *sweep = turn->sweep;
    int side = other_side(turn);
    size_t place = sweep_index(sweep, other, own);
    const uint8_t *slack = sweep->slack[side].bytes;
    return SWEEP_ONE -
           lanes_with_slack(sweep_values(sweep, side)[place], slack[place], -turn_slack_step(turn));
}

/* The values after catches that turn the opponent's placement into `without`: a row with a number
 * for every own placement. */
typedef struct Behind {
    const uint8_t *row; /* packed */
    int width, lane;
    /* For bounds with nothing pending, the numbers are `values` with `slack`; else both are
     * NULL. */
    const int32_t *values;
    const uint8_t *slack;
} Behind;

static Behind behind_of(const Turn *turn, uint32_t without, int pending, bool quietly) {
    const Sweep *sweep = turn->sweep;
    uint32_t line = without / LANES;
    const uint8_t *row = quietly ? pending_quiet_row(turn->pending, pending, line)
                                 : pending_row(turn->pending, pending, line);
    assert(row || pending == 0);
    if (row)
        return (Behind){
            .row = row, .width = turn->pending->widths[pending], .lane = (int)(without % LANES)};
    /* Nothing is pending, so this is a position in the table. */
    size_t first = sweep_index(sweep, 0, line * LANES), lane = without % LANES;
    const int32_t *values = sweep_values(sweep, turn->side) + first;
    Behind behind = {.row = (const uint8_t *)values, .width = PACKED_WIDTH_MAX, .lane = (int)lane};
    if (turn_slack_step(turn) != 0) {
        behind.values = values + lane;
        behind.slack = (const uint8_t *)sweep->slack[turn->side].bytes + first + lane;
    }
    return behind;
}

/* Fills in the values after one catch, from throw[pending]; after a quiet one, from
 * play[pending]. */
static void fill_catch(const Turn *turn, const Catch *catch, int pending, bool quietly,
                       PackedCells row) {
    const Placements *placements = &turn->sweep->placements;
    const uint32_t *owns = placements->holding + placements->holding_from[catch->square];
    size_t count =
        placements->holding_from[catch->square + 1] - placements->holding_from[catch->square];
    Behind behind = behind_of(turn, catch->without, pending, quietly);
    if (behind.values)
        lanes_copy_bound(row.cells, behind.values, behind.slack, turn_slack_step(turn), owns, count,
                         catch->lane, catch->lanes);
    else
        packed_copy(behind.row, behind.width, (PackedLanes){behind.lane, catch->lanes}, owns, count,
                    row, catch->lane, narrow_rounding(turn));
}

static void fill_last_catch(const Turn *turn, const Catch *catch, int32_t unused, PackedCells row) {
    (void)unused;
    const Placements *placements = &turn->sweep->placements;
    int32_t *cells = row.cells;
    for (uint32_t k = placements->holding_from[catch->square];
         k < placements->holding_from[catch->square + 1]; k++)
        for (int lane = 0; lane < catch->lanes; lane++)
            cells[placements->holding[k] * (size_t)LANES + (size_t)(catch->lane + lane)] =
                after_turn(turn, placements->holding[k], catch->without + (uint32_t)lane);
}

static void fill_unknown_catch(const Turn *turn, const Catch *catch, int32_t value,
                               PackedCells row) {
    const Placements *placements = &turn->sweep->placements;
    packed_set(row, value, placements->holding + placements->holding_from[catch->square],
               placements->holding_from[catch->square + 1] -
                   placements->holding_from[catch->square],
               (PackedLanes){catch->lane, catch->lanes});
}

/* All catches against the placements of a turn. For each group of single-lane catches, `picks`
 * lists the own placements that make them, and in which lanes. */
typedef struct Catching {
    Catches catches;
    const PackedPick *picks[LANES];
    size_t pick_counts[LANES];
} Catching;

static void find_catching(const Turn *turn, const Workspace *workspace, Catching *catching) {
    const Placements *placements = &turn->sweep->placements;
    catches_find(placements, turn->first, turn->last, &catching->catches);
    for (int i = 0; i < catching->catches.same_count; i++) {
        PackedPick *picks = workspace->picks + (size_t)i * placements->count;
        catching->picks[i] = picks;
        catching->pick_counts[i] = catches_pick(placements, &catching->catches.same[i], picks);
    }
}

/* The same for a group of single-lane catches that lead to the same placement. */
static void fill_same_catch(const Turn *turn, const Catching *catching, int i, int pending,
                            bool quietly, PackedCells row) {
    const Placements *placements = &turn->sweep->placements;
    const SameCatch *same = &catching->catches.same[i];
    Behind behind = behind_of(turn, same->without, pending, quietly);
    if (behind.values)
        lanes_copy_same_bound(row.cells, behind.values, behind.slack, turn_slack_step(turn),
                              same->squares, placements->occupied, placements->count);
    else
        packed_copy_same(behind.row, behind.width, behind.lane, catching->picks[i],
                         catching->pick_counts[i], row, narrow_rounding(turn));
}

/* Calls `fill` for every catch: once per run, and once per lane and square of the single-lane
 * catches. */
static void fill_each_catch(const Turn *turn, const Catches *catches,
                            void (*fill)(const Turn *turn, const Catch *catch, int32_t value,
                                         PackedCells row),
                            int32_t value, PackedCells row) {
    for (int i = 0; i < catches->count; i++)
        fill(turn, &catches->runs[i], value, row);
    for (int i = 0; i < catches->same_count; i++)
        for (int lane = 0; lane < LANES; lane++)
            for (int square = 1; square < YUT_ARRIVED; square++)
                if (catches->same[i].squares[lane] >> square & 1)
                    fill(turn, &(Catch){square, lane, 1, catches->same[i].without}, value, row);
}

/* Stores the values after catches in the cells of pairs that share a square (sweep.h): after quiet
 * catches, or after those that give a throw. */
static void fill_catches(const Turn *turn, const Catching *catching, int list, bool quietly,
                         PackedCells row) {
    const Catches *catches = &catching->catches;
    const Sweep *sweep = turn->sweep;
    bool pig = sweep->rules.animals[sweep->sides == 1 ? turn->side : 1 - turn->side] == YUT_PIG;
    int pending = quietly ? list : turn->pending->lists.lists[list].pending;
    Beyond beyond = beyond_of(turn->pass);
    if (pig || (quietly && list == 0)) {
        fill_each_catch(turn, catches, fill_last_catch, 0, row);
    } else if (pending != list && beyond != LIKE_OTHERS) {
        fill_each_catch(turn, catches, fill_unknown_catch, beyond == ALL_WON ? SWEEP_ONE : 0, row);
    } else {
        for (int i = 0; i < catches->count; i++)
            fill_catch(turn, &catches->runs[i], pending, quietly, row);
        for (int i = 0; i < catches->same_count; i++)
            fill_same_catch(turn, catching, i, pending, quietly, row);
    }
}

/* --- rows of the workspace --- */

static PackedCells play_row(const Turn *turn, const Workspace *workspace, int list) {
    return (PackedCells){.cells = workspace->play +
                                  (size_t)turn->play_rank[list] * sweep_cells(turn->sweep),
                         .is_narrow = pending_plays_narrow(turn->pending, list)};
}

/* The row of play[list] that has the values after quiet catches. */
static PackedCells quiet_play_row(const Turn *turn, const Workspace *workspace, int list) {
    PackedCells row = play_row(turn, workspace, list);
    row.cells = (uint16_t *)row.cells +
                pending_quiet_offset(turn->pending, list) * sweep_cells(turn->sweep);
    return row;
}

/* The narrow numbers of a row of play[list], for a list that has them. */
static uint16_t *narrow_cells(const Turn *turn, int list, PackedCells row) {
    uint16_t *cells = row.cells;
    return !row.is_narrow && pending_has_copy(turn->pending, list)
               ? cells + 2 * sweep_cells(turn->sweep)
               : cells;
}

/* `thrown` is the workspace's array for one throw due, or the one for two. */
static PackedCells throw_row(const Turn *turn, uint16_t *thrown, int list) {
    return (PackedCells){.cells =
                             thrown + (size_t)turn->throw_rank[list] * sweep_cells(turn->sweep),
                         .is_narrow = pending_throws_narrow(turn->pending, list)};
}

static void make_narrow(const Turn *turn, const int32_t *numbers, uint16_t *narrow) {
    packed_narrow(numbers, sweep_cells(turn->sweep), narrow_rounding(turn), narrow);
}

static void set_all_home(const Turn *turn, PackedCells row) {
    uint32_t all_home = turn->sweep->placements.count - 1;
    packed_set(row, SWEEP_ONE, &all_home, 1, (PackedLanes){0, LANES});
}

/* --- throws --- */

/* A result that leads beyond the lists is worth at least what it brings if it is played at once,
 * before the rest of the throw is known, and without a catch. throw[list] counts such results as
 * lost. This adds what playing them at once brings: for one such result in the first pass, for a
 * second one after it in the next, and so on. */
static void add_played_at_once(const Turn *turn, const Workspace *workspace, const ResultList *list,
                               int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const PlacementMoves *moves = &sweep->moves[turn->side];
    size_t count = sweep->placements.count, cells = sweep_cells(sweep);
    int32_t *lost = workspace->scratch[0], *now = workspace->scratch[1],
            *best = workspace->scratch[2];
    Catches catches;
    catches_find(&sweep->placements, turn->first, turn->last, &catches);
    memcpy(lost, mean, cells * sizeof *mean);
    for (int times = 0; times < AT_ONCE_TIMES; times++) {
        memcpy(now, mean, cells * sizeof *mean);
        PackedCells row = {.cells = now};
        fill_each_catch(turn, &catches, fill_unknown_catch, 0, row);
        set_all_home(turn, row);
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

/* The rows whose weighted mean is throw[list]. */
typedef struct Thrown {
    int count;
    PackedCells rows[YUT_RESULTS + 1];
    double weights[YUT_RESULTS + 1], whole; /* the chances, and their sum */
} Thrown;

/* Adds what follows a nak: the list is played, the second throw is made, or the turn is over. */
static void add_nak(const Turn *turn, const Workspace *workspace, int list, bool twice,
                    bool is_narrow, Thrown *thrown) {
    const Pending *pending = turn->pending;
    int left = pending->nak_loses_turn ? 0 : list;
    PackedCells row = twice && !pending->nak_loses_turn ? throw_row(turn, workspace->thrown, list)
                                                        : play_row(turn, workspace, left);
    if (is_narrow && !row.is_narrow)
        row = (PackedCells){.cells = narrow_cells(turn, left, row), .is_narrow = true};
    thrown->rows[thrown->count] = row;
    thrown->weights[thrown->count++] = pending->nak;
    thrown->whole += pending->nak;
}

/* `is_narrow`: only narrow rows are wanted. */
static Thrown find_thrown(const Turn *turn, const Workspace *workspace, int list, bool twice,
                          bool is_narrow) {
    const ResultLists *lists = &turn->pending->lists;
    Thrown thrown = {.count = 0};
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = lists->lists[list].with[result];
        if (to < 0 || lists->chances[result] == 0)
            continue;
        bool again = lists->is_extra[result];
        int32_t rank = again || twice ? turn->throw_rank[to] : turn->play_rank[to];
        if (rank < 0 || (again && twice && !pending_is_kept(turn->pending, to)))
            continue;
        thrown.rows[thrown.count] = again && twice   ? throw_row(turn, workspace->thrown_2, to)
                                    : again || twice ? throw_row(turn, workspace->thrown, to)
                                                     : play_row(turn, workspace, to);
        thrown.weights[thrown.count++] = lists->chances[result];
        thrown.whole += lists->chances[result];
    }
    if (turn->pending->nak > 0)
        add_nak(turn, workspace, list, twice, is_narrow, &thrown);
    return thrown;
}

static void mean_of_narrow(const Turn *turn, const Thrown *thrown, double beyond, uint16_t *mean) {
    /* Larger than the rounding error of floats of this size. */
    const double off = 0.1;
    const double unit = 1 << packed_dropped_bits(PACKED_NARROW);
    PendingRounding rounding = rounding_of(turn);
    const uint16_t *rows[YUT_RESULTS + 1];
    float weights[YUT_RESULTS + 1];
    double sum = 0;
    for (int i = 0; i < thrown->count; i++) {
        rows[i] = thrown->rows[i].cells;
        weights[i] = (float)thrown->weights[i];
        sum += thrown->weights[i];
    }
    double added = (beyond + (sum - 1) * PACKED_LEAST) / unit;
    added += rounding == PENDING_NEAREST ? 0.5 : rounding == PENDING_UP ? 1 + off : -off;
    lanes_mean_narrow(mean, rows, weights, thrown->count, (float)added, sweep_cells(turn->sweep));
}

static void mean_of_wide(const Turn *turn, const Workspace *workspace, const Thrown *thrown,
                         double beyond, int32_t *mean) {
    const int32_t *rows[YUT_RESULTS + 1];
    int32_t *const *widened = workspace->scratch + WORKSPACE_SCRATCH_ROWS - WORKSPACE_WIDE_ROWS;
    size_t cells = sweep_cells(turn->sweep);
    for (int i = 0; i < thrown->count; i++) {
        rows[i] = thrown->rows[i].cells;
        if (!thrown->rows[i].is_narrow)
            continue;
        packed_widen(thrown->rows[i].cells, cells, *widened);
        rows[i] = *widened++;
    }
    lanes_mean(mean, rows, thrown->weights, thrown->count, beyond, cells);
}

/* Computes throw[list], with one throw due or two, from the rows of longer lists. */
static void throw_line(const Turn *turn, const Workspace *workspace, int list, bool twice,
                       PackedCells mean) {
    const ResultList *from = &turn->pending->lists.lists[list];
    Thrown thrown = find_thrown(turn, workspace, list, twice, mean.is_narrow);
    Beyond kind = beyond_of(turn->pass);
    double beyond = kind == ALL_WON ? (1 - thrown.whole) * SWEEP_ONE : 0;
    for (int i = 0; i < thrown.count && kind == LIKE_OTHERS; i++)
        thrown.weights[i] /= thrown.whole;
    /* Where a nak loses the turn, what was thrown cannot be played before the throw is over. */
    bool loses_all = turn->pending->nak > 0 && turn->pending->nak_loses_turn;
    bool plays_at_once = kind == ALL_LOST && !twice && !loses_all && thrown.whole < 1;
    if (!mean.is_narrow) {
        mean_of_wide(turn, workspace, &thrown, beyond, mean.cells);
        if (plays_at_once)
            add_played_at_once(turn, workspace, from, mean.cells);
        return;
    }
    mean_of_narrow(turn, &thrown, beyond, mean.cells);
    if (plays_at_once) {
        int32_t *wide = workspace->scratch[WORKSPACE_SCRATCH_ROWS - 1];
        packed_widen(mean.cells, sweep_cells(turn->sweep), wide);
        add_played_at_once(turn, workspace, from, wide);
        make_narrow(turn, wide, mean.cells);
    }
}

/* --- plays --- */

/* Whether a longer list is computed from this one, by results that are quiet or by others. */
static bool is_read(const Turn *turn, const ResultList *list, bool quietly) {
    for (int result = 0; result < YUT_RESULTS; result++)
        if (turn->pending->is_quiet[result] == quietly && list->with[result] >= 0 &&
            turn->play_rank[list->with[result]] >= 0)
            return true;
    return false;
}

/* Computes play[list] from the rows of shorter lists. */
static void play_line(const Turn *turn, const Workspace *workspace, int list, PackedCells row) {
    const Sweep *sweep = turn->sweep;
    const ResultList *what = &turn->pending->lists.lists[list];
    const PlacementMoves *moves = &sweep->moves[turn->side];
    const int32_t *from[YUT_RESULTS];
    const uint16_t *narrow[YUT_RESULTS];
    const uint32_t *next[YUT_RESULTS];
    int results = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (what->without[result] < 0)
            continue;
        int left = what->without[result];
        PackedCells source = turn->pending->is_quiet[result] ? quiet_play_row(turn, workspace, left)
                                                             : play_row(turn, workspace, left);
        from[results] = source.cells;
        narrow[results] = narrow_cells(turn, left, source);
        next[results++] = moves->next[result];
    }
    size_t slots = (size_t)moves->slots, count = sweep->placements.count;
    if (row.is_narrow)
        lanes_best_narrow(row.cells, narrow, next, results, slots, count);
    else
        lanes_best(row.cells, from, next, results, slots, count);
}

/* Completes the rows of play[list] that longer lists are computed from: with the values after
 * catches, and with a narrow copy if there is one. */
static void finish_play(const Turn *turn, const Workspace *workspace, const Catching *catching,
                        int list) {
    const ResultList *what = &turn->pending->lists.lists[list];
    PackedCells row = play_row(turn, workspace, list);
    PackedCells quiet_row = quiet_play_row(turn, workspace, list);
    bool is_loud = is_read(turn, what, false), is_quiet = is_read(turn, what, true);
    bool has_two = row.cells != quiet_row.cells;
    bool has_copy = pending_has_copy(turn->pending, list);
    if (has_two && is_quiet)
        memcpy(quiet_row.cells, row.cells,
               sweep_cells(turn->sweep) * (row.is_narrow ? sizeof(uint16_t) : sizeof(int32_t)));
    if (is_loud)
        fill_catches(turn, catching, list, false, row);
    if (is_quiet)
        fill_catches(turn, catching, list, true, quiet_row);
    if (has_copy && (is_loud || is_quiet || turn->pending->nak > 0))
        make_narrow(turn, row.cells, narrow_cells(turn, list, row));
    if (has_copy && has_two && is_quiet)
        make_narrow(turn, quiet_row.cells, narrow_cells(turn, list, quiet_row));
}

/* Computes play[L] for every list, shortest first. Stores those that quiet catches lead to. */
static void play_lists(const Turn *turn, const Workspace *workspace) {
    const ResultLists *lists = &turn->pending->lists;
    PackedLanes lanes = {(int)(turn->first % LANES), (int)(turn->last - turn->first)};
    Catching catching;
    find_catching(turn, workspace, &catching);
    for (int list = 0; list < lists->count; list++) {
        if (turn->play_rank[list] < 0)
            continue;
        PackedCells row = play_row(turn, workspace, list);
        if (list > 0)
            play_line(turn, workspace, list, row);
        else
            fill_end_of_turn(turn, row.cells);
        set_all_home(turn, row);
        if (turn->waiting > 0)
            pending_keep_quiet(turn->pending, list, turn->first / LANES, lanes, row,
                               rounding_of(turn));
        finish_play(turn, workspace, &catching, list);
    }
}

void turn_solve(const Turn *turn, const Workspace *workspace, int32_t *values) {
    const ResultLists *lists = &turn->pending->lists;
    int throws = turn->pending->throws;
    int lasts = pending_lasts(turn->pending, turn->waiting);
    PackedLanes lanes = {(int)(turn->first % LANES), (int)(turn->last - turn->first)};
    play_lists(turn, workspace);
    for (int list = lists->count; list-- > 0;) {
        int held = lists->lists[list].lasts;
        if (turn->throw_rank[list] < 0)
            continue;
        PackedCells row =
            list > 0 ? throw_row(turn, workspace->thrown, list) : (PackedCells){.cells = values};
        throw_line(turn, workspace, list, false, row);
        bool kept = throws > 0 && held <= lasts - throws && pending_is_kept(turn->pending, list);
        if (throws == 2 && kept) {
            if (list == 0 && turn->pending->nak > 0) /* a nak in the first throw leads there */
                memcpy(throw_row(turn, workspace->thrown, list).cells, values,
                       sweep_cells(turn->sweep) * sizeof *values);
            row = throw_row(turn, workspace->thrown_2, list);
            throw_line(turn, workspace, list, true, row);
        }
        if (turn->waiting > 0 && kept)
            pending_keep(turn->pending, list, turn->first / LANES, lanes, row, rounding_of(turn));
    }
}
