#include "games/yut/sweep.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* The loops over rows are compiled for several kinds of machines, and the best is taken when the
 * program starts. That choice comes too early for ThreadSanitizer, so under it there is but one. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define ONE_MACHINE
#endif
#endif
#if defined(__x86_64__) && !defined(ONE_MACHINE) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_MACHINE                                                                           \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_MACHINE
#endif

enum {
    LANES = SWEEP_LANES,
    SHORT_RARE = 64,  /* one throw in so many, or less, goes beyond the lists of a short sweep */
    SHORT_ROUNDS = 8, /* so much more rounding is allowed in short sweeps: it proves nothing */
    WAVE = 8,         /* lines that read the same values */
    HOME_FOR_THREADS = 1, /* sides with more pieces at home have the most lists and are few: one
                             thread takes them, so that the others need no room for so many lists */
    AT_ONCE_TIMES = 3     /* see add_played_at_once */
};

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

Status sweep_supports(const YutRules *rules) {
    if (rules->players != 2)
        return status_make(STATUS_UNSUPPORTED, "yut is solved for two players, not for %d",
                           rules->players);
    if (rules->no_bonus_by_yut_mo)
        return status_make(STATUS_UNSUPPORTED, "yut is not solved with --catch-bonus weak");
    return status_ok();
}

/* What one thread works with: a line of play[L] and throw[L] for every list, and of throw[L] with
 * two throws to come where a catch gives two. */
enum { SCRATCH_ROWS = 3 };

typedef struct Bench {
    Grid grids[3];
    int32_t *play, *thrown, *thrown_2;
    Grid scratch_grid;
    int32_t *scratch[SCRATCH_ROWS]; /* a line each */
} Bench;

struct SweepBenches {
    Grid wave_grid;
    int32_t *wave; /* the new values of a wave's lines */
    int count;
    Bench benches[];
};

/* --- sizes --- */

static bool same_animals(const YutRules *rules) {
    return rules->animals[0] == rules->animals[1];
}

static size_t lines_of(uint32_t sides) {
    return (sides + LANES - 1) / LANES;
}

/* Numbers of a line: one for every own side and lane. */
static size_t cells_of(const Sweep *sweep) {
    return sweep->height * LANES;
}

size_t sweep_numbers(const Sweep *sweep) {
    return sweep->lines * cells_of(sweep);
}

static bool throws_twice(const Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        if (pending_catch_throws(&sweep->rules, side) == 2)
            return true;
    return false;
}

/* How many extras the lists of short sweeps have. */
static int short_extras(const YutRules *rules, int side) {
    double again = lists_again(rules, side), beyond = again;
    int extras = 0;
    for (; beyond * SHORT_RARE > 1; extras++)
        beyond *= again;
    return extras;
}

/* With how many pieces at home sides are given to bench `i`: the last is for the most. */
static int home_for_bench(const Sweep *sweep, int i) {
    return i == sweep->room.threads || sweep->places.pieces < HOME_FOR_THREADS
               ? sweep->places.pieces
               : HOME_FOR_THREADS;
}

/* How many rows of play[L] and throw[L] bench `i` needs, of either side and kind. */
static void count_rows(const Sweep *sweep, int i, size_t *played, size_t *thrown) {
    *played = *thrown = 0;
    for (int side = 0; side < sweep->sides; side++)
        for (int kind = 0; kind < SWEEP_KINDS; kind++) {
            size_t play, throw;
            pending_count_rows(&sweep->pending[kind][side], home_for_bench(sweep, i), &play,
                               &throw);
            *played = play > *played ? play : *played;
            *thrown = throw > *thrown ? throw : *thrown;
        }
}

static uint64_t bench_bytes(const Sweep *sweep, int i) {
    size_t played, thrown;
    count_rows(sweep, i, &played, &thrown);
    size_t lines = played + thrown * (throws_twice(sweep) ? 2 : 1) + SCRATCH_ROWS;
    return lines * cells_of(sweep) * sizeof(int32_t);
}

/* The sizes, without any table. */
static Status open_sizes(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep) {
    *sweep = (Sweep){.rules = *rules,
                     .rare = rare,
                     .room = *room,
                     .slack_unit = 1,
                     .sides = same_animals(rules) ? 1 : 2};
    Status status = places_open(rules->pieces, &sweep->places);
    sweep->lines = lines_of(sweep->places.count);
    sweep->height = sweep->lines * LANES;
    return status;
}

static Status open_lists(Sweep *sweep, SweepKind kind, int extras) {
    Status status = status_ok();
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = pending_open(&sweep->rules, side, &sweep->places,
                              kind == SWEEP_SHORT ? short_extras(&sweep->rules, side) : extras,
                              kind == SWEEP_SHORT ? SHORT_ROUNDS * sweep->rare : sweep->rare,
                              &sweep->pending[kind][side]);
    return status;
}

static SweepNeeds needs_of(const Sweep *sweep) {
    uint64_t numbers = sweep_numbers(sweep) * (uint64_t)sweep->sides;
    uint64_t wave = WAVE * cells_of(sweep) * sizeof(int32_t);
    SweepNeeds needs = {.memory = wave + numbers * (sizeof(int32_t) + sizeof(uint8_t)),
                        .rest =
                            numbers * sizeof(int32_t) + bench_bytes(sweep, sweep->room.threads)};
    for (int i = 0; i < sweep->room.threads; i++)
        needs.memory += bench_bytes(sweep, i);
    for (int side = 0; side < sweep->sides; side++) {
        needs.memory += pending_bytes(&sweep->pending[SWEEP_SHORT][side]);
        needs.rest += pending_bytes(&sweep->pending[SWEEP_FULL][side]);
    }
    return needs;
}

Status sweep_needs(const YutRules *rules, int extras, double rare, int threads, SweepNeeds *needs) {
    Sweep sweep;
    SweepRoom room = {.threads = threads};
    Status status = open_sizes(rules, rare, &room, &sweep);
    if (status_is_ok(&status))
        status = open_lists(&sweep, SWEEP_SHORT, 0);
    if (status_is_ok(&status))
        status = open_lists(&sweep, SWEEP_FULL, extras);
    if (status_is_ok(&status))
        *needs = needs_of(&sweep);
    sweep_close(&sweep);
    return status;
}

double sweep_again(const YutRules *rules) {
    double again = 0;
    for (int side = 0; side < 2; side++) {
        double of_side = lists_again(rules, side);
        again = of_side > again ? of_side : again;
    }
    return again;
}

int32_t sweep_rounding(const Sweep *sweep) {
    /* Each throw of a turn has a mean, and those of the results that throw again, rounded by a unit
     * each at most. */
    int throws = 1 + (throws_twice(sweep) ? 2 : 1) * sweep->rules.pieces;
    return 2 + (int32_t)(throws / (1 - sweep_again(&sweep->rules)));
}

/* --- making and unmaking --- */

static void close_benches(Sweep *sweep) {
    if (!sweep->benches)
        return;
    for (int i = 0; i < sweep->benches->count; i++) {
        Bench *bench = &sweep->benches->benches[i];
        for (int k = 0; k < 3; k++)
            grid_close(&bench->grids[k]);
        grid_close(&bench->scratch_grid);
    }
    grid_close(&sweep->benches->wave_grid);
    free(sweep->benches);
    sweep->benches = NULL;
}

static bool open_bench(const Sweep *sweep, int i, Bench *bench) {
    const char *scratch = i == sweep->room.threads ? sweep->room.scratch : NULL;
    size_t line = cells_of(sweep) * sizeof(int32_t), played, thrown;
    count_rows(sweep, i, &played, &thrown);
    size_t twice = throws_twice(sweep) ? thrown : 0;
    bool good = grid_open(&bench->grids[0], played * line, scratch) &&
                grid_open(&bench->grids[1], thrown * line, scratch) &&
                grid_open(&bench->grids[2], twice * line, scratch) &&
                grid_open(&bench->scratch_grid, SCRATCH_ROWS * line, NULL);
    bench->play = bench->grids[0].bytes;
    bench->thrown = bench->grids[1].bytes;
    bench->thrown_2 = bench->grids[2].bytes;
    for (size_t k = 0; good && k < SCRATCH_ROWS; k++)
        bench->scratch[k] = (int32_t *)bench->scratch_grid.bytes + k * cells_of(sweep);
    return good;
}

static bool open_benches(Sweep *sweep) {
    int count = sweep->room.threads + 1;
    if (sweep->benches)
        return true;
    sweep->benches = calloc(1, sizeof *sweep->benches + (size_t)count * sizeof(Bench));
    if (!sweep->benches)
        return false;
    sweep->benches->count = count;
    bool good =
        grid_open(&sweep->benches->wave_grid, WAVE * cells_of(sweep) * sizeof(int32_t), NULL);
    sweep->benches->wave = sweep->benches->wave_grid.bytes;
    for (int i = 0; i < count && good; i++)
        good = open_bench(sweep, i, &sweep->benches->benches[i]);
    if (!good)
        close_benches(sweep);
    return good;
}

static Status no_room(const char *scratch) {
    if (!scratch)
        return out_of_memory();
    return status_make(STATUS_FAILED, "no room for scratch files in %s", quote(scratch).text);
}

Status sweep_set_extras(Sweep *sweep, int extras) {
    sweep->extras = extras;
    close_benches(sweep);
    for (int side = 0; side < sweep->sides; side++)
        pending_close(&sweep->pending[SWEEP_FULL][side]);
    Status status = open_lists(sweep, SWEEP_FULL, extras);
    if (!status_is_ok(&status))
        return status;
    for (int side = 0; side < sweep->sides; side++)
        if (!pending_open_grid(&sweep->pending[SWEEP_FULL][side], sweep->room.scratch))
            return no_room(sweep->room.scratch);
    return status;
}

/* What one side has. */
static Status open_side(Sweep *sweep, int side) {
    size_t numbers = sweep_numbers(sweep);
    Status status = places_open_moves(&sweep->places, &sweep->rules, side, &sweep->moves[side]);
    if (!status_is_ok(&status))
        return status;
    if (!grid_open(&sweep->values[side], numbers * sizeof(int32_t), NULL) ||
        !grid_open(&sweep->slack[side], numbers, NULL) ||
        !pending_open_grid(&sweep->pending[SWEEP_SHORT][side], NULL))
        return out_of_memory();
    if (!grid_open(&sweep->corrections[side], numbers * sizeof(int32_t), sweep->room.scratch))
        return no_room(sweep->room.scratch);
    int32_t *values = sweep_values(sweep, side);
    for (size_t i = 0; i < numbers; i++)
        values[i] = SWEEP_ONE / 2;
    return status;
}

Status sweep_open(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep) {
    Status status = open_sizes(rules, rare, room, sweep);
    if (status_is_ok(&status))
        status = open_lists(sweep, SWEEP_SHORT, 0);
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = open_side(sweep, side);
    if (status_is_ok(&status))
        status = open_lists(sweep, SWEEP_FULL, 0);
    if (!status_is_ok(&status))
        sweep_close(sweep);
    return status;
}

void sweep_close(Sweep *sweep) {
    close_benches(sweep);
    for (int side = 0; side < sweep->sides; side++) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            pending_close(&sweep->pending[kind][side]);
        places_close_moves(&sweep->moves[side]);
        grid_close(&sweep->values[side]);
        grid_close(&sweep->slack[side]);
        grid_close(&sweep->corrections[side]);
    }
    places_close(&sweep->places);
    *sweep = (Sweep){.sides = 0};
}

void sweep_clear_slack(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        memset(sweep->slack[side].bytes, 0, sweep_numbers(sweep));
}

/* --- the kernel --- */

/* Whose turn is being solved, against which sides: those from `first` up to `last` of one line, all
 * with `home` pieces at home. */
typedef struct TurnOf {
    const Sweep *sweep;
    const SweepPass *pass;
    int side;
    uint32_t first, last;
    int home;
    const Pending *pending;
    const int32_t *play_rank, *throw_rank;
} TurnOf;

/* What lies beyond the lists. */
typedef enum Beyond { LIKE_OTHERS, ALL_LOST, ALL_WON } Beyond;

static Beyond beyond_of(const SweepPass *pass) {
    if (!pass->is_check || pass->aim == SWEEP_VALUES)
        return LIKE_OTHERS;
    return pass->aim == SWEEP_UPPER ? ALL_WON : ALL_LOST;
}

/* By how much a unit of slack changes the values that are being computed; those of the player who
 * is next are changed the other way. */
static int32_t slack_step(const TurnOf *turn) {
    switch (turn->pass->aim) {
    case SWEEP_UPPER:
        return turn->sweep->slack_unit;
    case SWEEP_LOWER:
        return -turn->sweep->slack_unit;
    default:
        return 0;
    }
}

static inline int32_t with_slack(int32_t value, uint8_t slack, int32_t step) {
    return value + slack * step;
}

/* Some sides of the line have a piece on the square; when it is caught, they become sides with
 * numbers in a row. */
typedef struct Catch {
    int square;
    int lane, lanes;
    uint32_t without; /* what the first becomes */
} Catch;

enum { CATCHES_MAX = LANES * YUT_PIECES_MAX };

static int find_catches(const Places *places, uint32_t first, uint32_t last,
                        Catch catches[CATCHES_MAX]) {
    int count = 0;
    for (int square = 1; square < YUT_ARRIVED; square++) {
        bool goes_on = false;
        for (uint32_t other = first; other < last; other++) {
            if (!(places->occupied[other] >> square & 1)) {
                goes_on = false;
                continue;
            }
            uint32_t without = places_sent_home(places, other, square);
            Catch *before = &catches[count - 1];
            if (goes_on && without == before->without + (uint32_t)before->lanes &&
                without % LANES != 0) {
                before->lanes++;
                continue;
            }
            catches[count++] = (Catch){square, (int)(other % LANES), 1, without};
            goes_on = true;
        }
    }
    return count;
}

/* A line of play[{}], the turn being over: cells[own] for every own side against the line. The
 * values of the other player are the other way round, so squares of the grid are turned. */
FOR_EACH_MACHINE static void end_of_turn(const int32_t *restrict values, size_t lines,
                                         uint32_t line, int32_t *restrict cells) {
    for (size_t block = 0; block < lines; block++) {
        const int32_t *from = values + (block * lines + line) * LANES * LANES;
        int32_t *to = cells + block * LANES * LANES;
        for (size_t own = 0; own < LANES; own++)
            for (size_t lane = 0; lane < LANES; lane++)
                to[own * LANES + lane] = SWEEP_ONE - from[lane * LANES + own];
    }
}

/* The same where the values of the other player are bounds. */
FOR_EACH_MACHINE static void end_of_turn_bound(const int32_t *restrict values,
                                               const uint8_t *restrict slack, int32_t step,
                                               size_t lines, uint32_t line,
                                               int32_t *restrict cells) {
    for (size_t block = 0; block < lines; block++) {
        size_t first = (block * lines + line) * LANES * LANES;
        int32_t *to = cells + block * LANES * LANES;
        for (size_t own = 0; own < LANES; own++)
            for (size_t lane = 0; lane < LANES; lane++) {
                size_t from = first + lane * LANES + own;
                to[own * LANES + lane] = SWEEP_ONE - with_slack(values[from], slack[from], step);
            }
    }
}

static int other_side(const TurnOf *turn) {
    return turn->sweep->sides - 1 - turn->side;
}

static void fill_end_of_turn(const TurnOf *turn, int32_t *cells) {
    const Sweep *sweep = turn->sweep;
    int side = other_side(turn);
    uint32_t line = turn->first / LANES;
    int32_t step = -slack_step(turn);
    if (step == 0)
        end_of_turn(sweep_values(sweep, side), sweep->lines, line, cells);
    else
        end_of_turn_bound(sweep_values(sweep, side), sweep->slack[side].bytes, step, sweep->lines,
                          line, cells);
}

/* What it is worth to have caught a pig, which ends the turn. */
static int32_t after_pig(const TurnOf *turn, uint32_t own, uint32_t other) {
    const Sweep *sweep = turn->sweep;
    int side = other_side(turn);
    size_t place = sweep_place(sweep, other, own);
    const uint8_t *slack = sweep->slack[side].bytes;
    return SWEEP_ONE -
           with_slack(sweep_values(sweep, side)[place], slack[place], -slack_step(turn));
}

/* to[own] = from[own], for the sides that hold the square and the lanes of the catch; the lanes of
 * `from` begin with the first of them. */
FOR_EACH_MACHINE static void copy_lanes(int32_t *restrict to, const int32_t *restrict from,
                                        const uint32_t *owns, size_t count, int lane, int lanes) {
    if (lanes == 1) {
        for (size_t i = 0; i < count; i++)
            to[owns[i] * (size_t)LANES + (size_t)lane] = from[owns[i] * (size_t)LANES];
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t *line = to + owns[i] * (size_t)LANES;
        const int32_t *source = from + owns[i] * (size_t)LANES;
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            if (k >= lane && k < lane + lanes)
                line[k] = source[k - lane];
    }
}

static void copy_narrow_lanes(int32_t *restrict to, const uint16_t *restrict from,
                              const uint32_t *owns, size_t count, int lane, int lanes) {
    for (size_t i = 0; i < count; i++) {
        int32_t *line = to + owns[i] * (size_t)LANES + lane;
        const uint16_t *source = from + owns[i] * (size_t)LANES;
        for (int k = 0; k < lanes; k++)
            line[k] = pending_widened(source[k]);
    }
}

static void copy_bound_lanes(int32_t *restrict to, const int32_t *restrict from,
                             const uint8_t *restrict slack, int32_t step, const uint32_t *owns,
                             size_t count, int lane, int lanes) {
    for (size_t i = 0; i < count; i++) {
        size_t own = owns[i] * (size_t)LANES;
        for (int k = 0; k < lanes; k++)
            to[own + (size_t)(lane + k)] =
                with_slack(from[own + (size_t)k], slack[own + (size_t)k], step);
    }
}

static void set_lanes(int32_t *to, int32_t value, const uint32_t *owns, size_t count, int lane,
                      int lanes) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < lanes; k++)
            to[owns[i] * (size_t)LANES + (size_t)(lane + k)] = value;
}

/* Fills in what lies behind one catch, of throw[pending]. */
static void fill_catch(const TurnOf *turn, const Catch *catch, int pending, int32_t *cells) {
    const Sweep *sweep = turn->sweep;
    const Places *places = &sweep->places;
    const uint32_t *owns = places->holding + places->holding_from[catch->square];
    size_t count = places->holding_from[catch->square + 1] - places->holding_from[catch->square];
    uint32_t line = catch->without / LANES, lane = catch->without % LANES;
    const void *row = pending_row(turn->pending, pending, line);
    if (row && pending_is_narrow(turn->pending, pending)) {
        copy_narrow_lanes(cells, (const uint16_t *)row + lane, owns, count, catch->lane,
                          catch->lanes);
    } else if (row) {
        copy_lanes(cells, (const int32_t *)row + lane, owns, count, catch->lane, catch->lanes);
    } else { /* nothing pending: it is a position of the table */
        size_t place = sweep_place(sweep, 0, catch->without);
        const int32_t *values = sweep_values(sweep, turn->side) + place;
        const uint8_t *slack = (const uint8_t *)sweep->slack[turn->side].bytes + place;
        int32_t step = slack_step(turn);
        if (step == 0)
            copy_lanes(cells, values, owns, count, catch->lane, catch->lanes);
        else
            copy_bound_lanes(cells, values, slack, step, owns, count, catch->lane, catch->lanes);
    }
}

static void fill_pig_catch(const TurnOf *turn, const Catch *catch, int32_t *cells) {
    const Places *places = &turn->sweep->places;
    for (uint32_t k = places->holding_from[catch->square];
         k < places->holding_from[catch->square + 1]; k++)
        for (int lane = 0; lane < catch->lanes; lane++)
            cells[places->holding[k] * (size_t)LANES + (size_t)(catch->lane + lane)] =
                after_pig(turn, places->holding[k], catch->without + (uint32_t)lane);
}

static void fill_unknown_catch(const TurnOf *turn, const Catch *catch, int32_t value,
                               int32_t *cells) {
    const Places *places = &turn->sweep->places;
    set_lanes(cells, value, places->holding + places->holding_from[catch->square],
              places->holding_from[catch->square + 1] - places->holding_from[catch->square],
              catch->lane, catch->lanes);
}

/* Fills in what lies behind the catches, where a side that shares a square would be. */
static void fill_catches(const TurnOf *turn, const Catch catches[], int count, int list,
                         int32_t *cells) {
    const Sweep *sweep = turn->sweep;
    bool pig = sweep->rules.animals[sweep->sides == 1 ? turn->side : 1 - turn->side] == YUT_PIG;
    int pending = turn->pending->lists.lists[list].pending;
    Beyond beyond = beyond_of(turn->pass);
    for (int i = 0; i < count; i++) {
        if (pig)
            fill_pig_catch(turn, &catches[i], cells);
        else if (pending != list && beyond != LIKE_OTHERS)
            fill_unknown_catch(turn, &catches[i], beyond == ALL_WON ? SWEEP_ONE : 0, cells);
        else
            fill_catch(turn, &catches[i], pending, cells);
    }
}

/* See play_best; with the number of slots known, the lanes become vectors. */
__attribute__((always_inline)) static inline void
best_of_slots(int32_t *restrict best, const int32_t *const from[], const uint32_t *const next[],
              int results, size_t slots, size_t count) {
    for (size_t own = 0; own < count; own++) {
        int32_t *lanes = best + own * LANES;
        for (int r = 0; r < results; r++) {
            const int32_t *value[PLACES_SLOTS_MAX];
            for (size_t slot = 0; slot < slots; slot++)
                value[slot] = from[r] + (size_t)next[r][own * slots + slot] * LANES;
#pragma omp simd
            for (int lane = 0; lane < LANES; lane++) {
                int32_t largest = r > 0 ? lanes[lane] : INT32_MIN;
                for (size_t slot = 0; slot < slots; slot++)
                    largest = value[slot][lane] > largest ? value[slot][lane] : largest;
                lanes[lane] = largest;
            }
        }
    }
}

/* best[own] = the largest of from[r][next[r][own's slots]] over results r and slots, lane by lane.
 */
FOR_EACH_MACHINE static void play_best(int32_t *restrict best, const int32_t *const from[],
                                       const uint32_t *const next[], int results, size_t slots,
                                       size_t count) {
    switch (slots) {
    case 1:
        best_of_slots(best, from, next, results, 1, count);
        break;
    case 2:
        best_of_slots(best, from, next, results, 2, count);
        break;
    case 3:
        best_of_slots(best, from, next, results, 3, count);
        break;
    case 4:
        best_of_slots(best, from, next, results, 4, count);
        break;
    default:
        best_of_slots(best, from, next, results, slots, count);
    }
}

/* first + the mean of up to six rows, rounded. */
FOR_EACH_MACHINE static void mean_of_rows(int32_t *restrict mean, const int32_t *const rows[],
                                          const double weights[], int row_count, double beyond,
                                          size_t count) {
    for (size_t first = 0; first < count; first += LANES) {
        double sums[LANES];
        for (int i = 0; i < LANES; i++)
            sums[i] = beyond + 0.5;
        for (int row = 0; row < row_count; row++) {
            const int32_t *from = rows[row] + first;
            double weight = weights[row];
            for (int i = 0; i < LANES; i++)
                sums[i] += weight * from[i];
        }
        for (int i = 0; i < LANES; i++)
            mean[first + (size_t)i] = (int32_t)sums[i];
    }
}

/* A result that leads beyond the lists is worth at least what it brings when it is played at once,
 * before what else will be thrown is known, and not for a catch. Adds that to throw[list], where
 * such results count as lost: once for one such result, again for a second, and so on. */
static void add_played_at_once(const TurnOf *turn, const Bench *bench, const ResultList *list,
                               int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t count = sweep->places.count, cells = cells_of(sweep);
    int32_t *lost = bench->scratch[0], *now = bench->scratch[1], *best = bench->scratch[2];
    Catch catches[CATCHES_MAX];
    int catch_count = find_catches(&sweep->places, turn->first, turn->last, catches);
    memcpy(lost, mean, cells * sizeof *mean);
    for (int times = 0; times < AT_ONCE_TIMES; times++) {
        memcpy(now, mean, cells * sizeof *mean);
        for (int i = 0; i < catch_count; i++)
            fill_unknown_catch(turn, &catches[i], 0, now);
        for (size_t lane = 0; lane < LANES; lane++)
            now[(count - 1) * LANES + lane] = SWEEP_ONE;
        memcpy(mean, lost, cells * sizeof *mean);
        for (int result = 0; result < YUT_RESULTS; result++) {
            int to = list->with[result];
            if (!lists->is_extra[result] || (to >= 0 && turn->throw_rank[to] >= 0))
                continue;
            const uint32_t *next[] = {moves->next[result]};
            const int32_t *from[] = {now};
            play_best(best, from, next, 1, (size_t)moves->slots, count);
            for (size_t i = 0; i < count * LANES; i++)
                mean[i] += (int32_t)(lists->chances[result] * best[i]);
        }
    }
}

/* throw[list], or with two throws to come, from the rows of longer lists. */
static void throw_line(const TurnOf *turn, const Bench *bench, int list, bool twice,
                       int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const ResultList *from = &lists->lists[list];
    size_t cells = cells_of(sweep);
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
    mean_of_rows(mean, rows, weights, used, beyond, cells);
    if (kind == ALL_LOST && !twice && whole < 1)
        add_played_at_once(turn, bench, from, mean);
}

/* Whether a longer list leads to this one. */
static bool is_read(const TurnOf *turn, const ResultList *list) {
    for (int result = 0; result < YUT_RESULTS; result++)
        if (list->with[result] >= 0 && turn->play_rank[list->with[result]] >= 0)
            return true;
    return false;
}

/* play[L] for every list, by size. */
static void play_lists(const TurnOf *turn, const Bench *bench) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->pending->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t cells = cells_of(sweep);
    uint32_t all_home = sweep->places.count - 1;
    Catch catches[CATCHES_MAX];
    int catch_count = find_catches(&sweep->places, turn->first, turn->last, catches);
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
            play_best(row, from, next, results, (size_t)moves->slots, sweep->places.count);
        else
            fill_end_of_turn(turn, row);
        for (int lane = 0; lane < LANES; lane++)
            row[(size_t)all_home * LANES + (size_t)lane] = SWEEP_ONE;
        if (is_read(turn, what))
            fill_catches(turn, catches, catch_count, list, row);
    }
}

/* How a number is rounded to fewer bits: to the nearest, or towards what is proven. */
static int32_t rounding_of(Beyond beyond) {
    return beyond == LIKE_OTHERS ? PENDING_STEP / 2 : beyond == ALL_WON ? PENDING_STEP - 1 : 0;
}

/* Keeps a line of throw[list], for sides with more pieces on the board. */
static void keep_pending(const TurnOf *turn, int list, const int32_t *line) {
    void *row = pending_row(turn->pending, list, turn->first / LANES);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    int32_t rounding = rounding_of(beyond_of(turn->pass));
    bool narrow = pending_is_narrow(turn->pending, list);
    if (!row)
        return;
    for (size_t own = 0; own < turn->sweep->places.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++) {
            if (narrow)
                ((uint16_t *)row)[cell] = pending_narrowed(line[cell], rounding);
            else
                ((int32_t *)row)[cell] = line[cell];
        }
}

/* Computes the values against the sides of a turn. */
static void solve_line(const TurnOf *turn, const Bench *bench, int32_t *values) {
    const ResultLists *lists = &turn->pending->lists;
    size_t cells = cells_of(turn->sweep);
    int throws = turn->pending->throws;
    int lasts = pending_lasts(turn->pending, turn->home);
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
            keep_pending(turn, list, thrown);
    }
}

/* values + corrections + bonus; from 0 to SWEEP_ONE where they are values, not bounds. */
FOR_EACH_MACHINE static void add_corrections(int32_t *restrict values,
                                             const int32_t *restrict corrections, int32_t bonus,
                                             bool are_values, size_t count) {
    int32_t low = are_values ? 0 : INT32_MIN, high = are_values ? SWEEP_ONE : INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int32_t value = values[i] + corrections[i] + bonus;
        values[i] = value < low ? low : value > high ? high : value;
    }
}

static void add_bonus(int32_t *values, int32_t bonus, size_t count) {
    for (size_t i = 0; i < count && bonus != 0; i++)
        values[i] += bonus;
}

/* Notes by how much the values of a full sweep differ from those of a short one. */
static void note_corrections(const TurnOf *of_short, const Bench *bench, const int32_t *values,
                             int32_t *corrections) {
    int32_t *brief = bench->scratch[0];
    size_t first = of_short->first % LANES, last = (of_short->last - 1) % LANES;
    solve_line(of_short, bench, brief);
    for (size_t own = 0; own < of_short->sweep->places.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            corrections[cell] = values[cell] - brief[cell];
}

/* A line of a full sweep, or of a short one with its correction. */
static void solve_and_correct(const TurnOf turn[SWEEP_KINDS], const Bench *bench, int32_t *values) {
    const TurnOf *of_short = &turn[SWEEP_SHORT];
    const Sweep *sweep = of_short->sweep;
    const SweepPass *pass = of_short->pass;
    size_t cells = cells_of(sweep);
    int32_t *corrections = (int32_t *)sweep->corrections[of_short->side].bytes +
                           (size_t)(of_short->first / LANES) * cells;
    solve_line(&turn[pass->kind], bench, values);
    if (pass->kind == SWEEP_FULL && pass->notes)
        note_corrections(of_short, bench, values, corrections);
    if (pass->kind == SWEEP_SHORT)
        add_corrections(values, corrections, pass->bonus, pass->aim == SWEEP_VALUES, cells);
    else
        add_bonus(values, pass->bonus, cells);
}

/* What is compared with the new values: the old ones, or the old bounds. */
static void fill_old(const TurnOf *turn, int32_t *old) {
    const Sweep *sweep = turn->sweep;
    size_t cells = cells_of(sweep), first = (size_t)(turn->first / LANES) * cells;
    const int32_t *values = sweep_values(sweep, turn->side) + first;
    const uint8_t *slack = (const uint8_t *)sweep->slack[turn->side].bytes + first;
    int32_t step = slack_step(turn);
    for (size_t i = 0; i < cells; i++)
        old[i] = step == 0 ? values[i] : with_slack(values[i], slack[i], step);
}

/* The largest difference new - old of each lane, up and down, where the sides share no square. */
FOR_EACH_MACHINE static void compare_lines(const int32_t *restrict old,
                                           const int32_t *restrict values,
                                           const uint32_t *own_occupied,
                                           const uint32_t occupied[LANES], size_t count,
                                           int32_t up[LANES], int32_t down[LANES]) {
    for (size_t own = 0; own < count; own++) {
        uint32_t squares = own_occupied[own];
#pragma omp simd
        for (size_t lane = 0; lane < LANES; lane++) {
            int32_t difference = values[own * LANES + lane] - old[own * LANES + lane];
            difference = (squares & occupied[lane]) == 0 ? difference : 0;
            up[lane] = difference > up[lane] ? difference : up[lane];
            down[lane] = difference < down[lane] ? difference : down[lane];
        }
    }
}

/* Puts the new values in their place, for the lanes of the turn. */
static void put_values(const TurnOf *turn, const int32_t *values) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * cells_of(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    int32_t *to = sweep_values(sweep, turn->side) + start;
    for (size_t own = 0; own < sweep->places.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            to[cell] = values[cell];
}

/* The same for an upper bound: what it is above the value, rounded. */
static void put_slack(const TurnOf *turn, const int32_t *bounds) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * cells_of(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    const int32_t *values = sweep_values(sweep, turn->side) + start;
    uint8_t *slack = (uint8_t *)sweep->slack[turn->side].bytes + start;
    int32_t unit = sweep->slack_unit;
    for (size_t own = 0; own < sweep->places.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++) {
            int32_t above = bounds[cell] > values[cell] ? bounds[cell] - values[cell] : 0;
            int32_t units = above / unit + (above % unit > unit / 2);
            slack[cell] = (uint8_t)(units > SWEEP_SLACK_MAX ? SWEEP_SLACK_MAX : units);
        }
}

/* Compares the new values with the old, and puts them in their place. */
static void commit_line(const TurnOf *turn, int32_t *values, SweepChange *change) {
    const Sweep *sweep = turn->sweep;
    const Places *places = &sweep->places;
    uint32_t line = turn->first / LANES, occupied[LANES];
    int32_t up[LANES] = {0}, down[LANES] = {0};
    int32_t *old = sweep->benches->benches[0].scratch[0];
    fill_old(turn, old);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t other = line * LANES + lane;
        bool taken = other >= turn->first && other < turn->last;
        occupied[lane] = taken ? places->occupied[other] : 0;
        values[(size_t)(places->count - 1) * LANES + lane] = SWEEP_ONE;
        for (size_t own = 0; !taken && own < places->count; own++)
            values[own * LANES + lane] = old[own * LANES + lane]; /* another turn's */
    }
    /* Where all own pieces are home there is nothing to compare. */
    compare_lines(old, values, places->occupied, occupied, places->count - 1, up, down);
    for (int lane = 0; lane < LANES; lane++) {
        change->up = up[lane] > change->up ? up[lane] : change->up;
        change->down = -down[lane] > change->down ? -down[lane] : change->down;
    }
    if (!turn->pass->is_check && turn->pass->aim == SWEEP_VALUES)
        put_values(turn, values);
    else if (!turn->pass->is_check)
        put_slack(turn, values);
}

/* The sides of `line` that have just so many pieces at home, and pieces on the way. */
static TurnOf turn_of(const Sweep *sweep, const SweepPass *pass, SweepKind kind, int side, int home,
                      uint32_t line) {
    const Places *places = &sweep->places;
    uint32_t first = home == places->pieces ? 0 : places->with_home[home + 1];
    uint32_t last = places->with_home[home];
    if (last == places->count)
        last--; /* all home: there is nothing to solve */
    if (first < line * LANES)
        first = line * LANES;
    if (last > (line + 1) * LANES)
        last = (line + 1) * LANES;
    const Pending *pending = &sweep->pending[kind][side];
    size_t ranks = (size_t)home * (size_t)pending->lists.count;
    return (TurnOf){.sweep = sweep,
                    .pass = pass,
                    .side = side,
                    .first = first,
                    .last = last,
                    .home = home,
                    .pending = pending,
                    .play_rank = pending->play_rank + ranks,
                    .throw_rank = pending->throw_rank + ranks};
}

/* Lines that are computed from the same values, the sides of all having as many pieces at home. */
typedef struct Wave {
    int count;
    TurnOf turns[WAVE][SWEEP_KINDS];
} Wave;

static void run_wave(const Sweep *sweep, const Wave *wave, SweepChange *change) {
    int home = wave->turns[0][0].home;
    bool deep = home > HOME_FOR_THREADS;
    size_t cells = cells_of(sweep);
    int32_t *values = sweep->benches->wave;
#pragma omp parallel for num_threads(deep ? 1 : sweep->room.threads) schedule(dynamic)
    for (int i = 0; i < wave->count; i++)
        solve_and_correct(
            wave->turns[i],
            &sweep->benches->benches[deep ? sweep->room.threads : omp_get_thread_num()],
            values + (size_t)i * cells);
    for (int i = 0; i < wave->count; i++)
        commit_line(&wave->turns[i][0], values + (size_t)i * cells, change);
}

/* How far a sweep has come. */
typedef struct Course {
    SweepChange *change;
    size_t done, all; /* lines */
    bool stopped;
} Course;

static void finish_wave(const Sweep *sweep, const SweepPass *pass, Wave *wave, Course *course) {
    run_wave(sweep, wave, course->change);
    course->done += (size_t)wave->count;
    wave->count = 0;
    double done = (double)course->done / (double)course->all;
    course->stopped = pass->watch && !pass->watch(pass->watcher, done < 1 ? done : 1);
}

/* All sides with so many pieces at home. */
static void run_home(const Sweep *sweep, const SweepPass *pass, int side, int home,
                     Course *course) {
    Wave wave = {.count = 0};
    for (uint32_t line = (uint32_t)sweep->lines; line-- > 0 && !course->stopped;) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            wave.turns[wave.count][kind] = turn_of(sweep, pass, (SweepKind)kind, side, home, line);
        if (wave.turns[wave.count][0].first < wave.turns[wave.count][0].last)
            wave.count++;
        if (wave.count == WAVE || (line == 0 && wave.count > 0))
            finish_wave(sweep, pass, &wave, course);
    }
}

Status sweep_run(Sweep *sweep, const SweepPass *pass, SweepChange *change) {
    if (!open_benches(sweep))
        return out_of_memory();
    *change = (SweepChange){.up = 0};
    Course course = {.change = change, .all = sweep->lines * (size_t)sweep->sides};
    for (int side = 0; side < sweep->sides; side++)
        for (int home = sweep->places.pieces; home >= 0 && !course.stopped; home--)
            run_home(sweep, pass, side, home, &course);
    return course.stopped ? status_make(STATUS_STOPPED, "stopped") : status_ok();
}

int64_t sweep_largest_slack(const Sweep *sweep) {
    const Places *places = &sweep->places;
    uint8_t largest = 0;
    for (int side = 0; side < sweep->sides; side++) {
        const uint8_t *slack = sweep->slack[side].bytes;
        for (uint32_t other = 0; other + 1 < places->count; other++)
            for (uint32_t own = 0; own + 1 < places->count; own++) {
                uint8_t here = slack[sweep_place(sweep, own, other)];
                if (here > largest && !(places->occupied[own] & places->occupied[other]))
                    largest = here;
            }
    }
    return (int64_t)largest * sweep->slack_unit;
}
