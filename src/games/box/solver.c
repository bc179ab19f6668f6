/* Exact values by backward induction on bit masks.
 *
 * The value of a turn depends on the scores before it only through the lowest one
 * (`best`) and the number of players who hold it (`holders`). So a turn is solved for a triple
 * (player, best, holders), for all 2^tiles open sets from the empty one up: closing tiles makes the
 * number of a set smaller, so every successor of a set is already solved.
 *
 * A set carries several numbers, its components:
 *
 *     0      the value to the player who moves; it alone decides which move is best
 *     1      the value to each of the holders
 *     2...   the values to the later players, the next one first
 *
 * When a player is stuck, the components follow from the value of the next player's full box under
 * the new best score: its `start`. Starts are solved from the last player up. There, the triples
 * that differ in `best` alone are solved side by side as lanes, 45 at once with nine tiles: the
 * search for sets that fit is shared, and the arithmetic on lanes vectorizes. A row of the table is
 * one open set:
 *
 *     row of a set:  component 0: lane 0, lane 1, ... | component 1: lane 0, lane 1, ... | ...
 *
 * Solved turns are kept, as many as the memory limit allows, so that positions with different
 * scores can be asked for in any order. With nine tiles and two players all 46 of them take 400 kB.
 *
 * The error: all terms of a sum have the same sign, so a chance node adds at most (rolls + 2) half
 * units in the last place to the relative error, and a game has at most (tiles + 1) * players
 * chance nodes in a row. With several players, a choice between moves that count as equal
 * (SOLVER_TIE) may cost the others that much each time. box_solver_new adds this up.
 */
#include <assert.h>
#include <float.h>
#include <stdlib.h>

#include "games/box/box.h"

enum {
    OWN = 0,
    HOLDER = 1,
    LATER = 2,
    COMPONENTS_MAX = BOX_PLAYERS_MAX + 1,
    BLOCK_BYTES = 1 << 20,  /* aim for tables that stay in the second-level cache */
    LANES_MIN = 8,          /* but always fill a vector */
    REPORT_EVERY = 1 << 14, /* open sets between two reports of progress */
    STOP_EVERY = 1 << 6     /* and between two checks of the stop flag: they may take long */
};

/* The table of a turn (player, best, holders), one lane. */
typedef struct TurnSlot {
    double *table; /* NULL while not solved, and after it was dropped to make room */
    size_t bytes;
    uint64_t used; /* the solver's clock at the last query */
} TurnSlot;

typedef struct BoxSolver {
    Solver base;
    Rules packed_rules;
    BoxRules rules;
    size_t memory_bytes;
    Progress *progress;
    const StopFlag *stop; /* as in SolveLimits */
    int total;            /* the sum of all tiles */
    double sense;         /* -1 if lower is better: inside the solver, higher always is */
    TileSet *sets;        /* all sets that a roll can close, sorted by sum, preferred ones first */
    size_t sets_of[BOX_ROLL_MAX + 2]; /* those of sum s: sets[sets_of[s]] up to sets_of[s + 1] */
    struct {
        double weights[BOX_ROLL_MAX + 1];
        double denominator;
        int low, high;               /* the smallest and largest sum */
    } throws[2];                     /* one die, all dice */
    uint16_t *sums;                  /* of every set of tiles */
    double *starts[BOX_PLAYERS_MAX]; /* see start_of; NULL while not solved */
    TurnSlot *turns;                 /* see turn_slot */
    size_t turn_count;
    size_t turn_bytes; /* of all tables kept there */
    uint64_t clock;    /* number of queries so far */
} BoxSolver;

static int component_count(const BoxRules *rules, int player) {
    return rules->players == 1 ? 1 : rules->players + 1 - player;
}

/* The lowest score that does not end the game. */
static int lowest_score(const BoxSolver *solver) {
    return solver->rules.shut_scores_0 ? 0 : 1;
}

/* How many scores there are from there on. */
static size_t score_count(const BoxSolver *solver) {
    return (size_t)(solver->total + 1 - lowest_score(solver));
}

/* The components of `player`'s full box when `holders` players hold `best`. */
static double *start_of(const BoxSolver *solver, int player, int best, int holders) {
    size_t count = (size_t)component_count(&solver->rules, player);
    size_t row =
        (size_t)(holders - 1) * score_count(solver) + (size_t)(best - lowest_score(solver));
    return solver->starts[player] + row * count;
}

/* The components after `player`, facing (best, holders), is stuck with `score`. */
static void stuck_components(const BoxSolver *solver, int player, int best, int holders, int score,
                             double components[COMPONENTS_MAX]) {
    int next = player + 1;
    bool leads = holders == 0 || score < best;
    bool shares = holders > 0 && score == best;
    int new_best = leads ? score : best;
    int new_holders = leads ? 1 : holders + shares;
    double share = 1.0 / new_holders;
    if (next < solver->rules.players) {
        const double *start = start_of(solver, next, new_best, new_holders);
        share = start[HOLDER];
        components[LATER] = start[OWN];
        for (int i = LATER; i < component_count(&solver->rules, next); i++)
            components[i + 1] = start[i];
    }
    components[OWN] = leads || shares ? share : 0;
    components[HOLDER] = leads ? 0 : share;
}

/* --- one turn, for several values of `best` at once --- */

typedef struct TurnTask {
    const BoxSolver *solver;
    int player, holders;
    int best; /* of the first lane; the next lane is one higher */
    size_t lanes;
    size_t components;
    double *table;      /* a row of components * lanes numbers for each set */
    Progress *progress; /* NULL, or receives how many open sets are done */
    double *stuck;      /* such a row for each score; not used by a player alone */
} TurnTask;

static size_t row_length(const TurnTask *task) {
    return task->components * task->lanes;
}

static void fill_stuck_rows(const TurnTask *task) {
    double components[COMPONENTS_MAX] = {0};
    for (int score = lowest_score(task->solver); score <= task->solver->total; score++) {
        double *row = task->stuck + (size_t)score * row_length(task);
        for (size_t lane = 0; lane < task->lanes; lane++) {
            stuck_components(task->solver, task->player, task->best + (int)lane, task->holders,
                             score, components);
            for (size_t c = 0; c < task->components; c++)
                row[c * task->lanes + lane] = components[c];
        }
    }
}

/* Replaces `choice` by `rival` in each lane where that is better for the player who moves. */
static inline void choose_better(double *restrict choice, const double *restrict rival,
                                 size_t components, size_t lanes, int64_t *restrict better) {
    for (size_t i = 0; i < lanes; i++)
        better[i] = solver_exceeds(rival[i], choice[i]) ? -1 : 0;
    for (size_t i = 0; i < lanes; i++)
        choice[i] = rival[i] > choice[i] ? rival[i] : choice[i];
    for (size_t c = 1; c < components; c++)
        for (size_t i = 0; i < lanes; i++)
            choice[c * lanes + i] = better[i] ? rival[c * lanes + i] : choice[c * lanes + i];
}

/* The row after the best move for `roll`, or NULL if no set fits. It is a row of the table, or
 * `choice` if lanes had to be mixed. */
static inline const double *best_row(const TurnTask *task, size_t components, size_t lanes,
                                     TileSet open, int roll, double *choice, int64_t *better) {
    const BoxSolver *solver = task->solver;
    const double *best = NULL;
    for (size_t i = solver->sets_of[roll]; i < solver->sets_of[roll + 1]; i++) {
        TileSet set = solver->sets[i];
        if (set & ~open)
            continue;
        const double *row = task->table + (size_t)(open ^ set) * components * lanes;
        if (!best) {
            best = row;
            continue;
        }
        if (best != choice)
            memcpy(choice, best, components * lanes * sizeof *choice);
        choose_better(choice, row, components, lanes, better);
        best = choice;
    }
    return best;
}

static bool is_stopped(const BoxSolver *solver) {
    return solver->stop && *solver->stop;
}

static Status stopped(void) {
    return status_make(STATUS_STOPPED, "stopped");
}

/* Computes the row of every open set, unless stopped. `components` and `lanes` are those of the
 * task, passed separately so that callers can make them constants. */
static inline void solve_rows(const TurnTask *task, size_t components, size_t lanes,
                              double *scratch) {
    const BoxSolver *solver = task->solver;
    const BoxRules *rules = &solver->rules;
    size_t length = components * lanes;
    double *choice = scratch;
    double *alone = scratch + length;
    int64_t *better = (int64_t *)(void *)(scratch + 2 * length);
    bool stops_early = rules->players > 1 && task->player == rules->players - 1;

    for (size_t i = 0; i < length; i++)
        task->table[i] = i < lanes ? 1 : 0;
    if (rules->players == 1)
        task->table[0] = solver->sense * box_solo_payoff(rules, 0);
    else if (rules->shut_scores_0)
        memcpy(task->table, task->stuck, length * sizeof *task->table);

    for (TileSet open = 1; open <= box_all_tiles(rules); open++) {
        double *row = task->table + (size_t)open * length;
        int sum = solver->sums[open];
        int throw = box_dice(rules, open) == 1 ? 0 : 1;
        const double *stuck = alone;
        if (rules->players == 1)
            alone[0] = solver->sense * box_solo_payoff(rules, open);
        else
            stuck = task->stuck + (size_t)sum * length;

        for (size_t i = 0; i < length; i++)
            row[i] = 0;
        for (int roll = solver->throws[throw].low; roll <= solver->throws[throw].high; roll++) {
            bool is_lost = rules->two_to_go && roll == 2 && open == box_all_tiles(rules);
            const double *best =
                is_lost ? NULL : best_row(task, components, lanes, open, roll, choice, better);
            const double *result = best ? best : stuck;
            double weight = solver->throws[throw].weights[roll];
            for (size_t i = 0; i < length; i++)
                row[i] += weight * result[i];
        }
        for (size_t i = 0; i < length; i++)
            row[i] /= solver->throws[throw].denominator;
        if (open % REPORT_EVERY == 0)
            progress_report(task->progress, open, box_all_tiles(rules));
        if (open % STOP_EVERY == 0 && is_stopped(solver))
            return;
        if (stops_early) {
            for (size_t lane = 0; lane < lanes; lane++) {
                if (sum < task->best + (int)lane) {
                    row[OWN * lanes + lane] = 1;
                    row[HOLDER * lanes + lane] = 0;
                }
            }
        }
    }
}

static size_t scratch_length(const TurnTask *task) {
    return 2 * row_length(task) + task->lanes;
}

static void solve_turn(const TurnTask *task, double *scratch) {
    if (task->solver->rules.players > 1)
        fill_stuck_rows(task);
    if (task->components == 1 && task->lanes == 1)
        solve_rows(task, 1, 1, scratch);
    else if (task->components == 2)
        solve_rows(task, 2, task->lanes, scratch);
    else
        solve_rows(task, task->components, task->lanes, scratch);
}

/* --- memory --- */

static size_t task_bytes(const BoxSolver *solver, size_t components, size_t lanes) {
    size_t rows = ((size_t)1 << solver->rules.tiles) + (size_t)solver->total + 1 + 3;
    return rows * components * lanes * sizeof(double);
}

/* How many triples (player, best, holders) there are: one for the first player, and for each later
 * one every best score with every number of holders among those before. */
static size_t slot_count(const BoxRules *rules) {
    size_t scores = (size_t)box_sum(box_all_tiles(rules)) + rules->shut_scores_0;
    size_t players = (size_t)rules->players;
    return 1 + scores * (players * (players - 1) / 2);
}

/* The memory besides the tables of turns: mainly the sums of all sets. */
static size_t fixed_bytes(const BoxRules *rules) {
    size_t total = (size_t)box_sum(box_all_tiles(rules)) + rules->shut_scores_0;
    size_t players = (size_t)rules->players;
    return ((size_t)1 << rules->tiles) * sizeof(uint16_t) +
           players * players * total * COMPONENTS_MAX * sizeof(double) / 2 +
           slot_count(rules) * sizeof(TurnSlot);
}

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* Whether one lane of a turn of `player` fits into the limit. The first player needs most. */
static Status check_memory(const BoxSolver *solver, int player) {
    size_t components = (size_t)component_count(&solver->rules, player);
    size_t bytes = fixed_bytes(&solver->rules) + task_bytes(solver, components, 1);
    if (bytes <= solver->memory_bytes)
        return status_ok();
    return status_make(
        STATUS_UNSUPPORTED,
        "%d tiles for %d players need %.1f MB, more than the memory limit of %.1f MB",
        solver->rules.tiles, solver->rules.players, (double)bytes / (1 << 20),
        (double)solver->memory_bytes / (1 << 20));
}

/* One allocation holds the table, the stuck rows and the scratch space, in this order. */
static Status task_allocate(TurnTask *task, double **scratch) {
    const BoxSolver *solver = task->solver;
    task->table = malloc(task_bytes(solver, task->components, task->lanes));
    if (!task->table)
        return out_of_memory();
    task->stuck = task->table + ((size_t)1 << solver->rules.tiles) * row_length(task);
    *scratch = task->stuck + ((size_t)solver->total + 1) * row_length(task);
    assert(scratch_length(task) <= 3 * row_length(task));
    return status_ok();
}

/* --- the turns kept --- */

static TurnSlot *turn_slot(const BoxSolver *solver, int player, int best, int holders) {
    if (player == 0)
        return &solver->turns[0];
    assert(player < solver->rules.players && best >= lowest_score(solver) &&
           best <= solver->total && holders >= 1 && holders <= player);
    size_t rows = (size_t)(player * (player - 1) / 2 + holders - 1);
    return &solver->turns[1 + rows * score_count(solver) + (size_t)(best - lowest_score(solver))];
}

static void drop_turn(BoxSolver *solver, TurnSlot *slot) {
    free(slot->table);
    solver->turn_bytes -= slot->bytes;
    *slot = (TurnSlot){.table = NULL};
}

/* Drops the least recently used turn; false if none is kept. */
static bool drop_oldest_turn(BoxSolver *solver) {
    TurnSlot *oldest = NULL;
    for (size_t i = 0; i < solver->turn_count; i++) {
        TurnSlot *slot = &solver->turns[i];
        if (slot->table && (!oldest || slot->used < oldest->used))
            oldest = slot;
    }
    if (oldest)
        drop_turn(solver, oldest);
    return oldest != NULL;
}

static void drop_all_turns(BoxSolver *solver) {
    for (size_t i = 0; i < solver->turn_count; i++)
        drop_turn(solver, &solver->turns[i]);
}

/* --- the starts of the later players --- */

static size_t lanes_at_once(const BoxSolver *solver, size_t components) {
    size_t lanes = BLOCK_BYTES / task_bytes(solver, components, 1);
    if (lanes < LANES_MIN)
        lanes = LANES_MIN;
    size_t room = solver->memory_bytes - fixed_bytes(&solver->rules);
    while (lanes > 1 && task_bytes(solver, components, lanes) > room)
        lanes--;
    return lanes < score_count(solver) ? lanes : score_count(solver);
}

static Status solve_starts_of(BoxSolver *solver, int player) {
    size_t components = (size_t)component_count(&solver->rules, player);
    size_t full = box_all_tiles(&solver->rules);
    TurnTask task = {.solver = solver,
                     .player = player,
                     .components = components,
                     .lanes = lanes_at_once(solver, components)};
    size_t lanes_max = task.lanes;
    double *scratch = NULL;
    Status status = task_allocate(&task, &scratch);
    if (!status_is_ok(&status))
        return status;
    size_t rows = (size_t)player * score_count(solver);
    solver->starts[player] = malloc(rows * components * sizeof(double));
    if (!solver->starts[player]) {
        free(task.table);
        return out_of_memory();
    }
    progress_start(solver->progress, "solving");
    uint64_t done = 0;
    for (task.holders = 1; task.holders <= player; task.holders++) {
        for (task.best = lowest_score(solver); task.best <= solver->total;
             task.best += (int)task.lanes) {
            size_t left = (size_t)solver->total + 1 - (size_t)task.best;
            task.lanes = left < lanes_max ? left : lanes_max;
            solve_turn(&task, scratch);
            for (size_t lane = 0; lane < task.lanes; lane++) {
                double *start = start_of(solver, player, task.best + (int)lane, task.holders);
                const double *row = task.table + full * row_length(&task);
                for (size_t c = 0; c < components; c++)
                    start[c] = row[c * task.lanes + lane];
            }
            done += task.lanes;
            progress_report(solver->progress, done, rows);
            if (is_stopped(solver)) {
                free(task.table);
                free(solver->starts[player]);
                solver->starts[player] = NULL;
                return stopped();
            }
        }
        task.lanes = lanes_max;
    }
    progress_finish(solver->progress);
    free(task.table);
    return status_ok();
}

/* --- queries --- */

/* Solves the starts of all players after `player`, the last one first. */
static Status solve_later_starts(BoxSolver *solver, int player) {
    for (int later = solver->rules.players - 1; later > player; later--) {
        if (solver->starts[later])
            continue;
        drop_all_turns(solver); /* at most once for each player, and leaves all memory free */
        Status status = solve_starts_of(solver, later);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

/* Solves the turn of a slot and keeps its table, dropping others while there is no room. */
static Status fill_turn_slot(BoxSolver *solver, TurnSlot *slot, int player, int best, int holders) {
    size_t components = (size_t)component_count(&solver->rules, player);
    size_t bytes = task_bytes(solver, components, 1);
    Status status = check_memory(solver, player);
    if (status_is_ok(&status))
        status = solve_later_starts(solver, player);
    if (!status_is_ok(&status))
        return status;
    size_t room = solver->memory_bytes - fixed_bytes(&solver->rules);
    while (solver->turn_bytes + bytes > room)
        drop_oldest_turn(solver);
    TurnTask task = {.solver = solver,
                     .player = player,
                     .best = best,
                     .holders = holders,
                     .lanes = 1,
                     .components = components};
    double *scratch = NULL;
    do
        status = task_allocate(&task, &scratch);
    while (!status_is_ok(&status) && drop_oldest_turn(solver));
    if (!status_is_ok(&status))
        return status;
    task.progress = solver->progress;
    progress_start(task.progress, "solving");
    solve_turn(&task, scratch);
    progress_finish(task.progress);
    if (is_stopped(solver)) {
        free(task.table);
        return stopped();
    }
    *slot = (TurnSlot){.table = task.table, .bytes = bytes};
    solver->turn_bytes += bytes;
    return status_ok();
}

static Status box_values(Solver *base, const State *state, double values[]) {
    BoxSolver *solver = (BoxSolver *)base;
    const BoxRules *rules = &solver->rules;
    BoxState s = box_state(state);
    if (box_actor(&solver->packed_rules, state) == GAME_END) {
        box_payoff(&solver->packed_rules, state, values);
        return status_ok();
    }
    assert(s.player < rules->players && s.open != 0 && (s.open & ~box_all_tiles(rules)) == 0);
    int best, holders;
    box_best_score(&s, &best, &holders);
    TurnSlot *slot = turn_slot(solver, s.player, best, holders);
    if (!slot->table) {
        Status status = fill_turn_slot(solver, slot, s.player, best, holders);
        if (!status_is_ok(&status))
            return status;
    }
    slot->used = ++solver->clock;

    size_t components = (size_t)component_count(rules, s.player);
    TurnTask turn = {.solver = solver, .components = components, .table = slot->table};
    double choice[COMPONENTS_MAX];
    int64_t better;
    const double *row = turn.table + s.open * components;
    if (s.roll > 0)
        row = best_row(&turn, components, 1, s.open, s.roll, choice, &better);
    assert(row);
    for (int i = 0; i < rules->players; i++) {
        if (i < s.player)
            values[i] = s.scores[i] == best ? row[HOLDER] : 0;
        else if (i == s.player)
            values[i] = solver->sense * row[OWN] + 0.0; /* never -0 */
        else
            values[i] = row[LATER + i - s.player - 1];
    }
    return status_ok();
}

static void box_solver_free(Solver *base) {
    BoxSolver *solver = (BoxSolver *)base;
    for (int i = 0; i < BOX_PLAYERS_MAX; i++)
        free(solver->starts[i]);
    drop_all_turns(solver);
    free(solver->turns);
    free(solver->sums);
    free(solver->sets);
    free(solver);
}

/* Lists the sets of each sum that can be rolled, preferred ones first. */
static bool list_all_sets(BoxSolver *solver) {
    BoxState full = {.open = box_all_tiles(&solver->rules)};
    size_t count = 0, capacity = 0;
    for (int sum = 1; sum <= solver->throws[1].high; sum++) {
        if (capacity < count + GAME_MOVES_MAX) {
            capacity = 2 * (count + GAME_MOVES_MAX);
            TileSet *larger = realloc(solver->sets, capacity * sizeof *larger);
            if (!larger)
                return false;
            solver->sets = larger;
        }
        full.roll = (uint8_t)sum;
        State state = box_state_pack(&full);
        solver->sets_of[sum] = count;
        count += box_moves(&solver->packed_rules, &state, solver->sets + count);
        solver->sets_of[sum + 1] = count;
    }
    return true;
}

static bool list_all_sums(BoxSolver *solver) {
    size_t count = (size_t)1 << solver->rules.tiles;
    solver->sums = malloc(count * sizeof *solver->sums);
    if (!solver->sums)
        return false;
    solver->sums[0] = 0;
    for (TileSet set = 1; set < count; set++)
        solver->sums[set] = (uint16_t)(solver->sums[set & (set - 1)] + __builtin_ctz(set) + 1);
    return true;
}

Status box_solver_check(const Rules *rules) {
    BoxRules box = box_rules(rules);
    return box_is_single(&box) ? status_ok() : box_rounds_solver_check(rules);
}

Status box_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    BoxRules given = box_rules(rules);
    if (!box_is_single(&given))
        return box_rounds_solver_new(rules, limits, solver);
    BoxSolver *box = calloc(1, sizeof *box);
    if (!box)
        return out_of_memory();
    box->packed_rules = *rules;
    box->rules = box_rules(rules);
    box->memory_bytes = limits->memory_bytes;
    box->progress = limits->progress;
    box->stop = limits->stop;
    box->total = box_sum(box_all_tiles(&box->rules));
    box->sense = box_value_info(rules).lower_is_better ? -1 : 1;
    for (int i = 0; i < 2; i++) {
        uint64_t weights[BOX_ROLL_MAX + 1];
        int dice = i == 0 ? 1 : box->rules.dice;
        box->throws[i].denominator = (double)box_roll_weights(&box->rules, dice, weights);
        for (int roll = 0; roll <= BOX_ROLL_MAX; roll++)
            box->throws[i].weights[roll] = (double)weights[roll];
        box->throws[i].low = dice;
        box->throws[i].high = dice * box->rules.sides;
    }
    int rolls = box->throws[1].high - box->throws[1].low + 1;
    int chance_nodes = (box->rules.tiles + 1) * box->rules.players;
    double largest = box->rules.aim == BOX_AIM_SHUT
                         ? 1
                         : box_solo_payoff(&box->rules, box_all_tiles(&box->rules));
    double a_node = largest * (rolls + 2) * (DBL_EPSILON / 2);
    if (box->rules.players > 1)
        a_node += SOLVER_TIE;
    box->base = (Solver){.method = "backward induction on bit masks",
                         .error = chance_nodes * a_node,
                         .values = box_values,
                         .free = box_solver_free};
    Status status = check_memory(box, box->rules.players - 1);
    if (!status_is_ok(&status)) {
        box_solver_free(&box->base);
        return status;
    }
    box->turns = calloc(slot_count(&box->rules), sizeof *box->turns);
    if (box->turns)
        box->turn_count = slot_count(&box->rules);
    if (!box->turns || !list_all_sets(box) || !list_all_sums(box)) {
        box_solver_free(&box->base);
        return out_of_memory();
    }
    *solver = &box->base;
    return status_ok();
}
