/* The graph of reachable states: state i of the map is nodes[i], and its choices are the `count`
 * edges from `first` on. Bounds are for the value to the first player. */
#include "kernel/iteration.h"

#include <float.h>
#include <stdlib.h>

#include "kernel/state_map.h"

enum { UNKNOWN = -3 }; /* an actor in addition to those of game.h: the state is not explored */

typedef struct Node {
    IterationBounds bounds;
    size_t first;
    uint32_t count;
    int16_t actor;
    uint16_t chances; /* chance events in a row that led here when the state was found */
} Node;

typedef struct Edge {
    double chance;
    uint32_t to; /* STATE_MAP_NONE: no room for the successor */
} Edge;

typedef struct Iteration {
    Solver base;
    Variant variant;
    IterationPlan plan;
    SolveLimits limits;
    bool lower_is_better;
    double sum; /* of both players' payoffs; NAN until a finished game is found */
    StateMap map;
    Node *nodes;
    size_t node_capacity;
    Edge *edges;
    size_t edge_count, edge_capacity;
    size_t explored; /* the first state not yet explored */
    bool settled;    /* nothing has changed since the last sweep */
} Iteration;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static bool is_stopped(const Iteration *iteration) {
    return iteration->limits.stop && *iteration->limits.stop;
}

static Status stopped(void) {
    return status_make(STATUS_STOPPED, "stopped");
}

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* --- the graph --- */

static Status grow_nodes(Iteration *iteration) {
    size_t capacity = iteration->node_capacity ? 2 * iteration->node_capacity : 1024;
    Node *nodes = realloc(iteration->nodes, capacity * sizeof *nodes);
    if (!nodes)
        return out_of_memory();
    iteration->nodes = nodes;
    iteration->node_capacity = capacity;
    return status_ok();
}

/* Finds or adds the state; a new one gets the widest bounds. `number` is STATE_MAP_NONE if there is
 * no room. */
static Status add_state(Iteration *iteration, const State *state, int chances, uint32_t *number) {
    const IterationPlan *plan = &iteration->plan;
    bool added;
    if (iteration->map.count == iteration->node_capacity) {
        Status status = grow_nodes(iteration);
        if (!status_is_ok(&status))
            return status;
    }
    *number = state_map_add(&iteration->map, state, &added);
    if (added)
        iteration->nodes[*number] = (Node){.bounds = {plan->lowest, plan->highest},
                                           .actor = UNKNOWN,
                                           .chances = (uint16_t)chances};
    return status_ok();
}

/* Lists the choices at a state: moves, or chance events with their probabilities. */
static uint32_t list_choices(const Variant *variant, const State *state, int actor, Move moves[],
                             double likely[]) {
    const Game *game = variant->game;
    if (actor != GAME_CHANCE)
        return (uint32_t)game->tree.moves(&variant->rules, state, moves);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    size_t count = game->tree.chances(&variant->rules, state, chances, &denominator);
    for (size_t i = 0; i < count; i++) {
        moves[i] = chances[i].move;
        likely[i] = (double)chances[i].weight / (double)denominator;
    }
    return (uint32_t)count;
}

/* Makes room for `more` edges; `fits` is false if the memory limit does not allow it. Half of the
 * limit is for the map, the rest for nodes and edges. */
static Status grow_edges(Iteration *iteration, size_t more, bool *fits) {
    *fits = true;
    if (iteration->edge_count + more <= iteration->edge_capacity)
        return status_ok();
    size_t capacity = 2 * iteration->edge_capacity + GAME_MOVES_MAX;
    *fits = capacity * sizeof(Edge) + 2 * iteration->node_capacity * sizeof(Node) <=
            iteration->limits.memory_bytes / 2;
    Edge *edges = *fits ? realloc(iteration->edges, capacity * sizeof *edges) : NULL;
    if (!edges)
        return *fits ? out_of_memory() : status_ok();
    iteration->edges = edges;
    iteration->edge_capacity = capacity;
    return status_ok();
}

static Status add_edges(Iteration *iteration, uint32_t number, const State *state, int actor) {
    Move moves[GAME_MOVES_MAX];
    double likely[GAME_CHANCES_MAX];
    const Variant *variant = &iteration->variant;
    uint32_t count = list_choices(variant, state, actor, moves, likely);
    int chances = actor == GAME_CHANCE ? iteration->nodes[number].chances + 1 : 0;
    bool fits;
    Status status = grow_edges(iteration, count, &fits);
    if (!status_is_ok(&status) || !fits)
        return status;
    size_t first = iteration->edge_count;
    for (uint32_t i = 0; i < count && status_is_ok(&status); i++) {
        State next = *state;
        Edge *edge = &iteration->edges[first + i];
        variant->game->tree.apply(&variant->rules, &next, moves[i]);
        edge->chance = actor == GAME_CHANCE ? likely[i] : 1;
        status = add_state(iteration, &next, chances, &edge->to);
    }
    if (!status_is_ok(&status))
        return status;
    iteration->edge_count += count;
    Node *node = &iteration->nodes[number];
    node->first = first;
    node->count = count;
    node->actor = (int16_t)actor;
    return status;
}

/* Records the payoff of a finished game, or refuses it if this solver cannot handle it. */
static Status add_end(Iteration *iteration, Node *node, const State *state) {
    const Variant *variant = &iteration->variant;
    const Game *game = variant->game;
    double payoffs[GAME_PLAYERS_MAX];
    game->tree.payoff(&variant->rules, state, payoffs);
    if (payoffs[0] < iteration->plan.lowest || payoffs[0] > iteration->plan.highest)
        return status_make(STATUS_UNSUPPORTED, "%s: a payoff of %g is not from %g to %g",
                           game->identity.name, payoffs[0], iteration->plan.lowest,
                           iteration->plan.highest);
    double sum = game->rules.player_count(&variant->rules) == 2 ? payoffs[0] + payoffs[1] : 0;
    if (isnan(iteration->sum))
        iteration->sum = sum;
    if (solver_exceeds(sum, iteration->sum) || solver_exceeds(iteration->sum, sum))
        return status_make(STATUS_UNSUPPORTED, "%s: not a constant-sum game", game->identity.name);
    node->bounds = (IterationBounds){payoffs[0], payoffs[0]};
    node->actor = GAME_END;
    return status_ok();
}

/* Adds the successors of a state, unless it is beyond the limit of chance events. */
static Status explore_state(Iteration *iteration, uint32_t number) {
    State state = iteration->map.states[number];
    Node *node = &iteration->nodes[number];
    if (node->actor != UNKNOWN)
        return status_ok();
    iteration->settled = false;
    int actor = iteration->variant.game->tree.actor(&iteration->variant.rules, &state);
    if (actor == GAME_END)
        return add_end(iteration, node, &state);
    if (actor == GAME_CHANCE && node->chances >= iteration->plan.chances_max)
        return status_ok();
    return add_edges(iteration, number, &state, actor);
}

/* Explores everything reachable from `root`, and what an earlier call left unexplored. */
static Status explore_from(Iteration *iteration, uint32_t root) {
    /* The root is always explored, however many chance events led to it before. */
    if (iteration->nodes[root].actor == UNKNOWN)
        iteration->nodes[root].chances = 0;
    Status status = explore_state(iteration, root);
    /* The map itself is the queue: states are numbered in the order in which they were found. */
    while (status_is_ok(&status) && iteration->explored < iteration->map.count) {
        size_t number = iteration->explored;
        if (number % 1024 == 0)
            progress_report(iteration->limits.progress, number, 0);
        if (is_stopped(iteration))
            return stopped();
        status = explore_state(iteration, (uint32_t)number);
        if (status_is_ok(&status))
            iteration->explored++;
    }
    return status;
}

/* --- the bounds --- */

static IterationBounds bounds_at(const Iteration *iteration, uint32_t number) {
    if (number == STATE_MAP_NONE)
        return (IterationBounds){iteration->plan.lowest, iteration->plan.highest};
    return iteration->nodes[number].bounds;
}

/* The mean over the chance events, widened by the rounding error: each weight, product and sum has
 * a relative error of at most DBL_EPSILON / 2. */
static IterationBounds mean_bounds(const Iteration *iteration, const Node *node) {
    const IterationPlan *plan = &iteration->plan;
    IterationBounds mean = {0, 0};
    for (uint32_t i = 0; i < node->count; i++) {
        const Edge *edge = &iteration->edges[node->first + i];
        IterationBounds next = bounds_at(iteration, edge->to);
        mean.lower += edge->chance * next.lower;
        mean.upper += edge->chance * next.upper;
    }
    double largest = larger(fabs(plan->lowest), fabs(plan->highest));
    double rounding = (node->count + 3) * DBL_EPSILON * largest;
    return (IterationBounds){mean.lower - rounding, mean.upper + rounding};
}

static IterationBounds best_bounds(const Iteration *iteration, const Node *node) {
    bool wants_more = iteration->lower_is_better == (node->actor != 0);
    IterationBounds best = bounds_at(iteration, iteration->edges[node->first].to);
    for (uint32_t i = 1; i < node->count; i++) {
        IterationBounds next = bounds_at(iteration, iteration->edges[node->first + i].to);
        best.lower = wants_more ? larger(best.lower, next.lower) : smaller(best.lower, next.lower);
        best.upper = wants_more ? larger(best.upper, next.upper) : smaller(best.upper, next.upper);
    }
    return best;
}

/* One sweep, last state first. Returns the largest change of a bound. */
static double sweep_bounds(Iteration *iteration) {
    double most = 0;
    for (size_t i = iteration->map.count; i-- > 0;) {
        Node *node = &iteration->nodes[i];
        if (node->actor == UNKNOWN || node->actor == GAME_END)
            continue;
        IterationBounds found = node->actor == GAME_CHANCE ? mean_bounds(iteration, node)
                                                           : best_bounds(iteration, node);
        IterationBounds old = node->bounds;
        node->bounds.lower = larger(old.lower, found.lower);
        node->bounds.upper = smaller(old.upper, found.upper);
        most = larger(most, node->bounds.lower - old.lower);
        most = larger(most, old.upper - node->bounds.upper);
    }
    return most;
}

static Status sweep_until_settled(Iteration *iteration) {
    Progress *progress = iteration->limits.progress;
    double start_s = progress_clock_s();
    for (int number = 1; !iteration->settled; number++) {
        if (is_stopped(iteration))
            return stopped();
        double moved = sweep_bounds(iteration);
        iteration->settled = moved <= iteration->plan.residual;
        double states = (double)iteration->map.count * number;
        ProgressSweep now = {.stage = "bounds",
                             .number = number,
                             .done = 1,
                             .change = moved,
                             .rate = states / (progress_clock_s() - start_s)};
        progress_sweep(progress, &now);
    }
    return status_ok();
}

Status iteration_bounds(Solver *solver, const State *state, IterationBounds *bounds) {
    Iteration *iteration = (Iteration *)solver;
    uint32_t number;
    Status status = add_state(iteration, state, 0, &number);
    if (!status_is_ok(&status))
        return status;
    if (number == STATE_MAP_NONE)
        return status_make(
            STATUS_UNSUPPORTED, "%s: more states than fit into the memory limit of %zu MB",
            iteration->variant.game->identity.name, iteration->limits.memory_bytes >> 20);
    progress_start(iteration->limits.progress, "solving");
    status = explore_from(iteration, number);
    if (status_is_ok(&status))
        status = sweep_until_settled(iteration);
    progress_finish(iteration->limits.progress);
    if (!status_is_ok(&status))
        return status;
    *bounds = iteration->nodes[number].bounds;
    solver->error = larger(solver->error, (bounds->upper - bounds->lower) / 2);
    return status;
}

/* --- the solver --- */

static Status iteration_values(Solver *solver, const State *state, double values[]) {
    const Iteration *iteration = (const Iteration *)solver;
    IterationBounds bounds;
    Status status = iteration_bounds(solver, state, &bounds);
    if (!status_is_ok(&status))
        return status;
    values[0] = (bounds.lower + bounds.upper) / 2;
    if (iteration->variant.game->rules.player_count(&iteration->variant.rules) == 2)
        values[1] = (isnan(iteration->sum) ? 0 : iteration->sum) - values[0];
    return status;
}

static void iteration_free(Solver *solver) {
    Iteration *iteration = (Iteration *)solver;
    state_map_free(&iteration->map);
    free(iteration->nodes);
    free(iteration->edges);
    free(iteration);
}

Status iteration_new(const Variant *variant, const SolveLimits *limits, const IterationPlan *plan,
                     Solver **solver) {
    const Game *game = variant->game;
    if (game->rules.player_count(&variant->rules) > 2)
        return status_make(STATUS_UNSUPPORTED, "%s: value iteration is for one or two players",
                           game->identity.name);
    Iteration *iteration = calloc(1, sizeof *iteration);
    if (!iteration)
        return out_of_memory();
    iteration->base =
        (Solver){.method = "value iteration", .values = iteration_values, .free = iteration_free};
    iteration->variant = *variant;
    iteration->plan = *plan;
    if (plan->chances_max > UINT16_MAX)
        iteration->plan.chances_max = UINT16_MAX;
    iteration->limits = *limits;
    iteration->lower_is_better = game->rules.value_info(&variant->rules).lower_is_better;
    iteration->sum = NAN;
    state_map_init(&iteration->map, limits->memory_bytes / 2);
    *solver = &iteration->base;
    return status_ok();
}
