#include "kernel/induction.h"

#include <float.h>
#include <stdlib.h>

#include "kernel/state_map.h"

typedef struct Induction {
    Solver base;
    Variant variant;
    size_t players;
    double sense; /* -1 if lower is better */
    StateMap map;
    /* For each state of the map: the value to each player (NAN while being computed), and then the
     * length in steps of the longest game from there. */
    double *values;
    size_t values_capacity;
    double largest; /* the largest absolute payoff */
    /* The moves of all states on the current path, concatenated. Not on the stack: a path may be
     * long and a state may have many moves. */
    Chance *path;
    size_t path_length, path_capacity;
    size_t depth, memory_bytes;
    Progress *progress;
    const StopFlag *stop; /* as in SolveLimits */
} Induction;

enum {
    DEPTH_MAX = 1000, /* a few kilobytes of stack each under the sanitizers */
    STOP_EVERY = 1024 /* new states between two checks of the stop flag */
};

static double larger(double a, double b) {
    return a > b ? a : b;
}

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

static Status no_room(const Induction *induction) {
    if (induction->map.is_starved)
        return out_of_memory();
    return status_make(STATUS_UNSUPPORTED,
                       "%s: more states than fit into the memory limit of %zu MB (%zu so far)",
                       induction->variant.game->identity.name, induction->memory_bytes >> 20,
                       induction->map.count);
}

/* Appends the moves or chance events of `state` to the path. Not inlined: its array of moves must
 * not be part of every frame of the recursion. */
__attribute__((noinline)) static Status push_choices(Induction *induction, const State *state,
                                                     int actor, size_t *count,
                                                     double *denominator) {
    const Game *game = induction->variant.game;
    const Rules *rules = &induction->variant.rules;
    if (induction->path_capacity < induction->path_length + GAME_MOVES_MAX) {
        size_t capacity = 2 * (induction->path_capacity + GAME_MOVES_MAX);
        Chance *larger = realloc(induction->path, capacity * sizeof *larger);
        if (!larger)
            return out_of_memory();
        induction->path = larger;
        induction->path_capacity = capacity;
    }
    Chance *choices = induction->path + induction->path_length;
    if (actor == GAME_CHANCE) {
        uint64_t whole;
        *count = game->tree.chances(rules, state, choices, &whole);
        *denominator = (double)whole;
    } else {
        Move moves[GAME_MOVES_MAX];
        *count = game->tree.moves(rules, state, moves);
        for (size_t i = 0; i < *count; i++)
            choices[i] = (Chance){.move = moves[i], .weight = 1};
    }
    induction->path_length += *count;
    return status_ok();
}

/* `values` receives the value to each player and then the length of the longest game. */
static Status compute_values(Induction *induction, const State *state, double values[]);

/* Combines the values of the successors of `state`; `result` must be zeroed. */
static Status combine_choices(Induction *induction, const State *state, int actor,
                              double result[]) {
    const Variant *variant = &induction->variant;
    size_t first = induction->path_length;
    size_t count = 0;
    double denominator = 1;
    Status status = push_choices(induction, state, actor, &count, &denominator);
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        Chance choice = induction->path[first + i];
        State next = *state;
        double values[GAME_PLAYERS_MAX + 1] = {0};
        variant->game->tree.apply(&variant->rules, &next, choice.move);
        status = compute_values(induction, &next, values);
        if (!status_is_ok(&status))
            break;
        result[induction->players] =
            larger(result[induction->players], values[induction->players] + 1);
        if (actor == GAME_CHANCE) {
            for (size_t p = 0; p < induction->players; p++)
                result[p] += (double)choice.weight * values[p];
            continue;
        }
        double old = induction->sense * result[actor];
        double rival = induction->sense * values[actor];
        bool better = i == 0 || solver_exceeds(rival, old);
        for (size_t p = 0; p < induction->players; p++)
            if (better)
                result[p] = values[p];
        /* A tie keeps the first move, but the value is the exact maximum. */
        if (!better && rival > old)
            result[actor] = values[actor];
    }
    if (actor == GAME_CHANCE)
        for (size_t p = 0; p < induction->players; p++)
            result[p] /= denominator;
    induction->path_length = first;
    return status;
}

static Status remember_state(Induction *induction, const State *state, uint32_t *number,
                             bool *added) {
    *number = state_map_add(&induction->map, state, added);
    if (*number == STATE_MAP_NONE)
        return no_room(induction);
    if (induction->values_capacity < induction->map.capacity) {
        size_t capacity = induction->map.capacity;
        double *larger =
            realloc(induction->values, capacity * (induction->players + 1) * sizeof *larger);
        if (!larger)
            return out_of_memory();
        induction->values = larger;
        induction->values_capacity = capacity;
    }
    return status_ok();
}

static Status compute_values(Induction *induction, const State *state, double values[]) {
    const Variant *variant = &induction->variant;
    int actor = variant->game->tree.actor(&variant->rules, state);
    if (actor == GAME_END) {
        variant->game->tree.payoff(&variant->rules, state, values);
        for (size_t p = 0; p < induction->players; p++)
            induction->largest = larger(induction->largest, fabs(values[p]));
        values[induction->players] = 0;
        return status_ok();
    }
    uint32_t number;
    bool added;
    Status status = remember_state(induction, state, &number, &added);
    if (!status_is_ok(&status))
        return status;
    double *kept = induction->values + number * (induction->players + 1);
    if (!added && isnan(kept[0]))
        return status_make(STATUS_UNSUPPORTED, "%s: the game has cycles",
                           variant->game->identity.name);
    if (added) {
        kept[0] = NAN;
        if (number % STOP_EVERY == 0 && induction->stop && *induction->stop)
            return status_make(STATUS_STOPPED, "stopped");
        if (++induction->depth > DEPTH_MAX)
            return status_make(STATUS_UNSUPPORTED, "%s: games are longer than %d steps",
                               variant->game->identity.name, DEPTH_MAX);
        double result[GAME_PLAYERS_MAX + 1] = {0};
        status = combine_choices(induction, state, actor, result);
        induction->depth--;
        if (!status_is_ok(&status))
            return status;
        kept = induction->values + number * (induction->players + 1); /* the array may have moved */
        for (size_t p = 0; p <= induction->players; p++)
            kept[p] = result[p];
        progress_report(induction->progress, induction->map.count, 0);
    }
    for (size_t p = 0; p <= induction->players; p++)
        values[p] = kept[p];
    return status_ok();
}

static void discard_results(Induction *induction) {
    state_map_free(&induction->map);
    free(induction->values);
    free(induction->path);
    induction->values = NULL;
    induction->path = NULL;
    induction->values_capacity = 0;
    induction->path_length = induction->path_capacity = 0;
    induction->depth = 0;
}

static Status induction_values(Solver *base, const State *state, double values[]) {
    Induction *induction = (Induction *)base;
    progress_start(induction->progress, "solving");
    double results[GAME_PLAYERS_MAX + 1] = {0};
    Status status = compute_values(induction, state, results);
    progress_finish(induction->progress);
    if (!status_is_ok(&status)) {
        discard_results(induction); /* drops the half-computed values */
        return status;
    }
    for (size_t p = 0; p < induction->players; p++)
        values[p] = results[p];
    /* A chance node rounds at most GAME_CHANCES_MAX products, their sum and a division. A choice
     * among moves that count as equal may cost the other players up to SOLVER_TIE. */
    double a_step = (GAME_CHANCES_MAX + 2) * (DBL_EPSILON / 2) + SOLVER_TIE;
    base->error = larger(base->error, induction->largest * a_step * results[induction->players]);
    return status_ok();
}

static void induction_free(Solver *base) {
    discard_results((Induction *)base);
    free(base);
}

Status induction_new(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    Induction *induction = calloc(1, sizeof *induction);
    if (!induction)
        return status_make(STATUS_FAILED, "out of memory");
    induction->base = (Solver){
        .method = "backward induction", .values = induction_values, .free = induction_free};
    induction->progress = limits->progress;
    induction->stop = limits->stop;
    induction->variant = *variant;
    induction->players = (size_t)variant->game->rules.player_count(&variant->rules);
    induction->sense = variant->game->rules.value_info(&variant->rules).lower_is_better ? -1 : 1;
    induction->memory_bytes = limits->memory_bytes;
    /* The values grow with the map; both share the limit. */
    size_t state_bytes = sizeof(State) + 2 * sizeof(uint32_t);
    size_t value_bytes = (induction->players + 1) * sizeof(double);
    state_map_init(&induction->map,
                   limits->memory_bytes / (state_bytes + value_bytes) * state_bytes);
    *solver = &induction->base;
    return status_ok();
}
