/* A *prospect* packs the value and the turns of a position into one number, with the value in the
 * upper half. So the larger of two prospects belongs to the better move, and carries its turns. */
#include "games/yut/facts/game_length.h"

#include <stdlib.h>

#include "base/threads.h"
#include "games/yut/solve/grid.h"
#include "games/yut/solve/lists.h"

enum {
    WAVE = 64, /* sides that are computed in parallel from the same old turns */
    SWEEPS_MAX = 400,
    EXTRAS_MANY = 5, /* CHANGE_WANTED can neglect lists with more extras than this */
    TURNS_GUESS = 6  /* initial guess for each piece */
};

/* The work starts with lists of one extra and lengthens them level by level. A level ends when a
 * sweep changes nothing by more than this, multiplied by how much likelier it is to exceed the
 * lists of this level than to exceed lists of EXTRAS_MANY extras. */
#define CHANGE_WANTED 1e-4

typedef uint64_t Prospect;

static Prospect prospect_of(uint32_t value, uint32_t turns) {
    return (Prospect)value << 32 | turns;
}

static uint32_t turns_in(Prospect prospect) {
    return (uint32_t)prospect;
}

/* The buffers of one thread: play[L] and throw[L] of sweep.h, [list * count + own]. */
typedef struct Workspace {
    Prospect *play, *thrown;
} Workspace;

typedef struct Work {
    const StartGrid *grid;
    const Placements *placements;
    PlacementMoves moves;
    ResultLists lists;
    Prospect *
        *pending; /* [list][other * count + own]: throw[L], against placements with a piece at 0 */
    uint32_t *turns;
    uint32_t *wave; /* the new turns of the sides computed together */
    int threads;
    ThreadPool *pool;
    Workspace *workspaces; /* [thread] */
} Work;

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* The number of extras in the longest lists. It is lower with more pieces, to save time. */
static int extras_for(int pieces) {
    return pieces == 1 ? EXTRAS_MANY : pieces == 2 ? EXTRAS_MANY - 1 : EXTRAS_MANY - 2;
}

/* --- allocation --- */

/* Whether the list can occur against placements with `waiting` pieces at the start: it holds one
 * last for the first throw of the turn, and one for every piece caught. */
static bool is_played(const ResultList *list, int waiting) {
    return list->lasts <= 1 + waiting;
}

static bool is_thrown(const ResultLists *lists, const ResultList *list, int waiting) {
    return list->lasts <= waiting && lists_has_room(lists, list, 1);
}

/* How many sides the list can be pending against. */
static size_t sides_pending(const Placements *placements, const ResultLists *lists, int list) {
    const ResultList *what = &lists->lists[list];
    int waiting = what->lasts > 1 ? what->lasts : 1;
    return what->pending == list && waiting <= placements->pieces
               ? placements->with_waiting[waiting]
               : 0;
}

static void close_lists(Work *work) {
    for (int i = 0; work->pending && i < work->lists.count; i++)
        grid_free(work->pending[i]);
    for (int i = 0; work->workspaces && i < work->threads; i++) {
        grid_free(work->workspaces[i].play);
        grid_free(work->workspaces[i].thrown);
    }
    free(work->pending);
    free(work->workspaces);
    work->pending = NULL;
    work->workspaces = NULL;
    lists_close(&work->lists);
}

static Status open_lists(Work *work, int extras) {
    YutRules rules = yut_rules(&work->grid->rules);
    const Placements *placements = work->placements;
    Status status = lists_open(&rules, 0, extras, 1 + rules.pieces, 1, &work->lists);
    if (!status_is_ok(&status))
        return status;
    size_t lists = (size_t)work->lists.count, row = placements->count * sizeof(Prospect);
    work->pending = calloc(lists, sizeof *work->pending);
    work->workspaces = calloc((size_t)work->threads, sizeof *work->workspaces);
    bool good = work->pending && work->workspaces;
    for (size_t i = 0; good && i < lists; i++) {
        size_t sides = sides_pending(placements, &work->lists, (int)i);
        work->pending[i] = sides > 0 ? grid_new(sides * row) : NULL;
        good = work->pending[i] || sides == 0;
    }
    for (int i = 0; good && i < work->threads; i++) {
        work->workspaces[i] =
            (Workspace){.play = grid_new(lists * row), .thrown = grid_new(lists * row)};
        good = work->workspaces[i].play && work->workspaces[i].thrown;
    }
    return good ? status : out_of_memory();
}

Status game_length_bytes(const YutRules *rules, int threads, uint64_t *bytes) {
    Placements placements;
    ResultLists lists = {.count = 0};
    Status status = placements_open(rules->pieces, &placements);
    if (!status_is_ok(&status))
        return status;
    status = lists_open(rules, 0, extras_for(rules->pieces), 1 + rules->pieces, 1, &lists);
    uint64_t rows = (uint64_t)placements.count / 2 + WAVE + 2 * (uint64_t)(threads * lists.count);
    for (int i = 0; i < lists.count; i++)
        rows += sides_pending(&placements, &lists, i);
    *bytes = rows * placements.count * sizeof(Prospect);
    lists_close(&lists);
    placements_close(&placements);
    return status;
}

/* --- the kernel --- */

/* Fills the row for the end of the turn, when the other player is about to throw. */
static void end_of_turn(const Work *work, uint32_t other, Prospect *row) {
    for (uint32_t own = 0; own < work->placements->count; own++) {
        size_t place = start_grid_index(work->grid, other, own);
        row[own] = prospect_of(START_GRID_ONE - work->grid->values[place], work->turns[place]);
    }
}

__attribute__((always_inline)) static inline void join_slots(Prospect *restrict best,
                                                             const Prospect *restrict from,
                                                             const uint32_t *restrict next,
                                                             size_t slots, size_t count) {
    for (size_t own = 0; own < count; own++) {
        Prospect most = best[own];
        for (size_t slot = 0; slot < slots; slot++) {
            Prospect here = from[next[own * slots + slot]];
            most = here > most ? here : most;
        }
        best[own] = most;
    }
}

/* Raises best[own] to the best prospect that a result reaches from each own placement. A constant
 * number of slots makes the loop faster. */
static void join_result(Prospect *restrict best, const Prospect *restrict from,
                        const uint32_t *restrict next, size_t slots, size_t count) {
    switch (slots) {
    case 1:
        join_slots(best, from, next, 1, count);
        break;
    case 2:
        join_slots(best, from, next, 2, count);
        break;
    case 3:
        join_slots(best, from, next, 3, count);
        break;
    default:
        join_slots(best, from, next, slots, count);
    }
}

/* Fills in the prospects after a catch, at the entries where both sides are on one square. */
static void fill_catches(const Work *work, uint32_t other, int list, Prospect *row) {
    const Placements *placements = work->placements;
    const Prospect *pending = work->pending[work->lists.lists[list].pending];
    for (int square = 1; square < YUT_ARRIVED; square++) {
        if (!(placements->occupied[other] >> square & 1))
            continue;
        const Prospect *behind =
            pending + (size_t)placement_send_back(placements, other, square) * placements->count;
        for (uint32_t i = placements->holding_from[square];
             i < placements->holding_from[square + 1]; i++)
            row[placements->holding[i]] = behind[placements->holding[i]];
    }
}

static void play_list(const Work *work, const Workspace *workspace, uint32_t other, int list) {
    const ResultList *what = &work->lists.lists[list];
    size_t count = work->placements->count;
    Prospect *row = workspace->play + (size_t)list * count;
    if (list == 0)
        end_of_turn(work, other, row);
    else
        memset(row, 0, count * sizeof *row);
    for (int result = 0; result < YUT_RESULTS; result++)
        if (what->without[result] >= 0)
            join_result(row, workspace->play + (size_t)what->without[result] * count,
                        work->moves.next[result], (size_t)work->moves.slots, count);
    row[count - 1] = prospect_of(START_GRID_ONE, 0); /* all home: won */
    fill_catches(work, other, list, row);
}

/* The weighted mean of up to six rows. */
static void mean_of_rows(Prospect *restrict mean, const Prospect *const rows[],
                         const double weights[], int row_count, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value = 0.5, turns = 0.5;
        for (int row = 0; row < row_count; row++) {
            value += weights[row] * (double)(uint32_t)(rows[row][i] >> 32);
            turns += weights[row] * (double)turns_in(rows[row][i]);
        }
        mean[i] =
            prospect_of(value < START_GRID_ONE ? (uint32_t)value : START_GRID_ONE, (uint32_t)turns);
    }
}

/* Computes throw[list]. Results that would exceed the list limits are left out, and the weights of
 * the others are scaled up. */
static void throw_list(const Work *work, const Workspace *workspace, int list, int waiting) {
    const ResultLists *lists = &work->lists;
    size_t count = work->placements->count;
    const Prospect *rows[YUT_RESULTS];
    double weights[YUT_RESULTS], whole = 0;
    int used = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int to = lists->lists[list].with[result];
        bool again = lists->is_extra[result];
        if (to < 0 || lists->chances[result] == 0 ||
            (again && !is_thrown(lists, &lists->lists[to], waiting)))
            continue;
        rows[used] = (again ? workspace->thrown : workspace->play) + (size_t)to * count;
        weights[used++] = lists->chances[result];
        whole += lists->chances[result];
    }
    for (int i = 0; i < used; i++)
        weights[i] /= whole;
    mean_of_rows(workspace->thrown + (size_t)list * count, rows, weights, used, count);
}

/* Computes all positions against one side. `turns` receives the new turns. */
static void solve_other(const Work *work, const Workspace *workspace, uint32_t other,
                        uint32_t *turns) {
    const ResultLists *lists = &work->lists;
    size_t count = work->placements->count;
    int waiting = work->placements->waiting[other];
    assert(workspace->play && workspace->thrown);
    for (int list = 0; list < lists->count; list++)
        if (is_played(&lists->lists[list], waiting))
            play_list(work, workspace, other, list);
    for (int list = lists->count; list-- > 0;) {
        const ResultList *what = &lists->lists[list];
        if (list > 0 && !is_thrown(lists, what, waiting))
            continue;
        throw_list(work, workspace, list, waiting);
        if (work->pending[list] && what->lasts <= waiting && waiting > 0)
            memcpy(work->pending[list] + other * count, workspace->thrown + (size_t)list * count,
                   count * sizeof(Prospect));
    }
    for (size_t own = 0; own < count; own++) {
        uint32_t rest = turns_in(workspace->thrown[own]);
        turns[own] = rest < UINT32_MAX - GAME_LENGTH_ONE ? rest + GAME_LENGTH_ONE : UINT32_MAX;
    }
}

/* --- sweeps --- */

/* Stores the new turns against a placement. Returns the largest change. */
static uint32_t commit(const Work *work, uint32_t other, const uint32_t *turns) {
    uint32_t *old = work->turns + start_grid_index(work->grid, 0, other), largest = 0;
    for (uint32_t own = 0; own < work->placements->count; own++) {
        if (!start_grid_has(work->grid, own, other))
            continue;
        uint32_t change = turns[own] > old[own] ? turns[own] - old[own] : old[own] - turns[own];
        largest = change > largest ? change : largest;
        old[own] = turns[own];
    }
    return largest;
}

/* Up to WAVE sides, the first of which is `first`. */
typedef struct Wave {
    const Work *work;
    uint32_t first;
} Wave;

/* The new turns of side i of a wave. */
static uint32_t *wave_turns(const Work *work, size_t i) {
    return work->wave + i * work->placements->count;
}

static void solve_in_wave(void *context, size_t i, int thread) {
    const Wave *wave = context;
    const Work *work = wave->work;
    solve_other(work, &work->workspaces[thread], wave->first + (uint32_t)i, wave_turns(work, i));
}

/* Computes the sides from `first` up to `last`, those nearest to the goal first. Returns the
 * largest change. */
static uint32_t run_sides(const Work *work, uint32_t first, uint32_t last) {
    uint32_t largest = 0;
    while (last > first) {
        uint32_t size = last - first < WAVE ? last - first : WAVE;
        last -= size;
        Wave wave = {.work = work, .first = last};
        thread_pool_run(work->pool, size, solve_in_wave, &wave);
        for (uint32_t i = 0; i < size; i++) {
            uint32_t change = commit(work, last + i, wave_turns(work, i));
            largest = change > largest ? change : largest;
        }
    }
    return largest;
}

/* Runs one sweep. Placements with more pieces at the start come first, since catches lead there.
 * Returns the largest change, in turns. */
static double run_sweep(const Work *work) {
    const Placements *placements = work->placements;
    uint32_t largest = 0, first = 0;
    for (int waiting = placements->pieces; waiting >= 0; waiting--) {
        uint32_t last = placements->with_waiting[waiting];
        uint32_t change = run_sides(work, first, waiting == 0 ? last - 1 : last);
        largest = change > largest ? change : largest;
        first = last;
    }
    return (double)largest / GAME_LENGTH_ONE;
}

static Status run_level(Work *work, int extras, double wanted, const SolveLimits *limits,
                        int *sweeps) {
    Status status = open_lists(work, extras);
    double change = wanted + 1;
    while (status_is_ok(&status) && change > wanted) {
        change = run_sweep(work);
        if (++*sweeps > SWEEPS_MAX)
            status = status_make(STATUS_UNSUPPORTED, "yut: games under these rules take too long "
                                                     "for their turns to be counted");
        if (limits->stop && *limits->stop)
            status = status_make(STATUS_STOPPED, "stopped");
        progress_report(limits->progress, (uint64_t)*sweeps, 0);
    }
    close_lists(work);
    return status;
}

static Status run_levels(Work *work, const SolveLimits *limits, GameLength *turns) {
    YutRules rules = yut_rules(&work->grid->rules);
    double again = lists_again(&rules, 0), wanted = CHANGE_WANTED;
    Status status = status_ok();
    for (int i = 1; i < EXTRAS_MANY; i++)
        wanted /= again;
    for (int extras = 1; extras <= extras_for(rules.pieces) && status_is_ok(&status); extras++) {
        status = run_level(work, extras, wanted, limits, &turns->sweeps);
        wanted *= again;
    }
    return status;
}

Status game_length_open(const StartGrid *grid, const SolveLimits *limits, GameLength *turns) {
    YutRules rules = yut_rules(&grid->rules);
    const Placements *placements = &grid->placements;
    size_t pairs = (size_t)placements->count * placements->count;
    *turns = (GameLength){.turns = grid_new(pairs * sizeof *turns->turns)};
    Work work = {.grid = grid,
                 .placements = placements,
                 .turns = turns->turns,
                 .wave = grid_new((size_t)WAVE * placements->count * sizeof *work.wave),
                 .threads = limits->threads,
                 .pool = thread_pool_open(limits->threads)};
    Status status = turns->turns && work.wave ? status_ok() : out_of_memory();
    if (status_is_ok(&status))
        status = placement_moves_open(placements, &rules, 0, &work.moves);
    if (status_is_ok(&status)) {
        for (size_t i = 0; i < pairs; i++)
            turns->turns[i] = (uint32_t)rules.pieces * TURNS_GUESS * GAME_LENGTH_ONE;
        progress_start(limits->progress, "counting turns");
        status = run_levels(&work, limits, turns);
        progress_finish(limits->progress);
        placement_moves_close(&work.moves);
    }
    thread_pool_close(work.pool);
    grid_free(work.wave);
    if (!status_is_ok(&status))
        game_length_close(turns);
    return status;
}

void game_length_close(GameLength *turns) {
    grid_free(turns->turns);
    turns->turns = NULL;
}
