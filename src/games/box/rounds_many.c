/* Games of several rounds for three and more players: exact where that takes no more than a minute
 * or so, estimated elsewhere.
 *
 * What a turn's score is worth depends on who comes next, the round, and the totals of all players,
 * which include this round's scores of those that have played. Exact values are tabulated for
 * these:
 *
 *     before[p][cell]    player p is about to begin a turn; a cell is a layer (the round, if their
 *                        number is limited) and
 *                          with a limit       the total of every player, or that it is out
 *                          without a limit    the totals of all others less that of player 0
 *
 * Turns are solved in this order: later rounds first; fewer players first; larger sums of totals
 * first; later players first. A score is at least 1 unless rounds are counted, and players only go
 * out, so what a turn leads to is solved before it. Turns that agree in all of these do not depend
 * on each other. They are solved side by side, in lanes (lane_turn.h) and on threads.
 *
 * Three players and a limit of 45 are 0.7 million turns.
 *
 * The estimate replaces the tables by a model of what follows the turn in hand (independent.h).
 * That turn is played out exactly. Where there are exact values to compare with, the mean error of
 * such estimates is 0.001 at most.
 */
#include <float.h>
#include <stdlib.h>

#include "base/threads.h"
#include "games/box/independent.h"
#include "games/box/lane_turn.h"

/* More than this many numbers computed would take minutes; and more sets, seconds a turn. */
#define WORK_MAX ((uint64_t)1 << 37)
#define ESTIMATE_SETS_MAX ((uint64_t)1 << 16)
#define TYPICAL_ERROR 0.001

typedef struct Many {
    Solver base;
    Rules packed_rules;
    BoxRules rules;
    Progress *progress;
    const StopFlag *stop;
    int threads;
    int total, layers;
    BoxFits fits;
    bool is_exact;
    size_t cells[BOX_PLAYERS_MAX]; /* of a layer */
    double
        *before[BOX_PLAYERS_MAX]; /* see above: a number for each player; NULL while not solved */
    Independent model;            /* if estimates are asked for */
    LaneTurn turn;                /* the turn solved last, in lane 0 */
    BoxState turn_state;          /* a state of that turn */
    bool has_turn;                /* whether there is one */
} Many;

/* Before the turn of `player`; `totals` as in independent.h. */
typedef struct Cell {
    int layer, player;
    int totals[BOX_PLAYERS_MAX];
} Cell;

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* --- cells --- */

/* How many values the coordinate of player `i` has before the turn of `player`: with a limit, the
 * last one stands for BOX_OUT. */
static int coordinate_span(const Many *many, int layer, int player, int i) {
    if (many->rules.limit > 0)
        return many->rules.limit + (i < player ? many->total : 0) + 1;
    if (i == 0)
        return 1;
    return (2 * layer + (player > 0) + (i < player)) * many->total + 1;
}

/* What is subtracted from the totals' difference, without a limit. */
static int lowest_difference(const Many *many, int layer, int player) {
    return -(layer + (player > 0)) * many->total;
}

static size_t count_cells(const Many *many, int layer, int player) {
    size_t count = 1;
    for (int i = 0; i < many->rules.players; i++)
        count *= (size_t)coordinate_span(many, layer, player, i);
    return count;
}

static size_t cell_number(const Many *many, const Cell *cell) {
    size_t number = 0;
    for (int i = 0; i < many->rules.players; i++) {
        int span = coordinate_span(many, cell->layer, cell->player, i), at = cell->totals[i];
        if (many->rules.limit == 0)
            at = i == 0 ? 0
                        : at - cell->totals[0] - lowest_difference(many, cell->layer, cell->player);
        else if (at == BOX_OUT)
            at = span - 1;
        assert(at >= 0 && at < span);
        number = number * (size_t)span + (size_t)at;
    }
    return number;
}

static Cell cell_at(const Many *many, int layer, int player, size_t number) {
    Cell cell = {.layer = layer, .player = player};
    for (int i = many->rules.players - 1; i >= 0; i--) {
        int span = coordinate_span(many, layer, player, i), at = (int)(number % (size_t)span);
        number /= (size_t)span;
        if (many->rules.limit > 0)
            cell.totals[i] = at == span - 1 ? BOX_OUT : at;
        else
            cell.totals[i] = i == 0 ? 0 : at + lowest_difference(many, layer, player);
    }
    return cell;
}

/* The values of a cell that is solved. */
static double *cell_values(const Many *many, const Cell *cell) {
    size_t players = (size_t)many->rules.players, cells = many->cells[cell->player];
    return many->before[cell->player] +
           ((size_t)cell->layer * cells + cell_number(many, cell)) * players;
}

static int count_in(const Many *many, const Cell *cell, int *sum) {
    int count = 0;
    *sum = 0;
    for (int i = 0; i < many->rules.players; i++)
        if (cell->totals[i] != BOX_OUT) {
            count++;
            *sum += cell->totals[i];
        }
    return count;
}

/* --- what follows a turn --- */

static int next_in(const Many *many, const int totals[], int player) {
    while (player < many->rules.players && totals[player] == BOX_OUT)
        player++;
    return player;
}

/* The lowest total of those that were in wins. */
static void share_lowest(const Many *many, const int totals[], double values[]) {
    int lowest = INT32_MAX, holders = 0;
    for (int i = 0; i < many->rules.players; i++)
        if (totals[i] != BOX_OUT && totals[i] < lowest)
            lowest = totals[i];
    for (int i = 0; i < many->rules.players; i++)
        holders += totals[i] == lowest;
    for (int i = 0; i < many->rules.players; i++)
        values[i] = totals[i] == lowest ? 1.0 / holders : 0;
}

/* Sets what the cell is worth after its player has scored. */
static void worth_of_score(const Many *many, const Cell *cell, int score, double values[]) {
    Cell next = *cell;
    next.totals[cell->player] += score;
    next.player = next_in(many, next.totals, cell->player + 1);
    if (next.player == many->rules.players) {
        if (box_ends_after(&many->rules, cell->layer + 1, next.totals)) {
            share_lowest(many, next.totals, values);
            return;
        }
        for (int i = 0; i < many->rules.players; i++)
            if (next.totals[i] != BOX_OUT && !box_is_in(&many->rules, next.totals[i]))
                next.totals[i] = BOX_OUT;
        next.layer += many->rules.rounds > 0;
        next.player = next_in(many, next.totals, 0);
    }
    if (many->is_exact)
        memcpy(values, cell_values(many, &next), (size_t)many->rules.players * sizeof *values);
    else
        independent_estimate(&many->model, next.layer, next.player, next.totals, values);
}

static void fill_lane(const Many *many, const Cell *cell, LaneTurn *turn, size_t lane) {
    double values[BOX_PLAYERS_MAX];
    for (int score = many->rules.shut_scores_0 ? 0 : 1; score <= many->total; score++) {
        worth_of_score(many, cell, score, values);
        for (int i = 0; i < many->rules.players; i++)
            *lane_turn_at(turn, turn->stuck, (size_t)score, i, lane) = values[i];
    }
}

/* --- solving all turns --- */

/* A turn to be solved. */
typedef struct Job {
    uint32_t number; /* of its cell */
    uint8_t player;
} Job;

/* The turns of a layer, in the order in which they can be solved. */
typedef struct Schedule {
    Job *jobs;
    size_t *ends; /* those of key k end at ends[k] */
    size_t keys;
} Schedule;

typedef struct Solving {
    Many *many;
    int layer;
    const Job *jobs; /* those that do not depend on each other */
    size_t count;
    LaneTurn *turns; /* one for each thread */
} Solving;

/* The place of a cell in the order; SIZE_MAX if no game leads there. */
static size_t key_of(const Many *many, const Cell *cell) {
    const BoxRules *rules = &many->rules;
    size_t players = (size_t)rules->players, later = players - 1 - (size_t)cell->player;
    int sum, left = count_in(many, cell, &sum);
    if (left < 2 || cell->totals[cell->player] == BOX_OUT)
        return SIZE_MAX;
    if (rules->limit == 0)
        return later;
    size_t largest = players * (size_t)(rules->limit + many->total);
    return (((size_t)left - 2) * (largest + 1) + (largest - (size_t)sum)) * players + later;
}

static size_t count_keys(const Many *many) {
    size_t players = (size_t)many->rules.players;
    size_t largest = players * (size_t)(many->rules.limit + many->total);
    return many->rules.limit == 0 ? players : (players - 1) * (largest + 1) * players;
}

static void schedule_free(Schedule *schedule) {
    free(schedule->jobs);
    free(schedule->ends);
}

/* Sorts the cells of a layer by their keys, by counting. */
static bool schedule_make(const Many *many, int layer, Schedule *schedule) {
    size_t all = 0;
    for (int player = 0; player < many->rules.players; player++)
        all += count_cells(many, layer, player);
    *schedule = (Schedule){.keys = count_keys(many), .jobs = malloc((all + 1) * sizeof(Job))};
    size_t *starts = calloc(schedule->keys + 1, sizeof *starts);
    schedule->ends = starts;
    if (!schedule->jobs || !starts)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int player = 0; player < many->rules.players; player++) {
            size_t count = count_cells(many, layer, player);
            for (size_t number = 0; number < count; number++) {
                Cell cell = cell_at(many, layer, player, number);
                size_t key = key_of(many, &cell);
                if (key == SIZE_MAX)
                    continue;
                if (pass == 0)
                    starts[key + 1]++;
                else
                    schedule->jobs[starts[key]++] =
                        (Job){.number = (uint32_t)number, .player = (uint8_t)player};
            }
        }
        for (size_t key = 0; key < schedule->keys && pass == 0; key++)
            starts[key + 1] += starts[key];
    }
    return true; /* each start has moved to the end of its key */
}

/* Solves up to BOX_LANES turns. */
static void solve_lanes(void *context, size_t batch, int thread) {
    const Solving *solving = context;
    const Many *many = solving->many;
    LaneTurn *turn = &solving->turns[thread];
    size_t first = batch * BOX_LANES, left = solving->count - first;
    size_t lanes = left < BOX_LANES ? left : BOX_LANES;
    int player = solving->jobs[first].player;
    for (size_t lane = 0; lane < lanes; lane++) {
        Cell cell = cell_at(many, solving->layer, player, solving->jobs[first + lane].number);
        fill_lane(many, &cell, turn, lane);
    }
    lane_turn_solve(turn, player);
    for (size_t lane = 0; lane < lanes; lane++) {
        Cell cell = cell_at(many, solving->layer, player, solving->jobs[first + lane].number);
        double *values = cell_values(many, &cell);
        for (int i = 0; i < many->rules.players; i++)
            values[i] = *lane_turn_at(turn, turn->table, box_all_tiles(&many->rules), i, lane);
    }
}

static Status solve_layer(Many *many, int layer, ThreadPool *pool, LaneTurn *turns) {
    Schedule schedule;
    Status status = schedule_make(many, layer, &schedule) ? status_ok() : out_of_memory();
    size_t all = status_is_ok(&status) ? schedule.ends[schedule.keys - 1] : 0, done = 0;
    for (size_t key = 0; key < schedule.keys && status_is_ok(&status); key++) {
        Solving solving = {.many = many,
                           .layer = layer,
                           .jobs = schedule.jobs + done,
                           .count = schedule.ends[key] - done,
                           .turns = turns};
        thread_pool_run(pool, (solving.count + BOX_LANES - 1) / BOX_LANES, solve_lanes, &solving);
        done = schedule.ends[key];
        progress_report(many->progress, (uint64_t)(many->layers - 1 - layer) * all + done,
                        (uint64_t)many->layers * all);
        if (many->stop && *many->stop)
            status = status_make(STATUS_STOPPED, "stopped");
    }
    schedule_free(&schedule);
    return status;
}

static void forget(Many *many) {
    for (int player = 0; player < BOX_PLAYERS_MAX; player++) {
        free(many->before[player]);
        many->before[player] = NULL;
    }
}

static Status solve_all(Many *many) {
    size_t players = (size_t)many->rules.players, layers = (size_t)many->layers;
    LaneTurn *turns = calloc((size_t)many->threads, sizeof *turns);
    Status status = turns ? status_ok() : out_of_memory();
    for (size_t p = 0; p < players; p++) {
        many->before[p] = calloc(layers * many->cells[p] * players, sizeof(double));
        if (!many->before[p])
            status = out_of_memory();
    }
    for (int i = 0; i < many->threads && turns; i++)
        if (!lane_turn_open(&many->rules, &many->fits, &turns[i]))
            status = out_of_memory();
    ThreadPool *pool = thread_pool_open(many->threads);
    progress_start(many->progress, "solving");
    for (int layer = many->layers - 1; layer >= 0 && status_is_ok(&status); layer--)
        status = solve_layer(many, layer, pool, turns);
    progress_finish(many->progress);
    thread_pool_close(pool);
    for (int i = 0; i < many->threads && turns; i++)
        lane_turn_close(&turns[i]);
    free(turns);
    if (!status_is_ok(&status))
        forget(many);
    return status;
}

/* --- the solver --- */

/* Whether the last turn solved is that of this state. */
static bool has_turn(const Many *many, const BoxState *s) {
    const BoxState *turn = &many->turn_state;
    return many->has_turn && turn->player == s->player && turn->round == s->round &&
           memcmp(turn->scores, s->scores, sizeof s->scores) == 0 &&
           memcmp(turn->totals, s->totals, sizeof s->totals) == 0;
}

static void solve_turn_of(Many *many, const BoxState *s) {
    Cell cell = {.layer = s->round, .player = s->player};
    for (int i = 0; i < many->rules.players; i++)
        cell.totals[i] =
            box_is_in(&many->rules, s->totals[i]) ? s->totals[i] + s->scores[i] : BOX_OUT;
    fill_lane(many, &cell, &many->turn, 0);
    lane_turn_solve(&many->turn, s->player);
    many->turn_state = *s;
    many->has_turn = true;
}

static Status values(Solver *base, const State *state, double values[]) {
    Many *many = (Many *)base;
    BoxState s = box_state(state);
    if (box_actor(&many->packed_rules, state) == GAME_END) {
        box_payoff(&many->packed_rules, state, values);
        return status_ok();
    }
    if (many->is_exact && !many->before[0]) {
        Status status = solve_all(many);
        many->has_turn = false;
        if (!status_is_ok(&status))
            return status;
    }
    if (!has_turn(many, &s))
        solve_turn_of(many, &s);
    TileSet open = s.roll > 0 ? lane_turn_choose(&many->turn, s.player, s.open, s.roll) : s.open;
    for (int i = 0; i < many->rules.players; i++)
        values[i] = *lane_turn_at(&many->turn, many->turn.table, open, i, 0);
    return status_ok();
}

static void free_solver(Solver *base) {
    Many *many = (Many *)base;
    forget(many);
    independent_close(&many->model);
    lane_turn_close(&many->turn);
    box_fits_free(&many->fits);
    free(many);
}

/* --- opening --- */

static uint64_t product(uint64_t a, uint64_t b) {
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* How many cells there are, of all players and layers. */
static uint64_t count_all_cells(const Many *many) {
    const BoxRules *rules = &many->rules;
    uint64_t cells = 0;
    for (int player = 0; player < rules->players; player++) {
        uint64_t of_player = (uint64_t)many->layers;
        for (int i = 0; i < rules->players; i++)
            of_player =
                product(of_player, (uint64_t)coordinate_span(many, many->layers - 1, player, i));
        cells = of_player > UINT64_MAX - cells ? UINT64_MAX : cells + of_player;
    }
    return cells;
}

/* Whether solving all turns takes a minute or so. */
static Status check_work(const Many *many) {
    const BoxRules *rules = &many->rules;
    uint64_t cells = count_all_cells(many), sets = (uint64_t)1 << rules->tiles;
    uint64_t work =
        product(product(cells, sets * box_roll_max(rules, rules->dice)), (uint64_t)rules->players);
    if (work > WORK_MAX || cells > UINT32_MAX)
        return status_make(STATUS_UNSUPPORTED,
                           "exact values of several rounds for %d players would take too long with "
                           "these rules",
                           rules->players);
    return status_ok();
}

static Status check_memory(const Many *many, const SolveLimits *limits) {
    uint64_t bytes = product(count_all_cells(many),
                             (uint64_t)many->rules.players * sizeof(double) + sizeof(Job));
    if (bytes > limits->memory_bytes)
        return status_make(STATUS_UNSUPPORTED, "several rounds need %.1f MB of memory",
                           (double)bytes / (1 << 20));
    return status_ok();
}

static Status check_estimate(const Many *many, const SolveLimits *limits) {
    uint64_t sets = (uint64_t)1 << many->rules.tiles;
    uint64_t bytes =
        box_fits_bytes(&many->rules) + sets * lane_turn_row(&many->rules) * sizeof(double);
    if (sets > ESTIMATE_SETS_MAX)
        return status_make(STATUS_UNSUPPORTED, "%d tiles are too many for several rounds",
                           many->rules.tiles);
    if (bytes > limits->memory_bytes)
        return status_make(STATUS_UNSUPPORTED, "several rounds need %.1f MB of memory",
                           (double)bytes / (1 << 20));
    return status_ok();
}

static void set_up_exact(Many *many) {
    const BoxRules *rules = &many->rules;
    int turns = rules->players * (rules->rounds > 0 ? rules->rounds : rules->limit);
    double rolls = (double)box_roll_max(rules, rules->dice);
    many->base.method = "backward induction over rounds and totals";
    many->base.error = turns * (rules->tiles + 1) * ((rolls + 3) * (DBL_EPSILON / 2) + SOLVER_TIE);
    for (int player = 0; player < rules->players; player++)
        many->cells[player] = count_cells(many, many->layers - 1, player);
}

static Status set_up_estimate(Many *many) {
    many->base.method = "the turn exactly, then a model of players that play on alone";
    many->base.kind = VALUE_ESTIMATE;
    many->base.error = INFINITY;
    many->base.typical_error = TYPICAL_ERROR;
    return independent_open(&many->rules, &many->fits, &many->model) ? status_ok()
                                                                     : out_of_memory();
}

/* What follows from the rules. */
static void set_rules(Many *many, const Rules *rules) {
    many->packed_rules = *rules;
    many->rules = box_rules(rules);
    many->total = box_sum(box_all_tiles(&many->rules));
    many->layers = many->rules.rounds > 0 ? many->rules.rounds : 1;
}

static Status open_many(const Rules *rules, const SolveLimits *limits, bool is_exact,
                        Solver **solver) {
    Many *many = calloc(1, sizeof *many);
    if (!many)
        return out_of_memory();
    many->base = (Solver){.values = values, .free = free_solver};
    set_rules(many, rules);
    many->progress = limits->progress;
    many->stop = limits->stop;
    many->threads = limits->threads > 0 ? limits->threads : 1;
    many->is_exact = is_exact;
    Status status = check_estimate(many, limits);
    if (status_is_ok(&status) && is_exact)
        status = check_work(many);
    if (status_is_ok(&status) && is_exact)
        status = check_memory(many, limits);
    if (status_is_ok(&status) && (!box_fits_list(&many->rules, &many->fits) ||
                                  !lane_turn_open(&many->rules, &many->fits, &many->turn)))
        status = out_of_memory();
    if (status_is_ok(&status) && is_exact)
        set_up_exact(many);
    else if (status_is_ok(&status))
        status = set_up_estimate(many);
    if (!status_is_ok(&status)) {
        free_solver(&many->base);
        return status;
    }
    *solver = &many->base;
    return status;
}

Status box_many_solver_check(const Rules *rules) {
    Many many = {.total = 0};
    set_rules(&many, rules);
    return check_work(&many);
}

Status box_many_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    return open_many(rules, limits, true, solver);
}

Status box_many_estimator_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    BoxRules box = box_rules(rules);
    if (box_is_single(&box))
        return status_make(STATUS_UNSUPPORTED, "games of a single round are not estimated");
    return open_many(rules, limits, false, solver);
}
