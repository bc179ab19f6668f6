/* Exact values of two-player Yut: the fixed point where somebody is about to throw, and a recursion
 * over the rest of the turn where results are pending. */
#include "games/yut/solve/solver.h"

#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/fixpoint.h"
#include "games/yut/solve/turn_map.h"

enum {
    SOLVED_AT_ONCE = 2, /* pieces: more take too long to be solved on the way */
    EXTRAS_FIRST = 3,   /* a turn's throws are followed so far at first, */
    EXTRAS_MAX = 12     /* and so far at most */
};

#define DEFAULT_ERROR 1e-6

typedef struct YutSolver {
    Solver base;
    Rules packed_rules;
    YutRules rules;
    YutStarts starts;
    double open; /* a turn's throws are followed until no more than this is */
    const StopFlag *stop;
    bool takes_less; /* rather than to fail for lack of memory */
    int player;      /* whose turn is being followed */
    TurnMap map;
} YutSolver;

/* The rule options of the table that is missing, the number of pieces first. */
static void add_options(const Rules *rules, Text *text) {
    Variant variant = {.game = &yut_game, .rules = *rules};
    text_addf(text, "--pieces %d", yut_rules(rules).pieces);
    for (size_t i = 0; i < yut_game.rules.option_count; i++) {
        const char *name = yut_game.rules.options[i].name;
        char value[GAME_TEXT_BYTES];
        if (strcmp(name, "pieces") != 0 && variant_is_unusual(&variant, name, value))
            text_addf(text, " --%s %s", name, value);
    }
}

Status yut_solver_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    Status status = sweep_supports(&yut);
    if (!status_is_ok(&status) || yut.pieces <= SOLVED_AT_ONCE)
        return status;
    char options[GAME_TEXT_BYTES];
    Text text = text_over(options, sizeof options);
    add_options(rules, &text);
    return status_make(STATUS_TABLE,
                       "no table of yut with %d pieces each: `malpan solve yut %s` makes one",
                       yut.pieces, options);
}

static bool list_is_empty(const YutState *state) {
    for (int i = 0; i < YUT_RESULTS; i++)
        if (state->list[i] > 0)
            return false;
    return true;
}

static Status follow(YutSolver *solver, const YutState *state, int extras, Known *known);

/* The mean over what is thrown. What lies beyond `extras` is taken to be like the rest; the truth
 * may be anything. */
static Status follow_throw(YutSolver *solver, const YutState *state, int extras, Known *mean) {
    const State packed = yut_state_pack(state);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t all;
    size_t count = yut_chances(&solver->packed_rules, &packed, chances, &all);
    double whole = 0;
    *mean = (Known){.value = 0};
    for (size_t i = 0; i < count; i++) {
        bool again = yut_throws_again(&solver->rules, solver->player, (YutResult)chances[i].move);
        double chance = (double)chances[i].weight / (double)all;
        if (again && extras == 0)
            continue;
        State thrown = packed;
        yut_apply(&solver->packed_rules, &thrown, chances[i].move);
        YutState next = yut_state(&thrown);
        Known one;
        Status status = follow(solver, &next, extras - again, &one);
        if (!status_is_ok(&status))
            return status;
        mean->value += chance * one.value;
        mean->error += chance * one.error;
        whole += chance;
    }
    mean->value /= whole;
    if (whole < 1)
        mean->error += 1 - whole;
    return status_ok();
}

/* The best move. It may be another one that is truly best, or the truth about this one may be
 * worse: no further off than the ends of what all of them may be worth. */
static Status follow_moves(YutSolver *solver, const YutState *state, int extras, Known *best) {
    const State packed = yut_state_pack(state);
    Move moves[GAME_MOVES_MAX];
    size_t count = yut_moves(&solver->packed_rules, &packed, moves);
    double value = 0, low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        YutState next = *state;
        Known one;
        yut_play(&solver->rules, &next, moves[i]);
        Status status = follow(solver, &next, extras, &one);
        if (!status_is_ok(&status))
            return status;
        value = one.value > value ? one.value : value;
        low = one.value - one.error > low ? one.value - one.error : low;
        high = one.value + one.error > high ? one.value + one.error : high;
    }
    *best = (Known){.value = value, .error = fmax(value - low, high - value)};
    return status_ok();
}

/* Where the next turn begins. */
static Status look_up(const YutSolver *solver, const YutState *state, Known *known) {
    double value = 0;
    Status status = solver->starts.value(&solver->starts, state, &value);
    *known = (Known){.value = state->turn == solver->player ? value : 1 - value};
    return status;
}

/* What any state of the turn is worth to whose turn it is; `extras` more throws may go on. */
static Status follow(YutSolver *solver, const YutState *state, int extras, Known *known) {
    int winner = yut_winner(&solver->rules, state);
    if (winner >= 0) {
        *known = (Known){.value = winner == solver->player ? 1 : 0};
        return status_ok();
    }
    if (list_is_empty(state) && state->throws == 1)
        return look_up(solver, state, known);
    const Known *before = turn_map_find(&solver->map, state);
    if (before && (before->error == 0 || before->extras >= extras)) {
        *known = *before;
        return status_ok();
    }
    if (solver->stop && *solver->stop)
        return status_make(STATUS_STOPPED, "stopped");
    Status status = state->throws > 0 ? follow_throw(solver, state, extras, known)
                                      : follow_moves(solver, state, extras, known);
    known->extras = extras;
    if (status_is_ok(&status) && !turn_map_put(&solver->map, state, known))
        status = status_make(STATUS_UNSUPPORTED,
                             "following this turn's throws needs more memory (--memory)");
    return status;
}

/* The same from anew: what was known makes room. */
static Status follow_anew(YutSolver *solver, const YutState *state, int extras, Known *known) {
    turn_map_free(&solver->map);
    return follow(solver, state, extras, known);
}

/* Follows throws further and further, until enough is known; or as far as there is memory for, if
 * that will do. */
static Status yut_values(Solver *base, const State *state, double values[]) {
    YutSolver *solver = (YutSolver *)base;
    YutState s = yut_state(state);
    /* One more extra leaves about so much of what was open: more than after a single throw. */
    const double left = fmin(1.5 * sweep_again(&solver->rules), 0.9);
    int extras = EXTRAS_FIRST;
    Known known = {.value = 0};
    solver->player = s.turn;
    Status status = follow_anew(solver, &s, extras, &known);
    while (status_is_ok(&status) && known.error > solver->open && extras < EXTRAS_MAX) {
        double more = ceil(log(solver->open / known.error) / log(left));
        extras = more < EXTRAS_MAX - extras ? extras + (int)more : EXTRAS_MAX;
        status = follow(solver, &s, extras, &known);
    }
    while (solver->takes_less && status.code == STATUS_UNSUPPORTED && extras > EXTRAS_FIRST)
        status = follow_anew(solver, &s, --extras, &known);
    values[solver->player] = known.value;
    values[1 - solver->player] = 1 - known.value;
    if (status_is_ok(&status))
        base->error = fmax(base->error, solver->starts.error + known.error);
    return status;
}

void yut_solver_take_less(Solver *solver) {
    YutSolver *yut = (YutSolver *)solver;
    yut->takes_less = true;
}

static void yut_solver_free(Solver *base) {
    YutSolver *solver = (YutSolver *)base;
    solver->starts.close(&solver->starts);
    turn_map_free(&solver->map);
    free(solver);
}

/* The chance that the throws of a turn go on for longer than they are ever followed, of either
 * player. A turn has at most so many throws, each with a geometric number of extras; of n in all
 * the chance is binom(n + throws - 1, n) again^n (1 - again)^throws. */
static double chance_beyond(const YutRules *rules) {
    double again = sweep_again(rules), binomial = 1, beyond = 0;
    bool sheep = rules->animals[0] == YUT_SHEEP || rules->animals[1] == YUT_SHEEP;
    int throws = 1 + (sheep ? 2 : 1) * rules->pieces;
    for (int n = 0; n < 1000; n++) {
        if (n > EXTRAS_MAX)
            beyond += binomial * pow(again, n) * pow(1 - again, throws);
        binomial = binomial * (n + throws) / (n + 1);
    }
    return beyond;
}

Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double open,
                       const SolveLimits *limits, Solver **solver) {
    YutSolver *yut = calloc(1, sizeof *yut);
    if (!yut)
        return status_make(STATUS_FAILED, "out of memory");
    yut->packed_rules = *rules;
    yut->rules = yut_rules(rules);
    yut->starts = starts;
    yut->open = open;
    yut->stop = limits->stop;
    turn_map_init(&yut->map, limits->memory_bytes / 4);
    yut->base = (Solver){.method = method,
                         .error = starts.error + fmax(open, chance_beyond(&yut->rules)),
                         .values = yut_values,
                         .free = yut_solver_free};
    *solver = &yut->base;
    return status_ok();
}

/* --- solved now --- */

static Status value_in_fixpoint(const YutStarts *starts, const YutState *state, double *value) {
    const Fixpoint *fixpoint = starts->source;
    const Sweep *sweep = &fixpoint->sweep;
    int player = state->turn;
    uint32_t own = places_number(&sweep->places, state->pieces[player]);
    uint32_t other = places_number(&sweep->places, state->pieces[1 - player]);
    const int32_t *grid = sweep_values(sweep, sweep->sides == 2 ? player : 0);
    *value = (double)grid[sweep_place(sweep, own, other)] / SWEEP_ONE;
    return status_ok();
}

static void close_fixpoint(YutStarts *starts) {
    Fixpoint *fixpoint = starts->source;
    fixpoint_close(fixpoint);
    free(fixpoint);
}

Status yut_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    YutRules yut = yut_rules(rules);
    Status status = yut_solver_check(rules);
    if (!status_is_ok(&status))
        return status;
    Fixpoint *fixpoint = malloc(sizeof *fixpoint);
    if (!fixpoint)
        return status_make(STATUS_FAILED, "out of memory");
    status = fixpoint_open(&yut, DEFAULT_ERROR, limits, NULL, fixpoint);
    if (!status_is_ok(&status)) {
        free(fixpoint);
        return status;
    }
    YutStarts starts = {.source = fixpoint,
                        .error = fixpoint->error,
                        .value = value_in_fixpoint,
                        .close = close_fixpoint};
    status = yut_solver_over(rules, starts, "value iteration over all positions",
                             fixpoint->error / 100, limits, solver);
    if (!status_is_ok(&status))
        close_fixpoint(&starts);
    return status;
}
