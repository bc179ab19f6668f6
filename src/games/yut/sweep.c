#include "games/yut/sweep.h"

#include <assert.h>
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
    SHORT_EXTRAS = 1,
    BATCH = 128, /* sides of the other player that read the same values */
    AHEAD = 16   /* values of a column are asked for this far ahead */
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

/* While a throw is still to come, one last less. */
static int lasts_pending(const YutRules *rules, int player, int home) {
    return lasts_against(rules, player, home) - 1;
}

static bool same_animals(const YutRules *rules) {
    return rules->animals[0] == rules->animals[1];
}

static int lists_within(const ResultLists *lists, int lasts) {
    int count = 0;
    for (int i = 0; i < lists->count; i++)
        count += lists->lists[i].lasts <= lasts;
    return count;
}

static uint64_t count_pending_rows(const YutRules *rules, const Places *places,
                                   const ResultLists *lists, int player) {
    uint64_t rows = 0;
    for (uint32_t other = 0; other < places->count; other++)
        if (places->home[other] > 0)
            rows +=
                (uint64_t)lists_within(lists, lasts_pending(rules, player, places->home[other]));
    return rows;
}

/* Numbers in one row of play[L] with what lies behind it. */
static size_t play_stride(const Places *places) {
    return (size_t)(1 + places->pieces) * places->count + 1;
}

Status sweep_bytes(const YutRules *rules, int extras, uint64_t *bytes) {
    Places places;
    Status status = places_open(rules->pieces, &places);
    if (!status_is_ok(&status))
        return status;
    int sides = same_animals(rules) ? 1 : 2;
    *bytes = 0;
    for (int i = 0; i < sides * SWEEP_KINDS && status_is_ok(&status); i++) {
        ResultLists lists;
        int side = i / SWEEP_KINDS;
        status = lists_open(rules, side, i % SWEEP_KINDS == SWEEP_SHORT ? SHORT_EXTRAS : extras,
                            lasts_against(rules, side, rules->pieces), &lists);
        if (!status_is_ok(&status))
            break;
        uint64_t row = places.count * sizeof(int32_t);
        *bytes += places.count * row; /* values, or corrections */
        *bytes += count_pending_rows(rules, &places, &lists, side) * row;
        lists_close(&lists);
    }
    places_close(&places);
    return status;
}

/* --- making and unmaking --- */

static void close_lists(SweepLists *lists) {
    lists_close(&lists->lists);
    free(lists->pending);
    free(lists->first);
    free(lists->rank);
}

/* Numbers the lists with at most `lasts` lasts, for every limit. */
static bool rank_lists(SweepLists *sweep_lists) {
    const ResultLists *lists = &sweep_lists->lists;
    size_t count = (size_t)lists->count;
    int16_t *rank = malloc((size_t)(lists->lasts_max + 1) * count * sizeof *rank);
    sweep_lists->rank = rank;
    if (!rank)
        return false;
    for (int lasts = 0; lasts <= lists->lasts_max; lasts++) {
        int16_t next = 0;
        for (size_t i = 0; i < count; i++)
            rank[(size_t)lasts * count + i] = lists->lists[i].lasts <= lasts ? next++ : -1;
    }
    return true;
}

static Status open_lists(const Sweep *sweep, int side, int extras, SweepLists *lists) {
    const YutRules *rules = &sweep->rules;
    const Places *places = &sweep->places;
    Status status =
        lists_open(rules, side, extras, lasts_against(rules, side, rules->pieces), &lists->lists);
    if (!status_is_ok(&status))
        return status;
    uint64_t rows = count_pending_rows(rules, places, &lists->lists, side);
    assert(rows > 0 && places->count > 0); /* all pieces at home is one such side */
    lists->pending = malloc(rows * places->count * sizeof(int32_t));
    lists->first = calloc(places->count, sizeof(uint64_t));
    if (!lists->pending || !lists->first || !rank_lists(lists))
        return out_of_memory();
    uint64_t row = 0;
    for (uint32_t other = 0; other < places->count; other++) {
        lists->first[other] = row;
        if (places->home[other] > 0)
            row += (uint64_t)lists_within(&lists->lists,
                                          lasts_pending(rules, side, places->home[other]));
    }
    return status;
}

/* Steps to home along the shortest way: an order in which values settle quickly. */
static int steps_home(const Places *places, uint32_t number) {
    int steps = 0;
    for (int i = 0; i < places->pieces; i++)
        for (int square = places->squares[number][i]; square != YUT_ARRIVED; steps++)
            square = yut_destination(square, YUT_DO, false, false);
    return steps;
}

/* Most pieces at home first; among those, the nearest to the end first. */
static bool order_others(Sweep *sweep) {
    const Places *places = &sweep->places;
    const int steps_max = 30 * places->pieces;
    int *steps = malloc(places->count * sizeof *steps);
    sweep->order = malloc(places->count * sizeof *sweep->order);
    if (!steps || !sweep->order) {
        free(steps);
        return false;
    }
    for (uint32_t other = 0; other < places->count; other++)
        steps[other] = steps_home(places, other);
    uint32_t used = 0;
    for (int home = places->pieces; home >= 0; home--)
        for (int distance = 0; distance <= steps_max; distance++)
            for (uint32_t other = 0; other < places->count; other++)
                if (places->home[other] == home && steps[other] == distance)
                    sweep->order[used++] = other;
    free(steps);
    return used == places->count;
}

/* What one side has. */
static Status open_side(Sweep *sweep, int side, int extras) {
    size_t pairs = (size_t)sweep->places.count * sweep->places.count;
    assert(pairs > 0);
    Status status = places_open_moves(&sweep->places, &sweep->rules, side, &sweep->moves[side]);
    if (status_is_ok(&status))
        status = open_lists(sweep, side, SHORT_EXTRAS, &sweep->lists[SWEEP_SHORT][side]);
    if (status_is_ok(&status))
        status = open_lists(sweep, side, extras, &sweep->lists[SWEEP_FULL][side]);
    if (!status_is_ok(&status))
        return status;
    sweep->values[side] = malloc(pairs * sizeof(int32_t));
    sweep->corrections[side] = calloc(pairs, sizeof(int32_t));
    if (!sweep->values[side] || !sweep->corrections[side])
        return out_of_memory();
    for (size_t i = 0; i < pairs; i++)
        sweep->values[side][i] = sweep->aim == SWEEP_VALUE ? SWEEP_ONE / 2 : 0;
    return status;
}

Status sweep_open(const YutRules *rules, SweepAim aim, int extras, Sweep *sweep) {
    *sweep = (Sweep){.aim = aim, .rules = *rules, .sides = same_animals(rules) ? 1 : 2};
    Status status = places_open(rules->pieces, &sweep->places);
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = open_side(sweep, side, extras);
    if (status_is_ok(&status) && !order_others(sweep))
        status = out_of_memory();
    if (!status_is_ok(&status))
        sweep_close(sweep);
    return status;
}

void sweep_close(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            close_lists(&sweep->lists[kind][side]);
        places_close_moves(&sweep->moves[side]);
        free(sweep->values[side]);
        free(sweep->corrections[side]);
    }
    free(sweep->order);
    places_close(&sweep->places);
    *sweep = (Sweep){.sides = 0};
}

double sweep_cut_off(const Sweep *sweep) {
    double most = 0;
    for (int side = 0; side < sweep->sides; side++)
        if (sweep->lists[SWEEP_FULL][side].lists.cut_off > most)
            most = sweep->lists[SWEEP_FULL][side].lists.cut_off;
    return most;
}

/* --- the kernel --- */

/* What one thread works with. */
typedef struct Bench {
    int32_t *play;     /* a row with its tail for every list */
    int32_t *thrown;   /* a row for every list: throw[L] */
    int32_t *thrown_2; /* the same with two throws to come; NULL unless a catch gives two */
    uint32_t *places[YUT_RESULTS][PLACES_SLOTS_MAX]; /* where in a play row a move leads */
} Bench;

static void bench_close(Bench *bench) {
    free(bench->play);
    free(bench->thrown);
    free(bench->thrown_2);
    for (int result = 0; result < YUT_RESULTS; result++)
        for (int slot = 0; slot < PLACES_SLOTS_MAX; slot++)
            free(bench->places[result][slot]);
}

static bool bench_open(const Sweep *sweep, SweepKind kind, int side, Bench *bench) {
    size_t count = sweep->places.count;
    size_t lists = (size_t)sweep->lists[kind][side].lists.count;
    bool twice = throws_for_catch(&sweep->rules, side) == 2;
    *bench = (Bench){.play = malloc(lists * play_stride(&sweep->places) * sizeof(int32_t)),
                     .thrown = malloc(lists * count * sizeof(int32_t)),
                     .thrown_2 = twice ? malloc(lists * count * sizeof(int32_t)) : NULL};
    bool good = bench->play && bench->thrown && (bench->thrown_2 || !twice);
    for (int result = 0; result < YUT_RESULTS; result++) {
        for (int slot = 0; slot < sweep->moves[side].slots; slot++) {
            bench->places[result][slot] = malloc(count * sizeof(uint32_t));
            good = good && bench->places[result][slot];
        }
    }
    if (!good)
        bench_close(bench);
    return good;
}

/* The other side, and what it becomes when the pieces of one of its squares are caught. */
typedef struct Prey {
    uint32_t other;
    int squares;
    uint32_t without[YUT_PIECES_MAX];
    uint32_t
        offset[YUT_SQUARES]; /* where the rows behind a catch on the square begin; 0: no catch */
} Prey;

static Prey prey_of(const Places *places, uint32_t other) {
    Prey prey = {.other = other};
    for (int i = 0; i < places->pieces; i++) {
        int square = places->squares[other][i];
        if (square == 0 || square == YUT_ARRIVED || prey.offset[square] > 0)
            continue;
        prey.without[prey.squares++] = places_sent_home(places, other, square);
        prey.offset[square] = (uint32_t)prey.squares * places->count;
    }
    return prey;
}

FOR_EACH_MACHINE static void find_places(const uint32_t *restrict next,
                                         const uint8_t *restrict target,
                                         const uint32_t offset[YUT_SQUARES], uint32_t none,
                                         uint32_t *restrict places, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        places[i] = next[i] == PLACES_NONE ? none : next[i] + offset[target[i]];
}

/* best[i] = the larger of itself and from[places[i]]. */
FOR_EACH_MACHINE static void gather_best(int32_t *restrict best, const int32_t *restrict from,
                                         const uint32_t *restrict places, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int32_t value = from[places[i]];
        best[i] = value > best[i] ? value : best[i];
    }
}

/* The mean of up to six rows, rounded. */
FOR_EACH_MACHINE static void mean_of_rows(int32_t *restrict mean, const int32_t *const rows[],
                                          const double weights[], int row_count, uint32_t count) {
    enum { BLOCK = 512 };
    double sums[BLOCK];
    for (uint32_t first = 0; first < count; first += BLOCK) {
        uint32_t length = count - first < BLOCK ? count - first : BLOCK;
        for (uint32_t i = 0; i < length; i++)
            sums[i] = 0.5;
        for (int row = 0; row < row_count; row++) {
            const int32_t *from = rows[row] + first;
            double weight = weights[row];
            for (uint32_t i = 0; i < length; i++)
                sums[i] += weight * from[i];
        }
        for (uint32_t i = 0; i < length; i++)
            mean[first + i] = (int32_t)sums[i];
    }
}

/* Whose turn is being solved, and with which lists. */
typedef struct TurnOf {
    const Sweep *sweep;
    int side;
    const SweepLists *lists;
} TurnOf;

static int32_t *pending_row(const TurnOf *turn, uint32_t other, int list) {
    const Sweep *sweep = turn->sweep;
    int lasts = lasts_pending(&sweep->rules, turn->side, sweep->places.home[other]);
    size_t lists = (size_t)turn->lists->lists.count;
    int16_t rank = turn->lists->rank[(size_t)lasts * lists + (size_t)list];
    return turn->lists->pending +
           (turn->lists->first[other] + (uint64_t)rank) * sweep->places.count;
}

/* play[{}]: the turn is over, the other side throws. */
static void end_of_turn(const Sweep *sweep, int side, uint32_t other, int32_t *row) {
    uint32_t count = sweep->places.count;
    const int32_t *column = sweep->values[sweep->sides - 1 - side] + other;
    for (uint32_t own = 0; own < count; own++) {
        __builtin_prefetch(column + (size_t)(own + AHEAD) * count);
        int32_t value = column[(size_t)own * count];
        row[own] = sweep->aim == SWEEP_VALUE ? SWEEP_ONE - value : SWEEP_TURN + value;
    }
}

/* Fills in what lies behind play[list]: the rows that a catch leads to, and the zero. */
static void fill_tail(const TurnOf *turn, const Prey *prey, int list, int32_t *row) {
    const Sweep *sweep = turn->sweep;
    const Places *places = &sweep->places;
    int side = turn->side;
    bool pig = sweep->rules.animals[sweep->sides == 1 ? side : 1 - side] == YUT_PIG;
    for (int i = 0; i < prey->squares; i++) {
        int32_t *behind = row + (size_t)(i + 1) * places->count;
        if (pig)
            end_of_turn(sweep, side, prey->without[i], behind);
        else
            memcpy(behind, pending_row(turn, prey->without[i], list),
                   places->count * sizeof *behind);
    }
    row[play_stride(places) - 1] = 0;
}

/* throw[list], or with two throws to come, from the rows of longer lists. Where a result would lead
 * beyond the lists, the others stand for it. */
static void throw_row(const TurnOf *turn, const Bench *bench, int list, bool twice, int32_t *mean) {
    const Sweep *sweep = turn->sweep;
    const ResultLists *lists = &turn->lists->lists;
    const ResultList *from = &lists->lists[list];
    size_t count = sweep->places.count, stride = play_stride(&sweep->places);
    const int32_t *rows[YUT_RESULTS];
    double weights[YUT_RESULTS], whole = 0;
    int used = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = from->with[result];
        if (to < 0 || lists->chances[result] == 0)
            continue;
        const int32_t *once = bench->thrown + (size_t)to * count;
        if (lists->is_extra[result])
            rows[used] = twice ? bench->thrown_2 + (size_t)to * count : once;
        else
            rows[used] = twice ? once : bench->play + (size_t)to * stride;
        weights[used++] = lists->chances[result];
        whole += lists->chances[result];
    }
    for (int i = 0; i < used; i++)
        weights[i] /= whole;
    mean_of_rows(mean, rows, weights, used, sweep->places.count);
}

/* Computes the row of values against one other side. */
static void solve_row(const TurnOf *turn, uint32_t other, Bench *bench, int32_t *values) {
    const Sweep *sweep = turn->sweep;
    int side = turn->side;
    const Places *places = &sweep->places;
    const ResultLists *lists = &turn->lists->lists;
    const PlacesMoves *moves = &sweep->moves[side];
    size_t stride = play_stride(places), count = places->count;
    int home = places->home[other];
    int lasts = lasts_against(&sweep->rules, side, home);
    int32_t won = sweep->aim == SWEEP_VALUE ? SWEEP_ONE : 0;
    Prey prey = prey_of(places, other);
    for (int result = 0; result < YUT_RESULTS; result++)
        for (int slot = 0; slot < moves->slots; slot++)
            find_places(moves->next[result][slot], moves->target[result][slot], prey.offset,
                        (uint32_t)stride - 1, bench->places[result][slot], places->count);

    for (int list = 0; list < lists->count; list++) {
        const ResultList *what = &lists->lists[list];
        int32_t *row = bench->play + (size_t)list * stride;
        if (what->lasts > lasts)
            continue;
        if (list == 0)
            end_of_turn(sweep, side, other, row);
        else
            memset(row, 0, count * sizeof *row);
        for (int result = 0; result < YUT_RESULTS; result++) {
            if (what->without[result] < 0)
                continue;
            const int32_t *from = bench->play + (size_t)what->without[result] * stride;
            for (int slot = 0; slot < moves->slots; slot++)
                gather_best(row, from, bench->places[result][slot], places->count);
        }
        row[count - 1] = won; /* all own pieces home */
        fill_tail(turn, &prey, list, row);
    }

    bool twice = bench->thrown_2 != NULL;
    for (int list = lists->count; list-- > 0;) {
        int limit = lists->lists[list].lasts;
        if (limit > lasts - 1)
            continue;
        throw_row(turn, bench, list, false, bench->thrown + (size_t)list * count);
        if (twice && limit <= lasts - 2)
            throw_row(turn, bench, list, true, bench->thrown_2 + (size_t)list * count);
        if (home > 0 && limit <= lasts_pending(&sweep->rules, side, home) - (twice ? 1 : 0))
            memcpy(pending_row(turn, other, list),
                   (twice ? bench->thrown_2 : bench->thrown) + (size_t)list * count,
                   count * sizeof(int32_t));
    }
    memcpy(values, bench->thrown, count * sizeof *values);
    values[count - 1] = won;
}

/* Puts a new row in the place of the old; the largest change of a position that can be. */
static int32_t commit_row(Sweep *sweep, int side, uint32_t other, const int32_t *values) {
    const Places *places = &sweep->places;
    int32_t *old = sweep->values[side] + (size_t)other * places->count;
    int32_t change = 0;
    for (uint32_t own = 0; own < places->count; own++) {
        int32_t difference =
            values[own] > old[own] ? values[own] - old[own] : old[own] - values[own];
        if (difference > change && !(places->occupied[own] & places->occupied[other]))
            change = difference;
        old[own] = values[own];
    }
    return change;
}

/* A row of a full sweep, or of a short one with its correction. A full one notes the correction. */
static void solve_and_correct(Sweep *sweep, SweepKind kind, int side, uint32_t other,
                              Bench benches[SWEEP_KINDS], int32_t *values, int32_t *scratch) {
    const uint32_t count = sweep->places.count;
    int32_t *corrections = sweep->corrections[side] + (size_t)other * count;
    TurnOf turn = {.sweep = sweep, .side = side, .lists = &sweep->lists[kind][side]};
    solve_row(&turn, other, &benches[kind], values);
    if (kind == SWEEP_FULL) {
        turn.lists = &sweep->lists[SWEEP_SHORT][side];
        solve_row(&turn, other, &benches[SWEEP_SHORT], scratch);
        for (uint32_t own = 0; own < count; own++)
            corrections[own] = values[own] - scratch[own];
        return;
    }
    for (uint32_t own = 0; own < count; own++) {
        int64_t value = (int64_t)values[own] + corrections[own];
        values[own] = (int32_t)(value < 0 ? 0 : value > SWEEP_ONE ? SWEEP_ONE : value);
    }
}

/* What a whole sweep of one side works with. */
typedef struct Workshop {
    int threads;
    Bench (*benches)[SWEEP_KINDS]; /* of each thread */
    int32_t *scratch;              /* a row of each thread */
    int32_t *rows;                 /* of a batch */
} Workshop;

static void workshop_close(Workshop *workshop) {
    for (int i = 0; workshop->benches && i < workshop->threads; i++)
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            bench_close(&workshop->benches[i][kind]);
    free(workshop->benches);
    free(workshop->scratch);
    free(workshop->rows);
}

static bool workshop_open(const Sweep *sweep, SweepKind kind, int side, int threads,
                          Workshop *workshop) {
    size_t row = sweep->places.count * sizeof(int32_t);
    *workshop = (Workshop){.threads = threads,
                           .benches = calloc((size_t)threads, sizeof *workshop->benches),
                           .scratch = malloc((size_t)threads * row),
                           .rows = malloc(BATCH * row)};
    bool good = workshop->benches && workshop->scratch && workshop->rows;
    for (int i = 0; good && i < threads; i++)
        good = bench_open(sweep, SWEEP_SHORT, side, &workshop->benches[i][SWEEP_SHORT]) &&
               (kind == SWEEP_SHORT ||
                bench_open(sweep, SWEEP_FULL, side, &workshop->benches[i][SWEEP_FULL]));
    if (!good)
        workshop_close(workshop);
    return good;
}

/* Takes the sides order[first] to order[last - 1], which all have as many pieces at home. */
static int32_t run_batch(Sweep *sweep, SweepKind kind, int side, uint32_t first, uint32_t last,
                         Workshop *workshop) {
    size_t count = sweep->places.count;
#pragma omp parallel for num_threads(workshop->threads) schedule(dynamic)
    for (uint32_t i = first; i < last; i++) {
        size_t thread = (size_t)omp_get_thread_num();
        solve_and_correct(sweep, kind, side, sweep->order[i], workshop->benches[thread],
                          workshop->rows + (i - first) * count, workshop->scratch + thread * count);
    }
    int32_t change = 0;
    for (uint32_t i = first; i < last; i++) {
        int32_t largest =
            commit_row(sweep, side, sweep->order[i], workshop->rows + (i - first) * count);
        if (largest > change)
            change = largest;
    }
    return change;
}

Status sweep_run(Sweep *sweep, SweepKind kind, int threads, double *change) {
    const Places *places = &sweep->places;
    uint32_t count = places->count;
    int32_t largest = 0;
    for (int side = 0; side < sweep->sides; side++) {
        Workshop workshop;
        if (!workshop_open(sweep, kind, side, threads, &workshop))
            return out_of_memory();
        for (uint32_t first = 0; first < count;) {
            /* The other side with all pieces home has won already: there is nothing to solve. */
            if (sweep->order[first] == count - 1) {
                first++;
                continue;
            }
            uint32_t last = first;
            uint8_t home = places->home[sweep->order[first]];
            while (last < count && last < first + BATCH &&
                   places->home[sweep->order[last]] == home && sweep->order[last] != count - 1)
                last++;
            int32_t of_batch = run_batch(sweep, kind, side, first, last, &workshop);
            if (of_batch > largest)
                largest = of_batch;
            first = last;
        }
        workshop_close(&workshop);
    }
    *change = (double)largest / (sweep->aim == SWEEP_VALUE ? SWEEP_ONE : SWEEP_TURN);
    return status_ok();
}
