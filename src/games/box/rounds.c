/* Exact values of games of several rounds for two players.
 *
 * One player's gain is the other's loss, so a position has one number: player 0's chance of
 * winning. Between two turns it depends on the round and the two totals, or, without a limit, on
 * the round and the difference of the totals alone:
 *
 *     before_0[round][a][b]    player 0 is about to begin a turn
 *     before_1[round][a][b]    player 1 is, and a includes what player 0 scored in this round
 *
 * A turn is solved like that of a single player who is paid by what follows: `stuck[score]`, and
 * `shut`. All turns share the lists of sets that fit. A round follows from the next one, and player
 * 0's turn from player 1's. If the number of rounds is not limited, every score is at least 1, so
 * totals only grow and turns are solved from the largest sum of totals down.
 *
 * Nine tiles and a limit of 100 are 24,500 turns, 0.3 seconds.
 */
#include <assert.h>
#include <float.h>
#include <stdlib.h>

#include "games/box/fits.h"

/* More than this many sets examined in all would take minutes. */
#define WORK_MAX ((uint64_t)1 << 34)

typedef struct Rounds {
    Solver base;
    Rules packed_rules;
    BoxRules rules;
    Progress *progress;
    const StopFlag *stop;
    int total;          /* the sum of all tiles */
    int layers;         /* rounds that are told apart */
    int span_a, span_b; /* values of the two indices */
    double *before[2];  /* see above; NULL while not solved */
    BoxFits fits;
    double *stuck;       /* what each score of the turn being solved is worth */
    double *table;       /* of the turn solved last: the value to its player of each open set */
    BoxState table_turn; /* a state of that turn */
    bool has_turn;       /* whether there is one */
} Rounds;

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

static size_t cell_count(const Rounds *rounds) {
    return (size_t)rounds->layers * (size_t)rounds->span_a * (size_t)rounds->span_b;
}

/* The cell of `before`. With a limit the indices are the totals, otherwise their difference. */
static size_t cell(const Rounds *rounds, int layer, int a, int b) {
    int difference = a - b + rounds->span_a / 2;
    size_t at = rounds->rules.limit > 0 ? (size_t)a * (size_t)rounds->span_b + (size_t)b
                                        : (size_t)difference;
    assert(at < (size_t)rounds->span_a * (size_t)rounds->span_b);
    return (size_t)layer * (size_t)rounds->span_a * (size_t)rounds->span_b + at;
}

/* Player 0's chance after a round with these totals. */
static double after_round(const Rounds *rounds, int layer, int a, int b) {
    if (box_ends_after(&rounds->rules, layer + 1, (const int[]){a, b}))
        return a < b ? 1 : a == b ? 0.5 : 0;
    return rounds->before[0][cell(rounds, rounds->rules.rounds > 0 ? layer + 1 : 0, a, b)];
}

/* What the player of a turn gets for a score. */
static double worth_of_score(const Rounds *rounds, int player, int layer, int a, int b, int score) {
    if (player == 0)
        return rounds->before[1][cell(rounds, layer, a + score, b)];
    return 1 - after_round(rounds, layer, a, b + score);
}

static double best_after(const Rounds *rounds, TileSet open, int roll) {
    BoxFit fit = box_fits_after(&rounds->fits, open, roll);
    double best = -1;
    for (size_t i = 0; i < fit.count; i++)
        if (rounds->table[fit.sets[i]] > best)
            best = rounds->table[fit.sets[i]];
    return best;
}

/* Solves a turn into the table and returns the value to its player of the full box. */
static double solve_turn(Rounds *rounds, int player, int layer, int a, int b) {
    const BoxRules *rules = &rounds->rules;
    TileSet all = box_all_tiles(rules);
    for (int score = rules->shut_scores_0 ? 0 : 1; score <= rounds->total; score++)
        rounds->stuck[score] = worth_of_score(rounds, player, layer, a, b, score);
    rounds->table[0] = rules->shut_scores_0 ? rounds->stuck[0] : 1;
    for (TileSet open = 1; open <= all; open++) {
        int dice = box_dice(rules, open);
        const double *weights = box_fits_weights(&rounds->fits, dice);
        double sum = 0, stuck = rounds->stuck[box_sum(open)];
        for (int roll = dice; roll <= dice * rules->sides; roll++) {
            double best = best_after(rounds, open, roll);
            sum += weights[roll] * (best < 0 ? stuck : best);
        }
        rounds->table[open] = sum;
    }
    return rounds->table[all];
}

/* Solves player 1's and then player 0's turn before the totals a and b, where these are possible.
 */
static void solve_cell(Rounds *rounds, int layer, int a, int b) {
    rounds->before[1][cell(rounds, layer, a, b)] = 1 - solve_turn(rounds, 1, layer, a, b);
    if (a < rounds->rules.limit)
        rounds->before[0][cell(rounds, layer, a, b)] = solve_turn(rounds, 0, layer, a, b);
}

/* All totals of a round, the largest sums first. */
static Status solve_layer_of_totals(Rounds *rounds, int layer) {
    int largest = rounds->span_a + rounds->span_b - 2;
    for (int sum = largest; sum >= 0; sum--) {
        for (int b = 0; b < rounds->span_b && b <= sum; b++)
            if (sum - b < rounds->span_a)
                solve_cell(rounds, layer, sum - b, b);
        int done = (rounds->layers - 1 - layer) * (largest + 1) + largest + 1 - sum;
        progress_report(rounds->progress, (uint64_t)done,
                        (uint64_t)rounds->layers * (uint64_t)(largest + 1));
        if (rounds->stop && *rounds->stop)
            return status_make(STATUS_STOPPED, "stopped");
    }
    return status_ok();
}

/* All differences that this round can begin with. */
static Status solve_layer_of_differences(Rounds *rounds, int layer) {
    int most = layer * rounds->total;
    for (int d = -most; d <= most + rounds->total; d++)
        rounds->before[1][cell(rounds, layer, d, 0)] = 1 - solve_turn(rounds, 1, layer, d, 0);
    for (int d = -most; d <= most; d++)
        rounds->before[0][cell(rounds, layer, d, 0)] = solve_turn(rounds, 0, layer, d, 0);
    progress_report(rounds->progress, (uint64_t)(rounds->layers - layer), (uint64_t)rounds->layers);
    return rounds->stop && *rounds->stop ? status_make(STATUS_STOPPED, "stopped") : status_ok();
}

static void forget(Rounds *rounds) {
    for (int i = 0; i < 2; i++) {
        free(rounds->before[i]);
        rounds->before[i] = NULL;
    }
}

static Status solve_all(Rounds *rounds) {
    Status status = status_ok();
    for (int i = 0; i < 2; i++)
        rounds->before[i] = calloc(cell_count(rounds), sizeof *rounds->before[i]);
    if (!rounds->before[0] || !rounds->before[1])
        status = out_of_memory();
    progress_start(rounds->progress, "solving");
    for (int layer = rounds->layers - 1; layer >= 0 && status_is_ok(&status); layer--)
        status = rounds->rules.limit > 0 ? solve_layer_of_totals(rounds, layer)
                                         : solve_layer_of_differences(rounds, layer);
    progress_finish(rounds->progress);
    if (!status_is_ok(&status))
        forget(rounds);
    return status;
}

/* Whether the table holds the turn of this state. */
static bool has_turn(const Rounds *rounds, const BoxState *s) {
    const BoxState *turn = &rounds->table_turn;
    return rounds->has_turn && turn->player == s->player && turn->round == s->round &&
           turn->scores[0] == s->scores[0] &&
           memcmp(turn->totals, s->totals, sizeof s->totals) == 0;
}

static Status values(Solver *base, const State *state, double values[]) {
    Rounds *rounds = (Rounds *)base;
    BoxState s = box_state(state);
    if (box_actor(&rounds->packed_rules, state) == GAME_END) {
        box_payoff(&rounds->packed_rules, state, values);
        return status_ok();
    }
    if (!rounds->before[0]) {
        Status status = solve_all(rounds);
        rounds->has_turn = false;
        if (!status_is_ok(&status))
            return status;
    }
    if (!has_turn(rounds, &s)) {
        solve_turn(rounds, s.player, s.round, s.totals[0] + s.scores[0], s.totals[1]);
        rounds->table_turn = s;
        rounds->has_turn = true;
    }
    double own = s.roll > 0 ? best_after(rounds, s.open, s.roll) : rounds->table[s.open];
    values[s.player] = own;
    values[1 - s.player] = 1 - own;
    return status_ok();
}

static void free_solver(Solver *base) {
    Rounds *rounds = (Rounds *)base;
    forget(rounds);
    box_fits_free(&rounds->fits);
    free(rounds->stuck);
    free(rounds->table);
    free(rounds);
}

/* Whether the work is a matter of seconds. */
static Status check_work(const Rounds *rounds) {
    uint64_t turns = 2 * (uint64_t)cell_count(rounds), sets = (uint64_t)1 << rounds->rules.tiles;
    uint64_t rolls = box_roll_max(&rounds->rules, rounds->rules.dice);
    if (turns > WORK_MAX / (sets * rolls))
        return status_make(STATUS_UNSUPPORTED,
                           "%d tiles are too many for exact values of several rounds with these "
                           "rules",
                           rounds->rules.tiles);
    return status_ok();
}

static Status check_memory(const Rounds *rounds, const SolveLimits *limits) {
    uint64_t bytes = 2 * cell_count(rounds) * sizeof(double) + box_fits_bytes(&rounds->rules);
    if (bytes > limits->memory_bytes)
        return status_make(STATUS_UNSUPPORTED, "several rounds need %.1f MB of memory",
                           (double)bytes / (1 << 20));
    return status_ok();
}

static void set_sizes(Rounds *rounds) {
    const BoxRules *rules = &rounds->rules;
    rounds->layers = rules->rounds > 0 ? rules->rounds : 1;
    rounds->span_a = 2 * (rounds->layers + 1) * rounds->total + 1;
    rounds->span_b = 1;
    if (rules->limit > 0) {
        rounds->span_a = rules->limit + rounds->total;
        rounds->span_b = rules->limit;
    }
}

/* What follows from the rules. */
static void set_rules(Rounds *rounds, const Rules *rules) {
    rounds->packed_rules = *rules;
    rounds->rules = box_rules(rules);
    rounds->total = box_sum(box_all_tiles(&rounds->rules));
    set_sizes(rounds);
}

Status box_rounds_solver_check(const Rules *rules) {
    if (box_player_count(rules) > 2)
        return box_many_solver_check(rules);
    Rounds rounds = {.total = 0};
    set_rules(&rounds, rules);
    return check_work(&rounds);
}

Status box_rounds_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    if (box_player_count(rules) > 2)
        return box_many_solver_new(rules, limits, solver);
    Rounds *rounds = calloc(1, sizeof *rounds);
    if (!rounds)
        return out_of_memory();
    set_rules(rounds, rules);
    rounds->progress = limits->progress;
    rounds->stop = limits->stop;
    int turns = 2 * (rounds->rules.rounds > 0 ? rounds->rules.rounds : rounds->rules.limit);
    double rolls = (double)box_roll_max(&rounds->rules, rounds->rules.dice);
    rounds->base =
        (Solver){.method = "backward induction over rounds and totals",
                 .error = turns * (rounds->rules.tiles + 1) * (rolls + 3) * (DBL_EPSILON / 2),
                 .values = values,
                 .free = free_solver};
    Status status = check_work(rounds);
    if (status_is_ok(&status))
        status = check_memory(rounds, limits);
    if (status_is_ok(&status)) {
        rounds->stuck = malloc(((size_t)rounds->total + 1) * sizeof *rounds->stuck);
        rounds->table = malloc(((size_t)1 << rounds->rules.tiles) * sizeof *rounds->table);
        if (!rounds->stuck || !rounds->table || !box_fits_list(&rounds->rules, &rounds->fits))
            status = out_of_memory();
    }
    if (!status_is_ok(&status)) {
        free_solver(&rounds->base);
        return status;
    }
    *solver = &rounds->base;
    return status;
}
