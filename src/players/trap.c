#include "players/trap.h"

#include "game/move_score.h"
#include "game/outcomes.h"
#include "players/shallow.h"
#include "values/evaluate.h"

enum { SHALLOW_DEPTH = 3, HORIZON = 24 };

/* How hard a move is to answer: as in the header, each from 0 to 1. */
typedef struct Trap {
    double played; /* what playing on against shallow searches brings */
    double all;    /* the share of the replies that are mistakes */
} Trap;

static bool is_harder(Trap a, Trap b) {
    return a.played != b.played ? solver_exceeds(a.played, b.played) : solver_exceeds(a.all, b.all);
}

/* How many moves are as good as the first. */
static size_t count_best(const Evaluation *evaluation) {
    size_t count = 1;
    while (count < evaluation->move_count &&
           evaluation->moves[count].value == evaluation->moves[0].value)
        count++;
    return count;
}

static OutcomeKind outcome_kind(const Variant *variant, double value) {
    return variant->game->outcomes->decode(value).kind;
}

/* The move that plain minimax makes. */
static Move find_shallow_move(const Variant *variant, const State *state, int depth) {
    Move moves[GAME_MOVES_MAX], best_move;
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    double best = -INFINITY;
    best_move = moves[0];
    for (size_t i = 0; i < count; i++) {
        double score = shallow_search(variant, state, moves[i], depth, NULL);
        if (score > best) {
            best = score;
            best_move = moves[i];
        }
    }
    return best_move;
}

/* Plays on from a state with a shallow search to move, the other side making the first of its best
 * moves. Sets the other side's gain: 1 for a better result than `kind`, one half if the horizon is
 * reached, 0 for a lost game. */
static Status play_on(const Variant *variant, Solver *solver, State state, OutcomeKind kind,
                      int depth, Evaluation *scratch, double *gain) {
    const GameTree *tree = &variant->game->tree;
    const Rules *rules = &variant->rules;
    int mine = 1 - tree->actor(rules, &state);
    double payoffs[GAME_PLAYERS_MAX];
    for (int plies = 0; plies < HORIZON && tree->actor(rules, &state) != GAME_END; plies += 2) {
        tree->apply(rules, &state, find_shallow_move(variant, &state, depth));
        if (tree->actor(rules, &state) == GAME_END)
            break;
        Status status = evaluate_state(variant, solver, &state, scratch);
        if (!status_is_ok(&status))
            return status;
        *gain = 1;
        if (outcome_kind(variant, scratch->moves[0].value) != kind)
            return status;
        tree->apply(rules, &state, scratch->moves[0].move);
    }
    *gain = 0.5;
    if (tree->actor(rules, &state) == GAME_END) {
        tree->payoff(rules, &state, payoffs);
        *gain = payoffs[mine];
    }
    return status_ok();
}

/* The share of the replies that give the result away. */
static double find_mistakes(const Variant *variant, const Evaluation *replies) {
    double mistakes = 0;
    for (size_t i = 0; i < replies->move_count; i++)
        mistakes += outcome_kind(variant, replies->moves[i].value) !=
                    outcome_kind(variant, replies->moves[0].value);
    return mistakes / (double)replies->move_count;
}

/* Judges the state after a move that keeps the result `kind`. */
static Status judge_move(const Variant *variant, Solver *solver, const State *state,
                         OutcomeKind kind, Evaluation *scratch, Trap *trap) {
    Status status = status_ok();
    *trap = (Trap){.played = 0};
    for (int depth = 1; depth <= SHALLOW_DEPTH && variant->game->move_score; depth++) {
        double gain;
        status = play_on(variant, solver, *state, kind, depth, scratch, &gain);
        if (!status_is_ok(&status))
            return status;
        trap->played += gain / SHALLOW_DEPTH;
    }
    if (kind == OUTCOME_ENDLESS)
        status = evaluate_state(variant, solver, state, scratch);
    if (status_is_ok(&status) && kind == OUTCOME_ENDLESS)
        trap->all = find_mistakes(variant, scratch);
    return status;
}

static bool traps_apply(const Variant *variant, const Evaluation *evaluation) {
    const Game *game = variant->game;
    return game->outcomes && game->tree.is_deterministic &&
           game->rules.player_count(&variant->rules) == 2 && count_best(evaluation) > 1 &&
           outcome_kind(variant, evaluation->moves[0].value) != OUTCOME_WIN;
}

Status trap_choose(const Variant *variant, Solver *solver, const State *state,
                   const Evaluation *evaluation, Evaluation *scratch, Move *move) {
    const Game *game = variant->game;
    Trap hardest = {.played = -1};
    *move = evaluation->moves[0].move;
    size_t count = traps_apply(variant, evaluation) ? count_best(evaluation) : 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        Trap trap;
        game->tree.apply(&variant->rules, &next, evaluation->moves[i].move);
        if (game->tree.actor(&variant->rules, &next) == GAME_END)
            continue;
        Status status =
            judge_move(variant, solver, &next, outcome_kind(variant, evaluation->moves[0].value),
                       scratch, &trap);
        if (!status_is_ok(&status))
            return status;
        if (is_harder(trap, hardest)) {
            hardest = trap;
            *move = evaluation->moves[i].move;
        }
    }
    return status_ok();
}
