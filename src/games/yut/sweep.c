#include "games/yut/sweep.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "games/yut/grid.h"

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
    SHORT_RARE = 64,     /* one throw in so many, or less, goes beyond the lists of a short sweep */
    NARROW_SHIFT = 15,   /* 16 bits are left of 31 */
    NARROW_RARE = 4096,  /* one throw in so many comes to a list that is kept in 16 bits */
    WAVE = 8,            /* lines that read the same values */
    HOME_FOR_THREADS = 1 /* sides with more pieces at home have the most lists and are few: one
                            thread takes them, so that the others need no room for so many lists */
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

/* --- sizes --- */

/* A catch gives one throw, a sheep's two; each ends with one last. */
static int throws_for_catch(const YutRules *rules, int player) {
    return rules->animals[player] == YUT_SHEEP ? 2 : 1;
}

/* A list to play against a side with `home` pieces at home holds at most so many lasts: one from
 * the first throw, and those of the catches that sent them there. */
static int lasts_against(const YutRules *rules, int player, int home) {
    return 1 + throws_for_catch(rules, player) * home;
}

/* While the throws of a catch are still to come, so many less. */
static int lasts_pending(const YutRules *rules, int player, int home) {
    return lasts_against(rules, player, home) - throws_for_catch(rules, player);
}

static bool same_animals(const YutRules *rules) {
    return rules->animals[0] == rules->animals[1];
}

/* How many sides have so many pieces at home that the list can be pending against them. */
static uint32_t sides_pending(const YutRules *rules, const Places *places, int player,
                              const ResultList *list) {
    int home = 1;
    while (home <= places->pieces && lasts_pending(rules, player, home) < list->lasts)
        home++;
    return home <= places->pieces ? places->with_home[home] : 0;
}

static bool list_is_kept(const SweepLists *lists, int list) {
    return lists->lists.lists[list].pending == list;
}

/* Whether the list has so many extras that 16 bits will do. */
static bool is_narrow(const SweepLists *lists, const ResultList *list) {
    return pow(lists->again, list->extras) * NARROW_RARE <= 1;
}

static size_t lines_of(uint32_t sides) {
    return (sides + LANES - 1) / LANES;
}

static size_t line_bytes(const Places *places) {
    return lines_of(places->count) * LANES * LANES * sizeof(int32_t);
}

/* --- making and unmaking --- */

/* What one thread works with: a line of play[L] and throw[L] for every list, and of throw[L] with
 * two throws to come where a catch gives two. */
typedef struct Bench {
    int32_t *play, *thrown, *thrown_2;
    int32_t *scratch, *scratch_2; /* a line */
} Bench;

struct SweepBenches {
    int32_t *wave; /* the new values of a wave's lines */
    int count;
    Bench benches[];
};

static void close_benches(Sweep *sweep) {
    for (int i = 0; sweep->benches && i < sweep->benches->count; i++) {
        Bench *bench = &sweep->benches->benches[i];
        grid_free(bench->play);
        grid_free(bench->thrown);
        grid_free(bench->thrown_2);
        grid_free(bench->scratch);
        grid_free(bench->scratch_2);
    }
    if (sweep->benches)
        grid_free(sweep->benches->wave);
    free(sweep->benches);
    sweep->benches = NULL;
}

/* Whether throw[L] is computed against sides with so many pieces at home. */
static bool is_thrown(const YutRules *rules, int player, const SweepLists *lists, int list,
                      int home) {
    const ResultList *what = &lists->lists.lists[list];
    return what->lasts < lasts_against(rules, player, home) &&
           lists_has_room(&lists->lists, what, 1);
}

static bool is_played(const YutRules *rules, int player, const SweepLists *lists, int list,
                      int home) {
    return lists->lists.lists[list].lasts <= lasts_against(rules, player, home);
}

/* How many rows of play[L] and throw[L] there are at most, of either side. */
static void count_rows(const Sweep *sweep, int home, size_t *played, size_t *thrown) {
    *played = *thrown = 0;
    for (int side = 0; side < sweep->sides; side++) {
        const SweepLists *lists = &sweep->lists[SWEEP_FULL][side];
        size_t play = 0, throw = 0;
        for (int i = 0; i < lists->lists.count; i++) {
            play += is_played(&sweep->rules, side, lists, i, home);
            throw += is_thrown(&sweep->rules, side, lists, i, home);
        }
        *played = play > *played ? play : *played;
        *thrown = throw > *thrown ? throw : *thrown;
    }
}

/* With how many pieces at home sides are given to thread `i`. */
static int home_for_thread(const Places *places, int i) {
    return i == 0 || places->pieces < HOME_FOR_THREADS ? places->pieces : HOME_FOR_THREADS;
}

static bool throws_twice(const Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        if (throws_for_catch(&sweep->rules, side) == 2)
            return true;
    return false;
}

static bool open_benches(Sweep *sweep, int threads) {
    if (sweep->benches && sweep->benches->count == threads)
        return true;
    close_benches(sweep);
    sweep->benches = calloc(1, sizeof *sweep->benches + (size_t)threads * sizeof(Bench));
    if (!sweep->benches)
        return false;
    sweep->benches->count = threads;
    size_t line = line_bytes(&sweep->places);
    sweep->benches->wave = grid_new(WAVE * line);
    bool twice = throws_twice(sweep), good = sweep->benches->wave != NULL;
    for (int i = 0; i < threads; i++) {
        Bench *bench = &sweep->benches->benches[i];
        size_t played, thrown;
        count_rows(sweep, home_for_thread(&sweep->places, i), &played, &thrown);
        bench->play = grid_new(played * line);
        bench->thrown = grid_new(thrown * line);
        bench->thrown_2 = twice ? grid_new(thrown * line) : NULL;
        bench->scratch = grid_new(line);
        bench->scratch_2 = grid_new(line);
        good = good && bench->play && bench->thrown && (bench->thrown_2 || !twice) &&
               bench->scratch && bench->scratch_2;
    }
    return good;
}

static uint64_t bench_bytes(const Sweep *sweep, int threads) {
    uint64_t lines = WAVE;
    for (int i = 0; i < threads; i++) {
        size_t played, thrown;
        count_rows(sweep, home_for_thread(&sweep->places, i), &played, &thrown);
        lines += played + thrown * (throws_twice(sweep) ? 2 : 1) + 2;
    }
    return lines * line_bytes(&sweep->places);
}

static void close_lists(SweepLists *lists) {
    for (int list = 0; lists->pending && list < lists->lists.count; list++) {
        grid_free(lists->pending[list].wide);
        grid_free(lists->pending[list].narrow);
    }
    free(lists->pending);
    free(lists->play_rank);
    free(lists->throw_rank);
    lists_close(&lists->lists);
    *lists = (SweepLists){.pending = NULL};
}

/* Numbers the rows of play[L] and throw[L], for every number of pieces at home. */
static bool rank_lists(const Sweep *sweep, int side, SweepLists *lists) {
    size_t count = (size_t)lists->lists.count;
    int pieces = sweep->places.pieces;
    lists->play_rank = malloc((size_t)(pieces + 1) * count * sizeof *lists->play_rank);
    lists->throw_rank = malloc((size_t)(pieces + 1) * count * sizeof *lists->throw_rank);
    if (!lists->play_rank || !lists->throw_rank)
        return false;
    for (int home = 0; home <= pieces; home++) {
        int32_t play = 0, throw = 0;
        for (size_t i = 0; i < count; i++) {
            size_t place = (size_t)home * count + i;
            bool played = is_played(&sweep->rules, side, lists, (int)i, home);
            bool thrown = is_thrown(&sweep->rules, side, lists, (int)i, home);
            lists->play_rank[place] = played ? play++ : -1;
            lists->throw_rank[place] = thrown ? throw ++ : -1;
        }
    }
    return true;
}

/* How many extras the lists of short sweeps have. */
static int short_extras(const YutRules *rules, int side) {
    double again = lists_again(rules, side), beyond = again;
    int extras = 0;
    for (; beyond * SHORT_RARE > 1; extras++)
        beyond *= again;
    return extras;
}

/* The lists alone, without room for what is pending. */
static Status open_lists_alone(const Sweep *sweep, int side, int extras, SweepLists *lists) {
    const YutRules *rules = &sweep->rules;
    lists->again = lists_again(rules, side);
    return lists_open(rules, side, extras, lasts_against(rules, side, rules->pieces),
                      throws_for_catch(rules, side), &lists->lists);
}

/* Of the grid of throw[list]; 0: it is not kept. */
static size_t pending_bytes(const Sweep *sweep, int side, const SweepLists *lists, int list) {
    const ResultList *what = &lists->lists.lists[list];
    uint32_t sides = sides_pending(&sweep->rules, &sweep->places, side, what);
    /* Throwing once with nothing pending is what the values are. */
    if (!list_is_kept(lists, list) || (list == 0 && throws_for_catch(&sweep->rules, side) == 1))
        return 0;
    return lines_of(sides) * line_bytes(&sweep->places) / (is_narrow(lists, what) ? 2 : 1);
}

static Status open_lists(const Sweep *sweep, int side, int extras, SweepLists *lists) {
    Status status = open_lists_alone(sweep, side, extras, lists);
    if (!status_is_ok(&status))
        return status;
    lists->pending = calloc((size_t)lists->lists.count, sizeof *lists->pending);
    if (!lists->pending || !rank_lists(sweep, side, lists))
        return out_of_memory();
    for (int list = 0; list < lists->lists.count; list++) {
        size_t bytes = pending_bytes(sweep, side, lists, list);
        void *grid = bytes > 0 ? grid_new(bytes) : NULL;
        if (bytes > 0 && !grid)
            return out_of_memory();
        if (is_narrow(lists, &lists->lists.lists[list]))
            lists->pending[list].narrow = grid;
        else
            lists->pending[list].wide = grid;
    }
    return status;
}

static size_t numbers_of(const Sweep *sweep) {
    return sweep->lines * sweep->height * LANES;
}

/* The sizes, without any table. */
static Status open_sizes(const YutRules *rules, Sweep *sweep) {
    *sweep = (Sweep){.rules = *rules, .sides = same_animals(rules) ? 1 : 2};
    Status status = places_open(rules->pieces, &sweep->places);
    sweep->lines = lines_of(sweep->places.count);
    sweep->height = sweep->lines * LANES;
    return status;
}

Status sweep_bytes(const YutRules *rules, int extras, int threads, int tables, uint64_t *bytes) {
    Sweep sweep;
    Status status = open_sizes(rules, &sweep);
    *bytes = 0;
    for (int kind = 0; kind < SWEEP_KINDS; kind++)
        for (int side = 0; side < sweep.sides && status_is_ok(&status); side++) {
            SweepLists *lists = &sweep.lists[kind][side];
            status = open_lists_alone(
                &sweep, side, kind == SWEEP_SHORT ? short_extras(rules, side) : extras, lists);
            for (int list = 0; list < lists->lists.count; list++)
                *bytes += pending_bytes(&sweep, side, lists, list);
        }
    if (status_is_ok(&status))
        *bytes += bench_bytes(&sweep, threads) + (uint64_t)(tables + 1) * (uint64_t)sweep.sides *
                                                     numbers_of(&sweep) * sizeof(int32_t);
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
    /* Each throw of a turn has a mean, and those of the results that throw again, rounded by half
     * a unit each. */
    int throws = 1 + (throws_twice(sweep) ? 2 : 1) * sweep->rules.pieces;
    return 1 + (int32_t)(0.5 * throws / (1 - sweep_again(&sweep->rules)));
}

Status sweep_set_extras(Sweep *sweep, int extras) {
    Status status = status_ok();
    sweep->extras = extras;
    close_benches(sweep);
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++) {
        close_lists(&sweep->lists[SWEEP_FULL][side]);
        status = open_lists(sweep, side, extras, &sweep->lists[SWEEP_FULL][side]);
    }
    return status;
}

/* What one side has. */
static Status open_side(Sweep *sweep, int side) {
    Status status = places_open_moves(&sweep->places, &sweep->rules, side, &sweep->moves[side]);
    for (int kind = 0; kind < SWEEP_KINDS && status_is_ok(&status); kind++)
        status =
            open_lists(sweep, side, short_extras(&sweep->rules, side), &sweep->lists[kind][side]);
    if (!status_is_ok(&status))
        return status;
    sweep->corrections[side] = grid_new(numbers_of(sweep) * sizeof(int32_t));
    if (!sweep->corrections[side])
        return out_of_memory();
    memset(sweep->corrections[side], 0, numbers_of(sweep) * sizeof(int32_t));
    return status;
}

Status sweep_open(const YutRules *rules, Sweep *sweep) {
    Status status = open_sizes(rules, sweep);
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = open_side(sweep, side);
    if (!status_is_ok(&status))
        sweep_close(sweep);
    return status;
}

void sweep_close(Sweep *sweep) {
    close_benches(sweep);
    for (int side = 0; side < sweep->sides; side++) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            close_lists(&sweep->lists[kind][side]);
        places_close_moves(&sweep->moves[side]);
        grid_free(sweep->corrections[side]);
    }
    places_close(&sweep->places);
    *sweep = (Sweep){.sides = 0};
}

size_t sweep_table_bytes(const Sweep *sweep) {
    return numbers_of(sweep) * sizeof(int32_t);
}

Status sweep_table_open(const Sweep *sweep, SweepTable *table) {
    *table = (SweepTable){.grids = {NULL, NULL}};
    for (int side = 0; side < sweep->sides; side++) {
        table->grids[side] = grid_new(numbers_of(sweep) * sizeof(int32_t));
        if (!table->grids[side]) {
            sweep_table_close(table);
            return out_of_memory();
        }
        for (size_t i = 0; i < numbers_of(sweep); i++)
            table->grids[side][i] = SWEEP_ONE / 2;
    }
    return status_ok();
}

void sweep_table_copy(const Sweep *sweep, const SweepTable *from, SweepTable *to) {
    for (int side = 0; side < sweep->sides; side++)
        memcpy(to->grids[side], from->grids[side], numbers_of(sweep) * sizeof(int32_t));
}

void sweep_table_close(SweepTable *table) {
    grid_free(table->grids[0]);
    grid_free(table->grids[1]);
    *table = (SweepTable){.grids = {NULL, NULL}};
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
    const SweepLists *lists;
    const int32_t *play_rank, *throw_rank;
} TurnOf;

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

static const int32_t *values_of_other(const TurnOf *turn) {
    return turn->pass->other.grids[turn->sweep->sides - 1 - turn->side];
}

/* What it is worth to have caught a pig, which ends the turn. */
static int32_t after_pig(const TurnOf *turn, uint32_t own, uint32_t other) {
    return SWEEP_ONE - values_of_other(turn)[sweep_place(turn->sweep, other, own)];
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
            line[k] = source[k] << NARROW_SHIFT;
    }
}

/* Fills in what lies behind the catches, where a side that shares a square would be. */
static void fill_catches(const TurnOf *turn, const Catch catches[], int count, int list,
                         int32_t *restrict cells) {
    const Sweep *sweep = turn->sweep;
    const Places *places = &sweep->places;
    bool pig = sweep->rules.animals[sweep->sides == 1 ? turn->side : 1 - turn->side] == YUT_PIG;
    int pending = turn->lists->lists.lists[list].pending;
    const uint16_t *narrow = turn->lists->pending[pending].narrow;
    const int32_t *grid = turn->lists->pending[pending].wide;
    if (!grid)
        grid = turn->pass->own.grids[turn->side];
    bool beyond = pending != list && turn->pass->beyond != SWEEP_LIKE_OTHERS;
    int32_t value_beyond = turn->pass->beyond == SWEEP_ALL_WON ? SWEEP_ONE : 0;
    for (int i = 0; i < count; i++) {
        const Catch *catch = &catches[i];
        const uint32_t *owns = places->holding + places->holding_from[catch->square];
        size_t own_count =
            places->holding_from[catch->square + 1] - places->holding_from[catch->square];
        if (!pig && !beyond && narrow) {
            copy_narrow_lanes(cells, narrow + sweep_place(sweep, 0, catch->without), owns,
                              own_count, catch->lane, catch->lanes);
            continue;
        }
        if (!pig && !beyond) {
            copy_lanes(cells, grid + sweep_place(sweep, 0, catch->without), owns, own_count,
                       catch->lane, catch->lanes);
            continue;
        }
        for (size_t k = 0; k < own_count; k++)
            for (int lane = 0; lane < catch->lanes; lane++)
                cells[owns[k] * (size_t)LANES + (size_t)(catch->lane + lane)] =
                    pig ? after_pig(turn, owns[k], catch->without + (uint32_t)lane) : value_beyond;
    }
}

static void clear_lanes(const Places *places, const Catch *catch, int32_t *cells) {
    for (uint32_t k = places->holding_from[catch->square];
         k < places->holding_from[catch->square + 1]; k++)
        for (int lane = 0; lane < catch->lanes; lane++)
            cells[places->holding[k] * (size_t)LANES + (size_t)(catch->lane + lane)] = 0;
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
                int32_t largest = r > 0 ? lanes[lane] : 0;
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

static size_t cells_of(const Sweep *sweep) {
    return sweep->height * LANES;
}

/* A result that leads beyond the lists is worth at least what it brings when it is played at once,
 * before what else will be thrown is known, and not for a catch. Adds that to throw[list], where
 * such results count as lost. */
static void add_played_at_once(const TurnOf *turn, const Bench *bench, const ResultList *list,
                               int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->lists->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t cells = cells_of(sweep);
    const int32_t *before = bench->scratch;
    memcpy(bench->scratch, mean, cells * sizeof *mean);
    Catch catches[CATCHES_MAX];
    int count = find_catches(&sweep->places, turn->first, turn->last, catches);
    for (int i = 0; i < count; i++)
        clear_lanes(&sweep->places, &catches[i], bench->scratch);
    for (int lane = 0; lane < LANES; lane++)
        bench->scratch[(size_t)(sweep->places.count - 1) * LANES + (size_t)lane] = SWEEP_ONE;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = list->with[result];
        if (!lists->is_extra[result] || (to >= 0 && turn->throw_rank[to] >= 0))
            continue;
        const uint32_t *next[] = {moves->next[result]};
        play_best(bench->scratch_2, &before, next, 1, (size_t)moves->slots, sweep->places.count);
        for (size_t i = 0; i < (size_t)sweep->places.count * LANES; i++)
            mean[i] += (int32_t)(lists->chances[result] * bench->scratch_2[i]);
    }
}

/* throw[list], or with two throws to come, from the rows of longer lists. */
static void throw_line(const TurnOf *turn, const Bench *bench, int list, bool twice,
                       int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->lists->lists;
    const ResultList *from = &lists->lists[list];
    size_t cells = cells_of(sweep);
    const int32_t *rows[YUT_RESULTS];
    double weights[YUT_RESULTS], whole = 0;
    int used = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = from->with[result];
        if (to < 0 || lists->chances[result] == 0)
            continue;
        bool again = lists->is_extra[result];
        int32_t rank = again || twice ? turn->throw_rank[to] : turn->play_rank[to];
        if (rank < 0 || (again && twice && !list_is_kept(turn->lists, to)))
            continue;
        const int32_t *grid = again && twice   ? bench->thrown_2
                              : again || twice ? bench->thrown
                                               : bench->play;
        rows[used] = grid + (size_t)rank * cells;
        weights[used++] = lists->chances[result];
        whole += lists->chances[result];
    }
    double beyond = 0;
    if (turn->pass->beyond == SWEEP_LIKE_OTHERS)
        for (int i = 0; i < used; i++)
            weights[i] /= whole;
    else if (turn->pass->beyond == SWEEP_ALL_WON)
        beyond = (1 - whole) * SWEEP_ONE;
    mean_of_rows(mean, rows, weights, used, beyond, cells);
    if (turn->pass->beyond == SWEEP_ALL_LOST && !twice && whole < 1)
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
    const ResultLists *lists = &turn->lists->lists;
    const PlacesMoves *moves = &sweep->moves[turn->side];
    size_t cells = cells_of(sweep);
    uint32_t line = turn->first / LANES, all_home = sweep->places.count - 1;
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
            end_of_turn(values_of_other(turn), sweep->lines, line, row);
        for (int lane = 0; lane < LANES; lane++)
            row[(size_t)all_home * LANES + (size_t)lane] = SWEEP_ONE;
        if (is_read(turn, what))
            fill_catches(turn, catches, catch_count, list, row);
    }
}

/* The upper half of a number: rounded, or towards what is proven. */
static uint16_t narrowed(SweepBeyond beyond, int32_t value) {
    const int32_t step = 1 << NARROW_SHIFT;
    int32_t up = beyond == SWEEP_LIKE_OTHERS ? step / 2 : beyond == SWEEP_ALL_WON ? step - 1 : 0;
    int32_t most = INT32_MAX - step + 1;
    return (uint16_t)((value > most - up ? most : value + up) >> NARROW_SHIFT);
}

/* Keeps a line of throw[list], for sides with more pieces on the board. */
static void keep_pending(const TurnOf *turn, int list, const int32_t *line) {
    const Sweep *sweep = turn->sweep;
    const struct SweepPending *pending = &turn->lists->pending[list];
    size_t start = (size_t)(turn->first / LANES) * cells_of(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    for (size_t own = 0; own < sweep->places.count; own++)
        for (size_t lane = first; lane <= last; lane++) {
            size_t cell = own * LANES + lane;
            if (pending->wide)
                pending->wide[start + cell] = line[cell];
            else if (pending->narrow)
                pending->narrow[start + cell] = narrowed(turn->pass->beyond, line[cell]);
        }
}

/* Computes the values against the sides of a turn. */
static void solve_line(const TurnOf *turn, const Bench *bench, int32_t *values) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->lists->lists;
    const YutRules *rules = &sweep->rules;
    size_t cells = cells_of(sweep);
    int throws = throws_for_catch(rules, turn->side);
    int lasts = lasts_against(rules, turn->side, turn->home);
    play_lists(turn, bench);
    for (int list = lists->count; list-- > 0;) {
        int32_t rank = turn->throw_rank[list];
        int held = lists->lists[list].lasts;
        if (rank < 0)
            continue;
        int32_t *thrown = list > 0 ? bench->thrown + (size_t)rank * cells : values;
        throw_line(turn, bench, list, false, thrown);
        bool kept = held <= lasts - throws && list_is_kept(turn->lists, list);
        if (throws == 2 && kept) {
            thrown = bench->thrown_2 + (size_t)rank * cells;
            throw_line(turn, bench, list, true, thrown);
        }
        if (turn->home > 0 && kept)
            keep_pending(turn, list, thrown);
    }
}

/* values + corrections + bonus, within what can be. */
FOR_EACH_MACHINE static void add_corrections(int32_t *restrict values,
                                             const int32_t *restrict corrections, int32_t bonus,
                                             size_t count) {
    for (size_t i = 0; i < count; i++) {
        int64_t value = (int64_t)values[i] + corrections[i] + bonus;
        values[i] = (int32_t)(value < 0 ? 0 : value > SWEEP_ONE ? SWEEP_ONE : value);
    }
}

static void add_bonus(int32_t *values, int32_t bonus, size_t count) {
    for (size_t i = 0; i < count && bonus != 0; i++) {
        int64_t value = (int64_t)values[i] + bonus;
        values[i] = (int32_t)(value < 0 ? 0 : value > SWEEP_ONE ? SWEEP_ONE : value);
    }
}

/* A line of a full sweep, or of a short one with its correction. A full one may note the
 * correction. */
static void solve_and_correct(const TurnOf turn[SWEEP_KINDS], const Bench *bench, int32_t *values) {
    const TurnOf *of_short = &turn[SWEEP_SHORT];
    const Sweep *sweep = of_short->sweep;
    const SweepPass *pass = of_short->pass;
    size_t cells = cells_of(sweep);
    int32_t *corrections =
        sweep->corrections[of_short->side] + (size_t)(of_short->first / LANES) * cells;
    solve_line(&turn[pass->kind], bench, values);
    if (pass->kind == SWEEP_SHORT) {
        add_corrections(values, corrections, pass->bonus, cells);
        return;
    }
    if (pass->notes) {
        solve_line(of_short, bench, bench->scratch);
        for (size_t own = 0; own < sweep->places.count; own++)
            for (size_t lane = of_short->first % LANES; lane <= (of_short->last - 1) % LANES;
                 lane++)
                corrections[own * LANES + lane] =
                    values[own * LANES + lane] - bench->scratch[own * LANES + lane];
    }
    add_bonus(values, pass->bonus, cells);
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

/* Compares the new values with the old, and puts them in their place. */
static void commit_line(const TurnOf *turn, int32_t *values, SweepChange *change) {
    const Sweep *sweep = turn->sweep;
    const Places *places = &sweep->places;
    uint32_t line = turn->first / LANES;
    int32_t *old = turn->pass->own.grids[turn->side] + line * cells_of(sweep);
    uint32_t occupied[LANES];
    int32_t up[LANES] = {0}, down[LANES] = {0};
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
    if (!turn->pass->only_compares)
        memcpy(old, values, (size_t)places->count * LANES * sizeof *old);
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
    const SweepLists *lists = &sweep->lists[kind][side];
    size_t ranks = (size_t)home * (size_t)lists->lists.count;
    return (TurnOf){.sweep = sweep,
                    .pass = pass,
                    .side = side,
                    .first = first,
                    .last = last,
                    .home = home,
                    .lists = lists,
                    .play_rank = lists->play_rank + ranks,
                    .throw_rank = lists->throw_rank + ranks};
}

/* Lines that are computed from the same values, the sides of all having as many pieces at home. */
typedef struct Wave {
    int count;
    TurnOf turns[WAVE][SWEEP_KINDS];
} Wave;

static void run_wave(const Sweep *sweep, const Wave *wave, SweepChange *change) {
    int home = wave->turns[0][0].home;
    int threads = home > HOME_FOR_THREADS ? 1 : sweep->benches->count;
    size_t cells = cells_of(sweep);
    int32_t *values = sweep->benches->wave;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int i = 0; i < wave->count; i++)
        solve_and_correct(wave->turns[i], &sweep->benches->benches[omp_get_thread_num()],
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

Status sweep_run(Sweep *sweep, const SweepPass *pass, int threads, SweepChange *change) {
    if (!open_benches(sweep, threads))
        return out_of_memory();
    *change = (SweepChange){.up = 0};
    Course course = {.change = change, .all = sweep->lines * (size_t)sweep->sides};
    for (int side = 0; side < sweep->sides; side++)
        for (int home = sweep->places.pieces; home >= 0 && !course.stopped; home--)
            run_home(sweep, pass, side, home, &course);
    return course.stopped ? status_make(STATUS_STOPPED, "stopped") : status_ok();
}

int32_t sweep_difference(const Sweep *sweep, const SweepTable *a, const SweepTable *b) {
    const Places *places = &sweep->places;
    int32_t largest = 0;
    for (int side = 0; side < sweep->sides; side++)
        for (uint32_t other = 0; other + 1 < places->count; other++)
            for (uint32_t own = 0; own + 1 < places->count; own++) {
                size_t place = sweep_place(sweep, own, other);
                int32_t difference = abs(a->grids[side][place] - b->grids[side][place]);
                if (difference > largest && !(places->occupied[own] & places->occupied[other]))
                    largest = difference;
            }
    return largest;
}
